/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of `tessera run` share. */
#ifndef TOOLS_RUN_H
#define TOOLS_RUN_H

#include "tessera/isa.h"
#include "tools/args.h"
#include "tools/codeobj.h"
#include "tools/driver.h"
#include "tools/options.h"

typedef struct RunBuffer {
    uint64_t address;
    uint8_t *host;
} RunBuffer;

typedef struct Run {
    /* From the command line. */
    ToolShape grid, group;
    unsigned workers;
    const char *host_level;
    DriverPlace place;
    double timeout;
    bool stats, profile, trace, strict;
    TesseraJit jit;
    ToolArg *args;
    unsigned n_args;

    /* Made from it. */
    CodeObject *co;
    const CodeKernel *kernel;
    const TesseraIsa *isa;
    Driver *driver;
    uint64_t base;      /* of the code object's image */
    RunBuffer *buffers; /* of each of args; unused for others */
    uint8_t *kernarg;
    uint32_t dynamic_lds;
} Run;

/*
 * Match run->args with the kernel's arguments: number, kinds, sizes.  False
 * and @error, one sentence naming the argument.
 */
bool run_check_args(const Run *run, GError **error);

/*
 * Check --grid and --group against the kernel and the device; fills in a
 * missing --group where the kernel requires one.
 */
bool run_check_shape(Run *run, GError **error);

/* Bytes of VRAM that code and buffers will take. */
uint64_t run_vram_bytes(const Run *run);

/* Allocate and fill the buffers, make run->kernarg. */
bool run_place_args(Run *run, GError **error);

/* Write the output files, all or none. */
bool run_write_outputs(const Run *run, GError **error);

/* Report what hazards=strict found on stderr; false if it found nothing. */
bool run_report_hazards(const Run *run);

/* Report a fault or time-out on stderr. */
void run_report(const Run *run, const DriverOutcome *outcome);

#endif
