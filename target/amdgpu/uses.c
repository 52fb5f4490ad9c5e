/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include "uses.h"
#include "disasm-int.h"
#include "wave.h"

#define ALL_BITS 0xffffffffu
#define SDWA_PRESERVE 2 /* dst_unused */
#define OPERAND_VCCZ 251

static void add(AmdUses *uses, unsigned code, unsigned dwords, bool written,
                uint32_t mask)
{
    if (code == OPERAND_NONE || dwords == 0 ||
        (code >= SGPR_COUNT && code < OPERAND_VGPR) ||
        uses->count == AMD_USES_MAX) {
        return;
    }
    uses->use[uses->count++] = (AmdUse){
        .code = code, .dwords = dwords, .written = written, .mask = mask,
    };
}

/* Lane masks are as wide as the wave. */
static unsigned mask_dwords(const AmdInst *t)
{
    return t->wave32 ? 1 : 2;
}

static void reads(AmdUses *uses, unsigned code, unsigned dwords)
{
    add(uses, code, dwords, false, ALL_BITS);
}

static void writes(AmdUses *uses, unsigned code, unsigned dwords)
{
    add(uses, code, dwords, true, ALL_BITS);
}

/* ---- arithmetic ---- */

static bool reads_destination(const AmdInst *t, const AmdInsn *row)
{
    return row->flags & (INSN_ACC | INSN_DST_SRC) ||
           (t->form == FORM_SDWA && t->dst_unused == SDWA_PRESERVE);
}

/* Without naming it. */
static bool reads_vcc(AmdOp op)
{
    return op == AMD_s_cbranch_vccz || op == AMD_s_cbranch_vccnz ||
           op == AMD_v_div_fmas_f32 || op == AMD_v_div_fmas_f64;
}

static void alu_uses(const AmdInst *t, const AmdInsn *row, AmdUses *uses)
{
    bool mask = row->class == CLASS_VC; /* the result is one */
    unsigned dwords = amd_operand_dwords(t, mask ? T_mask : row->dst);

    for (int i = 0; i < t->nsrc && i < 3; i++) {
        if (t->src[i] == OPERAND_VCCZ) {
            reads(uses, SGPR_VCC, mask_dwords(t));
        } else {
            reads(uses, t->src[i], amd_operand_dwords(t, row->src[i]));
        }
    }
    if (row->flags & INSN_DST_RO || reads_destination(t, row)) {
        reads(uses, t->dst, dwords);
    }
    if (!(row->flags & INSN_DST_RO)) {
        writes(uses, t->dst, dwords);
    }
    if (t->sdst != t->dst) {
        writes(uses, t->sdst, mask_dwords(t));
    }
    if (reads_vcc(t->op)) {
        reads(uses, SGPR_VCC, mask_dwords(t));
    }
    /* The answer comes as scalar data do (LLVM, SIInsertWaitcnts). */
    if (t->op == AMD_s_sendmsg_rtn_b32 || t->op == AMD_s_sendmsg_rtn_b64) {
        uses->order = ORDER_SMEM;
        uses->lgkm = 1;
    }
}

/* The second operation of a pair. */
static void pair_uses(const AmdInst *t, AmdUses *uses)
{
    const AmdInsn *row = &amd_insns[t->y.op];

    for (int i = 0; i < 3; i++) {
        reads(uses, t->y.src[i], amd_operand_dwords(t, row->src[i]));
    }
    if (row->flags & INSN_ACC) {
        reads(uses, t->y.dst, 1);
    }
    writes(uses, t->y.dst, 1);
}

/* ---- memory ---- */

/* Compare-and-swap has two values in its data and returns one. */
static bool is_cmpswap(const AmdInsn *row)
{
    return strstr(row->name, "cmpswap") != NULL;
}

/* Rule SM18: one for a single dword, two for more. */
static void smem_uses(const AmdInst *t, const AmdInsn *row, AmdUses *uses)
{
    unsigned dwords = amd_type_dwords(row->dst);

    uses->order = ORDER_SMEM;
    uses->lgkm = dwords > 1 ? 2 : 1;
    reads(uses, t->saddr, row->flags & INSN_BUFFER ? 4 : 2);
    reads(uses, t->soffset, 1);
    if (row->flags & (INSN_STORE | INSN_ATOMIC)) {
        reads(uses, t->data, dwords);
    }
    writes(uses, t->dst, is_cmpswap(row) ? dwords / 2 : dwords);
}

static void ds_uses(const AmdInst *t, const AmdInsn *row, AmdUses *uses)
{
    uses->order = t->gds ? ORDER_GDS : ORDER_LDS;
    uses->lgkm = 1;
    reads(uses, t->addr, 1);
    reads(uses, t->data, amd_type_dwords(row->src[0]));
    reads(uses, t->data1, amd_type_dwords(row->src[1]));
    if (row->flags & INSN_NO_ADDR) {
        reads(uses, SGPR_M0, 1);
    }
}

/*
 * A 16-bit load leaves the other half alone; of those with a format, the one to
 * the high half does.  A status behind the data is a whole register.
 */
static uint32_t result_mask(const AmdInst *t, const AmdInsn *row)
{
    bool format_low = row->flags & INSN_FORMAT && !(row->flags & INSN_D16_HI);

    if (t->tfe || format_low) {
        return ALL_BITS;
    }
    return row->flags & INSN_D16_HI ? 0xffff0000u :
           row->flags & INSN_D16 ? 0x0000ffffu : ALL_BITS;
}

static void flat_uses(const AmdInst *t, const AmdInsn *row, AmdUses *uses)
{
    bool scratch = t->family == FAM_SCRATCH;

    uses->order = t->family == FAM_FLAT ? ORDER_FLAT : ORDER_VMEM;
    uses->lgkm = t->family == FAM_FLAT;
    reads(uses, t->addr, scratch || t->saddr != OPERAND_NONE ? 1 : 2);
    reads(uses, t->saddr, scratch ? 1 : 2);
    reads(uses, t->data, amd_type_dwords(row->src[0]));
    if (t->family != FAM_GLOBAL && t->gen == GEN_9) {
        reads(uses, SGPR_FLAT_SCRATCH, 2);
    }
    if (t->lds || row->flags & INSN_BLOCK) {
        reads(uses, SGPR_M0, 1);
    }
}

static void buffer_uses(const AmdInst *t, const AmdInsn *row, AmdUses *uses)
{
    if (t->saddr == OPERAND_NONE) { /* wbinvl1: counts, has no operands */
        uses->order = ORDER_VMEM;
        return;
    }
    uses->order = ORDER_VMEM;
    reads(uses, t->addr, t->idxen + t->offen);
    reads(uses, t->saddr, 4);
    reads(uses, t->soffset, 1);
    if (row->flags & (INSN_STORE | INSN_ATOMIC)) {
        reads(uses, t->data, amd_type_dwords(row->dst));
    }
    if (t->lds) {
        reads(uses, SGPR_M0, 1);
    }
}

/* Of a block of 32 registers, which strict mode has no room for. */
enum { BLOCK_KEPT = 4 };

/* Results of vector memory instructions. */
static void vector_result(const AmdInst *t, const AmdInsn *row, AmdUses *uses)
{
    unsigned dwords = amd_operand_dwords(t, row->dst);

    if (row->class == CLASS_BUF && is_cmpswap(row)) {
        dwords /= 2;
    }
    if (row->class == CLASS_FLAT && row->flags & INSN_BLOCK) {
        dwords = BLOCK_KEPT;
    }
    add(uses, t->dst, dwords + t->tfe, true, result_mask(t, row));
}

void amd_uses(const AmdInst *inst, AmdUses *uses)
{
    const AmdInsn *row = &amd_insns[inst->op];

    *uses = (AmdUses){ .order = ORDER_NONE };
    switch (row->class) {
    case CLASS_SMEM:
        smem_uses(inst, row, uses);
        break;
    case CLASS_DS:
        ds_uses(inst, row, uses);
        vector_result(inst, row, uses);
        break;
    case CLASS_FLAT:
        flat_uses(inst, row, uses);
        vector_result(inst, row, uses);
        break;
    case CLASS_BUF:
        buffer_uses(inst, row, uses);
        vector_result(inst, row, uses);
        break;
    case CLASS_GFX:
        break;
    default:
        alu_uses(inst, row, uses);
        if (inst->family == FAM_VOPD) {
            pair_uses(inst, uses);
        }
        break;
    }
}
