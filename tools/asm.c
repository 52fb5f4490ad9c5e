/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `tessera asm`: text to LinxISA blocks. */
#include <stdio.h>
#include "tools/files.h"
#include "tools/linx-asm.h"
#include "tools/options.h"
#include "tools/tool.h"

#define ASM "asm"

static const char asm_help[] =
    "usage: tessera asm SOURCE OUTPUT\n"
    "\n"
    "Assembles LinxISA blocks to raw bytes. The syntax is that of\n"
    "tessera dis --mcpu linx, with labels; docs/linx-blocks.md tells it.\n"
    "\n"
    "Example\n"
    "\n"
    "  tessera asm copy.s copy.bin\n"
    "  tessera dis --mcpu linx copy.bin\n";

static bool asm_file(const char *source, const char *output, GError **error)
{
    g_autoptr(GBytes) bytes = tool_read_file(source, LINX_ASM_MAX, error);
    g_autoptr(GByteArray) code = NULL;
    g_autofree char *text = NULL;
    g_autoptr(ToolOutputs) outputs = NULL;

    if (!bytes) {
        return false;
    }
    text = g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
    code = linx_asm_source(source, text, error);
    if (!code) {
        return false;
    }
    outputs = tool_outputs_new();
    return tool_outputs_add(outputs, output, code->data, code->len, error) &&
           tool_outputs_commit(outputs, error);
}

static int asm_main(int argc, char **argv)
{
    const ToolOption options[] = { { NULL } };
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    g_autoptr(GError) error = NULL;

    if (!tool_parse_options(argc, argv, options, words, &error)) {
        return tool_fail(ASM, "%s", error->message);
    }
    if (words->len != 2) {
        return tool_fail(ASM, "give a source and an output, not %u files; see "
                         "tessera asm --help", words->len);
    }
    if (!asm_file(g_ptr_array_index(words, 0), g_ptr_array_index(words, 1),
                  &error)) {
        return tool_fail(ASM, "%s", error->message);
    }
    return TOOL_OK;
}

const ToolCommand tool_command_asm = {
    .name = ASM,
    .summary = "assemble LinxISA blocks",
    .help = asm_help,
    .run = asm_main,
};
