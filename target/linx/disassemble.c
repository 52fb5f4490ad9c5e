/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions to text. */
#include <string.h>
#include "target/linx/decode.h"
#include "target/linx/syntax.h"

typedef struct Printer {
    const LinxInst *inst;
    const LinxRow *row;
    const LinxFormat *format;
    GString *text;
    bool shown[LINX_FIELDS];
} Printer;

static void print_typed(const Printer *p, LinxField field, int64_t value)
{
    bool is_dest = linx_field_kinds[field] == LINX_DEST;
    const char *name = is_dest ? linx_dest_name(linx_number(value)) :
                       linx_source_name(linx_number(value));
    const char *type = is_dest ? linx_width_names[linx_type(value) & 3] :
                       linx_type_name(linx_type(value),
                                      p->row->flags & LINX_FLOAT);

    g_string_append_printf(p->text, "%s.%s", name ? name : "?",
                           type ? type : "?");
}

static void print_value(const Printer *p, LinxField field, int64_t value)
{
    char name[LINX_NAME_MAX];

    switch (linx_field_kinds[field]) {
    case LINX_UINT:
    case LINX_SINT:
        g_string_append_printf(p->text, "%" G_GINT64_FORMAT, value);
        return;
    case LINX_SOURCE:
    case LINX_DEST:
        if (linx_field_bits(p->format, field) == 10) {
            print_typed(p, field, value);
            return;
        }
        break;
    default:
        break;
    }
    linx_value_name(p->row, field, value, name);
    g_string_append(p->text, name);
}

/* A member of a list is also shown if one behind it is. */
static bool is_shown(const Printer *p, const LinxItem *item, const char *rest)
{
    LinxItem next;

    if (p->inst->field[item->field]) {
        return true;
    }
    rest = linx_next_item(rest, &next);
    return rest && next.kind == '?' && next.text[0] == ',' &&
           is_shown(p, &next, rest);
}

static void print_output(Printer *p, int64_t queue)
{
    char size[LINX_NAME_MAX];

    if (queue != 7) {
        g_string_append(p->text, ", ->");
        print_value(p, LINX_F_DstTile, queue);
        linx_size_name(p->inst->field[LINX_F_size], size);
        g_string_append_printf(p->text, "<%s>", size);
        p->shown[LINX_F_size] = true;
    }
}

/* @rest is the syntax behind @item. */
static void print_item(Printer *p, const LinxItem *item, const char *rest)
{
    int64_t value = p->inst->field[item->field];
    int64_t scale = (int64_t)1 << p->row->size;

    p->shown[item->field] = true;
    switch (item->kind) {
    case '=':
        print_value(p, item->field, value);
        break;
    case '?':
        if (is_shown(p, item, rest)) {
            g_string_append_len(p->text, item->text, item->length);
            print_value(p, item->field, value);
        }
        break;
    case '!':
        g_string_append_len(p->text, item->text, value ? item->length : 0);
        break;
    case '*':
        print_value(p, item->field, value * scale);
        break;
    case '^':
        if (value + p->row->size) {
            g_string_append(p->text, "<<");
            print_value(p, item->field, value + p->row->size);
        }
        break;
    case '+':
        print_value(p, item->field, value + 1);
        break;
    case '@':
    case '%':
        g_string_append_printf(p->text, ".%+" G_GINT64_FORMAT,
                               item->kind == '@' ? value * 2 : value);
        break;
    case '>':
        print_output(p, value);
        break;
    }
}

/* Fields that are not 0 and that the syntax has no place for. */
static void print_others(Printer *p)
{
    const char *before = " {";

    for (unsigned i = 0; i < LINX_FIELDS; i++) {
        if (!p->shown[i] && p->inst->field[i]) {
            g_string_append_printf(p->text, "%s%s=%" G_GINT64_FORMAT, before,
                                   linx_field_names[i], p->inst->field[i]);
            before = ", ";
        }
    }
    if (*before == ',') {
        g_string_append_c(p->text, '}');
    }
}

/* V.x of one element is called L.x if it runs once a group. */
static void print_name(const Printer *p)
{
    const char *name = p->row->name;
    bool is_scalar = name[0] == 'v' && name[1] == '.' &&
                     p->inst->field[LINX_F_vlen] == 0 &&
                     !linx_is_vector(p->inst);

    g_string_append_c(p->text, is_scalar ? 'l' : name[0]);
    g_string_append(p->text, name + 1);
}

size_t linx_disassemble(const LinxInst *inst, char *text, size_t size)
{
    const LinxRow *row = &linx_rows[inst->op];
    g_autoptr(GString) string = g_string_new("");
    Printer p = {
        .inst = inst,
        .row = row,
        .format = &linx_formats[row->format],
        .text = string,
    };
    const char *syntax = p.format->syntax;
    LinxItem item;

    print_name(&p);
    while ((syntax = linx_next_item(syntax, &item))) {
        if (item.kind) {
            print_item(&p, &item, syntax);
        } else {
            g_string_append_len(string, item.text, item.length);
        }
    }
    print_others(&p);
    if (size) {
        g_strlcpy(text, string->str, size);
    }
    return string->len;
}
