/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Option tables and the readers of their values. */
#ifndef TOOLS_OPTIONS_H
#define TOOLS_OPTIONS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct ToolOption {
    const char *name;    /* "--grid" */
    const char *accepts; /* what its value may be, in words; NULL: a flag */
    /* Read @text to @dst; false if it is not what `accepts` says. */
    bool (*read)(const char *text, void *dst);
    void *dst;           /* a flag's is a bool */
} ToolOption;

/*
 * Take @options (ended by a NULL name) out of @argv[1...]; "--" ends them.
 * Fills @rest with the other words, which stay @argv's.  False and @error, one
 * sentence naming the option and what it accepts, on bad usage.
 */
bool tool_parse_options(int argc, char **argv, const ToolOption *options,
                        GPtrArray *rest, GError **error);

/* A whole number in C notation, decimal or 0x... */
bool tool_read_u64(const char *text, uint64_t *value);
bool tool_read_i64(const char *text, int64_t *value);

/* A number of bytes, with K, M or G behind it for powers of 1024. */
bool tool_read_size(const char *text, uint64_t *value);

typedef struct ToolShape {
    uint32_t size[3]; /* 1 where not given */
    unsigned dims;    /* 0: not given at all */
} ToolShape;

/* ToolOption readers. */
bool tool_option_shape(const char *text, void *dst);   /* ToolShape */
bool tool_option_workers(const char *text, void *dst); /* unsigned */
bool tool_option_seconds(const char *text, void *dst); /* double */
bool tool_option_jit(const char *text, void *dst);     /* TesseraJit */
bool tool_option_text(const char *text, void *dst);    /* const char * */

#endif
