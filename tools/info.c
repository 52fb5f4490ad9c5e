/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `tessera info`: what this build can do, or what a code object holds. */
#include <inttypes.h>
#include <stdio.h>
#include "hw/gpu/gpu.h"
#include "tessera/isa.h"
#include "tessera/regs.h"
#include "tools/codeobj.h"
#include "tools/driver.h"
#include "tools/options.h"
#include "tools/tool.h"

static const char info_help[] =
    "usage: tessera info [--all] [CODE_OBJECT...]\n"
    "\n"
    "Without a file: version, instruction sets, host SIMD level and limits of\n"
    "this build. With files: the kernels of each and their arguments; --all\n"
    "lists the hidden ones, which a runtime adds, as well.\n"
    "\n"
    "Examples\n"
    "\n"
    "  tessera info\n"
    "  tessera info vadd.co\n";

static void info_print_isa(const TesseraIsa *isa)
{
    printf("isa            %s: %u lanes, %u VGPRs, %u KiB LDS, host levels",
           isa->name, isa->lanes, isa->max_vgprs, isa->max_lds >> 10);
    for (unsigned i = 0; i < TESSERA_LEVELS; i++) {
        if (isa->exec[i]) {
            printf(" %s", tessera_level_names[i]);
        }
    }
    putchar('\n');
}

static int info_build(void)
{
    printf("tessera        %s\n", TESSERA_VERSION);
    printf("register map   %u.%u\n", TESSERA_SPEC_VERSION >> 16,
           TESSERA_SPEC_VERSION & 0xffff);
    for (unsigned i = 0; tessera_isas[i]; i++) {
        info_print_isa(tessera_isas[i]);
    }
    printf("host level     %s (of x86-64-v2 to v4)\n",
           tessera_level_names[tessera_host_level()]);
    printf("jit            %s\n", driver_has_jit() ? "tessera-jit.so" :
           "none: all shader code is interpreted");
    printf("code objects   amdhsa, versions 4, 5 and 6\n");
    printf("compute units  %u\n", TESSERA_CUS);
    printf("workers        1 to %u, default one a CPU, up to %u\n",
           TESSERA_WORKERS_MAX, TESSERA_CUS);
    printf("work-group     at most %u work-items\n", DRIVER_GROUP_MAX);
    printf("scratch        at most %u KiB a work-item\n",
           DRIVER_PRIVATE_MAX >> 10);
    printf("vram           %" PRIu64 " MiB to %" PRIu64 " GiB\n",
           (uint64_t)TESSERA_VRAM_MIN >> 20, (uint64_t)TESSERA_VRAM_MAX >> 30);
    printf("queues         %u\n", TESSERA_QUEUES);
    return TOOL_OK;
}

static void info_print_arg(const CodeArg *arg, unsigned number)
{
    g_autofree char *label = number ? g_strdup_printf("argument %u", number) :
                             g_strdup("hidden");

    printf("    %-11s %-25s %4u bytes at %u%s%s%s%s\n", label,
           code_value_kind_name(arg->kind), arg->size, arg->offset,
           *arg->type_name ? " " : "", arg->type_name, *arg->name ? " " : "",
           arg->name);
}

static void info_print_args(const CodeKernel *kernel, bool all)
{
    unsigned hidden = 0, number = 0;

    for (unsigned i = 0; i < kernel->n_args; i++) {
        const CodeArg *arg = &kernel->args[i];

        if (!code_value_is_hidden(arg->kind)) {
            info_print_arg(arg, ++number);
        } else if (all) {
            info_print_arg(arg, 0);
        } else {
            hidden++;
        }
    }
    if (hidden) {
        printf("    and %u hidden ones\n", hidden);
    }
}

static void info_print_kernel(const CodeKernel *kernel, bool all)
{
    printf("  kernel %s: %u bytes of arguments, %u VGPRs, %u SGPRs, %u bytes "
           "LDS, %u bytes scratch%s", kernel->name, kernel->kernarg_size,
           kernel->vgprs, kernel->sgprs, kernel->lds_size,
           kernel->private_size, kernel->dynamic_stack ? " or more" : "");
    if (kernel->reqd_group[0]) {
        printf(", work-group %u,%u,%u", kernel->reqd_group[0],
               kernel->reqd_group[1], kernel->reqd_group[2]);
    } else if (kernel->max_group) {
        printf(", work-group at most %u", kernel->max_group);
    }
    putchar('\n');
    info_print_args(kernel, all);
}

static int info_file(const char *path, bool all)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(CodeObject) co = codeobj_load(path, NULL, &error);

    if (!co) {
        return tool_fail("info", "%s", error->message);
    }
    printf("%s: %s code object version %u, %u kernel%s, image %" PRIu64
           " bytes%s\n", path, codeobj_isa(co), codeobj_version(co),
           codeobj_n_kernels(co), codeobj_n_kernels(co) == 1 ? "" : "s",
           codeobj_image_size(co),
           tessera_isa_find(codeobj_isa(co)) ? "" :
           " (this build cannot execute it)");
    for (unsigned i = 0; i < codeobj_n_kernels(co); i++) {
        info_print_kernel(codeobj_kernel(co, i), all);
    }
    return TOOL_OK;
}

static int info_main(int argc, char **argv)
{
    bool all = false;
    const ToolOption options[] = {
        { "--all", NULL, NULL, &all },
        { NULL },
    };
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    g_autoptr(GError) error = NULL;
    int status = TOOL_OK;

    if (!tool_parse_options(argc, argv, options, words, &error)) {
        return tool_fail("info", "%s", error->message);
    }
    if (words->len == 0) {
        return info_build();
    }
    for (unsigned i = 0; i < words->len; i++) {
        int result = info_file(g_ptr_array_index(words, i), all);

        status = MAX(status, result);
    }
    return status;
}

const ToolCommand tool_command_info = {
    .name = "info",
    .summary = "what this build can do, or what a code object holds",
    .help = info_help,
    .run = info_main,
};
