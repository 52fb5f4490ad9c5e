/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel arguments as the command line gives them. */
#ifndef TOOLS_ARGS_H
#define TOOLS_ARGS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum ToolArgKind {
    TOOL_ARG_BUFFER,
    TOOL_ARG_SCALAR,
    TOOL_ARG_LOCAL,
} ToolArgKind;

typedef struct ToolArg {
    const char *text; /* as given */
    ToolArgKind kind;

    /* A buffer; `size` is also that of local memory. */
    char *input;   /* file that fills it, or NULL: zeros */
    char *output;  /* file that it is written to at the end, or NULL */
    uint64_t size; /* bytes */

    /* A scalar, low byte first. */
    uint8_t value[8];
    unsigned value_size;
} ToolArg;

/* The largest buffer. */
#define TOOL_BUFFER_MAX (1ull << 40)

/*
 * Read one ARG ("in:FILE", "u32:7", ...); a file that fills a buffer must be
 * there, as its size is taken.  False and @error, one sentence naming the
 * argument and what is accepted.
 */
bool tool_arg_parse(ToolArg *arg, const char *text, GError **error);

void tool_arg_clear(ToolArg *arg);

#endif
