/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the generations' decoders have in common for vector memory and local
 * data share instructions.
 */
#include "decode-int.h"

/* ---- local data share ---- */

/*
 * A VGPR operand: of the type's width if the operation has it, else its field
 * must be zero (@low is where in the instruction the field is).
 */
static bool vgpr_operand(Decode *d, uint16_t *code, AmdType type,
                         unsigned low)
{
    if (type == T_none) {
        *code = OPERAND_NONE;
        return bits_at(d->bits, low, 8) == 0;
    }
    return amd_vgprs(*code, amd_type_sizes[type]);
}

static bool ds_has_addr(const Decode *d)
{
    switch (d->inst->op) {
    case AMD_ds_nop:
    case AMD_ds_gws_sema_release_all:
    case AMD_ds_gws_sema_v:
    case AMD_ds_gws_sema_p:
        return false;
    default:
        return !(d->insn->flags & INSN_NO_ADDR);
    }
}

/* Global wave sync operations name their one operand where addr is. */
static bool ds_gws(const Decode *d)
{
    return d->insn->flags & INSN_GDS && !(d->insn->flags & INSN_NO_ADDR) &&
           d->inst->op != AMD_ds_ordered_count;
}

bool amd_finish_ds(Decode *d)
{
    AmdInst *t = d->inst;
    unsigned flags = d->insn->flags;
    bool in_memory = flags & INSN_SRC2 || ds_gws(d);

    if (flags & INSN_TWO) {
        t->offset &= 0xff;
    } else {
        t->offset1 = 0;
    }
    if (flags & INSN_GDS && !t->gds) {
        return false;
    }
    switch (t->op) {
    case AMD_ds_nop:
        if (t->offset || t->gds) {
            return false;
        }
        break;
    case AMD_ds_permute_b32:
    case AMD_ds_bpermute_b32:
    case AMD_ds_bvh_stack_rtn_b32:
        if (t->gds) {
            return false;
        }
        break;
    default:
        break;
    }
    return vgpr_operand(d, &t->addr, ds_has_addr(d) ? T_b32 : T_none, 32) &&
           vgpr_operand(d, &t->data, in_memory ? T_none : d->insn->src[0],
                        40) &&
           vgpr_operand(d, &t->data1, d->insn->src[1], 48) &&
           vgpr_operand(d, &t->dst, d->insn->dst, 56);
}

/* ---- FLAT ---- */

bool amd_flat_data(Decode *d)
{
    AmdInst *t = d->inst;
    const AmdInsn *insn = d->insn;

    if (insn->src[0] == T_none) {
        t->data = OPERAND_NONE;
    } else if (!amd_vgprs(t->data, amd_type_sizes[insn->src[0]])) {
        return false;
    }
    if (insn->dst == T_none || t->lds ||
        (insn->flags & INSN_ATOMIC && !t->glc)) {
        t->dst = OPERAND_NONE;
        return true;
    }
    return amd_vgprs(t->dst, amd_operand_dwords(t, insn->dst));
}

/* ---- buffers ---- */

bool amd_buffer_address(AmdInst *t)
{
    if (!t->idxen && !t->offen) {
        t->addr = OPERAND_NONE;
        return true;
    }
    return amd_vgprs(t->addr, t->idxen && t->offen ? 2 : 1);
}

bool amd_buffer_data(Decode *d)
{
    AmdInst *t = d->inst;
    unsigned flags = d->insn->flags;
    unsigned dwords = amd_type_sizes[d->insn->dst];

    if (dwords == 0 || t->lds) {
        t->data = OPERAND_NONE;
        return !t->tfe;
    }
    if (flags & INSN_ATOMIC && t->tfe) {
        return false;
    }
    if (!(flags & INSN_STORE) && (!(flags & INSN_ATOMIC) || t->glc)) {
        t->dst = t->data;
    }
    return amd_vgprs(t->data, dwords + t->tfe);
}
