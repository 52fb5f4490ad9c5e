/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The numbers of all operations: AMD_v_add_f32 and so on, made from the rows.
 */
#ifndef AMDGPU_OPS_H
#define AMDGPU_OPS_H

#define S1(name, D, A, flags, ...) AMD_##name,
#define S2(name, D, A, B, flags, ...) AMD_##name,
#define SC(name, A, B, flags, ...) AMD_##name,
#define SK(name, D, flags, ...) AMD_##name,
#define SP(name, flags, ...) AMD_##name,
#define V1(name, D, A, flags, ...) AMD_##name,
#define V2(name, D, A, B, flags, ...) AMD_##name,
#define V3(name, D, A, B, C, flags, ...) AMD_##name,
#define VC(name, A, B, flags, ...) AMD_##name,
#define VX(name, D, A, B, C, flags, ...) AMD_##name,
#define VPK(name, D, A, B, C, flags, ...) AMD_##name,
#define SM(name, dwords, flags, ...) AMD_##name,
#define DS(name, D, A, B, flags, ...) AMD_##name,
#define FL(name, D, A, flags, ...) \
    AMD_flat_##name, AMD_global_##name, AMD_scratch_##name,
#define FG(name, D, A, flags, ...) AMD_global_##name,
#define FS(name, D, A, flags, ...) AMD_scratch_##name,
#define FA(name, D, A, flags, ...) AMD_flat_##name, AMD_global_##name,
#define MB(name, D, flags, ...) AMD_##name,
#define GX(name, flags) AMD_##name,

enum {
    AMD_none, /* no operation: what a zeroed table holds */
#include "rows/all.inc"
    AMD_OP_COUNT
};

#include "rows/undef.inc"

#endif
