/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which additions to memory may be done late; engine/late.h says what that is.
 */
#include "lower.h"

/* Instructions that are looked at behind one. */
#define LOOK_AHEAD 32

enum { MSG_DEALLOC_VGPRS = 3 }; /* gfx11 on: says only that the end is near */

static bool is_candidate(const AmdInst *inst)
{
    return inst->op == AMD_global_atomic_add && inst->dst == OPERAND_NONE;
}

/* Does it nothing but to go on, and change registers? */
static bool goes_on(const AmdInst *inst)
{
    static const uint16_t scalar[] = {
        AMD_s_nop, AMD_s_clause, AMD_s_delay_alu, AMD_s_mov_b32, AMD_s_mov_b64,
        AMD_s_movk_i32, AMD_s_or_b32, AMD_s_or_b64, AMD_s_and_b32,
        AMD_s_and_b64, AMD_s_andn2_b32, AMD_s_andn2_b64, AMD_s_add_u32,
        AMD_s_addc_u32, AMD_s_lshl_b32, AMD_s_lshl_b64, AMD_s_lshr_b32,
        AMD_s_bfe_u32,
    };

    switch (amd_insns[inst->op].class) {
    case CLASS_V1: case CLASS_V2: case CLASS_V3: case CLASS_VC: case CLASS_VX:
    case CLASS_VPK:
        return true;
    default:
        break;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(scalar); i++) {
        if (inst->op == scalar[i]) {
            return true;
        }
    }
    return inst->op == AMD_s_sendmsg && inst->gen != GEN_9 &&
           inst->simm16 == MSG_DEALLOC_VGPRS;
}

bool amd_may_be_late(AmdDecodeFn *decode, const uint32_t *words,
                     unsigned count, const AmdInst *inst)
{
    AmdInst next = *inst;

    if (!is_candidate(inst)) {
        return false;
    }
    for (unsigned i = 0; i < LOOK_AHEAD; i++) {
        unsigned size = next.size / 4;

        if (count <= size) {
            return false;
        }
        words += size;
        count -= size;
        if (!decode(words, count, &next)) {
            return false;
        }
        if (next.op == AMD_s_endpgm) {
            return true;
        }
        if (!is_candidate(&next) && !goes_on(&next)) {
            return false;
        }
    }
    return false;
}
