/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Disassembler: immediates of gfx11 and gfx12 that have a syntax of their own.
 */
#include "disasm-int.h"

/* The counters of s_waitcnt (gfx-facts section 10); full ones are left out. */
void amd_text_waitcnt_11(Text *text, unsigned simm16)
{
    enum { VM_MAX = 63, EXP_MAX = 7, LGKM_MAX = 63 };
    unsigned vm = simm16 >> 10 & VM_MAX;
    unsigned exp = simm16 & EXP_MAX;
    unsigned lgkm = simm16 >> 4 & LGKM_MAX;
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

static void text_separator(Text *text, bool *first)
{
    amd_text(text, *first ? " " : " | ");
    *first = false;
}

/* s_delay_alu: two instructions that are waited for, and what lies between. */
void amd_text_delay(Text *text, unsigned simm16)
{
    static const char *const ids[16] = {
        [1] = "VALU_DEP_1", "VALU_DEP_2", "VALU_DEP_3", "VALU_DEP_4",
        "TRANS32_DEP_1", "TRANS32_DEP_2", "TRANS32_DEP_3",
        "FMA_ACCUM_CYCLE_1", "SALU_CYCLE_1", "SALU_CYCLE_2", "SALU_CYCLE_3",
    };
    static const char *const skips[8] = {
        [1] = "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4",
    };
    unsigned id0 = simm16 & 0xf, skip = simm16 >> 4 & 7;
    unsigned id1 = simm16 >> 7 & 0xf;
    bool first = true;

    if (id0) {
        text_separator(text, &first);
        amd_text(text, "instid0(%s)",
                 ids[id0] ? ids[id0] : "/* invalid instid value */");
    }
    if (skip) {
        text_separator(text, &first);
        amd_text(text, "instskip(%s)",
                 skips[skip] ? skips[skip] : "/* invalid instskip value */");
    }
    if (id1) {
        text_separator(text, &first);
        amd_text(text, "instid1(%s)",
                 ids[id1] ? ids[id1] : "/* invalid instid value */");
    }
    if (first) {
        amd_text(text, " 0");
    }
}

/* What s_waitcnt_depctr waits for; full ones are left out. */
void amd_text_depctr(Text *text, unsigned simm16)
{
    static const struct {
        const char *name;
        uint8_t low, max;
    } fields[] = {
        { "hold_cnt", 7, 1 }, { "sa_sdst", 0, 1 }, { "va_vdst", 12, 15 },
        { "va_sdst", 9, 7 }, { "va_ssrc", 8, 1 }, { "va_vcc", 1, 1 },
        { "vm_vsrc", 2, 7 },
    };
    enum { UNUSED = 0x60, FULL = 0xff9f };

    if (simm16 & UNUSED) {
        amd_text(text, " 0x%x", simm16);
        return;
    }
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        unsigned value = simm16 >> fields[i].low & fields[i].max;

        if (value != fields[i].max || simm16 == FULL) {
            amd_text(text, " depctr_%s(%u)", fields[i].name, value);
        }
    }
}

/* s_version: which microcode this is, for which waves. */
void amd_text_version(Text *text, unsigned simm16)
{
    static const char *const names[] = {
        [0] = "GFX7", [4] = "GFX10", [6] = "GFX11", [9] = "GFX12",
    };
    static const char *const flags[] = { "W64", "W32", "MDP" };
    enum { UNUSED = 0x1f00, FIRST_FLAG = 13, FLAGS = 3,
           NAMES = sizeof(names) / sizeof(names[0]) };
    unsigned id = simm16 & 0xff;
    int nesting = __builtin_popcount(simm16 >> FIRST_FLAG) - 1;

    if (simm16 & UNUSED) {
        amd_text(text, "0x%x", simm16);
        return;
    }
    amd_text(text, "%.*s", nesting > 0 ? nesting : 0, "((");
    if (id < NAMES && names[id]) {
        amd_text(text, "UC_VERSION_%s", names[id]);
    } else {
        amd_text(text, "%u", id);
    }
    for (int i = 0; i < FLAGS; i++) {
        if (simm16 >> (FIRST_FLAG + i) & 1) {
            amd_text(text, "|UC_VERSION_%s_BIT%s", flags[i],
                     nesting-- > 0 ? ")" : "");
        }
    }
}

static const char *message_name(AmdGeneration gen, unsigned id)
{
    static const char *const low[] = {
        [1] = "MSG_INTERRUPT", [2] = "MSG_HS_TESSFACTOR",
        [3] = "MSG_DEALLOC_VGPRS", [5] = "MSG_STALL_WAVE_GEN",
        [6] = "MSG_HALT_WAVES", [9] = "MSG_GS_ALLOC_REQ",
    };
    static const char *const rtn[] = {
        "MSG_RTN_GET_DOORBELL", "MSG_RTN_GET_DDID", "MSG_RTN_GET_TMA",
        "MSG_RTN_GET_REALTIME", "MSG_RTN_SAVE_WAVE", "MSG_RTN_GET_TBA",
        "MSG_RTN_GET_TBA_TO_PC", "MSG_RTN_GET_SE_AID_ID",
    };
    enum { RTN = 0x80, RTN_END_11 = 0x87, RTN_END_12 = 0x88,
           STALL_WAVE_GEN = 5, HALT_WAVES = 6, LOW_END = 10 };

    if (gen == GEN_12 && (id == STALL_WAVE_GEN || id == HALT_WAVES)) {
        return NULL;
    }
    if (id < LOW_END) {
        return low[id];
    }
    return id >= RTN && id < (gen == GEN_12 ? RTN_END_12 : RTN_END_11) ?
           rtn[id - RTN] : NULL;
}

void amd_text_message(Text *text, unsigned simm16)
{
    unsigned id = simm16 & 0xff;
    const char *name = message_name(text->gen, id);

    if (name) {
        amd_text(text, "sendmsg(%s)", name);
    } else if (simm16 == id) {
        amd_text(text, "sendmsg(%u, 0, 0)", id);
    } else {
        amd_text(text, "%u", simm16);
    }
}

const char *amd_hwreg_name(AmdGeneration gen, unsigned id)
{
    static const char *const gfx11[64] = {
        [1] = "MODE", [2] = "STATUS", [3] = "TRAPSTS", [5] = "GPR_ALLOC",
        [6] = "LDS_ALLOC", [7] = "IB_STS", [15] = "SH_MEM_BASES",
        [18] = "PERF_SNAPSHOT_PC_LO", [19] = "PERF_SNAPSHOT_PC_HI",
        [20] = "FLAT_SCR_LO", [21] = "FLAT_SCR_HI", [23] = "HW_ID1",
        [24] = "HW_ID2", [27] = "PERF_SNAPSHOT_DATA",
        [29] = "SHADER_CYCLES",
    };
    static const char *const gfx12[64] = {
        [1] = "MODE", [2] = "STATUS", [4] = "STATE_PRIV",
        [5] = "GPR_ALLOC", [6] = "LDS_ALLOC", [7] = "IB_STS",
        [10] = "PERF_SNAPSHOT_DATA", [11] = "PERF_SNAPSHOT_PC_LO",
        [12] = "PERF_SNAPSHOT_PC_HI", [15] = "PERF_SNAPSHOT_DATA1",
        [16] = "PERF_SNAPSHOT_DATA2", [17] = "EXCP_FLAG_PRIV",
        [18] = "EXCP_FLAG_USER", [19] = "TRAP_CTRL",
        [20] = "SCRATCH_BASE_LO", [21] = "SCRATCH_BASE_HI",
        [23] = "HW_ID1", [24] = "HW_ID2", [29] = "SHADER_CYCLES_LO",
        [30] = "SHADER_CYCLES_HI", [31] = "DVGPR_ALLOC_LO",
        [32] = "DVGPR_ALLOC_HI",
    };

    return gen == GEN_12 ? gfx12[id & 63] : gfx11[id & 63];
}
