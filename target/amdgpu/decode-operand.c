/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the decoders' operands have in common.
 */
#include "decode-int.h"

const uint8_t amd_type_sizes[] = {
    [T_none] = 0,
    [T_b16] = 1, [T_u16] = 1, [T_i16] = 1, [T_f16] = 1,
    [T_b32] = 1, [T_u32] = 1, [T_i32] = 1, [T_f32] = 1,
    [T_b64] = 2, [T_u64] = 2, [T_i64] = 2, [T_f64] = 2,
    [T_b96] = 3, [T_b128] = 4, [T_b256] = 8, [T_b512] = 16,
    [T_b1024] = 32,
    [T_pk16u] = 1, [T_pk16i] = 1, [T_pk16f] = 1,
    [T_mask] = 2,
};

bool amd_take_literal(Decode *d, unsigned dwords)
{
    const AmdInst *t = d->inst;
    bool wanted = d->insn->flags & INSN_LITERAL_K;

    for (int i = 0; i < t->nsrc; i++) {
        wanted |= t->src[i] == OPERAND_LITERAL;
    }
    if (!wanted) {
        return true;
    }
    if (d->count <= dwords) {
        return false;
    }
    d->inst->literal = d->words[dwords];
    d->inst->size += 4;
    return true;
}
