/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "coverage.h"
#include "target/amdgpu/ops.h"
#include "target/gfx9/decode.h"

#define COVERAGE_FILE "gfx9-coverage.tsv"

const char *const coverage_forms[COVERAGE_FORMS] = { "plain", "sdwa", "dpp" };

static bool seen[COVERAGE_FORMS][FAM_COUNT][AMD_OP_COUNT];

/* ---- between the engine and the handlers ---- */

/* A micro-operation that has been decoded, and what is behind it. */
typedef struct Traced {
    const Uop *uop;
    UopFn *fn;
    const uint32_t *words;
    unsigned count;
} Traced;

enum { TRACED = 1 << 17 };

static Traced *traced;
static unsigned traced_count;
static const TesseraIsaExec *real_exec;

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
    unsigned form = inst->form == FORM_SDWA ? COVERAGE_SDWA :
                    inst->form == FORM_DPP ? COVERAGE_DPP : COVERAGE_PLAIN;

    seen[form][inst->family][inst->op] = true;
}

static const Uop *trace_uop(Wave *wave, const Uop *uop)
{
    const Traced *t = find_traced(uop);
    AmdInst inst;

    if (gfx9_decode(t->words, t->count, &inst)) {
        coverage_note(&inst);
    }
    TAIL(wave, uop, t->fn);
}

static void trace_decode(const uint32_t *words, unsigned count, unsigned lanes,
                 Uop *uop)
{
    Traced *t = find_traced(uop);

    real_exec->decode(words, count, lanes, uop);
    if (!t->uop && ++traced_count > TRACED / 2) {
        g_error("more code pages than the record has room for");
    }
    *t = (Traced){ uop, uop->fn, words, count };
    uop->fn = trace_uop;
}

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

static bool row_seen(const OpcodeRow *row, unsigned form)
{
    AmdInst inst;

    return gfx9_decode(row->words, row->count, &inst) &&
           seen[form][inst.family][inst.op];
}

static bool decodes_as(const uint32_t *words, AmdForm form)
{
    AmdInst inst;

    return gfx9_decode(words, 2, &inst) && inst.form == form;
}

bool coverage_has_form(const OpcodeRow *row, unsigned form)
{
    /* src0 is v0, selectors are DWORD, lanes stay where they are. */
    uint32_t words[2] = { row->words[0] & ~0x1ffu };

    if (form == COVERAGE_PLAIN) {
        return true;
    }
    if (strcmp(row->family, "VOP1") && strcmp(row->family, "VOP2") &&
        strcmp(row->family, "VOPC")) {
        return false;
    }
    if (form == COVERAGE_DPP) {
        words[0] |= 0xfa;
        words[1] = 0xff00e400;
        return decodes_as(words, FORM_DPP);
    }
    words[0] |= 0xf9;
    words[1] = 0x06060600;
    if (decodes_as(words, FORM_SDWA)) {
        return true;
    }
    words[1] = 0x00060600; /* one source */
    return decodes_as(words, FORM_SDWA);
}

static void write_record(const char *folder, GPtrArray *rows)
{
    g_autofree char *path = g_build_filename(folder, test_name(), NULL);
    FILE *file = fopen(path, "w");

    for (guint i = 0; file && i < rows->len; i++) {
        const OpcodeRow *row = g_ptr_array_index(rows, i);

        for (unsigned form = 0; form < COVERAGE_FORMS; form++) {
            if (row_seen(row, form)) {
                fprintf(file, "%s\t%u\t%s\n", row->family, row->opcode,
                        coverage_forms[form]);
            }
        }
    }
    if (!file || fclose(file)) {
        fprintf(stderr, "coverage: cannot write %s\n", path);
        _exit(1);
    }
}

/* A line: family, opcode, mnemonic, and the test for each form. */
static unsigned check_line(const char *line, const OpcodeRow *row)
{
    g_auto(GStrv) columns = g_strsplit(line, "\t", -1);
    unsigned missing = 0;

    for (unsigned form = 0; form < COVERAGE_FORMS; form++) {
        if (strcmp(columns[3 + form], test_name()) == 0 &&
            !row_seen(row, form)) {
            printf("# %s opcode %u, %s, %s: not executed\n", row->family,
                   row->opcode, row->mnemonic, coverage_forms[form]);
            missing++;
        }
    }
    return missing;
}

/* The file has a line for each row, in their order. */
static unsigned check_record(GPtrArray *rows)
{
    g_autofree char *path = g_build_filename(TEST_DATA_DIR, COVERAGE_FILE,
                                             NULL);
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
            missing += check_line(lines[i], g_ptr_array_index(rows, at++));
        }
    }
    return missing;
}

static void at_exit(void)
{
    const char *folder = g_getenv("COVERAGE_WRITE");
    GPtrArray *rows;

    if (!all_tests_run()) {
        return;
    }
    rows = decode_rows("gfx9");
    if (folder) {
        write_record(folder, rows);
    } else if (check_record(rows)) {
        printf("# %s is named in data/" COVERAGE_FILE " for these rows\n",
               test_name());
        fflush(NULL);
        _exit(1);
    }
}

void coverage_attach(Worker *worker)
{
    static TesseraIsaExec exec;

    if (real_exec && worker->exec != real_exec) {
        return; /* one level is enough; the others run as they are */
    }
    if (!real_exec) {
        real_exec = worker->exec;
        exec = *real_exec;
        exec.decode = trace_decode;
        traced = g_new0(Traced, TRACED);
        atexit(at_exit);
    }
    worker->exec = &exec;
}
