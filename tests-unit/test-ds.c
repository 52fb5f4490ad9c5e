/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LDS instructions against a model that goes byte by byte, lane by lane: over
 * address patterns (adjacent, one place, tiles, scattered, misaligned, out of
 * range), EXEC masks and sizes of the allocation.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "wave-harness.h"

#define LDS_MAX 0x10000u
#define LANES 64
#define REGS 16

/* Registers that the snippets use. */
enum { ADDR = 1, DATA = 2, DATA1 = 6, DST = 10 };

typedef struct State {
    uint8_t lds[LDS_MAX];
    uint32_t size; /* of the allocation */
    uint32_t v[REGS][LANES];
    uint64_t exec;
    uint32_t m0;
} State;

static State before, want;

/* ---- targets ---- */

static uint64_t full = UINT64_MAX; /* lanes of a wave */
static unsigned step = 1;          /* of so many cases one is run */

/* What gfx11 and gfx12 call an operation. */
static char *translate(WaveHarness *h, const char *text)
{
    static const char *const names[][2] = {
        { "ds_read2st64_", "ds_load_2addr_stride64_" },
        { "ds_read2_", "ds_load_2addr_" }, { "ds_read_", "ds_load_" },
        { "ds_write2st64_", "ds_store_2addr_stride64_" },
        { "ds_write2_", "ds_store_2addr_" }, { "ds_write_", "ds_store_" },
        { "ds_wrxchg2st64_", "ds_storexchg_2addr_stride64_" },
        { "ds_wrxchg2_", "ds_storexchg_2addr_" },
        { "ds_wrxchg_", "ds_storexchg_" }, { "ds_cmpst_", "ds_cmpstore_" },
    };
    GString *s = g_string_new(text);

    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        g_string_replace(s, names[i][0], names[i][1], 0);
    }
    return g_string_free(s, FALSE);
}

/* Assemble for the harness's target what is written for gfx900. */
static WaveCode *assemble(WaveHarness *h, const char *const *texts,
                          unsigned count)
{
    g_auto(GStrv) translated = g_new0(char *, count + 1);

    if (h->w->isa->gen == GEN_9) {
        return wave_assemble(texts, count);
    }
    for (unsigned i = 0; i < count; i++) {
        translated[i] = translate(h, texts[i]);
    }
    return wave_assemble((const char *const *)translated, count);
}

/* ---- patterns ---- */

static uint32_t random_state;

static uint32_t random32(void)
{
    random_state = random_state * 1664525 + 1013904223;
    return random_state >> 8 ^ random_state << 16;
}

static const uint64_t execs[] = {
    UINT64_MAX, 0, 1, 1ull << 63, 0x5555555555555555, 0xffff0000ffff0000,
    0x00000000fffffffe, 0x8000000000000001, 0x0123456789abcdef,
};

static const uint32_t sizes[] = { LDS_MAX, 1000, 4, 3, 0 };

#define PATTERNS 14

/* Address of a lane, for accesses of @bytes. */
static uint32_t address(unsigned pattern, unsigned lane, unsigned bytes)
{
    switch (pattern) {
    case 0: /* adjacent */
        return 0x100 + lane * bytes;
    case 1: /* one place */
        return 0x240;
    case 2: /* tiles of 16: the same 16 places */
        return 0x40 + lane % 16 * bytes;
    case 3: /* tiles of 16: one place each */
        return 0x80 + lane / 16 * bytes;
    case 4:
        return (63 - lane) * bytes;
    case 5:
        return lane * 4 * bytes;
    case 6: /* misaligned */
        return 1 + lane * bytes;
    case 7:
        return 3 + lane * (bytes + 1);
    case 8:
        return random32() % 1100;
    case 9: /* runs out of a small allocation */
        return 1000 - 30 * bytes + lane * bytes;
    case 10: /* and of the largest */
        return LDS_MAX - 30 * bytes + lane * bytes;
    case 11: /* what the offset brings back */
        return lane * bytes - 0x20;
    case 12: /* far out */
        return lane % 2 ? 0x7ffffff0 : 0xfffffffc - lane;
    default:
        return lane % 3 ? 0x90 : random32() % LDS_MAX;
    }
}

static void fill(unsigned pattern, unsigned bytes, uint64_t exec,
                 uint32_t size)
{
    random_state = pattern * 77 + bytes;
    for (unsigned i = 0; i < LDS_MAX; i += 4) {
        uint32_t x = random32();

        memcpy(&before.lds[i], &x, 4);
    }
    for (unsigned i = 0; i < REGS * LANES; i++) {
        before.v[i / LANES][i % LANES] = random32();
    }
    for (unsigned lane = 0; lane < LANES; lane++) {
        before.v[ADDR][lane] = address(pattern, lane, bytes);
    }
    before.exec = exec & full;
    before.size = size;
    before.m0 = 0xdead0040;
}

/* ---- running and comparing ---- */

static void run_state(WaveHarness *h, const WaveCode *code, const char *text)
{
    memcpy(wave_lds(h), before.lds, LDS_MAX);
    h->group.lds_size = before.size;
    for (unsigned i = 0; i < REGS; i++) {
        memcpy(wave_vgpr(h, i), before.v[i], sizeof(before.v[i]));
    }
    h->w->s[SGPR_M0] = before.m0;
    wave_set_exec(h, before.exec);
    if (wave_run(h, code) != TESSERA_FAULT_NONE) {
        g_error("%s: fault %d", text, h->worker->fault.cause);
    }
    for (unsigned i = 0; i < REGS * LANES; i++) {
        uint32_t x = wave_vgpr(h, i / LANES)[i % LANES];

        if (x != want.v[i / LANES][i % LANES]) {
            g_error("%s: exec %" PRIx64 " size %u addr %x: v%u lane %u is %x,"
                    " not %x", text, before.exec, before.size,
                    before.v[ADDR][i % LANES], i / LANES, i % LANES, x,
                    want.v[i / LANES][i % LANES]);
        }
    }
    for (unsigned i = 0; memcmp(wave_lds(h), want.lds, LDS_MAX); i++) {
        if (wave_lds(h)[i] != want.lds[i]) {
            g_error("%s: exec %" PRIx64 " size %u: LDS %x is %x, not %x",
                    text, before.exec, before.size, i, wave_lds(h)[i],
                    want.lds[i]);
        }
    }
    h->group.lds_size = LDS_MAX;
}

static bool active(unsigned lane)
{
    return before.exec >> lane & 1;
}

static bool in_range(uint32_t addr, unsigned bytes)
{
    return (uint64_t)addr + bytes <= before.size;
}

static uint64_t get(uint32_t addr, unsigned bytes)
{
    uint64_t x = 0;

    for (unsigned i = 0; in_range(addr, bytes) && i < bytes; i++) {
        x |= (uint64_t)want.lds[addr + i] << 8 * i;
    }
    return x;
}

static void put(uint32_t addr, unsigned bytes, uint64_t x)
{
    for (unsigned i = 0; in_range(addr, bytes) && i < bytes; i++) {
        want.lds[addr + i] = x >> 8 * i;
    }
}

/* Dword @k of an element, all or nothing of which is in range. */
static uint32_t get_part(uint32_t addr, unsigned bytes, unsigned k)
{
    return in_range(addr, bytes) ? get(addr + 4 * k, 4) : 0;
}

static void put_part(uint32_t addr, unsigned bytes, unsigned k, uint32_t x)
{
    if (in_range(addr, bytes)) {
        put(addr + 4 * k, 4, x);
    }
}

static uint64_t reg64(unsigned reg, unsigned lane, unsigned bytes)
{
    return before.v[reg][lane] |
           (bytes == 8 ? (uint64_t)before.v[reg + 1][lane] << 32 : 0);
}

static void set_reg(unsigned reg, unsigned lane, unsigned bytes, uint64_t x)
{
    want.v[reg][lane] = x;
    if (bytes == 8) {
        want.v[reg + 1][lane] = x >> 32;
    }
}

/* ---- reads and writes ---- */

typedef struct Access {
    const char *text; /* with the offset to come */
    bool store;
    unsigned bytes;
    bool sext;
    enum { WHOLE, LOW, HIGH } half;
} Access;

static const Access accesses[] = {
    { "ds_read_u8 v10, v1", false, 1 },
    { "ds_read_i8 v10, v1", false, 1, true },
    { "ds_read_u16 v10, v1", false, 2 },
    { "ds_read_i16 v10, v1", false, 2, true },
    { "ds_read_u8_d16 v10, v1", false, 1, false, LOW },
    { "ds_read_u8_d16_hi v10, v1", false, 1, false, HIGH },
    { "ds_read_i8_d16 v10, v1", false, 1, true, LOW },
    { "ds_read_i8_d16_hi v10, v1", false, 1, true, HIGH },
    { "ds_read_u16_d16 v10, v1", false, 2, false, LOW },
    { "ds_read_u16_d16_hi v10, v1", false, 2, false, HIGH },
    { "ds_read_b32 v10, v1", false, 4 },
    { "ds_read_b64 v[10:11], v1", false, 8 },
    { "ds_read_b96 v[10:12], v1", false, 12 },
    { "ds_read_b128 v[10:13], v1", false, 16 },
    { "ds_write_b8 v1, v2", true, 1 },
    { "ds_write_b16 v1, v2", true, 2 },
    { "ds_write_b8_d16_hi v1, v2", true, 1, false, HIGH },
    { "ds_write_b16_d16_hi v1, v2", true, 2, false, HIGH },
    { "ds_write_b32 v1, v2", true, 4 },
    { "ds_write_b64 v1, v[2:3]", true, 8 },
    { "ds_write_b96 v1, v[2:4]", true, 12 },
    { "ds_write_b128 v1, v[2:5]", true, 16 },
};

static const uint32_t offsets[] = { 0, 0x20, 0xfff0 };

static void model_read(const Access *a, unsigned lane, uint32_t addr)
{
    uint32_t *r = &want.v[DST][lane];
    uint32_t x;

    if (a->bytes >= 4) {
        for (unsigned k = 0; k < a->bytes / 4; k++) {
            want.v[DST + k][lane] = get_part(addr, a->bytes, k);
        }
        return;
    }
    x = get(addr, a->bytes);
    if (a->sext && x >> (8 * a->bytes - 1)) {
        x |= a->bytes == 1 ? 0xffffff00 : 0xffff0000;
    }
    if (a->half == LOW) {
        x = (*r & 0xffff0000) | (x & 0xffff);
    } else if (a->half == HIGH) {
        x = (*r & 0xffff) | x << 16;
    }
    *r = x;
}

static void model_write(const Access *a, unsigned lane, uint32_t addr)
{
    if (a->bytes < 4) {
        put(addr, a->bytes, before.v[DATA][lane] >> (a->half ? 16 : 0));
        return;
    }
    for (unsigned k = 0; k < a->bytes / 4; k++) {
        put_part(addr, a->bytes, k, before.v[DATA + k][lane]);
    }
}

static void check_access(WaveHarness *h, const WaveCode *code,
                         const Access *a, uint32_t offset, unsigned pattern,
                         unsigned exec, unsigned size)
{
    fill(pattern, a->bytes, execs[exec], sizes[size]);
    want = before;
    for (unsigned lane = 0; lane < LANES; lane++) {
        if (!active(lane)) {
            continue;
        }
        if (a->store) {
            model_write(a, lane, before.v[ADDR][lane] + offset);
        } else {
            model_read(a, lane, before.v[ADDR][lane] + offset);
        }
    }
    run_state(h, code, a->text);
}

static void test_accesses(WaveHarness *h)
{
    enum { N = G_N_ELEMENTS(offsets), COUNT = G_N_ELEMENTS(accesses) * N };
    char *texts[COUNT];
    WaveCode *code;

    for (unsigned i = 0; i < COUNT; i++) {
        texts[i] = g_strdup_printf("%s offset:%u", accesses[i / N].text,
                                   offsets[i % N]);
    }
    code = assemble(h, (const char *const *)texts, COUNT);
    for (unsigned i = 0; i < COUNT; i++) {
        for (unsigned k = i % step; k < PATTERNS * G_N_ELEMENTS(execs);
             k += step) {
            check_access(h, &code[i], &accesses[i / N], offsets[i % N],
                         k % PATTERNS, k / PATTERNS, k % 7 ? k % 2 :
                         k % G_N_ELEMENTS(sizes));
        }
        g_free(texts[i]);
    }
    wave_code_free(code);
}

/* Small allocations with every EXEC. */
static void test_sizes(WaveHarness *h)
{
    unsigned count = G_N_ELEMENTS(accesses);
    const char *texts[G_N_ELEMENTS(accesses)];
    WaveCode *code;

    for (unsigned i = 0; i < count; i++) {
        texts[i] = accesses[i].text;
    }
    code = assemble(h, texts, count);
    for (unsigned i = 0; i < count; i++) {
        for (unsigned s = 0; s < G_N_ELEMENTS(sizes); s++) {
            for (unsigned e = 0; e < G_N_ELEMENTS(execs); e++) {
                check_access(h, &code[i], &accesses[i], 0, 11 - s, e, s);
            }
        }
    }
    wave_code_free(code);
}

/* The result may lie over the address. */
static void test_overlap(WaveHarness *h)
{
    static const char *const texts[] = {
        "ds_read_b128 v[0:3], v1 offset:32",
        "ds_read2_b32 v[1:2], v1 offset0:8 offset1:5",
        "ds_read2_b32 v[0:1], v1 offset0:8 offset1:5",
        "ds_read2_b64 v[0:3], v1 offset0:4 offset1:2",
        "ds_read2_b64 v[1:4], v1 offset0:4 offset1:2",
        "ds_add_rtn_u32 v1, v1, v1 offset:32",
    };
    WaveCode *code = assemble(h, texts, G_N_ELEMENTS(texts));

    for (unsigned i = 0; i < G_N_ELEMENTS(texts) * PATTERNS; i++) {
        unsigned op = i / PATTERNS;

        fill(i % PATTERNS, 4, execs[i % 9], LDS_MAX);
        want = before;
        for (unsigned lane = 0; lane < LANES; lane++) {
            uint32_t a = before.v[ADDR][lane], x;

            if (!active(lane)) {
                continue;
            }
            switch (op) {
            case 0:
                for (unsigned k = 0; k < 4; k++) {
                    want.v[k][lane] = get_part(a + 32, 16, k);
                }
                break;
            case 1: case 2:
                want.v[2 - op][lane] = get(a + 32, 4);
                want.v[3 - op][lane] = get(a + 20, 4);
                break;
            case 3: case 4:
                set_reg(op - 3, lane, 8, get(a + 32, 8));
                set_reg(op - 1, lane, 8, get(a + 16, 8));
                break;
            default:
                x = get(a + 32, 4);
                put(a + 32, 4, x + a);
                want.v[ADDR][lane] = x;
                break;
            }
        }
        run_state(h, &code[op], texts[op]);
    }
    wave_code_free(code);
}

/* ---- two addresses ---- */

static const struct {
    const char *text;
    unsigned bytes, scale;
    enum { READ2, WRITE2, XCHG2 } kind;
} twos[] = {
    { "ds_read2_b32 v[10:11], v1", 4, 1, READ2 },
    { "ds_read2st64_b32 v[10:11], v1", 4, 64, READ2 },
    { "ds_read2_b64 v[10:13], v1", 8, 1, READ2 },
    { "ds_read2st64_b64 v[10:13], v1", 8, 64, READ2 },
    { "ds_write2_b32 v1, v2, v6", 4, 1, WRITE2 },
    { "ds_write2st64_b32 v1, v2, v6", 4, 64, WRITE2 },
    { "ds_write2_b64 v1, v[2:3], v[6:7]", 8, 1, WRITE2 },
    { "ds_write2st64_b64 v1, v[2:3], v[6:7]", 8, 64, WRITE2 },
    { "ds_wrxchg2_rtn_b32 v[10:11], v1, v2, v6", 4, 1, XCHG2 },
    { "ds_wrxchg2st64_rtn_b32 v[10:11], v1, v2, v6", 4, 64, XCHG2 },
    { "ds_wrxchg2_rtn_b64 v[10:13], v1, v[2:3], v[6:7]", 8, 1, XCHG2 },
    { "ds_wrxchg2st64_rtn_b64 v[10:13], v1, v[2:3], v[6:7]", 8, 64, XCHG2 },
};

static const struct {
    uint8_t first, second;
} pairs[] = { { 0, 1 }, { 7, 3 }, { 255, 0 }, { 2, 2 } };

static void model_two(unsigned op, unsigned pair)
{
    unsigned bytes = twos[op].bytes, scale = bytes * twos[op].scale;
    uint32_t off[2] = { pairs[pair].first * scale,
                        pairs[pair].second * scale };

    /* writes: all lanes at the first place, then all at the second */
    for (unsigned i = 0; i < 2 && twos[op].kind == WRITE2; i++) {
        for (unsigned lane = 0; lane < LANES; lane++) {
            if (active(lane)) {
                put(before.v[ADDR][lane] + off[i], bytes,
                    reg64(i ? DATA1 : DATA, lane, bytes));
            }
        }
    }
    for (unsigned lane = 0; lane < LANES && twos[op].kind != WRITE2; lane++) {
        uint32_t a = before.v[ADDR][lane];

        if (!active(lane)) {
            continue;
        }
        set_reg(DST, lane, bytes, get(a + off[0], bytes));
        set_reg(DST + bytes / 4, lane, bytes, get(a + off[1], bytes));
        if (twos[op].kind == XCHG2) {
            put(a + off[0], bytes, reg64(DATA, lane, bytes));
            put(a + off[1], bytes, reg64(DATA1, lane, bytes));
        }
    }
}

static void test_two(WaveHarness *h)
{
    enum { N = G_N_ELEMENTS(pairs), COUNT = G_N_ELEMENTS(twos) * N };
    char *texts[COUNT];
    WaveCode *code;

    for (unsigned i = 0; i < COUNT; i++) {
        texts[i] = g_strdup_printf("%s offset0:%u offset1:%u",
                                   twos[i / N].text, pairs[i % N].first,
                                   pairs[i % N].second);
    }
    code = assemble(h, (const char *const *)texts, COUNT);
    for (unsigned i = 0; i < COUNT; i++) {
        for (unsigned k = i % step; k < PATTERNS * G_N_ELEMENTS(execs);
             k += step) {
            fill(k % PATTERNS, twos[i / N].bytes, execs[k / PATTERNS],
                 sizes[k % 5]);
            want = before;
            model_two(i / N, i % N);
            run_state(h, &code[i], texts[i]);
        }
        g_free(texts[i]);
    }
    wave_code_free(code);
}

/* ---- atomics ---- */

typedef uint64_t Model(uint64_t m, uint64_t a, uint64_t b, int bits);

static int64_t sext(uint64_t x, int bits)
{
    return (int64_t)(x << (64 - bits)) >> (64 - bits);
}

/* The value of float bits; denormals as they are. */
static double value(uint64_t x, int bits)
{
    float f;
    double d;
    uint32_t low = x;

    memcpy(&f, &low, 4);
    memcpy(&d, &x, 8);
    return bits == 32 ? f : d;
}

#define MODEL(name, result)                                                 \
    static uint64_t name##_model(uint64_t m, uint64_t a, uint64_t b,        \
                                 int bits)                                  \
    {                                                                       \
        return result;                                                      \
    }
MODEL(add, m + a)
MODEL(sub, m - a)
MODEL(rsub, a - m)
MODEL(inc, m >= a ? 0 : m + 1)
MODEL(dec, m == 0 || m > a ? a : m - 1)
MODEL(min_i, sext(a, bits) < sext(m, bits) ? a : m)
MODEL(max_i, sext(a, bits) > sext(m, bits) ? a : m)
MODEL(min_u, MIN(m, a))
MODEL(max_u, MAX(m, a))
MODEL(and, m & a)
MODEL(or, m | a)
MODEL(xor, (m | a) & ~(m & a))
MODEL(mskor, (m & ~a) | b)
MODEL(cmpst, m == a ? b : m)
MODEL(wrxchg, a)
MODEL(wrap, m >= a ? m - a : m + b)
MODEL(cmpst_f, value(m, bits) == value(a, bits) ? b : m)
MODEL(min_f, value(a, bits) < value(m, bits) ? a : m)
MODEL(max_f, value(a, bits) > value(m, bits) ? a : m)
MODEL(cond_sub, m >= a ? m - a : m)
MODEL(sub_clamp, m >= a ? m - a : 0)

/* minimumNumber: a number wins, -0 is less than +0, NaNs become quiet. */
static uint64_t number(uint64_t m, uint64_t a, int bits, bool most)
{
    double x = value(m, bits), y = value(a, bits);
    bool below = x < y || (x == y && m >> (bits - 1) & 1);

    if (isnan(y)) {
        return isnan(x) ? a | 1ull << (bits == 32 ? 22 : 51) : m;
    }
    return isnan(x) || below == most ? a : m;
}

MODEL(min_num, number(m, a, bits, false))
MODEL(max_num, number(m, a, bits, true))
MODEL(condxchg,
      (a >> 31 & 1 ? a & 0x7fffffff : m & 0xffffffff) |
      (a >> 63 & 1 ? a & 0x7fffffff00000000 : m & 0xffffffff00000000))

enum { TWO_DATA = 1, RTN_ONLY = 2, NO_SRC2 = 4, ALIGN8 = 8, ONLY_32 = 16,
       ONLY_64 = 32, ONLY_GFX12 = 64 };

static const struct {
    const char *name, *type;
    Model *model;
    unsigned flags;
} atomics[] = {
    { "add", "u", add_model }, { "sub", "u", sub_model },
    { "rsub", "u", rsub_model }, { "inc", "u", inc_model },
    { "dec", "u", dec_model }, { "min", "i", min_i_model },
    { "max", "i", max_i_model }, { "min", "u", min_u_model },
    { "max", "u", max_u_model }, { "and", "b", and_model },
    { "or", "b", or_model }, { "xor", "b", xor_model },
    { "mskor", "b", mskor_model, TWO_DATA | NO_SRC2 },
    { "cmpst", "b", cmpst_model, TWO_DATA | NO_SRC2 },
    { "cmpst", "f", cmpst_f_model, TWO_DATA | NO_SRC2 },
    { "min", "f", min_f_model }, { "max", "f", max_f_model },
    { "wrxchg", "b", wrxchg_model, RTN_ONLY | NO_SRC2 },
    { "wrap", "b", wrap_model, TWO_DATA | RTN_ONLY | NO_SRC2 | ONLY_32 },
    { "condxchg32", "b", condxchg_model,
      RTN_ONLY | NO_SRC2 | ALIGN8 | ONLY_64 },
    { "cond_sub", "u", cond_sub_model, NO_SRC2 | ONLY_32 | ONLY_GFX12 },
    { "sub_clamp", "u", sub_clamp_model, NO_SRC2 | ONLY_32 | ONLY_GFX12 },
    { "min_num", "f", min_num_model, NO_SRC2 | ONLY_GFX12 },
    { "max_num", "f", max_num_model, NO_SRC2 | ONLY_GFX12 },
};

/* gfx12 has no compares of floats but those of its own, and no wrap. */
static bool has_atomic(AmdGeneration gen, unsigned op)
{
    if (atomics[op].flags & ONLY_GFX12) {
        return gen == GEN_12;
    }
    return gen != GEN_12 || (atomics[op].type[0] != 'f' &&
                             strcmp(atomics[op].name, "wrap"));
}

/* Forms: bit 0 64-bit, bit 1 returns. */
static char *atomic_text(WaveHarness *h, unsigned op, unsigned form)
{
    bool wide = form & 1, rtn = form & 2, swapped = false;
    unsigned flags = atomics[op].flags;
    AmdGeneration gen = h->w->isa->gen;

    if (!has_atomic(gen, op)) {
        return g_strdup("s_nop 0");
    }
    /* From gfx11 on the new value comes first. */
    swapped = gen != GEN_9 && strcmp(atomics[op].name, "cmpst") == 0;
    if ((flags & RTN_ONLY && !rtn) || (flags & ONLY_32 && wide) ||
        (flags & ONLY_64 && !wide)) {
        return g_strdup("s_nop 0");
    }
    return g_strdup_printf("ds_%s%s_%s%s %sv1, %s%s%s offset:16",
                           atomics[op].name, rtn ? "_rtn" : "",
                           atomics[op].type, wide ? "64" : "32",
                           !rtn ? "" : wide ? "v[10:11], " : "v10, ",
                           swapped ? (wide ? "v[6:7], " : "v6, ") : "",
                           wide ? "v[2:3]" : "v2",
                           !(flags & TWO_DATA) || swapped ? "" :
                           wide ? ", v[6:7]" : ", v6");
}

/* Values that meet in memory and in registers, for compares to hit. */
static void mix_values(unsigned bytes, bool floats)
{
    static const uint64_t ints[] = {
        0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 0x80000000ffffffff,
        0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff,
    };
    static const uint32_t f32s[] = {
        0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
        0x7fc00001, 0x7f800001, 0x00000001, 0x80000001,
    };
    static const uint64_t f64s[] = {
        0, 1ull << 63, 0x3ff0000000000000, 0xbff0000000000000,
        0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000001,
        0x7ff0000000000001, 1, 0x8000000000000001,
    };

    for (unsigned i = 0; i < LDS_MAX / bytes; i++) {
        uint64_t x = ints[random32() % 10];

        if (floats) {
            x = bytes == 4 ? f32s[random32() % 10] : f64s[random32() % 10];
        }
        memcpy(&before.lds[i * bytes], &x, bytes);
        if (i < LANES) {
            memcpy(&x, &before.lds[random32() % (i + 1) * bytes], bytes);
            before.v[DATA][i] = x;
            before.v[DATA + 1][i] = x >> 32;
        }
    }
}

static void model_atomic(unsigned op, unsigned form, unsigned src2)
{
    unsigned bytes = form & 1 ? 8 : 4;

    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t addr = before.v[ADDR][lane] + (src2 ? 0 : 16);
        uint64_t m, a = reg64(DATA, lane, bytes);

        if (!active(lane)) {
            continue;
        }
        if (atomics[op].flags & ALIGN8) {
            addr &= 0xfff8;
        }
        if (src2 == 1) { /* 24 bytes on */
            a = get(addr + 24, bytes);
        } else if (src2 == 2) { /* 8 back */
            a = get(addr - 8, bytes);
        } else if (src2 == 3) { /* as the address's upper bits say */
            int16_t up = (int16_t)((addr >> 17 & 0x7fff) | (addr >> 16 &
                                                            0x8000));

            addr &= 0x1ffff;
            a = get(addr + (uint32_t)up * 4, bytes);
        }
        m = get(addr, bytes);
        put(addr, bytes, atomics[op].model(m, a, reg64(DATA1, lane, bytes),
                                           8 * bytes));
        if (form & 2) {
            set_reg(DST, lane, bytes, m);
        }
    }
}

static void test_atomics(WaveHarness *h)
{
    enum { COUNT = G_N_ELEMENTS(atomics) * 4 };
    char *texts[COUNT];
    WaveCode *code;

    for (unsigned i = 0; i < COUNT; i++) {
        texts[i] = atomic_text(h, i / 4, i % 4);
    }
    code = assemble(h, (const char *const *)texts, COUNT);
    for (unsigned i = 0; i < COUNT; i++) {
        unsigned bytes = i & 1 ? 8 : 4;

        for (unsigned k = i % step; k < PATTERNS * G_N_ELEMENTS(execs);
             k += step) {
            if (g_str_equal(texts[i], "s_nop 0")) {
                break;
            }
            fill(k % PATTERNS, bytes, execs[k / PATTERNS], sizes[k % 5]);
            mix_values(bytes, atomics[i / 4].type[0] == 'f');
            want = before;
            model_atomic(i / 4, i % 4, 0);
            run_state(h, &code[i], texts[i]);
        }
        g_free(texts[i]);
    }
    wave_code_free(code);
}

static void test_src2(WaveHarness *h)
{
    /* the offset counts dwords, 15 bits signed; bit 15: see the address */
    static const uint32_t src2_offsets[] = { 6, 0x7ffe, 0x8000 };
    enum { COUNT = G_N_ELEMENTS(atomics) * 6 };
    char *texts[COUNT];
    WaveCode *code;

    for (unsigned i = 0; i < COUNT; i++) {
        unsigned op = i / 6;

        texts[i] = g_strdup("s_nop 0");
        if (!(atomics[op].flags & NO_SRC2)) {
            g_free(texts[i]);
            texts[i] = g_strdup_printf(
                "ds_%s_src2_%s%d v1 offset:%u", atomics[op].name,
                atomics[op].type, i & 1 ? 64 : 32, src2_offsets[i % 6 / 2]);
        }
    }
    code = wave_assemble((const char *const *)texts, COUNT);
    for (unsigned i = 0; i < COUNT; i++) {
        for (unsigned k = 0; k < PATTERNS * 4; k++) {
            if (g_str_equal(texts[i], "s_nop 0")) {
                break;
            }
            fill(k % PATTERNS, i & 1 ? 8 : 4, execs[k / PATTERNS],
                 sizes[k % 2]);
            mix_values(i & 1 ? 8 : 4, atomics[i / 6].type[0] == 'f');
            for (unsigned lane = 0; i % 6 / 2 == 2 && lane < LANES; lane++) {
                before.v[ADDR][lane] = (before.v[ADDR][lane] & 0x1ffff) |
                                       (lane - 20) << 17;
            }
            want = before;
            model_atomic(i / 6, i & 1, 1 + i % 6 / 2);
            run_state(h, &code[i], texts[i]);
        }
        g_free(texts[i]);
    }
    wave_code_free(code);
}

static void test_write_src2(WaveHarness *h)
{
    static const char *const texts[] = {
        "ds_write_src2_b32 v1 offset:6", "ds_write_src2_b64 v1 offset:6",
    };
    WaveCode *code = wave_assemble(texts, 2);

    for (unsigned k = 0; k < PATTERNS * 2; k++) {
        unsigned bytes = k & 1 ? 8 : 4;

        fill(k / 2, bytes, execs[k % 9], sizes[k % 2]);
        want = before;
        for (unsigned lane = 0; lane < LANES; lane++) {
            uint32_t a = before.v[ADDR][lane];

            if (active(lane)) {
                put(a, bytes, get(a + 24, bytes));
            }
        }
        run_state(h, &code[k & 1], texts[k & 1]);
    }
    wave_code_free(code);
}

/* ---- float sums ---- */

static uint32_t bits_of(float f)
{
    uint32_t x;

    memcpy(&x, &f, 4);
    return x;
}

static void test_add_f32(WaveHarness *h)
{
    static const struct {
        uint32_t m, a, sum, flushed; /* MODE keeps denormals, or flushes */
    } cases[] = {
        { 0x3f800000, 0x40000000, 0x40400000, 0x40400000 }, /* 1 + 2 */
        { 0x80000000, 0x80000000, 0x80000000, 0x80000000 },
        { 0x3f800000, 0xbf800000, 0x00000000, 0x00000000 },
        { 0x00000001, 0x00000001, 0x00000002, 0x00000000 },
        { 0x80000001, 0x80000001, 0x80000002, 0x80000000 },
        { 0x00800000, 0x80000001, 0x007fffff, 0x00800000 },
        { 0x00800001, 0x80800000, 0x00000001, 0x00000000 },
        { 0x7f7fffff, 0x7f7fffff, 0x7f800000, 0x7f800000 },
        { 0x7f800000, 0x3f800000, 0x7f800000, 0x7f800000 },
        { 0x7f800001, 0x3f800000, 0x7fc00001, 0x7fc00001 },
        { 0x3f800000, 0xff812345, 0xffc12345, 0xffc12345 },
        { 0x7fc00007, 0x7f800001, 0x7fc00007, 0x7fc00007 },
        { 0x4b800000, 0x3f800000, 0x4b800000, 0x4b800000 }, /* tie, even */
        { 0x4b800001, 0x3f800000, 0x4b800002, 0x4b800002 },
    };
    static const char *const texts[] = {
        "ds_add_f32 v1, v2", "ds_add_rtn_f32 v10, v1, v2",
        "ds_add_src2_f32 v1 offset:0x100",
    };
    unsigned forms = h->w->isa->gen == GEN_9 ? 3 : 2;
    uint32_t lanes = wave_width(h->w);
    WaveCode *code = wave_assemble(texts, forms);

    for (unsigned i = 0; i < 3 * 2 * 4; i++) {
        bool keep = i / 3 & 1;

        if (i % 3 >= forms) {
            continue;
        }

        wave_reset(h);
        /* the rounding mode has no say */
        wave_set_mode(h, 0x300 | (keep ? 0xf0 : 0) | (i / 6));
        for (unsigned c = 0; c < G_N_ELEMENTS(cases); c++) {
            wave_vgpr(h, 1)[c] = 4 * c;
            wave_vgpr(h, 2)[c] = cases[c].a;
            memcpy(wave_lds(h) + 4 * c, &cases[c].m, 4);
            memcpy(wave_lds(h) + 4 * c + 0x400, &cases[c].a, 4);
        }
        wave_set_exec(h, (1ull << G_N_ELEMENTS(cases)) - 1);
        g_assert_cmpint(wave_run(h, &code[i % 3]), ==, TESSERA_FAULT_NONE);
        for (unsigned c = 0; c < G_N_ELEMENTS(cases); c++) {
            uint32_t got;

            memcpy(&got, wave_lds(h) + 4 * c, 4);
            g_assert_cmphex(got, ==, keep ? cases[c].sum : cases[c].flushed);
            if (i % 3 == 1) {
                g_assert_cmphex(wave_vgpr(h, 10)[c], ==, cases[c].m);
            }
        }
    }
    wave_code_free(code);

    /* all lanes at one place: in order, and nothing is lost */
    code = wave_assemble(texts, 1);
    wave_reset(h);
    memset(wave_lds(h), 0, 4);
    for (unsigned lane = 0; lane < LANES; lane++) {
        wave_vgpr(h, 1)[lane] = 0;
        wave_vgpr(h, 2)[lane] = bits_of(lane + 0.5f);
    }
    g_assert_cmpint(wave_run(h, &code[0]), ==, TESSERA_FAULT_NONE);
    g_assert_cmpfloat(*(float *)wave_lds(h), ==, lanes * lanes / 2.0f);
    wave_code_free(code);
}

/* Sums of halves and of bf16, to nearest even whatever MODE says. */
static const struct PackedSum {
    uint16_t m, a, sum, flushed; /* MODE keeps denormals, or flushes */
} half_sums[] = {
    { 0x3c00, 0x4000, 0x4200, 0x4200 }, { 0x8000, 0x8000, 0x8000, 0x8000 },
    { 0x3c00, 0xbc00, 0x0000, 0x0000 }, { 0x0001, 0x0001, 0x0002, 0x0000 },
    { 0x0400, 0x8001, 0x03ff, 0x0400 }, { 0x7bff, 0x7bff, 0x7c00, 0x7c00 },
    { 0x7c00, 0x3c00, 0x7c00, 0x7c00 }, { 0x7c01, 0x3c00, 0x7e01, 0x7e01 },
    { 0x6800, 0x3c00, 0x6800, 0x6800 }, { 0x6801, 0x3c00, 0x6802, 0x6802 },
}, bf16_sums[] = {
    { 0x3f80, 0x4000, 0x4040, 0x4040 }, { 0x8000, 0x8000, 0x8000, 0x8000 },
    { 0x3f80, 0xbf80, 0x0000, 0x0000 }, { 0x0001, 0x0001, 0x0002, 0x0002 },
    { 0x0080, 0x8001, 0x007f, 0x007f }, { 0x7f7f, 0x7f7f, 0x7f80, 0x7f80 },
    { 0x7f80, 0x3f80, 0x7f80, 0x7f80 }, { 0x7f81, 0x3f80, 0x7fc1, 0x7fc1 },
    { 0x4380, 0x3f80, 0x4380, 0x4380 }, { 0x4381, 0x3f80, 0x4382, 0x4382 },
};

enum { SUMS = G_N_ELEMENTS(half_sums) };

static uint32_t sum_of(const struct PackedSum *s, bool keep)
{
    return keep ? s->sum : s->flushed;
}

/* Lane l has sum l in its lower half and the next one in the upper. */
static void check_packed(WaveHarness *h, const struct PackedSum *sums,
                         const WaveCode *code, uint32_t mode, bool rtn)
{
    bool keep = mode & 0x80;

    wave_reset(h);
    wave_set_mode(h, mode);
    for (unsigned i = 0; i < SUMS; i++) {
        const struct PackedSum *next = &sums[(i + 1) % SUMS];
        uint32_t m = sums[i].m | (uint32_t)next->m << 16;

        wave_vgpr(h, 1)[i] = 4 * i;
        wave_vgpr(h, 2)[i] = sums[i].a | (uint32_t)next->a << 16;
        memcpy(wave_lds(h) + 4 * i, &m, 4);
    }
    wave_set_exec(h, (1ull << SUMS) - 1);
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    for (unsigned i = 0; i < SUMS; i++) {
        const struct PackedSum *next = &sums[(i + 1) % SUMS];
        uint32_t got;

        memcpy(&got, wave_lds(h) + 4 * i, 4);
        g_assert_cmphex(got, ==, sum_of(&sums[i], keep) |
                                 sum_of(next, keep) << 16);
        g_assert_cmphex(wave_vgpr(h, 10)[i], ==,
                        rtn ? sums[i].m | (uint32_t)next->m << 16 : 0);
    }
}

static void test_pk_add(WaveHarness *h)
{
    static const char *const texts[] = {
        "ds_pk_add_f16 v1, v2", "ds_pk_add_rtn_f16 v10, v1, v2",
        "ds_pk_add_bf16 v1, v2", "ds_pk_add_rtn_bf16 v10, v1, v2",
    };
    WaveCode *code;

    if (h->w->isa->gen < GEN_12) {
        return;
    }
    code = wave_assemble(texts, 4);
    for (unsigned i = 0; i < 4 * 2 * 4; i++) {
        check_packed(h, i & 2 ? bf16_sums : half_sums, &code[i % 4],
                     0x30 | (i & 4 ? 0xc0 : 0) | i / 8 << 2, i & 1);
    }
    wave_code_free(code);
}

/* Flushed denormals are zeros to compares. */
static void test_float_compare(WaveHarness *h)
{
    static const char *const texts[] = {
        "ds_cmpst_f32 v1, v2, v6", "ds_min_f32 v1, v2", "ds_max_f32 v1, v2",
    };
    WaveCode *code = wave_assemble(texts, 3);

    for (unsigned keep = 0; keep < 2; keep++) {
        static const uint32_t wanted[2][3] = { { 0x1234, 0, 0 },
                                               { 0, 0, 1 } };

        for (unsigned i = 0; i < 3; i++) {
            uint32_t got;

            wave_reset(h);
            wave_set_mode(h, keep ? 0x3f0 : 0x300);
            wave_set_exec(h, 1);
            memset(wave_lds(h), 0, 4);
            wave_vgpr(h, 2)[0] = 1;
            wave_vgpr(h, 6)[0] = 0x1234;
            wave_run(h, &code[i]);
            memcpy(&got, wave_lds(h), 4);
            g_assert_cmphex(got, ==, wanted[keep][i]);
        }
    }
    wave_code_free(code);
}

/* ---- between lanes ---- */

static void model_permute(bool pull, uint32_t offset)
{
    uint32_t result[LANES] = { 0 };

    for (unsigned lane = 0; lane < LANES; lane++) {
        unsigned other = (before.v[ADDR][lane] + offset) / 4 % LANES;

        if (pull) {
            result[lane] = active(other) ? before.v[DATA][other] : 0;
        } else if (active(lane)) {
            result[other] = before.v[DATA][lane];
        }
    }
    for (unsigned lane = 0; lane < LANES; lane++) {
        if (active(lane)) {
            want.v[DST][lane] = result[lane];
        }
    }
}

static void test_permute(WaveHarness *h)
{
    static const char *const texts[] = {
        "ds_permute_b32 v10, v1, v2", "ds_bpermute_b32 v10, v1, v2",
        "ds_permute_b32 v10, v1, v2 offset:68",
        "ds_bpermute_b32 v10, v1, v2 offset:68",
        "ds_permute_b32 v10, v1, v2 offset:65535",
        "ds_bpermute_b32 v10, v1, v2 offset:65535",
    };
    static const uint32_t permute_offsets[] = { 0, 68, 65535 };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        for (unsigned k = 0; k < PATTERNS * G_N_ELEMENTS(execs); k++) {
            fill(k % PATTERNS, 4, execs[k / PATTERNS], 0);
            want = before;
            model_permute(i & 1, permute_offsets[i / 2]);
            run_state(h, &code[i], texts[i]);
        }
    }
    wave_code_free(code);
}

static uint32_t reverse5(uint32_t x)
{
    uint32_t r = 0;

    for (int i = 0; i < 5; i++) {
        r |= (x >> i & 1) << (4 - i);
    }
    return r;
}

/* Where lane @i of 32 takes its value from. */
typedef unsigned Swizzle(unsigned i);

static unsigned sw_reverse(unsigned i)
{
    return 31 - i;
}

static unsigned sw_broadcast(unsigned i)
{
    return i / 8 * 8 + 3;
}

static unsigned sw_swap(unsigned i)
{
    return i / 8 % 2 ? i - 8 : i + 8;
}

static unsigned sw_bits(unsigned i)
{
    return ((i & 0x15) | 0x02) ^ 0x11;
}

static unsigned sw_quad(unsigned i)
{
    static const unsigned from[] = { 3, 0, 2, 2 };

    return i / 4 * 4 + from[i % 4];
}

static unsigned sw_rotate_left(unsigned i)
{
    return (i + 5) % 32;
}

static unsigned sw_rotate_right(unsigned i)
{
    return (i + 32 - 5) % 32;
}

static unsigned sw_rotate_masked(unsigned i) /* within eights */
{
    return i / 8 * 8 + (i + 3) % 8;
}

static unsigned sw_fft_all(unsigned i)
{
    return reverse5(i);
}

static unsigned sw_fft_16(unsigned i) /* each half of 16 on its own */
{
    return i / 16 * 16 + reverse5(i % 16) / 2;
}

static unsigned sw_none(unsigned i)
{
    return i;
}

static void test_swizzle(WaveHarness *h)
{
    static const struct {
        const char *offset;
        Swizzle *from;
    } cases[] = {
        { "swizzle(REVERSE,32)", sw_reverse },
        { "swizzle(BROADCAST,8,3)", sw_broadcast },
        { "swizzle(SWAP,8)", sw_swap },
        { "0x4455", sw_bits }, { "swizzle(QUAD_PERM,3,0,2,2)", sw_quad },
        /* rotations and FFT orders have no names in this assembler */
        { "0xc0a0", sw_rotate_left },
        { "0xc4a0", sw_rotate_right },
        { "0xc078", sw_rotate_masked }, { "0xe000", sw_fft_all },
        { "0xe010", sw_fft_16 }, { "0xe01f", sw_none },
    };
    char *texts[G_N_ELEMENTS(cases)];
    WaveCode *code;

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        texts[i] = g_strdup_printf("ds_swizzle_b32 v10, v1 offset:%s",
                                   cases[i].offset);
    }
    code = wave_assemble((const char *const *)texts, G_N_ELEMENTS(cases));
    for (unsigned k = 0; k < G_N_ELEMENTS(cases) * G_N_ELEMENTS(execs); k++) {
        unsigned i = k % G_N_ELEMENTS(cases);

        fill(8, 4, execs[k / G_N_ELEMENTS(cases)], 0);
        want = before;
        for (unsigned lane = 0; lane < LANES; lane++) {
            unsigned from = lane / 32 * 32 + cases[i].from(lane % 32);

            if (active(lane)) {
                want.v[DST][lane] = active(from) ? before.v[ADDR][from] : 0;
            }
        }
        run_state(h, &code[i], texts[i]);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_free(texts[i]);
    }
    wave_code_free(code);
}

/* ---- M0 ---- */

static void test_m0(WaveHarness *h)
{
    static const char *const texts[] = {
        "ds_append v10 offset:4", "ds_consume v10 offset:4",
        "ds_read_addtid_b32 v10 offset:8", "ds_write_addtid_b32 v2 offset:8",
    };
    WaveCode *code = assemble(h, texts, G_N_ELEMENTS(texts));

    for (unsigned k = 0; k < 4 * G_N_ELEMENTS(execs) * 5; k++) {
        unsigned op = k % 4, count;
        uint32_t counter;

        fill(0, 4, execs[k / 4 % G_N_ELEMENTS(execs)],
             sizes[k / 4 / G_N_ELEMENTS(execs)]);
        before.m0 = k % 3 ? 0xdead0040 : 0x0001ff80;
        want = before;
        count = __builtin_popcountll(before.exec & full);
        counter = get((before.m0 & 0xffff) + 4, 4);
        for (unsigned lane = 0; lane < LANES; lane++) {
            uint32_t a = (before.m0 & 0xffff) + 8 + 4 * lane;

            if (!active(lane)) {
                continue;
            }
            if (op < 2) {
                want.v[DST][lane] = counter;
            } else if (op == 2) {
                want.v[DST][lane] = get(a, 4);
            } else {
                put(a, 4, before.v[DATA][lane]);
            }
        }
        if (op < 2) {
            put((before.m0 & 0xffff) + 4, 4,
                op ? counter - count : counter + count);
        }
        run_state(h, &code[op], texts[op]);
    }
    wave_code_free(code);
}

/* ---- VM_SH_MEM_CONFIG.ALIGNMENT_MODE ---- */

typedef struct AlignCase {
    const char *text;
    unsigned bytes, strict; /* an element; what STRICT aligns it to */
    unsigned offset;
    char kind; /* 'l'oad to v10, 's'tore of v4, 'a'dd of v4 */
} AlignCase;

static const AlignCase align_cases[] = {
    { "ds_read_u8 v10, v1 offset:3", 1, 1, 3, 'l' },
    { "ds_read_u16 v10, v1 offset:6", 2, 2, 6, 'l' },
    { "ds_read_b32 v10, v1 offset:5", 4, 4, 5, 'l' },
    { "ds_read_b64 v[10:11], v1", 8, 8, 0, 'l' },
    { "ds_read_b96 v[10:12], v1 offset:8", 12, 4, 8, 'l' },
    { "ds_read_b128 v[10:13], v1 offset:2", 16, 16, 2, 'l' },
    { "ds_write_b16 v1, v4 offset:2", 2, 2, 2, 's' },
    { "ds_write_b32 v1, v4", 4, 4, 0, 's' },
    { "ds_write_b64 v1, v[4:5] offset:4", 8, 8, 4, 's' },
    { "ds_add_u32 v1, v4 offset:1", 4, 4, 1, 'a' },
};

/* One lane of a case, on its own LDS; false: it is misaligned. */
static bool align_lane(WaveHarness *h, const AlignCase *c, unsigned mode,
                       unsigned lane, const uint8_t *old, uint32_t addr)
{
    unsigned at = addr + c->offset, less = MIN(c->strict, 4);
    unsigned ask = mode == 2 ? c->strict : less;
    bool odd = mode && mode < 3 && at % ask;

    at -= mode ? 0 : at % less;
    for (unsigned i = 0; i < c->bytes; i++) {
        unsigned reg = c->kind == 'l' ? 10 : 4;
        uint8_t now = h->group.lds[at + i], was = old[at + i];
        uint8_t byte = wave_vgpr(h, reg + i / 4)[lane] >> 8 * (i % 4);

        if (c->kind == 'l') {
            g_assert_cmphex(byte, ==, odd ? 0 : was);
        } else if (odd || c->kind == 's') {
            g_assert_cmphex(now, ==, odd ? was : byte);
        }
    }
    if (c->kind == 'a' && !odd) {
        uint32_t now, was;

        memcpy(&now, h->group.lds + at, 4);
        memcpy(&was, old + at, 4);
        g_assert_cmphex(now, ==, was + wave_vgpr(h, 4)[lane]);
    }
    return !odd;
}

static void run_align(WaveHarness *h, const AlignCase *c,
                      const WaveCode *code, unsigned mode)
{
    g_autofree uint8_t *old = NULL;
    TesseraFaultCause cause;
    uint64_t bad = 0;

    h->dispatch.launch.mem_config = mode << 3;
    wave_reset(h);
    for (unsigned i = 0; i < 0x1000; i++) {
        h->group.lds[i] = i * 31 + (i >> 8) * 5 + mode;
    }
    old = g_memdup2(h->group.lds, 0x1000);
    for (unsigned lane = 0; lane < 64; lane++) {
        wave_vgpr(h, 1)[lane] = lane * 40 + lane % 17;
        wave_vgpr(h, 4)[lane] = 0x1020304 * (lane + 1);
        wave_vgpr(h, 5)[lane] = ~lane;
        wave_vgpr(h, 10)[lane] = 0xffffffff;
    }
    wave_set_exec(h, ~(1ull << 7)); /* does not count */
    cause = wave_run(h, code);
    for (unsigned lane = 0; lane < 64; lane++) {
        if (lane != 7 && !align_lane(h, c, mode, lane, old,
                                     lane * 40 + lane % 17)) {
            bad |= 1ull << lane;
        }
    }
    g_assert_cmphex(wave_vgpr(h, 10)[7], ==, 0xffffffff);
    g_assert_cmpint(cause, ==, bad ? TESSERA_FAULT_MISALIGNED :
                                     TESSERA_FAULT_NONE);
    if (bad) {
        unsigned first = __builtin_ctzll(bad);

        g_assert_cmphex(h->worker->fault.lanes, ==, bad);
        g_assert_cmphex(h->worker->fault.address, ==,
                        ((uint64_t)WAVE_SHARED_HI << 48) + first * 40 +
                            first % 17 + c->offset);
        g_assert_cmpint(h->worker->fault.access, ==,
                        c->kind == 'l' ? ENGINE_READ : ENGINE_WRITE);
    }
}

static void test_alignment(WaveHarness *h)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(align_cases); i++) {
        WaveCode *code = wave_assemble(&align_cases[i].text, 1);

        for (unsigned mode = 0; mode < 4; mode++) {
            run_align(h, &align_cases[i], code, mode);
        }
        wave_code_free(code);
    }
}

/* Two accesses at one address that is out of step, and one after another. */
static void test_aligned_pairs(WaveHarness *h)
{
    static const char *const text =
        "ds_write2_b32 v1, v4, v5 offset0:3 offset1:9\n"
        "ds_read2st64_b32 v[10:11], v1 offset0:0 offset1:1\n"
        "v_add_u32 v12, v10, v11";
    WaveCode *code = wave_assemble(&text, 1);
    uint32_t *lds = (uint32_t *)h->group.lds;

    h->dispatch.launch.mem_config = 0;
    wave_reset(h);
    wave_set_exec(h, 1);
    wave_vgpr(h, 1)[0] = 0x12;
    wave_vgpr(h, 4)[0] = 0x1111;
    wave_vgpr(h, 5)[0] = 0x2222;
    lds[4] = 0x300;
    lds[4 + 64] = 0x40;
    g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(lds[4 + 3], ==, 0x1111);
    g_assert_cmphex(lds[4 + 9], ==, 0x2222);
    g_assert_cmphex(wave_vgpr(h, 12)[0], ==, 0x340);
    g_assert_cmphex(wave_vgpr(h, 1)[0], ==, 0x12);
    wave_code_free(code);
}

/* There is no global data share. */
static void test_gds(WaveHarness *h)
{
    static const char *const texts[] = {
        "ds_read_b32 v10, v1 gds", "ds_gws_barrier v1 gds",
        "ds_ordered_count v10, v1 gds", "ds_add_u32 v1, v2 gds",
    };
    WaveCode *code = wave_assemble(texts, G_N_ELEMENTS(texts));

    for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_assert_cmpint(wave_run(h, &code[i]), ==,
                        TESSERA_FAULT_NO_GDS);
        g_assert_nonnull(strstr(h->worker->fault.text, "gds"));
    }
    wave_code_free(code);
}

typedef struct TargetTest {
    void (*test)(WaveHarness *h);
} TargetTest;

static void test_on_target(WaveHarness *h, const void *data)
{
    const TargetTest *t = data;

    full = h->w->full;
    step = 11; /* the rows are gfx900's, tested there in full */
    t->test(h);
    full = UINT64_MAX;
    step = 1;
}

static void add_target_tests(const char *target, unsigned lanes)
{
    static const struct {
        const char *path;
        TargetTest test;
    } tests[] = {
        { "/ds/accesses", { test_accesses } }, { "/ds/sizes", { test_sizes } },
        { "/ds/two", { test_two } }, { "/ds/atomics", { test_atomics } },
        { "/ds/add-f32", { test_add_f32 } }, { "/ds/pk-add", { test_pk_add } },
        { "/ds/m0", { test_m0 } },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(tests); i++) {
        wave_test_target(tests[i].path, target, lanes, test_on_target,
                         &tests[i].test);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    add_target_tests("gfx1100", 32);
    add_target_tests("gfx1200", 32);
    add_target_tests("gfx1200", 64);
    wave_test_levels("/ds/accesses", test_accesses);
    wave_test_levels("/ds/sizes", test_sizes);
    wave_test_levels("/ds/overlap", test_overlap);
    wave_test_levels("/ds/two", test_two);
    wave_test_levels("/ds/atomics", test_atomics);
    wave_test_levels("/ds/src2", test_src2);
    wave_test_levels("/ds/write-src2", test_write_src2);
    wave_test_levels("/ds/add-f32", test_add_f32);
    wave_test_levels("/ds/float-compare", test_float_compare);
    wave_test_levels("/ds/permute", test_permute);
    wave_test_levels("/ds/swizzle", test_swizzle);
    wave_test_levels("/ds/m0", test_m0);
    wave_test_levels("/ds/alignment", test_alignment);
    wave_test_levels("/ds/aligned-pairs", test_aligned_pairs);
    wave_test_levels("/ds/gds", test_gds);
    return g_test_run();
}
