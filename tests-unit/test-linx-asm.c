/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole sources of LinxISA: programs that others made, written as text. */
#include <string.h>
#include "linx-data.h"
#include "tools/linx-asm.h"

/* linx-blocks section 17.1 and what is around it. */
static const char p1[] =
    "        bstart.std.fall .\n"
    "        lui 32, ->a0             // 0x20000\n"
    "        addi zero, 5, ->a1\n"
    "        addi zero, 94, ->x1\n"
    "        bstart.mpar vs16\n"
    "        b.dim zero, 128, ->lb0\n"
    "        b.ior [a0, a1], [a2]\n"
    "        b.iot [], last, ->t<512B>\n"
    "        b.text body\n"
    "        bstart.sys.fall .\n"
    "        acrc 1\n"
    "        bstop\n"
    "body:   v.add lc0.uh, ri1.uw, ->vt.w\n"
    "        v.add vt#1.reuse.uw, lc0.uh<<1, ->vu.w\n"
    "        v.sw vu#1.reuse.uw, [ri0.ud, lc0.uh<<2]\n"
    "        v.sw.local vu#1.uw, [to.ud, lc0.uh<<2]\n"
    "        v.rdadd vt#1.uw, ->ro0.d\n"
    "        bstop\n";

/* Saves P, branches on it, restores it, and loops. */
static const char p3[] =
    "        bstart.std.fall .\n"
    "        lui 32, ->a0\n"
    "        addi zero, 94, ->x1\n"
    "        bstart.mpar vs16\n"
    "        b.dim zero, 40, ->lb0\n"
    "        b.ior [a0], [a3]\n"
    "        b.text body\n"
    "        bstart.sys.fall .\n"
    "        acrc 1\n"
    "        bstop\n"
    "body:   l.addi p.ud, 0, ->u.d\n"
    "        v.cmp.lti lc0.uh, 10, ->p.d\n"
    "        b.z else\n"
    "        v.addi lc0.uh, 100, ->vt.w\n"
    "        v.sw vt#1.uw, [ri0.ud, lc0.uh<<2]\n"
    "else:   l.xor u#1.ud, p.ud, ->p.d\n"
    "        v.addi lc0.uh, 200, ->vt.w\n"
    "        v.sw vt#1.uw, [ri0.ud, lc0.uh<<2]\n"
    "        l.addi u#1.ud, 0, ->p.d  ; all lanes again\n"
    "        l.addi zero.ud, 0, ->t.d\n"
    "loop:   l.addi t#1.ud, 1, ->t.d\n"
    "        l.addi zero.ud, 3, ->u.d\n"
    "        b.ne t#1, u#1, loop\n"
    "        bstop\n";

static const char p2[] =
    "bstart.std.fall .\n lui 32, ->a0\n addi zero, 94, ->x1\n"
    "bstart.mpar vs16\n b.catr.dr\n"
    "b.dim zero, 70, ->lb0\n b.dim zero, 3, ->lb1\n b.dim zero, 2, ->lb2\n"
    "b.ior [a0], []\n b.text body\n"
    "bstart.sys.fall .\n acrc 1\n bstop\n"
    ".align 8\n"
    "body: v.madd lc2.uh, lb1.uh, lc1.uh, ->vt.w\n"
    "v.madd vt#1.uw, lb0.uh, lc0.uh, ->vt.w\n"
    "v.add lc0.uh, lc1.uh<<8, ->vu.w\n"
    "v.add vu#1.uw, lc2.uh<<16, ->vu.w\n"
    "v.sw vu#1.uw, [ri0.ud, vt#1.uw<<2]\n"
    "bstop\n";

static const char *program_hex(GPtrArray *programs, const char *name)
{
    for (unsigned i = 0; i < programs->len; i++) {
        char **row = g_ptr_array_index(programs, i);

        if (!strcmp(row[0], name)) {
            return row[1];
        }
    }
    g_assert_not_reached();
}

static void check_program(const char *name, const char *source)
{
    g_autoptr(GPtrArray) programs = linx_data("linx-programs.tsv");
    g_autoptr(GString) hex = g_string_new("");
    g_autoptr(GError) error = NULL;
    g_autoptr(GByteArray) code = linx_asm_source(name, source, &error);

    g_assert_no_error(error);
    for (unsigned i = 0; i < code->len; i++) {
        g_string_append_printf(hex, "%02x", code->data[i]);
    }
    g_assert_cmpstr(hex->str, ==, program_hex(programs, name));
}

static void test_programs(void)
{
    check_program("P1", p1);
    check_program("P2-rd", p2);
    check_program("P3", p3);
}

static void test_directives(void)
{
    static const char source[] =
        ".byte 1, 0xff ; two\n"
        ".half -1\n"
        "a: b: .word 0x12345678\n"
        ".align 16\n"
        ".dword -2\n"
        "j b // backwards\n";
    /* J, simm22 = -10 parcels: 0x37, {11:7} = 31, {31:15} = 0x1fff6. */
    static const uint8_t expected[] = {
        0x01, 0xff, 0xff, 0xff, 0x78, 0x56, 0x34, 0x12,
        0, 0, 0, 0, 0, 0, 0, 0,
        0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xb7, 0x0f, 0xfb, 0xff,
    };
    g_autoptr(GError) error = NULL;
    g_autoptr(GByteArray) code = linx_asm_source("x", source, &error);

    g_assert_no_error(error);
    g_assert_cmpmem(code->data, code->len, expected, sizeof(expected));
}

static void test_mistakes(void)
{
    static const char *const cases[][2] = {
        { "bstop\nfrob\n", "x:2: there is no such instruction at \"frob\"" },
        { "\n\nj there", "x:3: there is no label there at \"there\"" },
        { "a: a: bstop", "x:1: there are two labels a" },
        { "1a: bstop", "x:1: \"1a\" is no label" },
        { ".byte 256", "x:1: \"256\" is no number of 1 bytes" },
        { ".half", "x:1: \"\" is no number of 2 bytes" },
        { ".align 3", "x:1: .align takes a power of 2 from 1 to 4096" },
        { ".quad 1", "x:1: there is no directive .quad" },
        { "a: .word 0\n.align 4096\n.word 0\nb.eq zero, zero, a",
          "x:4: simm12 is -2048 to 2047 at the end" },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;

        g_assert_null(linx_asm_source("x", cases[i][0], &error));
        g_assert_nonnull(error);
        g_assert_cmpstr(error->message, ==, cases[i][1]);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/linx/source/programs", test_programs);
    g_test_add_func("/linx/source/directives", test_directives);
    g_test_add_func("/linx/source/mistakes", test_mistakes);
    return g_test_run();
}
