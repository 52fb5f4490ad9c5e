/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Vector memory, local data share and graphics instructions of gfx900.
 */
#include "decode-int.h"

enum { SADDR_OFF = 0x7f };

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
    return amd_flat_data(d) && flat_address(t);
}

static bool buffer_scalars(AmdInst *t)
{
    return gfx9_operand(&t->saddr, 4, OPND_SGPR) &&
           gfx9_operand(&t->soffset, 1, OPND_SCALAR_SRC);
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
    return amd_buffer_data(d) && amd_buffer_address(t) && buffer_scalars(t);
}

bool gfx9_finish_mtbuf(Decode *d)
{
    return !d->inst->tfe && amd_buffer_data(d) &&
           amd_buffer_address(d->inst) && buffer_scalars(d->inst);
}
