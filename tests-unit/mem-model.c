/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <string.h>
#include "mem-model.h"

/* ---- atomics, as gfx-facts sections 4 and 5 describe them ---- */

static int64_t signed_of(uint64_t x, unsigned bits)
{
    return bits == 32 ? (int64_t)(int32_t)x : (int64_t)x;
}

#define ATOMIC_FN(name, expr)                                                \
    static uint64_t name##_fn(uint64_t old, uint64_t x, uint64_t compare,    \
                              unsigned bits)                                 \
    {                                                                        \
        int64_t sold = signed_of(old, bits), sx = signed_of(x, bits);        \
                                                                             \
        (void)sold;                                                          \
        (void)sx;                                                            \
        (void)compare;                                                       \
        return expr;                                                         \
    }

ATOMIC_FN(swap, x)
ATOMIC_FN(cmpswap, old == compare ? x : old)
ATOMIC_FN(add, old + x)
ATOMIC_FN(sub, old - x)
ATOMIC_FN(smin, sold < sx ? old : x)
ATOMIC_FN(umin, old < x ? old : x)
ATOMIC_FN(smax, sold > sx ? old : x)
ATOMIC_FN(umax, old > x ? old : x)
ATOMIC_FN(and, old & x)
ATOMIC_FN(or, old | x)
ATOMIC_FN(xor, old ^ x)
ATOMIC_FN(inc, old >= x ? 0 : old + 1)
ATOMIC_FN(dec, old == 0 || old > x ? x : old - 1)

#define LOAD(name, bytes, sext, half) \
    { "load_" name, 'l', bytes, sext, half, NULL, 0 }
#define STORE(name, bytes, half, data) \
    { "store_" name, 's', bytes, false, half, NULL, data }
#define ATOMIC(name, data)                                              \
    { "atomic_" #name, 'a', 4, false, 0, name##_fn, data },             \
    { "atomic_" #name "_x2", 'a', 8, false, 0, name##_fn, 2 * (data) }

const ModelOp model_ops[] = {
    LOAD("ubyte", 1, false, 0),
    LOAD("sbyte", 1, true, 0),
    LOAD("ushort", 2, false, 0),
    LOAD("sshort", 2, true, 0),
    LOAD("dword", 4, false, 0),
    LOAD("dwordx2", 8, false, 0),
    LOAD("dwordx3", 12, false, 0),
    LOAD("dwordx4", 16, false, 0),
    LOAD("ubyte_d16", 1, false, 'l'),
    LOAD("ubyte_d16_hi", 1, false, 'h'),
    LOAD("sbyte_d16", 1, true, 'l'),
    LOAD("sbyte_d16_hi", 1, true, 'h'),
    LOAD("short_d16", 2, false, 'l'),
    LOAD("short_d16_hi", 2, false, 'h'),
    STORE("byte", 1, 0, 1),
    STORE("byte_d16_hi", 1, 'h', 1),
    STORE("short", 2, 0, 1),
    STORE("short_d16_hi", 2, 'h', 1),
    STORE("dword", 4, 0, 1),
    STORE("dwordx2", 8, 0, 2),
    STORE("dwordx3", 12, 0, 3),
    STORE("dwordx4", 16, 0, 4),
    ATOMIC(swap, 1),
    ATOMIC(cmpswap, 2),
    ATOMIC(add, 1),
    ATOMIC(sub, 1),
    ATOMIC(smin, 1),
    ATOMIC(umin, 1),
    ATOMIC(smax, 1),
    ATOMIC(umax, 1),
    ATOMIC(and, 1),
    ATOMIC(or, 1),
    ATOMIC(xor, 1),
    ATOMIC(inc, 1),
    ATOMIC(dec, 1),
};

const unsigned model_op_count = G_N_ELEMENTS(model_ops);

/* ---- state ---- */

Model *model_new(WaveHarness *h)
{
    Model *m = g_new0(Model, 1);

    m->h = h;
    for (unsigned i = 0; i < h->map_count; i++) {
        m->maps[i] = g_memdup2(h->maps[i].host, h->maps[i].size);
    }
    memcpy(m->lds, h->group.lds, sizeof(m->lds));
    memcpy(m->v, wave_vgpr(h, 0), sizeof(m->v));
    return m;
}

void model_free(Model *m)
{
    for (unsigned i = 0; i < m->h->map_count; i++) {
        g_free(m->maps[i]);
    }
    g_free(m);
}

ModelByte model_memory(Model *m, uint64_t va, bool write)
{
    for (unsigned i = 0; i < m->h->map_count; i++) {
        const WaveMap *map = &m->h->maps[i];

        if (va >= map->va && va - map->va < map->size) {
            if (write && !map->writable) {
                return (ModelByte){ NULL, TESSERA_FAULT_READ_ONLY, va };
            }
            return (ModelByte){ m->maps[i] + (va - map->va), 0, va };
        }
    }
    return (ModelByte){ NULL, TESSERA_FAULT_UNMAPPED, va };
}

/* ---- one lane ---- */

static void put_result(Model *m, const ModelOp *op, unsigned lane,
                       const uint8_t *bytes, int dst)
{
    uint32_t x;

    if (op->bytes >= 4) {
        for (unsigned k = 0; k < op->bytes / 4; k++) {
            memcpy(&m->v[dst + k][lane], bytes + 4 * k, 4);
        }
        return;
    }
    x = bytes[0] | (op->bytes == 2 ? bytes[1] << 8 : 0);
    if (op->sext && x >> (8 * op->bytes - 1)) {
        x |= op->bytes == 1 ? 0xffffff00 : 0xffff0000;
    }
    if (op->half == 'l') {
        x = (m->v[dst][lane] & 0xffff0000) | (x & 0xffff);
    } else if (op->half == 'h') {
        x = (m->v[dst][lane] & 0xffff) | x << 16;
    }
    m->v[dst][lane] = x;
}

static uint64_t reg64(const Model *m, unsigned reg, unsigned lane)
{
    return m->v[reg][lane] | (uint64_t)m->v[reg + 1][lane] << 32;
}

static void do_atomic(Model *m, const ModelOp *op, unsigned lane,
                      const ModelByte *bytes, int dst, int data)
{
    uint64_t x = m->v[data][lane], compare = m->v[data + 1][lane], new;
    uint8_t old[8];

    for (unsigned i = 0; i < op->bytes; i++) {
        old[i] = *bytes[i].p;
    }
    if (op->bytes == 8) {
        uint64_t o;

        memcpy(&o, old, 8);
        x = reg64(m, data, lane);
        compare = reg64(m, data + 2, lane);
        new = op->atomic(o, x, compare, 64);
    } else {
        uint32_t o;

        memcpy(&o, old, 4);
        new = op->atomic(o, x, compare, 32);
    }
    for (unsigned i = 0; i < op->bytes; i++) {
        *bytes[i].p = new >> 8 * i;
    }
    if (dst >= 0) {
        put_result(m, op, lane, old, dst);
    }
}

static void bad_lane(Model *m, unsigned lane, const ModelByte *byte)
{
    if (!(m->bad & ((1ull << lane) - 1))) {
        m->cause = byte->cause;
        m->bad_addr = byte->addr;
    }
    m->bad |= 1ull << lane;
}

void model_lane(Model *m, const ModelOp *op, unsigned lane,
                const ModelByte *bytes, int dst, int data)
{
    static const uint8_t zero[16];
    uint8_t value[16];

    for (unsigned i = 0; i < op->bytes; i++) {
        if (!bytes[i].p) {
            if (bytes[i].cause != TESSERA_FAULT_NONE) {
                bad_lane(m, lane, &bytes[i]);
            }
            if (op->kind != 's' && dst >= 0) {
                put_result(m, op, lane, zero, dst);
            }
            return;
        }
    }
    if (op->kind == 'a') {
        do_atomic(m, op, lane, bytes, dst, data);
        return;
    }
    for (unsigned i = 0; i < op->bytes; i++) {
        if (op->kind == 'l') {
            value[i] = *bytes[i].p;
        } else {
            unsigned shift = 8 * (i % 4) + (op->half == 'h' ? 16 : 0);

            *bytes[i].p = m->v[data + i / 4][lane] >> shift;
        }
    }
    if (op->kind == 'l') {
        put_result(m, op, lane, value, dst);
    }
}

/* ---- comparing ---- */

static void compare_bytes(const uint8_t *have, const uint8_t *want,
                          uint64_t size, uint64_t va, const char *what)
{
    if (!memcmp(have, want, size)) {
        return;
    }
    for (uint64_t i = 0; i < size; i++) {
        if (have[i] != want[i]) {
            g_error("%s: byte %#" PRIx64 " is %#x, not %#x", what, va + i,
                    have[i], want[i]);
        }
    }
}

static void compare_regs(const Model *m, const char *what)
{
    for (unsigned r = 0; r < MODEL_REGS; r++) {
        const uint32_t *have = wave_vgpr(m->h, r);

        for (unsigned lane = 0; lane < 64; lane++) {
            if (have[lane] != m->v[r][lane]) {
                g_error("%s: v%u[%u] is %#x, not %#x", what, r, lane,
                        have[lane], m->v[r][lane]);
            }
        }
    }
}

void model_compare(const Model *m, TesseraFaultCause cause, const char *what)
{
    const EngineFault *f = &m->h->worker->fault;

    compare_regs(m, what);
    for (unsigned i = 1; i < m->h->map_count; i++) { /* 0 is the code */
        compare_bytes(m->h->maps[i].host, m->maps[i], m->h->maps[i].size,
                      m->h->maps[i].va, what);
    }
    compare_bytes(m->h->group.lds, m->lds, sizeof(m->lds), 0, what);
    if (cause != (m->bad ? m->cause : TESSERA_FAULT_NONE)) {
        g_error("%s: fault %d at %#" PRIx64 ", not %d at %#" PRIx64, what,
                cause, f->address, m->cause, m->bad_addr);
    }
    if (m->bad && (f->lanes != m->bad || f->address != m->bad_addr)) {
        g_error("%s: lanes %#" PRIx64 " at %#" PRIx64 ", not %#" PRIx64
                " at %#" PRIx64, what, f->lanes, f->address, m->bad,
                m->bad_addr);
    }
}
