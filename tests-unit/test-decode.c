/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The decoders and the disassembler against LLVM 19.1.7: of each target a table
 * of examples that it made, and, if llvm-mc-19 is installed, random encodings.
 *
 * DECODE_WORDS in the environment says how many random words to try of each
 * target, and as many encodings with random fields; the default is 200,000 of
 * each for gfx900 and 4,000 for the others, which takes some seconds.
 * -m thorough makes it 2,000,000 and 200,000.
 */
#include "decode-llvm.h"
#include "target/amdgpu/ops.h"
#include "target/amdgpu/rows.h"
#include "target/gfx11/decode.h"
#include "target/gfx12/decode.h"
#include "target/gfx9/decode.h"

enum { TEXT_MAX = 512, SHOWN = 20 };

typedef struct Target {
    LlvmTarget llvm;
    AmdDecodeFn *decode;
    const char *tables; /* data/NAME-opcodes.tsv */
    void (*encoding)(Random *r, const OpcodeRow *row, Candidate *c);
    const char *(*exception)(const Comparison *c);
    unsigned words, thorough_words;
    GPtrArray *rows;
} Target;

static Target targets[] = {
    { { "gfx900", 0xbf8d7e5e }, gfx9_decode, "gfx9", random_encoding,
      decode_exception, 200000, 2000000 },
    { { "gfx1100", 0xbf827e5e }, gfx11_decode, "gfx11",
      random_rdna_encoding, rdna_exception, 4000, 200000 },
    { { "gfx1150", 0xbf827e5e }, gfx1150_decode, "gfx11 gfx115",
      random_rdna_encoding, rdna_exception, 4000, 200000 },
    { { "gfx1200", 0xbf827e5e }, gfx12_decode, "gfx12",
      random_rdna_encoding, rdna_exception, 4000, 200000 },
    { { "gfx1201", 0xbf827e5e }, gfx12_decode, "gfx12",
      random_rdna_encoding, rdna_exception, 4000, 200000 },
};

static const char *printed_name(const AmdInst *inst, const OpcodeRow *row)
{
    if (strcmp(row->family, "VOPD_Y") == 0) {
        return inst->y.name;
    }
    return inst->name ? inst->name : amd_insns[inst->op].name;
}

static void test_table(gconstpointer data)
{
    const Target *t = data;

    for (guint i = 0; i < t->rows->len; i++) {
        const OpcodeRow *row = g_ptr_array_index(t->rows, i);
        char text[TEXT_MAX];
        AmdInst inst;

        if (!t->decode(row->words, row->count, &inst)) {
            g_test_message("%s is not decoded", row->text);
            g_test_fail();
            continue;
        }
        amd_disassemble(&inst, 0, text, sizeof(text));
        g_assert_cmpstr(printed_name(&inst, row), ==, row->mnemonic);
        g_assert_cmpuint(inst.size, ==, row->count * 4);
        g_assert_cmpstr(text, ==, row->text);
    }
}

static void see_operations(const Target *t, bool *seen)
{
    for (guint i = 0; i < t->rows->len; i++) {
        const OpcodeRow *row = g_ptr_array_index(t->rows, i);
        AmdInst inst;

        if (t->decode(row->words, row->count, &inst)) {
            seen[inst.op] = true;
        }
    }
}

/* Every operation that there is has an example in one of the tables. */
static void test_coverage(void)
{
    g_autofree bool *seen = g_new0(bool, amd_insn_count);

    for (size_t i = 0; i < G_N_ELEMENTS(targets); i++) {
        see_operations(&targets[i], seen);
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
static void test_truncated(gconstpointer data)
{
    const Target *t = data;

    for (guint i = 0; i < t->rows->len; i++) {
        const OpcodeRow *row = g_ptr_array_index(t->rows, i);

        for (unsigned count = 0; count < row->count; count++) {
            AmdInst inst;

            g_assert_false(t->decode(row->words, count, &inst));
        }
    }
}

static void check_bounds(const Target *t, const uint32_t *words, unsigned count)
{
    /* Of exactly that size, so that a sanitizer sees what is read. */
    g_autofree uint32_t *copy = g_memdup2(words, count * 4);
    char text[TEXT_MAX], cut[16];
    AmdInst inst;
    size_t length;

    if (!t->decode(copy, count, &inst)) {
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

static unsigned words_to_try(const Target *t)
{
    const char *given = g_getenv("DECODE_WORDS");

    return given ? g_ascii_strtoull(given, NULL, 10) :
           g_test_thorough() ? t->thorough_words : t->words;
}

static void test_robust(gconstpointer data)
{
    const Target *t = data;
    Random random = { 1 };
    unsigned n = words_to_try(t);

    for (unsigned i = 0; i < n; i++) {
        Candidate c;

        if (i % 2) {
            random_candidate(&random, &c);
        } else {
            t->encoding(&random,
                            g_ptr_array_index(t->rows, random_below(&random,
                                                                 t->rows->len)),
                            &c);
        }
        check_bounds(t, c.words, 1 + i % CANDIDATE_DWORDS);
    }
}

static void judge(const Target *t, Comparison *c)
{
    char text[TEXT_MAX] = "";
    AmdInst inst;

    c->ours.accepted = t->decode(c->candidate.words, CANDIDATE_DWORDS,
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

static void compare(const Target *t, Comparison *c, unsigned n)
{
    g_autofree char *llvm_mc = find_llvm_mc();
    unsigned accepted = 0, same = 0, excepted = 0, wrong = 0;

    if (!llvm_mc) {
        g_test_skip("llvm-mc-19 is not installed");
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        judge(t, &c[i]);
    }
    ask_llvm(llvm_mc, &t->llvm, c, n);
    for (unsigned i = 0; i < n; i++) {
        accepted += c[i].llvms.accepted;
        if (agree(&c[i])) {
            same++;
        } else if (t->exception(&c[i])) {
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

static void test_random_words(gconstpointer data)
{
    const Target *t = data;
    Random random = { 2 };
    unsigned n = words_to_try(t);
    g_autofree Comparison *c = g_new0(Comparison, n);

    for (unsigned i = 0; i < n; i++) {
        do {
            random_candidate(&random, &c[i].candidate);
        } while (llvm_crashes(&t->llvm, &c[i].candidate));
    }
    compare(t, c, n);
}

/* Every operation of the table in turn, with random fields. */
static void test_random_fields(gconstpointer data)
{
    const Target *t = data;
    Random random = { 3 };
    unsigned n = MAX(words_to_try(t), t->rows->len);
    g_autofree Comparison *c = g_new0(Comparison, n);

    for (unsigned i = 0; i < n; i++) {
        do {
            t->encoding(&random, g_ptr_array_index(t->rows, i % t->rows->len),
                            &c[i].candidate);
        } while (llvm_crashes(&t->llvm, &c[i].candidate));
    }
    compare(t, c, n);
}

static void add_test(const Target *t, const char *name, GTestDataFunc test)
{
    g_autofree char *path = g_strdup_printf("/decode/%s/%s", t->llvm.mcpu,
                                            name);

    g_test_add_data_func(path, t, test);
}

int main(int argc, char **argv)
{
    int status;

    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/decode/coverage", test_coverage);
    for (size_t i = 0; i < G_N_ELEMENTS(targets); i++) {
        Target *t = &targets[i];

        t->rows = decode_rows(t->tables);
        add_test(t, "table", test_table);
        add_test(t, "truncated", test_truncated);
        add_test(t, "robust", test_robust);
        add_test(t, "random-words", test_random_words);
        add_test(t, "random-fields", test_random_fields);
    }
    status = g_test_run();
    for (size_t i = 0; i < G_N_ELEMENTS(targets); i++) {
        g_ptr_array_unref(targets[i].rows);
    }
    return status;
}
