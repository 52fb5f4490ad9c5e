/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Products of sparse matrices (SWMMAC) of gfx12 against a plain model.
 *
 * Where the elements lie is told here as it is known from gfx1201, by kind of
 * element: groups of four of A's columns, of which two are there, B's rows, and
 * the index, four bits a group.  Of it, the product shows only which lanes go
 * together.
 */
#include <string.h>
#include "rdna-harness.h"

enum { N = 16, K_MOST = 64, GROUPS = K_MOST / 4 };
enum { A = 20, B = 40, INDEX = 60, D = 80 };

typedef enum Element { F16, BF16, FP8, BF8, IU8, IU4, F32, I32 } Element;

typedef struct Product {
    const char *name; /* after v_swmmac_ */
    Element a, b, sum;
    unsigned k;
} Product;

static const Product products[] = {
    { "f32_16x16x32_f16", F16, F16, F32, 32 },
    { "f32_16x16x32_bf16", BF16, BF16, F32, 32 },
    { "f16_16x16x32_f16", F16, F16, F16, 32 },
    { "bf16_16x16x32_bf16", BF16, BF16, BF16, 32 },
    { "i32_16x16x32_iu8", IU8, IU8, I32, 32 },
    { "i32_16x16x32_iu4", IU4, IU4, I32, 32 },
    { "i32_16x16x64_iu4", IU4, IU4, I32, 64 },
    { "f32_16x16x32_fp8_fp8", FP8, FP8, F32, 32 },
    { "f32_16x16x32_fp8_bf8", FP8, BF8, F32, 32 },
    { "f32_16x16x32_bf8_fp8", BF8, FP8, F32, 32 },
    { "f32_16x16x32_bf8_bf8", BF8, BF8, F32, 32 },
};

static unsigned element_bits(Element e)
{
    return e <= BF16 ? 16 : e == IU4 ? 4 : e >= F32 ? 32 : 8;
}

/* ---- the layouts ---- */

/* 16 lanes, and the number of an element or of a group of them in a lane. */
typedef struct Spot {
    unsigned block, number;
} Spot;

/* The order of the four 16 lanes for 8 bits and less. */
static unsigned swapped(unsigned block)
{
    return block % 2 * 2 + block / 2;
}

/* Group @g of A's columns. */
static Spot group_spot(const Product *p, unsigned g, bool wide)
{
    if (element_bits(p->a) == 16) {
        return wide ? (Spot){ g / 2, g % 2 }
                    : (Spot){ g / 2 % 2, g / 4 * 2 + g % 2 };
    }
    if (p->a == IU4 && p->k == 64) {
        return wide ? (Spot){ swapped(g / 4), g % 4 }
                    : (Spot){ g / 8, g % 8 };
    }
    if (p->a == IU4 || !wide) {
        return (Spot){ g / 4, g % 4 }; /* of 16 in all: the lower 32 lanes */
    }
    return (Spot){ swapped(g / 2), g % 2 };
}

/* Row @k of B. */
static Spot row_spot(const Product *p, unsigned k, bool wide)
{
    if (element_bits(p->b) == 16) {
        return wide ? (Spot){ k / 8, k % 8 }
                    : (Spot){ k / 8 % 2, k / 16 * 8 + k % 8 };
    }
    if (p->k == 64) {
        return wide ? (Spot){ swapped(k / 16), k % 16 }
                    : (Spot){ k / 32, k % 32 };
    }
    return wide ? (Spot){ swapped(k / 8), k % 8 } : (Spot){ k / 16, k % 16 };
}

/* Row @i of C and D: the lane of column 0, and the number of its element. */
static Spot sum_spot(unsigned i, bool wide)
{
    return wide ? (Spot){ i / 8 + i / 4 % 2 * 2, i % 4 }
                : (Spot){ i / 8, i % 8 };
}

/* ---- values: small whole numbers, so that no sum is rounded ---- */

static uint32_t float_bits(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

static uint32_t encode(Element e, int x)
{
    static const uint8_t fp8[5] = { 0x00, 0x38, 0x40, 0x44, 0x48 };
    static const uint8_t bf8[5] = { 0x00, 0x3c, 0x40, 0x42, 0x44 };
    uint32_t bits = float_bits(x);

    switch (e) {
    case F16:
        return x ? (bits >> 16 & 0x8000) | ((bits >> 23 & 0xff) - 112) << 10 |
                   (bits >> 13 & 0x3ff) : 0;
    case BF16: /* to nearest even: it has 8 bits */
        return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
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

/* Floats from -4 to 4; ints from all that there are if signed as @is_signed. */
static int factor(Element e, unsigned n, bool is_signed)
{
    unsigned bits = element_bits(e);
    int x = rdna_junk(n, n % 61) & ((1u << bits) - 1);

    if (e != IU8 && e != IU4) {
        return (int)(rdna_junk(n, n % 53) % 9) - 4;
    }
    return is_signed && x >> (bits - 1) ? x - (1 << bits) : x;
}

typedef struct Sample {
    int a[N][GROUPS][2], place[N][GROUPS][2]; /* of four; in either order */
    int b[K_MOST][N];
    int64_t c[N][N];
} Sample;

static uint32_t *lane_at(WaveHarness *h, unsigned first, Spot s, unsigned lane,
                         unsigned bits, unsigned *shift)
{
    *shift = s.number * bits % 32;
    return &wave_vgpr(h, first + s.number * bits / 32)[16 * s.block + lane];
}

static void put(WaveHarness *h, unsigned first, Spot s, unsigned lane,
                unsigned bits, uint32_t x)
{
    unsigned shift;
    uint32_t *at = lane_at(h, first, s, lane, bits, &shift);
    uint32_t mask = (uint32_t)((1ull << bits) - 1) << shift;

    *at = (*at & ~mask) | (x << shift & mask);
}

/* ---- */

static void make_a(WaveHarness *h, const Product *p, bool is_signed,
                   unsigned key, Sample *s)
{
    bool wide = rdna_lanes(h) == 64;
    unsigned bits = element_bits(p->a), groups = p->k / 4;
    unsigned index_bits = 0;

    for (unsigned g = 0; g < groups; g++) {
        index_bits = MAX(index_bits, 4 * (group_spot(p, g, wide).number + 1));
    }
    for (unsigned i = 0; i < N; i++) {
        for (unsigned g = 0; g < groups; g++) {
            Spot spot = group_spot(p, g, wide);
            unsigned r = rdna_junk(i * 31 + g, g), first = r % 4;
            unsigned second = (first + 1 + r / 4 % 3) % 4;

            s->place[i][g][0] = first;
            s->place[i][g][1] = second;
            for (unsigned e = 0; e < 2; e++) {
                s->a[i][g][e] = factor(p->a, i * 100 + g * 2 + e, is_signed);
                put(h, A, (Spot){ spot.block, spot.number * 2 + e }, i, bits,
                    encode(p->a, s->a[i][g][e]));
            }
            spot.number += key * index_bits / 4;
            put(h, INDEX, spot, i, 4, first | second << 2);
        }
    }
}

static void make_rest(WaveHarness *h, const Product *p, bool is_signed,
                      Sample *s)
{
    bool wide = rdna_lanes(h) == 64;

    for (unsigned j = 0; j < N; j++) {
        for (unsigned k = 0; k < p->k; k++) {
            s->b[k][j] = factor(p->b, j * 77 + k * 3 + 5, is_signed);
            put(h, B, row_spot(p, k, wide), j, element_bits(p->b),
                encode(p->b, s->b[k][j]));
        }
        for (unsigned i = 0; i < N; i++) {
            s->c[i][j] = p->sum == I32 ? (int32_t)rdna_junk(i, j)
                                       : factor(F32, i * 31 + j * 7, true);
            put(h, D, sum_spot(i, wide), j, element_bits(p->sum),
                encode(p->sum, (int)s->c[i][j]));
        }
    }
}

static int64_t product(const Product *p, const Sample *s, unsigned i,
                       unsigned j)
{
    int64_t sum = s->c[i][j];

    for (unsigned g = 0; g < p->k / 4; g++) {
        for (unsigned e = 0; e < 2; e++) {
            sum += s->a[i][g][e] * s->b[4 * g + s->place[i][g][e]][j];
        }
    }
    return sum;
}

static uint32_t expected(Element e, int64_t x, bool clamp)
{
    if (e == I32) {
        return clamp ? CLAMP(x, INT32_MIN, INT32_MAX) : (uint32_t)x;
    }
    return encode(e, (int)x);
}

static void check_product(WaveHarness *h, const Product *p, const Sample *s,
                          bool clamp)
{
    bool wide = rdna_lanes(h) == 64;
    unsigned bits = element_bits(p->sum), shift;

    for (unsigned i = 0; i < N; i++) {
        for (unsigned j = 0; j < N; j++) {
            uint32_t *at = lane_at(h, D, sum_spot(i, wide), j, bits, &shift);
            uint32_t got = *at >> shift, want;

            want = expected(p->sum, product(p, s, i, j), clamp);
            g_assert_cmphex(bits == 16 ? got & 0xffff : got, ==, want);
        }
    }
}

/* "v20" or "v[20:23]" for @elements of a lane, of @bits. */
static char *tuple(unsigned first, unsigned elements, unsigned bits)
{
    unsigned n = MAX(elements * bits / 32, 1);

    return n == 1 ? g_strdup_printf("v%u", first)
                  : g_strdup_printf("v[%u:%u]", first, first + n - 1);
}

static char *product_text(const WaveHarness *h, const Product *p,
                          const char *more)
{
    unsigned lanes = rdna_lanes(h) / 16;
    g_autofree char *a = tuple(A, p->k / 2 / lanes, element_bits(p->a));
    g_autofree char *b = tuple(B, p->k / lanes, element_bits(p->b));
    g_autofree char *d = tuple(D, N / lanes, element_bits(p->sum));

    return g_strdup_printf("v_swmmac_%s %s, %s, %s, v%u%s", p->name, d, a, b,
                           INDEX, more);
}

static void run_product(WaveHarness *h, const Product *p, unsigned signs,
                        bool clamp, unsigned key)
{
    static const char *const neg[] = { "", " neg_lo:[1,0,0]",
                                       " neg_lo:[0,1,0]", " neg_lo:[1,1,0]" };
    g_autofree char *index = key ? g_strdup_printf(" index_key:%u", key)
                                 : g_strdup("");
    g_autofree char *more = g_strdup_printf("%s%s%s", index, neg[signs],
                                            clamp ? " clamp" : "");
    g_autofree char *text = product_text(h, p, more);
    Sample s;

    rdna_fill(h, A, 80);
    make_a(h, p, signs & 1, key, &s);
    make_rest(h, p, signs & 2, &s);
    wave_set_exec(h, 1); /* is not asked */
    rdna_run(h, text);
    check_product(h, p, &s, clamp);
    wave_set_exec(h, UINT64_MAX);
}

/* How many parts of a register there are for the indices of a lane. */
static unsigned index_keys(const Product *p, bool wide)
{
    return p->a != IU4 ? (wide ? 4 : 2) : p->k == 32 || wide ? 2 : 1;
}

static void test_products(WaveHarness *h, const void *data)
{
    bool wide = rdna_lanes(h) == 64;

    for (unsigned i = 0; i < G_N_ELEMENTS(products); i++) {
        const Product *p = &products[i];
        bool ints = p->sum == I32;

        for (unsigned key = 0; key < index_keys(p, wide); key++) {
            run_product(h, p, ints ? 3 : 0, false, key);
        }
        for (unsigned signs = 0; ints && signs < 4; signs++) {
            run_product(h, p, signs, true, 0);
            run_product(h, p, signs, false, 0);
        }
    }
}

/* neg_lo and neg_hi: even and odd elements of a lane. */
static void test_signs(WaveHarness *h, const void *data)
{
    const Product *p = &products[0];
    g_autofree char *text = product_text(h, p,
                                    " neg_lo:[1,0,0] neg_hi:[0,1,0]");
    Sample s;

    make_a(h, p, true, 0, &s);
    make_rest(h, p, true, &s);
    rdna_run(h, text);
    for (unsigned i = 0; i < N; i++) {
        for (unsigned g = 0; g < p->k / 4; g++) {
            s.a[i][g][0] = -s.a[i][g][0];
        }
        for (unsigned k = 1; k < p->k; k += 2) {
            s.b[k][i] = -s.b[k][i];
        }
    }
    check_product(h, p, &s, false);
}

static const RdnaTest tests[] = {
    { "/swmmac", test_products, ONLY_GFX12 },
    { "/swmmac/signs", test_signs, ONLY_GFX12 },
};

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    rdna_add_tests(tests, G_N_ELEMENTS(tests));
    return g_test_run();
}
