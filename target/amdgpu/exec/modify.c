/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sources of the modified forms: op_sel, SDWA selection and DPP movement.
 */
#include "modify.h"

/* Lane that DPP control @ctrl makes lane @lane read, -1 if there is none. */
static int dpp_lane(unsigned ctrl, int lane)
{
    int row = lane & ~15, n = ctrl & 15, pos;

    switch (ctrl >> 4) {
    case 0x10: /* row_shl: from a higher lane */
        pos = (lane & 15) + n;
        return pos < 16 ? row + pos : -1;
    case 0x11: /* row_shr */
        pos = (lane & 15) - n;
        return pos >= 0 ? row + pos : -1;
    case 0x12: /* row_ror */
        return row + (((lane & 15) - n) & 15);
    default:
        break;
    }
    switch (ctrl) {
    case 0x130: /* wave_shl1 */
        return lane < 63 ? lane + 1 : -1;
    case 0x134: /* wave_rol1 */
        return (lane + 1) & 63;
    case 0x138: /* wave_shr1 */
        return lane - 1;
    case 0x13c: /* wave_ror1 */
        return (lane - 1) & 63;
    case 0x140: /* row_mirror */
        return row + 15 - (lane & 15);
    case 0x141: /* row_half_mirror */
        return (lane & ~7) + 7 - (lane & 7);
    case 0x142: /* row_bcast15: last lane of the row before */
        return row ? row - 1 : -1;
    case 0x143: /* row_bcast31 */
        return lane >= 32 ? 31 : -1;
    default: /* quad_perm */
        return (lane & ~3) + (ctrl >> 2 * (lane & 3) & 3);
    }
}

/*
 * Move lanes as DPP says.  A lane whose source does not exist or is inactive
 * reads 0 if bound_ctrl is set and is not written otherwise; row_mask and
 * bank_mask switch whole rows and quads off.
 */
static void dpp_move(const AmdWave *w, const Uop *u, Vreg *x, ModMask *mask)
{
    uint64_t exec = sgpr64(w, SGPR_EXEC);
    unsigned ctrl = MOD(u, DPP_CTRL, 9);
    unsigned rows = MOD(u, ROW_MASK, 4), banks = MOD(u, BANK_MASK, 4);
    const uint32_t *from = (const uint32_t *)x;
    uint32_t to[64], *lanes = (uint32_t *)&mask->lanes;

    for (int lane = 0; lane < 64; lane++) {
        int src = dpp_lane(ctrl, lane);
        bool valid = src >= 0 && (exec >> src & 1);

        to[lane] = valid ? from[src] : 0;
        if (!(rows >> lane / 16 & 1) || !(banks >> lane / 4 % 4 & 1) ||
            (!valid && !MOD(u, BOUND_CTRL, 1))) {
            lanes[lane] = 0;
        }
    }
    memcpy(x, to, sizeof(to));
}

/* Pick the byte or word that an SDWA source selects. */
static u32x16 sdwa_select(u32x16 x, unsigned sel, bool sext)
{
    unsigned shift = sel < 4 ? 8 * sel : sel == 5 ? 16 : 0;
    unsigned bits = sel < 4 ? 8 : sel < 6 ? 16 : 32;

    x = x << (32 - bits - shift);
    return sext ? (u32x16)((i32x16)x >> (32 - bits)) : x >> (32 - bits);
}

static void modify_slice(const Uop *u, int i, unsigned width, u32x16 *x)
{
    if (MOD(u, FORM, 2) == FORM_SDWA && i < 2) {
        unsigned sel = i ? MOD(u, SEL1, 3) : MOD(u, SEL0, 3);

        *x = sdwa_select(*x, sel, MOD(u, SEXT, 2) >> i & 1);
    } else if (MOD(u, FORM, 2) <= FORM_VOP3 && width == 16 &&
               MOD(u, OPSEL, 4) >> i & 1) {
        *x >>= 16;
    }
}

void LEVEL(amd_fetch_source)(const AmdWave *w, const Uop *u, int i,
                             unsigned width, ModSource *src, ModMask *mask)
{
    if (width == 64) {
        Source64 s;

        source64(&s, w, u, i);
        for (int q = 0; q < SLICES; q++) {
            u64x16 x = slice64(&s, q);

            src->lo.q[q] = zip_low32(x);
            src->hi.q[q] = zip_high32(x);
        }
    } else {
        Source32 s;

        source32(&s, w, u, i);
        for (int q = 0; q < SLICES; q++) {
            src->lo.q[q] = slice32(&s, q);
            modify_slice(u, i, width, &src->lo.q[q]);
        }
    }
    if (i == 0 && MOD(u, FORM, 2) == FORM_DPP) {
        dpp_move(w, u, &src->lo, mask);
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
    if (MOD(u, FORM, 2) <= FORM_VOP3 && MOD(u, OPSEL, 4) & 8) {
        return x << 16 | (old & 0xffff);
    }
    return merge16(x, old, keep);
}

void LEVEL(amd_store_result)(AmdWave *w, const Uop *u, unsigned width,
                             const ModResult *r, const ModMask *mask,
                             bool keep)
{
    Vreg *d = at(w, u->dst);

    for (int q = 0; q < SLICES; q++) {
        u32x16 x = r->lo.q[q];

        if (MOD(u, FORM, 2) == FORM_SDWA) {
            x &= width == 16 ? 0xffff : ~0u;
            x = sdwa_merge(u, x, d->q[q]);
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
 * anyway; @keep is the bit of MODE that says that they are not.
 */
static bool omod_obeyed(const AmdWave *w, const Uop *u, uint32_t keep)
{
    return MOD(u, OMOD, 2) && !(w->mode & (MODE_IEEE | keep));
}

/*
 * omod multiplies by 2, 4 or 1/2 and makes -0 into +0; clamp limits to [0, 1],
 * and makes NaN 0 if DX10_CLAMP is set.
 */
static const float omod_factor[4] = { 1, 2, 4, 0.5f };

#define OUTPUT_MODIFIER(width, V, I)                                          \
    static V output##width(const AmdWave *w, const Uop *u, V x, bool omod)    \
    {                                                                         \
        if (omod) {                                                           \
            x = x * (omod_factor[MOD(u, OMOD, 2)] + (V){});                   \
            x = (V)((I)x & ~(I)(x == 0));                                     \
        }                                                                     \
        return MOD(u, CLAMP, 1) ? clamp##width(w, x) : x;                     \
    }
OUTPUT_MODIFIER(32, f32x16, i32x16)
OUTPUT_MODIFIER(64, f64x16, i64x16)

void LEVEL(amd_output_f32)(const AmdWave *w, const Uop *u, ModResult *r)
{
    bool omod = omod_obeyed(w, u, MODE_DENORM_OUT_32);

    for (int q = 0; q < SLICES; q++) {
        r->lo.q[q] = (u32x16)output32(w, u, (f32x16)r->lo.q[q], omod);
    }
}

void LEVEL(amd_output_f16)(const AmdWave *w, const Uop *u, ModResult *r)
{
    bool omod = omod_obeyed(w, u, MODE_DENORM_OUT_64);

    for (int q = 0; q < SLICES; q++) {
        u32x16 x = r->lo.q[q];

        if (omod) {
            f32x16 y = widen16(w, x) * (omod_factor[MOD(u, OMOD, 2)] +
                                        (f32x16){});

            x = narrow16(w, y);
            x &= (u32x16)((x & 0x7fff) != 0);
        }
        r->lo.q[q] = MOD(u, CLAMP, 1) ? clamp16(w, x) : x;
    }
}

void LEVEL(amd_output_f64)(const AmdWave *w, const Uop *u, ModResult *r)
{
    bool omod = omod_obeyed(w, u, MODE_DENORM_OUT_64);

    for (int q = 0; q < SLICES; q++) {
        u64x16 x = zip64(r->lo.q[q], r->hi.q[q]);

        x = (u64x16)output64(w, u, (f64x16)x, omod);
        r->lo.q[q] = zip_low32(x);
        r->hi.q[q] = zip_high32(x);
    }
}
