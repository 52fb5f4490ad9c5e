/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Vectors of a whole program whose lanes follow from one scalar.
 *
 * A wave begins with its lanes' numbers, so what it computes of them, with the
 * same for all lanes, goes up in step from lane to lane: mostly addresses.
 * Here such vectors are known by their first lane, and computed as a scalar.
 * As vectors they are made where somebody wants them, often nobody but a way
 * out of the program.
 *
 * In lane i of a slice there is base + offset + i * stride, modulo 2^32, where
 * the base is a scalar of the program and all else is constant; in a mask, a
 * base of one bit.  The base of a constant is 0.  In wave k of those that run at
 * once (together.c) it is k * wave more.
 *
 * All of it is exact but for some comparisons: that all lanes come to the same
 * is supposed, and the program left if not (group_rare()).
 */
#include <string.h>
#include "group.h"

struct Affine {
    LLVMValueRef base;
    uint32_t offset, stride;
    uint32_t wave;  /* from one wave to the next, of those that run at once */
    unsigned zeros; /* low bits of the base that are 0, 32: all */
    unsigned sum;   /* of a sum with something uniform: the zeros before */
};

/* ---- scalars, each computed once ---- */

typedef struct Computed {
    int what; /* an opcode, or -1 less a predicate */
    LLVMValueRef a, b, v; /* b is NULL for a cast */
} Computed;

static guint computed_hash(gconstpointer p)
{
    const Computed *c = p;

    return g_direct_hash(c->a) * 31 + g_direct_hash(c->b) * 7 +
           (unsigned)c->what;
}

static gboolean computed_equal(gconstpointer p, gconstpointer q)
{
    const Computed *c = p, *d = q;

    return c->what == d->what && c->a == d->a && c->b == d->b;
}

static LLVMValueRef build_scalar(Group *g, const Computed *c)
{
    LLVMBuilderRef b = together_scalars(g);

    if (c->what < 0) {
        return LLVMBuildICmp(b, (LLVMIntPredicate)(-1 - c->what), c->a, c->b,
                             "");
    }
    return c->b ? LLVMBuildBinOp(b, (LLVMOpcode)c->what, c->a, c->b, "")
                : LLVMBuildCast(b, (LLVMOpcode)c->what, c->a, g->r->i32, "");
}

static LLVMValueRef compute(Group *g, int what, LLVMValueRef a, LLVMValueRef b)
{
    Computed key = { what, a, b, NULL };
    Computed *found = g_hash_table_lookup(g->computed, &key);

    if (!found) {
        key.v = build_scalar(g, &key);
        found = g_memdup2(&key, sizeof(key));
        g_hash_table_add(g->computed, found);
    }
    return found->v;
}

static LLVMValueRef compare(Group *g, LLVMIntPredicate predicate,
                            LLVMValueRef a, LLVMValueRef b)
{
    return compute(g, -1 - (int)predicate, a, b);
}

/* @a @op @b, of which 0 on the right changes nothing. */
static LLVMValueRef operate(Group *g, LLVMOpcode op, LLVMValueRef a,
                            LLVMValueRef b)
{
    bool either = op == LLVMAdd || op == LLVMOr || op == LLVMXor;

    if (LLVMIsNull(b) && op != LLVMMul && op != LLVMAnd) {
        return a;
    }
    return either && LLVMIsNull(a) ? b : compute(g, (int)op, a, b);
}

static LLVMValueRef constant32(Group *g, uint32_t x)
{
    return LLVMConstInt(g->r->i32, x, false);
}

/* ---- what is known of a value ---- */

/* Lanes, or bits of a slice of a mask, and how many bits each of them has. */
static unsigned lane_bits(LLVMTypeRef type)
{
    LLVMTypeRef lane = type;

    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
        if (LLVMGetVectorSize(type) != 16) {
            return 0;
        }
        lane = LLVMGetElementType(type);
    }
    return LLVMGetTypeKind(lane) == LLVMIntegerTypeKind
               ? LLVMGetIntTypeWidth(lane) : 0;
}

static bool is_mask(const Affine *a)
{
    return LLVMGetIntTypeWidth(LLVMTypeOf(a->base)) == 1;
}

static bool is_uniform(const Affine *a)
{
    return a->stride == 0 && a->wave == 0;
}

static bool is_constant(const Affine *a)
{
    return LLVMIsAConstantInt(a->base);
}

/* A scalar without a part that is known. */
static Affine affine_of(Group *g, LLVMValueRef base)
{
    Affine a = { .base = base };

    if (LLVMIsAConstantInt(base) && lane_bits(LLVMTypeOf(base)) == 32) {
        a.offset = (uint32_t)LLVMConstIntGetZExtValue(base);
        a.base = constant32(g, 0);
        a.zeros = 32;
    }
    return a;
}

static bool constant_lane(LLVMValueRef v, unsigned i, uint32_t *x)
{
    LLVMValueRef lane = LLVMGetAggregateElement(v, i);

    if (!lane || !LLVMIsAConstantInt(lane)) {
        return false;
    }
    *x = (uint32_t)LLVMConstIntGetZExtValue(lane);
    return true;
}

static bool find_constant(Group *g, LLVMValueRef v, Affine *a)
{
    uint32_t first, second, x;

    if (!constant_lane(v, 0, &first) || !constant_lane(v, 1, &second)) {
        return false;
    }
    for (unsigned i = 2; i < 16; i++) {
        if (!constant_lane(v, i, &x) || x - first != (second - first) * i) {
            return false;
        }
    }
    if (lane_bits(LLVMTypeOf(v)) == 1) {
        *a = (Affine){ .base = LLVMGetAggregateElement(v, 0) };
        return first == second;
    }
    *a = (Affine){ .base = constant32(g, 0), .offset = first,
                    .stride = second - first, .zeros = 32 };
    return lane_bits(LLVMTypeOf(v)) == 32;
}

/* Are all lanes of the shuffle @v the first one of what it shuffles? */
static bool spreads_first(LLVMValueRef v)
{
    unsigned count = LLVMGetNumMaskElements(v);

    for (unsigned i = 0; i < count; i++) {
        if (LLVMGetMaskValue(v, i) != 0) {
            return false;
        }
    }
    return count == 16;
}

/* The scalar that the vector @v has in its first lane, if it was put there. */
static LLVMValueRef first_of(LLVMValueRef v)
{
    LLVMValueRef at = LLVMIsAInsertElementInst(v) ? LLVMGetOperand(v, 2) : NULL;

    return at && LLVMIsAConstantInt(at) && LLVMConstIntGetZExtValue(at) == 0
               ? LLVMGetOperand(v, 1) : NULL;
}

static const Affine *known(const Group *g, LLVMValueRef v)
{
    return g_hash_table_lookup(g->affine, v);
}

static bool find_splat(Group *g, LLVMValueRef v, Affine *a)
{
    LLVMValueRef x = LLVMIsAShuffleVectorInst(v) && spreads_first(v)
                         ? first_of(LLVMGetOperand(v, 0)) : NULL;

    if (!x || lane_bits(LLVMTypeOf(x)) != 32 || together_inside(g, x)) {
        return false;
    }
    *a = known(g, x) ? *known(g, x) : affine_of(g, x);
    return true;
}

/* Only vectors, and scalars that were parts of some. */
static bool find(Group *g, LLVMValueRef v, Affine *a)
{
    unsigned bits = v ? lane_bits(LLVMTypeOf(v)) : 0;

    if (bits != 32 && bits != 1 && bits != 16) {
        return false;
    }
    if (known(g, v)) {
        *a = *known(g, v);
        return true;
    }
    if (!is_vector(v)) {
        *a = affine_of(g, v);
        return bits == 32 && LLVMIsAConstantInt(v);
    }
    return LLVMIsAConstant(v) ? find_constant(g, v, a) : find_splat(g, v, a);
}

/* ---- as values ---- */

static LLVMValueRef step_vector(Group *g, const Affine *a)
{
    LLVMValueRef lane[16];

    for (unsigned i = 0; i < 16; i++) {
        lane[i] = constant32(g, a->offset + i * a->stride);
    }
    return LLVMConstVector(lane, 16);
}

static LLVMValueRef build_number(Group *g, const Affine *a)
{
    return operate(g, LLVMAdd, a->base, constant32(g, a->offset));
}

/* What is the same in all lanes. */
static LLVMValueRef uniform(Group *g, const Affine *a)
{
    return is_mask(a) ? a->base : build_number(g, a);
}

static LLVMValueRef build_steps(Group *g, const Affine *a)
{
    LLVMTypeRef type = LLVMVectorType(g->r->i32, 16);
    LLVMValueRef steps = step_vector(g, a);

    if (is_constant(a)) {
        return steps;
    }
    return LLVMIsNull(steps)
               ? region_splat(g->r, a->base, type)
               : LLVMBuildAdd(g->r->builder,
                              region_splat(g->r, a->base, type), steps, "");
}

/* What differs from wave to wave is made for the one at hand. */
static LLVMValueRef build_vector(Group *g, const Affine *a)
{
    LLVMBuilderRef here = g->r->builder;
    Affine at = *a;
    LLVMValueRef v;

    if (a->wave == 0) {
        return build_steps(g, a);
    }
    g->r->builder = g->body;
    v = LLVMBuildMul(g->body, g->place, constant32(g, a->wave), "");
    at.base = LLVMBuildAdd(g->body, a->base, v, "");
    v = build_steps(g, &at);
    together_mark(g);
    g->r->builder = here;
    return v;
}

/* The bit @a in all lanes, as @type. */
static LLVMValueRef build_mask(Group *g, const Affine *a, LLVMTypeRef type)
{
    LLVMTypeRef bits = LLVMInt16TypeInContext(g->r->context);
    LLVMValueRef v = LLVMBuildSExt(together_scalars(g), a->base, bits, "");

    return LLVMBuildBitCast(together_scalars(g), v, type, "");
}

static LLVMValueRef build(Group *g, const Affine *a, LLVMTypeRef type)
{
    bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;

    if (type == LLVMTypeOf(a->base)) {
        return uniform(g, a);
    }
    return is_mask(a) ? build_mask(g, a, type) : vector ? build_vector(g, a)
                                                        : uniform(g, a);
}

static LLVMValueRef make(Group *g, const Affine *a, LLVMTypeRef type)
{
    LLVMValueRef v = build(g, a, type);

    if (!LLVMIsConstant(v)) {
        g_hash_table_insert(g->affine, v, g_memdup2(a, sizeof(*a)));
    }
    return v;
}

/* ---- arithmetic ---- */

static unsigned low_zeros(uint32_t x)
{
    return x ? (unsigned)__builtin_ctz(x) : 32;
}

/* The most that the last of several waves adds. */
static uint64_t last_wave(Group *g, const Affine *a)
{
    return (JIT_TOGETHER / g->r->job->lanes - 1) * (uint64_t)a->wave;
}

/* The most that lanes add to the base; they must not be in its way. */
static uint64_t reach(Group *g, const Affine *a)
{
    return a->offset + 15 * (uint64_t)a->stride + last_wave(g, a);
}

/* Is each lane made of the base's bits and, below them, its own? */
static bool is_apart(Group *g, const Affine *a, unsigned zeros)
{
    return reach(g, a) >> zeros == 0;
}

static bool add(Group *g, LLVMOpcode op, const Affine *a, const Affine *b,
                Affine *to)
{
    uint32_t sign = op == LLVMSub ? UINT32_MAX : 1;

    *to = (Affine){ operate(g, op, a->base, b->base),
                    a->offset + sign * b->offset,
                    a->stride + sign * b->stride, a->wave + sign * b->wave,
                    MIN(a->zeros, b->zeros),
                    op == LLVMAdd && is_uniform(b) && b->offset == 0
                        ? a->zeros : 0 };
    return true;
}

/* By a constant. */
static bool multiply(Group *g, const Affine *a, uint32_t x, Affine *to)
{
    *to = (Affine){ compute(g, LLVMMul, a->base, constant32(g, x)),
                    a->offset * x, a->stride * x, a->wave * x,
                    MIN(a->zeros + low_zeros(x), 32), 0 };
    return true;
}

static bool shift_right(Group *g, const Affine *a, unsigned by, Affine *to)
{
    uint32_t lost = (1u << by) - 1;

    if (!is_apart(g, a, a->zeros)) {
        return false;
    }
    *to = (Affine){ operate(g, LLVMLShr, a->base, constant32(g, by)),
                    a->offset >> by, a->stride >> by, a->wave >> by,
                    is_constant(a) ? 32 : a->zeros - MIN(by, a->zeros), 0 };
    return reach(g, a) <= lost ||
           ((a->offset | a->stride | a->wave) & lost) == 0;
}

/* With a constant that keeps all lanes' own bits, or none. */
static bool mask_out(Group *g, const Affine *a, uint32_t x, Affine *to)
{
    uint32_t own = a->zeros < 32 ? (1u << a->zeros) - 1 : UINT32_MAX;
    bool keeps = (x & own) == own;

    if (!is_apart(g, a, a->zeros) || (!keeps && x & own)) {
        return false;
    }
    *to = (Affine){ .base = compute(g, LLVMAnd, a->base, constant32(g, x)),
                    .zeros = a->zeros };
    if (keeps) {
        to->offset = a->offset;
        to->stride = a->stride;
        to->wave = a->wave;
    }
    return true;
}

/* One that is uniform has only bits above those of the other's lanes. */
static bool join(Group *g, const Affine *a, const Affine *b, Affine *to)
{
    Affine u = { .base = uniform(g, b),
                 .zeros = is_constant(b) ? low_zeros(b->offset)
                                         : b->offset ? 0 : b->zeros };
    unsigned zeros = MIN(a->zeros, u.zeros);

    if (!is_apart(g, a, zeros)) {
        return false;
    }
    *to = (Affine){ operate(g, LLVMOr, a->base, u.base), a->offset, a->stride,
                    a->wave, zeros, 0 };
    return !is_constant(a);
}

static bool same(const Affine *a, const Affine *b)
{
    return a->base == b->base && a->offset == b->offset &&
           a->stride == b->stride && a->wave == b->wave;
}

/* With a constant on the right. */
static bool by_constant(Group *g, LLVMOpcode op, const Affine *a, uint32_t x,
                        Affine *to)
{
    switch (op) {
    case LLVMMul:
        return multiply(g, a, x, to);
    case LLVMShl:
        return x < 32 && multiply(g, a, 1u << x, to);
    case LLVMLShr:
        return x < 32 && shift_right(g, a, x, to);
    case LLVMAnd:
        return mask_out(g, a, x, to);
    default:
        return false;
    }
}

static bool commutes(LLVMOpcode op)
{
    return op == LLVMAdd || op == LLVMMul || op == LLVMAnd || op == LLVMOr;
}

/* Lanes of 32 bits that differ. */
static bool in_step(Group *g, LLVMOpcode op, const Affine *a, const Affine *b,
                    Affine *to)
{
    if (is_uniform(a) && !is_uniform(b) && commutes(op)) {
        return in_step(g, op, b, a, to);
    }
    if (op == LLVMAdd || op == LLVMSub) {
        return add(g, op, a, b, to);
    }
    if (op == LLVMXor && same(a, b)) {
        *to = affine_of(g, constant32(g, 0));
        return true;
    }
    if (!is_uniform(b)) {
        return false;
    }
    return op == LLVMOr ? join(g, a, b, to)
                        : is_constant(b) && by_constant(g, op, a, b->offset,
                                                        to);
}

static bool binary(Group *g, LLVMOpcode op, const Affine *a, const Affine *b,
                   Affine *to)
{
    bool keeps = op == LLVMAdd || (op == LLVMShl && is_constant(b));

    if (!is_mask(a) && (keeps || !is_uniform(a) || !is_uniform(b))) {
        return in_step(g, op, a, b, to);
    }
    if (op == LLVMXor && same(a, b)) {
        *to = affine_of(g, LLVMConstNull(LLVMTypeOf(a->base)));
    } else {
        *to = affine_of(g, operate(g, op, uniform(g, a), uniform(g, b)));
    }
    return true;
}

/* ---- comparisons ---- */

/* What @predicate is with its operands exchanged. */
static LLVMIntPredicate exchanged(LLVMIntPredicate predicate)
{
    switch (predicate) {
    case LLVMIntUGT: return LLVMIntULT;
    case LLVMIntUGE: return LLVMIntULE;
    case LLVMIntULT: return LLVMIntUGT;
    case LLVMIntULE: return LLVMIntUGE;
    case LLVMIntSGT: return LLVMIntSLT;
    case LLVMIntSGE: return LLVMIntSLE;
    case LLVMIntSLT: return LLVMIntSGT;
    case LLVMIntSLE: return LLVMIntSGE;
    default: return predicate;
    }
}

static bool is_order(LLVMIntPredicate predicate)
{
    return predicate != LLVMIntEQ && predicate != LLVMIntNE;
}

static bool is_signed(LLVMIntPredicate predicate)
{
    return predicate >= LLVMIntSGT;
}

/* Is @inst x + y < y, the carry of a sum? */
static bool is_carry(LLVMValueRef inst)
{
    LLVMValueRef sum = LLVMGetOperand(inst, 0), y = LLVMGetOperand(inst, 1);

    return LLVMGetICmpPredicate(inst) == LLVMIntULT &&
           LLVMIsAInstruction(sum) &&
           LLVMGetInstructionOpcode(sum) == LLVMAdd &&
           (LLVMGetOperand(sum, 0) == y || LLVMGetOperand(sum, 1) == y);
}

/* The first lane of the wave and the last one, or of all that run at once. */
static void wave_ends(Group *g, const Affine *a, LLVMValueRef *end)
{
    Affine low = { .base = a->base,
                   .offset = a->offset - 16 * g->slice * a->stride };
    Affine high = low;

    high.offset += (g->r->job->lanes - 1) * a->stride;
    end[0] = build_number(g, &low);
    end[1] = build_number(g, &high);
    if (a->wave) {
        LLVMValueRef behind = compute(g, LLVMSub, g->waves, constant32(g, 1));

        end[1] = compute(g, LLVMAdd, end[1],
                         compute(g, LLVMMul, behind, constant32(g, a->wave)));
    }
}

/*
 * x + y < y, the carry of the sum @a.  Where x is numbers of lanes below the
 * bits of something uniform it does not wrap around.  So all lanes have the same
 * carry unless some lanes of the sum wrap around and some do not.
 */
static void carry(Group *g, const Affine *a, const Affine *b, Affine *to)
{
    LLVMValueRef end[2];

    wave_ends(g, a, end);
    group_rare(g, compare(g, LLVMIntULT, end[1], end[0]));
    *to = affine_of(g, compare(g, LLVMIntULT, end[0], uniform(g, b)));
}

/* It is likely that all lanes meet the condition.  Then they go up in step. */
static void all_meet(Group *g, LLVMIntPredicate predicate, const Affine *a,
                     const Affine *b, Affine *to)
{
    LLVMIntPredicate less = is_signed(predicate) ? LLVMIntSLT : LLVMIntULT;
    LLVMTypeRef bit = LLVMInt1TypeInContext(g->r->context);
    LLVMValueRef end[2], yes = LLVMConstInt(bit, 1, false);

    wave_ends(g, a, end);
    group_rare(g, compare(g, less, end[1], end[0]));
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef meets = compare(g, predicate, end[i], uniform(g, b));

        group_rare(g, operate(g, LLVMXor, meets, yes));
    }
    *to = affine_of(g, yes);
}

/* Is @a, which is no more than its carry's sum, one of numbers as above? */
static bool is_sum(Group *g, const Affine *a)
{
    uint64_t first = a->offset - 16 * g->slice * a->stride;

    return first + (g->r->job->lanes - 1) * (uint64_t)a->stride +
           last_wave(g, a) < 1ull << a->sum;
}

static bool comparison(Group *g, LLVMValueRef inst, const Affine *a,
                       const Affine *b, Affine *to)
{
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(inst);

    if (is_mask(a)) {
        return false;
    }
    if (is_uniform(a) && is_uniform(b)) {
        *to = affine_of(g, compare(g, predicate, uniform(g, a),
                                   uniform(g, b)));
        return true;
    }
    if (is_uniform(a)) {
        const Affine *c = a;

        a = b;
        b = c;
        predicate = exchanged(predicate);
    }
    if (!is_uniform(b) || a->stride > UINT32_MAX / JIT_TOGETHER ||
        a->wave > UINT32_MAX / 32) {
        return false;
    }
    if (predicate == LLVMIntULT && is_carry(inst) && is_sum(g, a)) {
        carry(g, a, b, to);
        return true;
    }
    if (g->narrows && is_order(predicate)) {
        all_meet(g, predicate, a, b, to);
        return true;
    }
    return false;
}

/* ---- the rest ---- */

static LLVMValueRef choice(Group *g, const Affine *c, LLVMValueRef yes,
                           LLVMValueRef no)
{
    Affine a, b, to;

    if (LLVMIsAConstantInt(c->base)) {
        return LLVMIsNull(c->base) ? no : yes;
    }
    if (!find(g, yes, &a) || !find(g, no, &b) || !is_uniform(&a) ||
        !is_uniform(&b)) {
        return NULL;
    }
    to = affine_of(g, LLVMBuildSelect(together_scalars(g), c->base,
                                      uniform(g, &a), uniform(g, &b), ""));
    return make(g, &to, LLVMTypeOf(yes));
}

/* The bits of a mask, as numbers. */
static LLVMValueRef extend(Group *g, LLVMOpcode op, const Affine *a,
                           LLVMTypeRef type)
{
    Affine to;

    if (!is_mask(a) || lane_bits(type) != 32) {
        return NULL;
    }
    to = affine_of(g, compute(g, (int)op, a->base, NULL));
    return make(g, &to, type);
}

/*
 * A scalar cannot differ from wave to wave, but for an address that goes up
 * from lane to lane across them all: that of the first wave stands for them.
 */
static LLVMValueRef element(Group *g, const Affine *a, LLVMValueRef at)
{
    Affine to = *a;

    if (is_mask(a) || !LLVMIsAConstantInt(at) ||
        (a->wave && !(g->address &&
                      a->wave == g->r->job->lanes * a->stride))) {
        return NULL;
    }
    to.offset += a->stride * (uint32_t)LLVMConstIntGetZExtValue(at);
    to.stride = 0;
    return make(g, &to, g->r->i32);
}

static LLVMValueRef spread(Group *g, LLVMValueRef inst, const Affine *a)
{
    Affine to = *a;

    if (!spreads_first(inst)) {
        return NULL;
    }
    to.stride = 0;
    return make(g, &to, LLVMTypeOf(inst));
}

static LLVMValueRef arithmetic(Group *g, LLVMValueRef inst, LLVMOpcode op,
                               const Affine *a, LLVMValueRef other)
{
    Affine b, to;
    bool done;

    if (!find(g, other, &b) || is_mask(a) != is_mask(&b)) {
        return NULL;
    }
    done = op == LLVMICmp ? comparison(g, inst, a, &b, &to)
                          : binary(g, op, a, &b, &to);
    return done ? make(g, &to, LLVMTypeOf(inst)) : NULL;
}

bool affine_wants(LLVMValueRef inst)
{
    LLVMValueRef of = LLVMGetNumOperands(inst) ? LLVMGetOperand(inst, 0) : NULL;

    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMAdd: case LLVMSub: case LLVMMul: case LLVMShl: case LLVMLShr:
    case LLVMAShr: case LLVMAnd: case LLVMOr: case LLVMXor: case LLVMICmp:
    case LLVMSelect: case LLVMZExt: case LLVMSExt: case LLVMBitCast:
    case LLVMExtractElement: case LLVMShuffleVector:
        return lane_bits(LLVMTypeOf(of)) && lane_bits(LLVMTypeOf(inst));
    default:
        return false;
    }
}

LLVMValueRef affine_copy(Group *g, LLVMValueRef inst, LLVMValueRef *operand)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);
    Affine a;

    if (!find(g, operand[0], &a) ||
        (is_mask(&a) && !is_vector(operand[0]) && op != LLVMBitCast)) {
        return NULL;
    }
    switch (op) {
    case LLVMAdd: case LLVMSub: case LLVMMul: case LLVMShl: case LLVMLShr:
    case LLVMAShr: case LLVMAnd: case LLVMOr: case LLVMXor: case LLVMICmp:
        return arithmetic(g, inst, op, &a, operand[1]);
    case LLVMSelect:
        return is_mask(&a) ? choice(g, &a, operand[1], operand[2]) : NULL;
    case LLVMZExt: case LLVMSExt:
        return extend(g, op, &a, LLVMTypeOf(inst));
    case LLVMBitCast:
        return affine_cast(g, operand[0], LLVMTypeOf(inst));
    case LLVMExtractElement:
        return element(g, &a, operand[1]);
    case LLVMShuffleVector:
        return spread(g, inst, &a);
    default:
        return NULL;
    }
}

LLVMValueRef affine_cast(Group *g, LLVMValueRef v, LLVMTypeRef type)
{
    const Affine *a = known(g, v);
    unsigned bits = lane_bits(type);

    return a && is_mask(a) && (bits == 1 || bits == 16) ? make(g, a, type)
                                                        : NULL;
}

LLVMValueRef affine_lane(Group *g, LLVMValueRef v, unsigned lane)
{
    LLVMValueRef at = LLVMConstInt(g->r->i64, lane, false);
    Affine a;

    return find(g, v, &a) ? element(g, &a, at) : NULL;
}

LLVMValueRef affine_numbers(Group *g, LLVMValueRef first, unsigned slice)
{
    Affine a = { first, 16 * slice, 1, 0, low_zeros(g->r->job->lanes), 0 };

    if (g->scalars) {
        a.wave = g->r->job->lanes;
        a.zeros = low_zeros(JIT_TOGETHER);
    }
    return make(g, &a, LLVMVectorType(g->r->i32, 16));
}

/* The bit @v, whose comparisons nobody else may want. */
static LLVMValueRef bit_again(Group *g, LLVMValueRef v, unsigned depth)
{
    LLVMValueRef again;

    if (!LLVMIsAInstruction(v) || !depth || LLVMIsAPHINode(v) ||
        LLVMIsALoadInst(v) || LLVMIsACallInst(v)) {
        return v;
    }
    again = LLVMInstructionClone(v);
    for (int i = 0; i < LLVMGetNumOperands(v); i++) {
        LLVMValueRef of = LLVMGetOperand(v, (unsigned)i);

        if (lane_bits(LLVMTypeOf(of)) == 1) {
            LLVMSetOperand(again, (unsigned)i, bit_again(g, of, depth - 1));
        }
    }
    LLVMInsertIntoBuilder(g->r->builder, again);
    return again;
}

LLVMValueRef affine_again(Group *g, LLVMValueRef v)
{
    const Affine *a = known(g, v);
    Affine again;

    if (!a) {
        return v;
    }
    again = *a;
    if (is_mask(a)) {
        again.base = bit_again(g, a->base, 4);
    }
    return build(g, &again, LLVMTypeOf(v));
}

/* ---- from beginning to end ---- */

void affine_open(Group *g)
{
    g->affine = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    g->computed = g_hash_table_new_full(computed_hash, computed_equal, g_free,
                                        NULL);
}

void affine_undo(Group *g)
{
    if (g->computed) {
        g_hash_table_remove_all(g->computed);
    }
}

void affine_close(Group *g)
{
    g_hash_table_destroy(g->affine);
    g_hash_table_destroy(g->computed);
}
