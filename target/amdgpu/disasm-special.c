/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Disassembler: immediates that have a syntax of their own.
 */
#include "disasm-int.h"

/* gfx900's counters (gfx-facts section 10); full ones are left out. */
void amd_text_waitcnt(Text *text, unsigned simm16)
{
    enum { VM_MAX = 63, EXP_MAX = 7, LGKM_MAX = 15 };
    unsigned vm = (simm16 & 0xf) | (simm16 >> 14 & 3) << 4;
    unsigned exp = simm16 >> 4 & 7;
    unsigned lgkm = simm16 >> 8 & 0xf;
    bool all = vm == VM_MAX && exp == EXP_MAX && lgkm == LGKM_MAX;

    if (vm != VM_MAX || all) {
        amd_text(text, " vmcnt(%u)", vm);
    }
    if (exp != EXP_MAX || all) {
        amd_text(text, " expcnt(%u)", exp);
    }
    if (lgkm != LGKM_MAX || all) {
        amd_text(text, " lgkmcnt(%u)", lgkm);
    }
}

enum { MSG_GS = 2, MSG_GS_DONE = 3, MSG_SYSMSG = 15 };

static const char *const messages[16] = {
    [1] = "MSG_INTERRUPT", [MSG_GS] = "MSG_GS",
    [MSG_GS_DONE] = "MSG_GS_DONE", [4] = "MSG_SAVEWAVE",
    [5] = "MSG_STALL_WAVE_GEN", [6] = "MSG_HALT_WAVES",
    [7] = "MSG_ORDERED_PS_DONE", [8] = "MSG_EARLY_PRIM_DEALLOC",
    [9] = "MSG_GS_ALLOC_REQ", [10] = "MSG_GET_DOORBELL",
    [MSG_SYSMSG] = "MSG_SYSMSG",
};

static const char *const gs_ops[8] = {
    "GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT",
};

static const char *const sysmsg_ops[8] = {
    [1] = "SYSMSG_OP_ECC_ERR_INTERRUPT", [2] = "SYSMSG_OP_REG_RD",
    [4] = "SYSMSG_OP_TTRACE_PC",
};

/* Print a message that makes sense by name; false if it makes none. */
static bool text_message(Text *text, unsigned id, unsigned op,
                         unsigned stream)
{
    const char *name = messages[id];

    switch (id) {
    case MSG_GS:
    case MSG_GS_DONE:
        if (op == 0) {
            if (id == MSG_GS || stream) {
                return false;
            }
            amd_text(text, "sendmsg(%s, %s)", name, gs_ops[op]);
            return true;
        }
        if (!gs_ops[op]) {
            return false;
        }
        amd_text(text, "sendmsg(%s, %s, %u)", name, gs_ops[op], stream);
        return true;
    case MSG_SYSMSG:
        if (!sysmsg_ops[op] || stream) {
            return false;
        }
        amd_text(text, "sendmsg(%s, %s)", name, sysmsg_ops[op]);
        return true;
    default:
        if (!name || op || stream) {
            return false;
        }
        amd_text(text, "sendmsg(%s)", name);
        return true;
    }
}

void amd_text_sendmsg(Text *text, unsigned simm16)
{
    unsigned id = simm16 & 0xf;
    unsigned op = simm16 >> 4 & 7;
    unsigned stream = simm16 >> 8 & 3;

    if (text->gen != GEN_9) {
        amd_text_message(text, simm16);
        return;
    }
    if (text_message(text, id, op, stream)) {
        return;
    }
    if (simm16 == (id | op << 4 | stream << 8)) {
        amd_text(text, "sendmsg(%u, %u, %u)", id, op, stream);
    } else {
        amd_text(text, "%u", simm16);
    }
}

void amd_text_hwreg(Text *text, unsigned simm16)
{
    static const char *const names[64] = {
        [1] = "MODE", [2] = "STATUS", [3] = "TRAPSTS", [4] = "HW_ID",
        [5] = "GPR_ALLOC", [6] = "LDS_ALLOC", [7] = "IB_STS",
        [15] = "SH_MEM_BASES", [16] = "TBA_LO", [17] = "TBA_HI",
        [18] = "TMA_LO", [19] = "TMA_HI",
    };
    unsigned id = simm16 & 0x3f;
    unsigned offset = simm16 >> 6 & 0x1f;
    unsigned size = (simm16 >> 11) + 1;
    const char *name = text->gen == GEN_9 ? names[id] :
                       amd_hwreg_name(text->gen, id);

    if (name) {
        amd_text(text, "hwreg(HW_REG_%s", name);
    } else {
        amd_text(text, "hwreg(%u", id);
    }
    if (offset != 0 || size != 32) {
        amd_text(text, ", %u, %u", offset, size);
    }
    amd_text(text, ")");
}

void amd_text_gpr_idx(Text *text, unsigned mode)
{
    static const char *const names[] = { "SRC0", "SRC1", "SRC2", "DST" };
    const char *comma = "";

    if (mode > 0xf) {
        amd_text(text, "0x%x", mode);
        return;
    }
    amd_text(text, "gpr_idx(");
    for (int i = 0; i < 4; i++) {
        if (mode & 1u << i) {
            amd_text(text, "%s%s", comma, names[i]);
            comma = ",";
        }
    }
    amd_text(text, ")");
}

/* One letter a lane number bit: forced 0 or 1, preserved, inverted. */
static void text_bitmask(Text *text, unsigned and, unsigned or, unsigned xor)
{
    unsigned zeros = or ^ xor;
    unsigned ones = (and | or) ^ xor;

    amd_text(text, "swizzle(BITMASK_PERM,\"");
    for (int bit = 4; bit >= 0; bit--) {
        unsigned of_0 = zeros >> bit & 1;
        unsigned of_1 = ones >> bit & 1;

        amd_text(text, "%c", of_0 == of_1 ? (of_0 ? '1' : '0') :
                             (of_0 ? 'i' : 'p'));
    }
    amd_text(text, "\")");
}

static bool is_power_of_2(unsigned n)
{
    return n && (n & (n - 1)) == 0;
}

static void text_swizzle_groups(Text *text, unsigned offset)
{
    unsigned and = offset & 0x1f;
    unsigned or = offset >> 5 & 0x1f;
    unsigned xor = offset >> 10 & 0x1f;
    unsigned group = 0x20 - and;

    if (and == 0x1f && or == 0 && is_power_of_2(xor)) {
        amd_text(text, "swizzle(SWAP,%u)", xor);
    } else if (and == 0x1f && or == 0 && xor && is_power_of_2(xor + 1)) {
        amd_text(text, "swizzle(REVERSE,%u)", xor + 1);
    } else if (group > 1 && is_power_of_2(group) && or < group && xor == 0) {
        amd_text(text, "swizzle(BROADCAST,%u,%u)", group, or);
    } else {
        text_bitmask(text, and, or, xor);
    }
}

void amd_text_swizzle(Text *text, unsigned offset)
{
    if (offset == 0) {
        return;
    }
    amd_text(text, " offset:");
    if ((offset & 0xff00) == 0x8000) {
        amd_text(text, "swizzle(QUAD_PERM,%u,%u,%u,%u)", offset & 3,
                 offset >> 2 & 3, offset >> 4 & 3, offset >> 6 & 3);
    } else if (!(offset & 0x8000)) {
        text_swizzle_groups(text, offset);
    } else {
        amd_text(text, "%u", offset);
    }
}
