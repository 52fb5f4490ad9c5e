/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Graphics instructions of gfx900: images, exports, interpolation.  They are
 * decoded so that they can be printed, and the faults they make be named.
 */
#include "decode-int.h"

static bool image_has_d16(const Decode *d)
{
    switch (d->inst->op) {
    case AMD_image_load_pck: case AMD_image_load_pck_sgn:
    case AMD_image_load_mip_pck: case AMD_image_load_mip_pck_sgn:
    case AMD_image_store_pck: case AMD_image_store_mip_pck:
    case AMD_image_get_resinfo: case AMD_image_get_lod:
        return false;
    default:
        return !(d->insn->flags & INSN_ATOMIC);
    }
}

bool gfx9_finish_mimg(Decode *d)
{
    AmdInst *t = d->inst;
    bool d16 = bits_at(d->bits, 63, 1);

    t->gfx_word0 = d->bits;
    t->gfx_word1 = d->bits >> 32;
    if (bits_at(d->bits, 0, 1) || (d16 && !image_has_d16(d))) {
        return false;
    }
    if (!(d->insn->flags & INSN_SAMPLER)) {
        if (t->soffset) {
            return false;
        }
        t->soffset = OPERAND_NONE;
    } else if (!gfx9_operand(&t->soffset, 4, OPND_SGPR)) {
        return false;
    }
    return gfx9_operand(&t->saddr, 8, OPND_SGPR) &&
           amd_vgprs(t->addr, INSN_GET_NADDR(d->insn->flags)) &&
           amd_vgprs(t->data, amd_image_dwords(t));
}

/* Targets: mrt0-7, mrtz, null, pos0-3, param0-31. */
bool gfx9_finish_exp(Decode *d)
{
    AmdInst *t = d->inst;

    t->gfx_word0 = d->bits;
    t->gfx_word1 = d->bits >> 32;
    return t->tgt <= 9 || (t->tgt >= 12 && t->tgt <= 15) || t->tgt >= 32;
}

/* v_interp_mov takes a parameter of the primitive: p10, p20, p0. */
static bool interp_source(AmdInst *t, unsigned code)
{
    if (t->op == AMD_v_interp_mov_f32) {
        t->src[0] = code;
        return code <= 2;
    }
    t->src[0] = code + OPERAND_VGPR;
    return code <= 0xff;
}

/* VOP3: attribute and channel are in src0, the half in bit 40. */
static bool interp_vop3(Decode *d)
{
    AmdInst *t = d->inst;
    uint64_t bits = d->bits;
    uint64_t zero = BITS(8, 1) | BITS(61, 1);
    bool half = t->op != AMD_v_interp_p1_f32 &&
                t->op != AMD_v_interp_p2_f32 && t->op != AMD_v_interp_mov_f32;
    bool two = half && t->op != AMD_v_interp_p1ll_f16;
    unsigned source = t->src[1];

    if (t->op == AMD_v_interp_mov_f32) {
        zero |= BITS(9, 1) | BITS(62, 1);
    } else {
        if (source < OPERAND_VGPR) {
            return false;
        }
        source -= OPERAND_VGPR;
    }
    zero |= half ? 0 : BITS(40, 1);
    zero |= two ? 0 : BITS(10, 1) | BITS(50, 9) | BITS(63, 1);
    if (t->op == AMD_v_interp_p2_f16 || t->op == AMD_v_interp_p2_legacy_f16) {
        zero |= BITS(59, 2);
    }
    t->form = half ? FORM_PLAIN : FORM_VOP3;
    t->tgt = bits_at(bits, 32, 6);
    t->en = bits_at(bits, 38, 2);
    t->opsel = bits_at(bits, 40, 1);
    t->neg >>= 1;
    t->abs >>= 1;
    if (!two) {
        t->src[1] = OPERAND_NONE;
    } else if ((t->src[1] = t->src[2]) < OPERAND_VGPR) {
        return false;
    }
    t->src[2] = OPERAND_NONE;
    t->nsrc = 1 + two;
    return !(bits & zero) && interp_source(t, source);
}

/* The attribute goes to tgt, its channel to en. */
bool gfx9_finish_vintrp(Decode *d)
{
    AmdInst *t = d->inst;

    t->gfx_word0 = d->bits;
    t->gfx_word1 = d->bits >> 32;
    if (t->family == FAM_VOP3) {
        return interp_vop3(d);
    }
    t->nsrc = 1;
    t->tgt = bits_at(d->bits, 10, 6);
    t->en = bits_at(d->bits, 8, 2);
    return interp_source(t, bits_at(d->bits, 0, 8));
}
