/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Row macros that turn the meanings of scalar instructions into handlers.
 *
 * A meaning is one or more statements.  a and b are the sources, d is the
 * result (with INSN_DST_SRC it starts as the old destination), scc the flag, k
 * the sign-extended simm16, w the wave.  Control flow ends a meaning with one
 * of the macros below.
 */
#ifndef AMDGPU_EXEC_SCALAR_H
#define AMDGPU_EXEC_SCALAR_H

#include "handlers.h"
#include "convert.h"
#include "float.h"
#include "half.h"
#include "operand.h"
#include "../hwreg.h"
#include "../isa.h"
#include "../mods.h"
#include "../trap.h"

#undef NOSEM
#define NOSEM d = 0

/* ---- control flow ---- */

/* A branch's target in the same page, or NULL. */
INL const Uop *near_target(const Wave *wave, const Uop *u)
{
    const Uop *target = u + (int32_t)u->src[2] + 1;

    return likely((size_t)(target - wave->page->uops) < PAGE_SLOTS) ? target :
                                                                      NULL;
}

/* The branch of @u to another page. */
static const Uop *far_branch(Wave *wave, const Uop *u)
{
    const Uop *target = wave_branch(wave, u, (int32_t)u->src[2] + 1);

    if (!target) {
        return NULL;
    }
    GOTO(wave, target);
}

/*
 * Branch if @condition holds, by simm16 from the next dword.  A quantum is a
 * number of taken branches.
 */
#define BRANCH(condition)                                                     \
    if (condition) {                                                          \
        const Uop *target_ = near_target(wave, u);                            \
                                                                              \
        if (unlikely(!target_)) {                                             \
            TAIL(wave, u, far_branch);                                        \
        }                                                                     \
        if (unlikely(wave_quantum_over(wave))) {                              \
            LEAVE(wave, target_);                                             \
        }                                                                     \
        GOTO(wave, target_);                                                  \
    }

/* Go on at address @pc. */
#define JUMP(pc)                                                              \
    do {                                                                      \
        const Uop *target_ = wave_goto(wave, (pc) & ~3ull);                   \
                                                                              \
        if (!target_) {                                                       \
            return NULL;                                                      \
        }                                                                     \
        if (wave_quantum_over(wave)) {                                        \
            LEAVE(wave, target_);                                             \
        }                                                                     \
        GOTO(wave, target_);                                                  \
    } while (0)

/* Stop running in @new_state; go on behind this instruction, if ever. */
#define STOP(new_state)                                                       \
    do {                                                                      \
        wave->state = (new_state);                                            \
        LEAVE(wave, u + u->len);                                              \
    } while (0)

/* Address of the instruction after this one. */
#define NEXT_PC() (wave_pc(wave, u) + 4u * MOD(u, DWORDS, 3))

/* s_trap: number 0 is reserved and does nothing. */
#define TRAP(id)                                                              \
    if ((id) != 0) {                                                          \
        FOLLOW(wave, amd_trap(w, u, (id)));                                   \
    }

/* s_rfe_b64: only a trap handler returns from one. */
#define RETURN_TO(pc)                                                         \
    if (!w->privileged) {                                                     \
        TAIL(wave, u, amd_illegal);                                           \
    } else if (w->halted) {                                                   \
        LEAVE(wave, u); /* asked for with s_sethalt in the handler */         \
    }                                                                         \
    w->privileged = false;                                                    \
    JUMP((pc) & 0xffffffffffff)

/* s_sethalt: in a trap handler it waits for the return. */
#define HALT(on)                                                              \
    w->halted = (on) && w->privileged;                                        \
    if ((on) && !w->privileged) {                                             \
        LEAVE(wave, u);                                                       \
    }

/* s_sendmsg: of the messages only the interrupt means something to compute. */
#define SEND_MESSAGE(message)                                                 \
    if (((message) & (w->isa->gen == GEN_9 ? 0xf : 0xff)) == 1) {             \
        wave_message(wave, w->s[SGPR_M0]);                                    \
    }

/*
 * MODE may ask for single steps now: then return to the loop, which does them
 * (exec/step.c).
 */
#ifdef ENGINE_BITCODE
const Uop *amd_go_away(const Uop *u); /* not on in compiled code */
#define RETURN_AWAY(u) return amd_go_away(u)
#else
#define RETURN_AWAY(u) return (u)
#endif
#define MODE_WRITTEN()                                                        \
    if (w->mode & MODE_STEP) {                                                \
        RETURN_AWAY(u + u->len);                                              \
    }

#define SETREG(field, value)                                                  \
    amd_setreg(w, (field), (value));                                          \
    MODE_WRITTEN()

#define SET_MODE_BIT(bit, on)                                                 \
    w->mode = (on) ? w->mode | (bit) : w->mode & ~(uint32_t)(bit);            \
    MODE_WRITTEN()

/* s_round_mode, s_denorm_mode: fields of MODE that are 4 bits. */
INL void set_mode_field(AmdWave *w, uint32_t field, uint32_t value)
{
    w->mode = (w->mode & ~field) | (value * (field & -field) & field);
    amd_mode_changed(w);
}

/*
 * Vector code of waves of 64 lanes between s_subvector_loop_begin and _end is
 * executed for the lower half of the lanes and then for the upper one; the
 * register @d keeps the half of EXEC that is not at it.  In a wave of 32 lanes
 * the instructions do nothing.
 */
#define SUBVECTOR_BEGIN(d)                                                    \
    if (!w->half) {                                                           \
        if (EXEC == 0) {                                                      \
            BRANCH(true);                                                     \
        } else if (EXEC_LO == 0) {                                            \
            d = 0;                                                            \
        } else {                                                              \
            d = w->s[SGPR_EXEC + 1];                                          \
            set_exec(w, EXEC_LO);                                             \
        }                                                                     \
    }

#define SUBVECTOR_END(d)                                                      \
    if (!w->half) {                                                           \
        if (EXEC >> 32) {                                                     \
            set_exec(w, (EXEC & ~(uint64_t)UINT32_MAX) | d);                  \
        } else if (d) {                                                       \
            uint64_t high = (uint64_t)d << 32;                                \
                                                                              \
            b32_sput(w, u, EXEC_LO);                                          \
            set_exec(w, high);                                                \
            BRANCH(true);                                                     \
        }                                                                     \
    }

/* ---- split barriers (gfx12) ---- */

/*
 * Numbers below zero are the barriers that every work-group has: -1 is its
 * own, -2 for trap handlers.  There are no others, and none for a group of one
 * wave.
 */
INL bool barrier_exists(const AmdWave *w, int32_t number)
{
    return w->w.group->waves > 1 &&
           (number == -1 || (number == -2 && w->privileged));
}

/* Returns whether this is the first wave to arrive. */
INL bool barrier_signal(AmdWave *w, int32_t number)
{
    return barrier_exists(w, number) && wave_barrier_signal(&w->w, -number - 1);
}

INL uint32_t barrier_state(const AmdWave *w, int32_t number)
{
    const EngineGroup *group = w->w.group;

    return barrier_exists(w, number)
               ? group->signals[-number - 1] << 16 | group_live(&w->w) << 4 | 1
               : 0;
}

#define BARRIER_WAIT(number)                                                  \
    if (barrier_exists(w, (number)) &&                                        \
        !wave_barrier_wait(wave, -(number) - 1)) {                            \
        STOP(WAVE_SIGNAL);                                                    \
    }

/* VGPR indexing: bits 7:0 of M0 are the index, 15:12 say of which operands. */
INL void set_index(AmdWave *w, uint32_t index)
{
    w->s[SGPR_M0] = (w->s[SGPR_M0] & ~0xffu) | (index & 0xff);
}

INL void set_index_operands(AmdWave *w, uint32_t operands)
{
    w->s[SGPR_M0] = (w->s[SGPR_M0] & ~0xf000u) | (operands & 0xf) << 12;
}

/*
 * The two paths of a fork (s_cbranch_g_fork, s_cbranch_i_fork).  Lanes of
 * @mask go to @target, others to @next.  If there are both, the smaller half
 * runs first and the other is pushed on a stack in the SGPRs, whose depth is
 * MODE.CSP.  Returns where to go on.
 */
INL uint64_t scalar_fork(AmdWave *w, uint64_t mask, uint64_t target,
                         uint64_t next)
{
    uint64_t exec = sgpr64(w, SGPR_EXEC);
    uint64_t pass = mask & exec, fail = ~mask & exec;
    unsigned entry = w->mode >> MODE_CSP_SHIFT << 2;
    bool fail_first = __builtin_popcountll(fail) < __builtin_popcountll(pass);

    if (pass == exec) {
        return target;
    }
    if (fail == exec) {
        return next;
    }
    set_sgpr64(w, entry, fail_first ? pass : fail);
    set_sgpr64(w, entry + 2, fail_first ? target : next);
    w->mode += 1u << MODE_CSP_SHIFT;
    set_exec(w, fail_first ? fail : pass);
    return fail_first ? next : target;
}

/* s_cbranch_join: pop the other path, if the stack is not at @depth yet. */
INL bool scalar_join(AmdWave *w, uint32_t depth, uint64_t *pc)
{
    unsigned entry;

    if (w->mode >> MODE_CSP_SHIFT == depth) {
        return false;
    }
    w->mode -= 1u << MODE_CSP_SHIFT;
    entry = w->mode >> MODE_CSP_SHIFT << 2;
    set_exec(w, sgpr64(w, entry));
    *pc = sgpr64(w, entry + 2);
    return true;
}

/* ---- arithmetic ---- */

#define EXEC sgpr64(w, SGPR_EXEC)
#define EXEC_LO w->s[SGPR_EXEC]
#define SET_EXEC(bits)                                                        \
    do {                                                                      \
        uint64_t exec_ = (bits);                                              \
                                                                              \
        set_exec(w, exec_);                                                   \
        scc = exec_ != 0;                                                     \
    } while (0)

#define SET_EXEC_LO(bits)                                                     \
    do {                                                                      \
        EXEC_LO = (bits);                                                     \
        scc = EXEC_LO != 0;                                                   \
        exec_changed(w);                                                      \
    } while (0)

/* The low half of @x is the result, SCC whether there is more. */
#define CARRY(d, scc, x)                                                      \
    do {                                                                      \
        uint64_t x_ = (x);                                                    \
                                                                              \
        (d) = (uint32_t)x_;                                                   \
        (scc) = x_ >> 32 != 0;                                                \
    } while (0)

/* The low @n bits, 0 to 127. */
INL uint64_t low_bits(uint64_t x, unsigned n)
{
    return n < 64 ? x & ((1ull << n) - 1) : x;
}

INL int64_t low_bits_signed(int64_t x, unsigned n)
{
    unsigned unused = n < 64 ? 64 - n : 0;

    return n == 0 ? 0 : (int64_t)((uint64_t)x << unused) >> unused;
}

INL int32_t first_one(uint64_t x)
{
    return x ? __builtin_ctzll(x) : -1;
}

INL int32_t leading_zeros(uint64_t x)
{
    return x ? __builtin_clzll(x) : -1;
}

INL uint64_t reverse64(uint64_t x)
{
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(x);
}

INL uint32_t reverse32(uint32_t x)
{
    return (uint32_t)(reverse64(x) >> 32);
}

/* Bit 0 of each group of four bits: whether any of the four is set. */
INL uint64_t any_of_quads(uint64_t x)
{
    x |= x >> 1;
    x |= x >> 2;
    return x & 0x1111111111111111;
}

INL uint64_t whole_quads(uint64_t x)
{
    return any_of_quads(x) * 0xf;
}

INL uint64_t quad_mask(uint64_t x)
{
    x = any_of_quads(x);
    x = (x | x >> 3) & 0x0303030303030303;
    x = (x | x >> 6) & 0x000f000f000f000f;
    x = (x | x >> 12) & 0x000000ff000000ff;
    return (x | x >> 24) & 0xffff;
}

/* Every bit twice. */
INL uint64_t double_bits(uint32_t bits)
{
    uint64_t x = bits;

    x = (x | x << 16) & 0x0000ffff0000ffff;
    x = (x | x << 8) & 0x00ff00ff00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
    x = (x | x << 2) & 0x3333333333333333;
    x = (x | x << 1) & 0x5555555555555555;
    return x * 3;
}

/* ---- SGPRs relative to M0 (s_movrels, s_movreld) ---- */

/*
 * Operand code of the register that is @index beyond the one at @offset.
 * Beyond the numbered registers there are none: SGPR_COUNT.
 */
INL unsigned indexed_sgpr(const AmdWave *w, uint32_t offset, uint32_t index,
                          unsigned words)
{
    uint64_t n = (offset - offsetof(AmdWave, s)) / 4 + (uint64_t)index;
    unsigned numbered = w->isa->gen == GEN_9 ? SGPR_FLAT_SCRATCH : SGPR_VCC;

    n &= -(uint64_t)words;
    return offset >= offsetof(AmdWave, s) && n + words <= numbered
               ? n : SGPR_COUNT;
}

INL unsigned relative_sgpr(const AmdWave *w, uint32_t offset, unsigned words)
{
    return indexed_sgpr(w, offset, w->s[SGPR_M0], words);
}

/* A source that does not exist reads as s0. */
INL uint32_t relative_get32(const AmdWave *w, uint32_t offset)
{
    return w->s[relative_sgpr(w, offset, 1) % SGPR_COUNT];
}

INL uint64_t relative_get64(const AmdWave *w, uint32_t offset)
{
    return sgpr64(w, relative_sgpr(w, offset, 2) % SGPR_COUNT);
}

/* A destination that does not exist is not written. */
INL void relative_put32(AmdWave *w, uint32_t offset, uint32_t x)
{
    unsigned n = relative_sgpr(w, offset, 1);

    if (n < SGPR_COUNT) {
        w->s[n] = x;
    }
}

/* s_movrelsd_2_b32: M0 has an index for each, [9:0] and [25:16]. */
INL void relative_move32(AmdWave *w, const Uop *u)
{
    uint32_t m0 = w->s[SGPR_M0];
    unsigned from = indexed_sgpr(w, u->src[0], m0 & 0x3ff, 1);
    unsigned to = indexed_sgpr(w, u->dst, m0 >> 16 & 0x3ff, 1);

    if (to < SGPR_COUNT) {
        w->s[to] = w->s[from % SGPR_COUNT];
    }
}

INL void relative_put64(AmdWave *w, uint32_t offset, uint64_t x)
{
    unsigned n = relative_sgpr(w, offset, 2);

    if (n < SGPR_COUNT) {
        set_sgpr64(w, n, x);
    }
}

/* ---- results ---- */

enum {
    SIZE_none = 0, SIZE_b32 = 4, SIZE_u32 = 4, SIZE_i32 = 4,
    SIZE_b64 = 8, SIZE_u64 = 8, SIZE_i64 = 8,
    SIZE_f16 = 4, SIZE_f32 = 4,
};

/*
 * Floats of scalar instructions (gfx11.5 on) travel as bits.  Halves have the
 * upper half of a register zeroed.
 */
INL f32_s f32_sget(const AmdWave *w, const Uop *u, int i)
{
    return scalar32(w, u, i);
}

INL f32_s f32_sold(const AmdWave *w, const Uop *u)
{
    return *(const uint32_t *)at(w, u->dst);
}

INL f16_s f16_sget(const AmdWave *w, const Uop *u, int i)
{
    return scalar32(w, u, i) & 0xffff;
}

INL f16_s f16_sold(const AmdWave *w, const Uop *u)
{
    return *(const uint32_t *)at(w, u->dst) & 0xffff;
}

/*
 * They are computed as a slice of vector instructions is; of the result, or of
 * a compare, one lane counts.
 */
#define F32(x) ((f32x16)splat32(x))
#define F16(x) splat32(x)
#define WIDE(x) widen16(w, F16(x))
#define LANE(slice) (((u32x16)(slice))[0])
#define HOLDS(compare) (LANE(compare) & 1)

/* EXEC was written: expand it, which takes vectors, and go on. */
static const Uop *exec_written(Wave *wave, const Uop *u)
{
    exec_changed(amd(wave));
    NEXT(wave, u);
}

/* Write the result; true if it was to EXEC. */
INL bool scalar_store(AmdWave *w, const Uop *u, const void *x, unsigned size)
{
    memcpy(at(w, u->dst), x, size);
    if (size == 0 || likely(u->dst < offsetof(AmdWave, s[SGPR_VCC]))) {
        return false;
    }
    vcc_changed(w);
    return u->dst >= offsetof(AmdWave, s[SGPR_EXEC]);
}

/* The end of a handler whose result is @d of type @D. */
#define SCALAR_END(D, d)                                                      \
    if (unlikely(scalar_store(w, u, &(d), SIZE_##D))) {                       \
        TAIL(wave, u, exec_written);                                          \
    }                                                                         \
    NEXT(wave, u)

/* ---- rows to handlers ---- */

/* Before operands are read, so that no float operation is done earlier. */
INL AmdWave *scalar_enter(Wave *wave, FloatClass class)
{
    float_enter(amd(wave), class);
    return amd(wave);
}

#define SCALAR_1(name, D, A, flags, ...)                                      \
    HANDLER(name)                                                             \
    {                                                                         \
        AmdWave *w = scalar_enter(wave, FLOAT_OF(D, A));                      \
        A##_s a = A##_sget(w, u, 0);                                          \
        D##_s d = (flags) & INSN_DST_SRC ? D##_sold(w, u) : 0;                \
        uint32_t scc = w->scc;                                                \
                                                                              \
        (void)a;                                                              \
        __VA_ARGS__;                                                          \
        w->scc = scc;                                                         \
        SCALAR_END(D, d);                                                     \
    }

#define SCALAR_2(name, D, A, B, flags, ...)                                   \
    HANDLER(name)                                                             \
    {                                                                         \
        AmdWave *w = scalar_enter(wave, FLOAT_OF(D, A));                      \
        A##_s a = A##_sget(w, u, 0);                                          \
        B##_s b = B##_sget(w, u, 1);                                          \
        D##_s d = (flags) & INSN_DST_SRC ? D##_sold(w, u) : 0;                \
        uint32_t scc = w->scc;                                                \
                                                                              \
        (void)a;                                                              \
        (void)b;                                                              \
        __VA_ARGS__;                                                          \
        w->scc = scc;                                                         \
        SCALAR_END(D, d);                                                     \
    }

#define SCALAR_C(name, A, B, flags, ...)                                      \
    HANDLER(name)                                                             \
    {                                                                         \
        AmdWave *w = scalar_enter(wave, FLOAT_OF(A, B));                      \
        A##_s a = A##_sget(w, u, 0);                                          \
        B##_s b = B##_sget(w, u, 1);                                          \
        uint32_t d = w->scc;                                                  \
                                                                              \
        (void)a;                                                              \
        (void)b;                                                              \
        (void)d;                                                              \
        w->scc = (__VA_ARGS__);                                               \
        NEXT(wave, u);                                                        \
    }

/* SOPK: k is the constant, d the destination, old and new. */
#define SCALAR_K(name, D, flags, ...)                                         \
    HANDLER(name)                                                             \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
        int32_t k = (int32_t)u->src[2];                                       \
        D##_s d = D##_sold(w, u);                                             \
        uint32_t scc = w->scc;                                                \
                                                                              \
        (void)k;                                                              \
        __VA_ARGS__;                                                          \
        w->scc = scc;                                                         \
        if ((flags) & INSN_DST_RO) {                                          \
            NEXT(wave, u);                                                    \
        }                                                                     \
        SCALAR_END(D, d);                                                     \
    }

#define SCALAR_P(name, flags, ...)                                            \
    HANDLER(name)                                                             \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
        int32_t k = (int32_t)u->src[2];                                       \
        uint32_t d = 0;                                                       \
                                                                              \
        (void)w;                                                              \
        (void)k;                                                              \
        (void)d;                                                              \
        __VA_ARGS__;                                                          \
        NEXT(wave, u);                                                        \
    }

#endif
