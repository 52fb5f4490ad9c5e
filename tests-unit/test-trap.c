/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trap handlers: what a handler finds, and how it returns.  The layout of
 * ttmp[0:1] is that which Linux's and ROCm's handlers for gfx9 take apart: PC
 * in bits 47:0, trap number in 55:48, PC_REWIND in 60:57.
 */
#include <string.h>
#include "wave-harness.h"

#define MEM_VA 0x10000ull
#define NOWHERE 0x20000ull
#define TMA 0x123456789a00ull

/*
 * The handler keeps what it found in s[20:25], adds s30 to the PC, restores
 * SCC and returns.  It lies behind the first instruction.
 */
#define HANDLER                                           \
    "s_branch 9f\n"                                       \
    "s_mov_b64 s[20:21], ttmp[0:1]\n"                     \
    "s_getreg_b32 s22, hwreg(HW_REG_STATUS)\n"            \
    "s_getreg_b32 s23, hwreg(HW_REG_TRAPSTS)\n"           \
    "s_getreg_b32 s24, hwreg(HW_REG_TMA_LO)\n"            \
    "s_getreg_b32 s25, hwreg(HW_REG_TMA_HI)\n"            \
    "s_add_u32 ttmp0, ttmp0, s30\n"                       \
    "s_addc_u32 ttmp1, ttmp1, 0\n"                        \
    "s_and_b32 ttmp1, ttmp1, 0xffff\n"                    \
    "s_setreg_b32 hwreg(HW_REG_STATUS, 0, 1), s22\n"      \
    "s_rfe_b64 ttmp[0:1]\n"                               \
    "9:\n"
#define HANDLER_VA (WAVE_CODE_VA + 4)

enum { /* snippets */
    TRAP_5, ILLEGAL, VIOLATION, SCALAR_VIOLATION, TRAP_0, DEBUG_TRAP,
    STRAY_RFE, NESTED, RFE_RESTORE, MASKED, PRIORITY, HALTED, SNIPPETS
};

static const char *const texts[SNIPPETS] = {
    [TRAP_5] = HANDLER "s_cmp_eq_u32 s0, s0\n s_nop 1\n s_trap 5\n"
               "s_cselect_b32 s40, 7, 8\n",
    [ILLEGAL] = HANDLER ".long 0xbfff0000\n s_mov_b32 s40, 7\n",
    [VIOLATION] = HANDLER "global_load_dword v1, v[4:5], off\n"
                  "s_waitcnt vmcnt(0)\n s_mov_b32 s40, 7\n",
    [SCALAR_VIOLATION] = HANDLER "s_load_dword s8, s[6:7], 0x0\n"
                         "s_waitcnt lgkmcnt(0)\n s_mov_b32 s40, 7\n",
    [TRAP_0] = HANDLER "s_trap 0\n s_mov_b32 s40, 7\n",
    [DEBUG_TRAP] = "s_trap 3\n s_mov_b32 s40, 7\n",
    [STRAY_RFE] = "s_rfe_b64 s[0:1]\n",
    [NESTED] = "s_branch 9f\n s_mov_b32 s40, 7\n s_trap 6\n 9: s_trap 5\n",
    [RFE_RESTORE] = "s_branch 9f\n s_add_u32 ttmp0, ttmp0, 4\n"
                    "s_and_b32 ttmp1, ttmp1, 0xffff\n"
                    "s_rfe_restore_b64 ttmp[0:1], s0\n"
                    "9: s_trap 5\n s_mov_b32 s40, 7\n",
    [MASKED] = "s_setreg_imm32_b32 hwreg(HW_REG_STATUS, 0, 1), 1\n"
               "s_cselect_b32 s40, 7, 8\n",
    [PRIORITY] = "s_setprio 2\n s_getreg_b32 s40, hwreg(HW_REG_STATUS)\n"
                 "s_getreg_b32 s41, hwreg(HW_REG_TBA_LO)\n"
                 "s_getreg_b32 s42, hwreg(HW_REG_TBA_HI)\n",
    [HALTED] = "s_branch 9f\n s_sethalt 1\n s_mov_b32 s40, 7\n s_sethalt 0\n"
               "s_add_u32 ttmp0, ttmp0, 4\n s_and_b32 ttmp1, ttmp1, 0xffff\n"
               "s_rfe_b64 ttmp[0:1]\n 9: s_trap 5\n s_mov_b32 s41, 8\n",
};

static WaveCode *code;

/* Run a snippet whose handler goes on @advance bytes behind the PC it gets. */
static TesseraFaultCause run(WaveHarness *h, unsigned snippet, bool handler,
                             uint32_t advance)
{
    wave_reset(h);
    h->dispatch.launch.tba = handler ? HANDLER_VA : 0;
    h->dispatch.launch.tma = TMA;
    h->w->mode |= MODE_EXCP_MEM_VIOL;
    h->w->s[30] = advance;
    wave_set_sgpr64(h, 6, NOWHERE);
    for (unsigned lane = 0; lane < 64; lane++) {
        wave_vgpr(h, 4)[lane] = lane == 9 ? NOWHERE : MEM_VA;
        wave_vgpr(h, 1)[lane] = 0x77;
    }
    return wave_run(h, &code[snippet]);
}

/* Of a snippet that begins with HANDLER: the first dword behind it. */
#define BEHIND_HANDLER (WAVE_CODE_VA + 12 * 4)

static void check_found(WaveHarness *h, unsigned id, uint64_t pc,
                        unsigned rewind)
{
    g_assert_cmphex(wave_sgpr64(h, 20), ==,
                    pc | (uint64_t)id << 48 | (uint64_t)rewind << 57);
    g_assert_cmphex(h->w->s[22] >> 5 & 3, ==, 3); /* PRIV, TRAP_EN */
    g_assert_cmphex(h->w->s[24] | (uint64_t)h->w->s[25] << 32, ==, TMA >> 8);
    g_assert_false(h->w->privileged);
}

static void test_trap(WaveHarness *h)
{
    g_assert_cmpint(run(h, TRAP_5, true, 4), ==, TESSERA_FAULT_NONE);
    check_found(h, 5, BEHIND_HANDLER + 8, 0);
    g_assert_cmpuint(h->w->s[40], ==, 7); /* SCC has survived */
    g_assert_cmpint(run(h, TRAP_5, false, 0), ==, TESSERA_FAULT_TRAP);
    g_assert_cmphex(h->worker->fault.pc, ==, BEHIND_HANDLER + 8);
}

static void test_ids(WaveHarness *h)
{
    g_assert_cmpint(run(h, TRAP_0, true, 4), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(h->w->s[20], ==, 0); /* the handler was not asked */
    g_assert_cmpuint(h->w->s[40], ==, 7);
    g_assert_cmpint(run(h, DEBUG_TRAP, false, 0), ==, TESSERA_FAULT_NONE);
    g_assert_cmpuint(h->w->s[40], ==, 7);
}

static void test_illegal(WaveHarness *h)
{
    g_assert_cmpint(run(h, ILLEGAL, true, 4), ==, TESSERA_FAULT_NONE);
    check_found(h, 0, BEHIND_HANDLER, 0);
    g_assert_cmphex(h->w->s[23], ==, TRAPSTS_ILLEGAL_INST);
    g_assert_cmpuint(h->w->s[40], ==, 7);
    g_assert_cmpint(run(h, ILLEGAL, false, 4), ==,
                    TESSERA_FAULT_ILLEGAL_INSTRUCTION);
}

/* The access is over: lanes that could read have read (FL14). */
static void test_violation(WaveHarness *h)
{
    uint32_t *mem = (uint32_t *)wave_map(h, MEM_VA, 0x1000, true);
    const TesseraIsaExec *traced = h->worker->exec;

    h->worker->exec = h->engine.exec; /* so that waits are passed over */
    mem[0] = 0x1234;
    g_assert_cmpint(run(h, VIOLATION, true, 0), ==, TESSERA_FAULT_NONE);
    check_found(h, 0, BEHIND_HANDLER + 8, 2);
    g_assert_cmphex(h->w->s[23], ==, TRAPSTS_MEM_VIOL);
    g_assert_cmpuint(h->w->s[40], ==, 7);
    g_assert_cmphex(wave_vgpr(h, 1)[8], ==, 0x1234);
    g_assert_cmphex(wave_vgpr(h, 1)[9], ==, 0);
    g_assert_cmpint(run(h, SCALAR_VIOLATION, true, 0), ==,
                    TESSERA_FAULT_NONE);
    check_found(h, 0, BEHIND_HANDLER + 8, 2);
    g_assert_cmpint(run(h, VIOLATION, false, 0), ==, TESSERA_FAULT_UNMAPPED);
    h->worker->exec = traced;
}

static void test_privileged(WaveHarness *h)
{
    g_assert_cmpint(run(h, STRAY_RFE, false, 0), ==,
                    TESSERA_FAULT_ILLEGAL_INSTRUCTION);
    g_assert_cmpint(run(h, NESTED, true, 0), ==, TESSERA_FAULT_TRAP);
    g_assert_cmpuint(h->w->s[40], ==, 7);
    g_assert_cmphex(h->worker->fault.pc, ==, HANDLER_VA + 4);
    g_assert_cmpint(run(h, RFE_RESTORE, true, 0), ==, TESSERA_FAULT_NONE);
    g_assert_cmpuint(h->w->s[40], ==, 7);
    g_assert_cmpint(run(h, MASKED, true, 0), ==, TESSERA_FAULT_NONE);
    g_assert_cmpuint(h->w->s[40], ==, 8); /* STATUS is not for everybody */
}

static void test_status(WaveHarness *h)
{
    g_assert_cmpint(run(h, PRIORITY, true, 0), ==, TESSERA_FAULT_NONE);
    g_assert_cmphex(h->w->s[40] >> 3 & 3, ==, 2);
    g_assert_cmphex(h->w->s[41] | (uint64_t)h->w->s[42] << 32, ==,
                    HANDLER_VA >> 8);
    g_assert_cmpint(run(h, HALTED, true, 0), ==, TESSERA_FAULT_NONE);
    g_assert_cmpuint(h->w->s[40], ==, 7); /* halts when it returns, not here */
    g_assert_cmpuint(h->w->s[41], ==, 8); /* and not if it thinks again */
}

int main(int argc, char **argv)
{
    int status;

    g_test_init(&argc, &argv, NULL);
    if (wave_have_assembler()) {
        code = wave_assemble(texts, SNIPPETS);
        wave_test_levels("/trap/s_trap", test_trap);
        wave_test_levels("/trap/ids", test_ids);
        wave_test_levels("/trap/illegal", test_illegal);
        wave_test_levels("/trap/violation", test_violation);
        wave_test_levels("/trap/privileged", test_privileged);
        wave_test_levels("/trap/status", test_status);
    }
    status = g_test_run();
    wave_code_free(code);
    return status;
}
