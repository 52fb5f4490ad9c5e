/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text to instructions. */
#include <errno.h>
#include <string.h>
#include "target/linx/decode.h"
#include "target/linx/syntax.h"

G_DEFINE_QUARK(linx-asm-error-quark, linx_asm_error)

typedef struct Parser {
    const char *at;           /* what is left of the text */
    LinxInst *inst;
    const LinxRow *row;
    const LinxFormat *format;
    LinxLabelFn *label;
    void *opaque;
    const char *error_at;     /* the furthest error, and what was wrong */
    char error[96];
} Parser;

static bool G_GNUC_PRINTF(2, 3) fail(Parser *p, const char *format, ...)
{
    va_list args;

    if (p->at >= p->error_at) {
        p->error_at = p->at;
        va_start(args, format);
        g_vsnprintf(p->error, sizeof(p->error), format, args);
        va_end(args);
    }
    return false;
}

static bool is_word(char c)
{
    return g_ascii_isalnum(c) || c == '_' || c == '#';
}

static void skip_blanks(Parser *p)
{
    p->at += strspn(p->at, " \t");
}

/* Step over @text, in which a space is any number of blanks. */
static bool take_text(Parser *p, const char *text, unsigned length)
{
    const char *start = p->at;

    for (unsigned i = 0; i < length; i++) {
        if (text[i] == ' ') {
            skip_blanks(p);
            continue;
        }
        if (text[i] != '.' && !is_word(text[i])) {
            skip_blanks(p);
        }
        if (g_ascii_tolower(*p->at) != g_ascii_tolower(text[i])) {
            p->at = start;
            return fail(p, "expected \"%.*s\"", (int)length, text);
        }
        p->at++;
    }
    if (length && is_word(text[length - 1]) && is_word(*p->at)) {
        p->at = start;
        return fail(p, "expected \"%.*s\"", (int)length, text);
    }
    return true;
}

static bool take_number(Parser *p, int64_t *value)
{
    char *end;

    skip_blanks(p);
    errno = 0;
    *value = g_ascii_strtoll(p->at, &end, 0);
    if (end == p->at || errno || is_word(*end)) {
        return fail(p, "expected a number");
    }
    p->at = end;
    return true;
}

/* Set @field; false if @value does not fit. */
static bool set_field(Parser *p, LinxField field, int64_t value)
{
    unsigned bits = linx_field_bits(p->format, field);
    bool is_signed = linx_field_kinds[field] == LINX_SINT;
    int64_t limit = (int64_t)1 << (is_signed ? bits - 1 : bits);
    int64_t least = is_signed ? -limit : 0;

    if (value < least || value >= limit) {
        return fail(p, "%s is %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                    linx_field_names[field], least, limit - 1);
    }
    p->inst->field[field] = value;
    return true;
}

/* Set @field to @value / @unit. */
static bool set_scaled(Parser *p, LinxField field, int64_t value,
                       int64_t unit)
{
    if (value % unit) {
        return fail(p, "expected a multiple of %d", (int)unit);
    }
    return set_field(p, field, value / unit);
}

/* ---- names ---- */

/* The length of @name if the text begins with it, else 0. */
static size_t match_name(const Parser *p, const char *name)
{
    size_t length = name ? strlen(name) : 0;

    return length && !g_ascii_strncasecmp(p->at, name, length) &&
           !is_word(p->at[length]) ? length : 0;
}

static bool take_type(Parser *p, LinxField field, unsigned number)
{
    bool is_dest = linx_field_kinds[field] == LINX_DEST;
    bool is_float = p->row->flags & LINX_FLOAT;

    for (unsigned type = 0; *p->at == '.' && type < (is_dest ? 4 : 8);
         type++) {
        const char *name = is_dest ? linx_width_names[type] :
                           linx_type_name(type, is_float);
        Parser behind = { .at = p->at + 1 };
        size_t length = match_name(&behind, name);

        if (length) {
            p->at += 1 + length;
            p->inst->field[field] = type << 7 | number;
            return true;
        }
    }
    return fail(p, "expected a type: %s", is_dest ? ".d .w .h .b" :
                is_float ? ".fd .fs .fh .fb .bf .flb" :
                ".ud .uw .uh .ub .sd .sw .sh .sb");
}

static bool take_typed(Parser *p, LinxField field)
{
    bool is_dest = linx_field_kinds[field] == LINX_DEST;
    unsigned number = 0;
    size_t best = 0;

    skip_blanks(p);
    for (unsigned i = 0; i < 128; i++) {
        size_t length = match_name(p, is_dest ? linx_dest_name(i) :
                                   linx_source_name(i));

        if (length > best) {
            best = length;
            number = i;
        }
    }
    if (!best && !is_dest && (best = match_name(p, "ts"))) {
        number = LINX_TO + 1;
    }
    if (!best) {
        return fail(p, "expected a register");
    }
    p->at += best;
    return take_type(p, field, number);
}

/* r0 to r31, where other names are usual. */
static bool take_plain_gpr(Parser *p, LinxField field)
{
    const char *start = p->at;
    int64_t value;

    if (linx_field_kinds[field] != LINX_GPR &&
        linx_field_kinds[field] != LINX_SOURCE &&
        linx_field_kinds[field] != LINX_DEST) {
        return false;
    }
    if (g_ascii_tolower(*p->at) == 'r' && g_ascii_isdigit(p->at[1])) {
        p->at++;
        if (take_number(p, &value) && value < 32) {
            p->inst->field[field] = value;
            return true;
        }
        p->at = start;
    }
    return false;
}

static bool take_name(Parser *p, LinxField field)
{
    unsigned bits = linx_field_bits(p->format, field);
    size_t best = 0;

    skip_blanks(p);
    for (unsigned value = 0; value < 1u << bits; value++) {
        char name[LINX_NAME_MAX];
        size_t length;

        linx_value_name(p->row, field, value, name);
        length = match_name(p, name);
        if (length > best) {
            best = length;
            p->inst->field[field] = value;
        }
    }
    if (!best) {
        return take_plain_gpr(p, field) ||
               fail(p, "expected a name for %s", linx_field_names[field]);
    }
    p->at += best;
    return true;
}

static bool take_value(Parser *p, LinxField field)
{
    int64_t value;

    switch (linx_field_kinds[field]) {
    case LINX_UINT:
    case LINX_SINT:
        return take_number(p, &value) && set_field(p, field, value);
    case LINX_SOURCE:
    case LINX_DEST:
        if (linx_field_bits(p->format, field) == 10) {
            return take_typed(p, field);
        }
        return take_name(p, field);
    default:
        return take_name(p, field);
    }
}

/* ---- items ---- */

static bool take_optional(Parser *p, const LinxItem *item)
{
    const char *start = p->at;

    if (take_text(p, item->text, item->length) &&
        take_value(p, item->field)) {
        return true;
    }
    p->at = start;
    p->inst->field[item->field] = 0;
    return true;
}

static bool take_scaled(Parser *p, LinxField field)
{
    int64_t value;

    return take_number(p, &value) &&
           set_scaled(p, field, value, (int64_t)1 << p->row->size);
}

static bool take_plus_one(Parser *p, LinxField field)
{
    int64_t value;

    return take_number(p, &value) && set_field(p, field, value - 1);
}

static bool take_shift(Parser *p, LinxField field)
{
    const char *start = p->at;
    int64_t value = 0;

    if (take_text(p, "<<", 2)) {
        if (!take_number(p, &value)) {
            return false;
        }
    } else {
        p->at = start;
    }
    if (value < p->row->size) {
        return fail(p, "expected a shift by %u or more", p->row->size);
    }
    return set_field(p, field, value - p->row->size);
}

/* ".+8", ".-24", "." or a label. */
static bool take_distance(Parser *p, LinxField field, int64_t unit)
{
    int64_t distance = 0;

    skip_blanks(p);
    if (*p->at == '.' && !g_ascii_isalpha(p->at[1]) && p->at[1] != '_') {
        p->at++;
        if ((*p->at == '+' || *p->at == '-') && !take_number(p, &distance)) {
            return false;
        }
    } else {
        size_t length = strspn(p->at, "abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$");
        g_autofree char *name = g_strndup(p->at, length);

        if (!length || !p->label) {
            return fail(p, "expected a distance: .+8, .-24");
        }
        if (!p->label(p->opaque, name, &distance)) {
            return fail(p, "there is no label %s", name);
        }
        p->at += length;
    }
    return set_scaled(p, field, distance, unit);
}

static bool take_output(Parser *p)
{
    const char *start = p->at;

    if (!take_text(p, ", ->", 4)) {
        p->at = start;
        p->inst->field[LINX_F_DstTile] = 7;
        return true;
    }
    if (!take_name(p, LINX_F_DstTile) || !take_text(p, "<", 1)) {
        return false;
    }
    for (unsigned code = 0; code < 16; code++) {
        char name[LINX_NAME_MAX];
        size_t length;

        linx_size_name(code, name);
        length = match_name(p, name);
        if (length) {
            p->at += length;
            p->inst->field[LINX_F_size] = code;
            return take_text(p, ">", 1);
        }
    }
    return fail(p, "expected a size: 0B, 32B to 512B, 1KB to 512KB");
}

static bool take_item(Parser *p, const LinxItem *item)
{
    switch (item->kind) {
    case 0:
        return take_text(p, item->text, item->length);
    case '?':
        return take_optional(p, item);
    case '!':
        p->inst->field[item->field] = take_text(p, item->text, item->length);
        return true;
    case '*':
        return take_scaled(p, item->field);
    case '^':
        return take_shift(p, item->field);
    case '+':
        return take_plus_one(p, item->field);
    case '@':
        return take_distance(p, item->field, 2);
    case '%':
        return take_distance(p, item->field, 1);
    case '>':
        return take_output(p);
    default:
        return take_value(p, item->field);
    }
}

/* "{S0R=1, size=3}" */
static bool take_others(Parser *p)
{
    skip_blanks(p);
    if (*p->at != '{') {
        return true;
    }
    do {
        LinxField field;
        size_t length;
        int64_t value;

        p->at++;
        skip_blanks(p);
        length = strspn(p->at, "abcdefghijklmnopqrstuvwxyz_"
                        "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
        field = linx_find_field(p->at, length);
        if (field == LINX_FIELDS || !linx_field_bits(p->format, field)) {
            return fail(p, "expected a field of this instruction");
        }
        p->at += length;
        if (!take_text(p, "=", 1) || !take_number(p, &value) ||
            !set_field(p, field, value)) {
            return false;
        }
        skip_blanks(p);
    } while (*p->at == ',');
    return take_text(p, "}", 1);
}

static bool take_operands(Parser *p)
{
    const char *syntax = p->format->syntax;
    LinxItem item;

    while ((syntax = linx_next_item(syntax, &item))) {
        if (!take_item(p, &item)) {
            return false;
        }
    }
    if (!take_others(p)) {
        return false;
    }
    skip_blanks(p);
    return *p->at == '\0' || fail(p, "not understood");
}

/* Does it decode to what it is meant to be? */
static bool is_encodable(Parser *p, bool scalar)
{
    uint8_t bytes[LINX_MAX_BYTES];
    unsigned size = linx_encode(p->inst, bytes);
    LinxInst back;

    if (!linx_decode(bytes, size, &back) || back.op != p->inst->op) {
        return fail(p, "a register, type or modifier is not allowed here");
    }
    p->inst->size = size;
    if (scalar && linx_is_vector(p->inst)) {
        return fail(p, "runs once a lane: it is called v., not l.");
    }
    return true;
}

/*
 * Bytes of @name, lower case, if it is that of @row with or without suffixes,
 * else 0.
 */
static size_t match_mnemonic(const char *name, size_t length,
                             const LinxRow *row)
{
    size_t n = 0;

    while (row->name[n]) {
        if (n == length || name[n] != row->name[n]) {
            return 0;
        }
        n++;
    }
    return n == length || name[n] == '.' ? n : 0;
}

static size_t longest_mnemonic(const char *name, size_t length)
{
    size_t best = 0;

    for (unsigned op = 0; op < LINX_OPS; op++) {
        best = MAX(best, match_mnemonic(name, length, &linx_rows[op]));
    }
    return best;
}

/* Try all rows of that name. */
static bool try_rows(Parser *p, const char *name, size_t length, bool scalar)
{
    size_t best = longest_mnemonic(name, length);

    for (unsigned op = 0; best && op < LINX_OPS; op++) {
        if (match_mnemonic(name, length, &linx_rows[op]) != best) {
            continue;
        }
        memset(p->inst, 0, sizeof(*p->inst));
        p->inst->op = op;
        p->row = &linx_rows[op];
        p->format = &linx_formats[p->row->format];
        p->at = name + best;
        if (take_operands(p) && is_encodable(p, scalar)) {
            return true;
        }
    }
    return false;
}

bool linx_assemble(const char *text, LinxLabelFn *label, void *opaque,
                   LinxInst *out, GError **error)
{
    g_autofree char *copy = g_strdup(text + strspn(text, " \t"));
    size_t length = strcspn(copy, " \t{");
    Parser p = {
        .inst = out, .label = label, .opaque = opaque, .error_at = copy,
        .error = "there is no such instruction",
    };
    bool scalar = false;

    for (size_t i = 0; i < length; i++) {
        copy[i] = g_ascii_tolower(copy[i]);
    }
    if (!longest_mnemonic(copy, length) && !strncmp(copy, "l.", 2)) {
        scalar = true;
        copy[0] = 'v';
    }
    if (try_rows(&p, copy, length, scalar)) {
        return true;
    }
    g_set_error(error, LINX_ASM_ERROR, 0, *p.error_at ? "%s at \"%s\"" :
                "%s at the end", p.error, p.error_at);
    return false;
}
