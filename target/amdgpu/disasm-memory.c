/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Disassembler: vector memory, local data share, graphics.
 */
#include "buffer.h"
#include "disasm-int.h"

/* Append an operand behind a comma, if there is one; returns the next comma. */
static const char *text_item(Text *text, const char *comma, unsigned code,
                             unsigned dwords)
{
    if (code == OPERAND_NONE) {
        return comma;
    }
    amd_text(text, "%s", comma);
    amd_text_register(text, code, dwords);
    return ", ";
}

static const char *text_item_or_off(Text *text, const char *comma,
                                    unsigned code, unsigned dwords)
{
    if (code == OPERAND_NONE) {
        amd_text(text, "%soff", comma);
        return ", ";
    }
    return text_item(text, comma, code, dwords);
}

static void text_offset(Text *text, const char *name, int32_t offset)
{
    if (offset) {
        amd_text(text, " %s:%d", name, (int)offset);
    }
}

/* ---- what caches are to do ---- */

static void text_hint(Text *text, const AmdInst *inst)
{
    static const char *const loads[] = {
        NULL, "NT", "HT", "LU", "NT_RT", "RT_NT", "NT_HT", NULL,
    };
    static const char *const stores[] = {
        NULL, "NT", "HT", "RT_WB", "NT_RT", "RT_NT", "NT_HT", "NT_WB",
    };
    bool store = amd_insns[inst->op].flags & INSN_STORE;
    const char *name = (store ? stores : loads)[inst->th & 7];

    if (inst->th == 3 && inst->scope == 3) {
        name = "BYPASS";
    }
    if (name) {
        amd_text(text, " th:TH_%s_%s", store ? "STORE" : "LOAD", name);
    } else if (inst->th) {
        amd_text(text, " th:0x%x", inst->th);
    }
}

/* Bit 0 returns the old value, 1 is non-temporal, 2 cascades. */
static void text_atomic_hint(Text *text, const AmdInst *inst)
{
    static const char *const names[] = { NULL, "RETURN", "NT", "NT_RETURN" };

    if (inst->th >= 4 && inst->scope >= 2) {
        amd_text(text, " th:TH_ATOMIC_CASCADE_%s", inst->th & 2 ? "NT" : "RT");
    } else if (inst->th >= 4) {
        amd_text(text, " th:TH_ATOMIC_0x%x", inst->th);
    } else if (inst->th) {
        amd_text(text, " th:TH_ATOMIC_%s", names[inst->th]);
    }
}

void amd_text_cache(Text *text, const AmdInst *inst)
{
    static const char *const scopes[] = { NULL, "SE", "DEV", "SYS" };

    if (inst->gen != GEN_12) {
        amd_text_flag(text, inst->glc, "glc");
        amd_text_flag(text, inst->slc, "slc");
        amd_text_flag(text, inst->dlc, "dlc");
        return;
    }
    if (amd_insns[inst->op].flags & INSN_ATOMIC) {
        text_atomic_hint(text, inst);
    } else {
        text_hint(text, inst);
    }
    if (inst->scope & 3) {
        amd_text(text, " scope:SCOPE_%s", scopes[inst->scope & 3]);
    }
}

/* ---- instructions ---- */

void amd_text_ds(Text *text, const AmdInst *inst)
{
    const AmdInsn *insn = &amd_insns[inst->op];
    const char *comma = " ";

    comma = text_item(text, comma, inst->dst, amd_type_dwords(insn->dst));
    comma = text_item(text, comma, inst->addr, 1);
    comma = text_item(text, comma, inst->data, amd_type_dwords(insn->src[0]));
    text_item(text, comma, inst->data1, amd_type_dwords(insn->src[1]));
    if (inst->op == AMD_ds_swizzle_b32) {
        amd_text_swizzle(text, inst->offset);
    } else if (insn->flags & INSN_TWO) {
        text_offset(text, "offset0", inst->offset);
        text_offset(text, "offset1", inst->offset1);
    } else {
        text_offset(text, "offset", inst->offset);
    }
    amd_text_flag(text, inst->gds, "gds");
}

void amd_text_flat(Text *text, const AmdInst *inst)
{
    const AmdInsn *insn = &amd_insns[inst->op];
    bool scratch = inst->family == FAM_SCRATCH;
    unsigned address = scratch || inst->saddr != OPERAND_NONE ? 1 : 2;
    const char *comma = " ";

    if (insn->dst == T_none && insn->src[0] == T_none) {
        amd_text_cache(text, inst);
        return;
    }
    comma = text_item(text, comma, inst->dst,
                      amd_operand_dwords(inst, insn->dst));
    if (scratch) {
        comma = text_item_or_off(text, comma, inst->addr, 1);
    } else {
        comma = text_item(text, comma, inst->addr, address);
    }
    comma = text_item(text, comma, inst->data, amd_type_dwords(insn->src[0]));
    if (inst->family != FAM_FLAT) {
        text_item_or_off(text, comma, inst->saddr, scratch ? 1 : 2);
    }
    text_offset(text, "offset", inst->offset);
    amd_text_cache(text, inst);
    amd_text_flag(text, inst->lds, "lds");
}

/* 8_UNORM is what is meant if nothing is said. */
static void text_unified_format(Text *text, unsigned format)
{
    const char *name = amd_unified_format_name(format);

    if (!name) {
        amd_text(text, " format:%u", format);
    } else if (format != 1) {
        amd_text(text, " format:[BUF_FMT_%s]", name);
    }
}

static void text_buffer_format(Text *text, const AmdInst *inst)
{
    static const char *const data[] = {
        "INVALID", NULL, "16", "8_8", "32", "16_16", "10_11_11", "11_11_10",
        "10_10_10_2", "2_10_10_10", "8_8_8_8", "32_32", "16_16_16_16",
        "32_32_32", "32_32_32_32", "RESERVED_15",
    };
    static const char *const numbers[] = {
        NULL, "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "RESERVED_6",
        "FLOAT",
    };
    const char *dfmt = data[inst->dfmt & 15];
    const char *nfmt = numbers[inst->nfmt & 7];

    /* 8 and UNORM are what is meant if nothing is said. */
    if (!dfmt && !nfmt) {
        return;
    }
    amd_text(text, " format:[%s%s%s%s%s]", dfmt ? "BUF_DATA_FORMAT_" : "",
             dfmt ? dfmt : "", dfmt && nfmt ? "," : "",
             nfmt ? "BUF_NUM_FORMAT_" : "", nfmt ? nfmt : "");
}

void amd_text_buffer(Text *text, const AmdInst *inst)
{
    const AmdInsn *insn = &amd_insns[inst->op];
    unsigned dwords = amd_type_dwords(insn->dst) + inst->tfe;
    bool store_lds = inst->op == AMD_buffer_store_lds_dword;
    const char *comma = " ";

    if (inst->saddr == OPERAND_NONE) {
        return;
    }
    comma = text_item(text, comma, inst->data, dwords);
    if (!store_lds) {
        comma = text_item_or_off(text, comma, inst->addr,
                                 inst->idxen && inst->offen ? 2 : 1);
    }
    comma = text_item(text, comma, inst->saddr, 4);
    amd_text(text, "%s", comma);
    amd_text_operand(text, inst, inst->soffset, T_b32);
    if (inst->gen != GEN_9 && (inst->family == FAM_MTBUF || inst->typed)) {
        text_unified_format(text, inst->dfmt);
    } else if (inst->family == FAM_MTBUF) {
        text_buffer_format(text, inst);
    }
    amd_text_flag(text, inst->idxen, "idxen");
    amd_text_flag(text, inst->offen, "offen");
    text_offset(text, "offset", inst->offset);
    amd_text_flag(text, inst->lds && store_lds, "lds");
    amd_text_cache(text, inst);
    amd_text_flag(text, inst->tfe, "tfe");
    /* From gfx11 on the name says so. */
    amd_text_flag(text, inst->lds && !store_lds && inst->gen == GEN_9, "lds");
}

static bool image_bit(const AmdInst *inst, unsigned bit)
{
    return inst->gfx_word0 >> bit & 1;
}

unsigned amd_image_dwords(const AmdInst *inst)
{
    unsigned flags = amd_insns[inst->op].flags;
    unsigned n = __builtin_popcount(inst->en);

    if (flags & INSN_GATHER4) {
        return inst->gfx_word1 >> 31 ? 2 + 2 * inst->tfe : 4 + inst->tfe;
    } else if (inst->op == AMD_image_atomic_cmpswap) {
        n = n > 2 ? n : 2;
    } else if (n == 0) {
        n = 1;
    }
    if (inst->gfx_word1 >> 31) { /* d16 */
        n = (n + 1) / 2;
    }
    return n + inst->tfe;
}

static void text_image(Text *text, const AmdInst *inst)
{
    unsigned flags = amd_insns[inst->op].flags;
    const char *comma = " ";

    comma = text_item(text, comma, inst->data, amd_image_dwords(inst));
    comma = text_item(text, comma, inst->addr, INSN_GET_NADDR(flags));
    comma = text_item(text, comma, inst->saddr, 8);
    text_item(text, comma, inst->soffset, 4);
    if (inst->en) {
        amd_text(text, " dmask:0x%x", inst->en);
    }
    amd_text_flag(text, image_bit(inst, 12), "unorm");
    amd_text_flag(text, inst->glc, "glc");
    amd_text_flag(text, inst->slc, "slc");
    amd_text_flag(text, image_bit(inst, 15), "a16");
    amd_text_flag(text, inst->tfe, "tfe");
    amd_text_flag(text, image_bit(inst, 17), "lwe");
    amd_text_flag(text, image_bit(inst, 14), "da");
    amd_text_flag(text, inst->gfx_word1 >> 31, "d16");
}

static void text_export_target(Text *text, unsigned target)
{
    static const struct {
        uint8_t first;
        const char *name;
        bool counted;
    } targets[] = {
        { 32, "param", true }, { 12, "pos", true }, { 9, "null", false },
        { 8, "mrtz", false }, { 0, "mrt", true },
    };
    int i = 0;

    while (target < targets[i].first) {
        i++;
    }
    amd_text(text, " %s", targets[i].name);
    if (targets[i].counted) {
        amd_text(text, "%u", target - targets[i].first);
    }
}

/* Compressed: two registers, each for two components. */
static void text_export(Text *text, const AmdInst *inst)
{
    bool compressed = inst->gfx_word0 >> 10 & 1;

    text_export_target(text, inst->tgt);
    for (int i = 0; i < 4; i++) {
        amd_text(text, i ? ", " : " ");
        if (inst->en >> i & 1) {
            amd_text_register(text, inst->src[compressed ? i / 2 : i], 1);
        } else {
            amd_text(text, "off");
        }
    }
    amd_text_flag(text, inst->gfx_word0 >> 11 & 1, "done");
    amd_text_flag(text, compressed, "compr");
    amd_text_flag(text, inst->gfx_word0 >> 12 & 1, "vm");
}

static void text_modified(Text *text, const AmdInst *inst, int i)
{
    bool abs = inst->abs >> i & 1;

    amd_text(text, ", %s%s", inst->neg >> i & 1 ? "-" : "", abs ? "|" : "");
    amd_text_register(text, inst->src[i], 1);
    amd_text(text, "%s", abs ? "|" : "");
}

static void text_interp(Text *text, const AmdInst *inst)
{
    static const char *const params[] = { "p10", "p20", "p0", "?" };
    static const char *const omods[] = { "", "mul:2", "mul:4", "div:2" };

    amd_text(text, " ");
    amd_text_register(text, inst->dst, 1);
    if (inst->op == AMD_v_interp_mov_f32) {
        amd_text(text, ", %s", params[inst->src[0] & 3]);
    } else {
        text_modified(text, inst, 0);
    }
    amd_text(text, ", attr%u.%c", inst->tgt, "xyzw"[inst->en & 3]);
    if (inst->nsrc > 1) {
        text_modified(text, inst, 1);
    }
    amd_text_flag(text, inst->opsel, "high");
    amd_text_flag(text, inst->clamp, "clamp");
    amd_text_flag(text, inst->omod & 3, omods[inst->omod & 3]);
}

void amd_text_graphics(Text *text, const AmdInst *inst)
{
    if (text->gen != GEN_9) {
        amd_text_rdna_graphics(text, inst);
        return;
    }
    switch (inst->family) {
    case FAM_MIMG:
        text_image(text, inst);
        break;
    case FAM_EXP:
        text_export(text, inst);
        break;
    default:
        text_interp(text, inst);
        break;
    }
}
