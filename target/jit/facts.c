/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fields of the wave whose values are known as long as something holds.
 */
#include "internal.h"

const JitFact *fact_at(const JitFact *fact, uint64_t offset, unsigned size)
{
    for (; fact && fact->size; fact++) {
        if (offset >= fact->offset &&
            offset + size <= (uint64_t)fact->offset + fact->size) {
            return fact;
        }
    }
    return NULL;
}

LLVMValueRef fact_value(const JitFact *fact, uint64_t offset, LLVMTypeRef type)
{
    if (fact->size > 8) {
        return fact->value ? LLVMConstAllOnes(type) : LLVMConstNull(type);
    }
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind) {
        return NULL;
    }
    return LLVMConstInt(type, fact->value >> 8 * (offset - fact->offset),
                        false);
}

bool fact_meets(const JitFact *fact, int64_t offset, unsigned size)
{
    for (; fact && fact->size; fact++) {
        if (offset < (int64_t)fact->offset + fact->size &&
            fact->offset < offset + size) {
            return true;
        }
    }
    return false;
}
