/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Assembler of LinxISA: lines, labels and directives.  Instructions are read
 * by target/linx from the table that the decoder has.
 */
#include <errno.h>
#include <string.h>
#include "target/linx/decode.h"
#include "tools/linx-asm.h"

typedef struct Source {
    GHashTable *labels; /* name: address, as a GSIZE pointer */
    GByteArray *code;
    bool second;        /* pass: now all labels are known */
} Source;

/* In the first pass, a label that is not known is here. */
static bool label_distance(void *opaque, const char *label, int64_t *distance)
{
    const Source *s = opaque;
    gpointer address;

    *distance = 0;
    if (!g_hash_table_lookup_extended(s->labels, label, NULL, &address)) {
        return !s->second;
    }
    if (s->second) {
        *distance = (int64_t)GPOINTER_TO_SIZE(address) - s->code->len;
    }
    return true;
}

static void G_GNUC_PRINTF(2, 3) complain(GError **error, const char *format,
                                         ...)
{
    va_list args;

    va_start(args, format);
    *error = g_error_new_valist(LINX_ASM_ERROR, 0, format, args);
    va_end(args);
}

/* Cut off a comment and the blanks around the rest. */
static char *bare_line(char *line)
{
    char *comment = strstr(line, "//");

    if (comment) {
        *comment = '\0';
    }
    line[strcspn(line, ";")] = '\0';
    return g_strstrip(line);
}

static bool is_label(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (!g_ascii_isalpha(text[i]) && text[i] != '_' &&
            (i == 0 || (!g_ascii_isdigit(text[i]) && text[i] != '.'))) {
            return false;
        }
    }
    return length > 0;
}

/* Take labels off the front of @line. */
static char *take_labels(Source *s, char *line, GError **error)
{
    char *colon;

    while ((colon = strchr(line, ':'))) {
        char *name = g_strndup(line, colon - line);

        if (!is_label(line, colon - line)) {
            complain(error, "\"%s\" is no label", name);
        } else if (!s->second && g_hash_table_contains(s->labels, name)) {
            complain(error, "there are two labels %s", name);
        }
        if (*error) {
            g_free(name);
            return NULL;
        }
        g_hash_table_insert(s->labels, name, GSIZE_TO_POINTER(s->code->len));
        line = g_strchug(colon + 1);
    }
    return line;
}

static void put_number(Source *s, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++) {
        uint8_t byte = value >> (8 * i);

        g_byte_array_append(s->code, &byte, 1);
    }
}

static void put_numbers(Source *s, const char *list, unsigned size,
                        GError **error)
{
    g_auto(GStrv) items = g_strsplit(*list ? list : ",", ",", -1);

    for (unsigned i = 0; items[i]; i++) {
        const char *item = g_strstrip(items[i]);
        bool negative = *item == '-';
        uint64_t value;
        char *end;

        errno = 0;
        value = g_ascii_strtoull(item + negative, &end, 0);
        if (end == item + negative || *end || errno ||
            (size < 8 && value >> (8 * size))) {
            complain(error, "\"%s\" is no number of %u bytes", item, size);
            return;
        }
        put_number(s, negative ? -value : value, size);
    }
}

static void align(Source *s, const char *text, GError **error)
{
    char *end;
    uint64_t to = g_ascii_strtoull(text, &end, 0);

    if (end == text || *end || to == 0 || to > 4096 || (to & (to - 1))) {
        complain(error, ".align takes a power of 2 from 1 to 4096");
        return;
    }
    while (s->code->len % to) {
        put_number(s, 0, 1);
    }
}

static void directive(Source *s, const char *line, GError **error)
{
    static const struct {
        const char *name;
        unsigned size;
    } sizes[] = {
        { ".byte", 1 }, { ".half", 2 }, { ".word", 4 }, { ".dword", 8 },
    };
    size_t length = strcspn(line, " \t");
    const char *rest = line + length + strspn(line + length, " \t");

    for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i++) {
        if (strlen(sizes[i].name) == length &&
            !strncmp(line, sizes[i].name, length)) {
            put_numbers(s, rest, sizes[i].size, error);
            return;
        }
    }
    if (length == strlen(".align") && !strncmp(line, ".align", length)) {
        align(s, rest, error);
        return;
    }
    complain(error, "there is no directive %.*s", (int)length, line);
}

static void assemble_line(Source *s, char *line, GError **error)
{
    uint8_t bytes[LINX_MAX_BYTES];
    LinxInst inst;

    line = take_labels(s, bare_line(line), error);
    if (!line || !*line) {
        return;
    }
    if (*line == '.') {
        directive(s, line, error);
    } else if (linx_assemble(line, label_distance, s, &inst, error)) {
        g_byte_array_append(s->code, bytes, linx_encode(&inst, bytes));
    }
}

static bool pass(Source *s, const char *name, const char *source,
                 GError **error)
{
    g_auto(GStrv) lines = g_strsplit(source, "\n", -1);

    g_byte_array_set_size(s->code, 0);
    for (unsigned i = 0; lines[i]; i++) {
        GError *why = NULL;

        assemble_line(s, lines[i], &why);
        if (!why && s->code->len > LINX_ASM_MAX) {
            complain(&why, "more than %u bytes of code", LINX_ASM_MAX);
        }
        if (why) {
            g_propagate_prefixed_error(error, why, "%s:%u: ", name, i + 1);
            return false;
        }
    }
    return true;
}

GByteArray *linx_asm_source(const char *name, const char *source,
                            GError **error)
{
    g_autoptr(GHashTable) labels = g_hash_table_new_full(g_str_hash,
                                                         g_str_equal,
                                                         g_free, NULL);
    g_autoptr(GByteArray) code = g_byte_array_new();
    Source s = { .labels = labels, .code = code };

    if (!pass(&s, name, source, error)) {
        return NULL;
    }
    s.second = true;
    return pass(&s, name, source, error) ? g_steal_pointer(&code) : NULL;
}
