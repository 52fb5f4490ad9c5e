/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pairs of vector operations (VOPD) of gfx11 and gfx12.
 */
#include "vector.h"

enum { SGPR_VCC = 106 };

static const Field vopd_fields[] = {
    { FIELD_U16, 0, 9, MEMBER(src[0]) },
    { FIELD_VGPR, 9, 8, MEMBER(src[1]) },
    { FIELD_U16, 32, 9, MEMBER(y.src[0]) },
    { FIELD_VGPR, 41, 8, MEMBER(y.src[1]) },
    { FIELD_VGPR, 56, 8, MEMBER(dst) },
};

EXTRACTOR(vopd)

/* The operands of one of the two; returns their number, or 0. */
static unsigned pair_sources(Decode *d, const AmdInsn *insn, AmdOp op,
                             uint16_t *src)
{
    unsigned nsrc = 0;

    src[2] = OPERAND_NONE;
    if (insn->flags & INSN_LITERAL_K) {
        rdna_place_constant(op, src);
    } else if (insn->flags & INSN_CARRY_IN) {
        src[2] = SGPR_VCC;
    }
    for (int i = 0; i < 3; i++) {
        if (insn->src[i] == T_none) {
            if (i == 1 && src[i] != OPERAND_VGPR) { /* v_mov: v0 is nothing */
                return 0;
            }
            src[i] = OPERAND_NONE;
            continue;
        }
        if (!rdna_operand(&src[i], rdna_dwords(d, insn->src[i]),
                          OPND_ANY | OPND_LITERAL)) {
            return 0;
        }
        nsrc = i + 1;
    }
    return nsrc;
}

static bool names_literal(const uint16_t *src)
{
    return src[0] == OPERAND_LITERAL || src[1] == OPERAND_LITERAL ||
           src[2] == OPERAND_LITERAL;
}

static bool pair_literal(Decode *d)
{
    AmdInst *t = d->inst;

    if (!names_literal(t->src) && !names_literal(t->y.src)) {
        return true;
    }
    if (d->count <= 2) {
        return false;
    }
    t->literal = d->words[2];
    t->size += 4;
    return true;
}

static bool finish_vopd(Decode *d)
{
    AmdInst *t = d->inst;
    const RdnaOpcode *y = rdna_opcode(d->target, FAM_VOPDY,
                                      bits_at(d->bits, 17, 5));

    if (!y) {
        return false;
    }
    t->y.op = y->op;
    t->y.name = y->name;
    /* Y's is even if X's is odd, and the other way round. */
    t->y.dst = OPERAND_VGPR + (bits_at(d->bits, 49, 7) << 1 | !(t->dst & 1));
    t->nsrc = pair_sources(d, d->insn, t->op, t->src);
    t->y.nsrc = pair_sources(d, &amd_insns[y->op], y->op, t->y.src);
    return t->nsrc && t->y.nsrc && pair_literal(d);
}

const RdnaEncoding rdna_vopd = { OPCODES(VOPD), 2, 22, 4, vopd_extract,
                                 finish_vopd };
/* Looked up only. */
const RdnaEncoding rdna_vopdy = { OPCODES(VOPDY), 2, 17, 5, NULL, NULL };
