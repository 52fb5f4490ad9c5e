/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handlers of the LDS instructions.
 */
#include "lds.h"

/* ---- meanings of reads and writes; the operation is one of mem-ops.h ---- */

#define OP(name) mem_ops[MEM_##name]
#define READ(name)                                                           \
    lds_read(w, at(w, u->dst), at(w, u->src[0]), u->mods, OP(load_##name))
#define WRITE(name)                                                          \
    lds_write(w, at(w, u->src[1]), at(w, u->src[0]), u->mods,                \
              OP(store_##name))
#define READ2(name) lds_read2(w, u, OP(load_##name), FLAGS & INSN_ST64)
#define WRITE2(name) lds_write2(w, u, OP(store_##name), FLAGS & INSN_ST64)

/* At M0 and the lane's number; adjacent, unless the end is in between. */
INL void lane_addresses(const AmdWave *w, Vreg *r)
{
    for (int q = 0; q < SLICES; q++) {
        r->q[q] = (iota16() + (uint32_t)(16 * q)) * 4 +
                  (w->s[SGPR_M0] & 0xffff);
    }
}

#define READ_LANES(name)                                                     \
    Vreg r;                                                                  \
                                                                             \
    lane_addresses(w, &r);                                                   \
    lds_read(w, at(w, u->dst), &r, u->mods, OP(load_##name))
#define WRITE_LANES(name)                                                    \
    Vreg r;                                                                  \
                                                                             \
    lane_addresses(w, &r);                                                   \
    lds_write(w, at(w, u->src[1]), &r, u->mods, OP(store_##name))

/* ---- atomics ---- */

/* Unsigned but where the sign matters; floats are bits. */
typedef uint32_t lds_none, lds_b32, lds_u32, lds_f32, lds_pk16f;
typedef int32_t lds_i32;
typedef uint64_t lds_b64, lds_u64, lds_f64;
typedef int64_t lds_i64;
typedef struct { uint32_t x[3]; } lds_b96;
typedef struct { uint32_t x[4]; } lds_b128;

/*
 * Lane after lane: the new value, made of m, the one in memory, and of a and
 * b, the data.
 */
#define ATOMIC(...) ATOMIC_AT(addr, __VA_ARGS__)
#define ATOMIC_AT(place, ...)                                                \
    for (uint64_t lanes = EXEC; lanes; lanes &= lanes - 1) {                 \
        unsigned lane = __builtin_ctzll(lanes);                              \
        bool src2 = FLAGS & INSN_SRC2;                                       \
        uint32_t addr = (uint32_t)lane_get(w, u->src[0], lane, 4) +          \
                        (src2 ? 0 : u->mods);                                \
        T m, a, b;                                                           \
                                                                             \
        addr = (place);                                                      \
        if (src2) {                                                          \
            a = (T)lds_get(w, lds_src2(&addr, u->mods), sizeof(T));          \
        } else {                                                             \
            a = (T)lane_get(w, u->src[1], lane, sizeof(T));                  \
        }                                                                    \
        b = (T)lane_get(w, u->src[2], lane, sizeof(T));                      \
        m = (T)lds_get(w, addr, sizeof(T));                                  \
        (void)b;                                                             \
        (void)m;                                                             \
        lds_put(w, addr, sizeof(T), (T)(__VA_ARGS__));                       \
        if (FLAGS & INSN_RTN) {                                              \
            lane_put(w, u->dst, lane, sizeof(T), (uint64_t)m);               \
        }                                                                    \
    }

/* The same with arithmetic on floats, F32(x) and F64(x) of the bits. */
#define FLOAT_ATOMIC(...)                                                    \
    unsigned csr = lds_float_enter(w, sizeof(T));                            \
                                                                             \
    ATOMIC(__VA_ARGS__)                                                      \
    mxcsr_set(csr)
#define F32(x) as_f32(x)
#define F64(x) as_f64(x)

/* Each half is exchanged if the data's top bit, which is not stored, is set. */
INL uint64_t exchange_halves(uint64_t m, uint64_t a)
{
    uint64_t low = a >> 31 & 1 ? a & 0x7fffffff : (uint32_t)m;
    uint64_t high = a >> 63 ? a >> 32 & 0x7fffffff : m >> 32;

    return high << 32 | low;
}

/* Two places, one element from each. */
#define EXCHANGE2                                                            \
    bool st64 = FLAGS & INSN_ST64;                                           \
                                                                             \
    for (uint64_t lanes = EXEC; lanes; lanes &= lanes - 1) {                 \
        unsigned lane = __builtin_ctzll(lanes);                              \
        uint32_t addr = (uint32_t)lane_get(w, u->src[0], lane, 4);           \
        uint64_t old[2], new[2];                                             \
                                                                             \
        for (int i = 0; i < 2; i++) {                                        \
            uint32_t p = addr + lds_offset2(u, i, sizeof(T), st64);          \
                                                                             \
            old[i] = lds_get(w, p, sizeof(T));                               \
            new[i] = lane_get(w, u->src[1 + i], lane, sizeof(T));            \
        }                                                                    \
        for (int i = 0; i < 2; i++) {                                        \
            lds_put(w, addr + lds_offset2(u, i, sizeof(T), st64), sizeof(T), \
                    new[i]);                                                 \
            lane_put(w, u->dst + i * sizeof(T) / 4 * sizeof(Vreg), lane,     \
                     sizeof(T), old[i]);                                     \
        }                                                                    \
    }

/* A counter at M0 grows by the number of active lanes; all get the old one. */
#define COUNT(m, n, ...)                                                     \
    uint32_t addr = (w->s[SGPR_M0] & 0xffff) + u->mods;                      \
    uint32_t m = (uint32_t)lds_get(w, addr, 4);                              \
    uint32_t n = (uint32_t)__builtin_popcountll(EXEC);                       \
                                                                             \
    lds_put(w, addr, 4, (uint32_t)(__VA_ARGS__));                            \
    for (int q = 0; q < SLICES; q++) {                                       \
        store32(at(w, u->dst), q, splat32(m), w->exec.q[q]);                 \
    }

/* ---- exchange between lanes, without memory ---- */

/* A VGPR as lanes; inactive ones read as 0. */
INL void active_lanes(const AmdWave *w, uint32_t reg, uint32_t *x)
{
    const Vreg *r = at(w, reg);

    for (int q = 0; q < SLICES; q++) {
        u32x16 v = r->q[q] & w->exec.q[q];

        memcpy(&x[16 * q], &v, sizeof(v));
    }
}

INL void put_lanes(AmdWave *w, const Uop *u, const uint32_t *x)
{
    for (int q = 0; q < SLICES; q++) {
        u32x16 v;

        memcpy(&v, &x[16 * q], sizeof(v));
        store32(at(w, u->dst), q, v, w->exec.q[q]);
    }
}

/* The lane that each address names. */
INL void lane_numbers(const AmdWave *w, const Uop *u, uint32_t *x)
{
    const Vreg *r = at(w, u->src[0]);

    for (int q = 0; q < SLICES; q++) {
        u32x16 v = (r->q[q] + u->mods) >> 2 & (wave_width(w) - 1);

        memcpy(&x[16 * q], &v, sizeof(v));
    }
}

/* Push: of lanes that write to the same one, the highest wins. */
INL void permute(AmdWave *w, const Uop *u)
{
    uint32_t to[AMD_LANES], result[AMD_LANES] = { 0 };

    lane_numbers(w, u, to);
    for (uint64_t lanes = sgpr64(w, SGPR_EXEC); lanes; lanes &= lanes - 1) {
        unsigned lane = __builtin_ctzll(lanes);

        result[to[lane]] = (uint32_t)lane_get(w, u->src[1], lane, 4);
    }
    put_lanes(w, u, result);
}

/* Pull. */
INL void bpermute(AmdWave *w, const Uop *u)
{
    uint32_t from[AMD_LANES], data[AMD_LANES], result[AMD_LANES];

    lane_numbers(w, u, from);
    active_lanes(w, u->src[1], data);
    for (unsigned lane = 0; lane < AMD_LANES; lane++) {
        result[lane] = data[from[lane]];
    }
    put_lanes(w, u, result);
}

/* Which lane lane @i gets its value from, for the offset of ds_swizzle. */
INL unsigned swizzle_source(unsigned i, unsigned offset)
{
    unsigned low = offset & 0x1f, n = offset >> 5 & 0x1f, j;

    if (offset >= 0xe000) { /* FFT: bits that @low does not fix, reversed */
        j = (i & 0x10) >> 4 | (i & 0x08) >> 2 | (i & 0x04) |
            (i & 0x02) << 2 | (i & 0x01) << 4;
        j = j >> __builtin_popcount(low) | (i & low);
    } else if (offset >= 0xc000) { /* rotation; the bits of @low stay */
        j = offset >> 10 & 1 ? i - n : i + n;
        j = (i & low) | (j & ~low & 0x1f);
    } else if (offset & 0x8000) { /* any permutation of each four lanes */
        return (i & ~3u) | (offset >> 2 * (i & 3) & 3);
    } else { /* and, or, xor */
        j = ((i & low) | n) ^ (offset >> 10 & 0x1f);
    }
    return (i & 0x20) | j;
}

INL void swizzle(AmdWave *w, const Uop *u)
{
    uint32_t data[AMD_LANES], result[AMD_LANES];

    active_lanes(w, u->src[0], data);
    for (unsigned lane = 0; lane < AMD_LANES; lane++) {
        result[lane] = data[swizzle_source(lane, u->mods)];
    }
    put_lanes(w, u, result);
}

/* ---- alignment modes other than HSA's ---- */

/* Addresses that no allocation has, whatever offset is added. */
#define LDS_NOWHERE 0x80000000u

/* Where the access of a lane starts; the two of a pair are alike. */
static uint32_t lane_address(const AmdWave *w, const Uop *u, unsigned lane)
{
    return (uint32_t)lane_get(w, u->src[0], lane, 4) +
           (u->kind[1] & DS_TWO ? 0 : u->mods);
}

/*
 * Put addresses as the mode wants them into @to; lanes that are misaligned,
 * which are returned, get one where there is nothing.
 */
static uint64_t align_addresses(const AmdWave *w, const Uop *u, uint32_t *to)
{
    const uint32_t *from = at(w, u->src[0]);
    unsigned n = mem_alignment(w, u->kind[0]);
    uint64_t odd = 0;

    for (unsigned lane = 0; lane < AMD_LANES; lane++) {
        uint32_t rest = lane_address(w, u, lane) % n;

        to[lane] = from[lane] - rest;
        if (rest && !(w->mem_mode & MEM_ALIGN_DWORD)) {
            to[lane] = LDS_NOWHERE;
            odd |= 1ull << lane;
        }
    }
    return odd & sgpr64(w, SGPR_EXEC);
}

/* Let @fn execute @u with aligned addresses. */
static const Uop *LEVEL(ds_aligned)(Wave *wave, const Uop *u, UopFn *fn)
{
    AmdWave *w = amd(wave);
    uint32_t *addr = (uint32_t *)&w->v[AMD_VGPR_SPARE];
    uint64_t odd = align_addresses(w, u, addr);
    uint64_t first = mem_aperture(w, w->launch->shared_base_hi);
    uint8_t mode = w->mem_mode;
    Uop aligned = *u;

    first |= odd ? lane_address(w, u, __builtin_ctzll(odd)) : 0;
    aligned.src[0] = offsetof(AmdWave, v[AMD_VGPR_SPARE]);
    w->mem_mode = 0;
    fn(wave, &aligned);
    w->mem_mode = mode;
    if (!odd) {
        return u + u->len;
    }
    return amd_mem_violation(w, u, TESSERA_FAULT_MISALIGNED,
                             u->kind[1] & DS_LOADS ? ENGINE_READ
                                                   : ENGINE_WRITE,
                             first, odd);
}

/* ---- rows to handlers ---- */

#define EXEC sgpr64(w, SGPR_EXEC)
#define NOTHING (void)w
#undef NOSEM
#define NOSEM (void)w

#define DS(name, D, A, B, flags, ...)                                        \
    CALLED(name)                                                             \
    {                                                                        \
        typedef lds_##A T;                                                   \
        enum { FLAGS = flags };                                              \
        AmdWave *w = amd(wave);                                              \
                                                                             \
        (void)sizeof(T);                                                     \
        if (unlikely(w->mem_mode & MEM_ALIGN) && u->kind[0]) {               \
            return LEVEL(ds_aligned)(wave, u, LEVEL(x_##name));              \
        }                                                                    \
        __VA_ARGS__;                                                         \
        return u + u->len;                                                   \
    }
#include "../rows/ds.inc"
