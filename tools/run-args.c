/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `tessera run`: launch shape, arguments and buffers. */
#include <inttypes.h>
#include <string.h>
#include "tools/files.h"
#include "tools/run.h"

static bool run_fail(GError **error, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

static bool run_fail(GError **error, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    if (error) {
        *error = g_error_new_valist(TOOL_FILE_ERROR, 0, format, ap);
    }
    va_end(ap);
    return false;
}

/* ---- shape ---- */

static uint64_t run_group_items(const Run *run)
{
    uint64_t items = 1;

    for (unsigned i = 0; i < 3; i++) {
        items *= MIN(run->group.size[i], DRIVER_GROUP_MAX + 1);
    }
    return items;
}

static bool run_check_group(const Run *run, GError **error)
{
    const CodeKernel *kernel = run->kernel;
    const uint32_t *reqd = kernel->reqd_group;
    const uint32_t *group = run->group.size;
    uint32_t max = DRIVER_GROUP_MAX;

    if (reqd[0] && memcmp(reqd, group, sizeof(kernel->reqd_group)) != 0) {
        return run_fail(error, "--group %u,%u,%u: kernel %s was compiled for "
                        "%u,%u,%u", group[0], group[1], group[2],
                        kernel->name, reqd[0], reqd[1], reqd[2]);
    }
    if (kernel->max_group) {
        max = MIN(max, kernel->max_group);
    }
    if (run_group_items(run) > max) {
        return run_fail(error, "--group %u,%u,%u: kernel %s can have at most "
                        "%u work-items in a work-group", group[0], group[1],
                        group[2], kernel->name, max);
    }
    return true;
}

bool run_check_shape(Run *run, GError **error)
{
    const CodeKernel *kernel = run->kernel;
    uint64_t items = 1;

    if (run->grid.dims == 0) {
        return run_fail(error, "--grid is missing: give the number of "
                        "work-items, e.g. --grid 1024");
    }
    if (run->group.dims == 0 && kernel->reqd_group[0]) {
        memcpy(run->group.size, kernel->reqd_group,
               sizeof(kernel->reqd_group));
    } else if (run->group.dims == 0) {
        return run_fail(error, "--group is missing: give the work-items of a "
                        "work-group, e.g. --group 64");
    } else if (run->group.dims > run->grid.dims) {
        return run_fail(error, "--group has %u dimensions, --grid has %u",
                        run->group.dims, run->grid.dims);
    }
    if (!run_check_group(run, error)) {
        return false;
    }
    for (unsigned i = 0; i < 3; i++) {
        if (__builtin_mul_overflow(items, run->grid.size[i], &items)) {
            return run_fail(error, "--grid: the work-items of all dimensions "
                            "must be fewer than 2^64");
        }
    }
    for (unsigned i = 0; kernel->uniform_groups && i < 3; i++) {
        if (run->grid.size[i] % run->group.size[i] != 0) {
            return run_fail(error, "--grid: %u is not a multiple of the "
                            "work-group's %u, which kernel %s needs",
                            run->grid.size[i], run->group.size[i],
                            kernel->name);
        }
    }
    return true;
}

/* ---- arguments against metadata ---- */

static char *run_describe_args(const CodeKernel *kernel)
{
    GString *text = g_string_new("");

    for (unsigned i = 0; i < kernel->n_args; i++) {
        const CodeArg *arg = &kernel->args[i];

        if (!code_value_is_hidden(arg->kind) && text->len < 1000) {
            g_string_append_printf(text, "%s%s %s%s%u bytes",
                                   text->len ? "; " : "",
                                   code_value_kind_name(arg->kind), arg->name,
                                   *arg->name ? " " : "", arg->size);
        }
    }
    return g_string_free(text, FALSE);
}

/* The next argument that the author wrote, from @*at on; NULL: no more. */
static const CodeArg *run_next_arg(const CodeKernel *kernel, unsigned *at)
{
    while (*at < kernel->n_args) {
        const CodeArg *arg = &kernel->args[(*at)++];

        if (!code_value_is_hidden(arg->kind)) {
            return arg;
        }
    }
    return NULL;
}

static bool run_check_value(const Run *run, const ToolArg *given,
                            const CodeArg *wanted, unsigned number,
                            GError **error)
{
    uint64_t size = given->kind == TOOL_ARG_SCALAR ? given->value_size :
                    given->input && !given->output ? given->size : 0;

    if (size == 0) {
        return run_fail(error, "argument %s: argument %u of kernel %s is a "
                        "value of %u bytes; give TYPE:VALUE, or in:FILE with "
                        "its bytes", given->text, number, run->kernel->name,
                        wanted->size);
    }
    if (size != wanted->size) {
        return run_fail(error, "argument %s: has %" PRIu64 " bytes, argument "
                        "%u of kernel %s has %u", given->text, size, number,
                        run->kernel->name, wanted->size);
    }
    return true;
}

static bool run_check_arg(const Run *run, const ToolArg *given,
                          const CodeArg *wanted, unsigned number,
                          GError **error)
{
    const char *kernel = run->kernel->name;

    switch (wanted->kind) {
    case CODE_BY_VALUE:
        return run_check_value(run, given, wanted, number, error);
    case CODE_GLOBAL_BUFFER:
        if (wanted->size == 8 &&
            (given->kind == TOOL_ARG_BUFFER || given->value_size == 8)) {
            return true;
        }
        return run_fail(error, "argument %s: argument %u of kernel %s is a "
                        "buffer; give in: out: inout: zero: or u64:",
                        given->text, number, kernel);
    case CODE_DYNAMIC_SHARED_POINTER:
        if (wanted->size == 4 && given->kind == TOOL_ARG_LOCAL) {
            return true;
        }
        return run_fail(error, "argument %s: argument %u of kernel %s is "
                        "local memory; give local:SIZE", given->text, number,
                        kernel);
    default:
        return run_fail(error, "argument %s: argument %u of kernel %s is a "
                        "%s, which is not supported", given->text, number,
                        kernel, code_value_kind_name(wanted->kind));
    }
}

/*
 * HIP's extern __shared__ is dynamic LDS without an argument: one local: more
 * than the kernel has arguments stands for it.
 */
static bool run_is_extra_local(const Run *run, unsigned index)
{
    return index + 1 == run->n_args && run->args[index].kind == TOOL_ARG_LOCAL;
}

bool run_check_args(const Run *run, GError **error)
{
    const CodeKernel *kernel = run->kernel;
    unsigned at = 0, given = 0, expected;
    const CodeArg *wanted;

    while ((wanted = run_next_arg(kernel, &at)) && given < run->n_args) {
        if (!run_check_arg(run, &run->args[given], wanted, given + 1,
                           error)) {
            return false;
        }
        given++;
    }
    for (expected = given; wanted; expected++) {
        wanted = run_next_arg(kernel, &at);
    }
    if (expected != run->n_args &&
        !(expected + 1 == run->n_args && run_is_extra_local(run, expected))) {
        g_autofree char *list = run_describe_args(kernel);

        return run_fail(error, "kernel %s takes %u argument%s, %u given "
                        "(it takes: %s)", kernel->name, expected,
                        expected == 1 ? "" : "s", run->n_args,
                        *list ? list : "none");
    }
    return true;
}

/* ---- buffers ---- */

uint64_t run_vram_bytes(const Run *run)
{
    uint64_t bytes = codeobj_image_size(run->co) + CODEOBJ_IMAGE_ALIGN;

    for (unsigned i = 0; run->place == DRIVER_VRAM && i < run->n_args; i++) {
        if (run->args[i].kind == TOOL_ARG_BUFFER) {
            bytes += run->args[i].size + CODEOBJ_IMAGE_ALIGN;
        }
    }
    return bytes;
}

static bool run_place_buffer(Run *run, const ToolArg *arg, RunBuffer *buffer,
                             GError **error)
{
    g_autoptr(GError) why = NULL;

    buffer->host = driver_alloc(run->driver, run->place, arg->size,
                                &buffer->address, &why);
    if (!buffer->host) {
        return run_fail(error, "argument %s: %s", arg->text, why->message);
    }
    return !arg->input ||
           tool_read_into(arg->input, buffer->host, arg->size, error);
}

static bool run_place_local(Run *run, const ToolArg *arg,
                            const CodeArg *wanted, uint32_t *offset,
                            GError **error)
{
    uint32_t align = wanted ? wanted->pointee_align : 16;
    uint64_t used = (uint64_t)run->kernel->lds_size + run->dynamic_lds;
    uint64_t at = (used + align - 1) / align * align;

    if (arg->size > run->isa->max_lds || at > run->isa->max_lds - arg->size) {
        return run_fail(error, "argument %s: a work-group can have %u bytes "
                        "of local memory, %" PRIu64 " are in use", arg->text,
                        run->isa->max_lds, used);
    }
    *offset = at;
    run->dynamic_lds = at + arg->size - run->kernel->lds_size;
    return true;
}

/* Place one argument; @wanted is NULL for local memory without one. */
static bool run_place_arg(Run *run, unsigned index, const CodeArg *wanted,
                          GError **error)
{
    const ToolArg *arg = &run->args[index];
    RunBuffer *buffer = &run->buffers[index];
    uint8_t *dst = wanted ? run->kernarg + wanted->offset : NULL;
    uint32_t offset = 0;

    if (arg->kind == TOOL_ARG_LOCAL) {
        if (!run_place_local(run, arg, wanted, &offset, error)) {
            return false;
        }
        if (dst) {
            memcpy(dst, &offset, sizeof(offset));
        }
        return true;
    }
    if (arg->kind == TOOL_ARG_SCALAR) {
        memcpy(dst, arg->value, arg->value_size);
        return true;
    }
    if (wanted->kind == CODE_BY_VALUE) {
        return tool_read_into(arg->input, dst, wanted->size, error);
    }
    if (!run_place_buffer(run, arg, buffer, error)) {
        return false;
    }
    memcpy(dst, &buffer->address, sizeof(buffer->address));
    return true;
}

bool run_place_args(Run *run, GError **error)
{
    unsigned at = 0;

    run->buffers = g_new0(RunBuffer, run->n_args + 1);
    run->kernarg = g_malloc0(run->kernel->kernarg_size + 1);
    for (unsigned i = 0; i < run->n_args; i++) {
        if (!run_place_arg(run, i, run_next_arg(run->kernel, &at), error)) {
            return false;
        }
    }
    return true;
}

bool run_write_outputs(const Run *run, GError **error)
{
    g_autoptr(ToolOutputs) outputs = tool_outputs_new();

    for (unsigned i = 0; i < run->n_args; i++) {
        const ToolArg *arg = &run->args[i];

        if (arg->output &&
            !tool_outputs_add(outputs, arg->output, run->buffers[i].host,
                              arg->size, error)) {
            return false;
        }
    }
    return tool_outputs_commit(outputs, error);
}
