/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel arguments as the command line gives them. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "tools/args.h"
#include "tools/files.h"
#include "tools/options.h"

typedef struct ToolArgForm ToolArgForm;

struct ToolArgForm {
    const char *prefix; /* "u32:" */
    const char *usage;  /* the whole form */
    bool (*read)(const ToolArgForm *form, ToolArg *arg, const char *text,
                 GError **error);
    unsigned bytes;     /* of a scalar */
};

static bool args_fail(const ToolArgForm *form, const ToolArg *arg,
                      const char *accepts, GError **error)
{
    g_set_error(error, TOOL_FILE_ERROR, 0, "argument %s: %s is %s", arg->text,
                form->usage, accepts);
    return false;
}

/* ---- scalars ---- */

static bool args_read_unsigned(const ToolArgForm *form, ToolArg *arg,
                               const char *text, GError **error)
{
    uint64_t max = UINT64_MAX >> (64 - 8 * form->bytes), value;

    if (!tool_read_u64(text, &value) || value > max) {
        g_autofree char *accepts =
            g_strdup_printf("a whole number from 0 to %" PRIu64, max);

        return args_fail(form, arg, accepts, error);
    }
    memcpy(arg->value, &value, form->bytes);
    return true;
}

static bool args_read_signed(const ToolArgForm *form, ToolArg *arg,
                             const char *text, GError **error)
{
    int64_t max = INT64_MAX >> (64 - 8 * form->bytes), value;

    if (!tool_read_i64(text, &value) || value > max || value < -max - 1) {
        g_autofree char *accepts =
            g_strdup_printf("a whole number from %" PRId64 " to %" PRId64,
                            -max - 1, max);

        return args_fail(form, arg, accepts, error);
    }
    memcpy(arg->value, &value, form->bytes);
    return true;
}

static void args_store_float(ToolArg *arg, unsigned bytes, double value,
                             bool *finite)
{
    _Float16 half = value;
    float single = value;

    switch (bytes) {
    case 2:
        memcpy(arg->value, &half, sizeof(half));
        *finite = isfinite((float)half);
        break;
    case 4:
        memcpy(arg->value, &single, sizeof(single));
        *finite = isfinite(single);
        break;
    default:
        memcpy(arg->value, &value, sizeof(value));
        *finite = isfinite(value);
        break;
    }
}

static bool args_read_float(const ToolArgForm *form, ToolArg *arg,
                            const char *text, GError **error)
{
    char *end;
    bool finite;
    double value;

    errno = 0;
    value = g_ascii_strtod(text, &end);
    if (end == text || *end != '\0' || g_ascii_isspace(*text)) {
        return args_fail(form, arg, "a number, inf or nan", error);
    }
    args_store_float(arg, form->bytes, value, &finite);
    /* strtod gives HUGE_VAL and ERANGE for 1e999, plain infinity for "inf" */
    if (!finite && (isfinite(value) || errno == ERANGE)) {
        return args_fail(form, arg, "a number in the range of its type, inf "
                         "or nan", error);
    }
    return true;
}

/* ---- buffers ---- */

static bool args_read_size_of(const ToolArgForm *form, ToolArg *arg,
                              const char *text, GError **error)
{
    if (!tool_read_size(text, &arg->size) || arg->size == 0 ||
        arg->size > TOOL_BUFFER_MAX) {
        return args_fail(form, arg, "with a SIZE in bytes from 1 to 1024G, "
                         "optionally with K, M or G behind it", error);
    }
    return true;
}

static bool args_read_in(const ToolArgForm *form, ToolArg *arg,
                         const char *text, GError **error)
{
    if (*text == '\0') {
        return args_fail(form, arg, "with the name of a file", error);
    }
    arg->input = g_strdup(text);
    return tool_file_size(arg->input, &arg->size, error);
}

static bool args_read_out(const ToolArgForm *form, ToolArg *arg,
                          const char *text, GError **error)
{
    const char *colon = strrchr(text, ':');

    if (!colon || colon == text) {
        return args_fail(form, arg, "with the name of a file and a SIZE",
                         error);
    }
    arg->output = g_strndup(text, colon - text);
    return args_read_size_of(form, arg, colon + 1, error);
}

static bool args_read_inout(const ToolArgForm *form, ToolArg *arg,
                            const char *text, GError **error)
{
    const char *colon = strchr(text, ':');

    if (!colon || colon == text || colon[1] == '\0') {
        return args_fail(form, arg, "with the names of two files", error);
    }
    arg->input = g_strndup(text, colon - text);
    arg->output = g_strdup(colon + 1);
    return tool_file_size(arg->input, &arg->size, error);
}

/* ---- forms ---- */

static const ToolArgForm args_forms[] = {
    { "in:", "in:FILE", args_read_in },
    { "out:", "out:FILE:SIZE", args_read_out },
    { "inout:", "inout:FILE:OUTFILE", args_read_inout },
    { "zero:", "zero:SIZE", args_read_size_of },
    { "local:", "local:SIZE", args_read_size_of },
    { "u8:", "u8:VALUE", args_read_unsigned, 1 },
    { "u16:", "u16:VALUE", args_read_unsigned, 2 },
    { "u32:", "u32:VALUE", args_read_unsigned, 4 },
    { "u64:", "u64:VALUE", args_read_unsigned, 8 },
    { "i8:", "i8:VALUE", args_read_signed, 1 },
    { "i16:", "i16:VALUE", args_read_signed, 2 },
    { "i32:", "i32:VALUE", args_read_signed, 4 },
    { "i64:", "i64:VALUE", args_read_signed, 8 },
    { "f16:", "f16:VALUE", args_read_float, 2 },
    { "f32:", "f32:VALUE", args_read_float, 4 },
    { "f64:", "f64:VALUE", args_read_float, 8 },
};

bool tool_arg_parse(ToolArg *arg, const char *text, GError **error)
{
    *arg = (ToolArg) { .text = text };
    for (unsigned i = 0; i < G_N_ELEMENTS(args_forms); i++) {
        const ToolArgForm *form = &args_forms[i];

        if (g_str_has_prefix(text, form->prefix)) {
            arg->kind = form->bytes ? TOOL_ARG_SCALAR :
                        g_str_equal(form->prefix, "local:") ? TOOL_ARG_LOCAL :
                        TOOL_ARG_BUFFER;
            arg->value_size = form->bytes;
            return form->read(form, arg, text + strlen(form->prefix), error);
        }
    }
    g_set_error(error, TOOL_FILE_ERROR, 0, "argument %s: not one of in:FILE "
                "out:FILE:SIZE inout:FILE:OUTFILE zero:SIZE local:SIZE or "
                "TYPE:VALUE with u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64",
                text);
    return false;
}

void tool_arg_clear(ToolArg *arg)
{
    g_free(arg->input);
    g_free(arg->output);
}
