/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of handlers of one host level, made from the rows.
 */
#include "handlers.h"

#undef NOSEM /* it is looked for by name */

UopFn LEVEL(h_dual);

/* Declare them all. */
#define SCALAR_ROW(name) UopFn LEVEL(h_##name);
#define VECTOR_ROW(name) UopFn LEVEL(h_##name), LEVEL(m_##name);
#define S1(name, D, A, flags, ...) SCALAR_ROW(name)
#define S2(name, D, A, B, flags, ...) SCALAR_ROW(name)
#define SC(name, A, B, flags, ...) SCALAR_ROW(name)
#define SK(name, D, flags, ...) SCALAR_ROW(name)
#define SP(name, flags, ...) SCALAR_ROW(name)
#define SM(name, dwords, flags, ...) SCALAR_ROW(name)
#define V1(name, D, A, flags, ...) VECTOR_ROW(name)
#define V2(name, D, A, B, flags, ...) VECTOR_ROW(name)
#define V3(name, D, A, B, C, flags, ...) VECTOR_ROW(name)
#define VC(name, A, B, flags, ...) VECTOR_ROW(name)
#define VX(name, D, A, B, C, flags, ...) VECTOR_ROW(name)
#define VPK(name, D, A, B, C, flags, ...) SCALAR_ROW(name)
#define DS(name, D, A, B, flags, ...) SCALAR_ROW(name)
#define FL(name, D, A, flags, ...) \
    SCALAR_ROW(flat_##name) SCALAR_ROW(global_##name) SCALAR_ROW(scratch_##name)
#define FG(name, D, A, flags, ...) SCALAR_ROW(global_##name)
#define FS(name, D, A, flags, ...) SCALAR_ROW(scratch_##name)
#define FA(name, D, A, flags, ...) \
    SCALAR_ROW(flat_##name) SCALAR_ROW(global_##name)
#define MB(name, D, flags, ...) SCALAR_ROW(name)
#define GX(name, flags)
#include "../rows/all.inc"
#include "../rows/undef.inc"

/*
 * A row without a meaning has no handler; the compiler drops the one that was
 * made of it.
 */
#undef SCALAR_ROW
#undef VECTOR_ROW
#define SCALAR_ROW(name, ...) \
    [AMD_##name] = { HAS_MEANING(__VA_ARGS__) ? LEVEL(h_##name) : NULL, NULL },
#define PACKED_ROW(name, ...)                                               \
    [AMD_##name] = { HAS_MEANING(__VA_ARGS__) ? LEVEL(h_##name) : NULL,     \
                     HAS_MEANING(__VA_ARGS__) ? LEVEL(h_##name) : NULL },
#define VECTOR_ROW(name, ...)                                               \
    [AMD_##name] = { HAS_MEANING(__VA_ARGS__) ? LEVEL(h_##name) : NULL,     \
                     HAS_MEANING(__VA_ARGS__) ? LEVEL(m_##name) : NULL },
#define S1(name, D, A, flags, ...) SCALAR_ROW(name, __VA_ARGS__)
#define S2(name, D, A, B, flags, ...) SCALAR_ROW(name, __VA_ARGS__)
#define SC(name, A, B, flags, ...) SCALAR_ROW(name, __VA_ARGS__)
#define SK(name, D, flags, ...) SCALAR_ROW(name, __VA_ARGS__)
#define SP(name, flags, ...) SCALAR_ROW(name, __VA_ARGS__)
#define SM(name, dwords, flags, ...) SCALAR_ROW(name, __VA_ARGS__)
#define V1(name, D, A, flags, ...) VECTOR_ROW(name, __VA_ARGS__)
#define V2(name, D, A, B, flags, ...) VECTOR_ROW(name, __VA_ARGS__)
#define V3(name, D, A, B, C, flags, ...) VECTOR_ROW(name, __VA_ARGS__)
#define VC(name, A, B, flags, ...) VECTOR_ROW(name, __VA_ARGS__)
#define VX(name, D, A, B, C, flags, ...) VECTOR_ROW(name, __VA_ARGS__)
#define VPK(name, D, A, B, C, flags, ...) PACKED_ROW(name, __VA_ARGS__)
#define DS(name, D, A, B, flags, ...) SCALAR_ROW(name, __VA_ARGS__)
#define FL(name, D, A, flags, ...)          \
    SCALAR_ROW(flat_##name, __VA_ARGS__)    \
    SCALAR_ROW(global_##name, __VA_ARGS__)  \
    SCALAR_ROW(scratch_##name, __VA_ARGS__)
#define FG(name, D, A, flags, ...) SCALAR_ROW(global_##name, __VA_ARGS__)
#define FS(name, D, A, flags, ...) SCALAR_ROW(scratch_##name, __VA_ARGS__)
#define FA(name, D, A, flags, ...)          \
    SCALAR_ROW(flat_##name, __VA_ARGS__)    \
    SCALAR_ROW(global_##name, __VA_ARGS__)
#define MB(name, D, flags, ...) SCALAR_ROW(name, __VA_ARGS__)
#define GX(name, flags)

const AmdHandler LEVEL(amd_handlers)[AMD_OP_COUNT] = {
    [AMD_DUAL] = { LEVEL(h_dual), NULL },
#include "../rows/all.inc"
};
