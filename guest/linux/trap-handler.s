// SPDX-License-Identifier: GPL-2.0
// First level of the trap handler: what ROCm's handler, which is made to be
// called by one of Linux's, expects in registers. trap-handler.inc is this,
// assembled for gfx900.
//
// Entered with ttmp0:1 as the device leaves them. TMA names two addresses: that
// of the process's handler, and that of the process's memory for it.
    s_getreg_b32 ttmp12, hwreg(HW_REG_STATUS)   // before SCC changes
    s_getreg_b32 ttmp14, hwreg(HW_REG_TMA_LO)
    s_getreg_b32 ttmp15, hwreg(HW_REG_TMA_HI)
    s_lshl_b64 ttmp[14:15], ttmp[14:15], 8
    s_load_dwordx2 ttmp[2:3], ttmp[14:15], 0x0 glc
    s_load_dwordx2 ttmp[14:15], ttmp[14:15], 0x8 glc
    s_waitcnt lgkmcnt(0)
    s_setpc_b64 ttmp[2:3]
