/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Integer computations (linx-blocks sections 9.1, 9.2 and 10). */
#include <string.h>
#include "target/linx/alu.h"

#define MEANING(name, expression) \
    static uint64_t do_##name(const LinxOperands *x) \
    { \
        uint64_t a = x->a, b = x->b, c = x->c; \
        (void)a; (void)b; (void)c; \
        return expression; \
    }

MEANING(add, a + b)
MEANING(sub, a - b)
MEANING(and, a & b)
MEANING(or, a | b)
MEANING(xor, a ^ b)
MEANING(srl, a >> (b & 63))
MEANING(sra, (uint64_t)((int64_t)a >> (b & 63)))
MEANING(sll, a << (b & 63))
MEANING(srlw, (uint32_t)a >> (b & 31))
MEANING(sraw, (uint64_t)(int64_t)((int32_t)a >> (b & 31)))
MEANING(sllw, (uint32_t)a << (b & 31))
MEANING(eq, a == b)
MEANING(ne, a != b)
MEANING(both, (a & b) != 0)
MEANING(any, (a | b) != 0)
MEANING(lt, (int64_t)a < (int64_t)b)
MEANING(ge, (int64_t)a >= (int64_t)b)
MEANING(ltu, a < b)
MEANING(geu, a >= b)
MEANING(mul, a * b)
MEANING(madd, c + a * b)
MEANING(max, (int64_t)a > (int64_t)b ? a : b)
MEANING(min, (int64_t)a < (int64_t)b ? a : b)
MEANING(maxu, a > b ? a : b)
MEANING(minu, a < b ? a : b)
MEANING(csel, c ? a : b)
MEANING(divu, b ? a / b : ~0ull)
MEANING(remu, b ? a % b : a)
MEANING(div, !b ? ~0ull : b == ~0ull ? -a :
        (uint64_t)((int64_t)a / (int64_t)b))
MEANING(rem, !b ? a : b == ~0ull ? 0 : (uint64_t)((int64_t)a % (int64_t)b))
MEANING(divw, do_div(&(LinxOperands) { (int32_t)a, (int32_t)b }))
MEANING(remw, do_rem(&(LinxOperands) { (int32_t)a, (int32_t)b }))
MEANING(divuw, do_divu(&(LinxOperands) { (uint32_t)a, (uint32_t)b }))
MEANING(remuw, do_remu(&(LinxOperands) { (uint32_t)a, (uint32_t)b }))

/* ---- bits of a ring ---- */

static uint64_t ones(unsigned n)
{
    return n < 64 ? (1ull << n) - 1 : ~0ull;
}

/* @value, a ring of @width bits, turned so that bit @by becomes bit 0. */
static uint64_t turn(uint64_t value, unsigned width, unsigned by)
{
    value &= ones(width);
    by %= width;
    return by ? (value >> by | value << (width - by)) & ones(width) : value;
}

static uint64_t ring_field(const LinxOperands *x)
{
    return turn(x->a, x->width, x->at) & ones(x->bits);
}

static uint64_t ring_mask(const LinxOperands *x)
{
    return turn(ones(x->bits), x->width, x->width - x->at % x->width);
}

static uint64_t do_bxs(const LinxOperands *x)
{
    unsigned above = 64 - x->bits;

    return (uint64_t)((int64_t)(ring_field(x) << above) >> above);
}

MEANING(bic, a & ~ring_mask(x))
MEANING(bis, a | ring_mask(x))
MEANING(bcnt, __builtin_popcountll(ring_field(x)))

static uint64_t do_ctz(const LinxOperands *x)
{
    uint64_t field = ring_field(x);

    return field ? __builtin_ctzll(field) : x->bits;
}

static uint64_t do_clz(const LinxOperands *x)
{
    uint64_t field = ring_field(x);

    return field ? __builtin_clzll(field) - (64 - x->bits) : x->bits;
}

/* In each field of `at` bits, elements of `bits` bits change their order. */
static uint64_t do_rev(const LinxOperands *x)
{
    unsigned per_field = x->at / x->bits;
    uint64_t result = 0;

    for (unsigned i = 0; i < 64 / x->bits; i++) {
        unsigned to = i / per_field * per_field + per_field - 1 -
                      i % per_field;

        result |= (x->a >> (i * x->bits) & ones(x->bits)) << (to * x->bits);
    }
    return result;
}

/* ---- which instruction does what ---- */

enum { SAME_SIGN = 1, WORD = 2 };

typedef struct Meaning {
    LinxAluFn *fn, *unsigned_fn;
    uint8_t flags;
} Meaning;

#define BOTH(name, fn) \
    [LINX_V_##name] = { fn, fn }, [LINX_##name] = { fn, fn }
#define WORDS(name, fn) [LINX_##name] = { fn, fn, WORD }
#define ONE(name, fn) [LINX_##name] = { fn, fn }
#define SIGNED(name, fn, ufn) [LINX_V_##name] = { fn, ufn, SAME_SIGN }

static const Meaning meanings[LINX_OPS] = {
    BOTH(ADD, do_add), BOTH(SUB, do_sub), BOTH(AND, do_and),
    BOTH(OR, do_or), BOTH(XOR, do_xor),
    BOTH(SRL, do_srl), BOTH(SRA, do_sra), BOTH(SLL, do_sll),
    BOTH(ADDI, do_add), BOTH(SUBI, do_sub), BOTH(ANDI, do_and),
    BOTH(ORI, do_or), BOTH(XORI, do_xor),
    BOTH(SRLI, do_srl), BOTH(SRAI, do_sra), BOTH(SLLI, do_sll),
    BOTH(CMP_EQ, do_eq), BOTH(CMP_NE, do_ne), BOTH(CMP_AND, do_both),
    BOTH(CMP_OR, do_any), BOTH(CMP_LT, do_lt), BOTH(CMP_GE, do_ge),
    BOTH(CMP_LTU, do_ltu), BOTH(CMP_GEU, do_geu),
    BOTH(CMP_EQI, do_eq), BOTH(CMP_NEI, do_ne), BOTH(CMP_ANDI, do_both),
    BOTH(CMP_ORI, do_any), BOTH(CMP_LTI, do_lt), BOTH(CMP_GEI, do_ge),
    BOTH(CMP_LTUI, do_ltu), BOTH(CMP_GEUI, do_geu),
    BOTH(BXS, do_bxs), BOTH(BXU, ring_field), BOTH(BIC, do_bic),
    BOTH(BIS, do_bis), BOTH(CTZ, do_ctz), BOTH(CLZ, do_clz),
    BOTH(BCNT, do_bcnt), BOTH(REV, do_rev),
    BOTH(CSEL, do_csel), BOTH(MADD, do_madd),
    SIGNED(MUL, do_mul, do_mul), SIGNED(DIV, do_div, do_divu),
    SIGNED(REM, do_rem, do_remu), SIGNED(MAX, do_max, do_maxu),
    SIGNED(MIN, do_min, do_minu),
    WORDS(ADDW, do_add), WORDS(SUBW, do_sub), WORDS(ANDW, do_and),
    WORDS(ORW, do_or), WORDS(XORW, do_xor), WORDS(SRLW, do_srlw),
    WORDS(SRAW, do_sraw), WORDS(SLLW, do_sllw), WORDS(ADDIW, do_add),
    WORDS(SUBIW, do_sub), WORDS(ANDIW, do_and), WORDS(ORIW, do_or),
    WORDS(XORIW, do_xor), WORDS(SRLIW, do_srlw), WORDS(SRAIW, do_sraw),
    WORDS(SLLIW, do_sllw), WORDS(MULW, do_mul), WORDS(MULUW, do_mul),
    WORDS(MADDW, do_madd), WORDS(DIVW, do_divw), WORDS(DIVUW, do_divuw),
    WORDS(REMW, do_remw), WORDS(REMUW, do_remuw),
    ONE(MUL, do_mul), ONE(MULU, do_mul), ONE(DIV, do_div),
    ONE(DIVU, do_divu), ONE(REM, do_rem), ONE(REMU, do_remu),
};

LinxAluFn *linx_alu(LinxOp op, bool is_signed)
{
    return is_signed ? meanings[op].fn : meanings[op].unsigned_fn;
}

bool linx_alu_same_sign(LinxOp op)
{
    return meanings[op].flags & SAME_SIGN;
}

bool linx_alu_is_word(LinxOp op)
{
    return meanings[op].flags & WORD;
}
