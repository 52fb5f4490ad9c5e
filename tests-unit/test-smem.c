/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scalar memory instructions.  Tests carry the number of the rule that they
 * prove (SM1 to SM16; SM17 to SM19 are about counters and programs).
 */
#include <inttypes.h>
#include <string.h>
#include "wave-harness.h"

#define MEM_VA 0x10000ull
#define MEM_SIZE 0x3000u
#define RO_VA 0x20000ull

static uint8_t *mem, *ro;

/* The byte at each address of memory, before stores. */
static uint8_t pattern(uint64_t va)
{
    return (uint8_t)(va * 37 + (va >> 8) * 11 + 5);
}

static uint32_t dword_at(uint64_t va)
{
    uint32_t x = 0;

    for (int i = 0; i < 4; i++) {
        x |= (uint32_t)pattern(va + i) << 8 * i;
    }
    return x;
}

static void setup(WaveHarness *h)
{
    mem = wave_map(h, MEM_VA, MEM_SIZE, true);
    ro = wave_map(h, RO_VA, 0x1000, false);
    for (uint32_t i = 0; i < MEM_SIZE; i++) {
        mem[i] = pattern(MEM_VA + i);
    }
    for (uint32_t i = 0; i < 0x1000; i++) {
        ro[i] = pattern(RO_VA + i);
    }
}

/* Known values in all SGPRs that a test does not set itself. */
static void fill_sgprs(WaveHarness *h)
{
    wave_reset(h);
    for (unsigned i = 0; i < 102; i++) {
        h->w->s[i] = 0xe0e00000 + i;
    }
}

/* All SGPRs but [@first, @first + @count) hold what fill_sgprs() put there. */
static void assert_others(const WaveHarness *h, unsigned first, unsigned count)
{
    for (unsigned i = 8; i < 102; i++) {
        if (i < first || i >= first + count) {
            g_assert_cmphex(h->w->s[i], ==, 0xe0e00000 + i);
        }
    }
    g_assert_cmphex(wave_sgpr64(h, SGPR_EXEC), ==, UINT64_MAX);
    g_assert_cmphex(h->w->s[SGPR_M0], ==, 0);
}

static WaveCode *assemble_one(const char *text)
{
    return wave_assemble(&text, 1);
}

/* One instruction given as two dwords. */
static WaveCode raw(uint32_t *words, uint32_t w0, uint32_t w1)
{
    words[0] = w0;
    words[1] = w1;
    return (WaveCode){ .words = words, .count = 2 };
}

#define SMEM(op, imm, soe, sdata, sbase) \
    (0xc0000000u | (op) << 18 | (imm) << 17 | (soe) << 14 | (sdata) << 6 | \
     (sbase) / 2)
#define SMEM1(soffset, offset) \
    ((uint32_t)(soffset) << 25 | ((offset) & 0x1fffff))

enum { S_LOAD_DWORD = 0, S_LOAD_DWORDX2, S_LOAD_DWORDX4, S_LOAD_DWORDX8,
       S_LOAD_DWORDX16, S_BUFFER_LOAD_DWORD = 8, S_STORE_DWORD = 16 };

/* ---- loads ---- */

static void test_sm1_widths(WaveHarness *h)
{
    static const unsigned widths[] = { 1, 2, 4, 8, 16 };
    static const char *const texts[] = {
        "s_load_dword s20, s[2:3], s4", "s_load_dwordx2 s[20:21], s[2:3], s4",
        "s_load_dwordx4 s[20:23], s[2:3], s4",
        "s_load_dwordx8 s[20:27], s[2:3], s4",
        "s_load_dwordx16 s[20:35], s[2:3], s4",
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    setup(h);
    for (unsigned i = 0; i < G_N_ELEMENTS(widths); i++) {
        /* over the end of the first page, to the end of the last */
        for (uint32_t at = 0xf80; at < 0x1010; at += 4) {
            fill_sgprs(h);
            wave_set_sgpr64(h, 2, MEM_VA);
            h->w->s[4] = at;
            g_assert_cmpint(wave_run(h, &code[i]), ==, TESSERA_FAULT_NONE);
            for (unsigned k = 0; k < widths[i]; k++) {
                g_assert_cmphex(h->w->s[20 + k], ==,
                                dword_at(MEM_VA + at + 4 * k));
            }
            assert_others(h, 20, widths[i]);
        }
        h->w->s[4] = MEM_SIZE - 4 * widths[i];
        g_assert_cmpint(wave_run(h, &code[i]), ==, TESSERA_FAULT_NONE);
        fill_sgprs(h);
        wave_set_sgpr64(h, 2, MEM_VA);
        h->w->s[4] = MEM_SIZE - 4 * widths[i] + 4;
        g_assert_cmpint(wave_run(h, &code[i]), ==, TESSERA_FAULT_UNMAPPED);
        g_assert_cmphex(h->worker->fault.address, ==, MEM_VA + MEM_SIZE);
        assert_others(h, 0, 0);
    }
    wave_code_free(code);
}

static void test_sm4_offsets(WaveHarness *h)
{
    static const struct {
        uint32_t w0, w1;
        uint64_t want;
    } cases[] = {
        { SMEM(0, 0, 0, 20, 2), SMEM1(0, 4), 0x100 },
        { SMEM(0, 0, 0, 20, 2), SMEM1(5, 124), 0x300 },
        { SMEM(0, 0, 1, 20, 2), SMEM1(5, 4), 0x200 },
        { SMEM(0, 0, 1, 20, 2), SMEM1(124, 0x40), 0x300 },
        { SMEM(0, 1, 0, 20, 2), SMEM1(5, 0x44), 0x44 },
        { SMEM(0, 1, 0, 20, 2), SMEM1(0, 0xfffff), 0xffffc },
        { SMEM(0, 1, 1, 20, 2), SMEM1(5, 0x44), 0x244 },
        { SMEM(0, 1, 1, 20, 2), SMEM1(124, 0x44), 0x344 },
        { SMEM(0, 1, 1, 20, 2), SMEM1(5, -0x10), 0x1f0 },
        { SMEM(0, 1, 0, 20, 2), SMEM1(0, -0x10), -0x10 },
    };
    uint8_t *high;
    uint32_t words[2];

    setup(h);
    high = wave_map(h, MEM_VA + 0xff000, 0x1000, false);
    for (uint32_t i = 0; i < 0x1000; i++) {
        high[i] = pattern(MEM_VA + 0xff000 + i);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        WaveCode code = raw(words, cases[i].w0, cases[i].w1);
        uint64_t base = MEM_VA + (cases[i].want < 0x80000000 ? 0 : 0x100);

        fill_sgprs(h);
        wave_set_sgpr64(h, 2, base);
        h->w->s[4] = 0x100;
        h->w->s[5] = 0x200;
        h->w->s[SGPR_M0] = 0x300;
        g_assert_cmpint(wave_run(h, &code), ==, TESSERA_FAULT_NONE);
        g_assert_cmphex(h->w->s[20], ==, dword_at(base + cases[i].want));
    }
}

static void test_sm5_scratch(WaveHarness *h)
{
    static const char *const texts[] = {
        "s_scratch_load_dword s20, s[2:3], s4",
        "s_scratch_load_dwordx2 s[20:21], s[2:3], s4 offset:0x18",
        "s_scratch_load_dwordx4 s[20:23], s[2:3], 0x24",
        "s_scratch_store_dword s20, s[2:3], s4",
        "s_scratch_store_dwordx4 s[20:23], s[2:3], 0x24",
        "s_scratch_store_dwordx2 s[20:21], s[2:3], s4 offset:0x18",
    };
    static const uint32_t at[] = { 0x140, 0x158, 0x24 };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    setup(h);
    for (unsigned i = 0; i < 6; i++) {
        fill_sgprs(h);
        wave_set_sgpr64(h, 2, MEM_VA);
        h->w->s[4] = 5;
        g_assert_cmpint(wave_run(h, &code[i]), ==, TESSERA_FAULT_NONE);
        if (i < 3) {
            g_assert_cmphex(h->w->s[20], ==, dword_at(MEM_VA + at[i]));
        }
    }
    g_assert_cmpmem(mem + 0x140, 4, &h->w->s[20], 4);
    g_assert_cmpmem(mem + 0x158, 8, &h->w->s[20], 8);
    g_assert_cmpmem(mem + 0x24, 16, &h->w->s[20], 16);
    wave_code_free(code);
}

static void test_sm6_low_bits(WaveHarness *h)
{
    uint32_t words[2];
    WaveCode code = raw(words, SMEM(0, 1, 1, 20, 2), SMEM1(5, 0x47));

    setup(h);
    wave_reset(h);
    wave_set_sgpr64(h, 2, MEM_VA + 3);
    h->w->s[5] = 0x83;
    g_assert_cmpint(wave_run(h, &code), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(h->w->s[20], ==, dword_at(MEM_VA + 0x44 + 0x80));
    code = raw(words, SMEM(0, 1, 1, 20, 2), SMEM1(5, -3)); /* is -4 */
    h->w->s[5] = 0x87;
    g_assert_cmpint(wave_run(h, &code), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(h->w->s[20], ==, dword_at(MEM_VA + 0x80));
}

static void test_sm7_negative(WaveHarness *h)
{
    uint32_t words[2];
    WaveCode code = raw(words, SMEM(0, 1, 1, 20, 2), SMEM1(5, -0x40));

    setup(h);
    fill_sgprs(h);
    wave_set_sgpr64(h, 2, MEM_VA + 0x100);
    h->w->s[5] = 0x3c;
    g_assert_cmpint(wave_run(h, &code), ==, TESSERA_FAULT_SMEM_OFFSET);
    g_assert_cmphex(h->w->s[20], ==, 0xe0e00014);
    h->w->s[5] = 0x40;
    g_assert_cmpint(wave_run(h, &code), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(h->w->s[20], ==, dword_at(MEM_VA + 0x100));
    /* the register is unsigned: 4 GiB on, not back */
    h->w->s[5] = -4u;
    g_assert_cmpint(wave_run(h, &code), ==, TESSERA_FAULT_UNMAPPED);
    g_assert_cmphex(h->worker->fault.address, ==,
                    MEM_VA + 0x100 + 0xfffffffcull - 0x40);
}

static void test_sm8_sdata(WaveHarness *h)
{
    static const struct {
        unsigned op, sdata;
        unsigned first, count; /* that are written */
    } cases[] = {
        { S_LOAD_DWORD, 106, 106, 1 }, { S_LOAD_DWORDX2, 106, 106, 2 },
        { S_LOAD_DWORDX2, 21, 20, 2 }, { S_LOAD_DWORDX4, 23, 20, 4 },
        { S_LOAD_DWORDX8, 22, 20, 8 }, { S_LOAD_DWORDX16, 20, 20, 16 },
        { S_LOAD_DWORDX16, 88, 88, 16 },
        /* beyond the registers, m0, exec: not executed */
        { S_LOAD_DWORDX16, 92, 0, 0 }, { S_LOAD_DWORDX8, 100, 0, 0 },
        { S_LOAD_DWORD, 124, 0, 0 }, { S_LOAD_DWORD, 126, 0, 0 },
        { S_LOAD_DWORD, 127, 0, 0 }, { S_LOAD_DWORDX2, 126, 0, 0 },
        { S_LOAD_DWORDX2, 124, 0, 0 }, { S_LOAD_DWORDX4, 104, 0, 0 },
        { S_LOAD_DWORDX4, 124, 0, 0 }, { S_LOAD_DWORDX16, 112, 0, 0 },
    };
    uint32_t words[2];

    setup(h);
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        WaveCode code = raw(words, SMEM(cases[i].op, 1, 0, cases[i].sdata, 2),
                            SMEM1(0, 0x80));

        fill_sgprs(h);
        wave_set_sgpr64(h, 2, MEM_VA);
        g_assert_cmpint(wave_run(h, &code), ==, TESSERA_FAULT_NONE);
        for (unsigned k = 0; k < cases[i].count; k++) {
            g_assert_cmphex(h->w->s[cases[i].first + k], ==,
                            dword_at(MEM_VA + 0x80 + 4 * k));
        }
        assert_others(h, cases[i].first, cases[i].count);
        g_assert_cmphex(h->w->vccz, ==, wave_sgpr64(h, SGPR_VCC) == 0);
        if (cases[i].first + cases[i].count <= SGPR_VCC) {
            g_assert_cmphex(wave_sgpr64(h, SGPR_VCC), ==, 0);
        }
    }
}

static void test_sm9_sbase(WaveHarness *h)
{
    static const unsigned bad[] = { 124 };
    static const unsigned bad_buffer[] = { 104, 106, 124, 126 };
    uint32_t words[2];

    setup(h);
    for (unsigned i = 0; i < G_N_ELEMENTS(bad) + G_N_ELEMENTS(bad_buffer);
         i++) {
        bool buffer = i >= G_N_ELEMENTS(bad);
        unsigned sbase = buffer ? bad_buffer[i - G_N_ELEMENTS(bad)] : bad[i];
        WaveCode code = raw(words,
                            SMEM(buffer ? S_BUFFER_LOAD_DWORD : S_LOAD_DWORD,
                                 1, 0, 20, sbase), SMEM1(0, 0x10));

        fill_sgprs(h);
        wave_set_sgpr64(h, 0, MEM_VA + 0x40);
        h->w->s[2] = 0x1000;
        g_assert_cmpint(wave_run(h, &code), ==, TESSERA_FAULT_NONE);
        g_assert_cmphex(h->w->s[20], ==, dword_at(MEM_VA + 0x50));
        assert_others(h, 20, 1);
    }
    { /* a V# at an odd pair is rounded down to a multiple of four */
        WaveCode code = raw(words, SMEM(S_BUFFER_LOAD_DWORD, 1, 0, 20, 6),
                            SMEM1(0, 0x10));

        wave_set_sgpr64(h, 4, MEM_VA + 0x80);
        wave_set_sgpr64(h, 6, 0x1000);
        g_assert_cmpint(wave_run(h, &code), ==, TESSERA_FAULT_NONE);
        g_assert_cmphex(h->w->s[20], ==, dword_at(MEM_VA + 0x90));
    }
}

/* ---- buffers ---- */

static void set_buffer(WaveHarness *h, uint64_t base, uint32_t stride,
                       uint32_t records)
{
    h->w->s[4] = base;
    h->w->s[5] = (uint32_t)(base >> 32 & 0xffff) | stride << 16;
    h->w->s[6] = records;
    h->w->s[7] = 0xffffffff; /* does not matter */
}

static void test_sm10_bounds(WaveHarness *h)
{
    static const char *const texts[] = {
        "s_buffer_load_dword s20, s[4:7], s10",
        "s_buffer_load_dwordx2 s[20:21], s[4:7], s10",
        "s_buffer_load_dwordx4 s[20:23], s[4:7], s10",
        "s_buffer_load_dwordx8 s[20:27], s[4:7], s10",
        "s_buffer_load_dwordx16 s[20:35], s[4:7], s10",
    };
    static const struct {
        uint32_t stride, records, bytes;
    } cases[] = {
        { 0, 0x100, 0x100 }, { 0, 0, 0 }, { 4, 0x40, 0x100 },
        { 16, 0x10, 0x100 }, { 12, 3, 36 }, { 0x3fff, 1, 0x3fff },
        { 0, 0xffffffff, 0xffffffff },
        { 0x8000 | 16, 0x10, 0x100 }, /* swizzle: has no meaning here */
        { 0x4000 | 16, 0x10, 0x100 },
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    setup(h);
    for (unsigned c = 0; c < G_N_ELEMENTS(cases); c++) {
        for (unsigned i = 0; i < G_N_ELEMENTS(texts) * 40; i++) {
            unsigned n = 1u << i / 40;
            uint32_t at = i % 40 * 8 + 4;

            fill_sgprs(h);
            set_buffer(h, MEM_VA + 0xfc0, cases[c].stride, cases[c].records);
            h->w->s[10] = at;
            g_assert_cmpint(wave_run(h, &code[i / 40]), ==,
                            TESSERA_FAULT_NONE);
            for (unsigned k = 0; k < n; k++) { /* SM11: 0 out of range */
                uint32_t x = at + 4 * k < cases[c].bytes ?
                             dword_at(MEM_VA + 0xfc0 + at + 4 * k) : 0;

                g_assert_cmphex(h->w->s[20 + k], ==, x);
            }
            h->w->s[10] = 0xe0e0000a;
            assert_others(h, 20, n);
        }
    }
    wave_code_free(code);
}

static void test_sm10_base(WaveHarness *h)
{
    WaveCode *code = assemble_one("s_buffer_load_dword s20, s[4:7], 0x10");

    setup(h);
    /* 48 bits; low two ignored */
    set_buffer(h, MEM_VA + 2, 0, 0x100);
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(h->w->s[20], ==, dword_at(MEM_VA + 0x10));
    set_buffer(h, 0x800000000000 | MEM_VA, 0, 0x100);
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_UNMAPPED);
    g_assert_cmphex(h->worker->fault.address, ==,
                    (0x800000000000 | MEM_VA) + 0x10);
    /* nothing in range: memory is not touched, so that nothing faults */
    set_buffer(h, 0x800000000000 | MEM_VA, 0, 0x10);
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(h->w->s[20], ==, 0);
    wave_code_free(code);
}

/* ---- stores ---- */

static void test_stores(WaveHarness *h)
{
    static const char *const texts[] = {
        "s_store_dword s20, s[4:5], s10",
        "s_store_dwordx2 s[20:21], s[4:5], s10",
        "s_store_dwordx4 s[20:23], s[4:5], s10",
        "s_buffer_store_dword s20, s[4:7], s10",
        "s_buffer_store_dwordx2 s[20:21], s[4:7], s10",
        "s_buffer_store_dwordx4 s[20:23], s[4:7], s10",
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    setup(h);
    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        for (uint32_t at = 0xfe8; at < 0x1020; at += 4) {
            unsigned n = 1u << i % 3;
            uint32_t limit = i < 3 ? UINT32_MAX : 0x1008;
            uint64_t written = h->written;

            fill_sgprs(h);
            set_buffer(h, MEM_VA, 0, limit);
            if (i < 3) {
                h->w->s[5] = 0;
            }
            h->w->s[10] = at;
            g_assert_cmpint(wave_run(h, &code[i]), ==, TESSERA_FAULT_NONE);
            g_assert_true(at >= limit || h->written > written);
            for (uint32_t x = 0xfe0; x < 0x1040; x += 4) {
                bool hit = x >= at && x < at + 4 * n && x < limit;
                uint32_t want = hit ? 0xe0e00014 + (x - at) / 4 :
                                      dword_at(MEM_VA + x);

                g_assert_cmpmem(mem + x, 4, &want, 4);
                want = dword_at(MEM_VA + x);
                memcpy(mem + x, &want, 4);
            }
        }
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        fill_sgprs(h);
        set_buffer(h, RO_VA, 0, 0x1000);
        h->w->s[5] = 0;
        h->w->s[10] = 0x20;
        g_assert_cmpint(wave_run(h, &code[i]), ==, TESSERA_FAULT_READ_ONLY);
        g_assert_cmpint(h->worker->fault.access, ==, ENGINE_WRITE);
        g_assert_cmphex(h->worker->fault.address, ==, RO_VA + 0x20);
        g_assert_cmphex(ro[0x20], ==, pattern(RO_VA + 0x20));
    }
    wave_code_free(code);
}

/* SM3: the offset of a store may be M0. */
static void test_sm3_store_m0(WaveHarness *h)
{
    WaveCode *code = assemble_one("s_store_dword s20, s[4:5], m0");

    setup(h);
    wave_reset(h);
    wave_set_sgpr64(h, 4, MEM_VA);
    h->w->s[SGPR_M0] = 0x44;
    h->w->s[20] = 0x12345678;
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    g_assert_cmpmem(mem + 0x44, 4, &h->w->s[20], 4);
    wave_code_free(code);
}

/* ---- atomics ---- */

typedef uint64_t AtomicModel(uint64_t old, uint64_t x, uint64_t y, int bits);

static int64_t sext(uint64_t x, int bits)
{
    return (int64_t)(x << (64 - bits)) >> (64 - bits);
}

static uint64_t cut(uint64_t x, int bits)
{
    return x << (64 - bits) >> (64 - bits);
}

#define ATOMIC_MODEL(name, result)                                          \
    static uint64_t name##_model(uint64_t o, uint64_t x, uint64_t y,        \
                                 int bits)                                  \
    {                                                                       \
        return cut(result, bits);                                           \
    }
ATOMIC_MODEL(swap, x)
ATOMIC_MODEL(cmpswap, o == y ? x : o)
ATOMIC_MODEL(add, o + x)
ATOMIC_MODEL(sub, o - x)
ATOMIC_MODEL(smin, sext(x, bits) < sext(o, bits) ? x : o)
ATOMIC_MODEL(umin, MIN(o, x))
ATOMIC_MODEL(smax, sext(x, bits) > sext(o, bits) ? x : o)
ATOMIC_MODEL(umax, MAX(o, x))
ATOMIC_MODEL(and, o & x)
ATOMIC_MODEL(or, o | x)
ATOMIC_MODEL(xor, (o | x) - (o & x))
ATOMIC_MODEL(inc, o >= x ? 0 : o + 1)
ATOMIC_MODEL(dec, o == 0 || o > x ? x : o - 1)

static const struct {
    const char *name;
    AtomicModel *model;
} atomics[] = {
    { "swap", swap_model }, { "cmpswap", cmpswap_model },
    { "add", add_model }, { "sub", sub_model }, { "smin", smin_model },
    { "umin", umin_model }, { "smax", smax_model }, { "umax", umax_model },
    { "and", and_model }, { "or", or_model }, { "xor", xor_model },
    { "inc", inc_model }, { "dec", dec_model },
};

/* Forms: bit 0 x2, bit 1 buffer, bit 2 glc. */
static char *atomic_text(unsigned op, unsigned form)
{
    bool cmpswap = g_str_equal(atomics[op].name, "cmpswap");
    unsigned dwords = (form & 1 ? 2 : 1) * (cmpswap ? 2 : 1);

    return g_strdup_printf("s_%satomic_%s%s s[20:%u], s[4:%u], 0x48%s",
                           form & 2 ? "buffer_" : "", atomics[op].name,
                           form & 1 ? "_x2" : "", 19 + dwords,
                           form & 2 ? 7 : 5, form & 4 ? " glc" : "");
}

static void check_atomic(WaveHarness *h, const WaveCode *code, unsigned op,
                         unsigned form, uint64_t old, uint64_t x, uint64_t y)
{
    int bits = form & 1 ? 64 : 32;
    uint64_t want, got = 0, data;

    old = cut(old, bits);
    x = cut(x, bits);
    y = cut(y, bits);
    want = atomics[op].model(old, x, y, bits);
    fill_sgprs(h);
    set_buffer(h, MEM_VA, 0, 0x50);
    h->w->s[5] = 0;
    memcpy(mem + 0x48, &old, bits / 8);
    memcpy(&h->w->s[20], &x, bits / 8);
    if (atomics[op].model == cmpswap_model) {
        memcpy(&h->w->s[20 + bits / 32], &y, bits / 8);
    }
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    memcpy(&got, mem + 0x48, bits / 8);
    memcpy(&data, &h->w->s[20], 8);
    if (got != want || cut(data, bits) != (form & 4 ? old : x)) {
        g_error("%s form %u: %" PRIx64 " %" PRIx64 " %" PRIx64 ": got %"
                PRIx64 ", want %" PRIx64 ", data %" PRIx64,
                atomics[op].name, form, old, x, y, got, want, data);
    }
    assert_others(h, 20, atomics[op].model == cmpswap_model ? bits / 16 :
                                                              bits / 32);
}

static void test_sm14_atomics(WaveHarness *h)
{
    static const uint64_t v[] = {
        0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 0xffffffff00000000,
        0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff,
        0x123456789abcdef0,
    };
    enum { N = G_N_ELEMENTS(v), COUNT = G_N_ELEMENTS(atomics) * 8 };
    char *texts[COUNT];
    WaveCode *code;

    setup(h);
    for (unsigned i = 0; i < COUNT; i++) {
        texts[i] = atomic_text(i / 8, i % 8);
    }
    code = wave_assemble((const char *const *)texts, COUNT);
    for (unsigned i = 0; i < COUNT; i++) {
        for (unsigned k = 0; k < N * N; k++) {
            check_atomic(h, &code[i], i / 8, i % 8, v[k % N], v[k / N],
                         k % 3 ? v[k % N] : v[(k + 1) % N]);
        }
        g_free(texts[i]);
    }
    wave_code_free(code);
}

static void test_sm14_faults(WaveHarness *h)
{
    static const char *const texts[] = {
        "s_atomic_add s20, s[4:5], 0x48 glc",
        "s_atomic_add_x2 s[20:21], s[4:5], 0x4c glc",
        "s_buffer_atomic_add s20, s[4:7], 0x48 glc",
        "s_buffer_atomic_add_x2 s[20:21], s[4:7], 0x48 glc",
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    setup(h);
    fill_sgprs(h);
    wave_set_sgpr64(h, 4, RO_VA);
    g_assert_cmpint(wave_run(h, &code[0]), ==, TESSERA_FAULT_READ_ONLY);
    wave_set_sgpr64(h, 4, 0x5000);
    g_assert_cmpint(wave_run(h, &code[0]), ==, TESSERA_FAULT_UNMAPPED);
    wave_set_sgpr64(h, 4, MEM_VA);
    g_assert_cmpint(wave_run(h, &code[1]), ==, TESSERA_FAULT_MISALIGNED);
    assert_others(h, 0, 0);
    /* out of range: memory is kept, 0 is returned */
    for (unsigned i = 2; i < 4; i++) {
        fill_sgprs(h);
        set_buffer(h, MEM_VA, 0, i == 2 ? 0x48 : 0x4c);
        g_assert_cmpint(wave_run(h, &code[i]), ==, TESSERA_FAULT_NONE);
        g_assert_cmphex(h->w->s[20], ==, 0);
        g_assert_cmphex(mem[0x48], ==, pattern(MEM_VA + 0x48));
    }
    wave_code_free(code);
}

/* ---- the rest ---- */

static void test_sm15_sm16(WaveHarness *h)
{
    static const char *const texts[] = {
        "s_dcache_inv\n s_dcache_wb\n s_dcache_inv_vol\n s_dcache_wb_vol\n"
        "s_dcache_discard s[2:3], 0x40\n s_dcache_discard_x2 s[2:3], s4\n"
        "s_atc_probe 1, s[2:3], 0x40\n s_atc_probe_buffer 1, s[4:7], s4",
        "s_memtime s[20:21]", "s_memrealtime vcc",
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    fill_sgprs(h);
    g_assert_cmpint(wave_run(h, &code[0]), ==, TESSERA_FAULT_NONE);
    assert_others(h, 0, 0);
    h->clock = 0x1234567890;
    g_assert_cmpint(wave_run(h, &code[1]), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(wave_sgpr64(h, 20), ==, 0x1234567890);
    assert_others(h, 20, 2);
    g_assert_cmpint(wave_run(h, &code[2]), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(wave_sgpr64(h, SGPR_VCC), ==, 0x1234567891);
    g_assert_cmphex(h->w->vccz, ==, 0);
    wave_code_free(code);
}

/* A load over its own base and offset reads them first. */
static void test_overlap(WaveHarness *h)
{
    WaveCode *code = assemble_one("s_load_dwordx4 s[4:7], s[4:5], s6");

    setup(h);
    wave_set_sgpr64(h, 4, MEM_VA);
    h->w->s[6] = 0xff8; /* crosses a page: the slow way */
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    for (unsigned k = 0; k < 4; k++) {
        g_assert_cmphex(h->w->s[4 + k], ==, dword_at(MEM_VA + 0xff8 + 4 * k));
    }
    wave_set_sgpr64(h, 4, MEM_VA);
    h->w->s[6] = 0x20;
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    for (unsigned k = 0; k < 4; k++) {
        g_assert_cmphex(h->w->s[4 + k], ==, dword_at(MEM_VA + 0x20 + 4 * k));
    }
    wave_code_free(code);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    wave_test_levels("/smem/sm1-widths", test_sm1_widths);
    wave_test_levels("/smem/sm3-store-m0", test_sm3_store_m0);
    wave_test_levels("/smem/sm4-offsets", test_sm4_offsets);
    wave_test_levels("/smem/sm5-scratch", test_sm5_scratch);
    wave_test_levels("/smem/sm6-low-bits", test_sm6_low_bits);
    wave_test_levels("/smem/sm7-negative", test_sm7_negative);
    wave_test_levels("/smem/sm8-sdata", test_sm8_sdata);
    wave_test_levels("/smem/sm9-sbase", test_sm9_sbase);
    wave_test_levels("/smem/sm10-sm11-bounds", test_sm10_bounds);
    wave_test_levels("/smem/sm10-base", test_sm10_base);
    wave_test_levels("/smem/stores", test_stores);
    wave_test_levels("/smem/sm13-sm14-atomics", test_sm14_atomics);
    wave_test_levels("/smem/sm14-faults", test_sm14_faults);
    wave_test_levels("/smem/sm15-sm16", test_sm15_sm16);
    wave_test_levels("/smem/overlap", test_overlap);
    return g_test_run();
}
