/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs of random memory instructions, with a little arithmetic in between,
 * leave the same registers, memory and LDS when they are compiled as when they
 * are interpreted: whatever the shape of the lanes' addresses, at the ends of
 * pages and of LDS, with all lanes active or some.
 *
 * TESSERA_JIT=now must be in the environment.  JIT_PROGRAMS=N: so many of each
 * target; JIT_SEED=N: another series of them.
 */
#include <string.h>
#include "jit-pair.h"
#include "jit-words.h"
#include "wave-jit.h"

enum {
    LENGTH = 10, PROGRAMS = 40, ROUNDS = 6, VGPRS = 24, LANES = 64,
    DATA_SIZE = 0x8000, LDS_SIZE = 0x2000,
};

#define DATA_VA 0x123456780000ull

/*
 * Addresses are in v[2:3], offsets from s[0:1] in v0, LDS addresses in v4.
 * The same instruction for gfx9 and gfx12; NULL: there is none.
 */
static const char *const templates[][2] = {
    { "global_load_dword v8, v[2:3], off offset:16",
      "global_load_b32 v8, v[2:3], off offset:16" },
    { "global_load_dwordx2 v[8:9], v[2:3], off",
      "global_load_b64 v[8:9], v[2:3], off" },
    { "global_load_dwordx3 v[10:12], v[2:3], off offset:-64",
      "global_load_b96 v[10:12], v[2:3], off offset:-64" },
    { "global_load_dwordx4 v[12:15], v[2:3], off",
      "global_load_b128 v[12:15], v[2:3], off" },
    { "global_load_dwordx4 v[5:8], v0, s[0:1]",
      "global_load_b128 v[5:8], v0, s[0:1]" },
    { "global_load_dword v9, v0, s[0:1] offset:4",
      "global_load_b32 v9, v0, s[0:1] offset:4" },
    { "global_load_ubyte v10, v[2:3], off", "global_load_u8 v10, v[2:3], off" },
    { "global_load_sshort v11, v0, s[0:1]", "global_load_i16 v11, v0, s[0:1]" },
    { "global_store_dword v[2:3], v12, off offset:32",
      "global_store_b32 v[2:3], v12, off offset:32" },
    { "global_store_dwordx2 v0, v[8:9], s[0:1]",
      "global_store_b64 v0, v[8:9], s[0:1]" },
    { "global_store_dwordx4 v[2:3], v[8:11], off",
      "global_store_b128 v[2:3], v[8:11], off" },
    { "global_store_short v0, v10, s[0:1]",
      "global_store_b16 v0, v10, s[0:1]" },
    { "ds_read_b32 v8, v4 offset:8", "ds_load_b32 v8, v4 offset:8" },
    { "ds_read2_b32 v[8:9], v4 offset0:1 offset1:20",
      "ds_load_2addr_b32 v[8:9], v4 offset0:1 offset1:20" },
    { "ds_read2st64_b32 v[10:11], v4 offset0:2 offset1:1",
      "ds_load_2addr_stride64_b32 v[10:11], v4 offset0:2 offset1:1" },
    { "ds_read_b64 v[12:13], v4", "ds_load_b64 v[12:13], v4" },
    { "ds_read2_b64 v[14:17], v4 offset0:3 offset1:0",
      "ds_load_2addr_b64 v[14:17], v4 offset0:3 offset1:0" },
    { "ds_read_b128 v[8:11], v4 offset:16",
      "ds_load_b128 v[8:11], v4 offset:16" },
    { "ds_read2_b32 v[4:5], v4 offset0:7 offset1:6",
      "ds_load_2addr_b32 v[4:5], v4 offset0:7 offset1:6" },
    { "ds_read_u8 v9, v4", "ds_load_u8 v9, v4" },
    { "ds_write_b32 v4, v12 offset:4", "ds_store_b32 v4, v12 offset:4" },
    { "ds_write2_b32 v4, v8, v9 offset0:0 offset1:16",
      "ds_store_2addr_b32 v4, v8, v9 offset0:0 offset1:16" },
    { "s_load_dword s8, s[0:1], 0x10", "s_load_b32 s8, s[0:1], 0x10" },
    { "s_load_dwordx4 s[8:11], s[0:1], 0xff8",
      "s_load_b128 s[8:11], s[0:1], 0xff8" },
    { "s_load_dwordx2 vcc, s[0:1], 0x20", "s_load_b64 vcc, s[0:1], 0x20" },
    { "v_add_u32 v12, v8, v12", "v_add_nc_u32 v12, v8, v12" },
    { "v_xor_b32 v9, s8, v9", "v_xor_b32 v9, s8, v9" },
    { "v_add_u32 v4, 4, v4", "v_add_nc_u32 v4, 4, v4" },
    { "v_add_u32 v0, 64, v0", "v_add_nc_u32 v0, 64, v0" },
    { "v_mul_f32 v10, v10, v8", "v_mul_f32 v10, v10, v8" },
    { "v_cndmask_b32 v11, v12, v13, vcc",
      "v_cndmask_b32 v11, v12, v13, vcc_lo" },
};

typedef struct Target {
    const char *name;
    unsigned lanes;
} Target;

static const Target targets[] = { { "gfx900", 64 }, { "gfx1200", 32 } };

/* ---- programs ---- */

static char *random_program(GRand *rand, bool gfx9)
{
    GString *text = g_string_new(NULL);

    for (unsigned n = 0; n < LENGTH; n++) {
        unsigned i = jit_number(rand, G_N_ELEMENTS(templates));

        g_string_append_printf(text, "%s\n", templates[i][!gfx9]);
    }
    return g_string_free(text, false);
}

/* ---- addresses ---- */

/* Where a slice of 16 lanes begins: anywhere, or shortly before an end. */
static uint32_t random_start(GRand *rand, uint32_t size)
{
    uint32_t start = jit_number(rand, size / 4) * 4;

    if (jit_number(rand, 4) == 0) {
        start = (start & 0xfffff000) + 0x1000 - jit_number(rand, 40) * 4;
    }
    return start + (jit_number(rand, 8) ? 0 : jit_number(rand, 4));
}

/*
 * Offsets of a wave's lanes: adjacent or equal by wave or by slice, or of no
 * shape at all.  Some lie behind the end of @size.
 */
static void random_offsets(GRand *rand, uint32_t size, uint32_t *offset)
{
    static const uint32_t strides[] = { 4, 8, 12, 16, 0, 64 };
    uint32_t start = random_start(rand, size);
    uint32_t stride = strides[jit_number(rand, G_N_ELEMENTS(strides))];
    bool by_slice = jit_number(rand, 2), any = jit_number(rand, 6) == 0;

    for (unsigned lane = 0; lane < LANES; lane++) {
        if (by_slice && lane % 16 == 0) {
            start = random_start(rand, size);
            stride = jit_number(rand, 4) ? stride : 0;
        }
        offset[lane] = any ? random_start(rand, size)
                           : start + stride * (by_slice ? lane % 16 : lane);
    }
}

/* ---- state ---- */

static void random_registers(GRand *rand, WaveHarness *h)
{
    uint32_t offset[LANES];

    for (unsigned v = 0; v < VGPRS; v++) {
        for (unsigned lane = 0; lane < LANES; lane++) {
            wave_vgpr(h, v)[lane] = g_rand_int(rand);
        }
    }
    random_offsets(rand, DATA_SIZE - 0x1000, wave_vgpr(h, 0));
    random_offsets(rand, DATA_SIZE - 0x1000, offset);
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint64_t va = DATA_VA + 64 + offset[lane];

        wave_vgpr(h, 2)[lane] = (uint32_t)va;
        wave_vgpr(h, 3)[lane] = va >> 32;
    }
    random_offsets(rand, LDS_SIZE, wave_vgpr(h, 4));
}

/* The same for both, memory as well. */
static void random_state(const JitPair *pair)
{
    WaveHarness *a = pair->compiled, *b = pair->plain;
    GRand *rand = pair->rand;
    uint64_t exec = jit_number(rand, 3) ? UINT64_MAX
                                 : (uint64_t)g_rand_int(rand) << 32 |
                                   g_rand_int(rand);

    wave_reset(a);
    wave_reset(b);
    random_registers(rand, a);
    memcpy(b->w->v, a->w->v, sizeof(a->w->v));
    for (unsigned i = 0; i < DATA_SIZE; i++) {
        *wave_host(a, DATA_VA + i) = *wave_host(b, DATA_VA + i) =
            (uint8_t)g_rand_int(rand);
    }
    for (unsigned i = 0; i < LDS_SIZE + ENGINE_LDS_PAD; i++) {
        wave_lds(a)[i] = wave_lds(b)[i] = (uint8_t)g_rand_int(rand);
    }
    for (unsigned i = 0; i < 2; i++) {
        WaveHarness *h = i ? b : a;

        h->warm = true;
        h->group.lds_size = LDS_SIZE;
        h->w->s[8] = 0x12345678;
        wave_set_sgpr64(h, 0, DATA_VA);
        wave_set_sgpr64(h, SGPR_VCC, 0x5555aaaa3333cccc);
        wave_set_exec(h, exec & h->w->full);
        vcc_changed(h->w);
    }
}

static void same_state(const JitPair *pair)
{
    WaveHarness *a = pair->compiled, *b = pair->plain;

    jit_pair_same_vectors(pair, VGPRS);
    jit_pair_same_scalars(pair);
    for (unsigned at = 0; at < DATA_SIZE; at += ENGINE_PAGE) {
        g_assert_cmpmem(wave_host(a, DATA_VA + at), ENGINE_PAGE,
                        wave_host(b, DATA_VA + at), ENGINE_PAGE);
    }
    g_assert_cmpmem(wave_lds(a), LDS_SIZE, wave_lds(b), LDS_SIZE);
}

/* ---- the test ---- */

/* Pages that follow each other lie anywhere in the host's memory. */
static void map_data(WaveHarness *h)
{
    for (unsigned at = DATA_SIZE; at > 0; at -= ENGINE_PAGE) {
        wave_map(h, DATA_VA + at - ENGINE_PAGE, ENGINE_PAGE, true);
    }
}

static void run_both(const JitPair *pair, const WaveCode *code,
                     const char *text)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        TesseraFaultCause cause;

        random_state(pair);
        cause = wave_run(pair->plain, code);
        if (g_getenv("JIT_SEED")) {
            g_test_message("%s", text);
        }
        g_assert_cmpuint(wave_run(pair->compiled, code), ==, cause);
        if (cause == TESSERA_FAULT_NONE) {
            same_state(pair);
        }
    }
}

static void test_programs(WaveHarness *h, const void *data)
{
    const Target *target = data;
    JitPair pair = jit_pair_begin(h, PROGRAMS);
    unsigned count = pair.programs;
    char **text = g_new0(char *, count + 1);
    WaveCode *code;

    map_data(h);
    map_data(pair.plain);
    for (unsigned n = 0; n < count; n++) {
        text[n] = random_program(pair.rand, strcmp(target->name, "gfx900") == 0);
    }
    code = wave_assemble((const char *const *)text, count);
    for (unsigned n = 0; n < count; n++) {
        run_both(&pair, &code[n], text[n]);
    }
    wave_jit_check(&h->engine, count / 2, count * LENGTH / 2);
    wave_code_free(code);
    g_strfreev(text);
    jit_pair_end(&pair);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    if (!wave_have_assembler()) {
        return g_test_run();
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(targets); i++) {
        wave_test_target("/jit/memory", targets[i].name, targets[i].lanes,
                         test_programs, &targets[i]);
    }
    return g_test_run();
}
