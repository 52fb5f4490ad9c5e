/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scalar memory instructions.  Tests carry the number of the rule that they
 * prove; docs/conformance.md lists the rules.
 */
#include <inttypes.h>
#include <string.h>
#include "target/amdgpu/ops.h"
#include "target/gfx9/decode.h"
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
    g_assert_cmphex(wave_sgpr64(h, SGPR_EXEC), ==, h->w->full);
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

/* ---- every operation with every combination of IMM and SOE ---- */

typedef enum ShapeKind { SHAPE_LOAD, SHAPE_STORE, SHAPE_ADD } ShapeKind;

/* Opcodes as gfx-facts section 4 has them. */
static const struct {
    unsigned op, dwords;
    ShapeKind kind;
    bool buffer, scratch;
} shapes[] = {
    { 0, 1, SHAPE_LOAD }, { 1, 2, SHAPE_LOAD }, { 2, 4, SHAPE_LOAD },
    { 3, 8, SHAPE_LOAD }, { 4, 16, SHAPE_LOAD },
    { 5, 1, SHAPE_LOAD, .scratch = true },
    { 6, 2, SHAPE_LOAD, .scratch = true },
    { 7, 4, SHAPE_LOAD, .scratch = true },
    { 8, 1, SHAPE_LOAD, .buffer = true }, { 9, 2, SHAPE_LOAD, .buffer = true },
    { 10, 4, SHAPE_LOAD, .buffer = true },
    { 11, 8, SHAPE_LOAD, .buffer = true },
    { 12, 16, SHAPE_LOAD, .buffer = true },
    { 16, 1, SHAPE_STORE }, { 17, 2, SHAPE_STORE }, { 18, 4, SHAPE_STORE },
    { 21, 1, SHAPE_STORE, .scratch = true },
    { 22, 2, SHAPE_STORE, .scratch = true },
    { 23, 4, SHAPE_STORE, .scratch = true },
    { 24, 1, SHAPE_STORE, .buffer = true },
    { 25, 2, SHAPE_STORE, .buffer = true },
    { 26, 4, SHAPE_STORE, .buffer = true },
    { 66, 1, SHAPE_ADD, .buffer = true }, { 98, 2, SHAPE_ADD, .buffer = true },
    { 130, 1, SHAPE_ADD }, { 162, 2, SHAPE_ADD },
};

typedef struct Offset {
    unsigned imm, soe, soffset;
    int32_t offset;
} Offset;

/* The register that is added, 0 if there is none. */
static unsigned offset_register(const Offset *o)
{
    return o->soe ? o->soffset : o->imm ? 0 : o->offset & 0x7f;
}

static int64_t model_offset(const WaveHarness *h, const Offset *o,
                            bool scratch)
{
    unsigned reg = offset_register(o);
    int64_t sum = o->imm ? o->offset & ~3 : 0;

    if (reg) {
        uint64_t x = h->w->s[reg];

        sum += scratch ? x * 64 : x & ~3ull;
    }
    return sum;
}

/* What memory and registers must hold after shape @i at @va. */
static void check_shape(WaveHarness *h, unsigned i, uint64_t va)
{
    unsigned n = shapes[i].dwords;
    uint32_t sum[2] = { 0 };

    for (unsigned k = 0; k < n; k++) {
        uint32_t old = dword_at(va + 4 * k), reg = 0xe0e00014 + k, now;

        memcpy(&now, mem + (va - MEM_VA) + 4 * k, 4);
        if (shapes[i].kind == SHAPE_LOAD) {
            g_assert_cmphex(h->w->s[20 + k], ==, old);
            g_assert_cmphex(now, ==, old);
            continue;
        }
        g_assert_cmphex(h->w->s[20 + k], ==, reg);
        if (shapes[i].kind == SHAPE_STORE) {
            g_assert_cmphex(now, ==, reg);
        } else {
            uint64_t wide = (uint64_t)old + reg + (k ? sum[1] : 0);

            g_assert_cmphex(now, ==, (uint32_t)wide);
            sum[1] = wide >> 32; /* the carry */
        }
        memcpy(mem + (va - MEM_VA) + 4 * k, &old, 4);
    }
}

static void run_shape(WaveHarness *h, unsigned i, const Offset *o)
{
    uint64_t base = MEM_VA + 0x1000;
    uint32_t words[2];
    WaveCode code = raw(words, SMEM(shapes[i].op, o->imm, o->soe, 20, 8),
                        SMEM1(o->soffset, o->offset));

    if (shapes[i].buffer && o->offset < 0) {
        return; /* 20 bits, unsigned */
    }
    fill_sgprs(h);
    h->w->s[8] = base;
    h->w->s[9] = base >> 32;
    h->w->s[10] = 0x2000;
    h->w->s[4] = 0x10;
    h->w->s[5] = 0x1b;
    h->w->s[SGPR_VCC] = 0x22;
    h->w->s[SGPR_M0] = 0x29;
    g_assert_cmpint(wave_run(h, &code), ==, TESSERA_FAULT_NONE);
    check_shape(h, i, base + model_offset(h, o, shapes[i].scratch));
}

static void test_sm4_combinations(WaveHarness *h)
{
    static const unsigned regs[] = { 4, 5, SGPR_VCC, SGPR_M0 };
    static const int32_t immediates[] = { 0, 4, 0x43, 0x7fc, -0x10, -0x404 };
    unsigned n = 0;

    setup(h);
    for (unsigned i = 0; i < G_N_ELEMENTS(shapes); i++) {
        for (unsigned r = 0; r < G_N_ELEMENTS(regs); r++) {
            run_shape(h, i, &(Offset){ 0, 0, 99, regs[r] });
            run_shape(h, i, &(Offset){ 0, 1, regs[r], 0x7f0 });
            for (unsigned k = 0; k < G_N_ELEMENTS(immediates); k++) {
                int32_t imm = immediates[k];

                if (shapes[i].kind == SHAPE_ADD) {
                    imm &= ~7; /* its size is what it is aligned to */
                }
                run_shape(h, i, &(Offset){ 1, 0, 5, imm });
                if (imm >= -0x10) { /* else the sum may be negative */
                    run_shape(h, i, &(Offset){ 1, 1, regs[r],
                                               shapes[i].scratch ? imm
                                                                 : imm + 16 });
                }
                n++;
            }
        }
    }
    g_assert_cmpuint(n, ==, 26 * 4 * 6);
}

static void test_sm2_encoding(WaveHarness *h)
{
    static const struct {
        const char *text;
        uint32_t w0, w1;
        AmdOp op;
        unsigned glc, data, base, soffset;
        int32_t offset;
    } cases[] = {
        { "s_load_dwordx2 s[6:7], s[10:11], 0x1234 glc",
          1 << 18 | 1 << 17 | 1 << 16 | 6 << 6 | 5, 0x1234,
          AMD_s_load_dwordx2, 1, 6, 10, OPERAND_NONE, 0x1234 },
        { "s_load_dword s101, s[0:1], s7", 101 << 6, 7,
          AMD_s_load_dword, 0, 101, 0, 7, 0 },
        { "s_store_dwordx4 s[96:99], s[2:3], m0", 18 << 18 | 96 << 6 | 1, 124,
          AMD_s_store_dwordx4, 0, 96, 2, 124, 0 },
        { "s_load_dword s5, s[100:101], s7 offset:0x10",
          1 << 17 | 1 << 14 | 5 << 6 | 50, 7u << 25 | 0x10,
          AMD_s_load_dword, 0, 5, 100, 7, 0x10 },
        { "s_load_dword s5, s[2:3], -0x4", 1 << 17 | 5 << 6 | 1, 0x1ffffc,
          AMD_s_load_dword, 0, 5, 2, OPERAND_NONE, -4 },
        { "s_buffer_atomic_dec_x2 vcc, s[96:99], 0xfffff glc",
          108 << 18 | 1 << 17 | 1 << 16 | 106 << 6 | 48, 0xfffff,
          AMD_s_buffer_atomic_dec_x2, 1, 106, 96, OPERAND_NONE, 0xfffff },
    };
    AmdInst inst;

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        WaveCode *code = assemble_one(cases[i].text);
        uint32_t words[2] = { 0xc0000000 | cases[i].w0, cases[i].w1 };

        g_assert_cmphex(code->words[0], ==, words[0]);
        g_assert_cmphex(code->words[1], ==, words[1]);
        words[0] |= 1 << 15; /* NV changes nothing */
        g_assert_true(gfx9_decode(words, 2, &inst));
        g_assert_cmpint(inst.op, ==, cases[i].op);
        g_assert_cmpint(inst.size, ==, 8);
        g_assert_cmpint(inst.nv, ==, 1);
        g_assert_cmpint(inst.glc, ==, cases[i].glc);
        g_assert_cmpint(inst.data, ==, cases[i].data);
        g_assert_cmpint(inst.saddr, ==, cases[i].base);
        g_assert_cmpint(inst.soffset, ==, cases[i].soffset);
        g_assert_cmpint(inst.offset, ==, cases[i].offset);
        wave_code_free(code);
    }
}

static void test_sm12_consecutive(WaveHarness *h)
{
    static const char *const texts[] = {
        "s_load_dwordx16 s[20:35], s[2:3], 0xfe0",
        "s_load_dword s20, s[2:3], s4",
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));
    uint32_t all[16];

    setup(h);
    wave_set_sgpr64(h, 2, MEM_VA);
    g_assert_cmpint(wave_run(h, &code[0]), ==, TESSERA_FAULT_NONE);
    memcpy(all, &h->w->s[20], sizeof(all));
    for (unsigned k = 0; k < 16; k++) {
        h->w->s[4] = 0xfe0 + 4 * k;
        g_assert_cmpint(wave_run(h, &code[1]), ==, TESSERA_FAULT_NONE);
        g_assert_cmphex(h->w->s[20], ==, all[k]);
        g_assert_cmphex(all[k], ==, dword_at(MEM_VA + 0xfe0 + 4 * k));
    }
    wave_code_free(code);
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

/* GLC is a cache policy of loads and stores; atomics return the old value. */
static void test_sm13_glc(WaveHarness *h)
{
    static const char *const texts[] = {
        "s_load_dwordx2 s[20:21], s[4:5], 0x40 glc",
        "s_store_dword s20, s[4:5], 0x60 glc",
        "s_atomic_add s20, s[4:5], 0x60",
        "s_atomic_add s20, s[4:5], 0x60 glc",
        "s_atomic_cmpswap_x2 s[20:23], s[4:5], 0x60",
        "s_atomic_cmpswap_x2 s[20:23], s[4:5], 0x60 glc",
    };
    static const uint64_t pair = 0x0123456789abcdef;
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));
    uint32_t x = 7;

    setup(h);
    fill_sgprs(h);
    wave_set_sgpr64(h, 4, MEM_VA);
    g_assert_cmpint(wave_run(h, &code[0]), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(h->w->s[21], ==, dword_at(MEM_VA + 0x44));
    h->w->s[20] = 0x1000;
    g_assert_cmpint(wave_run(h, &code[1]), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(*(uint32_t *)(mem + 0x60), ==, 0x1000);
    h->w->s[20] = 0x234;
    g_assert_cmpint(wave_run(h, &code[2]), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(*(uint32_t *)(mem + 0x60), ==, 0x1234);
    g_assert_cmphex(h->w->s[20], ==, 0x234);
    memcpy(mem + 0x60, &x, 4);
    g_assert_cmpint(wave_run(h, &code[3]), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(*(uint32_t *)(mem + 0x60), ==, 0x23b);
    g_assert_cmphex(h->w->s[20], ==, 7);
    for (unsigned glc = 0; glc < 2; glc++) {
        memcpy(mem + 0x60, &pair, 8);
        wave_set_sgpr64(h, 20, 5);
        wave_set_sgpr64(h, 22, pair);
        g_assert_cmpint(wave_run(h, &code[4 + glc]), ==, TESSERA_FAULT_NONE);
        g_assert_cmphex(*(uint64_t *)(mem + 0x60), ==, 5);
        g_assert_cmphex(wave_sgpr64(h, 20), ==, glc ? pair : 5);
        g_assert_cmphex(wave_sgpr64(h, 22), ==, pair);
    }
    wave_code_free(code);
}

/* ---- the rest ---- */

static void test_sm15_caches(WaveHarness *h)
{
    static const char *const texts[] = {
        "s_dcache_inv\n s_dcache_wb\n s_dcache_inv_vol\n s_dcache_wb_vol\n"
        "s_dcache_discard s[2:3], 0x40\n s_dcache_discard_x2 s[2:3], s4\n"
        "s_atc_probe 1, s[2:3], 0x40\n s_atc_probe_buffer 1, s[4:7], s4",
        /* through one memory: scalar to vector, vector to scalar */
        "v_mov_b32 v0, s2\n v_mov_b32 v1, s3\n"
        "s_store_dword s20, s[2:3], 0x40\n s_dcache_wb\n"
        "s_waitcnt lgkmcnt(0)\n global_load_dword v2, v[0:1], off offset:64\n"
        "v_mov_b32 v3, 0x55\n s_load_dword s21, s[2:3], 0x80\n"
        "global_store_dword v[0:1], v3, off offset:128\n"
        "s_waitcnt vmcnt(0)\n s_dcache_inv\n s_load_dword s22, s[2:3], 0x80",
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    setup(h);
    fill_sgprs(h);
    g_assert_cmpint(wave_run(h, &code[0]), ==, TESSERA_FAULT_NONE);
    assert_others(h, 0, 0);
    wave_set_sgpr64(h, 2, MEM_VA);
    g_assert_cmpint(wave_run(h, &code[1]), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(wave_vgpr(h, 2)[9], ==, 0xe0e00014);
    g_assert_cmphex(h->w->s[21], ==, dword_at(MEM_VA + 0x80));
    g_assert_cmphex(h->w->s[22], ==, 0x55);
    wave_code_free(code);
}

static void test_sm16_clocks(WaveHarness *h)
{
    static const char *const texts[] = {
        "s_memtime s[20:21]", "s_memrealtime vcc", "s_memrealtime s[20:21]",
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));
    uint32_t words[2];
    WaveCode odd = raw(words, SMEM(36, 0, 0, 21, 0), 0);

    fill_sgprs(h);
    h->clock = 0x1234567890;
    g_assert_cmpint(wave_run(h, &code[0]), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(wave_sgpr64(h, 20), ==, 0x1234567890);
    assert_others(h, 20, 2);
    g_assert_cmpint(wave_run(h, &code[1]), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(wave_sgpr64(h, SGPR_VCC), ==, 0x1234567891);
    g_assert_cmphex(h->w->vccz, ==, 0);
    h->clock = 0xfffffffffffffffe; /* all of it is guest time, 64 bits */
    g_assert_cmpint(wave_run(h, &code[2]), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(wave_sgpr64(h, 20), ==, 0xfffffffffffffffe);
    /* an odd register is rounded down, as for two dwords of a load */
    g_assert_cmpint(wave_run(h, &odd), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(wave_sgpr64(h, 20), ==, 0xffffffffffffffff);
    assert_others(h, 20, 2);
    wave_code_free(code);
}

/*
 * A flat address in the private aperture becomes one for scalar memory: less
 * the aperture's base, times 64 for the swizzle, plus the wave's scratch.
 */
static void test_sm19_private(WaveHarness *h)
{
    static const char *const text =
        "flat_store_dword v[0:1], v2 offset:8\n"
        "s_waitcnt 0\n s_mov_b64 s[8:9], src_private_base\n"
        "s_sub_u32 s10, s6, s8\n s_subb_u32 s11, s7, s9\n"
        "s_scratch_load_dword s20, flat_scratch, s10\n"
        "s_scratch_load_dword s21, flat_scratch, s10 offset:0x14\n"
        "s_scratch_store_dword s22, flat_scratch, s10 offset:0xfc\n"
        "s_dcache_wb\n flat_load_dword v3, v[0:1] offset:8\n";
    WaveCode *code = assemble_one(text);

    setup(h);
    wave_map(h, WAVE_SCRATCH_VA, WAVE_SCRATCH_SIZE, true);
    fill_sgprs(h);
    wave_set_sgpr64(h, SGPR_FLAT_SCRATCH, WAVE_SCRATCH_VA + 0x400);
    wave_set_sgpr64(h, 6, (uint64_t)WAVE_PRIVATE_HI << 48 | 0x48);
    for (unsigned lane = 0; lane < 64; lane++) {
        wave_vgpr(h, 0)[lane] = 0x40;
        wave_vgpr(h, 1)[lane] = WAVE_PRIVATE_HI << 16;
        wave_vgpr(h, 2)[lane] = 0x1000 + lane;
    }
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(h->w->s[20], ==, 0x1000);
    g_assert_cmphex(h->w->s[21], ==, 0x1005);
    g_assert_cmphex(wave_vgpr(h, 3)[62], ==, 0x1000 + 62);
    g_assert_cmphex(wave_vgpr(h, 3)[63], ==, 0xe0e00016);
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

/* ---- widths of gfx11 and gfx12 ---- */

typedef struct Width {
    const char *name;
    unsigned bytes;
    bool sext, gfx12; /* only there */
} Width;

static const Width rdna_widths[] = {
    { "b32", 4 }, { "b64", 8 }, { "b96", 12, false, true }, { "b128", 16 },
    { "b256", 32 }, { "b512", 64 }, { "i8", 1, true, true },
    { "u8", 1, false, true }, { "i16", 2, true, true },
    { "u16", 2, false, true },
};

#define RECORDS 0x1000u /* bytes of the buffer */

static char *width_text(const Width *w, bool buffer)
{
    unsigned last = 20 + (w->bytes - 1) / 4;
    g_autofree char *sdata = last == 20 ? g_strdup("s20") :
                             g_strdup_printf("s[20:%u]", last);

    return g_strdup_printf("s_%sload_%s %s, s[4:%u], s2 offset:0x8",
                           buffer ? "buffer_" : "", w->name, sdata,
                           buffer ? 7 : 5);
}

/* Dword @k of what lies at @at; of a buffer, 0 beyond the end. */
static uint32_t width_dword(const Width *w, bool buffer, uint32_t at,
                            unsigned k)
{
    uint32_t x = 0;

    at += 4 * k;
    for (unsigned i = 0; i < MIN(w->bytes, 4); i++) {
        x |= (uint32_t)pattern(MEM_VA + at + i) << 8 * i;
    }
    if (buffer && at + MIN(w->bytes, 4) > RECORDS) {
        return 0;
    }
    return !w->sext ? x :
           w->bytes == 1 ? (uint32_t)(int8_t)x : (uint32_t)(int16_t)x;
}

static TesseraFaultCause run_width(WaveHarness *h, const WaveCode *code,
                                   uint32_t at)
{
    fill_sgprs(h);
    wave_set_sgpr64(h, 4, MEM_VA);
    h->w->s[6] = RECORDS;
    h->w->s[7] = 3 << 28;
    h->w->s[2] = at - 8;
    return wave_run(h, code);
}

static void check_width(WaveHarness *h, const Width *w, bool buffer,
                        const WaveCode *code)
{
    unsigned words = (w->bytes + 3) / 4;

    /* Over the end of the first page, which is that of the buffer. */
    for (uint32_t at = 0xf80; at < 0x1010; at += MIN(w->bytes, 4)) {
        g_assert_cmpint(run_width(h, code, at), ==, TESSERA_FAULT_NONE);
        for (unsigned k = 0; k < words; k++) {
            g_assert_cmphex(h->w->s[20 + k], ==, width_dword(w, buffer, at, k));
        }
        assert_others(h, 20, words);
    }
    if (!buffer) {
        uint32_t end = MEM_SIZE & -MIN(w->bytes, 4);

        g_assert_cmpint(run_width(h, code, end), ==, TESSERA_FAULT_UNMAPPED);
        g_assert_cmphex(h->worker->fault.address, ==, MEM_VA + MEM_SIZE);
        assert_others(h, 0, 0);
    }
}

static void test_rdna_widths(WaveHarness *h, const void *data)
{
    char *texts[2 * G_N_ELEMENTS(rdna_widths)];
    unsigned count = 0;
    WaveCode *code;

    setup(h);
    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        if (h->w->isa->gen == GEN_12 || !rdna_widths[i / 2].gfx12) {
            texts[count++] = width_text(&rdna_widths[i / 2], i % 2);
        }
    }
    code = wave_assemble((const char *const *)texts, count);
    count = 0;
    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        if (h->w->isa->gen == GEN_12 || !rdna_widths[i / 2].gfx12) {
            for (unsigned warm = 0; warm < 2; warm++) {
                h->warm = warm; /* without and with the pages in the TLB */
                check_width(h, &rdna_widths[i / 2], i % 2, &code[count]);
            }
            g_free(texts[count++]);
        }
    }
    wave_code_free(code);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    wave_test_levels("/smem/SM1-widths", test_sm1_widths);
    wave_test_levels("/smem/SM2-encoding", test_sm2_encoding);
    wave_test_levels("/smem/SM3-store-m0", test_sm3_store_m0);
    wave_test_levels("/smem/SM4-imm-soe", test_sm4_offsets);
    wave_test_levels("/smem/SM4-all-combinations", test_sm4_combinations);
    wave_test_levels("/smem/SM5-scratch", test_sm5_scratch);
    wave_test_levels("/smem/SM6-low-bits", test_sm6_low_bits);
    wave_test_levels("/smem/SM7-negative", test_sm7_negative);
    wave_test_levels("/smem/SM8-sdata", test_sm8_sdata);
    wave_test_levels("/smem/SM9-sbase", test_sm9_sbase);
    wave_test_levels("/smem/SM10-bounds", test_sm10_bounds);
    wave_test_levels("/smem/SM10-base", test_sm10_base);
    wave_test_levels("/smem/SM11-out-of-range", test_stores);
    wave_test_levels("/smem/SM12-consecutive", test_sm12_consecutive);
    wave_test_levels("/smem/SM13-glc", test_sm13_glc);
    wave_test_levels("/smem/SM14-atomics", test_sm14_atomics);
    wave_test_levels("/smem/SM14-faults", test_sm14_faults);
    wave_test_levels("/smem/SM15-caches", test_sm15_caches);
    wave_test_levels("/smem/SM16-clocks", test_sm16_clocks);
    wave_test_levels("/smem/SM19-private", test_sm19_private);
    wave_test_levels("/smem/overlap", test_overlap);
    wave_test_target("/smem/widths", "gfx1100", 32, test_rdna_widths, NULL);
    wave_test_target("/smem/widths", "gfx1200", 32, test_rdna_widths, NULL);
    wave_test_target("/smem/widths", "gfx1200", 64, test_rdna_widths, NULL);
    return g_test_run();
}
