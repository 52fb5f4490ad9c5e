/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Vector memory, local data share and graphics instructions of gfx900.
 */
#include "decode-int.h"

enum { SADDR_OFF = 0x7f };

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
    return d->insn->flags & INSN_GDS && d->inst->op != AMD_ds_ordered_count;
}

bool gfx9_finish_ds(Decode *d)
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

/* Loads of a dword and less can go to LDS instead of VGPRs. */
static bool can_load_lds(const Decode *d)
{
    switch (d->inst->op) {
    case AMD_global_load_ubyte: case AMD_scratch_load_ubyte:
    case AMD_global_load_sbyte: case AMD_scratch_load_sbyte:
    case AMD_global_load_ushort: case AMD_scratch_load_ushort:
    case AMD_global_load_sshort: case AMD_scratch_load_sshort:
    case AMD_global_load_dword: case AMD_scratch_load_dword:
    case AMD_buffer_load_ubyte: case AMD_buffer_load_sbyte:
    case AMD_buffer_load_ushort: case AMD_buffer_load_sshort:
    case AMD_buffer_load_dword: case AMD_buffer_load_format_x:
        return true;
    default:
        return false;
    }
}

/* A load has vdst; an atomic has it if glc asks for the old value. */
static bool flat_data(Decode *d)
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
    return amd_vgprs(t->dst, amd_type_sizes[insn->dst]);
}

/*
 * Addresses: GLOBAL has a VGPR pair, or an SGPR pair and a VGPR; SCRATCH a
 * VGPR or an SGPR (gfx-facts section 1, item 4).
 */
static bool flat_address(AmdInst *t)
{
    unsigned dwords = 2;

    if (t->saddr == SADDR_OFF) {
        t->saddr = OPERAND_NONE;
        dwords = t->family == FAM_SCRATCH ? 1 : 2;
    } else if (t->family == FAM_SCRATCH) {
        t->addr = OPERAND_NONE;
        return gfx9_operand(&t->saddr, 1, OPND_SGPR);
    } else {
        dwords = 1;
        if (!gfx9_operand(&t->saddr, 2, OPND_SGPR)) {
            return false;
        }
    }
    return amd_vgprs(t->addr, dwords);
}

bool gfx9_finish_flat(Decode *d)
{
    AmdInst *t = d->inst;

    if (t->family == FAM_FLAT) {
        /* 12 bits unsigned; "off" is 0x7f in the manual, 0 in LLVM. */
        t->offset &= 0xfff;
        if (t->saddr != 0 && t->saddr != SADDR_OFF) {
            return false;
        }
        t->saddr = SADDR_OFF;
    }
    if (t->lds && !can_load_lds(d)) {
        return false;
    }
    return flat_data(d) && flat_address(t);
}

static bool buffer_address(AmdInst *t)
{
    if (!t->idxen && !t->offen) {
        t->addr = OPERAND_NONE;
        return true;
    }
    return amd_vgprs(t->addr, t->idxen && t->offen ? 2 : 1);
}

static bool buffer_scalars(AmdInst *t)
{
    return gfx9_operand(&t->saddr, 4, OPND_SGPR) &&
           gfx9_operand(&t->soffset, 1, OPND_SCALAR_SRC);
}

/* tfe adds a VGPR, for the status, behind the data. */
static bool buffer_data(Decode *d)
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

/* buffer_wbinvl1 and buffer_wbinvl1_vol have no operands. */
static bool buffer_bare(Decode *d)
{
    AmdInst *t = d->inst;
    bool ok = !(d->bits & (BITS(12, 5) | BITS(55, 1)));

    t->addr = t->data = t->saddr = t->soffset = OPERAND_NONE;
    t->offset = 0;
    t->slc = false;
    return ok;
}

bool gfx9_finish_mubuf(Decode *d)
{
    AmdInst *t = d->inst;

    switch (t->op) {
    case AMD_buffer_wbinvl1:
    case AMD_buffer_wbinvl1_vol:
        return buffer_bare(d);
    case AMD_buffer_store_lds_dword:
        if (!t->lds || t->offen || t->idxen) {
            return false;
        }
        break;
    default:
        if (t->lds && !can_load_lds(d)) {
            return false;
        }
        break;
    }
    return buffer_data(d) && buffer_address(t) && buffer_scalars(t);
}

bool gfx9_finish_mtbuf(Decode *d)
{
    return !d->inst->tfe && buffer_data(d) && buffer_address(d->inst) &&
           buffer_scalars(d->inst);
}
