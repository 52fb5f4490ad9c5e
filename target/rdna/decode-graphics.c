/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Graphics instructions of gfx11 and gfx12: images, exports, interpolation,
 * parameters.  They are decoded so that they can be printed, and the faults
 * they make be named.
 */
#include "decode-int.h"
#include "target/amdgpu/image.h"

/* ---- parameters in LDS, interpolation, exports ---- */

static const Field ldsdir_fields[] = {
    { FIELD_VGPR, 0, 8, MEMBER(dst) },
    { FIELD_U8, 8, 2, MEMBER(en) },  /* the attribute's channel */
    { FIELD_U8, 10, 6, MEMBER(tgt) }, /* the attribute */
    { FIELD_U32, 16, 4, MEMBER(offset) }, /* wait_vdst */
    { FIELD_U8, 23, 1, MEMBER(offset1) }, /* wait_vm_vsrc */
};

EXTRACTOR(ldsdir)

/* Bit 22 is reserved, and bit 23 on gfx11. */
static bool finish_ldsdir(Decode *d)
{
    return !bits_at(d->bits, 22, d->target->gen == GEN_11 ? 2 : 1);
}

static const Field vinterp_fields[] = {
    { FIELD_VGPR, 0, 8, MEMBER(dst) },
    { FIELD_U32, 8, 3, MEMBER(offset) }, /* wait_exp */
    { FIELD_U8, 11, 4, MEMBER(opsel) },
    { FIELD_U8, 15, 1, MEMBER(clamp) },
    { FIELD_U16, 32, 9, MEMBER(src[0]) },
    { FIELD_U16, 41, 9, MEMBER(src[1]) },
    { FIELD_U16, 50, 9, MEMBER(src[2]) },
    { FIELD_U8, 61, 3, MEMBER(neg) },
};

EXTRACTOR(vinterp)

static bool finish_vinterp(Decode *d)
{
    AmdInst *t = d->inst;
    bool halves = t->op != AMD_v_interp_p10_f32 &&
                  t->op != AMD_v_interp_p2_f32;

    t->nsrc = 3;
    return (halves || !t->opsel) && t->src[0] >= OPERAND_VGPR &&
           t->src[1] >= OPERAND_VGPR && t->src[2] >= OPERAND_VGPR;
}

static const Field exp_fields[] = {
    { FIELD_U8, 0, 4, MEMBER(en) },
    { FIELD_U8, 4, 6, MEMBER(tgt) },
    { FIELD_VGPR, 32, 8, MEMBER(src[0]) },
    { FIELD_VGPR, 40, 8, MEMBER(src[1]) },
    { FIELD_VGPR, 48, 8, MEMBER(src[2]) },
    { FIELD_VGPR, 56, 8, MEMBER(src[3]) },
};

EXTRACTOR(exp)

/* Targets: mrt0-7, mrtz, pos0-4, prim, dual_src_blend0-1. */
static bool finish_exp(Decode *d)
{
    AmdInst *t = d->inst;

    t->gfx_word0 = d->bits;
    return t->tgt <= 8 || (t->tgt >= 12 && t->tgt <= 16) ||
           (t->tgt >= 20 && t->tgt <= 22);
}

const RdnaEncoding rdna_ldsdir = { OPCODES(LDSDIR), 1, 20, 2, ldsdir_extract,
                                   finish_ldsdir };
const RdnaEncoding gfx11_vinterp = { OPCODES(VINTERP), 2, 16, 7,
                                     vinterp_extract, finish_vinterp };
/* Two bits of the opcode are reserved and ignored. */
const RdnaEncoding gfx12_vinterp = { OPCODES(VINTERP), 2, 16, 5,
                                     vinterp_extract, finish_vinterp };
const RdnaEncoding rdna_exp = { OPCODES(EXP), 2, 0, 0, exp_extract,
                                finish_exp };

/* ---- images ---- */

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

/* Everything but where the fields are: ranges, and the sampler if there is one. */
static bool finish_image(Decode *d, unsigned resource, unsigned sampler)
{
    AmdInst *t = d->inst;
    ImageAddress address;
    bool ray = d->insn->flags == 0;

    if (t->d16 && !image_has_d16(d)) {
        return false;
    }
    amd_image_address(t, &address);
    for (unsigned i = 0; i < address.count; i++) {
        unsigned dwords = ray && i >= 2 ? 3 : i + 1 < address.count ? 1 :
                          address.last;

        if (ray && i == 0 && t->op == AMD_image_bvh64_intersect_ray) {
            dwords = 2;
        }
        if (!amd_vgprs(address.code[i], dwords)) {
            return false;
        }
    }
    t->image_dwords = amd_image_makes_sense(t) ? amd_image_data(t) :
                      amd_image_first_data(t);
    t->saddr = resource;
    if (d->insn->flags & INSN_SAMPLER) {
        t->soffset = sampler;
        if (sampler > 127 || !rdna_operand(&t->soffset, 4, OPND_SGPR)) {
            return false;
        }
    }
    return resource <= 127 &&
           rdna_operand(&t->saddr, ray ? 4 : 8, OPND_SGPR) &&
           amd_vgprs(t->data, t->image_dwords);
}

static const Field mimg_fields[] = {
    { FIELD_U8, 0, 1, MEMBER(nsa) },
    { FIELD_U8, 2, 3, MEMBER(tgt) }, /* dim */
    { FIELD_U8, 7, 1, MEMBER(unorm) },
    { FIELD_U8, 8, 4, MEMBER(en) }, /* dmask */
    { FIELD_U8, 12, 1, MEMBER(slc) },
    { FIELD_U8, 13, 1, MEMBER(dlc) },
    { FIELD_U8, 14, 1, MEMBER(glc) },
    { FIELD_U8, 15, 1, MEMBER(r128) },
    { FIELD_U8, 16, 1, MEMBER(a16) },
    { FIELD_U8, 17, 1, MEMBER(d16) },
    { FIELD_U8, 32, 8, MEMBER(image_addr[0]) },
    { FIELD_VGPR, 40, 8, MEMBER(data) },
    { FIELD_U8, 53, 1, MEMBER(tfe) },
    { FIELD_U8, 54, 1, MEMBER(lwe) },
};

EXTRACTOR(mimg)

static bool finish_mimg(Decode *d)
{
    AmdInst *t = d->inst;
    unsigned sampler = bits_at(d->bits, 58, 5) * 4;

    if (t->nsa) {
        if (d->count < 3) {
            return false;
        }
        memcpy(&t->image_addr[1], &d->words[2], 4);
        t->size += 4;
    }
    if (!(d->insn->flags & INSN_SAMPLER) && sampler) {
        return false;
    }
    return finish_image(d, bits_at(d->bits, 48, 5) * 4, sampler);
}

static const Field vimage_fields[] = {
    { FIELD_U8, 0, 3, MEMBER(tgt) }, /* dim */
    { FIELD_U8, 4, 1, MEMBER(r128) },
    { FIELD_U8, 5, 1, MEMBER(d16) },
    { FIELD_U8, 6, 1, MEMBER(a16) },
    { FIELD_U8, 22, 4, MEMBER(en) }, /* dmask */
    { FIELD_VGPR, 32, 8, MEMBER(data) },
    { FIELD_U8, 50, 2, MEMBER(scope) },
    { FIELD_U8, 52, 3, MEMBER(th) },
    { FIELD_U8, 55, 1, MEMBER(tfe) },
    { FIELD_U8, 56, 8, MEMBER(image_addr[4]) },
};

EXTRACTOR(vimage)

/* All but the addresses of a ray and their width is fixed. */
static bool ray_is_sound(const AmdInst *t)
{
    enum { ALL = 0xf };

    return t->en == ALL && t->r128 && !t->tgt && !t->d16 && !t->tfe &&
           !t->scope && !t->th && !(t->a16 && t->image_addr[4]);
}

static bool finish_vimage(Decode *d)
{
    memcpy(d->inst->image_addr, &d->words[2], 4);
    if (d->insn->flags == 0 ? !ray_is_sound(d->inst) :
                              d->inst->image_addr[4]) {
        return false; /* none but rays have five addresses */
    }
    return finish_image(d, bits_at(d->bits, 41, 9), 0);
}

static const Field vsample_fields[] = {
    { FIELD_U8, 0, 3, MEMBER(tgt) }, /* dim */
    { FIELD_U8, 3, 1, MEMBER(tfe) },
    { FIELD_U8, 4, 1, MEMBER(r128) },
    { FIELD_U8, 5, 1, MEMBER(d16) },
    { FIELD_U8, 6, 1, MEMBER(a16) },
    { FIELD_U8, 13, 1, MEMBER(unorm) },
    { FIELD_U8, 22, 4, MEMBER(en) }, /* dmask */
    { FIELD_VGPR, 32, 8, MEMBER(data) },
    { FIELD_U8, 40, 1, MEMBER(lwe) },
    { FIELD_U8, 50, 2, MEMBER(scope) },
    { FIELD_U8, 52, 3, MEMBER(th) },
};

EXTRACTOR(vsample)

static bool finish_vsample(Decode *d)
{
    unsigned sampler = bits_at(d->bits, 55, 9);

    /* The fourth address is there if any dimension has so many. */
    memcpy(d->inst->image_addr, &d->words[2], 4);
    if ((d->inst->image_addr[3] && amd_image_most_addresses(d->inst) < 4) ||
        (sampler && !(d->insn->flags & INSN_SAMPLER))) {
        return false;
    }
    return finish_image(d, bits_at(d->bits, 41, 9), sampler);
}

const RdnaEncoding gfx11_mimg = { OPCODES(MIMG), 2, 18, 8, mimg_extract,
                                  finish_mimg };
const RdnaEncoding gfx12_vimage = { OPCODES(VIMAGE), 3, 14, 8, vimage_extract,
                                    finish_vimage };
const RdnaEncoding gfx12_vsample = { OPCODES(VSAMPLE), 3, 14, 8,
                                     vsample_extract, finish_vsample };
