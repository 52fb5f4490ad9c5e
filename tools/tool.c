/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command `tessera`: choosing a subcommand, help. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "tools/tool.h"

static const ToolCommand *const tool_commands[] = {
    &tool_command_run,
    &tool_command_blocks,
    &tool_command_dis,
    &tool_command_asm,
    &tool_command_bench,
    &tool_command_info,
};

static const char tool_help[] =
    "usage: tessera COMMAND ...\n"
    "\n"
    "Runs and inspects AMD GPU code on the execution core of the virtual GPU\n"
    "Tessera, without a GPU, an emulator or a guest.\n"
    "\n";

static const char tool_help_end[] =
    "\n"
    "  tessera COMMAND --help    what a command takes, with examples\n"
    "  tessera --version         the version\n"
    "\n"
    "Example: compile a kernel, look at it, run it over 1,024 floats\n"
    "\n"
    "  clang-19 -x cl -target amdgcn-amd-amdhsa -mcpu=gfx900 -nogpulib -O2 \\\n"
    "      scale.cl -o scale.co\n"
    "  tessera info scale.co\n"
    "  tessera dis scale.co\n"
    "  tessera run scale.co scale --grid 1024 --group 64 \\\n"
    "      in:data.bin out:result.bin:4096 f32:0.5\n"
    "\n"
    "Exit status: 0 done, 1 the kernel faulted or timed out, 2 bad usage or\n"
    "unreadable input.\n";

int tool_fail(const char *command, const char *format, ...)
{
    g_autofree char *text = NULL;
    va_list ap;

    va_start(ap, format);
    text = g_strdup_vprintf(format, ap);
    va_end(ap);
    fprintf(stderr, "tessera%s%s: %s\n", *command ? " " : "", command, text);
    return TOOL_USAGE;
}

static const ToolCommand *tool_find(const char *name)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(tool_commands); i++) {
        if (g_str_equal(tool_commands[i]->name, name)) {
            return tool_commands[i];
        }
    }
    return NULL;
}

/* "run, dis, asm, info" */
static char *tool_list(void)
{
    GString *list = g_string_new("");

    for (unsigned i = 0; i < G_N_ELEMENTS(tool_commands); i++) {
        g_string_append_printf(list, "%s%s", i ? ", " : "",
                               tool_commands[i]->name);
    }
    return g_string_free(list, FALSE);
}

static int tool_print_help(const char *name)
{
    const ToolCommand *command = name ? tool_find(name) : NULL;

    if (command) {
        fputs(command->help, stdout);
        return TOOL_OK;
    }
    fputs(tool_help, stdout);
    for (unsigned i = 0; i < G_N_ELEMENTS(tool_commands); i++) {
        printf("  tessera %-8s  %s\n", tool_commands[i]->name,
               tool_commands[i]->summary);
    }
    fputs(tool_help_end, stdout);
    return TOOL_OK;
}

static bool tool_is_help(const char *word)
{
    return g_str_equal(word, "--help") || g_str_equal(word, "-h");
}

/* Is help asked for among the options, before any "--"? */
static bool tool_asks_help(int argc, char **argv)
{
    for (int i = 1; i < argc && !g_str_equal(argv[i], "--"); i++) {
        if (tool_is_help(argv[i])) {
            return true;
        }
    }
    return false;
}

static int tool_dispatch(int argc, char **argv)
{
    g_autofree char *list = tool_list();
    const ToolCommand *command;

    if (argc < 2) {
        return tool_fail("", "no command given (there are: %s); see tessera "
                         "--help", list);
    }
    if (tool_is_help(argv[1]) || g_str_equal(argv[1], "help")) {
        return tool_print_help(argc > 2 ? argv[2] : NULL);
    }
    if (g_str_equal(argv[1], "--version")) {
        printf("tessera %s\n", TESSERA_VERSION);
        return TOOL_OK;
    }
    command = tool_find(argv[1]);
    if (!command) {
        return tool_fail("", "unknown command %s (there are: %s)", argv[1],
                         list);
    }
    if (tool_asks_help(argc - 1, argv + 1)) {
        return tool_print_help(command->name);
    }
    return command->run(argc - 1, argv + 1);
}

int tool_main(int argc, char **argv)
{
    int status = tool_dispatch(argc, argv);

    if (fflush(stdout) != 0 || ferror(stdout)) {
        return tool_fail("", "cannot write to standard output");
    }
    return status;
}
