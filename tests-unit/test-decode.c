/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The decoder and the disassembler of gfx900 against LLVM 19.1.7: a table of
 * examples that it made, and, if llvm-mc-19 is installed, random encodings.
 *
 * DECODE_WORDS in the environment says how many random words to try, and as
 * many encodings with random fields; the default is 200,000 of each, which
 * takes some seconds.  -m thorough makes it 2,000,000.
 */
#include "decode-llvm.h"
#include "target/amdgpu/ops.h"
#include "target/amdgpu/rows.h"
#include "target/gfx9/decode.h"

enum { TEXT_MAX = 512, SHOWN = 20 };

static GPtrArray *rows;

static void test_table(void)
{
    for (guint i = 0; i < rows->len; i++) {
        const OpcodeRow *row = g_ptr_array_index(rows, i);
        char text[TEXT_MAX];
        AmdInst inst;

        if (!gfx9_decode(row->words, row->count, &inst)) {
            g_test_message("%s is not decoded", row->text);
            g_test_fail();
            continue;
        }
        amd_disassemble(&inst, 0, text, sizeof(text));
        g_assert_cmpstr(amd_insns[inst.op].name, ==, row->mnemonic);
        g_assert_cmpuint(inst.size, ==, row->count * 4);
        g_assert_cmpstr(text, ==, row->text);
    }
}

/* Every operation that there is has an example in the table. */
static void test_coverage(void)
{
    g_autofree bool *seen = g_new0(bool, amd_insn_count);

    for (guint i = 0; i < rows->len; i++) {
        const OpcodeRow *row = g_ptr_array_index(rows, i);
        AmdInst inst;

        if (gfx9_decode(row->words, row->count, &inst)) {
            seen[inst.op] = true;
        }
    }
    for (unsigned op = AMD_none + 1; op < amd_insn_count; op++) {
        const AmdInsn *insn = &amd_insns[op];

        if (!seen[op] && !(insn->flags & INSN_NOSCRATCH &&
                           g_str_has_prefix(insn->name, "scratch_"))) {
            g_test_message("%s has no opcode", insn->name);
            g_test_fail();
        }
    }
}

/* An instruction that is cut short is none. */
static void test_truncated(void)
{
    for (guint i = 0; i < rows->len; i++) {
        const OpcodeRow *row = g_ptr_array_index(rows, i);

        for (unsigned count = 0; count < row->count; count++) {
            AmdInst inst;

            g_assert_false(gfx9_decode(row->words, count, &inst));
        }
    }
}

static void check_bounds(const uint32_t *words, unsigned count)
{
    /* Of exactly that size, so that a sanitizer sees what is read. */
    g_autofree uint32_t *copy = g_memdup2(words, count * 4);
    char text[TEXT_MAX], cut[16];
    AmdInst inst;
    size_t length;

    if (!gfx9_decode(copy, count, &inst)) {
        return;
    }
    g_assert_cmpuint(inst.op, >, AMD_none);
    g_assert_cmpuint(inst.op, <, amd_insn_count);
    g_assert_cmpuint(inst.size, <=, count * 4);
    length = amd_disassemble(&inst, 0, text, sizeof(text));
    g_assert_cmpuint(length, <, sizeof(text));
    g_assert_cmpuint(length, ==, strlen(text));
    g_assert_null(strchr(text, '?'));
    g_assert_cmpuint(amd_disassemble(&inst, 0, cut, sizeof(cut)), ==, length);
    g_assert_cmpuint(strlen(cut), ==, MIN(length, sizeof(cut) - 1));
    g_assert_cmpint(strncmp(cut, text, strlen(cut)), ==, 0);
    g_assert_cmpuint(amd_disassemble(&inst, 0, NULL, 0), ==, length);
}

static unsigned words_to_try(void)
{
    const char *given = g_getenv("DECODE_WORDS");

    return given ? g_ascii_strtoull(given, NULL, 10) :
           g_test_thorough() ? 2000000 : 200000;
}

static void test_robust(void)
{
    Random random = { 1 };
    unsigned n = words_to_try();

    for (unsigned i = 0; i < n; i++) {
        Candidate c;

        if (i % 2) {
            random_candidate(&random, &c);
        } else {
            random_encoding(&random,
                            g_ptr_array_index(rows, random_below(&random,
                                                                 rows->len)),
                            &c);
        }
        check_bounds(c.words, 1 + i % CANDIDATE_DWORDS);
    }
}

static void judge(Comparison *c)
{
    char text[TEXT_MAX] = "";
    AmdInst inst;

    c->ours.accepted = gfx9_decode(c->candidate.words, CANDIDATE_DWORDS,
                                   &inst);
    if (c->ours.accepted) {
        amd_disassemble(&inst, 0, text, sizeof(text));
        c->size = inst.size;
    }
    c->ours.text = g_strdup(text);
}

static bool agree(const Comparison *c)
{
    return c->ours.accepted == c->llvms.accepted &&
           (!c->ours.accepted || c->same_size) &&
           strcmp(c->ours.text, c->llvms.text) == 0;
}

static void show(const Comparison *c)
{
    g_test_message("%08x %08x %08x: LLVM '%s', ours '%s'%s",
                   c->candidate.words[0], c->candidate.words[1],
                   c->candidate.words[2], c->llvms.text, c->ours.text,
                   c->ours.accepted && c->llvms.accepted && !c->same_size ?
                   ", sizes differ" : "");
}

static void compare(Comparison *c, unsigned n)
{
    g_autofree char *llvm_mc = find_llvm_mc();
    unsigned accepted = 0, same = 0, excepted = 0, wrong = 0;

    if (!llvm_mc) {
        g_test_skip("llvm-mc-19 is not installed");
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        judge(&c[i]);
    }
    ask_llvm(llvm_mc, c, n);
    for (unsigned i = 0; i < n; i++) {
        accepted += c[i].llvms.accepted;
        if (agree(&c[i])) {
            same++;
        } else if (decode_exception(&c[i])) {
            excepted++;
        } else if (wrong++ < SHOWN) {
            show(&c[i]);
        }
        g_free(c[i].ours.text);
        g_free(c[i].llvms.text);
    }
    g_test_message("%u candidates, %u of them instructions to LLVM: "
                   "%u same, %u excepted, %u wrong", n, accepted, same,
                   excepted, wrong);
    g_assert_cmpuint(wrong, ==, 0);
}

static void test_random_words(void)
{
    Random random = { 2 };
    unsigned n = words_to_try();
    g_autofree Comparison *c = g_new0(Comparison, n);

    for (unsigned i = 0; i < n; i++) {
        do {
            random_candidate(&random, &c[i].candidate);
        } while (llvm_crashes(&c[i].candidate));
    }
    compare(c, n);
}

/* Every operation of the table in turn, with random fields. */
static void test_random_fields(void)
{
    Random random = { 3 };
    unsigned n = MAX(words_to_try(), rows->len);
    g_autofree Comparison *c = g_new0(Comparison, n);

    for (unsigned i = 0; i < n; i++) {
        do {
            random_encoding(&random, g_ptr_array_index(rows, i % rows->len),
                            &c[i].candidate);
        } while (llvm_crashes(&c[i].candidate));
    }
    compare(c, n);
}

int main(int argc, char **argv)
{
    int status;

    g_test_init(&argc, &argv, NULL);
    rows = decode_rows();
    g_test_add_func("/decode/gfx9/table", test_table);
    g_test_add_func("/decode/gfx9/coverage", test_coverage);
    g_test_add_func("/decode/gfx9/truncated", test_truncated);
    g_test_add_func("/decode/gfx9/robust", test_robust);
    g_test_add_func("/decode/gfx9/random-words", test_random_words);
    g_test_add_func("/decode/gfx9/random-fields", test_random_fields);
    status = g_test_run();
    g_ptr_array_unref(rows);
    return status;
}
