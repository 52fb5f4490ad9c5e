/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading the syntax of formats.inc, and names of field values. */
#include <string.h>
#include "target/linx/syntax.h"

LinxField linx_find_field(const char *name, size_t length)
{
    for (unsigned i = 0; i < LINX_FIELDS; i++) {
        if (strlen(linx_field_names[i]) == length &&
            !strncmp(linx_field_names[i], name, length)) {
            return i;
        }
    }
    return LINX_FIELDS;
}

static const char *next_braces(const char *syntax, LinxItem *item)
{
    const char *end = strchr(syntax, '}');
    const char *name = syntax + 1;

    item->kind = '=';
    if (strchr("?!*^+@%>", *name)) {
        item->kind = *name++;
    }
    item->text = name;
    if (item->kind == '!') {
        name = strchr(name, '=');
        item->length = name++ - item->text;
    } else if (item->kind == '?') {
        while (!g_ascii_isalpha(*name)) {
            name++;
        }
        item->length = name - item->text;
    } else {
        item->length = 0;
    }
    item->field = linx_find_field(name, end - name);
    return end + 1;
}

const char *linx_next_item(const char *syntax, LinxItem *item)
{
    if (*syntax == '\0') {
        return NULL;
    }
    if (*syntax == '{') {
        return next_braces(syntax, item);
    }
    *item = (LinxItem) { .text = syntax, .length = strcspn(syntax, "{") };
    return syntax + item->length;
}

/* linx-blocks section 2.1. */
static void gpr_name(unsigned number, char *text)
{
    static const char *const names[] = {
        "zero", "sp", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "ra",
        "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8",
        "x0", "x1", "x2", "x3",
    };

    if (number < G_N_ELEMENTS(names)) {
        g_strlcpy(text, names[number], LINX_NAME_MAX);
    } else {
        g_snprintf(text, LINX_NAME_MAX, "r%u", number);
    }
}

/* 5-bit operands, linx-blocks section 10. */
static void scalar_source_name(unsigned number, char *text)
{
    if (number < 24) {
        gpr_name(number, text);
    } else {
        g_snprintf(text, LINX_NAME_MAX, "%c#%u", number < 28 ? 't' : 'u',
                   number % 4 + 1);
    }
}

static void scalar_dest_name(unsigned number, char *text)
{
    if (number >= 30) {
        g_strlcpy(text, number == 30 ? "u" : "t", LINX_NAME_MAX);
    } else {
        gpr_name(number, text);
    }
}

static const char *modifier_name(const LinxRow *row, unsigned value)
{
    static const char *const names[] = { "none", "sw", "uw", "neg" };

    return value == 3 && row->flags & LINX_NOT ? "not" : names[value & 3];
}

void linx_value_name(const LinxRow *row, LinxField field, int64_t value,
                     char *text)
{
    static const char *const queues[] = {
        "t", "u", "m", "n", "q4", "s", "q6", "none"
    };
    static const char *const vlens[] = { "x1", "x2", "x4", "x8" };
    static const char *const roundings[] = {
        "frm", "rne", "rtz", "rdn", "rup", "rna", "rto", "hyb",
        "rm8", "rm9", "rm10", "rm11", "rm12", "rm13", "rm14", "rm15"
    };
    static const char *const sizes[] = { "vs8", "vs16", "vs32", "vs64" };

    switch (linx_field_kinds[field]) {
    case LINX_SOURCE:
        scalar_source_name(value, text);
        break;
    case LINX_DEST:
        scalar_dest_name(value, text);
        break;
    case LINX_GPR:
        gpr_name(value, text);
        break;
    case LINX_TILE:
        g_snprintf(text, LINX_NAME_MAX, "%s#%u", queues[value >> 4 & 3],
                   (unsigned)(value & 15) + 1);
        break;
    case LINX_QUEUE:
        g_strlcpy(text, queues[value & 7], LINX_NAME_MAX);
        break;
    case LINX_MODIFIER:
        g_strlcpy(text, modifier_name(row, value), LINX_NAME_MAX);
        break;
    case LINX_VLEN:
        g_strlcpy(text, vlens[value & 3], LINX_NAME_MAX);
        break;
    case LINX_ROUNDING:
        g_strlcpy(text, roundings[value & 15], LINX_NAME_MAX);
        break;
    case LINX_VSIZE:
        g_strlcpy(text, sizes[value & 3], LINX_NAME_MAX);
        break;
    default:
        g_snprintf(text, LINX_NAME_MAX, "lb%u", (unsigned)value);
        break;
    }
}

void linx_size_name(unsigned code, char *text)
{
    unsigned long bytes = code ? 16ul << code : 0;

    g_snprintf(text, LINX_NAME_MAX, bytes >= 1024 ? "%luKB" : "%luB",
               bytes >= 1024 ? bytes / 1024 : bytes);
}
