/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scalar ALU instructions against models that work bit by bit or in a wider
 * type, over edge values, with SCC 0 and 1 before.
 */
#include <inttypes.h>
#include <string.h>
#include "wave-harness.h"

/* ---- models ---- */

/* What an instruction reads and writes. */
typedef struct Io {
    uint64_t a, b; /* s[10:11], s[12:13] */
    uint64_t d;    /* s[14:15], old and new */
    bool scc;
} Io;

typedef void Model(Io *io);

#define A32 ((uint32_t)io->a)
#define B32 ((uint32_t)io->b)
#define D32 ((uint32_t)io->d)
#define SA ((int64_t)(int32_t)A32)
#define SB ((int64_t)(int32_t)B32)
#define SD ((int64_t)(int32_t)D32)
#define MODEL(name, ...) \
    static void name##_model(Io *io) { __VA_ARGS__; }

static void put32(Io *io, uint32_t x)
{
    io->d = (io->d & ~0xffffffffull) | x;
}

/* The result, and whether it is not zero. */
static void logic32(Io *io, uint32_t x)
{
    put32(io, x);
    io->scc = x != 0;
}

static void logic64(Io *io, uint64_t x)
{
    io->d = x;
    io->scc = x != 0;
}

static void carry(Io *io, uint64_t wide)
{
    put32(io, wide);
    io->scc = wide > 0xffffffffu;
}

static void overflow(Io *io, int64_t wide)
{
    put32(io, wide);
    io->scc = wide > INT32_MAX || wide < INT32_MIN;
}

static bool bit(uint64_t x, unsigned i)
{
    return x >> i & 1;
}

static uint64_t extract(uint64_t x, unsigned width, bool sign, unsigned from,
                        unsigned count)
{
    uint64_t r = 0;

    for (unsigned i = 0; i < count && i < width; i++) {
        unsigned at = from + i;

        r |= (uint64_t)(at < width ? bit(x, at) : sign && bit(x, width - 1))
             << i;
    }
    if (sign && count && count < width && bit(r, count - 1)) {
        for (unsigned i = count; i < width; i++) {
            r |= 1ull << i;
        }
    }
    return r;
}

static int find_bit(uint64_t x, unsigned width, bool value, bool from_top)
{
    for (unsigned i = 0; i < width; i++) {
        if (bit(x, from_top ? width - 1 - i : i) == value) {
            return (int)i;
        }
    }
    return -1;
}

static unsigned count_bits(uint64_t x, unsigned width, bool value)
{
    unsigned n = 0;

    for (unsigned i = 0; i < width; i++) {
        n += bit(x, i) == value;
    }
    return n;
}

static uint64_t reverse(uint64_t x, unsigned width)
{
    uint64_t r = 0;

    for (unsigned i = 0; i < width; i++) {
        r |= (uint64_t)bit(x, i) << (width - 1 - i);
    }
    return r;
}

/* Quads of @x that have a bit: one bit each, or four. */
static uint64_t quads(uint64_t x, unsigned width, bool whole)
{
    uint64_t r = 0;

    for (unsigned i = 0; i < width / 4; i++) {
        if (x >> 4 * i & 0xf) {
            r |= whole ? 0xfull << 4 * i : 1ull << i;
        }
    }
    return r;
}

static uint64_t doubled(uint32_t x)
{
    uint64_t r = 0;

    for (unsigned i = 0; i < 32; i++) {
        r |= (uint64_t)bit(x, i) * 3 << 2 * i;
    }
    return r;
}

MODEL(add_u32, carry(io, (uint64_t)A32 + B32))
MODEL(sub_u32, put32(io, A32 - B32); io->scc = B32 > A32)
MODEL(add_i32, overflow(io, SA + SB))
MODEL(sub_i32, overflow(io, SA - SB))
MODEL(addc_u32, carry(io, (uint64_t)A32 + B32 + io->scc))
MODEL(subb_u32, uint64_t take = (uint64_t)B32 + io->scc;
      put32(io, A32 - (uint32_t)take); io->scc = take > A32)
MODEL(min_i32, io->scc = SA < SB; put32(io, io->scc ? A32 : B32))
MODEL(min_u32, io->scc = A32 < B32; put32(io, io->scc ? A32 : B32))
/*
 * Of equal operands none is the maximum: so the manuals up to RDNA 2, and so
 * it was measured on hardware.  Later manuals have >= here.
 */
MODEL(max_i32, io->scc = SA > SB; put32(io, io->scc ? A32 : B32))
MODEL(max_u32, io->scc = A32 > B32; put32(io, io->scc ? A32 : B32))
MODEL(cselect_b32, put32(io, io->scc ? A32 : B32))
MODEL(cselect_b64, io->d = io->scc ? io->a : io->b)
MODEL(and_b32, logic32(io, A32 & B32))
MODEL(and_b64, logic64(io, io->a & io->b))
MODEL(or_b32, logic32(io, A32 | B32))
MODEL(or_b64, logic64(io, io->a | io->b))
MODEL(xor_b32, logic32(io, A32 ^ B32))
MODEL(xor_b64, logic64(io, io->a ^ io->b))
MODEL(andn2_b32, logic32(io, A32 & ~B32))
MODEL(andn2_b64, logic64(io, io->a & ~io->b))
MODEL(orn2_b32, logic32(io, A32 | ~B32))
MODEL(orn2_b64, logic64(io, io->a | ~io->b))
MODEL(nand_b32, logic32(io, ~(A32 & B32)))
MODEL(nand_b64, logic64(io, ~(io->a & io->b)))
MODEL(nor_b32, logic32(io, ~(A32 | B32)))
MODEL(nor_b64, logic64(io, ~(io->a | io->b)))
MODEL(xnor_b32, logic32(io, ~(A32 ^ B32)))
MODEL(xnor_b64, logic64(io, ~(io->a ^ io->b)))
MODEL(lshl_b32, logic32(io, (uint64_t)A32 << B32 % 32))
MODEL(lshl_b64, logic64(io, io->a << B32 % 64))
MODEL(lshr_b32, logic32(io, A32 >> B32 % 32))
MODEL(lshr_b64, logic64(io, io->a >> B32 % 64))
MODEL(ashr_i32, logic32(io, extract(io->a, 32, true, B32 % 32, 32)))
MODEL(ashr_i64, logic64(io, extract(io->a, 64, true, B32 % 64, 64)))
MODEL(bfm_b32, put32(io, extract(~0ull, 32, false, 0, A32 % 32) << B32 % 32))
MODEL(bfm_b64, io->d = extract(~0ull, 64, false, 0, A32 % 64) << B32 % 64)
MODEL(mul_i32, put32(io, (uint64_t)A32 * B32))
MODEL(bfe_u32,
      logic32(io, extract(A32, 32, false, B32 % 32, B32 >> 16 & 127)))
MODEL(bfe_i32,
      logic32(io, extract(A32, 32, true, B32 % 32, B32 >> 16 & 127)))
MODEL(bfe_u64,
      logic64(io, extract(io->a, 64, false, B32 % 64, B32 >> 16 & 127)))
MODEL(bfe_i64,
      logic64(io, extract(io->a, 64, true, B32 % 64, B32 >> 16 & 127)))
/* The difference wraps before its sign is looked at. */
MODEL(absdiff_i32, int32_t x = (int32_t)(SA - SB);
      logic32(io, x < 0 ? 0u - (uint32_t)x : (uint32_t)x))
MODEL(mul_hi_u32, put32(io, (unsigned __int128)A32 * B32 >> 32))
MODEL(mul_hi_i32, put32(io, (uint64_t)(SA * SB) >> 32))
MODEL(lshl1_add_u32, carry(io, A32 * 2ull + B32))
MODEL(lshl2_add_u32, carry(io, A32 * 4ull + B32))
MODEL(lshl3_add_u32, carry(io, A32 * 8ull + B32))
MODEL(lshl4_add_u32, carry(io, A32 * 16ull + B32))
MODEL(pack_ll_b32_b16, put32(io, A32 % 0x10000 + B32 % 0x10000 * 0x10000))
MODEL(pack_lh_b32_b16, put32(io, A32 % 0x10000 + B32 / 0x10000 * 0x10000))
MODEL(pack_hh_b32_b16, put32(io, A32 / 0x10000 + B32 / 0x10000 * 0x10000))

MODEL(mov_b32, put32(io, A32))
MODEL(mov_b64, io->d = io->a)
MODEL(cmov_b32, put32(io, io->scc ? A32 : D32))
MODEL(cmov_b64, io->d = io->scc ? io->a : io->d)
MODEL(not_b32, logic32(io, ~A32))
MODEL(not_b64, logic64(io, ~io->a))
MODEL(wqm_b32, logic32(io, quads(A32, 32, true)))
MODEL(wqm_b64, logic64(io, quads(io->a, 64, true)))
MODEL(quadmask_b32, logic32(io, quads(A32, 32, false)))
MODEL(quadmask_b64, logic64(io, quads(io->a, 64, false)))
MODEL(brev_b32, put32(io, reverse(A32, 32)))
MODEL(brev_b64, io->d = reverse(io->a, 64))
MODEL(bcnt0_i32_b32, logic32(io, count_bits(A32, 32, false)))
MODEL(bcnt0_i32_b64, logic32(io, count_bits(io->a, 64, false)))
MODEL(bcnt1_i32_b32, logic32(io, count_bits(A32, 32, true)))
MODEL(bcnt1_i32_b64, logic32(io, count_bits(io->a, 64, true)))
MODEL(ff0_i32_b32, put32(io, find_bit(A32, 32, false, false)))
MODEL(ff0_i32_b64, put32(io, find_bit(io->a, 64, false, false)))
MODEL(ff1_i32_b32, put32(io, find_bit(A32, 32, true, false)))
MODEL(ff1_i32_b64, put32(io, find_bit(io->a, 64, true, false)))
MODEL(flbit_i32_b32, put32(io, find_bit(A32, 32, true, true)))
MODEL(flbit_i32_b64, put32(io, find_bit(io->a, 64, true, true)))
MODEL(flbit_i32, put32(io, find_bit(A32, 32, !bit(A32, 31), true)))
MODEL(flbit_i32_i64, put32(io, find_bit(io->a, 64, !bit(io->a, 63), true)))
MODEL(sext_i32_i8, put32(io, extract(io->a, 32, true, 0, 8)))
MODEL(sext_i32_i16, put32(io, extract(io->a, 32, true, 0, 16)))
MODEL(bitset0_b32, put32(io, D32 & ~(1ull << A32 % 32)))
MODEL(bitset0_b64, io->d &= ~(1ull << A32 % 64))
MODEL(bitset1_b32, put32(io, D32 | 1ull << A32 % 32))
MODEL(bitset1_b64, io->d |= 1ull << A32 % 64)
MODEL(abs_i32, logic32(io, (uint32_t)(SA < 0 ? -SA : SA)))
MODEL(bitreplicate_b64_b32, io->d = doubled(A32))

MODEL(cmp_eq_i32, io->scc = A32 == B32)
MODEL(cmp_lg_i32, io->scc = A32 != B32)
MODEL(cmp_gt_i32, io->scc = SA > SB)
MODEL(cmp_ge_i32, io->scc = SA >= SB)
MODEL(cmp_lt_i32, io->scc = SA < SB)
MODEL(cmp_le_i32, io->scc = SA <= SB)
MODEL(cmp_gt_u32, io->scc = A32 > B32)
MODEL(cmp_ge_u32, io->scc = A32 >= B32)
MODEL(cmp_lt_u32, io->scc = A32 < B32)
MODEL(cmp_le_u32, io->scc = A32 <= B32)
MODEL(cmp_eq_u64, io->scc = io->a == io->b)
MODEL(cmp_lg_u64, io->scc = io->a != io->b)
MODEL(bitcmp0_b32, io->scc = !bit(A32, B32 % 32))
MODEL(bitcmp1_b32, io->scc = bit(A32, B32 % 32))
MODEL(bitcmp0_b64, io->scc = !bit(io->a, B32 % 64))
MODEL(bitcmp1_b64, io->scc = bit(io->a, B32 % 64))

/* SOPK: the constant is put in b, sign- or zero-extended. */
MODEL(movk, put32(io, B32))
MODEL(cmovk, put32(io, io->scc ? B32 : D32))
MODEL(addk, overflow(io, SD + SB))
MODEL(mulk, put32(io, (uint64_t)D32 * B32))
MODEL(dcmp_eq, io->scc = D32 == B32)
MODEL(dcmp_lg, io->scc = D32 != B32)
MODEL(dcmp_gt_i, io->scc = SD > SB)
MODEL(dcmp_ge_i, io->scc = SD >= SB)
MODEL(dcmp_lt_i, io->scc = SD < SB)
MODEL(dcmp_le_i, io->scc = SD <= SB)
MODEL(dcmp_gt_u, io->scc = D32 > B32)
MODEL(dcmp_ge_u, io->scc = D32 >= B32)
MODEL(dcmp_lt_u, io->scc = D32 < B32)
MODEL(dcmp_le_u, io->scc = D32 <= B32)

/* ---- rows ---- */

#define D_32 " s14"
#define D_64 " s[14:15]"
#define A_32 ", s10"
#define A_64 ", s[10:11]"
#define B_32 ", s12"
#define B_64 ", s[12:13]"

typedef struct Row {
    const char *text;
    Model *model;
} Row;

#define ROW(name, operands) { "s_" #name operands, name##_model }
#define S2_32(name) ROW(name, D_32 A_32 B_32)
#define S2_64(name) ROW(name, D_64 A_64 B_64)
#define S2_64_32(name) ROW(name, D_64 A_64 B_32)
#define S1_32(name) ROW(name, D_32 A_32)
#define S1_64(name) ROW(name, D_64 A_64)
#define S1_32_64(name) ROW(name, D_32 A_64)
#define S1_64_32(name) ROW(name, D_64 A_32)
#define SC_32(name) ROW(name, " s10" B_32)
#define SC_64(name) ROW(name, " s[10:11]" B_64)
#define SC_64_32(name) ROW(name, " s[10:11]" B_32)

static const Row rows[] = {
    S2_32(add_u32), S2_32(sub_u32), S2_32(add_i32), S2_32(sub_i32),
    S2_32(addc_u32), S2_32(subb_u32), S2_32(min_i32), S2_32(min_u32),
    S2_32(max_i32), S2_32(max_u32), S2_32(cselect_b32), S2_64(cselect_b64),
    S2_32(and_b32), S2_64(and_b64), S2_32(or_b32), S2_64(or_b64),
    S2_32(xor_b32), S2_64(xor_b64), S2_32(andn2_b32), S2_64(andn2_b64),
    S2_32(orn2_b32), S2_64(orn2_b64), S2_32(nand_b32), S2_64(nand_b64),
    S2_32(nor_b32), S2_64(nor_b64), S2_32(xnor_b32), S2_64(xnor_b64),
    S2_32(lshl_b32), S2_64_32(lshl_b64), S2_32(lshr_b32),
    S2_64_32(lshr_b64), S2_32(ashr_i32), S2_64_32(ashr_i64), S2_32(bfm_b32),
    ROW(bfm_b64, D_64 A_32 B_32), S2_32(mul_i32), S2_32(bfe_u32),
    S2_32(bfe_i32), S2_64_32(bfe_u64), S2_64_32(bfe_i64),
    S2_32(absdiff_i32), S2_32(mul_hi_u32), S2_32(mul_hi_i32),
    S2_32(lshl1_add_u32), S2_32(lshl2_add_u32), S2_32(lshl3_add_u32),
    S2_32(lshl4_add_u32), S2_32(pack_ll_b32_b16), S2_32(pack_lh_b32_b16),
    S2_32(pack_hh_b32_b16),

    S1_32(mov_b32), S1_64(mov_b64), S1_32(cmov_b32), S1_64(cmov_b64),
    S1_32(not_b32), S1_64(not_b64), S1_32(wqm_b32), S1_64(wqm_b64),
    S1_32(quadmask_b32), S1_64(quadmask_b64), S1_32(brev_b32),
    S1_64(brev_b64), S1_32(bcnt0_i32_b32), S1_32_64(bcnt0_i32_b64),
    S1_32(bcnt1_i32_b32), S1_32_64(bcnt1_i32_b64), S1_32(ff0_i32_b32),
    S1_32_64(ff0_i32_b64), S1_32(ff1_i32_b32), S1_32_64(ff1_i32_b64),
    S1_32(flbit_i32_b32), S1_32_64(flbit_i32_b64), S1_32(flbit_i32),
    S1_32_64(flbit_i32_i64), S1_32(sext_i32_i8), S1_32(sext_i32_i16),
    S1_32(bitset0_b32), S1_64_32(bitset0_b64), S1_32(bitset1_b32),
    S1_64_32(bitset1_b64), S1_32(abs_i32), S1_64_32(bitreplicate_b64_b32),

    SC_32(cmp_eq_i32), SC_32(cmp_lg_i32), SC_32(cmp_gt_i32),
    SC_32(cmp_ge_i32), SC_32(cmp_lt_i32), SC_32(cmp_le_i32),
    { "s_cmp_eq_u32 s10, s12", cmp_eq_i32_model },
    { "s_cmp_lg_u32 s10, s12", cmp_lg_i32_model },
    SC_32(cmp_gt_u32), SC_32(cmp_ge_u32), SC_32(cmp_lt_u32),
    SC_32(cmp_le_u32), SC_64(cmp_eq_u64), SC_64(cmp_lg_u64),
    SC_32(bitcmp0_b32), SC_32(bitcmp1_b32), SC_64_32(bitcmp0_b64),
    SC_64_32(bitcmp1_b64),
};

static const uint64_t values[] = {
    0, 1, 2, 3, 0x1f, 0x20, 0x3f, 0x40, 0x80, 0x8000, 0x10005, 0x00080004,
    0x00200000, 0x0040001f, 0x7f0003, 0x0011000f, 0x7fffffff, 0x80000000,
    0x80000001, 0xfffffffe, 0xffffffff, 0x100000000, 0x7fffffffffffffff,
    0x8000000000000000, 0xffffffff00000000, 0xffffffffffffffff,
    0x123456789abcdef0, 0xfedcba9876543210, 0x0000f000000f0000,
};

static const char **row_texts(const Row *table, unsigned count)
{
    const char **texts = g_new(const char *, count);

    for (unsigned i = 0; i < count; i++) {
        texts[i] = table[i].text;
    }
    return texts;
}

static void run_io(WaveHarness *h, const WaveCode *code, Io *io)
{
    wave_set_sgpr64(h, 10, io->a);
    wave_set_sgpr64(h, 12, io->b);
    wave_set_sgpr64(h, 14, io->d);
    h->w->scc = io->scc;
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    io->a = wave_sgpr64(h, 10);
    io->b = wave_sgpr64(h, 12);
    io->d = wave_sgpr64(h, 14);
    io->scc = h->w->scc;
}

static void check_row(WaveHarness *h, const WaveCode *code, const char *text,
                      Model *model, Io before)
{
    Io want = before, got = before;

    model(&want);
    run_io(h, code, &got);
    if (memcmp(&want.d, &got.d, 8) || want.scc != got.scc ||
        want.a != got.a || want.b != got.b || h->w->scc > 1) {
        g_error("%s: a=%" PRIx64 " b=%" PRIx64 " d=%" PRIx64 " scc=%d: "
                "want %" PRIx64 " scc=%d, got %" PRIx64 " scc=%u",
                text, before.a, before.b, before.d, before.scc, want.d,
                want.scc, got.d, h->w->scc);
    }
}

static void test_rows(WaveHarness *h)
{
    g_autofree const char **texts = row_texts(rows, G_N_ELEMENTS(rows));
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(rows));
    unsigned n = G_N_ELEMENTS(values);

    for (unsigned r = 0; r < G_N_ELEMENTS(rows); r++) {
        for (unsigned i = 0; i < n * n * 2; i++) {
            Io io = { values[i % n], values[i / n % n],
                      0x5a5a1234c3c3fedc, i / n / n };

            check_row(h, &code[r], rows[r].text, rows[r].model, io);
        }
    }
    wave_code_free(code);
}

/* ---- SOPK ---- */

static const struct {
    const char *name;
    Model *model;
    bool zero_extends;
} sopk[] = {
    { "s_movk_i32", movk_model }, { "s_cmovk_i32", cmovk_model },
    { "s_addk_i32", addk_model }, { "s_mulk_i32", mulk_model },
    { "s_cmpk_eq_i32", dcmp_eq_model }, { "s_cmpk_lg_i32", dcmp_lg_model },
    { "s_cmpk_gt_i32", dcmp_gt_i_model }, { "s_cmpk_ge_i32", dcmp_ge_i_model },
    { "s_cmpk_lt_i32", dcmp_lt_i_model }, { "s_cmpk_le_i32", dcmp_le_i_model },
    { "s_cmpk_eq_u32", dcmp_eq_model, true },
    { "s_cmpk_lg_u32", dcmp_lg_model, true },
    { "s_cmpk_gt_u32", dcmp_gt_u_model, true },
    { "s_cmpk_ge_u32", dcmp_ge_u_model, true },
    { "s_cmpk_lt_u32", dcmp_lt_u_model, true },
    { "s_cmpk_le_u32", dcmp_le_u_model, true },
};

static void test_sopk(WaveHarness *h)
{
    static const uint16_t constants[] = { 0, 1, 0x7fff, 0x8000, 0xffff };
    enum { CONSTANTS = G_N_ELEMENTS(constants),
           COUNT = G_N_ELEMENTS(sopk) * CONSTANTS };
    char *texts[COUNT];
    WaveCode *code;

    for (unsigned i = 0; i < COUNT; i++) {
        texts[i] = g_strdup_printf("%s s14, 0x%x", sopk[i / CONSTANTS].name,
                                   constants[i % CONSTANTS]);
    }
    code = wave_assemble((const char *const *)texts, COUNT);
    for (unsigned i = 0; i < COUNT; i++) {
        uint16_t k = constants[i % CONSTANTS];
        uint32_t b = sopk[i / CONSTANTS].zero_extends ? k :
                                                        (uint32_t)(int16_t)k;

        for (unsigned v = 0; v < G_N_ELEMENTS(values) * 2; v++) {
            Io io = { 0, b, values[v / 2], v % 2 };

            check_row(h, &code[i], texts[i], sopk[i / CONSTANTS].model, io);
        }
        g_free(texts[i]);
    }
    wave_code_free(code);
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

static void test_exec(WaveHarness *h)
{
    static const struct {
        const char *text;
        uint64_t exec, d;
    } cases[] = {
        { "s_and_saveexec_b64 s[14:15], s[10:11]", S & E, E },
        { "s_or_saveexec_b64 s[14:15], s[10:11]", S | E, E },
        { "s_xor_saveexec_b64 s[14:15], s[10:11]", S ^ E, E },
        { "s_andn2_saveexec_b64 s[14:15], s[10:11]", S & ~E, E },
        { "s_orn2_saveexec_b64 s[14:15], s[10:11]", S | ~E, E },
        { "s_nand_saveexec_b64 s[14:15], s[10:11]", ~(S & E), E },
        { "s_nor_saveexec_b64 s[14:15], s[10:11]", ~(S | E), E },
        { "s_xnor_saveexec_b64 s[14:15], s[10:11]", ~(S ^ E), E },
        { "s_andn1_saveexec_b64 s[14:15], s[10:11]", ~S & E, E },
        { "s_orn1_saveexec_b64 s[14:15], s[10:11]", ~S | E, E },
        { "s_andn1_wrexec_b64 s[14:15], s[10:11]", ~S & E, ~S & E },
        { "s_andn2_wrexec_b64 s[14:15], s[10:11]", S & ~E, S & ~E },
        { "s_and_saveexec_b64 s[14:15], 0", 0, E },
        { "s_and_saveexec_b64 vcc, s[10:11]", S & E, 0 },
        { "s_mov_b64 exec, s[10:11]", S, 0 },
        { "s_mov_b32 exec_lo, s10", (E & ~0xffffffffull) | (uint32_t)S, 0 },
        { "s_mov_b32 exec_hi, s10", (E & 0xffffffff) | S << 32, 0 },
        { "s_movk_i32 exec_lo, -2", (E | 0xffffffff) & ~1ull, 0 },
        { "s_bitset0_b64 exec, 0", E & ~1ull, 0 },
        { "s_not_b64 exec, exec", ~E, 0 },
        { "s_lshr_b64 exec, exec, 1", E >> 1, 0 },
    };
    const char *texts[G_N_ELEMENTS(cases)];
    WaveCode *code;

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        texts[i] = cases[i].text;
    }
    code = wave_assemble(texts, G_N_ELEMENTS(cases));
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        wave_reset(h);
        wave_set_exec(h, E);
        wave_set_sgpr64(h, 10, S);
        h->w->scc = i % 2;
        g_assert_cmpint(wave_run(h, &code[i]), ==, TESSERA_FAULT_NONE);
        assert_exec(h, cases[i].exec);
        if (strstr(texts[i], "s[14:15]")) {
            g_assert_cmphex(wave_sgpr64(h, 14), ==, cases[i].d);
            g_assert_cmpuint(h->w->scc, ==, cases[i].exec != 0);
        }
    }
    g_assert_cmphex(h->w->vccz, ==, 1);
    wave_code_free(code);
}

/* ---- branches and jumps ---- */

static void test_branches(WaveHarness *h)
{
    /* Each leaves 1 in s14 if it has branched, else 2. */
#define BRANCHES(name) name " 1f\n s_mov_b32 s14, 2\n s_endpgm\n 1: " \
                            "s_mov_b32 s14, 1"
    static const char *const texts[] = {
        BRANCHES("s_branch"),
        BRANCHES("s_cbranch_scc0"), BRANCHES("s_cbranch_scc1"),
        BRANCHES("s_cbranch_vccz"), BRANCHES("s_cbranch_vccnz"),
        BRANCHES("s_cbranch_execz"), BRANCHES("s_cbranch_execnz"),
        BRANCHES("s_cbranch_cdbgsys"), BRANCHES("s_cbranch_cdbguser"),
        BRANCHES("s_cbranch_cdbgsys_or_user"),
        BRANCHES("s_cbranch_cdbgsys_and_user"),
    };
    enum { ALWAYS = 0, NEVER = 7 };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        for (unsigned set = 0; set < 2; set++) {
            bool want = i == ALWAYS || (i < NEVER && i % 2 == !set);

            wave_reset(h);
            h->w->scc = set;
            h->w->s[SGPR_VCC + 1] = set;
            vcc_changed(h->w);
            wave_set_exec(h, set ? 1ull << 63 : 0);
            g_assert_cmpint(wave_run(h, &code[i]), ==, TESSERA_FAULT_NONE);
            g_assert_cmpuint(h->w->s[14], ==, want ? 1 : 2);
        }
    }
    wave_code_free(code);
}

static void test_loop(WaveHarness *h)
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

static void test_jumps(WaveHarness *h)
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

static void test_movrel(WaveHarness *h)
{
    static const char *const texts[] = {
        "s_movrels_b32 s14, s20", "s_movrels_b64 s[14:15], s[20:21]",
        "s_movreld_b32 s20, s10", "s_movreld_b64 s[20:21], s[10:11]",
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    for (unsigned n = 0; n < 102; n++) {
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
    for (uint32_t m0 = 82; m0 < 200; m0++) { /* nothing beyond s101 */
        uint64_t exec = wave_sgpr64(h, SGPR_EXEC);

        h->w->s[SGPR_M0] = m0;
        wave_run(h, &code[2]);
        wave_run(h, &code[3]);
        g_assert_cmphex(h->w->s[SGPR_M0], ==, m0);
        g_assert_cmphex(wave_sgpr64(h, SGPR_EXEC), ==, exec);
        g_assert_cmphex(h->w->s[SGPR_FLAT_SCRATCH], ==, 0);
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

static void test_messages(WaveHarness *h)
{
    static const char *const texts[] = {
        "s_mov_b32 m0, 0x1234\n s_sendmsg sendmsg(MSG_INTERRUPT)",
        "s_sendmsg sendmsg(MSG_GET_DOORBELL)", "s_trap 0", "s_trap 3",
        "s_trap 2", "s_nop 0\n s_trap 0xff",
        "s_waitcnt vmcnt(0) lgkmcnt(0)\n s_setprio 3\n s_icache_inv\n"
        "s_incperflevel 1\n s_decperflevel 1\n s_ttracedata\n s_wakeup\n"
        "s_setkill 0\n s_sethalt 0\n s_nop 15\n s_barrier\n s_movk_i32 s14, 4",
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

/* What leaves the handlers: sleep, barrier, halt, end. */
static void test_leaving(WaveHarness *h)
{
    static const char *const texts[] = {
        "s_sleep 1\n s_mov_b32 s14, 1", "s_barrier\n s_mov_b32 s14, 1",
        "s_sethalt 1\n s_mov_b32 s14, 1", "1: s_branch 1b",
        "s_branch 1f\n s_nop 0\n 1: s_mov_b32 s14, 1",
    };
    WaveCode *code = wave_assemble(texts, 2);
    WaveCode *more = wave_assemble(texts + 2, 3);
    Wave *wave = &h->w->w;
    void (*run)(Wave *wave) = h->engine.exec->run;

    start(h, &code[0]);
    h->w->s[14] = 0;
    run(wave);
    g_assert_cmpint(wave->state, ==, WAVE_RUN);
    g_assert_cmpuint(h->w->s[14], ==, 0);
    run(wave);
    g_assert_cmpint(wave->state, ==, WAVE_END);
    g_assert_cmpuint(h->w->s[14], ==, 1);

    start(h, &code[1]);
    h->group.waves = 2;
    h->w->s[14] = 0;
    run(wave);
    g_assert_cmpint(wave->state, ==, WAVE_BARRIER);
    wave->state = WAVE_RUN;
    run(wave);
    g_assert_cmpint(wave->state, ==, WAVE_END);
    g_assert_cmpuint(h->w->s[14], ==, 1);
    h->group.waves = 1;

    start(h, &code[0]); /* a place to put code where nothing runs for ever */
    memcpy(h->maps[0].host, more[0].words, more[0].count * 4);
    h->worker->epoch++;
    wave_goto(wave, WAVE_CODE_VA);
    h->w->s[14] = 0;
    for (int i = 0; i < 3; i++) {
        run(wave);
        g_assert_cmpint(wave->state, ==, WAVE_RUN);
    }
    g_assert_cmpuint(h->w->s[14], ==, 0);

    memcpy(h->maps[0].host, more[1].words, more[1].count * 4);
    h->worker->epoch++;
    wave_goto(wave, WAVE_CODE_VA);
    wave->budget = 10;
    run(wave); /* comes back when the quantum is used up */
    g_assert_cmpint(wave->state, ==, WAVE_RUN);
    g_assert_cmpint(wave->budget, <, 0);

    memcpy(h->maps[0].host, more[2].words, more[2].count * 4);
    h->worker->epoch++;
    wave_goto(wave, WAVE_CODE_VA);
    wave->budget = 10;
    h->worker->attention = true;
    run(wave); /* at the first branch */
    g_assert_cmpuint(h->w->s[14], ==, 0);
    g_assert_true(wave->uop == &wave->page->uops[2]);
    h->worker->attention = false;
    wave_code_free(code);
    wave_code_free(more);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    wave_test_levels("/salu/rows", test_rows);
    wave_test_levels("/salu/sopk", test_sopk);
    wave_test_levels("/salu/operands", test_operands);
    wave_test_levels("/salu/exec", test_exec);
    wave_test_levels("/salu/branches", test_branches);
    wave_test_levels("/salu/loop", test_loop);
    wave_test_levels("/salu/jumps", test_jumps);
    wave_test_levels("/salu/cut-by-a-hole", test_cut_by_a_hole);
    wave_test_levels("/salu/fork", test_fork);
    wave_test_levels("/salu/movrel", test_movrel);
    wave_test_levels("/salu/hwreg", test_hwreg);
    wave_test_levels("/salu/gpr-idx", test_gpr_idx);
    wave_test_levels("/salu/step", test_step);
    wave_test_levels("/salu/vskip", test_vskip);
    wave_test_levels("/salu/messages", test_messages);
    wave_test_levels("/salu/leaving", test_leaving);
    return g_test_run();
}
