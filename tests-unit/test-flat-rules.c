/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rules FL1 to FL17 of FLAT, GLOBAL and SCRATCH, each by itself, with
 * places and values that are worked out here.  test-flat.c runs every
 * operation against a model; docs/conformance.md lists the rules.
 */
#include <inttypes.h>
#include <string.h>
#include "target/amdgpu/ops.h"
#include "target/gfx9/decode.h"
#include "wave-harness.h"

#define MEM 0x500100000000ull
#define MEM_SIZE 0x2000u
#define READ_ONLY (MEM + MEM_SIZE)
#define HOLE (READ_ONLY + 0x1000)
#define SHARED ((uint64_t)WAVE_SHARED_HI << 48)
#define PRIVATE ((uint64_t)WAVE_PRIVATE_HI << 48)
#define LDS_SIZE 0x800u
#define PRIVATE_SIZE 64u /* bytes a lane */
#define SCRATCH_BASE (WAVE_SCRATCH_VA + 0x300)

enum { ADDR = 2, DATA = 8, DST = 16 };

static uint8_t *mem, *read_only, *scratch;

static uint8_t byte_of(unsigned at)
{
    return (uint8_t)(at * 29 + (at >> 8) * 7 + 3);
}

static void fill(uint8_t *p, unsigned size, unsigned salt)
{
    for (unsigned i = 0; i < size; i++) {
        p[i] = byte_of(i + salt);
    }
}

static void setup(WaveHarness *h)
{
    h->group.lds_size = LDS_SIZE;
    h->dispatch.launch.scratch_wave_size = PRIVATE_SIZE * 64;
    wave_reset(h);
    mem = wave_map(h, MEM, MEM_SIZE, true);
    read_only = wave_map(h, READ_ONLY, 0x1000, false);
    scratch = wave_map(h, WAVE_SCRATCH_VA, 0x2000, true);
    fill(mem, MEM_SIZE, 0);
    fill(read_only, 0x1000, 11);
    fill(scratch, 0x2000, 22);
    fill(h->group.lds, 0x1000, 33);
    wave_set_sgpr64(h, SGPR_FLAT_SCRATCH, SCRATCH_BASE);
}

static void set_lane(WaveHarness *h, unsigned lane, uint64_t va)
{
    wave_vgpr(h, ADDR)[lane] = va;
    wave_vgpr(h, ADDR + 1)[lane] = va >> 32;
}

static void set_lanes(WaveHarness *h, uint64_t va, unsigned stride)
{
    for (unsigned lane = 0; lane < 64; lane++) {
        set_lane(h, lane, va + lane * stride);
    }
}

static uint32_t dword(const uint8_t *p)
{
    return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

/* The byte @p of a lane's private memory (gfx-facts section 9). */
static uint8_t *private_byte(unsigned lane, unsigned p)
{
    return scratch + 0x300 + p / 4 * 256 + lane * 4 + p % 4;
}

static WaveCode *assemble_one(const char *text)
{
    return wave_assemble(&text, 1);
}

/* VM_SH_MEM_CONFIG of the VMID. */
enum { CONFIG_PTR32 = 1, CONFIG_ALIGN = 8, CONFIG_HSA = 0x18,
       CONFIG_CONTINUE = 1 << 31 };

static void set_config(WaveHarness *h, uint32_t config)
{
    h->dispatch.launch.mem_config = config;
    wave_reset(h);
    wave_set_sgpr64(h, SGPR_FLAT_SCRATCH, SCRATCH_BASE);
}

static void assert_fault(const WaveHarness *h, uint64_t address,
                         uint64_t lanes, EngineAccess access)
{
    const EngineFault *f = &h->worker->fault;

    g_assert_cmphex(f->address, ==, address);
    g_assert_cmphex(f->lanes, ==, lanes);
    g_assert_cmpint(f->access, ==, access);
    g_assert_cmphex(f->pc, ==, WAVE_CODE_VA);
    g_assert_cmphex(h->w->trapsts, ==, 1 << 8);
}

/* ---- FL1, FL2 ---- */

static void test_fl1_space(WaveHarness *h)
{
    WaveCode *code = assemble_one("flat_load_dword v16, v[2:3]");

    setup(h);
    for (unsigned lane = 0; lane < 64; lane++) {
        static const uint64_t bases[] = { MEM, SHARED, PRIVATE, READ_ONLY };

        set_lane(h, lane, bases[lane % 4] + (lane % 4 == 2 ? 8 : lane * 12));
    }
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    for (unsigned lane = 0; lane < 64; lane++) {
        const uint8_t *const where[] = {
            mem + lane * 12, h->group.lds + lane * 12, private_byte(lane, 8),
            read_only + lane * 12,
        };

        g_assert_cmphex(wave_vgpr(h, DST)[lane], ==, dword(where[lane % 4]));
    }
    g_assert_cmphex(h->w->trapsts, ==, 0);
    set_lane(h, 21, HOLE + 0x40);
    set_lane(h, 50, 0);
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_UNMAPPED);
    assert_fault(h, HOLE + 0x40, 1ull << 21 | 1ull << 50, ENGINE_READ);
    wave_code_free(code);
}

/* Windows begin at the base and are 4 GiB long, of whatever base. */
static void test_fl2_windows(WaveHarness *h)
{
    static const uint64_t shared = 0x7123ull << 48, private = 0xffffull << 48;
    const struct {
        uint64_t va;
        TesseraFaultCause cause;
    } cases[] = {
        { shared, TESSERA_FAULT_NONE },
        { shared + LDS_SIZE - 4, TESSERA_FAULT_NONE },
        { shared + LDS_SIZE, TESSERA_FAULT_LDS_BOUNDS },
        { shared + 0xfffffffc, TESSERA_FAULT_LDS_BOUNDS },
        { shared + 0x100000000, TESSERA_FAULT_UNMAPPED },
        { shared - 4, TESSERA_FAULT_UNMAPPED },
        { private, TESSERA_FAULT_NONE },
        { private + PRIVATE_SIZE - 4, TESSERA_FAULT_NONE },
        { private + PRIVATE_SIZE, TESSERA_FAULT_SCRATCH_BOUNDS },
        { private + 0xfffffff0, TESSERA_FAULT_SCRATCH_BOUNDS },
        { private + 0x100000000, TESSERA_FAULT_UNMAPPED },
        { private - 4, TESSERA_FAULT_UNMAPPED },
        { SHARED, TESSERA_FAULT_UNMAPPED }, /* no window is there now */
        { PRIVATE, TESSERA_FAULT_UNMAPPED },
    };
    WaveCode *code = assemble_one("flat_load_dword v16, v[2:3]");

    setup(h);
    h->dispatch.launch.shared_base_hi = 0x7123;
    h->dispatch.launch.private_base_hi = 0xffff;
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        wave_reset(h);
        wave_set_sgpr64(h, SGPR_FLAT_SCRATCH, SCRATCH_BASE);
        set_lanes(h, MEM, 4);
        set_lane(h, 40, cases[i].va);
        g_assert_cmpint(wave_run(h, code), ==, cases[i].cause);
        if (cases[i].cause != TESSERA_FAULT_NONE) {
            assert_fault(h, cases[i].va, 1ull << 40, ENGINE_READ);
        }
        g_assert_cmphex(wave_vgpr(h, DST)[39], ==, dword(mem + 39 * 4));
    }
    wave_code_free(code);
}

/* ---- FL3 ---- */

#define FLAT(op, slc, glc, seg, lds, offset) \
    (0xdc000000u | (op) << 18 | (slc) << 17 | (glc) << 16 | (seg) << 14 | \
     (lds) << 13 | ((offset) & 0x1fff))
#define FLAT1(vdst, nv, saddr, data, addr) \
    ((uint32_t)(vdst) << 24 | (uint32_t)(nv) << 23 | (saddr) << 16 | \
     (data) << 8 | (addr))

static void test_fl3_encoding(WaveHarness *h)
{
    static const struct {
        const char *text; /* NULL: no instruction */
        uint32_t w0, w1;
        AmdFamily family;
        int32_t offset;
    } cases[] = {
        { "flat_load_dword v5, v[6:7] offset:4095 glc slc",
          FLAT(20, 1, 1, 0, 0, 0xfff), FLAT1(5, 0, 0, 0, 6), FAM_FLAT, 4095 },
        { "flat_atomic_cmpswap v5, v[6:7], v[8:9] glc",
          FLAT(65, 0, 1, 0, 0, 0), FLAT1(5, 0, 0, 8, 6), FAM_FLAT, 0 },
        { "global_store_dwordx4 v[6:7], v[8:11], off offset:-4096",
          FLAT(31, 0, 0, 2, 0, -4096), FLAT1(0, 0, 0x7f, 8, 6), FAM_GLOBAL,
          -4096 },
        { "global_load_sbyte v5, v6, s[20:21] offset:4095",
          FLAT(17, 0, 0, 2, 0, 4095), FLAT1(5, 0, 20, 0, 6), FAM_GLOBAL,
          4095 },
        { "scratch_load_dword v5, v6, off offset:-1",
          FLAT(20, 0, 0, 1, 0, -1), FLAT1(5, 0, 0x7f, 0, 6), FAM_SCRATCH, -1 },
        { "scratch_store_dword off, v8, s20 offset:8",
          FLAT(28, 0, 0, 1, 0, 8), FLAT1(0, 0, 20, 8, 0), FAM_SCRATCH, 8 },
        { "global_load_dword v[6:7], off lds",
          FLAT(20, 0, 0, 2, 1, 0), FLAT1(0, 0, 0x7f, 0, 6), FAM_GLOBAL, 0 },
        { NULL, FLAT(20, 0, 0, 3, 0, 0), FLAT1(5, 0, 0x7f, 0, 6) }, /* seg */
        { NULL, FLAT(20, 0, 0, 0, 1, 0), FLAT1(5, 0, 0, 0, 6) },    /* FL6 */
        { NULL, FLAT(66, 0, 0, 1, 0, 0), FLAT1(5, 0, 0x7f, 8, 6) }, /* FL5 */
        { NULL, FLAT(38, 0, 0, 0, 0, 0), FLAT1(5, 0, 0, 8, 6) },
    };
    AmdInst inst;

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        uint32_t words[2] = { cases[i].w0, cases[i].w1 };
        WaveCode *code;

        if (!cases[i].text) {
            g_assert_false(gfx9_decode(words, 2, &inst));
            continue;
        }
        code = assemble_one(cases[i].text);
        g_assert_cmphex(code->words[0], ==, words[0]);
        g_assert_cmphex(code->words[1], ==, words[1]);
        words[1] |= FLAT1(0, 1, 0, 0, 0); /* NV changes nothing else */
        g_assert_true(gfx9_decode(words, 2, &inst));
        g_assert_cmpint(inst.nv, ==, 1);
        g_assert_cmpint(inst.family, ==, cases[i].family);
        g_assert_cmpint(inst.offset, ==, cases[i].offset);
        g_assert_cmpint(inst.glc, ==, words[0] >> 16 & 1);
        g_assert_cmpint(inst.slc, ==, words[0] >> 17 & 1);
        g_assert_cmpint(inst.lds, ==, words[0] >> 13 & 1);
        wave_code_free(code);
    }
}

/* ---- FL5 to FL7 ---- */

static void test_fl5_old_value(WaveHarness *h)
{
    static const char *const texts[] = {
        "flat_atomic_add v[2:3], v8", "flat_atomic_add v16, v[2:3], v8 glc",
        "global_atomic_cmpswap_x2 v[16:17], v[2:3], v[8:11], off glc",
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));
    uint64_t x = 0x1122334455667788;

    setup(h);
    memset(mem, 0, 64 * 8);
    set_lanes(h, MEM, 0); /* all on one dword: none is lost */
    for (unsigned lane = 0; lane < 64; lane++) {
        wave_vgpr(h, DATA)[lane] = lane + 1;
        wave_vgpr(h, DST)[lane] = 77;
    }
    g_assert_cmpint(wave_run(h, &code[0]), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(dword(mem), ==, 64 * 65 / 2);
    g_assert_cmphex(wave_vgpr(h, DST)[5], ==, 77);
    memset(mem, 0, 4);
    g_assert_cmpint(wave_run(h, &code[1]), ==, TESSERA_FAULT_NONE);
    for (unsigned lane = 0; lane < 64; lane++) { /* lower lanes come first */
        g_assert_cmphex(wave_vgpr(h, DST)[lane], ==, lane * (lane + 1) / 2);
    }
    set_lanes(h, MEM, 8);
    for (unsigned lane = 0; lane < 64; lane++) {
        memcpy(mem + lane * 8, &x, 8);
        wave_vgpr(h, DATA)[lane] = lane;
        wave_vgpr(h, DATA + 1)[lane] = ~lane;
        wave_vgpr(h, DATA + 2)[lane] = (uint32_t)x + lane % 2;
        wave_vgpr(h, DATA + 3)[lane] = x >> 32;
    }
    g_assert_cmpint(wave_run(h, &code[2]), ==, TESSERA_FAULT_NONE);
    for (unsigned lane = 0; lane < 64; lane++) {
        g_assert_cmphex(dword(mem + lane * 8), ==,
                        lane % 2 ? (uint32_t)x : lane);
        g_assert_cmphex(dword(mem + lane * 8 + 4), ==,
                        lane % 2 ? x >> 32 : ~lane);
        g_assert_cmphex(wave_vgpr(h, DST)[lane], ==, (uint32_t)x);
        g_assert_cmphex(wave_vgpr(h, DST + 1)[lane], ==, x >> 32);
    }
    wave_code_free(code);
}

/* To LDS at M0 + offset + lane * 4, from SCRATCH too; no VGPR is written. */
static void test_fl6_scratch_to_lds(WaveHarness *h)
{
    static const uint32_t words[] = { FLAT(20, 0, 0, 1, 1, 12),
                                      FLAT1(DST, 0, 0x7f, 0, ADDR) };
    WaveCode code = { words, 2 };

    setup(h);
    for (unsigned lane = 0; lane < 64; lane++) {
        wave_vgpr(h, ADDR)[lane] = lane % 2 * 4;
        wave_vgpr(h, DST)[lane] = 77;
    }
    h->w->s[SGPR_M0] = 0x100;
    g_assert_cmpint(wave_run(h, &code), ==, TESSERA_FAULT_NONE);
    for (unsigned lane = 0; lane < 64; lane++) {
        g_assert_cmphex(dword(h->group.lds + 0x100 + 12 + lane * 4), ==,
                        dword(private_byte(lane, 12 + lane % 2 * 4)));
        g_assert_cmphex(wave_vgpr(h, DST)[lane], ==, 77);
    }
}

/* Waiting for zero of both counters is enough; nothing is outstanding then. */
static void test_fl7_wait_for_zero(WaveHarness *h)
{
    WaveCode *code = assemble_one(
        "flat_load_dword v16, v[2:3]\n"
        "s_waitcnt vmcnt(0) lgkmcnt(0)\n"
        "v_add_u32 v17, 1, v16\n s_getreg_b32 s20, hwreg(HW_REG_IB_STS)\n");

    setup(h);
    set_lanes(h, MEM, 4);
    set_lane(h, 33, SHARED + 16);
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(wave_vgpr(h, 17)[32], ==, dword(mem + 128) + 1);
    g_assert_cmphex(wave_vgpr(h, 17)[33], ==, dword(h->group.lds + 16) + 1);
    g_assert_cmphex(h->w->s[20], ==, 0);
    wave_code_free(code);
}

/* ---- FL9 ---- */

#define LOW_MEM 0x40000000ull
#define TOP_MEM 0xffffe000ull

static void put_low(WaveHarness *h, unsigned lane, uint32_t va)
{
    wave_vgpr(h, ADDR)[lane] = va;
    wave_vgpr(h, ADDR + 1)[lane] = 0xdeadbeef; /* is not looked at */
}

static void test_fl9_ptr32(WaveHarness *h)
{
    /* llvm-mc has no syntax for one VGPR, the encoding is the same. */
    static const char *const pairs[] = {
        "flat_load_dword v16, v[2:3] offset:16",
        "global_load_dword v16, v[2:3], off offset:-16",
        "global_load_dword v16, v2, s[4:5] offset:16",
        "flat_store_dword v[2:3], v8",
    };
    WaveCode *code = wave_assemble(pairs, G_N_ELEMENTS(pairs));
    uint8_t *low, *top;

    setup(h);
    low = wave_map(h, LOW_MEM, 0x1000, true);
    top = wave_map(h, TOP_MEM, 0x2000, true);
    fill(low, 0x1000, 44);
    fill(top, 0x2000, 55);
    set_config(h, CONFIG_HSA | CONFIG_PTR32);
    for (unsigned lane = 0; lane < 64; lane++) {
        put_low(h, lane, LOW_MEM + lane * 4);
    }
    put_low(h, 1, WAVE_SHARED_HI << 16 | 0x20);
    put_low(h, 2, WAVE_PRIVATE_HI << 16 | 0x8);
    g_assert_cmpint(wave_run(h, &code[0]), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(wave_vgpr(h, DST)[0], ==, dword(low + 16));
    g_assert_cmphex(wave_vgpr(h, DST)[1], ==, dword(h->group.lds + 0x30));
    g_assert_cmphex(wave_vgpr(h, DST)[2], ==, dword(private_byte(2, 24)));
    g_assert_cmphex(wave_vgpr(h, DST)[63], ==, dword(low + 63 * 4 + 16));

    put_low(h, 1, 0); /* less 16: at the top of 4 GiB */
    put_low(h, 2, LOW_MEM + 0x800);
    set_lane(h, 0, LOW_MEM + 16);
    g_assert_cmpint(wave_run(h, &code[1]), ==, TESSERA_FAULT_UNMAPPED);
    assert_fault(h, LOW_MEM - 4, 8, ENGINE_READ); /* lane 3 is at +12 */
    g_assert_cmphex(wave_vgpr(h, DST)[0], ==, dword(low));
    g_assert_cmphex(wave_vgpr(h, DST)[1], ==, dword(top + 0x1ff0));
    g_assert_cmphex(wave_vgpr(h, DST)[2], ==, dword(low + 0x7f0));

    /* the SGPR address has 32 bits as well, and the sum wraps */
    h->w->trapsts = 0;
    wave_set_sgpr64(h, 4, 0x1234567800000000 | TOP_MEM);
    for (unsigned lane = 0; lane < 64; lane++) {
        wave_vgpr(h, ADDR)[lane] = lane % 2 ? 0x100 + lane * 4
                                            : LOW_MEM - TOP_MEM + lane * 4;
    }
    g_assert_cmpint(wave_run(h, &code[2]), ==, TESSERA_FAULT_NONE);
    for (unsigned lane = 0; lane < 64; lane++) {
        const uint8_t *p = lane % 2 ? top + 0x100 : low;

        g_assert_cmphex(wave_vgpr(h, DST)[lane], ==,
                        dword(p + lane * 4 + 16));
    }
    wave_code_free(code);
}

/* In 32-bit mode a window has 64 KiB; GLOBAL may not be in it. */
static void test_fl9_ptr32_windows(WaveHarness *h)
{
    static const char *const texts[] = {
        "flat_store_dword v[2:3], v8",
        "global_load_dword v16, v[2:3], off",
    };
    static const uint32_t shared = WAVE_SHARED_HI << 16;
    static const uint32_t private = WAVE_PRIVATE_HI << 16;
    const struct {
        uint32_t va;
        unsigned code;
        TesseraFaultCause cause;
    } cases[] = {
        { shared + LDS_SIZE, 0, TESSERA_FAULT_LDS_BOUNDS },
        { shared + 0xfffc, 0, TESSERA_FAULT_LDS_BOUNDS },
        { private + PRIVATE_SIZE, 0, TESSERA_FAULT_SCRATCH_BOUNDS },
        { private + 0x10000, 0, TESSERA_FAULT_UNMAPPED },
        { shared - 4, 0, TESSERA_FAULT_UNMAPPED },
        { shared + 8, 1, TESSERA_FAULT_APERTURE },
        { private + 0xfff0, 1, TESSERA_FAULT_APERTURE },
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    setup(h);
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        set_config(h, CONFIG_HSA | CONFIG_PTR32);
        wave_set_exec(h, 1ull << 9);
        put_low(h, 9, cases[i].va);
        g_assert_cmpint(wave_run(h, &code[cases[i].code]), ==,
                        cases[i].cause);
        assert_fault(h, cases[i].va, 1ull << 9,
                     cases[i].code ? ENGINE_READ : ENGINE_WRITE);
    }
    wave_code_free(code);
}

/* ---- FL10 to FL12 ---- */

static void test_fl10_flat_scratch(WaveHarness *h)
{
    static const char *const texts[] = {
        "flat_store_dwordx2 v[2:3], v[8:9] offset:4",
        "flat_load_ushort v16, v[2:3] offset:3",
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    setup(h);
    for (unsigned lane = 0; lane < 64; lane++) {
        set_lane(h, lane, PRIVATE + lane % 8 * 4);
        wave_vgpr(h, DATA)[lane] = 0x01020304 * (lane + 1);
        wave_vgpr(h, DATA + 1)[lane] = ~lane;
    }
    g_assert_cmpint(wave_run(h, &code[0]), ==, TESSERA_FAULT_NONE);
    for (unsigned lane = 0; lane < 64; lane++) {
        unsigned p = lane % 8 * 4 + 4;

        g_assert_cmphex(dword(private_byte(lane, p)), ==,
                        0x01020304 * (lane + 1));
        g_assert_cmphex(dword(private_byte(lane, p + 4)), ==, ~lane);
    }
    g_assert_cmpint(wave_run(h, &code[1]), ==, TESSERA_FAULT_NONE);
    for (unsigned lane = 0; lane < 64; lane++) { /* over two elements */
        unsigned p = lane % 8 * 4 + 3;

        g_assert_cmphex(wave_vgpr(h, DST)[lane], ==,
                        *private_byte(lane, p) |
                            *private_byte(lane, p + 1) << 8);
    }
    wave_code_free(code);
}

static void test_fl11_addresses(WaveHarness *h)
{
    static const char *const texts[] = {
        "global_load_dword v16, v[2:3], off offset:-8",
        "global_load_dword v16, v2, s[4:5] offset:12",
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    setup(h);
    set_lanes(h, MEM + 8, 20);
    g_assert_cmpint(wave_run(h, &code[0]), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(wave_vgpr(h, DST)[7], ==, dword(mem + 140));
    /* the VGPR is 32 bits, unsigned: up to 4 GiB on */
    wave_set_sgpr64(h, 4, MEM - 0xfffff000ull);
    for (unsigned lane = 0; lane < 64; lane++) {
        wave_vgpr(h, ADDR)[lane] = 0xfffff000 + lane * 8;
    }
    g_assert_cmpint(wave_run(h, &code[1]), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(wave_vgpr(h, DST)[63], ==, dword(mem + 63 * 8 + 12));
    wave_code_free(code);
}

/* A GLOBAL access to LDS is a violation; it does not reach the LDS. */
static void test_fl11_global_lds(WaveHarness *h)
{
    static const char *const texts[] = {
        "global_load_dword v16, v[2:3], off",
        "global_store_dword v[2:3], v8, off",
        "global_atomic_add v16, v[2:3], v8, off glc",
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));
    g_autofree uint8_t *lds = NULL;

    setup(h);
    lds = g_memdup2(h->group.lds, LDS_SIZE);
    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        wave_reset(h);
        set_lanes(h, MEM, 4);
        set_lane(h, 11, SHARED + 0x40);
        set_lane(h, 12, PRIVATE + 0x10);
        wave_vgpr(h, DST)[11] = 5;
        g_assert_cmpint(wave_run(h, &code[i]), ==, TESSERA_FAULT_APERTURE);
        assert_fault(h, SHARED + 0x40, 3 << 11,
                     i ? ENGINE_WRITE : ENGINE_READ);
        g_assert_cmphex(wave_vgpr(h, DST)[11], ==, i == 1 ? 5 : 0);
    }
    g_assert_cmpmem(h->group.lds, LDS_SIZE, lds, LDS_SIZE);
    wave_code_free(code);
}

static void test_fl12_private_dwords(WaveHarness *h)
{
    static const char *const texts[] = {
        "scratch_store_dwordx3 v2, v[8:10], off offset:4",
        "scratch_load_dwordx2 v[16:17], off, s4 offset:5",
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    setup(h);
    h->w->s[4] = 0;
    for (unsigned lane = 0; lane < 64; lane++) {
        wave_vgpr(h, ADDR)[lane] = 0;
        for (unsigned k = 0; k < 3; k++) {
            wave_vgpr(h, DATA + k)[lane] = 0x10203 * (lane + 1) + k;
        }
    }
    g_assert_cmpint(wave_run(h, &code[0]), ==, TESSERA_FAULT_NONE);
    g_assert_cmpint(wave_run(h, &code[1]), ==, TESSERA_FAULT_NONE);
    for (unsigned lane = 0; lane < 64; lane++) {
        uint32_t x = 0x10203 * (lane + 1);

        for (unsigned k = 0; k < 3; k++) {
            g_assert_cmphex(dword(private_byte(lane, 4 + 4 * k)), ==, x + k);
        }
        g_assert_cmphex(wave_vgpr(h, DST)[lane], ==, x >> 8 | (x + 1) << 24);
        g_assert_cmphex(wave_vgpr(h, DST + 1)[lane], ==,
                        (x + 1) >> 8 | (x + 2) << 24);
    }
    wave_code_free(code);
}

/* ---- FL13 to FL15: errors ---- */

static const char *const error_texts[] = {
    "flat_load_dword v16, v[2:3]", "flat_store_dword v[2:3], v8",
    "flat_atomic_add v16, v[2:3], v8 glc",
    "global_load_dword v16, v[2:3], off", "scratch_load_dword v16, v2, off",
    "scratch_store_dwordx2 v2, v[8:9], off",
    "flat_atomic_add_x2 v[16:17], v[2:3], v[8:9] glc",
};
enum { LOAD, STORE, ATOMIC, GLOBAL, SCRATCH, SCRATCH2, ATOMIC2 };

static const struct {
    unsigned code;
    uint64_t va, report;
    uint32_t align; /* ALIGNMENT_MODE */
    TesseraFaultCause cause;
} errors[] = {
    { LOAD, HOLE, HOLE, 3, TESSERA_FAULT_UNMAPPED },
    { STORE, 0xffff800000000000, 0xffff800000000000, 3,
      TESSERA_FAULT_UNMAPPED },
    { STORE, READ_ONLY + 4, READ_ONLY + 4, 3, TESSERA_FAULT_READ_ONLY },
    { ATOMIC, READ_ONLY + 8, READ_ONLY + 8, 3, TESSERA_FAULT_READ_ONLY },
    { ATOMIC, MEM + 0x802, MEM + 0x802, 3, TESSERA_FAULT_MISALIGNED },
    { ATOMIC, MEM + 0x801, MEM + 0x801, 0, TESSERA_FAULT_MISALIGNED },
    { ATOMIC, SHARED + 0x202, SHARED + 0x202, 3, TESSERA_FAULT_MISALIGNED },
    { ATOMIC2, MEM + 0x804, MEM + 0x804, 3, TESSERA_FAULT_MISALIGNED },
    { LOAD, MEM + 0x802, MEM + 0x802, 1, TESSERA_FAULT_MISALIGNED },
    { STORE, MEM + 0x801, MEM + 0x801, 2, TESSERA_FAULT_MISALIGNED },
    { LOAD, SHARED + 0x13, SHARED + 0x13, 2, TESSERA_FAULT_MISALIGNED },
    { LOAD, PRIVATE + 6, PRIVATE + 6, 1, TESSERA_FAULT_MISALIGNED },
    { SCRATCH, 5, PRIVATE + 5, 1, TESSERA_FAULT_MISALIGNED },
    { LOAD, SHARED + LDS_SIZE - 3, SHARED + LDS_SIZE - 3, 3,
      TESSERA_FAULT_LDS_BOUNDS },
    { ATOMIC, SHARED + LDS_SIZE, SHARED + LDS_SIZE, 3,
      TESSERA_FAULT_LDS_BOUNDS },
    { STORE, PRIVATE + PRIVATE_SIZE, PRIVATE + PRIVATE_SIZE, 3,
      TESSERA_FAULT_SCRATCH_BOUNDS },
    { SCRATCH, PRIVATE_SIZE - 3, PRIVATE + PRIVATE_SIZE - 3, 3,
      TESSERA_FAULT_SCRATCH_BOUNDS },
    { SCRATCH2, PRIVATE_SIZE - 4, PRIVATE + PRIVATE_SIZE - 4, 3,
      TESSERA_FAULT_SCRATCH_BOUNDS },
    { SCRATCH, 0xfffffffc, PRIVATE + 0xfffffffc, 3,
      TESSERA_FAULT_SCRATCH_BOUNDS },
    { GLOBAL, SHARED, SHARED, 3, TESSERA_FAULT_APERTURE },
};

/* Lanes 9 and 40 are bad, all others good and each in its own place. */
static void place_error(WaveHarness *h, unsigned i)
{
    unsigned code = errors[i].code;

    set_lanes(h, code == SCRATCH || code == SCRATCH2 ? 8 : MEM + 0x100,
              code == SCRATCH || code == SCRATCH2 ? 0 : 8);
    set_lane(h, 9, errors[i].va);
    set_lane(h, 40, errors[i].va);
    for (unsigned lane = 0; lane < 64; lane++) {
        wave_vgpr(h, DATA)[lane] = 0x5000 + lane;
        wave_vgpr(h, DST)[lane] = 77;
    }
}

static void test_fl13_errors(WaveHarness *h)
{
    WaveCode *code = wave_assemble(error_texts, G_N_ELEMENTS(error_texts));

    setup(h);
    for (unsigned i = 0; i < G_N_ELEMENTS(errors); i++) {
        unsigned c = errors[i].code;

        set_config(h, errors[i].align * CONFIG_ALIGN);
        place_error(h, i);
        g_assert_cmpint(wave_run(h, &code[c]), ==, errors[i].cause);
        assert_fault(h, errors[i].report, 1ull << 9 | 1ull << 40,
                     c == LOAD || c == GLOBAL || c == SCRATCH ? ENGINE_READ
                                                              : ENGINE_WRITE);
    }
    wave_code_free(code);
}

/* What the good lanes of an error must have loaded, stored or added. */
static void check_good_lane(unsigned c, WaveHarness *h, unsigned lane,
                            const uint8_t *old)
{
    bool private = c == SCRATCH || c == SCRATCH2;
    const uint8_t *now = private ? private_byte(lane, 8)
                                 : mem + 0x100 + lane * 8;
    uint32_t before = dword(old + (now - (private ? scratch : mem)));

    if (c == STORE || c == SCRATCH2) {
        g_assert_cmphex(dword(now), ==, 0x5000 + lane);
    } else {
        g_assert_cmphex(wave_vgpr(h, DST)[lane], ==, before);
        g_assert_cmphex(dword(now), ==,
                        c == ATOMIC || c == ATOMIC2 ? before + 0x5000 + lane
                                                    : before);
    }
}

static void test_fl14_other_lanes(WaveHarness *h)
{
    WaveCode *code = wave_assemble(error_texts, G_N_ELEMENTS(error_texts));

    setup(h);
    for (unsigned i = 0; i < G_N_ELEMENTS(errors); i++) {
        unsigned c = errors[i].code;
        g_autofree uint8_t *old_mem = g_memdup2(mem, MEM_SIZE);
        g_autofree uint8_t *old_scratch = g_memdup2(scratch, 0x2000);
        g_autofree uint8_t *old_lds = g_memdup2(h->group.lds, 0x1000);

        set_config(h, errors[i].align * CONFIG_ALIGN);
        place_error(h, i);
        g_assert_cmpint(wave_run(h, &code[c]), ==, errors[i].cause);
        for (unsigned lane = 0; lane < 64; lane++) {
            if (lane != 9 && lane != 40) {
                check_good_lane(c, h, lane, c == SCRATCH || c == SCRATCH2
                                                ? old_scratch
                                                : old_mem);
            } else if (c != STORE && c != SCRATCH2) {
                g_assert_cmphex(wave_vgpr(h, DST)[lane], ==, 0);
            }
        }
        g_assert_cmpmem(h->group.lds, 0x1000, old_lds, 0x1000);
        g_assert_cmpmem(mem + 0x400, MEM_SIZE - 0x400, old_mem + 0x400,
                        MEM_SIZE - 0x400);
        g_assert_cmphex(read_only[4], ==, byte_of(15));
    }
    wave_code_free(code);
}

/* The exception goes to the wave's MODE from bit 14 of rsrc2 (EXCP_EN_MSB). */
static void test_fl15_mem_viol(WaveHarness *h)
{
    static const char *const texts[] = {
        ("flat_load_dword v16, v[2:3]\n"
         "s_getreg_b32 s20, hwreg(HW_REG_TRAPSTS, 8, 1)\n"
         "v_mov_b32 v17, 3"),
        ("s_mov_b32 s21, 1\n s_setreg_b32 hwreg(HW_REG_MODE, 20, 1), s21\n"
         "flat_load_dword v16, v[2:3]\n v_mov_b32 v17, 3"),
        "s_load_dwordx2 s[20:21], s[4:5], 0x0\n v_mov_b32 v17, 3",
        "s_atomic_add s20, s[4:5], 0x2 glc\n v_mov_b32 v17, 3",
        "s_store_dword s20, s[4:5], 0x0\n v_mov_b32 v17, 3",
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    setup(h);
    for (unsigned enabled = 0; enabled < 2; enabled++) {
        h->dispatch.launch.rsrc2 = enabled << 14;
        for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
            bool goes_on = !enabled && i != 1;

            set_config(h, CONFIG_HSA | CONFIG_CONTINUE);
            g_assert_cmphex(h->w->mode >> 20 & 1, ==, enabled);
            set_lanes(h, MEM, 4);
            set_lane(h, 5, HOLE);
            wave_set_sgpr64(h, 4, HOLE);
            wave_set_sgpr64(h, 20, 0x123456789);
            g_assert_cmpint(wave_run(h, &code[i]), ==,
                            goes_on ? TESSERA_FAULT_NONE
                                    : TESSERA_FAULT_UNMAPPED);
            g_assert_cmphex(h->w->trapsts, ==, 1 << 8);
            g_assert_cmphex(wave_vgpr(h, 17)[0], ==, goes_on ? 3 : 0);
            if (goes_on && i < 4) { /* TRAPSTS; scalar loads are 0 */
                g_assert_cmphex(h->w->s[20], ==, i == 0);
            }
        }
    }
    wave_code_free(code);
}

/* Without CONTINUE the queue stops, whatever the wave enables. */
static void test_fl15_always_stops(WaveHarness *h)
{
    WaveCode *code = wave_assemble(error_texts, G_N_ELEMENTS(error_texts));

    for (unsigned i = 0; i < G_N_ELEMENTS(errors); i++) {
        if (i == 0) {
            setup(h);
        }
        h->dispatch.launch.rsrc2 = i % 2 << 14;
        set_config(h, errors[i].align * CONFIG_ALIGN);
        place_error(h, i);
        g_assert_cmpint(wave_run(h, &code[errors[i].code]), ==,
                        errors[i].cause);
        set_config(h, errors[i].align * CONFIG_ALIGN | CONFIG_CONTINUE);
        place_error(h, i);
        g_assert_cmpint(wave_run(h, &code[errors[i].code]), ==,
                        i % 2 ? errors[i].cause : TESSERA_FAULT_NONE);
    }
    wave_code_free(code);
}

/* ---- FL13: misaligned accesses by mode ---- */

typedef struct AlignOp {
    const char *text;
    unsigned bytes, align; /* the element; a multiple that STRICT asks for */
    bool store;
} AlignOp;

static const AlignOp align_ops[] = {
    { "load_ubyte v16, %s", 1, 1, false },
    { "load_ushort v16, %s", 2, 2, false },
    { "load_dword v16, %s", 4, 4, false },
    { "load_dwordx2 v[16:17], %s", 8, 8, false },
    { "load_dwordx3 v[16:18], %s", 12, 4, false },
    { "load_dwordx4 v[16:19], %s", 16, 16, false },
    { "store_short %s, v8", 2, 2, true },
    { "store_dword %s, v8", 4, 4, true },
    { "store_dwordx4 %s, v[8:11]", 16, 16, true },
};

/* The byte of a lane at @at: in memory, LDS or private memory. */
static uint8_t *align_byte(WaveHarness *h, unsigned place, unsigned lane,
                           unsigned at)
{
    return place == 0 ? mem + at : place == 1 ? h->group.lds + at :
                                                private_byte(lane, at);
}

static void check_aligned(WaveHarness *h, const AlignOp *op, unsigned place,
                          unsigned mode, unsigned lane, uint64_t *bad)
{
    unsigned at = wave_vgpr(h, 30)[lane];
    unsigned less = MIN(op->align, 4), ask = mode == 2 && place < 2
                                                 ? op->align : less;

    if (mode == 0) {
        at -= at % less;
    } else if (mode < 3 && at % ask) {
        *bad |= 1ull << lane;
        return;
    }
    for (unsigned i = 0; i < op->bytes; i++) {
        uint8_t byte = *align_byte(h, place, lane, at + i);
        unsigned reg = op->store ? DATA : DST;

        g_assert_cmphex(wave_vgpr(h, reg + i / 4)[lane] >> 8 * (i % 4) & 0xff,
                        ==, byte);
    }
}

static void run_aligned(WaveHarness *h, const AlignOp *op,
                        const WaveCode *code, unsigned place, unsigned mode)
{
    static const uint64_t bases[] = { MEM, SHARED, PRIVATE };
    TesseraFaultCause cause;
    uint64_t bad = 0;

    set_config(h, mode * CONFIG_ALIGN);
    for (unsigned lane = 0; lane < 64; lane++) {
        unsigned at = place == 2 ? lane % 23 : lane * 24 + lane % 8;

        wave_vgpr(h, 30)[lane] = at;
        set_lane(h, lane, bases[place] + at);
        for (unsigned k = 0; k < 4; k++) {
            wave_vgpr(h, DATA + k)[lane] = 0x01234567 * (lane + k + mode + 1);
        }
    }
    cause = wave_run(h, code);
    for (unsigned lane = 0; lane < 64; lane++) {
        check_aligned(h, op, place, mode, lane, &bad);
    }
    g_assert_cmpint(cause, ==, bad ? TESSERA_FAULT_MISALIGNED
                                   : TESSERA_FAULT_NONE);
    if (bad) {
        g_assert_cmphex(h->worker->fault.lanes, ==, bad);
    }
}

static void test_fl13_alignment_modes(WaveHarness *h)
{
    setup(h);
    for (unsigned i = 0; i < G_N_ELEMENTS(align_ops); i++) {
        g_autofree char *flat = g_strconcat("flat_", align_ops[i].text, NULL);
        g_autofree char *text = g_strdup_printf(flat, "v[2:3]");
        WaveCode *code = assemble_one(text);

        for (unsigned n = 0; n < 12; n++) {
            run_aligned(h, &align_ops[i], code, n / 4, n % 4);
        }
        wave_code_free(code);
    }
}

/* ---- FL16, FL17 ---- */

static void test_fl16_dwords(WaveHarness *h)
{
    static const char *const texts[] = {
        "global_load_dword v16, v[2:3], off",
        "global_load_dwordx2 v[16:17], v[2:3], off",
        "global_load_dwordx3 v[16:18], v[2:3], off",
        "global_load_dwordx4 v[16:19], v[2:3], off",
        "global_store_dword v[2:3], v8, off",
        "global_store_dwordx2 v[2:3], v[8:9], off",
        "global_store_dwordx3 v[2:3], v[8:10], off",
        "global_store_dwordx4 v[2:3], v[8:11], off",
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    for (unsigned i = 0; i < 8; i++) {
        unsigned n = i % 4 + 1;

        if (i == 0) {
            setup(h);
        }
        fill(mem, MEM_SIZE, 0);
        wave_reset(h);
        set_lanes(h, MEM, 20);
        for (unsigned k = 0; k < 5; k++) {
            wave_vgpr(h, DATA + k)[6] = 0x7ff00001 + k; /* a signalling NaN */
            wave_vgpr(h, DST + k)[6] = 77;
        }
        g_assert_cmpint(wave_run(h, &code[i]), ==, TESSERA_FAULT_NONE);
        for (unsigned k = 0; k < 5; k++) {
            uint8_t old[4];

            for (unsigned b = 0; b < 4; b++) {
                old[b] = byte_of(120 + 4 * k + b);
            }
            g_assert_cmphex(wave_vgpr(h, DST + k)[6], ==,
                            i < 4 && k < n ? dword(old) : 77);
            g_assert_cmphex(dword(mem + 120 + 4 * k), ==,
                            i >= 4 && k < n ? 0x7ff00001 + k : dword(old));
        }
    }
    wave_code_free(code);
}

/* What a kernel's prologue does: base from SGPRs, plus the wave's offset. */
static void test_fl17_flat_scratch(WaveHarness *h)
{
    static const uint64_t base = 0x3ffffc000ull; /* the sum carries */
    WaveCode *code = assemble_one(
        "s_add_u32 flat_scratch_lo, s0, s2\n"
        "s_addc_u32 flat_scratch_hi, s1, 0\n"
        "s_mov_b32 s20, flat_scratch_lo\n s_mov_b32 s21, flat_scratch_hi\n"
        "v_mov_b32 v8, 0x1234\n scratch_store_dword off, v8, s22 offset:8");
    uint8_t *p;

    setup(h);
    p = wave_map(h, base, 0x8000, true);
    h->dispatch.launch.properties = 1 << 5;        /* flat scratch init */
    h->dispatch.launch.rsrc2 = 1 | 2 << 1;         /* scratch, 2 user SGPRs */
    h->dispatch.launch.scratch_base = base;
    h->w->w.scratch_slot = 5;
    wave_reset(h);
    h->w->s[22] = 4;
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(wave_sgpr64(h, 20), ==, base + 5 * PRIVATE_SIZE * 64);
    g_assert_cmphex(dword(p + 5 * PRIVATE_SIZE * 64 + 12 * 64 + 63 * 4), ==,
                    0x1234);
    wave_code_free(code);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    wave_test_levels("/flat/FL1-space", test_fl1_space);
    wave_test_levels("/flat/FL2-windows", test_fl2_windows);
    wave_test_levels("/flat/FL3-encoding", test_fl3_encoding);
    wave_test_levels("/flat/FL5-old-value", test_fl5_old_value);
    wave_test_levels("/flat/FL6-scratch-to-lds", test_fl6_scratch_to_lds);
    wave_test_levels("/flat/FL7-wait-for-zero", test_fl7_wait_for_zero);
    wave_test_levels("/flat/FL9-ptr32", test_fl9_ptr32);
    wave_test_levels("/flat/FL9-ptr32-windows", test_fl9_ptr32_windows);
    wave_test_levels("/flat/FL10-flat-scratch", test_fl10_flat_scratch);
    wave_test_levels("/flat/FL11-addresses", test_fl11_addresses);
    wave_test_levels("/flat/FL11-global-lds", test_fl11_global_lds);
    wave_test_levels("/flat/FL12-private-dwords", test_fl12_private_dwords);
    wave_test_levels("/flat/FL13-errors", test_fl13_errors);
    wave_test_levels("/flat/FL13-alignment-modes", test_fl13_alignment_modes);
    wave_test_levels("/flat/FL14-other-lanes", test_fl14_other_lanes);
    wave_test_levels("/flat/FL15-mem-viol", test_fl15_mem_viol);
    wave_test_levels("/flat/FL15-always-stops", test_fl15_always_stops);
    wave_test_levels("/flat/FL16-dwords", test_fl16_dwords);
    wave_test_levels("/flat/FL17-flat-scratch", test_fl17_flat_scratch);
    return g_test_run();
}
