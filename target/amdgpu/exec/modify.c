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
    } else if (MOD(u, FORM, 2) == FORM_VOP3 && width == 16 &&
               MOD(u, OPSEL, 4) >> i & 1) {
        *x >>= 16;
    }
}

void amd_mod_source(const AmdWave *w, const Uop *u, int i, unsigned width,
                    ModSource *src, ModMask *mask)
{
    for (int q = 0; q < SLICES; q++) {
        if (width == 64) {
            u64x16 x = get64(w, u, i, q);

            src->lo.q[q] = low32(x);
            src->hi.q[q] = high32(x);
        } else {
            src->lo.q[q] = src->hi.q[q] = get32(w, u, i, q);
            modify_slice(u, i, width, &src->lo.q[q]);
        }
    }
    if (i == 0 && MOD(u, FORM, 2) == FORM_DPP) {
        dpp_move(w, u, &src->lo, mask);
    }
}
