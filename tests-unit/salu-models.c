/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "salu-models.h"
#include "valu-models.h"
#include "target/amdgpu/ops.h"

#define A32 ((uint32_t)io->a)
#define B32 ((uint32_t)io->b)
#define D32 ((uint32_t)io->d)
#define SA ((int64_t)(int32_t)A32)
#define SB ((int64_t)(int32_t)B32)
#define SD ((int64_t)(int32_t)D32)
#define MODEL(name, ...) \
    static void name##_model(SaluIo *io) { __VA_ARGS__; }

static void put32(SaluIo *io, uint32_t x)
{
    io->d = (io->d & ~0xffffffffull) | x;
}

/* The result, and whether it is not zero. */
static void logic32(SaluIo *io, uint32_t x)
{
    put32(io, x);
    io->scc = x != 0;
}

static void logic64(SaluIo *io, uint64_t x)
{
    io->d = x;
    io->scc = x != 0;
}

static void carry(SaluIo *io, uint64_t wide)
{
    put32(io, wide);
    io->scc = wide > 0xffffffffu;
}

static void overflow(SaluIo *io, int64_t wide)
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

/* Since gfx11 and gfx12. */
MODEL(pack_hl_b32_b16, put32(io, A32 / 0x10000 + B32 % 0x10000 * 0x10000))
MODEL(add_nc_u64, io->d = io->a + io->b)
MODEL(sub_nc_u64, io->d = io->a - io->b)
MODEL(mul_u64, io->d = (unsigned __int128)io->a * io->b)

/* ---- floats: as the vector instructions, whose models are exact ---- */

static Lane lane_of(const SaluIo *io, uint32_t a, uint32_t b, uint32_t c)
{
    return (Lane){ .a = a, .b = b, .c = c, .d = D32, .mode = io->mode };
}

#define LIKE(name, a, b, c)                                                   \
    Lane l = lane_of(io, a, b, c);                                            \
                                                                              \
    put32(io, (uint32_t)valu_model("v_" #name)->fn(&l))
#define COMPARE(name, a, b)                                                   \
    Lane l = lane_of(io, a, b, 0);                                            \
                                                                              \
    valu_model("v_" #name)->fn(&l);                                           \
    io->scc = l.out

#define A16 (A32 & 0xffff)
#define B16 (B32 & 0xffff)
#define K32 0x40600000 /* 3.5, a literal */
#define MODEL2_32(name) MODEL(name, LIKE(name, A32, B32, 0))
#define MODEL2_16(name) MODEL(name, LIKE(name, A16, B16, 0))
#define MODELC(name)                                                          \
    MODEL(cmp_##name##_f32, COMPARE(cmp_##name##_f32, A32, B32))              \
    MODEL(cmp_##name##_f16, COMPARE(cmp_##name##_f16, A16, B16))

MODEL2_32(add_f32)
MODEL2_32(sub_f32)
MODEL2_32(mul_f32)
MODEL2_32(min_f32)
MODEL2_32(max_f32)
MODEL2_32(min_num_f32)
MODEL2_32(max_num_f32)
MODEL2_32(minimum_f32)
MODEL2_32(maximum_f32)
MODEL2_32(fmac_f32)
MODEL(fmaak_f32, LIKE(fma_f32, A32, B32, K32))
MODEL(fmamk_f32, LIKE(fma_f32, A32, K32, B32))
MODEL(cvt_pk_rtz_f16_f32, LIKE(cvt_pkrtz_f16_f32, A32, B32, 0))
MODEL2_16(add_f16)
MODEL2_16(sub_f16)
MODEL2_16(mul_f16)
MODEL2_16(min_f16)
MODEL2_16(max_f16)
MODEL2_16(min_num_f16)
MODEL2_16(max_num_f16)
MODEL2_16(minimum_f16)
MODEL2_16(maximum_f16)
MODEL2_16(fmac_f16)
MODEL2_32(ceil_f32)
MODEL2_32(floor_f32)
MODEL2_32(trunc_f32)
MODEL2_32(rndne_f32)
MODEL2_16(ceil_f16)
MODEL2_16(floor_f16)
MODEL2_16(trunc_f16)
MODEL2_16(rndne_f16)
MODEL2_32(cvt_f32_i32)
MODEL2_32(cvt_f32_u32)
MODEL2_32(cvt_i32_f32)
MODEL2_32(cvt_u32_f32)
MODEL2_32(cvt_f16_f32)
MODEL2_16(cvt_f32_f16)
MODEL(cvt_hi_f32_f16, LIKE(cvt_f32_f16, A32 >> 16, 0, 0))
MODELC(lt)
MODELC(eq)
MODELC(le)
MODELC(gt)
MODELC(lg)
MODELC(ge)
MODELC(o)
MODELC(u)
MODELC(nge)
MODELC(nlg)
MODELC(ngt)
MODELC(nle)
MODELC(neq)
MODELC(nlt)

/* ---- rows ---- */

#define D_32 " s14"
#define D_64 " s[14:15]"
#define A_32 ", s10"
#define A_64 ", s[10:11]"
#define B_32 ", s12"
#define B_64 ", s[12:13]"
#define K ", 0x40600000"

#define ROW(name, operands) { AMD_s_##name, operands, name##_model }
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
#define SC_F(name) SC_32(cmp_##name##_f32), SC_32(cmp_##name##_f16)

const SaluRow salu_rows[] = {
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
    { AMD_s_cmp_eq_u32, " s10" B_32, cmp_eq_i32_model },
    { AMD_s_cmp_lg_u32, " s10" B_32, cmp_lg_i32_model },
    SC_32(cmp_gt_u32), SC_32(cmp_ge_u32), SC_32(cmp_lt_u32),
    SC_32(cmp_le_u32), SC_64(cmp_eq_u64), SC_64(cmp_lg_u64),
    SC_32(bitcmp0_b32), SC_32(bitcmp1_b32), SC_64_32(bitcmp0_b64),
    SC_64_32(bitcmp1_b64),

    S2_32(pack_hl_b32_b16), S2_64(add_nc_u64), S2_64(sub_nc_u64),
    S2_64(mul_u64),

    S2_32(add_f32), S2_32(sub_f32), S2_32(mul_f32), S2_32(min_f32),
    S2_32(max_f32), S2_32(min_num_f32), S2_32(max_num_f32),
    S2_32(minimum_f32), S2_32(maximum_f32), S2_32(fmac_f32),
    ROW(fmaak_f32, D_32 A_32 B_32 K), ROW(fmamk_f32, D_32 A_32 K B_32),
    S2_32(cvt_pk_rtz_f16_f32), S2_32(add_f16), S2_32(sub_f16),
    S2_32(mul_f16), S2_32(min_f16), S2_32(max_f16), S2_32(min_num_f16),
    S2_32(max_num_f16), S2_32(minimum_f16), S2_32(maximum_f16),
    S2_32(fmac_f16),

    S1_32(ceil_f32), S1_32(floor_f32), S1_32(trunc_f32), S1_32(rndne_f32),
    S1_32(ceil_f16), S1_32(floor_f16), S1_32(trunc_f16), S1_32(rndne_f16),
    S1_32(cvt_f32_i32), S1_32(cvt_f32_u32), S1_32(cvt_i32_f32),
    S1_32(cvt_u32_f32), S1_32(cvt_f16_f32), S1_32(cvt_f32_f16),
    S1_32(cvt_hi_f32_f16),

    SC_F(lt), SC_F(eq), SC_F(le), SC_F(gt), SC_F(lg), SC_F(ge), SC_F(o),
    SC_F(u), SC_F(nge), SC_F(nlg), SC_F(ngt), SC_F(nle), SC_F(neq),
    SC_F(nlt),
};

const unsigned salu_row_count = sizeof(salu_rows) / sizeof(salu_rows[0]);

const SaluConstantRow salu_constant_rows[] = {
    { AMD_s_movk_i32, movk_model }, { AMD_s_cmovk_i32, cmovk_model },
    { AMD_s_addk_i32, addk_model }, { AMD_s_mulk_i32, mulk_model },
    { AMD_s_cmpk_eq_i32, dcmp_eq_model }, { AMD_s_cmpk_lg_i32, dcmp_lg_model },
    { AMD_s_cmpk_gt_i32, dcmp_gt_i_model },
    { AMD_s_cmpk_ge_i32, dcmp_ge_i_model },
    { AMD_s_cmpk_lt_i32, dcmp_lt_i_model },
    { AMD_s_cmpk_le_i32, dcmp_le_i_model },
    { AMD_s_cmpk_eq_u32, dcmp_eq_model, true },
    { AMD_s_cmpk_lg_u32, dcmp_lg_model, true },
    { AMD_s_cmpk_gt_u32, dcmp_gt_u_model, true },
    { AMD_s_cmpk_ge_u32, dcmp_ge_u_model, true },
    { AMD_s_cmpk_lt_u32, dcmp_lt_u_model, true },
    { AMD_s_cmpk_le_u32, dcmp_le_u_model, true },
};

const unsigned salu_constant_row_count =
    sizeof(salu_constant_rows) / sizeof(salu_constant_rows[0]);
