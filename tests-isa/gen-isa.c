/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The coverage pages docs/isa-gfx9.md, -gfx11.md and -gfx12.md: every row of a
 * generation's opcode table, what becomes of it, and the test that executes it.
 *
 *   gen-isa GEN --merge FOLDER TSV  make data/GEN-coverage.tsv of the records
 *                                   that the tests wrote with COVERAGE_WRITE
 *   gen-isa GEN --write TSV PAGE    write the page
 *   gen-isa GEN --check TSV PAGE    exit with 1 unless PAGE is what would be
 *                                   written and every row and form has a test
 */
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include "target/amdgpu/ops.h"
#include "target/amdgpu/rows.h"
#include "tests-unit/coverage.h"

typedef struct Row {
    const OpcodeRow *row;
    const AmdInsn *insn;
    const char *reason;         /* why it faults; NULL: it is executed */
    char *test[COVERAGE_FORMS]; /* "-": none */
} Row;

static const Coverage *generation;
static GPtrArray *opcode_rows;
static GArray *rows;

/* ---- rows that fault by design ---- */

static const struct {
    const char *prefix, *reason;
} reasons[] = {
    { "ds_gws_", "there is no global wave sync" },
    { "ds_ordered_count", "there is no global data share; ordered append "
      "belongs to the graphics pipeline" },
    { "ds_add_gs_reg", "counters of geometry belong to the graphics pipeline" },
    { "ds_sub_gs_reg", "counters of geometry belong to the graphics pipeline" },
    { "ds_bvh_stack", "for rays, as image_bvh_intersect_ray is" },
    { "global_atomic_ordered_add", "ordered append belongs to the graphics "
      "pipeline" },
};

static const char *fault_reason(const AmdInsn *insn)
{
    if (insn->class == CLASS_GFX) {
        return "graphics: illegal instruction";
    }
    if (strcmp(insn->text, "NOSEM")) {
        return NULL;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(reasons); i++) {
        if (g_str_has_prefix(insn->name, reasons[i].prefix)) {
            return reasons[i].reason;
        }
    }
    return ""; /* there must be none; the check tells */
}

static void read_rows(void)
{
    opcode_rows = decode_rows(generation->tables);
    rows = g_array_new(FALSE, TRUE, sizeof(Row));
    for (guint i = 0; i < opcode_rows->len; i++) {
        const OpcodeRow *o = g_ptr_array_index(opcode_rows, i);
        Row r = { o };
        AmdInst inst;

        if (!generation->decode(o->words, o->count, &inst)) {
            g_error("%s is not decoded", o->text);
        }
        r.insn = &amd_insns[strcmp(o->family, "VOPD_Y") ? inst.op : inst.y.op];
        r.reason = fault_reason(r.insn);
        g_array_append_val(rows, r);
    }
}

/* ---- merging records ---- */

/* Which test is to answer for a family, if several execute it. */
static const char *const owners[][2] = {
    { "S", "salu" }, { "V", "valu" }, { "DS", "ds" }, { "FLAT", "flat" },
    { "M", "buffer" }, { "SMEM", "smem" },
};

static int rank(const Row *r, const char *test)
{
    const char *owner = "";

    for (size_t i = 0; i < G_N_ELEMENTS(owners); i++) {
        if (g_str_has_prefix(r->row->family, owners[i][0])) {
            owner = owners[i][1];
        }
    }
    return strcmp(owner, test) == 0 ? 3 : g_str_has_prefix(test, owner) ? 2 :
           strcmp(test, "rows") == 0;
}

static void merge_line(const char *line, const char *test)
{
    g_auto(GStrv) columns = g_strsplit(line, "\t", -1);

    if (g_strv_length(columns) != 3) {
        return;
    }
    for (guint i = 0; i < rows->len; i++) {
        Row *r = &g_array_index(rows, Row, i);

        if (strcmp(r->row->family, columns[0]) ||
            r->row->opcode != g_ascii_strtoull(columns[1], NULL, 10)) {
            continue;
        }
        for (unsigned f = 0; f < COVERAGE_FORMS; f++) {
            char **have = &r->test[f];

            if (strcmp(generation->forms[f], columns[2]) == 0 &&
                (!*have || rank(r, test) > rank(r, *have) ||
                 (rank(r, test) == rank(r, *have) &&
                  strcmp(test, *have) < 0))) {
                g_free(*have);
                *have = g_strdup(test);
            }
        }
    }
}

static int merge(const char *folder, const char *tsv)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    FILE *file = fopen(tsv, "w");
    const char *name;

    if (!dir || !file) {
        fprintf(stderr, "gen-isa: cannot open %s\n", dir ? tsv : folder);
        return 1;
    }
    while ((name = g_dir_read_name(dir))) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        g_autofree char *content = NULL;
        g_auto(GStrv) lines = NULL;

        g_file_get_contents(path, &content, NULL, NULL);
        lines = g_strsplit(content ? content : "", "\n", -1);
        for (unsigned i = 0; lines[i]; i++) {
            merge_line(lines[i], name);
        }
    }
    fputs("# The test that executes each row, form by form; made by "
          "`meson compile -C build update-isa`.\n"
          "# Columns: family, opcode, mnemonic, ", file);
    fprintf(file, "%s, %s, %s.\n", generation->forms[0], generation->forms[1],
            generation->forms[2]);
    for (guint i = 0; i < rows->len; i++) {
        const Row *r = &g_array_index(rows, Row, i);

        fprintf(file, "%s\t%u\t%s", r->row->family, r->row->opcode,
                r->row->mnemonic);
        for (unsigned f = 0; f < COVERAGE_FORMS; f++) {
            fprintf(file, "\t%s", r->test[f] &&
                    coverage_has_form(generation, r->row, f) ? r->test[f] : "-");
        }
        fputc('\n', file);
    }
    return fclose(file) != 0;
}

static bool read_tests(const char *tsv)
{
    g_autofree char *content = NULL;
    g_auto(GStrv) lines = NULL;
    guint at = 0;

    if (!g_file_get_contents(tsv, &content, NULL, NULL)) {
        fprintf(stderr, "gen-isa: cannot read %s\n", tsv);
        return false;
    }
    lines = g_strsplit(content, "\n", -1);
    for (unsigned i = 0; lines[i]; i++) {
        g_auto(GStrv) columns = g_strsplit(lines[i], "\t", -1);
        Row *r = at < rows->len ? &g_array_index(rows, Row, at) : NULL;

        if (!lines[i][0] || lines[i][0] == '#') {
            continue;
        }
        if (!r || g_strv_length(columns) != 3 + COVERAGE_FORMS ||
            strcmp(columns[0], r->row->family) ||
            strcmp(columns[2], r->row->mnemonic)) {
            fprintf(stderr, "gen-isa: %s does not fit the opcode table at "
                    "'%s'\n", tsv, lines[i]);
            return false;
        }
        for (unsigned f = 0; f < COVERAGE_FORMS; f++) {
            r->test[f] = g_strdup(columns[3 + f]);
        }
        at++;
    }
    return at == rows->len;
}

/* ---- the page ---- */

typedef struct Family {
    const char *family, *title, *encoding;
} Family;

static const Family gfx9_families[] = {
    { "SOP2", "SOP2, scalar with two sources",
      "31:30 = 10, op 29:23, sdst 22:16, ssrc1 15:8, ssrc0 7:0" },
    { "SOPK", "SOPK, scalar with a 16-bit constant",
      "31:28 = 1011, op 27:23, sdst 22:16, simm16 15:0" },
    { "SOP1", "SOP1, scalar with one source",
      "31:23 = 101111101, sdst 22:16, op 15:8, ssrc0 7:0" },
    { "SOPC", "SOPC, scalar compares",
      "31:23 = 101111110, op 22:16, ssrc1 15:8, ssrc0 7:0" },
    { "SOPP", "SOPP, program control",
      "31:23 = 101111111, op 22:16, simm16 15:0" },
    { "SMEM", "SMEM, scalar memory",
      "31:26 = 110000, op 25:18, imm 17, glc 16, nv 15, soe 14, sdata 12:6, "
      "sbase 5:0; soffset 63:57, offset 52:32" },
    { "VOP2", "VOP2, vector with two sources",
      "31 = 0, op 30:25, vdst 24:17, vsrc1 16:9, src0 8:0" },
    { "VOP1", "VOP1, vector with one source",
      "31:25 = 0111111, vdst 24:17, op 16:9, src0 8:0" },
    { "VOPC", "VOPC, vector compares",
      "31:25 = 0111110, op 24:17, vsrc1 16:9, src0 8:0" },
    { "VOP3", "VOP3, vector with three sources; the others' long form",
      "31:26 = 110100, op 25:16, clamp 15, op_sel 14:11 and abs 10:8 or sdst "
      "14:8, vdst 7:0; neg 63:61, omod 60:59, src2 58:50, src1 49:41, src0 "
      "40:32" },
    { "VOP3P", "VOP3P, packed vector",
      "31:23 = 110100111, op 22:16, clamp 15, op_sel_hi[2] 14, op_sel 13:11, "
      "neg_hi 10:8, vdst 7:0; neg_lo 63:61, op_sel_hi 60:59, src2, src1, src0 "
      "as VOP3" },
    { "VINTRP", "VINTRP, interpolation",
      "31:26 = 110101, vdst 25:18, op 17:16, attr 15:10, chan 9:8, vsrc 7:0" },
    { "DS", "DS, local and global data share",
      "31:26 = 110110, op 24:17, gds 16, offset1 15:8, offset0 7:0; vdst "
      "63:56, data1 55:48, data0 47:40, addr 39:32" },
    { "FLAT", "FLAT", "31:26 = 110111, op 24:18, slc 17, glc 16, seg 15:14 = "
      "0, lds 13, offset 11:0; vdst 63:56, nv 55, saddr 54:48, data 47:40, "
      "addr 39:32" },
    { "FLAT_SCRATCH", "SCRATCH",
      "as FLAT with seg = 1 and a signed offset 12:0" },
    { "FLAT_GLOBAL", "GLOBAL",
      "as FLAT with seg = 2 and a signed offset 12:0" },
    { "MUBUF", "MUBUF, untyped buffers",
      "31:26 = 111000, op 24:18, slc 17, lds 16, glc 14, idxen 13, offen 12, "
      "offset 11:0; soffset 63:56, tfe 55, srsrc/4 52:48, vdata 47:40, vaddr "
      "39:32" },
    { "MTBUF", "MTBUF, typed buffers",
      "31:26 = 111010, nfmt 25:23, dfmt 22:19, op 18:15, glc 14, idxen 13, "
      "offen 12, offset 11:0; soffset 63:56, tfe 55, slc 54, srsrc/4 52:48, "
      "vdata 47:40, vaddr 39:32" },
    { "MIMG", "MIMG, images", "31:26 = 111100, op 24:18; decoded only" },
    { "EXP", "EXP, exports", "31:26 = 110001; decoded only" },
};

static const Family gfx11_families[] = {
    { "SMEM", "SMEM, scalar memory",
      "31:26 = 111101, op 25:18, glc 14, dlc 13, sdata 12:6, sbase 5:0; soffset "
      "63:57, offset 52:32" },
    { "DS", "DS, local data share",
      "31:26 = 110110, op 25:18, gds 17, offset1 15:8, offset0 7:0; vdst 63:56, "
      "data1 55:48, data0 47:40, addr 39:32" },
    { "FLAT", "FLAT",
      "31:26 = 110111, op 24:18, seg 17:16 = 0, slc 15, glc 14, dlc 13, offset "
      "12:0; vdst 63:56, sve 55, saddr 54:48, data 47:40, addr 39:32" },
    { "SCRATCH", "SCRATCH",
      "as FLAT with seg = 1 and a signed offset" },
    { "GLOBAL", "GLOBAL",
      "as FLAT with seg = 2 and a signed offset" },
    { "MUBUF", "MUBUF, untyped buffers",
      "31:26 = 111000, op 25:18, glc 14, dlc 13, slc 12, offset 11:0; soffset "
      "63:56, idxen 55, offen 54, tfe 53, srsrc/4 52:48, vdata 47:40, vaddr 39:32" },
    { "MTBUF", "MTBUF, typed buffers",
      "31:26 = 111010, format 25:19, op 18:15, then as MUBUF" },
    { "MIMG", "MIMG, images",
      "31:26 = 111100, op 25:18; decoded only" },
    { "EXP", "EXP, exports",
      "31:26 = 111110; decoded only" },
};

static const Family gfx12_families[] = {
    { "SMEM", "SMEM, scalar memory",
      "31:26 = 111101, th 24:23, scope 22:21, op 18:13, sdata 12:6, sbase 5:0; "
      "soffset 63:57, offset 55:32" },
    { "DS", "VDS, local data share",
      "31:26 = 110110, op 25:18, offset1 15:8, offset0 7:0; vdst 63:56, data1 "
      "55:48, data0 47:40, addr 39:32" },
    { "VFLAT", "VFLAT",
      "31:26 = 111011, seg 25:24 = 0, op 21:14, saddr 6:0; vdata 62:55, th 54:52, "
      "scope 51:50, sve 49, vdst 39:32; offset 95:72, vaddr 71:64" },
    { "VSCRATCH", "VSCRATCH",
      "as VFLAT with seg = 1" },
    { "VGLOBAL", "VGLOBAL",
      "as VFLAT with seg = 2" },
    { "VBUFFER", "VBUFFER, untyped buffers, and typed ones from opcode 128",
      "31:26 = 110001, tfe 22, op 21:14, nv 7, soffset 6:0; idxen 63, offen 62, "
      "format 61:55, th 54:52, scope 51:50, rsrc 49:41, vdata 39:32; offset 95:72, "
      "vaddr 71:64" },
    { "VIMAGE", "VIMAGE, images",
      "31:26 = 110100, op 21:14; decoded only" },
    { "VSAMPLE", "VSAMPLE, images with a sampler",
      "31:26 = 111001, op 21:14; decoded only" },
    { "EXP", "EXP, exports",
      "31:26 = 111110; decoded only" },
};

/* What gfx11 and gfx12 have alike. */
static const Family rdna_families[] = {
    { "SOP2", "SOP2, scalar with two sources",
      "31:30 = 10, op 29:23, sdst 22:16, ssrc1 15:8, ssrc0 7:0" },
    { "SOPK", "SOPK, scalar with a 16-bit constant",
      "31:28 = 1011, op 27:23, sdst 22:16, simm16 15:0" },
    { "SOP1", "SOP1, scalar with one source",
      "31:23 = 101111101, sdst 22:16, op 15:8, ssrc0 7:0" },
    { "SOPC", "SOPC, scalar compares",
      "31:23 = 101111110, op 22:16, ssrc1 15:8, ssrc0 7:0" },
    { "SOPP", "SOPP, program control",
      "31:23 = 101111111, op 22:16, simm16 15:0" },
    { "VOP2", "VOP2, vector with two sources",
      "31 = 0, op 30:25, vdst 24:17, vsrc1 16:9, src0 8:0" },
    { "VOP1", "VOP1, vector with one source",
      "31:25 = 0111111, vdst 24:17, op 16:9, src0 8:0" },
    { "VOPC", "VOPC, vector compares",
      "31:25 = 0111110, op 24:17, vsrc1 16:9, src0 8:0" },
    { "VOP3", "VOP3, vector with three sources; the others' long form",
      "31:26 = 110101, op 25:16, clamp 15, op_sel 14:11 and abs 10:8 or sdst 14:8, "
      "vdst 7:0; neg 63:61, omod 60:59, src2 58:50, src1 49:41, src0 40:32" },
    { "VOP3P", "VOP3P, packed vector, dot products, matrices",
      "31:23 = 110011000, op 22:16, clamp 15, op_sel_hi[2] 14, op_sel 13:11, "
      "neg_hi 10:8, vdst 7:0; neg_lo 63:61, op_sel_hi 60:59, src2, src1, src0 as "
      "VOP3" },
    { "VOPD_X", "VOPD, the first of a pair",
      "31:26 = 110010, op of X 25:22, op of Y 21:17, vsrc1 of X 16:9, src0 of X "
      "8:0; vdst of X 63:56, vdst of Y 55:49, vsrc1 of Y 48:41, src0 of Y 40:32" },
    { "VOPD_Y", "VOPD, the second of a pair",
      "as above; its vdst is odd where that of X is even, and even where it is odd" },
    { "VINTERP", "VINTERP, interpolation",
      "31:24 = 11001101, op 22:16; decoded only" },
    { "LDSDIR", "LDSDIR, parameters",
      "31:24 = 11001110, op 21:20; decoded only" },
};

static const char *title(void)
{
    static const char *const titles[] = {
        [GEN_9] = "gfx900", [GEN_11] = "gfx1100 and gfx1150",
        [GEN_12] = "gfx1200 and gfx1201",
    };

    return titles[generation - coverage_generations];
}

static void page_head(GString *s)
{
    unsigned executed = 0, faulting = 0;

    for (guint i = 0; i < rows->len; i++) {
        const Row *r = &g_array_index(rows, Row, i);

        faulting += r->reason != NULL;
        executed += !r->reason;
    }
    g_string_append_printf(s,
        "<!-- Made by tests-isa/gen-isa.c: do not edit, run "
        "`meson compile -C build update-isa`. -->\n"
        "# Instructions of %s\n\n"
        "Every row of the opcode table, %u in all: %u are executed, %u fault "
        "by design, and the queue stops with a fault record that names the "
        "instruction.\n"
        "A fault for a graphics instruction has the cause "
        "ILLEGAL_INSTRUCTION, for global data share and global wave sync (also with the gds bit "
        "of other DS instructions) NO_GDS, for any other UNIMPLEMENTED.\n\n"
        "*test* is the program of `tests-unit` that executes the row and "
        "compares its results with a model, the manual or LLVM's expectation; "
        "each keeps a record\n"
        "of what it executes and fails if a row that it is named for is not "
        "in it. *%s* and *%s* name the test of that form; a dash says that "
        "there is no such form.\n"
        "Operands, modifiers and texts of all rows are compared with "
        "`llvm-mc` by the test `decode`. What is not in the table faults as "
        "an illegal instruction.\n",
        title(), rows->len, executed, faulting, generation->forms[1],
        generation->forms[2]);
}

static void page_row(GString *s, const Row *r)
{
    g_string_append_printf(s, "| %u | `%s` | ", r->row->opcode,
                           r->row->mnemonic);
    if (r->reason) {
        g_string_append_printf(s, "faults: %s | %s | | |\n", r->reason,
                               r->test[0]);
        return;
    }
    g_string_append_printf(s, "executed | %s | %s | %s |\n", r->test[0],
                           r->test[1], r->test[2]);
}

static void page_families(GString *s, const Family *families, size_t n)
{
    for (size_t f = 0; f < n; f++) {
        g_string_append_printf(s, "\n## %s\n\n%s\n\n"
                               "| opcode | mnemonic | | test | %s | %s |\n"
                               "|---|---|---|---|---|---|\n",
                               families[f].title, families[f].encoding,
                               generation->forms[1], generation->forms[2]);
        for (guint i = 0; i < rows->len; i++) {
            const Row *r = &g_array_index(rows, Row, i);

            if (strcmp(r->row->family, families[f].family) == 0) {
                page_row(s, r);
            }
        }
    }
}

static char *page(void)
{
    static const struct {
        const Family *families;
        size_t count;
    } own[] = {
        [GEN_9] = { gfx9_families, G_N_ELEMENTS(gfx9_families) },
        [GEN_11] = { gfx11_families, G_N_ELEMENTS(gfx11_families) },
        [GEN_12] = { gfx12_families, G_N_ELEMENTS(gfx12_families) },
    };
    int gen = generation - coverage_generations;
    GString *s = g_string_new(NULL);

    page_head(s);
    if (generation != &coverage_generations[GEN_9]) {
        page_families(s, rdna_families, G_N_ELEMENTS(rdna_families));
    }
    page_families(s, own[gen].families, own[gen].count);
    return g_string_free(s, FALSE);
}

/* ---- checks ---- */

static unsigned check_row(const Row *r)
{
    unsigned wrong = 0;

    if (r->reason && !r->reason[0]) {
        printf("%s opcode %u, %s: has no meaning and no reason\n",
               r->row->family, r->row->opcode, r->row->mnemonic);
        wrong++;
    }
    for (unsigned f = 0; f < COVERAGE_FORMS; f++) {
        bool needed = coverage_has_form(generation, r->row, f) &&
                      (!r->reason || !f);

        if (needed && strcmp(r->test[f], "-") == 0) {
            printf("%s opcode %u, %s: no test executes it (%s)\n",
                   r->row->family, r->row->opcode, r->row->mnemonic,
                   generation->forms[f]);
            wrong++;
        }
    }
    return wrong;
}

static int check(const char *path)
{
    g_autofree char *want = page(), *got = NULL;
    unsigned wrong = 0;

    for (guint i = 0; i < rows->len; i++) {
        wrong += check_row(&g_array_index(rows, Row, i));
    }
    if (!g_file_get_contents(path, &got, NULL, NULL) || strcmp(got, want)) {
        printf("%s is out of date: meson compile -C build update-isa\n", path);
        wrong++;
    }
    return wrong != 0;
}

static bool find_generation(const char *name)
{
    for (int i = 0; i < COVERAGE_GENERATIONS; i++) {
        if (strcmp(coverage_generations[i].name, name) == 0) {
            generation = &coverage_generations[i];
            return true;
        }
    }
    return false;
}

int main(int argc, char **argv)
{
    if (argc != 5 || !find_generation(argv[1])) {
        fprintf(stderr, "usage: gen-isa gfx9|gfx11|gfx12 --merge FOLDER TSV | "
                "--write TSV PAGE | --check TSV PAGE\n");
        return 2;
    }
    read_rows();
    if (strcmp(argv[2], "--merge") == 0) {
        return merge(argv[3], argv[4]);
    }
    if (!read_tests(argv[3])) {
        return 2;
    }
    if (strcmp(argv[2], "--write") == 0) {
        g_autofree char *text = page();

        return !g_file_set_contents(argv[4], text, -1, NULL);
    }
    return check(argv[4]);
}
