/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sources of the modified forms: op_sel, SDWA selection and DPP movement.
 */
#include "modify.h"

/*
 * Lanes within a row of 16 that DPP control @ctrl makes them read; what is
 * beyond 15 does not exist.
 */
static u32x16 dpp_in_row(unsigned ctrl)
{
    u32x16 lane = iota16();
    unsigned n = ctrl & 15;

    switch (ctrl >> 4) {
    case 0x10: /* row_shl: from a higher lane */
        return lane + n;
    case 0x11: /* row_shr */
        return lane - n;
    case 0x12: /* row_ror */
        return (lane - n) & 15;
    case 0x14: /* row_mirror, row_half_mirror */
        return n ? lane ^ 7 : 15 - lane;
    case 0x15: /* row_share */
        return splat32(n);
    case 0x16: /* row_xmask */
        return lane ^ n;
    default: /* quad_perm */
        return (lane & ~3u) | (ctrl >> (lane & 3) * 2 & 3);
    }
}

/* Lane of the wave that lane @lane reads, -1 if there is none (gfx9 only). */
static int dpp_in_wave(unsigned ctrl, int lane)
{
    switch (ctrl) {
    case 0x130: /* wave_shl1 */
        return lane < 63 ? lane + 1 : -1;
    case 0x134: /* wave_rol1 */
        return (lane + 1) & 63;
    case 0x138: /* wave_shr1 */
        return lane - 1;
    case 0x13c: /* wave_ror1 */
        return (lane - 1) & 63;
    case 0x142: /* row_bcast15: last lane of the row before */
        return (lane & ~15) - 1;
    default: /* row_bcast31 */
        return lane >= 32 ? 31 : -1;
    }
}

static bool dpp_stays_in_row(unsigned ctrl)
{
    return ctrl < 0x130 || (ctrl & ~1u) == 0x140 || ctrl >= 0x150;
}

/*
 * Move the lanes of @x; @valid becomes those that have a source.  A lane that
 * is not active is none, unless @fi says to fetch it anyway.
 */
static void dpp_read(const AmdWave *w, unsigned ctrl, bool fi, Vreg *x,
                     Vreg *valid)
{
    u32x16 from = dpp_in_row(ctrl);

    if (dpp_stays_in_row(ctrl)) {
        FOR_SLICES(w, q) {
            valid->q[q] = permute16(w->exec.q[q] | -(uint32_t)fi, from) &
                          (u32x16)(from < 16);
            x->q[q] = permute16(x->q[q], from) & valid->q[q];
        }
    } else {
        Vreg old = *x;

        for (int lane = 0; lane < 64; lane++) {
            int src = dpp_in_wave(ctrl, lane);
            bool on = src >= 0 && sgpr64(w, SGPR_EXEC) >> src & 1;

            ((uint32_t *)valid)[lane] = on ? ~0u : 0;
            ((uint32_t *)x)[lane] = on ? ((uint32_t *)&old)[src] : 0;
        }
    }
}

/*
 * Move lanes as DPP says.  A lane whose source does not exist or is inactive
 * reads 0 if bound_ctrl is set and is not written otherwise; row_mask and
 * bank_mask switch whole rows and quads off.
 */
static void dpp_move(const AmdWave *w, const Uop *u, Vreg *x, ModMask *mask)
{
    unsigned rows = DPP(u, ROW_MASK, 4), banks = DPP(u, BANK_MASK, 4);
    u32x16 bank = -(banks >> iota16() / 4 & 1);
    Vreg valid;

    dpp_read(w, DPP(u, CTRL, 9), MOD(u, FI, 1), x, &valid);
    FOR_SLICES(w, q) {
        u32x16 on = bank & -(rows >> q & 1);

        mask->lanes.q[q] &= DPP(u, BOUND_CTRL, 1) ? on : on & valid.q[q];
    }
}

/*
 * DPP8: any lane of eight.  Inactive ones give 0, unless fi is set, and every
 * active lane is written.
 */
static void dpp8_move(const AmdWave *w, const Uop *u, Vreg *x)
{
    u32x16 lane = iota16();
    u32x16 from = (lane & 8) | (DPP(u, LANES, 24) >> (lane & 7) * 3 & 7);

    FOR_SLICES(w, q) {
        u32x16 valid = permute16(w->exec.q[q], from);

        x->q[q] = permute16(x->q[q], from);
        x->q[q] &= MOD(u, FI, 1) ? x->q[q] : valid;
    }
}

static bool is_dpp(const Uop *u)
{
    return MOD(u, FORM, 3) >= FORM_DPP;
}

static void fetch_dpp(const AmdWave *w, const Uop *u, unsigned width,
                      ModSource *src, ModMask *mask)
{
    const Vreg *reg = &w->v[DPP(u, VGPR, 8)];
    Vreg *part[2] = { &src->lo, &src->hi };

    for (unsigned i = 0; i < (width == 64 ? 2 : 1); i++) {
        *part[i] = reg[i];
        if (MOD(u, FORM, 3) == FORM_DPP8) {
            dpp8_move(w, u, part[i]);
        } else {
            dpp_move(w, u, part[i], mask);
        }
    }
}

/*
 * Make @x the part of itself that op_sel or SDWA selects: @bits bits, @shift
 * bits up, sign-extended or not.
 */
static void select_part(Vreg *x, unsigned bits, unsigned shift, bool sext)
{
    unsigned skip = 32 - bits - shift;

    for (int q = 0; q < SLICES; q++) {
        u32x16 y = x->q[q] << skip;

        x->q[q] = sext ? (u32x16)((i32x16)y >> (int)(32 - bits))
                       : y >> (32 - bits);
    }
}

static void modify_source(const Uop *u, int i, unsigned width, Vreg *x)
{
    if (MOD(u, FORM, 3) == FORM_SDWA && i < 2) {
        unsigned sel = i ? MOD(u, SEL1, 3) : MOD(u, SEL0, 3);
        unsigned shift = sel < 4 ? 8 * sel : sel == 5 ? 16 : 0;
        unsigned bits = sel < 4 ? 8 : sel < 6 ? 16 : 32;

        select_part(x, bits, shift, MOD(u, SEXT, 2) >> i & 1);
    } else if (MOD(u, FORM, 3) != FORM_SDWA && width == 16 &&
               MOD(u, OPSEL, 4) >> i & 1) {
        select_part(x, 16, 16, false);
    }
}

void LEVEL(amd_fetch_source)(const AmdWave *w, const Uop *u, int i,
                             unsigned width, ModSource *src, ModMask *mask)
{
    ScalarSlice scalar;

    if (i == 0 && is_dpp(u)) {
        fetch_dpp(w, u, width, src, mask);
    } else if (width == 64) {
        Source64 s = source64(w, u, i, &scalar);

        for (int q = 0; q < SLICES; q++) {
            memcpy(&src->lo.q[q], s.lo + q * s.step, sizeof(u32x16));
            memcpy(&src->hi.q[q], s.hi + q * s.step, sizeof(u32x16));
        }
    } else {
        Source32 s = source32(w, u, i, &scalar);

        for (int q = 0; q < SLICES; q++) {
            src->lo.q[q] = slice32(&s, q);
        }
    }
    if (width < 64) {
        modify_source(u, i, width, &src->lo);
    }
}

/* ---- results ---- */

/* Place the low bits of @x as SDWA's dst_sel and dst_unused say. */
static u32x16 sdwa_merge(const Uop *u, u32x16 x, u32x16 old)
{
    unsigned sel = MOD(u, DST_SEL, 3), unused = MOD(u, DST_UNUSED, 2);
    unsigned bits = sel < 4 ? 8 : sel < 6 ? 16 : 32;
    unsigned shift = sel < 4 ? 8 * sel : sel == 5 ? 16 : 0;
    uint32_t field = (bits == 32 ? ~0u : (1u << bits) - 1) << shift;
    u32x16 placed = x << shift & field;

    switch (unused) {
    case 1: /* sign-extend above, zero below */
        return (u32x16)((i32x16)(placed << (32 - bits - shift)) >>
                        (int)(32 - bits - shift));
    case 2: /* preserve */
        return placed | (old & ~field);
    default:
        return placed;
    }
}

/* 16-bit results: op_sel[3] picks the half, the other one is kept. */
static u32x16 place16(const Uop *u, u32x16 x, u32x16 old, bool keep)
{
    if (MOD(u, FORM, 3) != FORM_SDWA && MOD(u, OPSEL, 4) & 8) {
        return x << 16 | (old & 0xffff);
    }
    return merge16(x, old, keep);
}

void LEVEL(amd_store_result)(AmdWave *w, const Uop *u, unsigned width,
                             const ModResult *r, const ModMask *mask,
                             bool keep)
{
    Vreg *d = at(w, u->dst);
    bool sdwa = MOD(u, FORM, 3) == FORM_SDWA;
    uint32_t field = width == 16 ? 0xffff : ~0u;

    FOR_SLICES(w, q) {
        u32x16 x = r->lo.q[q];

        if (sdwa) {
            x = sdwa_merge(u, x & field, d->q[q]);
        } else if (width == 16) {
            x = place16(u, x, d->q[q], keep);
        }
        store32(&d[0], q, x, mask->lanes.q[q]);
        if (width == 64) {
            store32(&d[1], q, r->hi.q[q], mask->lanes.q[q]);
        }
    }
}

/* ---- omod and clamp ---- */

/*
 * omod is obeyed only without IEEE mode, and if denormal results are flushed
 * anyway; @keep is the bit of MODE that says that they are not.  gfx12, which
 * has no IEEE mode, always obeys it, and flushes on either side of it.
 */
static bool omod_obeyed(const AmdWave *w, const Uop *u, uint32_t keep)
{
    return MOD(u, OMOD, 2) &&
           (gen_of(u) >= GEN_12 || !(w->mode & (MODE_IEEE | keep)));
}

/*
 * omod multiplies by 2, 4 or 1/2 and makes -0 into +0; clamp limits to [0, 1],
 * and makes NaN 0 if DX10_CLAMP is set.
 */
static const float omod_factor[4] = { 1, 2, 4, 0.5f };

#define OUTPUT_MODIFIER(width, V, I)                                          \
    static V output##width(const AmdWave *w, const Uop *u, V x, bool omod)    \
    {                                                                         \
        V factor = omod_factor[MOD(u, OMOD, 2)] + (V){};                      \
                                                                              \
        if (omod && gen_of(u) >= GEN_12) {                                    \
            V y = flush##width(x);                                            \
                                                                              \
            x = flush##width(y * factor);                                     \
            x = (V)((I)x & ~(I)(y == 0));                                     \
        } else if (omod) {                                                    \
            x = x * factor;                                                   \
            x = (V)((I)x & ~(I)(x == 0));                                     \
        }                                                                     \
        return MOD(u, CLAMP, 1) ? clamp##width(clamps_nan(w, u), x) : x;      \
    }
OUTPUT_MODIFIER(32, f32x16, i32x16)
OUTPUT_MODIFIER(64, f64x16, i64x16)

static u32x16 scaled16(const AmdWave *w, const Uop *u, u32x16 x)
{
    bool flush = gen_of(u) >= GEN_12;
    u32x16 y = flush ? flush16(x) : x, r;

    r = narrow16(w, widen16(w, y) * (omod_factor[MOD(u, OMOD, 2)] +
                                     (f32x16){}));
    if (flush) {
        return flush16(r) & (u32x16)((y & 0x7fff) != 0);
    }
    return r & (u32x16)((r & 0x7fff) != 0);
}

void LEVEL(amd_output_f32)(const AmdWave *w, const Uop *u, ModResult *r)
{
    bool omod = omod_obeyed(w, u, MODE_DENORM_OUT_32);

    FOR_SLICES(w, q) {
        r->lo.q[q] = (u32x16)output32(w, u, (f32x16)r->lo.q[q], omod);
    }
}

void LEVEL(amd_output_f16)(const AmdWave *w, const Uop *u, ModResult *r)
{
    bool omod = omod_obeyed(w, u, MODE_DENORM_OUT_64);

    FOR_SLICES(w, q) {
        u32x16 x = omod ? scaled16(w, u, r->lo.q[q]) : r->lo.q[q];

        r->lo.q[q] = MOD(u, CLAMP, 1) ? clamp16(clamps_nan(w, u), x) : x;
    }
}

void LEVEL(amd_output_f64)(const AmdWave *w, const Uop *u, ModResult *r)
{
    bool omod = omod_obeyed(w, u, MODE_DENORM_OUT_64);

    FOR_SLICES(w, q) {
        u64x16 x = zip64(r->lo.q[q], r->hi.q[q]);

        x = (u64x16)output64(w, u, (f64x16)x, omod);
        r->lo.q[q] = zip_low32(x);
        r->hi.q[q] = zip_high32(x);
    }
}
