/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A user-space driver of the device: registers, one queue, dispatches.
 *
 * It does what a driver in a guest does, over the plain-memory host: sets up
 * the interrupt ring, loads a queue from a descriptor by a command, writes AQL
 * packets, rings the doorbell and waits for the interrupt.
 */
#ifndef TOOLS_DRIVER_H
#define TOOLS_DRIVER_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include "hw/gpu/gpu.h"
#include "tessera/abi.h"
#include "tools/codeobj.h"

/* What a kernel may ask of the device, whatever the instruction set. */
#define DRIVER_GROUP_MAX 1024u        /* work-items a work-group */
/* Bytes of scratch a work-item: 64 of them fit COMPUTE_TMPRING_SIZE. */
#define DRIVER_PRIVATE_MAX (0x1fffu * 1024 / 64)

typedef enum DriverPlace {
    DRIVER_RAM,  /* "guest RAM": what lies behind a buffer's pages faults */
    DRIVER_VRAM,
} DriverPlace;

typedef struct DriverConfig {
    const char *isa;        /* "gfx900" */
    unsigned workers;       /* 0: as many as the host has CPUs */
    const char *host_level; /* NULL, "v2", "v3" or "v4" */
    uint64_t vram_bytes;    /* that will be allocated in VRAM */
    bool trace;             /* print the device's state changes */
    bool stats;             /* count instructions */
    bool profile;           /* see driver_profile() */
    TesseraJit jit;         /* compile code; see driver_has_jit() */
    bool strict;            /* report hazards, see driver_hazard() */
    bool paged;             /* run behind page tables, in a VMID of its own;
                               addresses are the same as without */
} DriverConfig;

typedef struct Driver Driver;

/* Is there a compiler of hot code?  Otherwise all code is interpreted. */
bool driver_has_jit(void);

/* Power on a device.  NULL and @error, one sentence, if it cannot be had. */
Driver *driver_new(const DriverConfig *config, GError **error);
void driver_free(Driver *driver);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Driver, driver_free)

/*
 * Room for @size bytes, zeroed and page aligned.  Returns where the host sees
 * it and sets *@address to where the device does; NULL and @error if there is
 * none.  Lives as long as the driver.
 */
void *driver_alloc(Driver *driver, DriverPlace place, uint64_t size,
                   uint64_t *address, GError **error);

/* Put a code object into VRAM; *@base: the address of its image. */
bool driver_load(Driver *driver, const CodeObject *co, uint64_t *base,
                 GError **error);

typedef struct DriverLaunch {
    const CodeKernel *kernel;
    uint64_t base;          /* of the code object's image */
    unsigned dims;          /* 1 to 3 */
    uint32_t grid[3];       /* work-items */
    uint32_t group[3];      /* work-items */
    const uint8_t *kernarg; /* kernel->kernarg_size bytes; hidden arguments
                               are filled in by the driver */
    uint32_t dynamic_lds;   /* bytes besides the kernel's own */
    double timeout;         /* seconds; 0: none */
} DriverLaunch;

typedef enum DriverStatus {
    DRIVER_DONE,
    DRIVER_FAULTED,  /* `fault` and `queue_error` say why */
    DRIVER_TIMED_OUT,
} DriverStatus;

typedef struct DriverOutcome {
    DriverStatus status;
    uint32_t queue_error; /* TESSERA_QERR_* bits */
    TesseraFaultInfo fault; /* cause NONE if there is no record */
    double seconds;       /* from start to end of the dispatch */
    TesseraStats stats;   /* of this dispatch, if the configuration asked */
} DriverOutcome;

/*
 * Run a kernel to its end.  False and @error if it could not be started;
 * otherwise *@outcome says how it went.  After anything but DRIVER_DONE the
 * queue has stopped and the driver is of no more use.
 */
bool driver_run(Driver *driver, const DriverLaunch *launch,
                DriverOutcome *outcome, GError **error);

typedef struct DriverBlocks {
    uint64_t entry;   /* address of the first block */
    uint64_t gpr[TESSERA_BLOCKS_GPRS]; /* gpr[0] must be 0 */
    double timeout;   /* seconds; 0: none */
} DriverBlocks;

/*
 * The same for a program of LinxISA blocks.  *@result is all zeros if they did
 * not come to an end by themselves.
 */
bool driver_run_blocks(Driver *driver, const DriverBlocks *launch,
                       DriverOutcome *outcome, TesseraBlockResult *result,
                       GError **error);

/*
 * What has been executed since the driver was made, if the configuration asked:
 * a TesseraSpot an instruction, most time first.  The caller frees it by
 * g_array_unref().
 */
GArray *driver_profile(Driver *driver);

/* Report @index of hazards=strict; false if there are not so many. */
bool driver_hazard(Driver *driver, unsigned index, TesseraHazardInfo *info);

/* What a cause means, in words, e.g. "address is not mapped". */
const char *driver_fault_text(TesseraFaultCause cause);

/* The names of error bits, comma-separated, with their meaning. */
char *driver_queue_error_text(uint32_t bits);

/* What the device logged since the last call; the caller frees it. */
char *driver_take_log(Driver *driver);

#endif
