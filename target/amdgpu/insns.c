/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows as a table: name, operands and flags of every operation.
 */
#include "inst.h"
#include "ops.h"
#include "rows.h"

#define ROW(name, class, D, A, B, C, flags, text) \
    [AMD_##name] = { #name, class, D, { A, B, C }, flags, text },

#define S1(name, D, A, flags, ...) \
    ROW(name, CLASS_S1, T_##D, T_##A, T_none, T_none, flags, #__VA_ARGS__)
#define S2(name, D, A, B, flags, ...) \
    ROW(name, CLASS_S2, T_##D, T_##A, T_##B, T_none, flags, #__VA_ARGS__)
#define SC(name, A, B, flags, ...) \
    ROW(name, CLASS_SC, T_none, T_##A, T_##B, T_none, flags, #__VA_ARGS__)
#define SK(name, D, flags, ...) \
    ROW(name, CLASS_SK, T_##D, T_none, T_none, T_none, flags, #__VA_ARGS__)
#define SP(name, flags, ...) \
    ROW(name, CLASS_SP, T_none, T_none, T_none, T_none, flags, #__VA_ARGS__)
#define V1(name, D, A, flags, ...) \
    ROW(name, CLASS_V1, T_##D, T_##A, T_none, T_none, flags, #__VA_ARGS__)
#define V2(name, D, A, B, flags, ...) \
    ROW(name, CLASS_V2, T_##D, T_##A, T_##B, T_none, flags, #__VA_ARGS__)
#define V3(name, D, A, B, C, flags, ...) \
    ROW(name, CLASS_V3, T_##D, T_##A, T_##B, T_##C, flags, #__VA_ARGS__)
#define VC(name, A, B, flags, ...) \
    ROW(name, CLASS_VC, T_mask, T_##A, T_##B, T_none, flags, #__VA_ARGS__)
#define VX(name, D, A, B, C, flags, ...) \
    ROW(name, CLASS_VX, T_##D, T_##A, T_##B, T_##C, flags, #__VA_ARGS__)
#define VPK(name, D, A, B, C, flags, ...) \
    ROW(name, CLASS_VPK, T_##D, T_##A, T_##B, T_##C, flags, #__VA_ARGS__)
#define DWORDS_0 T_none
#define DWORDS_1 T_b32
#define DWORDS_2 T_b64
#define DWORDS_3 T_b96
#define DWORDS_4 T_b128
#define DWORDS_8 T_b256
#define DWORDS_16 T_b512
#define SM(name, dwords, flags, ...)                                       \
    ROW(name, CLASS_SMEM, DWORDS_##dwords, T_none, T_none, T_none, flags,  \
        #__VA_ARGS__)
#define DS(name, D, A, B, flags, ...) \
    ROW(name, CLASS_DS, T_##D, T_##A, T_##B, T_none, flags, #__VA_ARGS__)
#define FL(name, D, A, flags, ...)                                         \
    ROW(flat_##name, CLASS_FLAT, T_##D, T_##A, T_none, T_none, flags,      \
        #__VA_ARGS__)                                                      \
    ROW(global_##name, CLASS_FLAT, T_##D, T_##A, T_none, T_none, flags,    \
        #__VA_ARGS__)                                                      \
    ROW(scratch_##name, CLASS_FLAT, T_##D, T_##A, T_none, T_none, flags,   \
        #__VA_ARGS__)
#define FG(name, D, A, flags, ...)                                         \
    ROW(global_##name, CLASS_FLAT, T_##D, T_##A, T_none, T_none, flags,    \
        #__VA_ARGS__)
#define FS(name, D, A, flags, ...)                                         \
    ROW(scratch_##name, CLASS_FLAT, T_##D, T_##A, T_none, T_none, flags,   \
        #__VA_ARGS__)
#define FA(name, D, A, flags, ...)                                         \
    ROW(flat_##name, CLASS_FLAT, T_##D, T_##A, T_none, T_none, flags,      \
        #__VA_ARGS__)                                                      \
    FG(name, D, A, flags, __VA_ARGS__)
#define MB(name, D, flags, ...) \
    ROW(name, CLASS_BUF, T_##D, T_none, T_none, T_none, flags, #__VA_ARGS__)
#define GX(name, flags) \
    ROW(name, CLASS_GFX, T_none, T_none, T_none, T_none, flags, "")

const AmdInsn amd_insns[] = {
    [AMD_none] = { "none", .text = "NOSEM" },
#include "rows/all.inc"
};

const unsigned amd_insn_count = AMD_OP_COUNT;
