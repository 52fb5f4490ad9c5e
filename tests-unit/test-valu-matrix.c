/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Products of matrices (WMMA) against a plain matrix model, in the layouts of
 * gfx11 and gfx12 and of both sizes of waves, and pairs of operations (VOPD).
 */
#include <math.h>
#include <string.h>
#include "rdna-harness.h"

enum { N = 16, K_MOST = 32, A = 20, B = 40, C = 60, D = 80 };

typedef enum Element { F16, BF16, FP8, BF8, IU8, IU4, F32, I32 } Element;

static unsigned element_bits(Element e)
{
    return e <= BF16 ? 16 : e == IU4 ? 4 : e >= F32 ? 32 : 8;
}

typedef struct Product {
    const char *name;  /* after v_wmma_ */
    Element a, b, sum;
    unsigned k;
    bool gfx12;        /* gfx11 does not have it */
} Product;

static const Product products[] = {
    { "f32_16x16x16_f16", F16, F16, F32, 16, false },
    { "f32_16x16x16_bf16", BF16, BF16, F32, 16, false },
    { "f16_16x16x16_f16", F16, F16, F16, 16, false },
    { "bf16_16x16x16_bf16", BF16, BF16, BF16, 16, false },
    { "i32_16x16x16_iu8", IU8, IU8, I32, 16, false },
    { "i32_16x16x16_iu4", IU4, IU4, I32, 16, false },
    { "i32_16x16x32_iu4", IU4, IU4, I32, 32, true },
    { "f32_16x16x16_fp8_fp8", FP8, FP8, F32, 16, true },
    { "f32_16x16x16_fp8_bf8", FP8, BF8, F32, 16, true },
    { "f32_16x16x16_bf8_fp8", BF8, FP8, F32, 16, true },
    { "f32_16x16x16_bf8_bf8", BF8, BF8, F32, 16, true },
};

/* ---- the layouts ---- */

typedef struct Spot {
    unsigned reg, lane, shift;
} Spot;

/* gfx11: all of K in one lane.  gfx12: K over the groups of 16 lanes. */
static Spot factor_spot(const WaveHarness *h, Element e, unsigned i,
                        unsigned k)
{
    unsigned bits = element_bits(e), wide = rdna_lanes(h) == 64;
    unsigned lane = i, n = k;

    if (h->w->isa->gen >= GEN_12) {
        if (wide && e != IU4) {
            lane += 16 * (k / 4);
            n = k % 4;
        } else if (wide) {
            lane += 16 * (k / 8);
            n = k % 8;
        } else {
            lane += 16 * (k / 8 % 2);
            n = k / 16 * 8 + k % 8;
        }
    }
    return (Spot){ n * bits / 32, lane, n * bits % 32 };
}

/* Row and column of C and D; @high: gfx11's other half. */
static Spot sum_spot(const WaveHarness *h, Element e, unsigned row,
                     unsigned col, bool high)
{
    unsigned wide = rdna_lanes(h) == 64, half = element_bits(e) == 16, reg;

    if (h->w->isa->gen < GEN_12) {
        unsigned rows = wide ? 4 : 2; /* of a register */

        return (Spot){ row / rows, row % rows * 16 + col, high ? 16 : 0 };
    }
    reg = wide ? row % 4 : row % 8;
    col += 16 * (row / 8) + (wide ? 32 * (row / 4 % 2) : 0);
    return half ? (Spot){ reg / 2, col, reg % 2 * 16 } : (Spot){ reg, col, 0 };
}

static unsigned sum_registers(const WaveHarness *h, Element e)
{
    unsigned n = rdna_lanes(h) == 64 ? 4 : 8;

    return h->w->isa->gen >= GEN_12 && element_bits(e) == 16 ? n / 2 : n;
}

static unsigned factor_registers(const WaveHarness *h, Element e, unsigned k)
{
    unsigned bits = k * element_bits(e), groups = rdna_lanes(h) / 16;

    if (h->w->isa->gen < GEN_12) {
        return bits / 32;
    }
    return MAX(bits / groups / 32, 1);
}

/* ---- values: small whole numbers, so that no sum is rounded ---- */

static uint32_t encode(Element e, int x)
{
    static const uint8_t fp8[5] = { 0x00, 0x38, 0x40, 0x44, 0x48 };
    static const uint8_t bf8[5] = { 0x00, 0x3c, 0x40, 0x42, 0x44 };
    float f = x;
    uint32_t bits;

    memcpy(&bits, &f, sizeof(bits));
    switch (e) {
    case F16:
        return x ? (bits >> 16 & 0x8000) | ((bits >> 23 & 0xff) - 112) << 10 |
                   (bits >> 13 & 0x3ff) : 0;
    case BF16:
        return bits >> 16;
    case FP8:
        return fp8[ABS(x)] | (x < 0 ? 0x80 : 0);
    case BF8:
        return bf8[ABS(x)] | (x < 0 ? 0x80 : 0);
    case F32:
        return bits;
    default:
        return x;
    }
}

typedef struct Sample {
    int64_t a[N][K_MOST], b[K_MOST][N], c[N][N];
} Sample;

static int small(unsigned n)
{
    return (int)(rdna_junk(n, n % 53) % 9) - 4;
}

static void put(WaveHarness *h, unsigned first, Spot s, Element e,
                uint32_t x)
{
    uint32_t *lane = &wave_vgpr(h, first + s.reg)[s.lane];
    uint32_t mask = (uint32_t)((1ull << element_bits(e)) - 1) << s.shift;

    *lane = (*lane & ~mask) | (x << s.shift & mask);
}

/* Numbers from -4 to 4; ints from all that there are if signed as @signs. */
static int64_t factor(Element e, unsigned n, bool is_signed)
{
    unsigned bits = element_bits(e);
    int64_t x = rdna_junk(n, n % 61) & ((1u << bits) - 1);

    if (e != IU8 && e != IU4) {
        return small(n);
    }
    return is_signed && x >> (bits - 1) ? x - (1 << bits) : x;
}

static void make_sample(WaveHarness *h, const Product *p, unsigned signs,
                        bool high, Sample *s)
{
    for (unsigned i = 0; i < N; i++) {
        for (unsigned k = 0; k < p->k; k++) {
            s->a[i][k] = factor(p->a, i * 100 + k, signs & 1);
            s->b[k][i] = factor(p->b, i * 77 + k * 3 + 5, signs & 2);
            put(h, A, factor_spot(h, p->a, i, k), p->a,
                encode(p->a, (int)s->a[i][k]));
            put(h, B, factor_spot(h, p->b, i, k), p->b,
                encode(p->b, (int)s->b[k][i]));
        }
        for (unsigned j = 0; j < N; j++) {
            s->c[i][j] = p->sum == I32 ? (int32_t)rdna_junk(i, j)
                                       : small(i * 31 + j * 7);
            put(h, C, sum_spot(h, p->sum, i, j, high), p->sum,
                encode(p->sum, (int)s->c[i][j]));
        }
    }
}

static int64_t product(const Product *p, const Sample *s, unsigned i,
                       unsigned j)
{
    int64_t sum = s->c[i][j];

    for (unsigned k = 0; k < p->k; k++) {
        sum += s->a[i][k] * s->b[k][j];
    }
    return sum;
}

/* bf16 has 8 bits: sums up to 16 * 16 + 4 may need one more, to nearest. */
static uint32_t expected_bits(Element e, int64_t x, bool clamp)
{
    float f = x;
    uint32_t bits;

    if (e == I32) {
        return clamp ? CLAMP(x, INT32_MIN, INT32_MAX) : (uint32_t)x;
    }
    memcpy(&bits, &f, sizeof(bits));
    return e == BF16 ? (bits + 0x7fff + (bits >> 16 & 1)) >> 16
                     : encode(e, (int)x);
}

static char *product_text(const WaveHarness *h, const Product *p,
                          const char *more)
{
    unsigned a = factor_registers(h, p->a, p->k);
    unsigned sum = sum_registers(h, p->sum);
    g_autofree char *last = a > 1 ? g_strdup_printf("v[%u:%u], v[%u:%u]", A,
        A + a - 1, B, B + a - 1) : g_strdup_printf("v%u, v%u", A, B);

    return g_strdup_printf("v_wmma_%s v[%u:%u], %s, v[%u:%u]%s", p->name, D,
                           D + sum - 1, last, C, C + sum - 1, more);
}

static void check_product(WaveHarness *h, const Product *p, const Sample *s,
                          bool clamp, bool high)
{
    for (unsigned i = 0; i < N; i++) {
        for (unsigned j = 0; j < N; j++) {
            Spot at = sum_spot(h, p->sum, i, j, high);
            uint32_t got = wave_vgpr(h, D + at.reg)[at.lane] >> at.shift;
            uint32_t want = expected_bits(p->sum, product(p, s, i, j), clamp);

            if (element_bits(p->sum) == 16) {
                got &= 0xffff;
            }
            g_assert_cmphex(got, ==, want);
        }
    }
}

static void run_product(WaveHarness *h, const Product *p, unsigned signs,
                        bool clamp, bool high)
{
    static const char *const neg[] = { "", " neg_lo:[1,0,0]",
                                       " neg_lo:[0,1,0]", " neg_lo:[1,1,0]" };
    g_autofree char *more = g_strdup_printf("%s%s%s",
        high ? " op_sel:[0,0,1]" : "", neg[signs], clamp ? " clamp" : "");
    g_autofree char *text = product_text(h, p, more);
    Sample s;

    rdna_fill(h, A, 80);
    make_sample(h, p, signs, high, &s);
    wave_set_exec(h, 1); /* is not asked */
    rdna_run(h, text);
    check_product(h, p, &s, clamp, high);
    wave_set_exec(h, UINT64_MAX);
}

static void test_products(WaveHarness *h, const void *data)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(products); i++) {
        const Product *p = &products[i];
        bool ints = p->sum == I32, gfx12 = h->w->isa->gen >= GEN_12;

        if (p->gfx12 && !gfx12) {
            continue;
        }
        for (unsigned signs = 0; signs < (ints ? 4 : 1); signs++) {
            run_product(h, p, signs, false, false);
            if (ints) {
                run_product(h, p, signs, true, false);
            }
        }
        if (!gfx12 && element_bits(p->sum) == 16) {
            run_product(h, p, 0, false, true);
        }
    }
}

/* gfx11's sums of 16 bits leave the half that op_sel does not pick. */
static void test_other_half(WaveHarness *h, const void *data)
{
    const Product *p = &products[2];
    unsigned regs = sum_registers(h, p->sum);

    run_product(h, p, 0, false, false);
    for (unsigned r = D; r < D + regs; r++) {
        for (unsigned lane = 0; lane < rdna_lanes(h); lane++) {
            g_assert_cmphex(wave_vgpr(h, r)[lane] >> 16, ==,
                            rdna_junk(r, lane) >> 16);
        }
    }
    run_product(h, p, 0, false, true);
    for (unsigned r = D; r < D + regs; r++) {
        for (unsigned lane = 0; lane < rdna_lanes(h); lane++) {
            g_assert_cmphex(wave_vgpr(h, r)[lane] & 0xffff, ==,
                            rdna_junk(r, lane) & 0xffff);
        }
    }
}

/* neg_lo and neg_hi: even and odd elements; C negated, and its magnitude. */
static void test_signs(WaveHarness *h, const void *data)
{
    const Product *p = &products[0];
    g_autofree char *text = product_text(h, p,
                                    " neg_lo:[1,0,1] neg_hi:[0,1,1]");
    Sample s;

    make_sample(h, p, 0, false, &s);
    rdna_run(h, text);
    for (unsigned i = 0; i < N; i++) {
        for (unsigned j = 0; j < N; j++) {
            s.c[i][j] = -ABS(s.c[i][j]);
        }
        for (unsigned k = 0; k < p->k; k++) {
            s.a[i][k] = k % 2 ? s.a[i][k] : -s.a[i][k];
            s.b[k][i] = k % 2 ? -s.b[k][i] : s.b[k][i];
        }
    }
    check_product(h, p, &s, false, false);
}

/* D in the place of A, and C a constant. */
static void test_overlap(WaveHarness *h, const void *data)
{
    const Product *p = &products[0];
    unsigned regs = factor_registers(h, p->a, p->k);
    unsigned sum = sum_registers(h, p->sum);
    g_autofree char *text = g_strdup_printf(
        "v_wmma_%s v[%u:%u], v[%u:%u], v[%u:%u], 1.0", p->name, A, A + sum - 1,
        A, A + regs - 1, B, B + regs - 1);
    Sample s;

    make_sample(h, p, 0, false, &s);
    rdna_run(h, text);
    for (unsigned i = 0; i < N; i++) {
        for (unsigned j = 0; j < N; j++) {
            Spot at = sum_spot(h, p->sum, i, j, false);

            s.c[i][j] = 1;
            g_assert_cmphex(wave_vgpr(h, A + at.reg)[at.lane], ==,
                            encode(F32, (int)product(p, &s, i, j)));
        }
    }
}

/* ---- pairs of operations ---- */

typedef struct PairOp {
    const char *name;  /* after v_dual_ */
    enum { ONE, TWO, LITERAL_LAST, LITERAL_SECOND } operands;
    float (*fn)(float a, float b, float d, bool in);
    bool only_y;
} PairOp;

static const float constant = 3; /* the literal */

static float pair_fmac(float a, float b, float d, bool in)
{
    return a * b + d;
}

static float pair_fmaak(float a, float b, float d, bool in)
{
    return a * b + constant;
}

static float pair_fmamk(float a, float b, float d, bool in)
{
    return a * constant + b;
}

static float pair_mul(float a, float b, float d, bool in)
{
    return a * b;
}

static float pair_add(float a, float b, float d, bool in)
{
    return a + b;
}

static float pair_sub(float a, float b, float d, bool in)
{
    return a - b;
}

static float pair_subrev(float a, float b, float d, bool in)
{
    return b - a;
}

static float pair_mul_zero(float a, float b, float d, bool in)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

static float pair_mov(float a, float b, float d, bool in)
{
    return a;
}

static float pair_cndmask(float a, float b, float d, bool in)
{
    return in ? b : a;
}

static float pair_max(float a, float b, float d, bool in)
{
    return a > b ? a : b;
}

static float pair_min(float a, float b, float d, bool in)
{
    return a < b ? a : b;
}

static uint32_t bits_of(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

static float of_bits(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof(x));
    return x;
}

static float pair_add_u32(float a, float b, float d, bool in)
{
    return of_bits(bits_of(a) + bits_of(b));
}

static float pair_shift(float a, float b, float d, bool in)
{
    return of_bits(bits_of(b) << (bits_of(a) & 31));
}

static float pair_and(float a, float b, float d, bool in)
{
    return of_bits(bits_of(a) & bits_of(b));
}

/* gfx12 calls max and min max_num and min_num. */
static const PairOp pair_ops[] = {
    { "fmac_f32", TWO, pair_fmac, false },
    { "fmaak_f32", LITERAL_LAST, pair_fmaak, false },
    { "fmamk_f32", LITERAL_SECOND, pair_fmamk, false },
    { "mul_f32", TWO, pair_mul, false },
    { "add_f32", TWO, pair_add, false },
    { "sub_f32", TWO, pair_sub, false },
    { "subrev_f32", TWO, pair_subrev, false },
    { "mul_dx9_zero_f32", TWO, pair_mul_zero, false },
    { "mov_b32", ONE, pair_mov, false },
    { "cndmask_b32", TWO, pair_cndmask, false },
    { "max%s_f32", TWO, pair_max, false },
    { "min%s_f32", TWO, pair_min, false },
    { "add_nc_u32", TWO, pair_add_u32, true },
    { "lshlrev_b32", TWO, pair_shift, true },
    { "and_b32", TWO, pair_and, true },
};

static void put_half(GString *s, const WaveHarness *h, const PairOp *op,
                     unsigned d, unsigned a, unsigned b)
{
    g_autofree char *name = NULL;
    const char *num = strstr(op->name, "%s");

    name = num ? g_strdup_printf("%.3s%s_f32", op->name,
                                 h->w->isa->gen >= GEN_12 ? "_num" : "")
               : g_strdup(op->name);
    g_string_append_printf(s, "v_dual_%s v%u, v%u", name, d, a);
    if (op->operands == LITERAL_SECOND) {
        g_string_append(s, ", 0x40400000");
    }
    if (op->operands != ONE) {
        g_string_append_printf(s, ", v%u", b);
    }
    if (op->operands == LITERAL_LAST) {
        g_string_append(s, ", 0x40400000");
    }
}

static void load_pair(WaveHarness *h)
{
    for (unsigned r = 0; r < 8; r++) {
        for (unsigned lane = 0; lane < 64; lane++) {
            wave_vgpr(h, r)[lane] = bits_of((float)small(r * 64 + lane));
        }
    }
    wave_set_sgpr64(h, SGPR_VCC, 0x123456789abcdef0);
}

/* X: v0 = v1, v2; Y: v3 = v5, v0: what X writes, Y must not see. */
static void check_pair(WaveHarness *h, const PairOp *x, const PairOp *y)
{
    g_autoptr(GString) text = g_string_new(NULL);
    uint64_t exec = 0xfffffffffffff7fb & rdna_full(h);
    uint32_t was[8][64];

    put_half(text, h, x, 0, 1, 2);
    g_string_append(text, " :: ");
    put_half(text, h, y, 3, 0, 5);
    load_pair(h);
    for (unsigned r = 0; r < 8; r++) {
        memcpy(was[r], wave_vgpr(h, r), sizeof(was[r]));
    }
    wave_set_exec(h, exec);
    rdna_run(h, text->str);
    for (unsigned lane = 0; lane < rdna_lanes(h); lane++) {
        bool in = 0x123456789abcdef0 >> lane & 1, on = exec >> lane & 1;
        float v[8];

        for (unsigned r = 0; r < 8; r++) {
            v[r] = of_bits(was[r][lane]);
        }
        g_assert_cmphex(wave_vgpr(h, 0)[lane], ==,
                        on ? bits_of(x->fn(v[1], v[2], v[0], in)) :
                             was[0][lane]);
        g_assert_cmphex(wave_vgpr(h, 3)[lane], ==,
                        on ? bits_of(y->fn(v[0], v[5], v[3], in)) :
                             was[3][lane]);
    }
}

/* LLVM has pairs only for waves of 32 lanes. */
static void test_pairs(WaveHarness *h, const void *data)
{
    if (rdna_lanes(h) == 64) {
        return;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(pair_ops); i++) {
        for (unsigned j = 0; j < G_N_ELEMENTS(pair_ops); j += 1 + i % 3) {
            if (!pair_ops[i].only_y) {
                check_pair(h, &pair_ops[i], &pair_ops[j]);
            }
        }
    }
}

static void test_pair_swap(WaveHarness *h, const void *data)
{
    rdna_fill(h, 0, 2);
    h->w->s[4] = 77;
    if (rdna_lanes(h) == 64) {
        return;
    }
    rdna_run(h, "v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v1, v0\n"
                "v_dual_mov_b32 v2, s4 :: v_dual_add_f32 v3, 1.0, v3\n");
    for (unsigned lane = 0; lane < 32; lane++) {
        g_assert_cmphex(wave_vgpr(h, 0)[lane], ==, rdna_junk(1, lane));
        g_assert_cmphex(wave_vgpr(h, 1)[lane], ==, rdna_junk(0, lane));
        g_assert_cmphex(wave_vgpr(h, 2)[lane], ==, 77);
        g_assert_cmphex(wave_vgpr(h, 3)[lane], ==, 0x3f800000);
    }
}

static const RdnaTest tests[] = {
    { "/wmma", test_products, ALL_RDNA },
    { "/wmma/other-half", test_other_half, ONLY_GFX11 },
    { "/wmma/signs", test_signs, ALL_RDNA },
    { "/wmma/overlap", test_overlap, ALL_RDNA },
    { "/vopd/pairs", test_pairs, ALL_RDNA },
    { "/vopd/swap", test_pair_swap, ALL_RDNA },
};

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    rdna_add_tests(tests, G_N_ELEMENTS(tests));
    return g_test_run();
}
