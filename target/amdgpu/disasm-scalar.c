/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Disassembler: scalar ALU, program control, scalar memory.
 */
#include "disasm-int.h"

static void text_sopp(Text *text, const AmdInst *inst)
{
    unsigned flags = amd_insns[inst->op].flags;

    if (flags & INSN_BRANCH) {
        amd_text(text, " %u", inst->simm16);
        return;
    }
    switch (inst->op) {
    case AMD_s_waitcnt:
        if (text->gen == GEN_9) {
            amd_text_waitcnt(text, inst->simm16);
        } else {
            amd_text_waitcnt_11(text, inst->simm16);
        }
        break;
    case AMD_s_delay_alu:
        amd_text_delay(text, inst->simm16);
        break;
    case AMD_s_waitcnt_depctr:
        amd_text_depctr(text, inst->simm16);
        break;
    case AMD_s_sendmsg:
    case AMD_s_sendmsghalt:
        amd_text(text, " ");
        amd_text_sendmsg(text, inst->simm16);
        break;
    case AMD_s_set_gpr_idx_mode:
        amd_text(text, " ");
        amd_text_gpr_idx(text, inst->simm16);
        break;
    case AMD_s_endpgm:
        if (inst->simm16) {
            amd_text(text, " %u", inst->simm16);
        }
        break;
    case AMD_s_nop: case AMD_s_setkill: case AMD_s_sethalt:
    case AMD_s_sleep: case AMD_s_setprio: case AMD_s_trap:
    case AMD_s_incperflevel: case AMD_s_decperflevel:
    case AMD_s_denorm_mode: case AMD_s_barrier_wait:
        amd_text(text, " ");
        amd_text_u16(text, inst->simm16);
        break;
    case AMD_s_set_inst_prefetch_distance: case AMD_s_clause:
    case AMD_s_wait_event: case AMD_s_round_mode: case AMD_s_ttracedata_imm:
    case AMD_s_singleuse_vdst: case AMD_s_wait_loadcnt:
    case AMD_s_wait_storecnt: case AMD_s_wait_samplecnt:
    case AMD_s_wait_bvhcnt: case AMD_s_wait_expcnt: case AMD_s_wait_dscnt:
    case AMD_s_wait_kmcnt: case AMD_s_wait_loadcnt_dscnt:
    case AMD_s_wait_storecnt_dscnt:
        amd_text(text, " 0x%x", inst->simm16);
        break;
    default:
        break;
    }
}

static void text_sopk(Text *text, const AmdInst *inst)
{
    const AmdInsn *insn = &amd_insns[inst->op];
    unsigned dwords = amd_type_dwords(insn->dst);

    amd_text(text, " ");
    switch (inst->op) {
    case AMD_s_version:
        amd_text_version(text, inst->simm16);
        return;
    case AMD_s_subvector_loop_begin:
    case AMD_s_subvector_loop_end:
        amd_text_register(text, inst->dst, dwords);
        amd_text(text, ", %u", inst->simm16);
        return;
    case AMD_s_setreg_b32:
        amd_text_hwreg(text, inst->simm16);
        amd_text(text, ", ");
        amd_text_register(text, inst->dst, dwords);
        return;
    case AMD_s_setreg_imm32_b32:
        amd_text_hwreg(text, inst->simm16);
        amd_text(text, ", ");
        amd_text_operand(text, inst, OPERAND_LITERAL, T_b32);
        return;
    default:
        break;
    }
    amd_text_register(text, inst->dst, dwords);
    amd_text(text, ", ");
    if (inst->op == AMD_s_getreg_b32) {
        amd_text_hwreg(text, inst->simm16);
    } else {
        amd_text(text, insn->flags & INSN_BRANCH ? "%u" : "0x%x",
                 inst->simm16);
    }
}

/* Constants of 16-bit floats are printed as LLVM thinks of them. */
static AmdType scalar_type(const AmdInsn *insn, int i)
{
    if (insn->src[i] == T_f16) {
        return insn->class == CLASS_SC ? T_b16 :
               insn->class == CLASS_S1 ? T_b32 : T_f16;
    }
    return insn->src[i] == T_none ? T_b32 : (AmdType)insn->src[i];
}

void amd_text_scalar(Text *text, const AmdInst *inst)
{
    const AmdInsn *insn = &amd_insns[inst->op];
    const char *comma = "";

    if (insn->class == CLASS_SP) {
        text_sopp(text, inst);
        return;
    }
    if (insn->class == CLASS_SK) {
        text_sopk(text, inst);
        return;
    }
    amd_text(text, " ");
    if (inst->dst != OPERAND_NONE) {
        amd_text_register(text, inst->dst, amd_type_dwords(insn->dst));
        comma = ", ";
    }
    for (int i = 0; i < inst->nsrc; i++) {
        amd_text(text, "%s", comma);
        if (insn->flags & INSN_LITERAL_K &&
            i == (inst->op == AMD_s_fmamk_f32 ? 1 : 2)) {
            amd_text(text, "0x%x", inst->literal);
        } else {
            amd_text_operand(text, inst, inst->src[i], scalar_type(insn, i));
        }
        comma = ", ";
    }
    if (inst->op == AMD_s_sendmsg_rtn_b32 ||
        inst->op == AMD_s_sendmsg_rtn_b64) {
        amd_text(text, ", ");
        amd_text_message(text, inst->simm16);
    } else if (inst->op == AMD_s_set_gpr_idx_on) {
        amd_text(text, ", ");
        amd_text_gpr_idx(text, inst->simm16);
    }
}

static void text_signed_hex(Text *text, int32_t value)
{
    amd_text(text, value < 0 ? "-0x%x" : "0x%x",
             value < 0 ? -(uint32_t)value : (uint32_t)value);
}

/* A register, an immediate or both, as the generation writes them. */
static void text_smem_offset(Text *text, const AmdInst *inst)
{
    bool immediate = inst->gen == GEN_9 ? inst->imm :
                     inst->gen == GEN_12 || inst->offset;

    if (inst->soffset != OPERAND_NONE) {
        amd_text_register(text, inst->soffset, 1);
        if (immediate) {
            amd_text(text, " offset:");
            text_signed_hex(text, inst->offset);
        }
    } else if (inst->gen == GEN_11 && !immediate) {
        amd_text_register(text, OPERAND_NULL, 1);
    } else {
        text_signed_hex(text, inst->offset);
    }
}

/* Base, if not the program counter; immediate, register, length. */
static void text_prefetch(Text *text, const AmdInst *inst)
{
    bool buffer = amd_insns[inst->op].flags & INSN_BUFFER;
    bool none = inst->soffset == OPERAND_NONE;

    amd_text(text, " ");
    if (inst->saddr != OPERAND_NONE) {
        amd_text_register(text, inst->saddr, buffer ? 4 : 2);
        amd_text(text, ", ");
    }
    text_signed_hex(text, inst->offset);
    amd_text(text, ", ");
    amd_text_register(text, none ? OPERAND_NULL : inst->soffset, 1);
    amd_text(text, ", %u", inst->simm16);
}

void amd_text_smem(Text *text, const AmdInst *inst)
{
    const AmdInsn *insn = &amd_insns[inst->op];
    const char *comma = ", ";

    if (insn->flags & INSN_PREFETCH) {
        text_prefetch(text, inst);
        return;
    }
    if (inst->data != OPERAND_NONE) {
        amd_text(text, " ");
        amd_text_register(text, inst->data, amd_type_dwords(insn->dst));
    } else if (inst->op == AMD_s_atc_probe ||
               inst->op == AMD_s_atc_probe_buffer) {
        amd_text(text, " ");
        amd_text_u16(text, inst->simm16);
    } else {
        comma = " ";
    }
    if (inst->saddr == OPERAND_NONE) {
        return;
    }
    amd_text(text, "%s", comma);
    amd_text_register(text, inst->saddr, insn->flags & INSN_BUFFER ? 4 : 2);
    amd_text(text, ", ");
    text_smem_offset(text, inst);
    amd_text_cache(text, inst);
}
