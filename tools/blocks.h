/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of `tessera blocks` share. */
#ifndef TOOLS_BLOCKS_H
#define TOOLS_BLOCKS_H

#include "tools/args.h"
#include "tools/driver.h"

#define BLOCKS_COMMAND "blocks"

typedef struct Blocks {
    /* From the command line. */
    const char *path;
    uint64_t entry;     /* bytes from the program's beginning */
    unsigned workers;
    DriverPlace place;
    double timeout;
    bool stats, trace, strict, dump;
    const char *text[TESSERA_BLOCKS_GPRS]; /* of --rN, or NULL */
    ToolArg args[TESSERA_BLOCKS_GPRS];

    /* Made from it. */
    GBytes *program;
    Driver *driver;
    uint64_t base;      /* of the program */
    uint64_t address[TESSERA_BLOCKS_GPRS]; /* of buffers */
    uint8_t *host[TESSERA_BLOCKS_GPRS];
} Blocks;

/* Report a trap or time-out on stderr. */
void blocks_report(const Blocks *blocks, const DriverOutcome *outcome,
                   const TesseraBlockResult *result);

/* Report what hazards=strict found on stderr; false if it found nothing. */
bool blocks_report_hazards(const Blocks *blocks);

#endif
