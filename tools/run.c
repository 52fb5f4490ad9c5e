/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `tessera run`: one kernel of a code object, over files. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "tools/files.h"
#include "tools/profile.h"
#include "tools/run.h"
#include "tools/tool.h"

#define RUN "run"

static const char run_help[] =
    "usage: tessera run CODE_OBJECT KERNEL --grid X[,Y[,Z]] "
    "--group X[,Y[,Z]]\n"
    "                   [OPTION...] ARG...\n"
    "\n"
    "Runs one kernel, once. Give one ARG for each argument of the kernel, in\n"
    "the order of its source; `tessera info CODE_OBJECT` lists them.\n"
    "\n"
    "  in:FILE              a buffer filled from FILE\n"
    "  out:FILE:SIZE        a buffer of SIZE bytes, zeroed, written to FILE\n"
    "  inout:FILE:OUTFILE   a buffer filled from FILE, written to OUTFILE\n"
    "  zero:SIZE            a buffer of SIZE bytes, zeroed\n"
    "  u8: u16: u32: u64: i8: i16: i32: i64: f16: f32: f64:   followed by a\n"
    "                       VALUE: a scalar (u64: also for a raw pointer)\n"
    "  local:SIZE           dynamic local memory (LDS)\n"
    "\n"
    "SIZE is in bytes; 4K, 64M and 1G are understood. Files are written when\n"
    "the kernel has ended without a fault, all of them or none.\n"
    "\n"
    "  --grid X[,Y[,Z]]     work-items in all\n"
    "  --group X[,Y[,Z]]    work-items in a work-group; may be left out if the\n"
    "                       kernel was compiled for one size\n"
    "  --workers N          host threads, 1 to 64 (default: one a CPU, up to 8);\n"
    "                       with 1 every run takes the same course\n"
    "  --timeout S          give up after S seconds (default: never)\n"
    "  --stats              print instructions, lane_instructions, waves and\n"
    "                       seconds, one `name value` a line\n"
    "  --profile            print, for each kind of instruction and for the\n"
    "                       hottest ones, how often it was executed, by how\n"
    "                       many lanes, and how long it took in all; slower\n"
    "  --trace              print what the device does to stderr\n"
    "  --memory ram|vram    where buffers lie (default ram: there an access\n"
    "                       beyond a buffer's last page faults)\n"
    "  --jit on|off|now     compile hot code to host code (default off), or all\n"
    "                       of it before it runs\n"
    "  --hazards strict     let results of loads arrive no sooner than waits\n"
    "                       demand, and report registers used too early; slow\n"
    "  --host-level LEVEL   v2, v3 or v4: which handlers to use (default: the\n"
    "                       best that this CPU has)\n"
    "\n"
    "Exit status: 0 done; 1 the kernel faulted, timed out or broke a rule\n"
    "that --hazards strict checks, told on stderr;\n"
    "2 bad usage or unreadable input.\n"
    "\n"
    "Examples\n"
    "\n"
    "c[i] = a[i] + b[i] over 1,024 floats; two inputs, one output, the number:\n"
    "\n"
    "  tessera run vadd.co vadd --grid 1024 --group 256 \\\n"
    "      in:a.bin in:b.bin out:c.bin:4096 u32:1024\n"
    "\n"
    "A picture of 1024 x 1024 pixels, with a limit of ten seconds:\n"
    "\n"
    "  tessera run mandelbrot.co mandelbrot --grid 1024,1024 --group 64,1 \\\n"
    "      --timeout 10 out:image.bin:4M u32:1024 u32:1024 u32:256\n"
    "\n"
    "A sum that is updated in place, with 1 KiB of dynamic local memory:\n"
    "\n"
    "  tessera run sum.co sum --grid 4096 --group 256 --stats \\\n"
    "      in:data.bin inout:sum.bin:sum.bin local:1K\n";

/* ---- the command line ---- */

static bool run_read_place(const char *text, void *dst)
{
    bool vram = g_str_equal(text, "vram");

    *(DriverPlace *)dst = vram ? DRIVER_VRAM : DRIVER_RAM;
    return vram || g_str_equal(text, "ram");
}

static bool run_read_hazards(const char *text, void *dst)
{
    *(bool *)dst = g_str_equal(text, "strict");
    return *(bool *)dst || g_str_equal(text, "off");
}

static bool run_read_level(const char *text, void *dst)
{
    for (unsigned i = 0; i < TESSERA_LEVELS; i++) {
        if (g_str_equal(text, tessera_level_names[i])) {
            *(const char **)dst = text;
            return true;
        }
    }
    return false;
}

static bool run_parse_options(Run *run, int argc, char **argv,
                              GPtrArray *words, GError **error)
{
    const char *shape = "1 to 3 whole numbers of 1 or more, comma-separated";
    const ToolOption options[] = {
        { "--grid", shape, tool_option_shape, &run->grid },
        { "--group", shape, tool_option_shape, &run->group },
        { "--workers", "a whole number from 1 to 64", tool_option_workers,
          &run->workers },
        { "--timeout", "a number of seconds from above 0 to 1000000",
          tool_option_seconds, &run->timeout },
        { "--stats", NULL, NULL, &run->stats },
        { "--profile", NULL, NULL, &run->profile },
        { "--trace", NULL, NULL, &run->trace },
        { "--memory", "ram or vram", run_read_place, &run->place },
        { "--jit", "on, off or now", tool_option_jit, &run->jit },
        { "--hazards", "strict or off", run_read_hazards, &run->strict },
        { "--host-level", "v2, v3 or v4", run_read_level, &run->host_level },
        { NULL },
    };

    return tool_parse_options(argc, argv, options, words, error);
}

static bool run_parse_args(Run *run, GPtrArray *words, GError **error)
{
    run->args = g_new0(ToolArg, words->len);
    for (unsigned i = 2; i < words->len; i++) {
        ToolArg *arg = &run->args[run->n_args++];

        if (!tool_arg_parse(arg, g_ptr_array_index(words, i), error)) {
            return false;
        }
        if (arg->output && !tool_check_output(arg->output, error)) {
            return false;
        }
        for (unsigned k = 0; arg->output && k + 1 < run->n_args; k++) {
            if (g_strcmp0(run->args[k].output, arg->output) == 0) {
                g_set_error(error, TOOL_FILE_ERROR, 0, "argument %s: %s is "
                            "the output of argument %s as well", arg->text,
                            arg->output, run->args[k].text);
                return false;
            }
        }
    }
    return true;
}

/* ---- the code object ---- */

static bool run_no_such_kernel(const Run *run, const char *name,
                               GError **error)
{
    g_autoptr(GString) list = g_string_new("");
    unsigned count = codeobj_n_kernels(run->co);

    for (unsigned i = 0; i < count && list->len < 2000; i++) {
        g_string_append_printf(list, "%s%s", i ? " " : "",
                               codeobj_kernel(run->co, i)->name);
    }
    g_set_error(error, TOOL_FILE_ERROR, 0, "%s: has no kernel %s (there %s: "
                "%s)", codeobj_path(run->co), name,
                count == 1 ? "is" : "are", count ? list->str : "none");
    return false;
}

static bool run_load(Run *run, const char *path, const char *name,
                     GError **error)
{
    run->co = codeobj_load(path, NULL, error);
    if (!run->co) {
        return false;
    }
    run->isa = tessera_isa_find(codeobj_isa(run->co));
    if (!run->isa) {
        g_set_error(error, TOOL_FILE_ERROR, 0, "%s: built for %s, which this "
                    "tessera cannot execute (see tessera info)", path,
                    codeobj_isa(run->co));
        return false;
    }
    run->kernel = codeobj_find_kernel(run->co, name);
    return run->kernel ? true : run_no_such_kernel(run, name, error);
}

/* ---- running ---- */

static bool run_power_on(Run *run, GError **error)
{
    DriverConfig config = {
        .isa = run->isa->name,
        .workers = run->workers,
        .host_level = run->host_level,
        .vram_bytes = run_vram_bytes(run),
        .trace = run->trace,
        .stats = run->stats,
        .profile = run->profile,
        .jit = run->jit,
        .strict = run->strict,
    };

    run->driver = driver_new(&config, error);
    return run->driver &&
           driver_load(run->driver, run->co, &run->base, error);
}

static bool run_execute(Run *run, DriverOutcome *outcome, GError **error)
{
    DriverLaunch launch = {
        .kernel = run->kernel,
        .base = run->base,
        .dims = run->grid.dims,
        .kernarg = run->kernarg,
        .dynamic_lds = run->dynamic_lds,
        .timeout = run->timeout,
    };

    memcpy(launch.grid, run->grid.size, sizeof(launch.grid));
    memcpy(launch.group, run->group.size, sizeof(launch.group));
    return driver_run(run->driver, &launch, outcome, error);
}

static void run_print_stats(const DriverOutcome *outcome)
{
    const TesseraStats *stats = &outcome->stats;

    printf("instructions %" PRIu64 "\n"
           "lane_instructions %" PRIu64 "\n"
           "waves %" PRIu64 "\n"
           "seconds %.6f\n",
           stats->instructions, stats->lane_instructions, stats->waves,
           outcome->seconds);
}

static void run_clear(Run *run)
{
    driver_free(run->driver);
    codeobj_free(run->co);
    for (unsigned i = 0; i < run->n_args; i++) {
        tool_arg_clear(&run->args[i]);
    }
    g_free(run->args);
    g_free(run->buffers);
    g_free(run->kernarg);
}

/* Everything up to the launch; what fails here is usage. */
static bool run_prepare(Run *run, int argc, char **argv, GError **error)
{
    g_autoptr(GPtrArray) words = g_ptr_array_new();

    if (!run_parse_options(run, argc, argv, words, error)) {
        return false;
    }
    if (words->len < 2) {
        g_set_error(error, TOOL_FILE_ERROR, 0, "%s; see tessera run --help",
                    words->len ? "no kernel named" : "no code object and "
                    "kernel named");
        return false;
    }
    return run_load(run, g_ptr_array_index(words, 0),
                    g_ptr_array_index(words, 1), error) &&
           run_check_shape(run, error) &&
           run_parse_args(run, words, error) &&
           run_check_args(run, error) &&
           run_power_on(run, error) &&
           run_place_args(run, error);
}

static int run_main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    Run run = { 0 };
    DriverOutcome outcome;
    int status = TOOL_OK;

    if (!run_prepare(&run, argc, argv, &error) ||
        !run_execute(&run, &outcome, &error)) {
        status = tool_fail(RUN, "%s", error->message);
    } else if (outcome.status != DRIVER_DONE) {
        run_report(&run, &outcome);
        run_report_hazards(&run);
        status = TOOL_FAULT;
    } else if (run_report_hazards(&run)) {
        status = TOOL_FAULT;
    } else if (!run_write_outputs(&run, &error)) {
        status = tool_fail(RUN, "%s", error->message);
    } else if (run.stats) {
        run_print_stats(&outcome);
    }
    if (status != TOOL_USAGE && run.profile) {
        tool_profile_print(run.driver, run.co, run.base);
    }
    run_clear(&run);
    return status;
}

const ToolCommand tool_command_run = {
    .name = RUN,
    .summary = "run a kernel of a code object over files",
    .help = run_help,
    .run = run_main,
};
