/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The handlers of one host level, and the macros that define them.
 *
 * The files of this folder are compiled once a host level with AMD_LEVEL
 * naming it, so every global name carries the level: LEVEL(x) is x_v3.
 */
#ifndef AMDGPU_EXEC_HANDLERS_H
#define AMDGPU_EXEC_HANDLERS_H

#include "../../engine/uop.h"
#include "../inst.h"
#include "../ops.h"
#include "../rows.h"

/* What executes an operation; NULL: this form has no meaning yet. */
typedef struct AmdHandler {
    UopFn *plain;    /* no modifiers */
    UopFn *modified; /* neg, abs, omod, clamp, op_sel, SDWA, DPP */
} AmdHandler;

/* Where the handler of all pairs (VOPD) is, which are no operation. */
#define AMD_DUAL AMD_none

extern const AmdHandler amd_handlers_v2[AMD_OP_COUNT];
extern const AmdHandler amd_handlers_v3[AMD_OP_COUNT];
extern const AmdHandler amd_handlers_v4[AMD_OP_COUNT];

/* Faults that stand in for what cannot be executed. */
UopFn amd_illegal;       /* no such instruction */
UopFn amd_unimplemented; /* no semantics yet; the fault names it */
UopFn amd_no_gds;        /* global data share, global wave sync */

#ifdef AMD_LEVEL
#define LEVEL_PASTE2(x, l) x##_##l
#define LEVEL_PASTE(x, l) LEVEL_PASTE2(x, l)
#define LEVEL(x) LEVEL_PASTE(x, AMD_LEVEL)

/* Define the handler of an operation, or of an operation's modified form. */
#define HANDLER(name) const Uop *LEVEL(h_##name)(Wave *wave, const Uop *u)
#define MODIFIED(name) const Uop *LEVEL(m_##name)(Wave *wave, const Uop *u)

/*
 * Define an operation whose handler calls a function that executes it and
 * returns what comes next, or NULL; compiled code calls that function as well.
 */
#define CALLED(name)                                                          \
    UopFn LEVEL(x_##name);                                                    \
    HANDLER(name)                                                             \
    {                                                                         \
        SLOW(wave, u, LEVEL(x_##name));                                       \
    }                                                                         \
    const Uop *LEVEL(x_##name)(Wave *wave, const Uop *u)

/* A meaning that is not there: any value does, it is never executed. */
#define NOSEM d
#define HAS_MEANING(...) (__builtin_strcmp(#__VA_ARGS__, "NOSEM") != 0)
#endif

#endif
