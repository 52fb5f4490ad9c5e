/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Disassembler: mnemonics, and what the other parts share.
 */
#include <stdarg.h>
#include <stdio.h>
#include "disasm-int.h"

void amd_text(Text *text, const char *format, ...)
{
    bool room = text->len < text->size;
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(room ? text->start + text->len : NULL,
                  room ? text->size - text->len : 0, format, args);
    va_end(args);
    text->len += n > 0 ? n : 0;
}

void amd_text_flag(Text *text, bool set, const char *name)
{
    if (set) {
        amd_text(text, " %s", name);
    }
}

/* Operations of the short encodings that have no VOP3 form. */
static bool has_single_form(AmdOp op)
{
    switch (op) {
    case AMD_v_nop: case AMD_v_clrexcp:
    case AMD_v_madmk_f32: case AMD_v_madak_f32:
    case AMD_v_madmk_f16: case AMD_v_madak_f16:
    case AMD_v_readfirstlane_b32: case AMD_v_swap_b32:
    case AMD_v_pipeflush: case AMD_v_swaprel_b32: case AMD_v_permlane64_b32:
    case AMD_v_fmamk_f32: case AMD_v_fmaak_f32:
    case AMD_v_fmamk_f16: case AMD_v_fmaak_f16:
    case AMD_v_dot2c_f32_f16: case AMD_v_pk_fmac_f16:
        return true;
    default:
        return false;
    }
}

/* The DPP forms of gfx11 and gfx12; compares have none in the short ones. */
static const char *dpp_suffix(const AmdInst *inst)
{
    switch (inst->family) {
    case FAM_VOP3: case FAM_VOP3P:
        return "_e64_dpp";
    case FAM_VOPC:
        return "";
    default:
        return "_dpp";
    }
}

/* Forms are told apart by a suffix where there are several. */
static const char *form_suffix(const AmdInst *inst)
{
    if (inst->form == FORM_DPP16 || inst->form == FORM_DPP8) {
        return dpp_suffix(inst);
    }
    switch (inst->family) {
    case FAM_VOP1: case FAM_VOP2: case FAM_VOPC: case FAM_VINTRP:
    case FAM_VOP3:
        break;
    default:
        return "";
    }
    if (has_single_form(inst->op)) {
        return "";
    }
    switch (inst->form) {
    case FORM_SDWA:
        return "_sdwa";
    case FORM_DPP:
        return "_dpp";
    case FORM_VOP3:
        return "_e64";
    default:
        return inst->family == FAM_VOP3 ? "" : "_e32";
    }
}

size_t amd_disassemble(const AmdInst *inst, uint64_t pc, char *buffer,
                       size_t size)
{
    const AmdInsn *row = &amd_insns[inst->op];
    Text text = { buffer, size, 0, inst->gen };

    amd_text(&text, "%s%s", inst->name ? inst->name : row->name,
             form_suffix(inst));
    if (inst->family == FAM_VOPD) {
        amd_text_pair(&text, inst);
        return text.len;
    }
    switch ((AmdClass)row->class) {
    case CLASS_S1: case CLASS_S2: case CLASS_SC: case CLASS_SK: case CLASS_SP:
        amd_text_scalar(&text, inst);
        break;
    case CLASS_SMEM:
        amd_text_smem(&text, inst);
        break;
    case CLASS_V1: case CLASS_V2: case CLASS_V3: case CLASS_VC:
    case CLASS_VX: case CLASS_VPK:
        amd_text_vector(&text, inst);
        break;
    case CLASS_DS:
        amd_text_ds(&text, inst);
        break;
    case CLASS_FLAT:
        amd_text_flat(&text, inst);
        break;
    case CLASS_BUF:
        amd_text_buffer(&text, inst);
        break;
    case CLASS_GFX:
        amd_text_graphics(&text, inst);
        break;
    }
    return text.len;
}
