/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command `tessera`: its subcommands and what they share. */
#ifndef TOOLS_TOOL_H
#define TOOLS_TOOL_H

#include <glib.h>
#include <stdbool.h>

/* Exit statuses. */
enum {
    TOOL_OK = 0,
    TOOL_FAULT = 1, /* the kernel faulted or timed out */
    TOOL_USAGE = 2, /* bad usage, unreadable input */
};

typedef struct ToolCommand {
    const char *name;
    const char *summary; /* one line */
    const char *help;    /* the whole text of --help */
    /* @argv[0] is the subcommand's name; returns the exit status. */
    int (*run)(int argc, char **argv);
} ToolCommand;

extern const ToolCommand tool_command_run;
extern const ToolCommand tool_command_blocks;
extern const ToolCommand tool_command_dis;
extern const ToolCommand tool_command_asm;
extern const ToolCommand tool_command_bench;
extern const ToolCommand tool_command_info;

/* All of the command behind main(). */
int tool_main(int argc, char **argv);

/* Print "tessera <command>: <text>" to stderr; returns TOOL_USAGE. */
int tool_fail(const char *command, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

#endif
