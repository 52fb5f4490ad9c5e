/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A memory with code and buffers, and blocks that run in it. */
#ifndef LINX_MACHINE_H
#define LINX_MACHINE_H

#include <glib.h>
#include "target/linx/exec.h"

/* GGPRs by their names. */
enum {
    LINX_A0 = 2, LINX_A1, LINX_A2, LINX_A3, LINX_A4, LINX_A5, LINX_A6,
    LINX_A7, LINX_S1 = 12, LINX_S2,
};

typedef struct LinxMachine {
    LinxState state;    /* gpr[] are arguments and results */
    LinxRecord record;
    uint8_t *memory;
    uint64_t used;      /* bytes of memory that code and buffers have */
    GArray *clashes;    /* of LinxClash; NULL: they are not looked for */
    GArray *log;        /* of LinxEvent, in the order of appearance */
    unsigned workers;   /* of an engine; 0: the reference executor */
} LinxMachine;

/* An access to the device, which takes LINX_DEVICE_SIZE bytes. */
typedef struct LinxEvent {
    uint64_t address;
    unsigned size;
    bool is_write;
} LinxEvent;

enum { LINX_DEVICE = 0x40000000, LINX_DEVICE_SIZE = 0x4000 };

LinxMachine *linx_machine_new(void);
void linx_machine_free(LinxMachine *m);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LinxMachine, linx_machine_free)

/* Look for what hazards=strict reports. */
void linx_machine_strict(LinxMachine *m);

/*
 * A buffer of @size bytes, all 0: its address, which is also put into GGPR
 * @gpr, and its bytes.  What lies between two buffers is not to be touched.
 */
void *linx_machine_buffer(LinxMachine *m, unsigned gpr, size_t size);

/* Assemble @source, which is named @name in errors. */
void linx_machine_source(LinxMachine *m, const char *name,
                         const char *source);

/* The same for a program in guest/blocks. */
void linx_machine_program(LinxMachine *m, const char *name);

/*
 * Run what has been assembled, and check that nothing has been touched between
 * buffers.  False if it trapped.  After an engine, state.tiles is empty.
 *
 * A word of the device reads as its address; what is written is logged alone.
 */
bool linx_machine_run(LinxMachine *m);

#endif
