/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The device core as its host sees it: registers, doorbells, life cycle.
 *
 * All functions are called with the host's device lock held (in QEMU: the big
 * lock), so one at a time, and none of them waits for guest work to finish:
 * they wait at most for waves to reach an instruction boundary.
 */
#ifndef TESSERA_GPU_H
#define TESSERA_GPU_H

#include <glib.h>
#include "tessera/host.h"
#include "tessera/isa.h"
#include "tessera/regs.h"

typedef struct TesseraGpu TesseraGpu;

#define TESSERA_VRAM_MIN (64ull << 20)
#define TESSERA_VRAM_MAX (16ull << 30)
#define TESSERA_WORKERS_MAX 64
#define TESSERA_CUS 8

typedef struct TesseraConfig {
    const char *isa;      /* "gfx900" */
    uint8_t *vram;        /* host address of VRAM, owned by the host */
    uint64_t vram_size;   /* bytes, a power of two in the range above */
    unsigned workers;     /* host threads; 0: one per CPU up to TESSERA_CUS */
    uint64_t hang_timeout_ns; /* guest time a dispatch may take; 0: for ever */
    const char *host_level;   /* NULL (best) or "v2", "v3", "v4" */
    bool scanout;             /* the host has a head to show VRAM on */
    bool inject;              /* the fault injector's registers are there */
    bool stats;               /* count instructions, see tessera_gpu_stats() */
    bool profile;             /* and time them, see tessera_gpu_profile() */
    TesseraJit jit;           /* compile shader code */
    bool strict;              /* hazards=strict, see tessera_gpu_hazard() */
} TesseraConfig;

/*
 * Where the device's own BARs lie on the bus, so that an access of a queue
 * that lands on one of them is routed inside (VRAM, doorbells) or refused
 * (registers, MSI-X).  A size of 0 means not mapped.
 */
typedef struct TesseraBars {
    uint64_t vram, vram_size;
    uint64_t doorbell, doorbell_size;
    uint64_t regs, regs_size;
    uint64_t msix, msix_size;
} TesseraBars;

/*
 * Make a device, powered on and idle.  @config's strings are not kept; its
 * VRAM is.  NULL and @error (one sentence naming the field and its range) if
 * the configuration cannot be used.
 */
TesseraGpu *tessera_gpu_new(const TesseraConfig *config,
                            const TesseraHost *host, GError **error);

/*
 * Cancel all work, join all threads, release everything.  The host's
 * operations are not called once this has returned.
 */
void tessera_gpu_free(TesseraGpu *gpu);

/*
 * BAR 0.  @size is 4 or 8 (8 only where the register map says so; other
 * offsets read 0 and ignore the write, with a guest-error log line).
 */
uint64_t tessera_gpu_reg_read(TesseraGpu *gpu, uint32_t offset,
                              unsigned size);
void tessera_gpu_reg_write(TesseraGpu *gpu, uint32_t offset, uint64_t value,
                           unsigned size);

/* BAR 4: reads return the last value written, writes kick queues. */
uint64_t tessera_gpu_doorbell_read(TesseraGpu *gpu, uint32_t offset,
                                   unsigned size);
void tessera_gpu_doorbell_write(TesseraGpu *gpu, uint32_t offset,
                                uint64_t value, unsigned size);

/* Back to the power-on state: work is cancelled, VRAM is left alone. */
void tessera_gpu_reset(TesseraGpu *gpu);

/*
 * VM stop and continue.  When pause returns, no wave runs, no guest memory is
 * touched and everything written has been reported.  Nests are not counted.
 */
void tessera_gpu_pause(TesseraGpu *gpu);
void tessera_gpu_resume(TesseraGpu *gpu);

/*
 * Pause for a save: begin no further packet, and give the dispatches that run
 * up to @ms milliseconds of host time to end.
 */
void tessera_gpu_settle(TesseraGpu *gpu, unsigned ms);

/*
 * Append the state of the device, all but VRAM, to @out.  False, and @error
 * names the queue, if a dispatch is in flight; the device then goes on as if
 * nothing had been asked.
 */
bool tessera_gpu_save(TesseraGpu *gpu, GByteArray *out, GError **error);

/*
 * Replace the state of the device by one that was saved.  Nothing about @data
 * is trusted: if it cannot have come from tessera_gpu_save(), or from a device
 * that is configured differently (the number of workers does not count), false,
 * @error says what is wrong, and the device is in its power-on state.
 */
bool tessera_gpu_load(TesseraGpu *gpu, const uint8_t *data, size_t size,
                      GError **error);

/*
 * The bus address space changed, or a mapping is about to die: stop all waves
 * at an instruction boundary, forget every pointer that host.map() gave, and
 * take @bars as the new places of the BARs.  Work goes on (unless paused) when
 * tessera_gpu_unmap_end() is called.
 */
void tessera_gpu_unmap_all(TesseraGpu *gpu);
void tessera_gpu_unmap_end(TesseraGpu *gpu, const TesseraBars *bars);

/* A picture in VRAM. */
typedef struct TesseraScanout {
    uint64_t base;          /* VRAM offset of the first pixel, bytes */
    uint32_t width, height; /* pixels, at most TESSERA_SCANOUT_SIDE_MAX */
    uint32_t stride;        /* bytes from line to line */
    uint32_t format;        /* a TesseraScanoutFormat */
} TesseraScanout;

/*
 * What the head is to show now: false, and @mode all 0, if nothing.  All of a
 * picture that is returned lies inside VRAM, base and stride are multiples of
 * 4, and a line fits its stride.  Any thread.
 */
bool tessera_gpu_scanout(TesseraGpu *gpu, TesseraScanout *mode);

/* Totals since power-on; instructions are counted if the config says so. */
typedef struct TesseraStats {
    uint64_t dispatches; /* ended, in whatever way */
    uint64_t instructions;
    uint64_t lane_instructions; /* the same, times active lanes */
    uint64_t waves;
    /* Whatever `stats` says: times that a page of code was compiled, or not. */
    uint64_t compiled, not_compiled;
    uint64_t compiled_instructions, compile_ns; /* see EngineJitCounts */
} TesseraStats;

void tessera_gpu_stats(TesseraGpu *gpu, TesseraStats *stats);

/* Is the compiler of hot code there (TesseraConfig.jit)? */
bool tessera_has_jit(void);

/* One instruction of the shaders that have run. */
typedef struct TesseraSpot {
    uint64_t pc;
    const char *kind;   /* static: "vector f32" or so */
    char text[96];      /* disassembled; "": what `kind` says, not one place */
    uint64_t executed;  /* by waves */
    uint64_t lane_instructions; /* the same, times active lanes */
    double seconds;     /* of all workers together */
} TesseraSpot;

/*
 * The profile since the device was made, if the config asks for one: a
 * TesseraSpot for each instruction, the one with most time first.  LinxISA
 * blocks have none.  The caller frees it by g_array_unref().
 */
GArray *tessera_gpu_profile(TesseraGpu *gpu);

/*
 * The fault that the FAULT_ registers show, in more detail than they have.
 * @text is the instruction, "" if the packet processor faulted.
 */
typedef struct TesseraFaultInfo {
    TesseraFaultCause cause; /* TESSERA_FAULT_NONE: there is no fault */
    uint32_t queue;
    bool write, fetch;
    uint64_t address, pc, lanes;
    uint32_t group[3], wave;
    char text[96];
} TesseraFaultInfo;

void tessera_gpu_fault(TesseraGpu *gpu, TesseraFaultInfo *info);

/* What hazards=strict has found: different reports, in order of appearance. */
typedef struct TesseraHazardInfo {
    TesseraHazard kind;
    const char *what; /* static */
    uint64_t pc;
    uint64_t since;   /* address of the load not waited for, or of the access
                         that is met; or 0 */
    uint64_t lanes;   /* 0 for scalar registers */
    uint32_t group[3], wave;
    char name[24];    /* the registers, or what is accessed */
    char text[96];    /* the instruction */
    uint64_t block;   /* LinxISA: of the block's header; 0: it is no block */
    uint64_t address; /* of the first byte, in memory or in tile space */
    uint64_t other_group; /* of the access at `since` */
    uint32_t other_lane;
} TesseraHazardInfo;

/* Report @index; false if there are not so many. */
bool tessera_gpu_hazard(TesseraGpu *gpu, unsigned index,
                        TesseraHazardInfo *info);

#endif
