/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A toy instruction set for testing the engine without any real one.  Its
 * opcodes are the low byte of a dword, its operand the rest.
 */
#ifndef TOY_ISA_H
#define TOY_ISA_H

#include "target/engine/mem.h"

enum {
    TOY_NOP,
    TOY_END,
    TOY_BARRIER,
    TOY_JUMP,     /* by the operand, signed dwords from here */
    TOY_FAULT,    /* misaligned, at the operand */
    TOY_COUNT,    /* add 1 to the 64-bit word at the operand, atomically */
    TOY_WAIT,     /* until the 64-bit word at the operand is not 0 */
    TOY_FLAG,     /* store the group's number + 1 at operand + 8 * group */
    TOY_SCRATCH,  /* store the scratch slot at operand + 8 * group */
    TOY_STORE,    /* store 1 at the operand, no atomic */
    TOY_CU,       /* store the CU's number + 1 at operand + 8 * group */
    TOY_LOAD,     /* the accumulator from the 64-bit word at the operand */
    TOY_SAVE,     /* the accumulator to operand + 8 * group */
    TOY_LONG,     /* two dwords: skip the second one */
    TOY_FILL,     /* the worker's list of written pages, with its last one */
    TOY_REFILL,   /* the accumulator: what mem_refill() says, for a store */
};

#define TOY(op, operand) ((uint32_t)(TOY_##op) | (uint32_t)(operand) << 8)

extern const TesseraIsa toy_isa;

#endif
