/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the assembler and the disassembler share: the syntax of formats.inc. */
#ifndef LINX_SYNTAX_H
#define LINX_SYNTAX_H

#include <glib.h>
#include "target/linx/inst.h"

/* A piece of a format's syntax. */
typedef struct LinxItem {
    char kind;        /* 0: text alone; '=': a field alone; else its mark */
    const char *text; /* of @length bytes */
    unsigned length;
    LinxField field;
} LinxItem;

/* Take the first item off @syntax; returns what follows, NULL at its end. */
const char *linx_next_item(const char *syntax, LinxItem *item);

/* The field called @name, of @length bytes; LINX_FIELDS if there is none. */
LinxField linx_find_field(const char *name, size_t length);

/*
 * The name of @value of a field of a kind that is written as a name, but of
 * 10-bit operands.  @text has room for LINX_NAME_MAX.
 */
enum { LINX_NAME_MAX = 16 };
void linx_value_name(const LinxRow *row, LinxField field, int64_t value,
                     char *text);

/* Bytes of a tile of size code @code (linx-blocks section 4.1), as text. */
void linx_size_name(unsigned code, char *text);

#endif
