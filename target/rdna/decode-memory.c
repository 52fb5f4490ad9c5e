/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory instructions of gfx11 and gfx12: what their fields leave open.  Where
 * the fields are, the generation's decode-memory.c says.
 */
#include "decode-memory.h"

/* ---- scalar memory ---- */

enum { HINT_MAX = 31 }; /* of s_atc_probe, and a prefetch's length: gfx12 */

/* The operation has no operands; whatever the fields hold. */
static bool smem_is_bare(AmdOp op)
{
    return op == AMD_s_dcache_inv || op == AMD_s_gl1_inv;
}

/* sdata is a small number instead of a register. */
static bool smem_is_hint(const Decode *d)
{
    return d->insn->flags & INSN_PREFETCH || d->inst->op == AMD_s_atc_probe ||
           d->inst->op == AMD_s_atc_probe_buffer;
}

static bool smem_data(Decode *d)
{
    AmdInst *t = d->inst;

    if (smem_is_hint(d)) {
        t->simm16 = t->data;
        t->data = OPERAND_NONE;
        t->th = t->scope = 0;
        return !t->glc && !t->dlc &&
               (d->target->gen == GEN_11 || t->simm16 <= HINT_MAX);
    }
    /* Never M0 or EXEC; ttmp are no three registers (rule SM8). */
    if (!rdna_operand(&t->data, amd_type_sizes[d->insn->dst], OPND_SGPR) ||
        t->data == OPERAND_M0 || (t->data & ~1) == OPERAND_EXEC) {
        return false;
    }
    t->dst = t->data;
    return d->insn->dst != T_b96 || t->data <= RDNA_SGPR_LAST ||
           t->data == OPERAND_NULL;
}

bool rdna_finish_smem(Decode *d)
{
    AmdInst *t = d->inst;
    unsigned flags = d->insn->flags;

    if (smem_is_bare(t->op)) {
        t->data = t->saddr = t->soffset = OPERAND_NONE;
        t->offset = t->th = t->scope = 0;
        return !t->glc && !t->dlc;
    }
    if (flags & INSN_NO_ADDR) {
        t->saddr = OPERAND_NONE;
    } else if (!rdna_operand(&t->saddr, flags & INSN_BUFFER ? 4 : 2,
                             OPND_SGPR)) {
        return false;
    }
    if (!rdna_operand(&t->soffset, 1, OPND_SGPR)) {
        return false;
    }
    if (t->soffset == OPERAND_NULL) {
        t->soffset = OPERAND_NONE;
    }
    return smem_data(d);
}

/* ---- local data share ---- */

static const Field ds_fields[] = {
    { FIELD_U32, 0, 16, MEMBER(offset) },
    { FIELD_U8, 8, 8, MEMBER(offset1) },
    { FIELD_U8, 17, 1, MEMBER(gds) },
    { FIELD_VGPR, 32, 8, MEMBER(addr) },
    { FIELD_VGPR, 40, 8, MEMBER(data) },
    { FIELD_VGPR, 48, 8, MEMBER(data1) },
    { FIELD_VGPR, 56, 8, MEMBER(dst) },
};

EXTRACTOR(ds)

/* gfx12 has no global data share. */
static bool finish_ds(Decode *d)
{
    return !(d->target->gen == GEN_12 && d->inst->gds) && amd_finish_ds(d);
}

const RdnaEncoding rdna_ds = { OPCODES(DS), 2, 18, 8, ds_extract, finish_ds };

/* ---- FLAT ---- */

/* Which registers an address takes, by the family; sve: SCRATCH has a VGPR. */
static bool flat_address(AmdInst *t, const AmdInsn *insn, bool sve)
{
    bool scratch = t->family == FAM_SCRATCH;
    unsigned dwords = scratch || t->saddr != OPERAND_NONE ? 1 : 2;

    if (scratch ? !sve : insn->flags & INSN_NO_ADDR) {
        t->addr = OPERAND_NONE;
        return true;
    }
    return amd_vgprs(t->addr, dwords);
}

/* Caches only: an saddr that is off, and no other operand. */
static bool flat_bare(AmdInst *t)
{
    t->offset = 0;
    t->addr = t->data = t->dst = OPERAND_NONE;
    return t->saddr == OPERAND_NONE;
}

bool rdna_finish_flat(Decode *d, bool sve)
{
    AmdInst *t = d->inst;
    unsigned dwords = t->family == FAM_SCRATCH ? 1 : 2;

    if (sve && t->family != FAM_SCRATCH) {
        return false;
    }
    if (!rdna_operand(&t->saddr, dwords, OPND_SGPR) ||
        t->saddr == OPERAND_EXEC + 1) {
        return false;
    }
    if (t->saddr == OPERAND_NULL) {
        t->saddr = OPERAND_NONE;
    } else if (t->family == FAM_FLAT) {
        return false;
    }
    if (d->insn->dst == T_none && d->insn->src[0] == T_none) {
        return flat_bare(t);
    }
    return amd_flat_data(d) && flat_address(t, d->insn, sve);
}

/* ---- buffers ---- */

bool rdna_finish_buffer(Decode *d, unsigned soffset_kinds)
{
    AmdInst *t = d->inst;

    return amd_buffer_data(d) && amd_buffer_address(t) &&
           rdna_operand(&t->saddr, 4, OPND_SGPR) &&
           rdna_operand(&t->soffset, 1, soffset_kinds);
}
