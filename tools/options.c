/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Option tables and the readers of their values. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "hw/gpu/gpu.h"
#include "tools/files.h"
#include "tools/options.h"

#define OPTIONS_SECONDS_MAX 1e6

static const ToolOption *options_find(const ToolOption *options,
                                      const char *word, size_t length)
{
    for (; options->name; options++) {
        if (strlen(options->name) == length &&
            memcmp(options->name, word, length) == 0) {
            return options;
        }
    }
    return NULL;
}

static char *options_list(const ToolOption *options)
{
    GString *text = g_string_new("--help");

    for (; options->name; options++) {
        g_string_append_printf(text, " %s", options->name);
    }
    return g_string_free(text, FALSE);
}

static bool options_take(const ToolOption *option, const char *value,
                         GError **error)
{
    if (!option->accepts) {
        *(bool *)option->dst = true;
        return true;
    }
    if (!value) {
        g_set_error(error, TOOL_FILE_ERROR, 0, "%s needs a value: %s",
                    option->name, option->accepts);
        return false;
    }
    if (!option->read(value, option->dst)) {
        g_set_error(error, TOOL_FILE_ERROR, 0, "%s %s: the value must be %s",
                    option->name, value, option->accepts);
        return false;
    }
    return true;
}

/* Take the option at argv[*i], and its value behind it or behind a '='. */
static bool options_take_at(int argc, char **argv, int *i,
                            const ToolOption *options, GError **error)
{
    const char *word = argv[*i];
    const char *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    const ToolOption *option = options_find(options, word, length);

    if (!option) {
        g_autofree char *list = options_list(options);

        g_set_error(error, TOOL_FILE_ERROR, 0, "unknown option %s "
                    "(there are: %s)", word, list);
        return false;
    }
    if (!option->accepts && equals) {
        g_set_error(error, TOOL_FILE_ERROR, 0, "%s takes no value",
                    option->name);
        return false;
    }
    if (!option->accepts || equals) {
        return options_take(option, equals ? equals + 1 : NULL, error);
    }
    *i += *i + 1 < argc ? 1 : 0;
    return options_take(option, argv[*i] == word ? NULL : argv[*i], error);
}

bool tool_parse_options(int argc, char **argv, const ToolOption *options,
                        GPtrArray *rest, GError **error)
{
    bool ended = false;

    for (int i = 1; i < argc; i++) {
        if (!ended && g_str_equal(argv[i], "--")) {
            ended = true;
        } else if (ended || argv[i][0] != '-' || argv[i][1] == '\0') {
            g_ptr_array_add(rest, argv[i]);
        } else if (!options_take_at(argc, argv, &i, options, error)) {
            return false;
        }
    }
    return true;
}

/* ---- values ---- */

static bool options_ended(const char *text, const char *end)
{
    return errno == 0 && end != text && *end == '\0';
}

/* Decimal or 0x...: a leading 0 does not make it octal. */
static int options_base(const char *text)
{
    text += *text == '-';
    return text[0] == '0' && (text[1] | 0x20) == 'x' ? 16 : 10;
}

bool tool_read_u64(const char *text, uint64_t *value)
{
    char *end;

    if (!g_ascii_isdigit(*text)) {
        return false; /* strtoull would take a sign, and blanks */
    }
    errno = 0;
    *value = strtoull(text, &end, options_base(text));
    return options_ended(text, end);
}

bool tool_read_i64(const char *text, int64_t *value)
{
    char *end;

    if (!g_ascii_isdigit(*text) && *text != '-') {
        return false;
    }
    errno = 0;
    *value = strtoll(text, &end, options_base(text));
    return options_ended(text, end);
}

bool tool_read_size(const char *text, uint64_t *value)
{
    static const char suffixes[] = "KMG";
    g_autofree char *number = g_strdup(text);
    size_t length = strlen(number);
    const char *suffix;
    unsigned shift;

    suffix = length > 1 ? strchr(suffixes, number[length - 1]) : NULL;
    shift = suffix ? 10 * (suffix - suffixes + 1) : 0;
    if (suffix) {
        number[length - 1] = '\0';
    }
    if (!tool_read_u64(number, value) || *value > UINT64_MAX >> shift) {
        return false;
    }
    *value <<= shift;
    return true;
}

bool tool_option_shape(const char *text, void *dst)
{
    g_auto(GStrv) parts = g_strsplit(text, ",", 0);
    ToolShape shape = { .size = { 1, 1, 1 } };

    for (unsigned i = 0; parts[i]; i++) {
        uint64_t value;

        if (i == 3 || !tool_read_u64(parts[i], &value) || value == 0 ||
            value > UINT32_MAX) {
            return false;
        }
        shape.size[i] = value;
        shape.dims = i + 1;
    }
    *(ToolShape *)dst = shape;
    return shape.dims > 0;
}

bool tool_option_workers(const char *text, void *dst)
{
    uint64_t value;

    if (!tool_read_u64(text, &value) || value == 0 ||
        value > TESSERA_WORKERS_MAX) {
        return false;
    }
    *(unsigned *)dst = value;
    return true;
}

bool tool_option_jit(const char *text, void *dst)
{
    static const char *const names[] = {
        [TESSERA_JIT_OFF] = "off", [TESSERA_JIT_ON] = "on",
        [TESSERA_JIT_NOW] = "now",
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        if (g_str_equal(text, names[i])) {
            *(TesseraJit *)dst = i;
            return true;
        }
    }
    return false;
}

bool tool_option_seconds(const char *text, void *dst)
{
    char *end;
    double value;

    errno = 0;
    value = g_ascii_strtod(text, &end);
    if (!options_ended(text, end) || !(value > 0) ||
        value > OPTIONS_SECONDS_MAX) {
        return false;
    }
    *(double *)dst = value;
    return true;
}

bool tool_option_text(const char *text, void *dst)
{
    *(const char **)dst = text;
    return true;
}
