/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of opcodes.inc as members of an RdnaOpcodes.
 *
 *   OP(family, opcode, operation)           printed by the operation's name
 *   OPN(family, opcode, operation, name)    printed as name
 *   OPX, OPXN                               not in VOP3 as well
 *   OP_115, OPN_115                         since gfx11.5
 */
#ifndef RDNA_OPCODES_H
#define RDNA_OPCODES_H

#define OP_ROW(family, opcode, op, name, since) \
    .family[opcode] = { name, AMD_##op, since },

/* The VOP3 encoding repeats those of the shorter ones. */
#define OP_IN_VOPC(opcode, op, name, since)    \
    OP_ROW(VOPC, opcode, op, name, since)      \
    OP_ROW(VOP3, opcode, op, name, since)
#define OP_IN_VOP2(opcode, op, name, since)    \
    OP_ROW(VOP2, opcode, op, name, since)      \
    OP_ROW(VOP3, (opcode) + 256, op, name, since)
#define OP_IN_VOP1(opcode, op, name, since)    \
    OP_ROW(VOP1, opcode, op, name, since)      \
    OP_ROW(VOP3, (opcode) + 384, op, name, since)

#define OP_IN_SOP1(...) OP_ROW(SOP1, __VA_ARGS__)
#define OP_IN_SOP2(...) OP_ROW(SOP2, __VA_ARGS__)
#define OP_IN_SOPC(...) OP_ROW(SOPC, __VA_ARGS__)
#define OP_IN_SOPK(...) OP_ROW(SOPK, __VA_ARGS__)
#define OP_IN_SOPP(...) OP_ROW(SOPP, __VA_ARGS__)
#define OP_IN_SMEM(...) OP_ROW(SMEM, __VA_ARGS__)
#define OP_IN_VOP3(...) OP_ROW(VOP3, __VA_ARGS__)
#define OP_IN_VOP3P(...) OP_ROW(VOP3P, __VA_ARGS__)
#define OP_IN_VOPD(...) OP_ROW(VOPD, __VA_ARGS__)
#define OP_IN_VOPDY(...) OP_ROW(VOPDY, __VA_ARGS__)
#define OP_IN_LDSDIR(...) OP_ROW(LDSDIR, __VA_ARGS__)
#define OP_IN_VINTERP(...) OP_ROW(VINTERP, __VA_ARGS__)
#define OP_IN_DS(...) OP_ROW(DS, __VA_ARGS__)
#define OP_IN_FLAT(...) OP_ROW(FLAT, __VA_ARGS__)
#define OP_IN_GLOBAL(...) OP_ROW(GLOBAL, __VA_ARGS__)
#define OP_IN_SCRATCH(...) OP_ROW(SCRATCH, __VA_ARGS__)
#define OP_IN_MIMG(...) OP_ROW(MIMG, __VA_ARGS__)
#define OP_IN_VIMAGE(...) OP_ROW(VIMAGE, __VA_ARGS__)
#define OP_IN_VSAMPLE(...) OP_ROW(VSAMPLE, __VA_ARGS__)
#define OP_IN_EXP(...) OP_ROW(EXP, __VA_ARGS__)

/* Memory: MUBUF and MTBUF of gfx11 are halves of VBUFFER in gfx12. */
#define OP_IN_BUF(...) OP_ROW(MUBUF, __VA_ARGS__) OP_ROW(VBUFFER, __VA_ARGS__)
#define OP_IN_TBUF(opcode, op, name, since)    \
    OP_ROW(MTBUF, opcode, op, name, since)     \
    OP_ROW(VBUFFER, (opcode) + 128, op, name, since)
/* FLAT and GLOBAL, without that prefix; FLM: and SCRATCH */
#define OP_IN_FLA(opcode, op, name, since)                       \
    OP_ROW(FLAT, opcode, flat_##op, "flat_" name, since)         \
    OP_ROW(GLOBAL, opcode, global_##op, "global_" name, since)
#define OP_IN_FLM(opcode, op, name, since)                       \
    OP_IN_FLA(opcode, op, name, since)                           \
    OP_ROW(SCRATCH, opcode, scratch_##op, "scratch_" name, since)

#define OP(family, opcode, op) OP_IN_##family(opcode, op, NULL, 0)
#define OPN(family, opcode, op, name) OP_IN_##family(opcode, op, #name, 0)
#define OP_115(family, opcode, op) OP_IN_##family(opcode, op, NULL, 1)
#define OPN_115(family, opcode, op, name) OP_IN_##family(opcode, op, #name, 1)
#define OPX(family, opcode, op) OP_ROW(family, opcode, op, NULL, 0)
#define OPXN(family, opcode, op, name) OP_ROW(family, opcode, op, #name, 0)

#endif
