/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The short ways through memory instructions that compiled code has in itself,
 * for waves with all lanes active.  They are in the bitcode alone.
 *
 * What a near form does not do, the function that the interpreter calls does
 * (CALLED()): pages that the TLB does not have, lanes elsewhere than mostly.
 *
 * Reads of LDS never fault nor wait, so they are strips: a slice's lanes lie
 * next to each other or at one place, or handlers do the group for the slice.
 */
#include "../smem.h"
#include "flat.h"
#include "lds.h"
#include "strip.h"

#define NEAR(name) const Uop *LEVEL(near_##name)(Wave *wave, const Uop *u)

/* ---- global memory ---- */

/* All of the wave's lanes have to lie next to each other, so none overlap. */
INL bool store_near(AmdWave *w, const Uop *u, MemOp op)
{
    unsigned size = wave_width(w) * op.bytes;
    uint64_t va;
    uint8_t *p;

    if (w->mem_mode || !adjacent_address(w, u, op.bytes, 0, &va)) {
        return false;
    }
    va += offset_of(u);
    if (unlikely(va % ENGINE_PAGE > ENGINE_PAGE - size)) {
        return false;
    }
    p = mem_hit(&w->w, va, ENGINE_WRITE);
    return p && mem_adjacent(w, NULL, at(w, u->src[1]), p, op);
}

INL bool near_global(AmdWave *w, const Uop *u, MemOp op)
{
    if (w->inactive || u->kind[2] & MEM_TO_LDS) {
        return false;
    }
    switch (op.kind) {
    case MEM_LOAD:
        return load_near(w, u, op);
    case MEM_STORE:
        return store_near(w, u, op);
    default:
        return false;
    }
}

#define NEAR_GLOBAL(name, flags, id)                                          \
    UopFn LEVEL(x_global_##name);                                             \
    NEAR(h_global_##name)                                                     \
    {                                                                         \
        if (!((flags) & (INSN_BLOCK | INSN_TRANSPOSE)) &&                     \
            likely(near_global(amd(wave), u, mem_ops[id]))) {                 \
            return u + u->len;                                                \
        }                                                                     \
        return LEVEL(x_global_##name)(wave, u);                               \
    }

#undef NOSEM
#define NOSEM MEM_none
#define FG(name, D, A, flags, ...) NEAR_GLOBAL(name, flags, __VA_ARGS__)
#define FA(name, D, A, flags, ...)
#define FS(name, D, A, flags, ...)
#define FL(name, D, A, flags, ...) NEAR_GLOBAL(name, flags, __VA_ARGS__)
#include "../rows/flat.inc"

/* Without a loop, which strips must not have either. */
#define EACH_SLICE(w, q) _Pragma("clang loop unroll(full)") FOR_SLICES(w, q)

/*
 * The same for a program that is compiled as a whole: all of the wave's lanes
 * lie next to each other, in one page, or the way there is left.  mem_refill()
 * is called on that way, and if that helps, the instruction begins again.
 */
INL uint64_t whole_address(const AmdWave *w, const Uop *u, MemOp op,
                           u32x16 *odd)
{
    const Vreg *r = at(w, u->src[0]);
    uint32_t low = r[0].q[0][0], high = 0;

    EACH_SLICE(w, q) {
        u32x16 there = splat32(low + (uint32_t)(16 * q * op.bytes)) +
                       apart(op.bytes);

        *odd |= r[0].q[q] ^ there;
    }
    if (u->kind[0] == ADDR_VGPR) {
        high = r[1].q[0][0];
        EACH_SLICE(w, q) {
            *odd |= r[1].q[q] ^ splat32(high);
        }
    }
    return global_base(w, u) + offset_of(u) + ((uint64_t)high << 32 | low);
}

/*
 * Of all waves that run at once (together.c): the bytes that loads and stores of
 * @size bytes come to, and where those of the wave at hand lie, from the first
 * one's @p.  Nobody defines them.
 */
uint32_t whole_span(uint32_t size);
uint8_t *whole_place(const uint8_t *p, uint32_t size);

/* Do @size bytes at @va leave their page, or does @low wrap around? */
INL bool whole_leaves(const AmdWave *w, const Uop *u, uint64_t va,
                      unsigned size)
{
    uint32_t low = ((const Vreg *)at(w, u->src[0]))->q[0][0];
    bool same = u->kind[0] == ADDR_VGPR && offset_of(u) == 0; /* as va's page */

    return (va % ENGINE_PAGE > ENGINE_PAGE - size) | (!same && low > -size);
}

INL void whole_load(AmdWave *w, const Uop *u, MemOp op)
{
    unsigned size = wave_width(w) * op.bytes;
    Vreg *dst = at(w, u->dst);
    u32x16 odd = {};
    uint64_t va = whole_address(w, u, op, &odd);
    const TlbEntry *e = mem_entry(&w->w, va);
    const uint8_t *p = (const uint8_t *)(uintptr_t)(e->delta + va);

    mem_refill(&w->w, va, ENGINE_READ); /* not here: see above */
    if (unlikely(any32(odd) | (e->rtag != tlb_tag(&w->w, va)) |
                 whole_leaves(w, u, va, whole_span(size)))) {
        strip_by_handlers();
    }
    p = whole_place(p, size);
    EACH_SLICE(w, q) {
        u32x16 m[4], r[4];

        memcpy(m, p + 16 * q * op.bytes, op.bytes / 4 * sizeof(*m));
        deinterleave(m, r, op.bytes / 4);
        for (int k = 0; k < op.bytes / 4; k++) {
            dst[k].q[q] = r[k];
        }
    }
    load_ahead(p, op.bytes);
}

INL void whole_store(AmdWave *w, const Uop *u, MemOp op)
{
    unsigned size = wave_width(w) * op.bytes;
    const Vreg *data = at(w, u->src[1]);
    u32x16 odd = {};
    uint64_t va = whole_address(w, u, op, &odd);
    const TlbEntry *e = mem_entry(&w->w, va);
    uint8_t *p = (uint8_t *)(uintptr_t)(e->delta + va);

    mem_refill(&w->w, va, ENGINE_WRITE); /* not here, either */
    if (unlikely(any32(odd) | (e->wtag != tlb_tag(&w->w, va)) |
                 whole_leaves(w, u, va, whole_span(size)))) {
        strip_by_handlers();
    }
    p = whole_place(p, size);
    EACH_SLICE(w, q) {
        u32x16 m[4], r[4];

        for (int k = 0; k < op.bytes / 4; k++) {
            r[k] = data[k].q[q];
        }
        interleave(r, m, op.bytes / 4);
        memcpy(p + 16 * q * op.bytes, m, op.bytes / 4 * sizeof(*m));
    }
    store_ahead(p, op.bytes);
}

#define WHOLE(name) void LEVEL(whole_##name)(AmdWave *w, const Uop *u)
#define WHOLE_GLOBAL(name, flags, id)                                         \
    WHOLE(h_global_##name)                                                    \
    {                                                                         \
        const MemOp op = mem_ops[id];                                         \
                                                                              \
        if ((flags) & (INSN_BLOCK | INSN_TRANSPOSE) || op.bytes < 4) {        \
            strip_refused();                                                  \
        } else if (u->kind[2] & MEM_TO_LDS || u->kind[0] == ADDR_LANE) {      \
            strip_by_handlers();                                              \
        } else if (op.kind == MEM_LOAD) {                                     \
            whole_load(w, u, op);                                             \
        } else if (op.kind == MEM_STORE) {                                    \
            whole_store(w, u, op);                                            \
        } else {                                                              \
            strip_refused();                                                  \
        }                                                                     \
    }

#undef NOSEM
#define NOSEM MEM_none
#define FG(name, D, A, flags, ...) WHOLE_GLOBAL(name, flags, __VA_ARGS__)
#define FA(name, D, A, flags, ...)
#define FS(name, D, A, flags, ...)
#define FL(name, D, A, flags, ...) WHOLE_GLOBAL(name, flags, __VA_ARGS__)
#include "../rows/flat.inc"

/* ---- scalar memory ---- */

#define LOAD                                                                  \
    const uint8_t *p = smem_hit(w, u, N * 4, FLAGS);                          \
                                                                              \
    if (likely(p)) {                                                          \
        memcpy(at(w, u->dst), p, N * 4);                                      \
        smem_loaded(w, u);                                                    \
        return u + u->len;                                                    \
    }
#define LOAD_NARROW(type)
#define STORE
#define ATOMIC(...)
#define CLOCK
#define NOTHING
#undef NOSEM
#define NOSEM
#define SM(name, dwords, flags, ...)                                          \
    UopFn LEVEL(x_##name);                                                    \
    NEAR(h_##name)                                                            \
    {                                                                         \
        AmdWave *w = amd(wave);                                               \
        enum { N = dwords, FLAGS = flags };                                   \
                                                                              \
        (void)w;                                                              \
        __VA_ARGS__;                                                          \
        return LEVEL(x_##name)(wave, u);                                      \
    }
#include "../rows/smem.inc"
#undef ATOMIC
#undef NOTHING

/* ---- LDS ---- */

/*
 * Load the dwords of lanes at @addr.  What is read beyond the allocation is of
 * no lane (ENGINE_LDS_PAD).  A group finds out late that handlers have to do
 * it, so nothing is read elsewhere before.
 */
INL void strip_lds(const AmdWave *w, u32x16 addr, MemOp op, u32x16 *r)
{
    const EngineGroup *group = w->w.group;
    uint32_t size = group->lds_size;
    uint32_t places = size >= op.bytes ? size - op.bytes + 1 : 0;
    uint32_t start = addr[0] < places ? addr[0] : 0;
    u32x16 at = addr - splat32(addr[0]), m[4];
    u32x16 odd = ((u32x16)(at != splat32(0)) &
                  (u32x16)(at != apart(op.bytes))) |
                 (u32x16)(addr >= splat32(places));

    if (unlikely(any32(odd))) {
        strip_by_handlers();
    }
    memcpy(m, group->lds + start, op.bytes / 4 * sizeof(*m));
    deinterleave(m, r, op.bytes / 4);
    for (int k = 0; k < op.bytes / 4; k++) {
        r[k] = pick(at, r[k]);
    }
}

/* With AVX2 a group of reads gains less than spilling registers costs. */
#if defined(__AVX512F__)
#define FEW_REGISTERS false
#else
#define FEW_REGISTERS true
#endif

INL void strip_read(AmdWave *w, const Uop *u, AmdWave *lanes, MemOp op,
                    uint32_t first, uint32_t second, bool two)
{
    u32x16 addr = ((const Vreg *)at(lanes, u->src[0]))->q[0], r[2][4];
    Vreg *dst = at(lanes, u->dst);
    int n = op.bytes / 4;

    if (n == 0 || FEW_REGISTERS) {
        strip_refused();
    }
    strip_lds(w, addr + first, op, r[0]);
    if (two) {
        strip_lds(w, addr + second, op, r[1]);
    }
    for (int i = 0; i <= two; i++) {
        for (int k = 0; k < n; k++) {
            dst[i * n + k].q[0] = r[i][k];
        }
    }
}

#define READ(name)                                                            \
    strip_read(w, u, lanes, mem_ops[MEM_load_##name], u->mods, 0, false)
#define READ2(name)                                                           \
    strip_read(w, u, lanes, mem_ops[MEM_load_##name],                         \
               lds_offset2(u, 0, mem_ops[MEM_load_##name].bytes,              \
                           FLAGS & INSN_ST64),                                \
               lds_offset2(u, 1, mem_ops[MEM_load_##name].bytes,              \
                           FLAGS & INSN_ST64), true)
#define WRITE(name) strip_refused()
#define WRITE2(name) strip_refused()
#define READ_LANES(name) strip_refused()
#define WRITE_LANES(name) strip_refused()
#define ATOMIC(...) strip_refused()
#define ATOMIC_AT(...) strip_refused()
#define FLOAT_ATOMIC(...) strip_refused()
#define EXCHANGE2 strip_refused()
#define COUNT(...) strip_refused()
#define NOTHING strip_refused()
#undef NOSEM
#define NOSEM strip_refused()
#define swizzle(...) strip_refused()
#define permute(...) strip_refused()
#define bpermute(...) strip_refused()

#define DS(name, D, A, B, flags, ...)                                         \
    STRIP_ALL(h_##name)                                                       \
    {                                                                         \
        enum { FLAGS = flags };                                               \
                                                                              \
        __VA_ARGS__;                                                          \
    }
#include "../rows/ds.inc"
