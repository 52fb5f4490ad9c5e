/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scalar instructions: the ALU's against the models of salu-models.c, over
 * edge values, with SCC 0 and 1 before; EXEC, branches, jumps, messages and
 * what else is program control against what the manuals say.
 */
#include <inttypes.h>
#include <string.h>
#include "salu-models.h"
#include "valu-target.h"
#include "wave-harness.h"
#include "target/amdgpu/ops.h"

/* ---- targets ---- */

typedef struct Target {
    const char *name;
    unsigned lanes;
    unsigned step; /* every so many pairs of values; no common divisor */
} Target;

static const Target targets[] = {
    { "gfx900", 64, 1 }, { "gfx1100", 32, 5 }, { "gfx1100", 64, 11 },
    { "gfx1150", 32, 5 }, { "gfx1150", 64, 11 }, { "gfx1200", 32, 5 },
    { "gfx1200", 64, 11 },
};

/* What the target of a test calls @op; NULL if it does not have it. */
static const char *op_name(const Target *t, AmdOp op)
{
    const ValuOp *row = valu_target_op(valu_target(t->name), op);

    return row ? row->name : NULL;
}

static bool is_gfx900(const Target *t)
{
    return g_str_equal(t->name, "gfx900");
}

static bool is_gfx12(const Target *t)
{
    return g_str_has_prefix(t->name, "gfx12");
}

/* Snippets that are put together from the names of a target. */
typedef struct Texts {
    GPtrArray *texts;
    WaveCode *code;
} Texts;

static G_GNUC_PRINTF(2, 3) void texts_add(Texts *t, const char *format, ...)
{
    va_list args;

    t->texts = t->texts ? t->texts : g_ptr_array_new_with_free_func(g_free);
    va_start(args, format);
    g_ptr_array_add(t->texts, g_strdup_vprintf(format, args));
    va_end(args);
}

static void texts_assemble(Texts *t)
{
    t->code = wave_assemble((const char *const *)t->texts->pdata,
                            t->texts->len);
}

static const char *texts_get(const Texts *t, unsigned i)
{
    return g_ptr_array_index(t->texts, i);
}

static void texts_free(Texts *t)
{
    wave_code_free(t->code);
    g_ptr_array_free(t->texts, TRUE);
}

static bool bit(uint64_t x, unsigned i)
{
    return x >> i & 1;
}

/* ---- rows ---- */

static const uint64_t values[] = {
    0, 1, 2, 3, 0x1f, 0x20, 0x3f, 0x40, 0x80, 0x8000, 0x10005, 0x00080004,
    0x00200000, 0x0040001f, 0x7f0003, 0x0011000f, 0x7fffffff, 0x80000000,
    0x80000001, 0xfffffffe, 0xffffffff, 0x100000000, 0x7fffffffffffffff,
    0x8000000000000000, 0xffffffff00000000, 0xffffffffffffffff,
    0x123456789abcdef0, 0xfedcba9876543210, 0x0000f000000f0000,
};

static const uint32_t floats32[] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0x3fc00000,
    0xc0200000, 0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff, 0x7f800000,
    0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001, 0x4f000000, 0xcf000000,
    0x4f7fffff, 0x4f800000, 0x477ff000, 0x33000001, 0x387fc000, 0x3eaaaaab,
    0xc2f6e979,
};

static const uint16_t floats16[] = {
    0x0000, 0x8000, 0x3c00, 0xbc00, 0x3800, 0x3e00, 0xc100, 0x0001, 0x83ff,
    0x0400, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x7c01, 0x3bff, 0x0002,
    0x5bff, 0x77ff, 0x6801, 0xb555, 0x3555, 0x1234, 0xcafe,
};

/* Rounding, denormals, IEEE: as HSA has them, and others. */
static const uint32_t modes[] = { 0x3f0, 0x300, 0x1f0, 0x3f5, 0x3fa, 0x3ff,
                                  0x1c5 };

static AmdType source_type(AmdOp op, unsigned i)
{
    return amd_insns[op].src[i];
}

static bool has_floats(AmdOp op)
{
    return source_type(op, 0) == T_f32 || source_type(op, 0) == T_f16;
}

static unsigned value_count(AmdOp op)
{
    return source_type(op, 0) == T_f32 ? G_N_ELEMENTS(floats32) :
           source_type(op, 0) == T_f16 ? G_N_ELEMENTS(floats16) :
                                         G_N_ELEMENTS(values);
}

/* Halves have another one above, of no meaning but to s_cvt_hi_f32_f16. */
static uint64_t value(AmdOp op, unsigned i)
{
    unsigned n = value_count(op);

    return source_type(op, 0) == T_f32 ? floats32[i % n] :
           source_type(op, 0) == T_f16
               ? floats16[i % n] | (uint32_t)floats16[(n - 1 - i) % n] << 16
               : values[i % n];
}

static void run_io(WaveHarness *h, const WaveCode *code, SaluIo *io)
{
    wave_set_sgpr64(h, 10, io->a);
    wave_set_sgpr64(h, 12, io->b);
    wave_set_sgpr64(h, 14, io->d);
    h->w->scc = io->scc;
    wave_set_mode(h, io->mode);
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    io->a = wave_sgpr64(h, 10);
    io->b = wave_sgpr64(h, 12);
    io->d = wave_sgpr64(h, 14);
    io->scc = h->w->scc;
}

static void check_row(WaveHarness *h, const WaveCode *code, const char *text,
                      SaluModel *model, SaluIo before)
{
    SaluIo want = before, got = before;

    model(&want);
    run_io(h, code, &got);
    if (memcmp(&want.d, &got.d, 8) || want.scc != got.scc ||
        want.a != got.a || want.b != got.b || h->w->scc > 1) {
        g_error("%s: a=%" PRIx64 " b=%" PRIx64 " d=%" PRIx64 " scc=%d mode=%x: "
                "want %" PRIx64 " scc=%d, got %" PRIx64 " scc=%u",
                text, before.a, before.b, before.d, before.scc, before.mode,
                want.d, want.scc, got.d, h->w->scc);
    }
}

static void check_rows(WaveHarness *h, const Target *t, const SaluRow *row,
                       const WaveCode *code, const char *text)
{
    unsigned n = value_count(row->op);
    uint32_t mask = is_gfx12(t) ? ~(MODE_IEEE | MODE_DX10_CLAMP) : UINT32_MAX;
    unsigned step = has_floats(row->op) ? 1 : t->step;

    for (unsigned i = 0; i < n * n * 2; i += step) {
        SaluIo io = { value(row->op, i), value(row->op, i / n),
                      0x5a5a1234c3c3fedc, i / n / n, modes[0] & mask };

        if (has_floats(row->op)) { /* also what is accumulated */
            io.d = io.d << 32 | value(row->op, i + i / n);
            io.mode = modes[(i + i / n + t->step) % G_N_ELEMENTS(modes)] & mask;
        }
        check_row(h, code, text, row->model, io);
    }
}

static void test_rows(WaveHarness *h, const void *data)
{
    Texts t = { 0 };
    unsigned at = 0;

    for (unsigned r = 0; r < salu_row_count; r++) {
        const char *name = op_name(data, salu_rows[r].op);

        if (name) {
            texts_add(&t, "%s%s", name, salu_rows[r].operands);
        }
    }
    texts_assemble(&t);
    for (unsigned r = 0; r < salu_row_count; r++) {
        if (op_name(data, salu_rows[r].op)) {
            check_rows(h, data, &salu_rows[r], &t.code[at], texts_get(&t, at));
            at++;
        }
    }
    texts_free(&t);
}

/* ---- SOPK ---- */

static void check_constant(WaveHarness *h, const SaluConstantRow *row,
                           uint16_t k, const WaveCode *code, const char *text)
{
    uint32_t b = row->zero_extends ? k : (uint32_t)(int16_t)k;

    for (unsigned v = 0; v < G_N_ELEMENTS(values) * 2; v++) {
        SaluIo io = { 0, b, values[v / 2], v % 2, modes[0] };

        check_row(h, code, text, row->model, io);
    }
}

static void test_sopk(WaveHarness *h, const void *data)
{
    static const uint16_t constants[] = { 0, 1, 0x7fff, 0x8000, 0xffff };
    enum { CONSTANTS = G_N_ELEMENTS(constants) };
    Texts t = { 0 };
    unsigned at = 0;

    for (unsigned i = 0; i < salu_constant_row_count * CONSTANTS; i++) {
        const char *name = op_name(data, salu_constant_rows[i / CONSTANTS].op);

        if (name) {
            texts_add(&t, "%s s14, 0x%x", name, constants[i % CONSTANTS]);
        }
    }
    texts_assemble(&t);
    for (unsigned i = 0; i < salu_constant_row_count * CONSTANTS; i++) {
        const SaluConstantRow *row = &salu_constant_rows[i / CONSTANTS];

        if (op_name(data, row->op)) {
            check_constant(h, row, constants[i % CONSTANTS], &t.code[at],
                           texts_get(&t, at));
            at++;
        }
    }
    texts_free(&t);
}

/* ---- operands ---- */

static void test_operands(WaveHarness *h)
{
    static const struct {
        const char *text;
        uint64_t want;
    } cases[] = {
        { "s_mov_b64 s[14:15], 64", 64 },
        { "s_mov_b64 s[14:15], -16", -16ull },
        { "s_mov_b64 s[14:15], 0x12345678", 0x12345678 },
        { "s_mov_b64 s[14:15], 1.0", 0x3ff0000000000000 },
        { "s_mov_b64 s[14:15], -4.0", 0xc010000000000000 },
        { "s_mov_b64 s[14:15], 0.15915494309189532", 0x3fc45f306dc9c882 },
        { "s_mov_b32 s14, 0.5", 0x3f000000 },
        { "s_mov_b32 s14, -2.0", 0xc0000000 },
        { "s_mov_b32 s14, 0xdeadbeef", 0xdeadbeef },
        { "s_mov_b32 s14, scc", 1 },
        { "s_mov_b32 s14, m0", 0x4d30 },
        { "s_mov_b32 s14, vcc_hi", 0x56434348 },
        { "s_mov_b64 s[14:15], vcc", 0x5643434800000000 },
        { "s_mov_b64 s[14:15], exec", 0x00ff00ff00ff00ff },
        { "s_mov_b64 s[14:15], flat_scratch", 0xf1a7 },
        { "s_mov_b64 s[14:15], src_shared_base", 1ull << 48 },
        { "s_mov_b64 s[14:15], src_private_base", 2ull << 48 },
        { "s_mov_b64 vcc, 0\n s_mov_b32 s14, vccz", 1 },
        { "s_mov_b32 s14, execz", 0 },
        { "s_mov_b64 exec, 0\n s_mov_b32 s14, execz", 1 },
    };
    const char *texts[G_N_ELEMENTS(cases)];
    WaveCode *code;

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        texts[i] = cases[i].text;
    }
    code = wave_assemble(texts, G_N_ELEMENTS(cases));
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        wave_reset(h);
        h->w->scc = 1;
        h->w->s[SGPR_M0] = 0x4d30;
        wave_set_exec(h, 0x00ff00ff00ff00ff);
        wave_set_sgpr64(h, SGPR_VCC, 0x5643434800000000);
        wave_set_sgpr64(h, SGPR_FLAT_SCRATCH, 0xf1a7);
        g_assert_cmpint(wave_run(h, &code[i]), ==, TESSERA_FAULT_NONE);
        if (wave_sgpr64(h, 14) != cases[i].want) {
            g_error("%s: %" PRIx64, texts[i], wave_sgpr64(h, 14));
        }
    }
    wave_code_free(code);
}

/* ---- EXEC ---- */

/* EXEC, and the lane mask beside it. */
static void assert_exec(WaveHarness *h, uint64_t want)
{
    const uint32_t *lanes = (const uint32_t *)&h->w->exec;

    g_assert_cmphex(wave_sgpr64(h, SGPR_EXEC), ==, want);
    for (unsigned i = 0; i < 64; i++) {
        g_assert_cmphex(lanes[i], ==, bit(want, i) ? 0xffffffffu : 0);
    }
}

#define E 0x0ff00ff0f00ff00full
#define S 0x3333cccc5555aaaaull

/* Of s, the source, and e, EXEC. */
#define SAVES(X)                                                              \
    X(and_saveexec, and_saveexec, s & e, false)                               \
    X(or_saveexec, or_saveexec, s | e, false)                                 \
    X(xor_saveexec, xor_saveexec, s ^ e, false)                               \
    X(nand_saveexec, nand_saveexec, ~(s & e), false)                          \
    X(nor_saveexec, nor_saveexec, ~(s | e), false)                            \
    X(xnor_saveexec, xnor_saveexec, ~(s ^ e), false)                          \
    X(andn1_saveexec, and_not0_saveexec, ~s & e, false)                       \
    X(orn1_saveexec, or_not0_saveexec, ~s | e, false)                         \
    X(andn2_saveexec, and_not1_saveexec, s & ~e, false)                       \
    X(orn2_saveexec, or_not1_saveexec, s | ~e, false)                         \
    X(andn1_wrexec, and_not0_wrexec, ~s & e, true)                            \
    X(andn2_wrexec, and_not1_wrexec, s & ~e, true)

#define SAVE_FN(name, name32, expression, wrexec)                             \
    static uint64_t name##_fn(uint64_t s, uint64_t e)                         \
    {                                                                         \
        return expression;                                                    \
    }
SAVES(SAVE_FN)

#define SAVE_ROW(name, name32, expression, wrexec)                            \
    { AMD_s_##name##_b64, AMD_s_##name32##_b32, name##_fn, wrexec },
static const struct {
    AmdOp op64, op32;
    uint64_t (*fn)(uint64_t s, uint64_t e);
    bool wrexec; /* the result is the new EXEC, else the old one */
} saves[] = { SAVES(SAVE_ROW) };

/* The source, a text and its value. */
static const struct {
    const char *text64, *text32;
    uint64_t value;
} save_sources[] = {
    { "s[10:11]", "s10", S }, { "0", "0", 0 }, { "-1", "-1", UINT64_MAX },
    { "exec", "exec_lo", E },
};

static void check_save(WaveHarness *h, const Texts *t, unsigned at,
                       uint64_t mask, uint64_t exec, uint64_t want_d)
{
    uint64_t want = (exec & mask) | (E & h->w->full & ~mask);
    uint64_t d;

    wave_reset(h);
    wave_set_exec(h, E & h->w->full);
    wave_set_sgpr64(h, 10, S);
    wave_set_sgpr64(h, 14, 0xdddddddddddddddd);
    h->w->scc = !(exec & mask);
    g_assert_cmpint(wave_run(h, &t->code[at]), ==, TESSERA_FAULT_NONE);
    d = wave_sgpr64(h, 14);
    if ((d ^ want_d) & mask || (d ^ 0xdddddddddddddddd) & ~mask ||
        h->w->scc != ((exec & mask) != 0)) {
        g_error("%s: %" PRIx64 ", scc %u", texts_get(t, at), d, h->w->scc);
    }
    assert_exec(h, want);
}

/* Forms for 64 lanes, and for the lower 32 alone. */
static void test_saveexec(WaveHarness *h, const void *data)
{
    enum { SOURCES = G_N_ELEMENTS(save_sources) };
    const Target *target = data;
    unsigned at = 0;
    Texts t = { 0 };

    for (unsigned i = 0; i < G_N_ELEMENTS(saves) * SOURCES; i++) {
        unsigned n = i % SOURCES;

        if (target->lanes == 64) {
            texts_add(&t, "%s s[14:15], %s",
                      op_name(target, saves[i / SOURCES].op64),
                      save_sources[n].text64);
        }
        if (!is_gfx900(target)) {
            texts_add(&t, "%s s14, %s",
                      op_name(target, saves[i / SOURCES].op32),
                      save_sources[n].text32);
        }
    }
    texts_assemble(&t);
    for (unsigned i = 0; i < G_N_ELEMENTS(saves) * SOURCES; i++) {
        uint64_t e = saves[i / SOURCES].fn(save_sources[i % SOURCES].value, E);
        uint64_t d = saves[i / SOURCES].wrexec ? e : E;

        if (target->lanes == 64) {
            check_save(h, &t, at++, UINT64_MAX, e, d);
        }
        if (!is_gfx900(target)) {
            check_save(h, &t, at++, UINT32_MAX, e, d);
        }
    }
    texts_free(&t);
}

/* EXEC is a register as others are; in a wave of 32 lanes half of one. */
static void test_exec(WaveHarness *h, const void *data)
{
    static const struct {
        const char *text;
        uint64_t exec;
    } cases[] = {
        { "s_mov_b64 exec, s[10:11]", S },
        { "s_mov_b32 exec_lo, s10", (E & ~0xffffffffull) | (uint32_t)S },
        { "s_mov_b32 exec_hi, s10", (E & 0xffffffff) | S << 32 },
        { "s_movk_i32 exec_lo, -2", (E | 0xffffffff) & ~1ull },
        { "s_bitset0_b64 exec, 0", E & ~1ull },
        { "s_not_b64 exec, exec", ~E },
        { "s_lshr_b32 exec_lo, exec_lo, 1",
          (E & ~0xffffffffull) | (uint32_t)E >> 1 },
        { "s_and_saveexec_b32 s14, s10",
          (E & ~0xffffffffull) | (uint32_t)(E & S) },
    };
    unsigned count = G_N_ELEMENTS(cases) - is_gfx900(data);
    const char *texts[G_N_ELEMENTS(cases)];
    WaveCode *code;

    for (unsigned i = 0; i < count; i++) {
        texts[i] = cases[i].text;
    }
    code = wave_assemble(texts, count);
    for (unsigned i = 0; i < count; i++) {
        wave_reset(h);
        wave_set_exec(h, E & h->w->full);
        wave_set_sgpr64(h, 10, S);
        g_assert_cmpint(wave_run(h, &code[i]), ==, TESSERA_FAULT_NONE);
        assert_exec(h, cases[i].exec & h->w->full);
    }
    wave_code_free(code);
}

/* ---- branches and jumps ---- */

/* Taken if the flag is as @set says, always, or never: there is no debugger. */
static const struct {
    AmdOp op;
    enum { ALWAYS, IF_CLEAR, IF_SET, NEVER } when;
} branches[] = {
    { AMD_s_branch, ALWAYS },
    { AMD_s_cbranch_scc0, IF_CLEAR }, { AMD_s_cbranch_scc1, IF_SET },
    { AMD_s_cbranch_vccz, IF_CLEAR }, { AMD_s_cbranch_vccnz, IF_SET },
    { AMD_s_cbranch_execz, IF_CLEAR }, { AMD_s_cbranch_execnz, IF_SET },
    { AMD_s_cbranch_cdbgsys, NEVER }, { AMD_s_cbranch_cdbguser, NEVER },
    { AMD_s_cbranch_cdbgsys_or_user, NEVER },
    { AMD_s_cbranch_cdbgsys_and_user, NEVER },
};

static void test_branches(WaveHarness *h, const void *data)
{
    const Target *target = data;
    unsigned at = 0;
    Texts t = { 0 };

    for (unsigned i = 0; i < G_N_ELEMENTS(branches); i++) {
        if (op_name(data, branches[i].op)) {
            texts_add(&t, "%s 1f\ns_mov_b32 s14, 2\ns_endpgm\n"
                      "1: s_mov_b32 s14, 1", op_name(data, branches[i].op));
        }
    }
    texts_assemble(&t);
    for (unsigned i = 0; i < G_N_ELEMENTS(branches); i++) {
        for (unsigned set = 0; set < 2 && op_name(data, branches[i].op);
             set++) {
            bool want = branches[i].when == ALWAYS ||
                        branches[i].when == (set ? IF_SET : IF_CLEAR);
            uint64_t last = 1ull << (target->lanes - 1);

            wave_reset(h);
            h->w->scc = set;
            set_sgpr64(h->w, SGPR_VCC, set ? last : 0);
            vcc_changed(h->w);
            wave_set_exec(h, set ? last : 0);
            g_assert_cmpint(wave_run(h, &t.code[at]), ==, TESSERA_FAULT_NONE);
            g_assert_cmpuint(h->w->s[14], ==, want ? 1 : 2);
            at += set;
        }
    }
    texts_free(&t);
}

static void test_loop(WaveHarness *h, const void *data)
{
    /* More turns than a quantum has; and a jump over pages both ways. */
    static const char *const texts[] = {
        "s_movk_i32 s1, 5000\n"
        "1: s_add_u32 s0, s0, s1\n s_sub_u32 s1, s1, 1\n"
        "s_cmp_lg_u32 s1, 0\n s_cbranch_scc1 1b",
        "s_branch 2f\n 1: s_mov_b32 s14, 7\n s_endpgm\n"
        ".fill 3000, 4, 0xbf800000\n 2: s_mov_b32 s15, 9\n s_branch 1b",
        /* falls over two page ends, one of them inside an instruction */
        ".fill 1023, 4, 0xbf800000\n s_mov_b32 s14, 0x12345678\n"
        ".fill 1022, 4, 0xbf800000\n s_add_u32 s14, s14, 1",
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    g_assert_cmpint(wave_run(h, &code[0]), ==, TESSERA_FAULT_NONE);
    g_assert_cmpuint(h->w->s[0], ==, 5000 * 5001 / 2);
    g_assert_cmpint(wave_run(h, &code[1]), ==, TESSERA_FAULT_NONE);
    g_assert_cmpuint(h->w->s[14], ==, 7);
    g_assert_cmpuint(h->w->s[15], ==, 9);
    g_assert_cmpint(wave_run(h, &code[2]), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(h->w->s[14], ==, 0x12345679);
    wave_code_free(code);
}

static void test_jumps(WaveHarness *h, const void *data)
{
    static const char *const texts[] = {
        "s_nop 0\n s_getpc_b64 s[14:15]",
        "s_getpc_b64 s[0:1]\n s_add_u32 s0, s0, 20\n s_addc_u32 s1, s1, 0\n"
        "s_swappc_b64 s[14:15], s[0:1]\n s_mov_b32 s2, 1\n s_endpgm\n"
        "s_mov_b32 s3, 1\n s_setpc_b64 s[14:15]",
        "s_call_b64 s[14:15], 1f\n s_mov_b32 s2, 1\n s_endpgm\n"
        "1: s_mov_b32 s3, 1\n s_setpc_b64 s[14:15]",
        "s_mov_b32 s0, 0x1000\n s_mov_b32 s1, 0\n s_setpc_b64 s[0:1]",
        "s_getpc_b64 s[0:1]\n s_or_b32 s0, s0, 3\n s_add_u32 s0, s0, 16\n"
        "s_setpc_b64 s[0:1]\n s_endpgm\n s_mov_b32 s14, 5",
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    wave_run(h, &code[0]);
    g_assert_cmphex(wave_sgpr64(h, 14), ==, WAVE_CODE_VA + 8);
    wave_run(h, &code[1]);
    g_assert_cmphex(wave_sgpr64(h, 14), ==, WAVE_CODE_VA + 16);
    g_assert_cmpuint(h->w->s[2] + h->w->s[3], ==, 2);
    wave_reset(h);
    wave_run(h, &code[2]);
    g_assert_cmphex(wave_sgpr64(h, 14), ==, WAVE_CODE_VA + 4);
    g_assert_cmpuint(h->w->s[2] + h->w->s[3], ==, 2);
    g_assert_cmpint(wave_run(h, &code[3]), ==, TESSERA_FAULT_UNMAPPED);
    g_assert_cmphex(h->worker->fault.address, ==, 0x1000);
    wave_reset(h);
    wave_run(h, &code[4]); /* the low two bits are ignored */
    g_assert_cmpuint(h->w->s[14], ==, 5);
    wave_code_free(code);
}

/*
 * Waits and hints are passed over, and nothing shows it: neither addresses of
 * what is behind an instruction, nor branches to a hint, nor counters.
 */
static void test_hints(WaveHarness *h)
{
    static const char *const texts[] = {
        "s_movk_i32 s14, 1\n s_nop 0\n s_waitcnt lgkmcnt(0)\n"
        "s_mov_b32 s15, 0x12345678\n s_nop 1",
        "s_nop 0\n s_getpc_b64 s[14:15]\n s_nop 0\n s_nop 0",
        "s_call_b64 s[14:15], 1f\n s_nop 0\n s_nop 0\n s_movk_i32 s2, 1\n"
        "s_endpgm\n 1: s_movk_i32 s3, 1\n s_setpc_b64 s[14:15]",
        "s_movk_i32 s0, 3\n 1: s_add_u32 s14, s14, 1\n s_nop 0\n"
        "2: s_nop 0\n s_sub_u32 s0, s0, 1\n s_cmp_lg_u32 s0, 0\n"
        "s_cbranch_scc1 2b\n s_nop 0\n s_movk_i32 s15, 7",
        "s_movk_i32 s14, 5\n .fill 600, 4, 0xbf800000\n"
        "s_add_u32 s14, s14, 1",
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));
    const TesseraIsaExec *traced = h->worker->exec;
    Wave *wave = &h->w->w;

    h->worker->exec = h->engine.exec; /* the tracer knows of no hints */
    for (int stats = 0; stats < 2; stats++) {
        uint64_t before = wave->instructions;

        h->dispatch.stats = stats;
        g_assert_cmpint(wave_run(h, &code[0]), ==, TESSERA_FAULT_NONE);
        g_assert_cmpuint(h->w->s[14], ==, 1);
        g_assert_cmphex(h->w->s[15], ==, 0x12345678);
        g_assert_cmpuint(wave->page->uops[0].len, ==, stats ? 1 : 3);
        g_assert_cmpuint(wave->page->uops[3].len, ==, stats ? 2 : 3);
        /* s_endpgm is the sixth */
        g_assert_cmpuint(wave->instructions - before, ==, stats ? 6 : 0);
    }
    h->dispatch.stats = false;
    wave_run(h, &code[1]);
    g_assert_cmphex(wave_sgpr64(h, 14), ==, WAVE_CODE_VA + 8);
    wave_run(h, &code[2]);
    g_assert_cmphex(wave_sgpr64(h, 14), ==, WAVE_CODE_VA + 4);
    g_assert_cmpuint(h->w->s[2] + h->w->s[3], ==, 2);
    h->w->s[14] = 0;
    wave_run(h, &code[3]);
    g_assert_cmpuint(h->w->s[14], ==, 1);
    g_assert_cmpuint(h->w->s[15], ==, 7);
    wave_run(h, &code[4]);
    g_assert_cmpuint(h->w->s[14], ==, 6);
    h->worker->exec = traced;
    wave_code_free(code);
}

/* An instruction whose second half lies in a page that is not there. */
static void test_cut_by_a_hole(WaveHarness *h)
{
    static const char *const texts[] = {
        "s_mov_b32 s0, 0x300ff8\n s_mov_b32 s1, 0\n s_setpc_b64 s[0:1]",
        "s_nop 0\n s_load_dword s8, s[2:3], 0x0", /* goes to 0x300ff8 */
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));
    uint8_t *page = wave_map(h, 0x300000, 0x1000, false);

    memcpy(page + 0xff8, code[1].words, 8);
    g_assert_cmpint(wave_run(h, &code[0]), ==, TESSERA_FAULT_UNMAPPED);
    g_assert_cmphex(h->worker->fault.address, ==, 0x301000);
    g_assert_cmphex(h->worker->fault.pc, ==, 0x300ffc);
    g_assert_cmpint(h->worker->fault.access, ==, ENGINE_FETCH);
    g_assert_cmphex(h->w->trapsts, ==, 0); /* it is not illegal */
    wave_code_free(code);
}

static void test_fork(WaveHarness *h)
{
    /*
     * Lanes of s[10:11] take the path that sets bit 0 of s14, the others the
     * one that sets bit 1; s[12:13] gets EXEC behind the join.  The stack is
     * in s[0:3].
     */
    static const char *const texts[] = {
        "s_getpc_b64 s[20:21]\n s_add_u32 s20, s20, 16\n"
        "s_cbranch_g_fork s[10:11], s[20:21]\n"
        "s_or_b32 s14, s14, 2\n s_branch 2f\n 1: s_or_b32 s14, s14, 1\n"
        "2: s_cbranch_join s22\n s_mov_b64 s[12:13], exec",
        "s_cbranch_i_fork s[10:11], 1f\n"
        "s_or_b32 s14, s14, 2\n s_branch 2f\n 1: s_or_b32 s14, s14, 1\n"
        "2: s_cbranch_join s22\n s_mov_b64 s[12:13], exec",
    };
    static const struct {
        uint64_t mask;
        uint32_t paths;
        uint64_t last; /* who is in EXEC at the end: the larger path */
    } cases[] = {
        { 0xff, 1, 0xff }, { 0, 2, 0xff }, { 0xff00, 2, 0xff },
        { 0x7f, 3, 0x7f }, { 0x03, 3, 0xfc }, { 0x0f, 3, 0xf0 },
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    for (unsigned i = 0; i < G_N_ELEMENTS(cases) * 2; i++) {
        wave_reset(h);
        wave_set_exec(h, 0xff);
        wave_set_sgpr64(h, 10, cases[i / 2].mask);
        g_assert_cmpint(wave_run(h, &code[i % 2]), ==, TESSERA_FAULT_NONE);
        g_assert_cmpuint(h->w->s[14], ==, cases[i / 2].paths);
        g_assert_cmphex(wave_sgpr64(h, 12), ==, cases[i / 2].last);
        g_assert_cmpuint(h->w->mode >> MODE_CSP_SHIFT, ==, 0);
    }
    wave_code_free(code);
}

/* ---- relative registers ---- */

static void test_movrel(WaveHarness *h, const void *data)
{
    const unsigned numbered = is_gfx900(data) ? SGPR_FLAT_SCRATCH : SGPR_VCC;

    static const char *const texts[] = {
        "s_movrels_b32 s14, s20", "s_movrels_b64 s[14:15], s[20:21]",
        "s_movreld_b32 s20, s10", "s_movreld_b64 s[20:21], s[10:11]",
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    for (unsigned n = 0; n < numbered; n++) {
        h->w->s[n] = 0x1000 + n;
    }
    h->w->s[SGPR_M0] = 5;
    wave_run(h, &code[0]);
    g_assert_cmphex(h->w->s[14], ==, 0x1000 + 25);
    h->w->s[SGPR_M0] = -3u;
    wave_run(h, &code[0]);
    g_assert_cmphex(h->w->s[14], ==, 0x1000); /* beyond the end: s0 */
    h->w->s[SGPR_M0] = 6;
    wave_run(h, &code[1]);
    g_assert_cmphex(wave_sgpr64(h, 14), ==, 0x101b0000101aull);
    wave_run(h, &code[2]);
    g_assert_cmphex(h->w->s[26], ==, 0x1000 + 10);
    wave_run(h, &code[3]);
    g_assert_cmphex(wave_sgpr64(h, 26), ==, 0x100b0000100aull);
    for (uint32_t m0 = numbered - 20; m0 < 200; m0++) { /* there are no more */
        uint64_t exec = wave_sgpr64(h, SGPR_EXEC);

        h->w->s[SGPR_M0] = m0;
        wave_run(h, &code[2]);
        wave_run(h, &code[3]);
        g_assert_cmphex(h->w->s[SGPR_M0], ==, m0);
        g_assert_cmphex(wave_sgpr64(h, SGPR_EXEC), ==, exec);
        g_assert_cmphex(wave_sgpr64(h, numbered), ==, 0);
    }
    wave_code_free(code);
}

/* ---- hardware registers ---- */

static void test_hwreg(WaveHarness *h)
{
    static const char *const texts[] = {
        "s_getreg_b32 s14, hwreg(HW_REG_MODE)",
        "s_getreg_b32 s14, hwreg(HW_REG_MODE, 4, 4)",
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 3",
        "s_setreg_b32 hwreg(HW_REG_MODE, 4, 4), s10",
        "s_getreg_b32 s14, hwreg(HW_REG_SH_MEM_BASES)",
        "s_getreg_b32 s14, hwreg(HW_REG_SH_MEM_BASES, 16, 16)",
        "s_getreg_b32 s14, hwreg(HW_REG_STATUS)",
        "s_getreg_b32 s14, hwreg(HW_REG_LDS_ALLOC, 12, 9)",
        "s_getreg_b32 s14, hwreg(HW_REG_GPR_ALLOC, 8, 6)",
        "s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS, 0, 9), 0xffffffff",
        "s_getreg_b32 s14, hwreg(HW_REG_TRAPSTS)",
        "s_getreg_b32 s14, hwreg(HW_REG_IB_STS)",
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    wave_run(h, &code[0]);
    g_assert_cmphex(h->w->s[14], ==, 0x3f0); /* gfx-facts 10: HSA's default */
    wave_run(h, &code[1]);
    g_assert_cmphex(h->w->s[14], ==, 0xf);
    wave_run(h, &code[2]);
    g_assert_cmphex(h->w->mode, ==, 0x3f3);
    g_assert_cmphex(h->w->mxcsr[FLOAT_32] >> 13 & 3, ==, 3);
    g_assert_cmphex(h->w->mxcsr[FLOAT_16_64] >> 13 & 3, ==, 0);
    h->w->s[10] = 0xfffffff0;
    wave_run(h, &code[3]);
    g_assert_cmphex(h->w->mode, ==, 0x303);
    wave_run(h, &code[4]);
    g_assert_cmphex(h->w->s[14], ==, WAVE_SHARED_HI << 16 | WAVE_PRIVATE_HI);
    wave_run(h, &code[5]);
    g_assert_cmphex(h->w->s[14], ==, WAVE_SHARED_HI);
    h->w->scc = 1;
    wave_set_exec(h, 0);
    wave_run(h, &code[6]);
    g_assert_cmphex(h->w->s[14], ==, 0x10601); /* valid, vccz, execz, scc */
    wave_run(h, &code[7]);
    g_assert_cmpuint(h->w->s[14], ==, 0x10000 / 512);
    wave_run(h, &code[8]);
    g_assert_cmpuint(h->w->s[14], ==, 63);
    wave_run(h, &code[9]);
    wave_run(h, &code[10]);
    g_assert_cmphex(h->w->s[14], ==, 0x1ff);
    wave_run(h, &code[11]);
    g_assert_cmphex(h->w->s[14], ==, 0);
    wave_code_free(code);
}

/* ---- modes in which vector instructions are something else ---- */

static void number_vgprs(WaveHarness *h)
{
    wave_reset(h);
    for (unsigned i = 0; i < AMD_VGPRS; i++) {
        for (unsigned lane = 0; lane < 64; lane++) {
            wave_vgpr(h, i)[lane] = 0x100 * i + lane;
        }
    }
    h->w->s[SGPR_M0] = 0xffffffff;
    h->w->s[10] = 0xffffff03; /* index 3 */
    h->w->s[11] = 0x1fd;      /* 253 */
}

static void assert_vgpr(WaveHarness *h, unsigned n, unsigned from, int add)
{
    for (unsigned lane = 0; lane < 64; lane++) {
        g_assert_cmphex(wave_vgpr(h, n)[lane], ==,
                        0x100 * from + lane + (unsigned)add);
    }
}

static void test_gpr_idx(WaveHarness *h)
{
    static const struct {
        const char *text;
        struct {
            unsigned n, from;
            int add;
        } want[3];
        uint32_t m0;
    } cases[] = {
        { "s_set_gpr_idx_on s10, gpr_idx(SRC0)\n v_mov_b32 v1, v2\n"
          "s_set_gpr_idx_off\n v_mov_b32 v4, v2",
          { { 1, 5 }, { 4, 2 }, { 7, 7 } }, 0xffff1f03 },
        { "s_set_gpr_idx_on s10, gpr_idx(DST)\n v_mov_b32 v1, v9\n"
          "v_mov_b32_sdwa v2, v8 dst_sel:DWORD src0_sel:DWORD",
          { { 1, 1 }, { 4, 9 }, { 5, 8 } }, 0xffff8f03 },
        { "s_set_gpr_idx_on s10, gpr_idx(SRC1,DST)\n"
          "v_add_u32 v1, 5, v9\n v_add3_u32 v2, 1, 1, v20",
          { { 1, 1 }, { 4, 12, 5 }, { 5, 20, 2 } }, 0xffffaf03 },
        { "s_set_gpr_idx_on s10, gpr_idx(SRC2)\n"
          "v_add3_u32 v1, v0, 1, v20\n s_set_gpr_idx_mode gpr_idx(SRC0)\n"
          "s_movk_i32 s12, 4\n s_set_gpr_idx_idx s12\n v_mov_b32 v2, v20\n"
          "v_mov_b32 v3, s12",
          { { 2, 24 }, { 20, 20 }, { 23, 23 } }, 0xffff1f04 },
        /* scalar and memory instructions do as always */
        { "s_set_gpr_idx_on s10, gpr_idx(SRC0,SRC1,SRC2,DST)\n"
          "v_lshlrev_b32 v33, 2, v33\n v_mov_b32 v31, v41\n"
          "ds_write_b32 v36, v34\n ds_read_b32 v50, v36\n s_waitcnt 0\n"
          "s_branch 1f\n v_mov_b32 v47, 0\n 1: s_cbranch_execz 2f\n"
          "v_mov_b32 v48, v57\n 2: v_nop",
          { { 34, 44 }, { 50, 44 }, { 51, 60 } }, 0xffffff03 },
        /* sources beyond the end are v0, results are dropped */
        { "s_set_gpr_idx_on s11, gpr_idx(SRC0)\n v_mov_b32 v1, v2\n"
          "v_mov_b32 v2, v3\n s_set_gpr_idx_mode gpr_idx(DST)\n"
          "v_mov_b32 v2, v9\n v_mov_b32 v3, v9",
          { { 1, 255 }, { 2, 0 }, { 255, 9 } }, 0xffff8ffd },
    };
    const char *texts[G_N_ELEMENTS(cases)];
    WaveCode *code;

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        texts[i] = cases[i].text;
    }
    code = wave_assemble(texts, G_N_ELEMENTS(cases));
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        number_vgprs(h);
        g_assert_cmpint(wave_run(h, &code[i]), ==, TESSERA_FAULT_NONE);
        for (unsigned k = 0; k < 3; k++) {
            assert_vgpr(h, cases[i].want[k].n, cases[i].want[k].from,
                        cases[i].want[k].add);
        }
        g_assert_cmphex(h->w->s[SGPR_M0], ==, cases[i].m0);
    }
    wave_code_free(code);
}

/* Single steps use up the quantum, cross pages and report faults. */
static void test_step(WaveHarness *h)
{
    static const char *const texts[] = {
        "s_movk_i32 s1, 3000\n s_set_gpr_idx_on s10, gpr_idx(SRC0)\n"
        "1: s_add_u32 s0, s0, s1\n v_mov_b32 v1, v2\n s_sub_u32 s1, s1, 1\n"
        "s_cmp_lg_u32 s1, 0\n s_cbranch_scc1 1b",
        "s_set_gpr_idx_on s10, gpr_idx(SRC0)\n s_branch 2f\n"
        "1: v_mov_b32 v1, v2\n s_endpgm\n"
        ".fill 2000, 4, 0xbf800000\n 2: v_mov_b32 v3, v2\n s_branch 1b",
        "s_set_gpr_idx_on s10, gpr_idx(SRC0)\n .fill 1020, 4, 0xbf800000\n"
        "s_mov_b32 s14, 0x12345678\n s_mov_b32 s15, 0x12345678\n"
        "v_mov_b32 v1, v2",
        "s_set_gpr_idx_on s10, gpr_idx(SRC0)\n s_nop 0\n s_trap 2",
        ("s_set_gpr_idx_on s10, gpr_idx(SRC0)\n s_icache_inv\n s_sleep 1\n"
         "s_barrier\n v_mov_b32 v1, v2"),
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        number_vgprs(h);
        g_assert_cmpint(wave_run(h, &code[i]), ==,
                        i == 3 ? TESSERA_FAULT_TRAP : TESSERA_FAULT_NONE);
        if (i == 3) {
            g_assert_cmphex(h->worker->fault.pc, ==, WAVE_CODE_VA + 8);
        } else {
            assert_vgpr(h, 1, 5, 0);
        }
        if (i == 0) {
            g_assert_cmpuint(h->w->s[0], ==, 3000 * 3001 / 2);
        }
    }
    wave_code_free(code);
}

static void test_vskip(WaveHarness *h)
{
    static const char *const texts[] = {
        "s_setvskip -1, 5\n v_mov_b32 v1, v9\n ds_write_b32 v0, v1\n"
        "global_load_dword v2, v[0:1], off\n s_movk_i32 s14, 7\n"
        "v_cmp_eq_u32 vcc, v0, v0\n s_setvskip 0, 0\n v_mov_b32 v3, v9",
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 1\n"
        "v_mov_b32 v1, v9\n s_movk_i32 s14, 7\n"
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 0\n v_mov_b32 v3, v9",
        ("s_movk_i32 s1, 0xdf\n s_setvskip s1, 5\n v_mov_b32 v3, v9\n"
         "s_movk_i32 s14, 7"),
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        number_vgprs(h);
        memset(wave_lds(h), 0x55, 256);
        g_assert_cmpint(wave_run(h, &code[i]), ==, TESSERA_FAULT_NONE);
        assert_vgpr(h, 1, 1, 0);
        assert_vgpr(h, 2, 2, 0);
        assert_vgpr(h, 3, 9, 0);
        g_assert_cmpuint(h->w->s[14], ==, 7);
        g_assert_cmphex(wave_lds(h)[0], ==, 0x55);
        g_assert_cmphex(wave_sgpr64(h, SGPR_VCC), ==, 0);
    }
    wave_code_free(code);
}

/* ---- program control ---- */

static void start(WaveHarness *h, const WaveCode *code)
{
    wave_run(h, code); /* loads it */
    h->w->w.state = WAVE_RUN;
    h->w->w.budget = QUANTUM;
    wave_goto(&h->w->w, WAVE_CODE_VA);
}

static void test_messages(WaveHarness *h, const void *data)
{
    static const char *const texts[] = {
        "s_mov_b32 m0, 0x1234\n s_sendmsg sendmsg(MSG_INTERRUPT)",
        "s_sendmsg 10", "s_trap 0", "s_trap 3",
        "s_trap 2", "s_nop 0\n s_trap 0xff",
        ("s_setprio 3\n s_wakeup\n s_setkill 0\n s_sethalt 0\n s_nop 15\n"
         "s_movk_i32 s14, 4"),
        "s_setkill 1\n s_mov_b32 s14, 1",
        "s_endpgm_saved\n s_mov_b32 s14, 1",
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    wave_run(h, &code[0]);
    g_assert_cmpuint(h->messages, ==, 1);
    g_assert_cmphex(h->message, ==, 0x1234);
    wave_run(h, &code[1]);
    g_assert_cmpuint(h->messages, ==, 1);
    g_assert_cmpint(wave_run(h, &code[2]), ==, TESSERA_FAULT_NONE);
    g_assert_cmpint(wave_run(h, &code[3]), ==, TESSERA_FAULT_NONE);
    g_assert_cmpint(wave_run(h, &code[4]), ==, TESSERA_FAULT_TRAP);
    g_assert_cmpint(wave_run(h, &code[5]), ==, TESSERA_FAULT_TRAP);
    g_assert_cmphex(h->worker->fault.pc, ==, WAVE_CODE_VA + 4);
    g_assert_cmpint(wave_run(h, &code[6]), ==, TESSERA_FAULT_NONE);
    g_assert_cmpuint(h->w->s[14], ==, 4);
    h->w->s[14] = 0;
    wave_run(h, &code[7]);
    wave_run(h, &code[8]);
    g_assert_cmpuint(h->w->s[14], ==, 0);
    wave_code_free(code);
}

/* Run a snippet as far as it goes by itself; s14 starts as 0. */
static WaveState run_once(WaveHarness *h, const WaveCode *code)
{
    start(h, code);
    h->w->s[14] = 0;
    h->engine.exec->run(&h->w->w);
    return h->w->w.state;
}

/* What has stopped goes on behind the instruction, and ends. */
static void check_going_on(WaveHarness *h)
{
    Wave *wave = &h->w->w;

    g_assert_cmpuint(h->w->s[14], ==, 0);
    wave->state = WAVE_RUN;
    h->engine.exec->run(wave);
    g_assert_cmpint(wave->state, ==, WAVE_END);
    g_assert_cmpuint(h->w->s[14], ==, 1);
}

/* Sleeping and waiting leave the handlers, and another wave has its turn. */
static void test_leaving(WaveHarness *h, const void *data)
{
    const char *sleeps[] = { "s_sleep 1\n s_mov_b32 s14, 1",
                             "s_sleep_var s10\n s_mov_b32 s14, 1" };
    const char *barrier = "s_barrier\n s_mov_b32 s14, 1";
    unsigned count = op_name(data, AMD_s_sleep_var) ? 2 : 1;
    WaveCode *code = wave_assemble(sleeps, count);

    h->w->s[10] = 1;
    for (unsigned i = 0; i < count; i++) {
        g_assert_cmpint(run_once(h, &code[i]), ==, WAVE_RUN);
        check_going_on(h);
    }
    wave_code_free(code);
    if (!op_name(data, AMD_s_barrier)) {
        return;
    }
    code = wave_assemble(&barrier, 1);
    wave_run(h, code); /* alone it need not wait */
    g_assert_cmpuint(h->w->s[14], ==, 1);
    start(h, code);
    h->w->s[14] = 0;
    h->group.waves = 2;
    h->engine.exec->run(&h->w->w);
    g_assert_cmpint(h->w->w.state, ==, WAVE_BARRIER);
    check_going_on(h);
    h->group.waves = 1;
    wave_code_free(code);
}

/* Code that wave_run() would never see the end of is put there by hand. */
static void place(WaveHarness *h, const WaveCode *code, int budget)
{
    memcpy(h->maps[0].host, code->words, code->count * 4);
    h->worker->epoch++;
    wave_goto(&h->w->w, WAVE_CODE_VA);
    h->w->w.state = WAVE_RUN;
    h->w->w.budget = budget;
    h->w->s[14] = 0;
}

/* A halted wave stays; a quantum ends, or the engine's attention is needed. */
static void test_staying(WaveHarness *h, const void *data)
{
    static const char *const texts[] = {
        "s_sethalt 1\n s_mov_b32 s14, 1", "1: s_branch 1b",
        "s_branch 1f\n s_nop 0\n 1: s_mov_b32 s14, 1",
    };
    WaveCode *code = wave_assemble(texts, 3);
    Wave *wave = &h->w->w;
    void (*run)(Wave *wave) = h->engine.exec->run;

    place(h, &code[0], QUANTUM);
    for (int i = 0; i < 3; i++) {
        run(wave);
        g_assert_cmpint(wave->state, ==, WAVE_RUN);
    }
    g_assert_cmpuint(h->w->s[14], ==, 0);

    place(h, &code[1], 10);
    run(wave); /* comes back when the quantum is used up */
    g_assert_cmpint(wave->state, ==, WAVE_RUN);
    g_assert_cmpint(wave->budget, <, 0);

    place(h, &code[2], 10);
    h->worker->attention = true;
    run(wave); /* at the first branch */
    g_assert_cmpuint(h->w->s[14], ==, 0);
    g_assert_true(wave->uop == &wave->page->uops[2]);
    h->worker->attention = false;
    wave_code_free(code);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *path;
        void (*test)(WaveHarness *h, const void *data);
    } tests[] = {
        { "/salu/rows", test_rows }, { "/salu/sopk", test_sopk },
        { "/salu/saveexec", test_saveexec }, { "/salu/exec", test_exec },
        { "/salu/branches", test_branches }, { "/salu/loop", test_loop },
        { "/salu/jumps", test_jumps }, { "/salu/movrel", test_movrel },
        { "/salu/messages", test_messages },
        { "/salu/leaving", test_leaving }, { "/salu/staying", test_staying },
    };

    g_test_init(&argc, &argv, NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS(targets); i++) {
        for (unsigned k = 0; k < G_N_ELEMENTS(tests); k++) {
            wave_test_target(tests[k].path, targets[i].name, targets[i].lanes,
                             tests[k].test, &targets[i]);
        }
    }
    wave_test_levels("/salu/operands", test_operands);
    wave_test_levels("/salu/hints", test_hints);
    wave_test_levels("/salu/cut-by-a-hole", test_cut_by_a_hole);
    wave_test_levels("/salu/fork", test_fork);
    wave_test_levels("/salu/hwreg", test_hwreg);
    wave_test_levels("/salu/gpr-idx", test_gpr_idx);
    wave_test_levels("/salu/step", test_step);
    wave_test_levels("/salu/vskip", test_vskip);
    return g_test_run();
}
