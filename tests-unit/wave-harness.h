/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For tests of instructions: one wave, its registers, some memory, and
 * assembly text to run on it.  No device, no threads.
 *
 * A test assembles all its snippets at once, since starting the assembler
 * costs more than running them:
 *
 *     WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));
 *     WaveHarness *h = wave_harness_new(TESSERA_LEVEL_V3);
 *
 *     wave_vgpr(h, 1)[5] = 42;
 *     wave_run(h, &code[0]);
 *     g_assert_cmphex(wave_vgpr(h, 0)[5], ==, ...);
 */
#ifndef TESTS_WAVE_HARNESS_H
#define TESTS_WAVE_HARNESS_H

#include <glib.h>
#include "target/amdgpu/isa.h"
#include "target/engine/sched.h"

/* ---- targets ---- */

/*
 * What the functions below assemble for and run, from here on: the processor's
 * name as LLVM and Tessera know it, and the lanes of a wave.  Tests begin with
 * gfx900 and 64.
 */
void wave_set_target(const char *name, unsigned lanes);

/* ---- assembling ---- */

/* Machine code of one snippet. */
typedef struct WaveCode {
    const uint32_t *words;
    unsigned count; /* dwords; 0: the assembler refuses the text */
} WaveCode;

/* False, and the TAP test is marked as skipped, if there is no assembler. */
bool wave_have_assembler(void);

/*
 * Assemble @count snippets for the target, each of one or more lines; labels are
 * private to a snippet if they are numeric (1: ... 1b).  An error in any of
 * them ends the test with the assembler's message.  Free with
 * wave_code_free().
 */
WaveCode *wave_assemble(const char *const *texts, unsigned count);
void wave_code_free(WaveCode *code);

/*
 * Which of @count snippets of one line the assembler refuses for the target;
 * g_free() the answer.
 */
bool *wave_refused(const char *const *texts, unsigned count);

/* ---- the wave ---- */

/* Where the code lies. */
#define WAVE_CODE_VA 0x700000000000ull
#define WAVE_CODE_MAX 0x10000u /* bytes */

/* Apertures, bits 63:48, and the start of scratch memory. */
#define WAVE_SHARED_HI 1
#define WAVE_PRIVATE_HI 2
#define WAVE_SCRATCH_VA 0x7f0000000000ull
#define WAVE_SCRATCH_SIZE 0x40000u /* bytes a wave */

typedef struct WaveMap {
    uint64_t va, size;
    uint8_t *host;
    bool writable;
    uint8_t *seen; /* if a test sets it: bytes as they were last reported */
} WaveMap;

typedef struct WaveHarness WaveHarness;

/*
 * An owner that has to be asked.  page() is called about each page, there or
 * not, and says TESSERA_FAULT_NONE if it is as mapped, or something else; the
 * bus address of a page is its own.  wait() is called while the wave waits.
 */
typedef struct WaveOwner {
    TesseraFaultCause (*page)(WaveHarness *h, uint64_t va,
                              EngineAccess access);
    void (*ask)(WaveHarness *h, EngineAsk *ask);
    bool (*cancel)(WaveHarness *h, EngineAsk *ask);
    void (*wait)(WaveHarness *h);
} WaveOwner;

struct WaveHarness {
    const WaveOwner *owner; /* NULL: all is as it is mapped */
    void *opaque;           /* the test's */
    AmdWave *w;
    Worker *worker;
    Engine engine;
    EngineGroup group;
    EngineDispatch dispatch;
    WaveMap maps[16];
    unsigned map_count;
    bool warm;               /* wave_run() starts with all pages in the TLB */
    uint64_t clock;          /* what s_memtime reads; grows by 1 a read */
    uint64_t written;        /* bytes reported as written */
    unsigned messages;       /* sent with s_sendmsg */
    uint32_t message;        /* the last one */
    EngineHazard hazards[8]; /* of a strict dispatch */
    unsigned hazard_count;   /* may be more than there is room for */
};

/* NULL if the handlers of @level were not built or this host lacks it. */
WaveHarness *wave_harness_new(TesseraHostLevel level);
/* The same, of a wave that is interpreted whatever the environment says. */
WaveHarness *wave_harness_new_interpreted(TesseraHostLevel level);
void wave_harness_free(WaveHarness *h);

/*
 * Start state: all registers 0, EXEC all ones, the MODE of HSA kernels
 * (denormals kept, round to nearest, DX10_CLAMP, IEEE).  Memory stays.
 */
void wave_reset(WaveHarness *h);

/* What a wave starts with on the device: work-items' ids in v0, and so on. */
void wave_start(WaveHarness *h);

/* The 64 lanes of a VGPR. */
uint32_t *wave_vgpr(WaveHarness *h, unsigned n);

/* SGPRs are h->w->s[operand code]; these keep what hangs on them right. */
void wave_set_exec(WaveHarness *h, uint64_t exec);
void wave_set_mode(WaveHarness *h, uint32_t mode);
uint64_t wave_sgpr64(const WaveHarness *h, unsigned code);
void wave_set_sgpr64(WaveHarness *h, unsigned code, uint64_t x);

/*
 * Run a snippet until it ends (it needs no s_endpgm) or faults.  Returns
 * TESSERA_FAULT_NONE or the fault's cause, with the rest in h->worker->fault.
 * A snippet that never ends fails the test.
 */
TesseraFaultCause wave_run(WaveHarness *h, const WaveCode *code);

/* ---- memory ---- */

/*
 * Map @size bytes (whole pages) of zeroed memory at @va; the address after
 * the end is not mapped.  Returns the host address.
 */
uint8_t *wave_map(WaveHarness *h, uint64_t va, uint64_t size, bool writable);

/* Host address of what is mapped at @va, or NULL. */
uint8_t *wave_host(WaveHarness *h, uint64_t va);

/* The group's LDS, 64 KiB of it. */
uint8_t *wave_lds(WaveHarness *h);

/* ---- levels ---- */

/*
 * Add a test for each level that this host can run, named /v2@path and so on.
 */
void wave_test_levels(const char *path, void (*test)(WaveHarness *h));

/* The same, with @data for the test. */
void wave_test_levels_data(const char *path,
                           void (*test)(WaveHarness *h, const void *data),
                           const void *data);

/* The same for a target, whose name and lanes follow the path. */
void wave_test_target(const char *path, const char *name, unsigned lanes,
                      void (*test)(WaveHarness *h, const void *data),
                      const void *data);

#endif
