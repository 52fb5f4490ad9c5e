/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operations on memory that the rows of flat.inc and buffer.inc name as their
 * meaning: MEM_load_u8 and so on.
 *
 * They say what is moved between one lane's registers and its bytes of memory;
 * where those bytes are is the instruction's business.
 */
#ifndef AMDGPU_MEM_OPS_H
#define AMDGPU_MEM_OPS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum MemKind {
    MEM_NOTHING, /* orders memory, moves none */
    MEM_LOAD,
    MEM_STORE,
    MEM_ATOMIC,
} MemKind;

/* Which half of a register a short or a byte is in (D16). */
typedef enum MemHalf {
    HALF_NONE, /* the whole register: loads extend to 32 bits */
    HALF_LOW,  /* loads keep bits 31:16 */
    HALF_HIGH, /* loads keep bits 15:0, stores take bits 31:16 */
} MemHalf;

typedef enum MemAtomic {
    ATOMIC_SWAP, ATOMIC_CMPSWAP, ATOMIC_ADD, ATOMIC_SUB,
    ATOMIC_SMIN, ATOMIC_UMIN, ATOMIC_SMAX, ATOMIC_UMAX,
    ATOMIC_AND, ATOMIC_OR, ATOMIC_XOR, ATOMIC_INC, ATOMIC_DEC,
    /* of 32 bits only */
    ATOMIC_COND_SUB, ATOMIC_SUB_CLAMP,
    ATOMIC_FCMPSWAP, ATOMIC_FMIN, ATOMIC_FMAX, ATOMIC_FMIN_NUM,
    ATOMIC_FMAX_NUM, ATOMIC_FADD, ATOMIC_PK_ADD_F16, ATOMIC_PK_ADD_BF16,
    ATOMIC_FADD_FLUSH, /* denormals are zeroes, in and out */
    ATOMIC_ADD_LATE,   /* see engine/late.h: global memory, no result */
} MemAtomic;

typedef struct MemOp {
    uint8_t kind;   /* MemKind */
    uint8_t bytes;  /* of memory, a lane */
    uint8_t sext;   /* sign-extend */
    uint8_t half;   /* MemHalf */
    uint8_t atomic; /* MemAtomic */
    uint8_t comps;  /* of a buffer format, which then says how many bytes */
} MemOp;

/* X(name, kind, bytes, sext, half, atomic) */
#define MEM_LOADS(X)                              \
    X(load_u8, MEM_LOAD, 1, 0, HALF_NONE, 0)      \
    X(load_i8, MEM_LOAD, 1, 1, HALF_NONE, 0)      \
    X(load_u16, MEM_LOAD, 2, 0, HALF_NONE, 0)     \
    X(load_i16, MEM_LOAD, 2, 1, HALF_NONE, 0)     \
    X(load_b32, MEM_LOAD, 4, 0, HALF_NONE, 0)     \
    X(load_b64, MEM_LOAD, 8, 0, HALF_NONE, 0)     \
    X(load_b96, MEM_LOAD, 12, 0, HALF_NONE, 0)    \
    X(load_b128, MEM_LOAD, 16, 0, HALF_NONE, 0)   \
    X(load_u8_d16, MEM_LOAD, 1, 0, HALF_LOW, 0)   \
    X(load_u8_hi, MEM_LOAD, 1, 0, HALF_HIGH, 0)   \
    X(load_i8_d16, MEM_LOAD, 1, 1, HALF_LOW, 0)   \
    X(load_i8_hi, MEM_LOAD, 1, 1, HALF_HIGH, 0)   \
    X(load_b16_d16, MEM_LOAD, 2, 0, HALF_LOW, 0)  \
    X(load_b16_hi, MEM_LOAD, 2, 0, HALF_HIGH, 0)

#define MEM_STORES(X)                             \
    X(store_b8, MEM_STORE, 1, 0, HALF_NONE, 0)    \
    X(store_b8_hi, MEM_STORE, 1, 0, HALF_HIGH, 0) \
    X(store_b16, MEM_STORE, 2, 0, HALF_NONE, 0)   \
    X(store_b16_hi, MEM_STORE, 2, 0, HALF_HIGH, 0)\
    X(store_b32, MEM_STORE, 4, 0, HALF_NONE, 0)   \
    X(store_b64, MEM_STORE, 8, 0, HALF_NONE, 0)   \
    X(store_b96, MEM_STORE, 12, 0, HALF_NONE, 0)  \
    X(store_b128, MEM_STORE, 16, 0, HALF_NONE, 0)

#define MEM_ATOMIC_X(X, name, op)                            \
    X(name, MEM_ATOMIC, 4, 0, HALF_NONE, op)                 \
    X(name##_x2, MEM_ATOMIC, 8, 0, HALF_NONE, op)

#define MEM_ATOMIC_32(X, name, op) X(name, MEM_ATOMIC, 4, 0, HALF_NONE, op)

#define MEM_ATOMICS(X)                           \
    MEM_ATOMIC_X(X, swap, ATOMIC_SWAP)           \
    MEM_ATOMIC_X(X, cmpswap, ATOMIC_CMPSWAP)     \
    MEM_ATOMIC_X(X, add, ATOMIC_ADD)             \
    MEM_ATOMIC_X(X, sub, ATOMIC_SUB)             \
    MEM_ATOMIC_X(X, smin, ATOMIC_SMIN)           \
    MEM_ATOMIC_X(X, umin, ATOMIC_UMIN)           \
    MEM_ATOMIC_X(X, smax, ATOMIC_SMAX)           \
    MEM_ATOMIC_X(X, umax, ATOMIC_UMAX)           \
    MEM_ATOMIC_X(X, and, ATOMIC_AND)             \
    MEM_ATOMIC_X(X, or, ATOMIC_OR)               \
    MEM_ATOMIC_X(X, xor, ATOMIC_XOR)             \
    MEM_ATOMIC_X(X, inc, ATOMIC_INC)             \
    MEM_ATOMIC_X(X, dec, ATOMIC_DEC)             \
    MEM_ATOMIC_32(X, cond_sub, ATOMIC_COND_SUB)  \
    MEM_ATOMIC_32(X, sub_clamp, ATOMIC_SUB_CLAMP)\
    MEM_ATOMIC_32(X, fcmpswap, ATOMIC_FCMPSWAP)  \
    MEM_ATOMIC_32(X, fmin, ATOMIC_FMIN)          \
    MEM_ATOMIC_32(X, fmax, ATOMIC_FMAX)          \
    MEM_ATOMIC_32(X, fmin_num, ATOMIC_FMIN_NUM)  \
    MEM_ATOMIC_32(X, fmax_num, ATOMIC_FMAX_NUM)  \
    MEM_ATOMIC_32(X, fadd, ATOMIC_FADD)          \
    MEM_ATOMIC_32(X, fadd_flush, ATOMIC_FADD_FLUSH) \
    MEM_ATOMIC_32(X, pk_add_f16, ATOMIC_PK_ADD_F16) \
    MEM_ATOMIC_32(X, pk_add_bf16, ATOMIC_PK_ADD_BF16) \
    MEM_ATOMIC_32(X, add_late, ATOMIC_ADD_LATE)

/* X(name, kind, comps, half): converted by a buffer format */
#define MEM_FORMAT_X(X, name, kind)            \
    X(name##_x, kind, 1, HALF_NONE)            \
    X(name##_xy, kind, 2, HALF_NONE)           \
    X(name##_xyz, kind, 3, HALF_NONE)          \
    X(name##_xyzw, kind, 4, HALF_NONE)         \
    X(name##_d16_x, kind, 1, HALF_LOW)         \
    X(name##_d16_xy, kind, 2, HALF_LOW)        \
    X(name##_d16_xyz, kind, 3, HALF_LOW)       \
    X(name##_d16_xyzw, kind, 4, HALF_LOW)      \
    X(name##_d16_hi_x, kind, 1, HALF_HIGH)

#define MEM_FORMATS(X)                         \
    MEM_FORMAT_X(X, load_format, MEM_LOAD)     \
    MEM_FORMAT_X(X, store_format, MEM_STORE)

#define MEM_OPS(X) MEM_LOADS(X) MEM_STORES(X) MEM_ATOMICS(X)

#define MEM_OP_ID(name, kind, bytes, sext, half, atomic) MEM_##name,
#define MEM_FORMAT_ID(name, kind, comps, half) MEM_##name,
typedef enum MemOpId {
    MEM_none, /* no meaning yet, or nothing to do */
    MEM_OPS(MEM_OP_ID)
    MEM_FORMATS(MEM_FORMAT_ID)
    MEM_OP_COUNT
} MemOpId;

#define MEM_OP_ROW(name, kind, bytes, sext, half, atomic) \
    [MEM_##name] = { kind, bytes, sext, half, atomic, 0 },
#define MEM_FORMAT_ROW(name, kind, comps, half) \
    [MEM_##name] = { kind, 0, 0, half, 0, comps },
static const MemOp mem_ops[MEM_OP_COUNT] = {
    MEM_OPS(MEM_OP_ROW)
    MEM_FORMATS(MEM_FORMAT_ROW)
};

#endif
