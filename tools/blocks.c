/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `tessera blocks`: a program of LinxISA blocks, over files. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "tools/blocks.h"
#include "tools/files.h"
#include "tools/linx-asm.h"
#include "tools/options.h"
#include "tools/tool.h"

static const char blocks_help[] =
    "usage: tessera blocks PROGRAM [--entry OFFSET] [--rN ARG]... "
    "[OPTION...]\n"
    "\n"
    "Runs a program of LinxISA blocks, once. PROGRAM is raw bytes, or a source\n"
    "that `tessera asm` takes, if its name ends in .s. It begins with a block\n"
    "and ends with `acrc 1` in a system block.\n"
    "\n"
    "  --entry OFFSET       bytes from the program's beginning to the first\n"
    "                       block (default 0)\n"
    "  --rN ARG             what global register N, from 1 to 23, begins with;\n"
    "                       a0 to a7 are r2 to r9. Others begin with 0. ARG:\n"
    "\n"
    "  in:FILE              address of a buffer filled from FILE\n"
    "  out:FILE:SIZE        of a buffer of SIZE bytes, zeroed, written to FILE\n"
    "  inout:FILE:OUTFILE   of a buffer filled from FILE, written to OUTFILE\n"
    "  zero:SIZE            of a buffer of SIZE bytes, zeroed\n"
    "  u8: u16: u32: u64: i8: i16: i32: i64: f16: f32: f64:   followed by a\n"
    "                       VALUE: that number; i...: sign-extended\n"
    "\n"
    "SIZE is in bytes; 4K, 64M and 1G are understood. Files are written when\n"
    "the program has ended without a trap, all of them or none.\n"
    "\n"
    "  --dump-ggpr          print the registers at the end, r1 to r23\n"
    "  --workers N          host threads, 1 to 64 (default: one a CPU, up to 8)\n"
    "  --timeout S          give up after S seconds (default: never)\n"
    "  --stats              print blocks, instructions, lane_instructions,\n"
    "                       groups and seconds, one `name value` a line\n"
    "  --trace              print what the device does to stderr\n"
    "  --memory ram|vram    where program and buffers lie (default ram: there\n"
    "                       an access beyond a buffer's last page faults)\n"
    "  --hazards strict     report accesses of groups that overlap where no\n"
    "                       order is promised; slow\n"
    "\n"
    "Exit status: 0 done; 1 the program trapped, timed out or broke a rule\n"
    "that --hazards strict checks, told on stderr; 2 bad usage or unreadable\n"
    "input.\n"
    "\n"
    "Example: a matrix of 100 rows and 50 columns, turned round\n"
    "\n"
    "  tessera blocks transpose.s --r2 in:a.bin --r3 out:b.bin:20000 \\\n"
    "      --r4 u64:100 --r5 u64:50\n";

static bool blocks_fail(GError **error, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

static bool blocks_fail(GError **error, const char *format, ...)
{
    g_autofree char *text = NULL;
    va_list ap;

    va_start(ap, format);
    text = g_strdup_vprintf(format, ap);
    va_end(ap);
    g_set_error_literal(error, TOOL_FILE_ERROR, 0, text);
    return false;
}

/* ---- the command line ---- */

static bool read_place(const char *text, void *dst)
{
    bool vram = g_str_equal(text, "vram");

    *(DriverPlace *)dst = vram ? DRIVER_VRAM : DRIVER_RAM;
    return vram || g_str_equal(text, "ram");
}

static bool read_hazards(const char *text, void *dst)
{
    *(bool *)dst = g_str_equal(text, "strict");
    return *(bool *)dst || g_str_equal(text, "off");
}

static bool read_entry(const char *text, void *dst)
{
    return tool_read_u64(text, dst) && *(uint64_t *)dst % 2 == 0;
}

static bool parse_options(Blocks *b, int argc, char **argv, GPtrArray *words,
                          GError **error)
{
    static const char *const names[TESSERA_BLOCKS_GPRS] = {
        NULL, "--r1", "--r2", "--r3", "--r4", "--r5", "--r6", "--r7", "--r8",
        "--r9", "--r10", "--r11", "--r12", "--r13", "--r14", "--r15",
        "--r16", "--r17", "--r18", "--r19", "--r20", "--r21", "--r22",
        "--r23",
    };
    const ToolOption fixed[] = {
        { "--entry", "an even number of bytes", read_entry, &b->entry },
        { "--workers", "a whole number from 1 to 64", tool_option_workers,
          &b->workers },
        { "--timeout", "a number of seconds from above 0 to 1000000",
          tool_option_seconds, &b->timeout },
        { "--stats", NULL, NULL, &b->stats },
        { "--trace", NULL, NULL, &b->trace },
        { "--memory", "ram or vram", read_place, &b->place },
        { "--hazards", "strict or off", read_hazards, &b->strict },
        { "--dump-ggpr", NULL, NULL, &b->dump },
    };
    ToolOption options[G_N_ELEMENTS(fixed) + TESSERA_BLOCKS_GPRS] = { 0 };
    unsigned count = G_N_ELEMENTS(fixed);

    memcpy(options, fixed, sizeof(fixed));
    for (unsigned i = 1; i < TESSERA_BLOCKS_GPRS; i++) {
        options[count++] = (ToolOption) {
            names[i], "a buffer or a number, see tessera blocks --help",
            tool_option_text, &b->text[i]
        };
    }
    return tool_parse_options(argc, argv, options, words, error);
}

/* No two outputs go to the same file. */
static bool check_output(const Blocks *b, unsigned index, GError **error)
{
    const char *output = b->args[index].output;

    if (!output) {
        return true;
    }
    for (unsigned i = 1; i < index; i++) {
        if (g_strcmp0(b->args[i].output, output) == 0) {
            return blocks_fail(error, "--r%u %s: %s is the output of --r%u as "
                               "well", index, b->text[index], output, i);
        }
    }
    return tool_check_output(output, error);
}

static bool parse_args(Blocks *b, GError **error)
{
    for (unsigned i = 1; i < TESSERA_BLOCKS_GPRS; i++) {
        g_autoptr(GError) why = NULL;

        if (!b->text[i]) {
            continue;
        }
        if (!tool_arg_parse(&b->args[i], b->text[i], &why)) {
            return blocks_fail(error, "--r%u: %s", i, why->message);
        }
        if (b->args[i].kind == TOOL_ARG_LOCAL) {
            return blocks_fail(error, "--r%u: argument %s: blocks have no "
                               "local memory, only buffers and numbers", i,
                               b->text[i]);
        }
        if (!check_output(b, i, error)) {
            return false;
        }
    }
    return true;
}

/* ---- the program ---- */

static bool load(Blocks *b, GError **error)
{
    g_autoptr(GBytes) file = tool_read_file(b->path, LINX_ASM_MAX, error);
    g_autofree char *source = NULL;
    GByteArray *code;
    gsize size;

    if (!file) {
        return false;
    }
    if (!g_str_has_suffix(b->path, ".s")) {
        b->program = g_bytes_ref(file);
    } else {
        const char *text = g_bytes_get_data(file, &size);

        source = g_strndup(text, size);
        code = linx_asm_source(b->path, source, error);
        if (!code) {
            return false;
        }
        b->program = g_byte_array_free_to_bytes(code);
    }
    size = g_bytes_get_size(b->program);
    if (b->entry >= size) {
        return blocks_fail(error, "--entry %" PRIu64 ": %s has %zu bytes",
                           b->entry, b->path, size);
    }
    return true;
}

/* ---- running ---- */

static uint64_t vram_bytes(const Blocks *b)
{
    uint64_t bytes = g_bytes_get_size(b->program) + CODEOBJ_IMAGE_ALIGN;

    for (unsigned i = 1; i < TESSERA_BLOCKS_GPRS; i++) {
        bytes += b->args[i].size + CODEOBJ_IMAGE_ALIGN;
    }
    return b->place == DRIVER_VRAM ? bytes : 0;
}

static bool power_on(Blocks *b, GError **error)
{
    DriverConfig config = {
        .isa = "gfx900", /* of the device's kernels; blocks do not mind */
        .workers = b->workers,
        .vram_bytes = vram_bytes(b),
        .trace = b->trace,
        .stats = b->stats,
        .strict = b->strict,
    };
    gsize size;
    const void *bytes = g_bytes_get_data(b->program, &size);
    void *at;

    b->driver = driver_new(&config, error);
    if (!b->driver) {
        return false;
    }
    at = driver_alloc(b->driver, b->place, size, &b->base, error);
    if (!at) {
        return false;
    }
    memcpy(at, bytes, size);
    return true;
}

static uint64_t scalar_value(const ToolArg *arg)
{
    unsigned above = 64 - 8 * arg->value_size;
    uint64_t value;

    memcpy(&value, arg->value, sizeof(value));
    value <<= above;
    return arg->text[0] == 'i' ? (uint64_t)((int64_t)value >> above) :
           value >> above;
}

static bool place_arg(Blocks *b, unsigned index, uint64_t *gpr,
                      GError **error)
{
    const ToolArg *arg = &b->args[index];
    g_autoptr(GError) why = NULL;

    if (arg->kind == TOOL_ARG_SCALAR) {
        *gpr = scalar_value(arg);
        return true;
    }
    b->host[index] = driver_alloc(b->driver, b->place, MAX(arg->size, 1),
                                  &b->address[index], &why);
    if (!b->host[index]) {
        return blocks_fail(error, "--r%u: argument %s: %s", index, arg->text,
                           why->message);
    }
    *gpr = b->address[index];
    return !arg->input ||
           tool_read_into(arg->input, b->host[index], arg->size, error);
}

static bool execute(Blocks *b, DriverOutcome *outcome,
                    TesseraBlockResult *result, GError **error)
{
    DriverBlocks launch = { .entry = b->base + b->entry,
                            .timeout = b->timeout };

    for (unsigned i = 1; i < TESSERA_BLOCKS_GPRS; i++) {
        if (b->text[i] && !place_arg(b, i, &launch.gpr[i], error)) {
            return false;
        }
    }
    return driver_run_blocks(b->driver, &launch, outcome, result, error);
}

static bool write_outputs(const Blocks *b, GError **error)
{
    g_autoptr(ToolOutputs) outputs = tool_outputs_new();

    for (unsigned i = 1; i < TESSERA_BLOCKS_GPRS; i++) {
        const ToolArg *arg = &b->args[i];

        if (arg->output &&
            !tool_outputs_add(outputs, arg->output, b->host[i], arg->size,
                              error)) {
            return false;
        }
    }
    return tool_outputs_commit(outputs, error);
}

static void print_results(const Blocks *b, const DriverOutcome *outcome,
                          const TesseraBlockResult *result)
{
    for (unsigned i = 1; b->dump && i < TESSERA_BLOCKS_GPRS; i++) {
        printf("r%u 0x%" PRIx64 "\n", i, result->gpr[i]);
    }
    if (b->stats) {
        printf("blocks %" PRIu64 "\n"
               "instructions %" PRIu64 "\n"
               "lane_instructions %" PRIu64 "\n"
               "groups %" PRIu64 "\n"
               "seconds %.6f\n",
               result->committed, outcome->stats.instructions,
               outcome->stats.lane_instructions, outcome->stats.waves,
               outcome->seconds);
    }
}

static void blocks_clear(Blocks *b)
{
    driver_free(b->driver);
    g_clear_pointer(&b->program, g_bytes_unref);
    for (unsigned i = 0; i < TESSERA_BLOCKS_GPRS; i++) {
        tool_arg_clear(&b->args[i]);
    }
}

/* Everything up to the launch; what fails here is usage. */
static bool prepare(Blocks *b, int argc, char **argv, GError **error)
{
    g_autoptr(GPtrArray) words = g_ptr_array_new();

    if (!parse_options(b, argc, argv, words, error)) {
        return false;
    }
    if (words->len != 1) {
        return blocks_fail(error, "%s; see tessera blocks --help",
                           words->len ? "more than one program named" :
                           "no program named");
    }
    b->path = g_ptr_array_index(words, 0);
    return parse_args(b, error) && load(b, error) && power_on(b, error);
}

static int blocks_main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    Blocks b = { 0 };
    DriverOutcome outcome;
    TesseraBlockResult result;
    int status = TOOL_OK;

    if (!prepare(&b, argc, argv, &error) ||
        !execute(&b, &outcome, &result, &error)) {
        status = tool_fail(BLOCKS_COMMAND, "%s", error->message);
    } else if (outcome.status != DRIVER_DONE) {
        blocks_report(&b, &outcome, &result);
        blocks_report_hazards(&b);
        status = TOOL_FAULT;
    } else if (blocks_report_hazards(&b)) {
        status = TOOL_FAULT;
    } else if (!write_outputs(&b, &error)) {
        status = tool_fail(BLOCKS_COMMAND, "%s", error->message);
    } else {
        print_results(&b, &outcome, &result);
    }
    blocks_clear(&b);
    return status;
}

const ToolCommand tool_command_blocks = {
    .name = BLOCKS_COMMAND,
    .summary = "run a program of LinxISA blocks over files",
    .help = blocks_help,
    .run = blocks_main,
};
