/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Disassembler: graphics instructions of gfx11 and gfx12.
 */
#include "disasm-int.h"
#include "image.h"

static void text_parameter(Text *text, const AmdInst *inst)
{
    amd_text(text, " ");
    amd_text_register(text, inst->dst, 1);
    if (inst->op == AMD_lds_param_load || inst->op == AMD_ds_param_load) {
        amd_text(text, ", attr%u.%c", inst->tgt, "xyzw"[inst->en & 3]);
    }
    if (text->gen == GEN_11) {
        amd_text(text, " wait_vdst:%d", inst->offset);
    } else {
        amd_text(text, " wait_va_vdst:%d wait_vm_vsrc:%u", inst->offset,
                 inst->offset1);
    }
}

static void text_interpolation(Text *text, const AmdInst *inst)
{
    amd_text(text, " ");
    amd_text_register(text, inst->dst, 1);
    for (int i = 0; i < 3; i++) {
        amd_text(text, ", %s", inst->neg >> i & 1 ? "-" : "");
        amd_text_register(text, inst->src[i], 1);
    }
    amd_text_flag(text, inst->clamp, "clamp");
    if (inst->opsel) {
        amd_text(text, " op_sel:[%u,%u,%u,%u]", inst->opsel & 1,
                 inst->opsel >> 1 & 1, inst->opsel >> 2 & 1,
                 inst->opsel >> 3 & 1);
    }
    amd_text(text, " wait_exp:%d", inst->offset);
}

static void text_target(Text *text, unsigned target)
{
    enum { MRTZ = 8, POS = 12, PRIM = 20, BLEND = 21 };

    if (target < MRTZ) {
        amd_text(text, " mrt%u", target);
    } else if (target == MRTZ) {
        amd_text(text, " mrtz");
    } else if (target < PRIM) {
        amd_text(text, " pos%u", target - POS);
    } else if (target == PRIM) {
        amd_text(text, " prim");
    } else {
        amd_text(text, " dual_src_blend%u", target - BLEND);
    }
}

static void text_export(Text *text, const AmdInst *inst)
{
    enum { DONE = 1 << 11, ROW_EN = 1 << 13 };

    text_target(text, inst->tgt);
    for (int i = 0; i < 4; i++) {
        amd_text(text, i ? ", " : " ");
        if (inst->en >> i & 1) {
            amd_text_register(text, inst->src[i], 1);
        } else {
            amd_text(text, "off");
        }
    }
    amd_text_flag(text, inst->gfx_word0 & DONE, "done");
    amd_text_flag(text, inst->gfx_word0 & ROW_EN, "row_en");
}

/* Registers of address @i of a ray: node (2 for bvh64), extent, 3 vectors. */
static unsigned ray_dwords(const AmdInst *inst, unsigned i)
{
    return i >= 2 ? 3 :
           i == 0 && inst->op == AMD_image_bvh64_intersect_ray ? 2 : 1;
}

static void text_addresses(Text *text, const AmdInst *inst, bool ray)
{
    ImageAddress address;

    amd_image_address(inst, &address);
    if (address.count == 1) {
        amd_text_register(text, address.code[0], address.last);
        return;
    }
    for (unsigned i = 0; i < address.count; i++) {
        amd_text(text, i ? ", " : "[");
        amd_text_register(text, address.code[i],
                          ray ? ray_dwords(inst, i) :
                          i + 1 < address.count ? 1 : address.last);
    }
    amd_text(text, "]");
}

static void text_image(Text *text, const AmdInst *inst)
{
    static const char *const dims[] = {
        "1D", "2D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY", "2D_MSAA",
        "2D_MSAA_ARRAY",
    };
    bool ray = amd_insns[inst->op].flags == 0;

    /* LLVM 19 has two blanks here. */
    amd_text(text, inst->nsa && inst->soffset != OPERAND_NONE ? "  " : " ");
    amd_text_register(text, inst->data, inst->image_dwords);
    amd_text(text, ", ");
    text_addresses(text, inst, ray);
    amd_text(text, ", ");
    amd_text_register(text, inst->saddr, ray ? 4 : 8);
    if (inst->soffset != OPERAND_NONE) {
        amd_text(text, ", ");
        amd_text_register(text, inst->soffset, 4);
    }
    if (ray) {
        amd_text_flag(text, inst->a16, "a16");
        return;
    }
    if (inst->en) {
        amd_text(text, " dmask:0x%x", inst->en);
    }
    amd_text(text, " dim:SQ_RSRC_IMG_%s", dims[inst->tgt & 7]);
    amd_text_flag(text, inst->unorm, "unorm");
    amd_text_cache(text, inst);
    amd_text_flag(text, inst->r128, "r128");
    amd_text_flag(text, inst->a16, "a16");
    amd_text_flag(text, inst->tfe, "tfe");
    amd_text_flag(text, inst->lwe, "lwe");
    amd_text_flag(text, inst->d16, "d16");
}

void amd_text_rdna_graphics(Text *text, const AmdInst *inst)
{
    switch (inst->family) {
    case FAM_LDSDIR:
        text_parameter(text, inst);
        break;
    case FAM_VINTERP:
        text_interpolation(text, inst);
        break;
    case FAM_EXP:
        text_export(text, inst);
        break;
    default:
        text_image(text, inst);
        break;
    }
}
