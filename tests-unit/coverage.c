/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "coverage.h"
#include <glib/gstdio.h>
#include "target/amdgpu/ops.h"
#include "target/amdgpu/isa.h"
#include "target/amdgpu/wave.h"
#include "target/gfx11/decode.h"
#include "target/gfx12/decode.h"
#include "target/gfx9/decode.h"

const Coverage coverage_generations[COVERAGE_GENERATIONS] = {
    [GEN_9] = { "gfx9", "gfx9", gfx9_decode, { "plain", "sdwa", "dpp" } },
    [GEN_11] = { "gfx11", "gfx11 gfx115", gfx1150_decode,
                 { "plain", "dpp16", "dpp8" } },
    [GEN_12] = { "gfx12", "gfx12", gfx12_decode,
                 { "plain", "dpp16", "dpp8" } },
};

static bool seen[COVERAGE_GENERATIONS][COVERAGE_FORMS][FAM_COUNT]
                [AMD_OP_COUNT];

/* Has this program run anything of a generation? */
static bool has_run[COVERAGE_GENERATIONS];

/* ---- between the engine and the handlers ---- */

/* A micro-operation that has been decoded, and what is behind it. */
typedef struct Traced {
    const Uop *uop;
    UopFn *fn;
    const uint32_t *words;
    unsigned count;
} Traced;

enum { TRACED = 1 << 21 }; /* half of it: 1,024 pages */

static Traced *traced;
static unsigned traced_count;

enum { ISAS = 5 };

static const TesseraIsaExec *real_exec[ISAS]; /* by place in tessera_isas */
static TesseraIsaExec exec_copy[ISAS];

/* The entry of @uop, or the free one that it would get. */
static Traced *find_traced(const Uop *uop)
{
    size_t at = (uintptr_t)uop / sizeof(Uop);

    while (traced[at % TRACED].uop && traced[at % TRACED].uop != uop) {
        at++;
    }
    return &traced[at % TRACED];
}

void coverage_note(const AmdInst *inst)
{
    static const uint8_t forms[] = {
        [FORM_PLAIN] = COVERAGE_PLAIN, [FORM_VOP3] = COVERAGE_PLAIN,
        [FORM_SDWA] = COVERAGE_SDWA, [FORM_DPP] = COVERAGE_DPP,
        [FORM_DPP16] = COVERAGE_DPP16, [FORM_DPP8] = COVERAGE_DPP8,
    };
    unsigned form = forms[inst->form];

    has_run[inst->gen] = true;
    seen[inst->gen][form][inst->family][inst->op] = true;
    if (inst->family == FAM_VOPD) {
        seen[inst->gen][form][FAM_VOPDY][inst->y.op] = true;
    }
}

static const Uop *trace_uop(Wave *wave, const Uop *uop)
{
    const Traced *t = find_traced(uop);
    AmdInst inst;

    if (coverage_generations[amd(wave)->isa->gen].decode(t->words, t->count,
                                                         &inst)) {
        coverage_note(&inst);
    }
    TAIL(wave, uop, t->fn);
}

static void trace_decode(const TesseraIsaExec *real, const uint32_t *words,
                         unsigned count, unsigned lanes, Uop *uop)
{
    Traced *t = find_traced(uop);

    real->decode(words, count, lanes, uop);
    if (!t->uop && ++traced_count > TRACED / 2) {
        g_error("more code pages than the record has room for");
    }
    *t = (Traced){ uop, uop->fn, words, count };
    uop->fn = trace_uop;
}

#define TRACE_DECODE(i)                                                      \
    static void trace_decode_##i(const uint32_t *words, unsigned count,     \
                                 unsigned lanes, Uop *uop)                  \
    {                                                                       \
        trace_decode(real_exec[i], words, count, lanes, uop);               \
    }
TRACE_DECODE(0)
TRACE_DECODE(1)
TRACE_DECODE(2)
TRACE_DECODE(3)
TRACE_DECODE(4)

static void (*const trace_decodes[ISAS])(const uint32_t *words, unsigned count,
                                         unsigned lanes, Uop *uop) = {
    trace_decode_0, trace_decode_1, trace_decode_2, trace_decode_3,
    trace_decode_4,
};

/* ---- at the end ---- */

/* tests-unit/test-NAME */
static const char *test_name(void)
{
    const char *name = program_invocation_short_name;

    return g_str_has_prefix(name, "test-") ? name + 5 : name;
}

/* With -p or -s not all tests run, and nothing can be said of rows. */
static bool all_tests_run(void)
{
    g_autofree char *line = NULL;
    size_t size = 0;

    if (!g_file_get_contents("/proc/self/cmdline", &line, &size, NULL)) {
        return false;
    }
    for (size_t at = 0; at < size; at += strlen(line + at) + 1) {
        if (g_str_has_prefix(line + at, "-p") ||
            g_str_has_prefix(line + at, "-s")) {
            return false;
        }
    }
    return true;
}

static bool row_seen(const Coverage *g, const OpcodeRow *row, unsigned form)
{
    unsigned gen = g - coverage_generations;
    AmdInst inst;

    if (!g->decode(row->words, row->count, &inst)) {
        return false;
    }
    if (strcmp(row->family, "VOPD_Y") == 0) {
        return seen[gen][form][FAM_VOPDY][inst.y.op];
    }
    return seen[gen][form][inst.family][inst.op];
}

static bool decodes_as(const Coverage *g, const uint32_t *words, AmdForm form)
{
    AmdInst inst;

    return g->decode(words, 2, &inst) && inst.form == form;
}

static bool has_sdwa(const Coverage *g, uint32_t *words)
{
    words[0] |= 0xf9;
    words[1] = 0x06060600;
    if (decodes_as(g, words, FORM_SDWA)) {
        return true;
    }
    words[1] = 0x00060600; /* one source */
    return decodes_as(g, words, FORM_SDWA);
}

bool coverage_has_form(const Coverage *g, const OpcodeRow *row, unsigned form)
{
    /* src0 is v0, selectors are DWORD, lanes stay where they are. */
    uint32_t words[2] = { row->words[0] & ~0x1ffu, 0xff00e400 };
    bool first = g == &coverage_generations[GEN_9];

    if (form == COVERAGE_PLAIN) {
        return true;
    }
    if (strcmp(row->family, "VOP1") && strcmp(row->family, "VOP2") &&
        strcmp(row->family, "VOPC")) {
        return false;
    }
    if (first && form == COVERAGE_SDWA) {
        return has_sdwa(g, words);
    }
    words[0] |= !first && form == COVERAGE_DPP8 ? 0xe9 : 0xfa;
    return decodes_as(g, words, first ? FORM_DPP :
                      form == COVERAGE_DPP8 ? FORM_DPP8 : FORM_DPP16);
}

static void write_record(const char *folder, const Coverage *g,
                         GPtrArray *rows)
{
    g_autofree char *inner = g_build_filename(folder, g->name, NULL);
    g_autofree char *path = g_build_filename(inner, test_name(), NULL);
    FILE *file;

    g_mkdir_with_parents(inner, 0755);
    file = fopen(path, "a"); /* test-valu runs once for each target */
    for (guint i = 0; file && i < rows->len; i++) {
        const OpcodeRow *row = g_ptr_array_index(rows, i);

        for (unsigned form = 0; form < COVERAGE_FORMS; form++) {
            if (row_seen(g, row, form)) {
                fprintf(file, "%s\t%u\t%s\n", row->family, row->opcode,
                        g->forms[form]);
            }
        }
    }
    if (!file || fclose(file)) {
        fprintf(stderr, "coverage: cannot write %s\n", path);
        _exit(1);
    }
}

/* A line: family, opcode, mnemonic, and the test for each form. */
static unsigned check_line(const char *line, const Coverage *g,
                           const OpcodeRow *row)
{
    g_auto(GStrv) columns = g_strsplit(line, "\t", -1);
    unsigned missing = 0;

    for (unsigned form = 0; form < COVERAGE_FORMS; form++) {
        if (strcmp(columns[3 + form], test_name()) == 0 &&
            !row_seen(g, row, form)) {
            printf("# %s: %s opcode %u, %s, %s: not executed\n", g->name,
                   row->family, row->opcode, row->mnemonic, g->forms[form]);
            missing++;
        }
    }
    return missing;
}

/* The file has a line for each row, in their order. */
static unsigned check_record(const Coverage *g, GPtrArray *rows)
{
    g_autofree char *file = g_strconcat(g->name, "-coverage.tsv", NULL);
    g_autofree char *path = g_build_filename(TEST_DATA_DIR, file, NULL);
    g_autofree char *content = NULL;
    g_auto(GStrv) lines = NULL;
    unsigned missing = 0, at = 0;

    if (!g_file_get_contents(path, &content, NULL, NULL)) {
        printf("# cannot read %s\n", path);
        return 1;
    }
    lines = g_strsplit(content, "\n", -1);
    for (unsigned i = 0; lines[i] && at < rows->len; i++) {
        if (lines[i][0] && lines[i][0] != '#') {
            missing += check_line(lines[i], g, g_ptr_array_index(rows, at++));
        }
    }
    return missing;
}

static void at_exit(void)
{
    const char *folder = g_getenv("COVERAGE_WRITE");
    unsigned missing = 0;

    if (!all_tests_run()) {
        return;
    }
    for (int gen = 0; gen < COVERAGE_GENERATIONS; gen++) {
        const Coverage *g = &coverage_generations[gen];
        g_autoptr(GPtrArray) rows = decode_rows(g->tables);

        if (folder) {
            write_record(folder, g, rows);
        } else if (has_run[gen]) {
            missing += check_record(g, rows);
        }
    }
    if (missing) {
        printf("# %s is named for these rows in data/*-coverage.tsv\n",
               test_name());
        fflush(NULL);
        _exit(1);
    }
}

/* One level of each instruction set is enough; the others run as they are. */
static int find_exec(const TesseraIsaExec *real)
{
    for (int i = 0; i < ISAS; i++) {
        const TesseraIsa *isa = tessera_isas[i];

        if (!isa) {
            break;
        }
        for (int level = 0; level < TESSERA_LEVELS; level++) {
            if (isa->exec[level] == real &&
                (!real_exec[i] || real_exec[i] == real)) {
                real_exec[i] = real;
                return i;
            }
        }
    }
    return -1;
}

void coverage_attach(Worker *worker)
{
    const TesseraIsaExec *real = worker->exec;
    int isa = find_exec(real);

    if (isa < 0) {
        return;
    }
    if (!traced) {
        traced = g_new0(Traced, TRACED);
        atexit(at_exit);
    }
    exec_copy[isa] = *real;
    exec_copy[isa].decode = trace_decodes[isa];
    worker->exec = &exec_copy[isa];
}
