/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shuffles of vectors that come to nothing, or to a constant.
 */
#include "internal.h"

static unsigned element_bits(LLVMValueRef v)
{
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(v));

    return LLVMGetTypeKind(element) == LLVMIntegerTypeKind
               ? LLVMGetIntTypeWidth(element) : 0;
}

/* Where the 32-bit element @i of *@v was before it was shuffled. */
static int unshuffled(LLVMValueRef *v, int i)
{
    while (i >= 0) {
        LLVMValueRef from;
        int count;

        *v = region_uncast(*v);
        if (LLVMIsATruncInst(*v)) {
            from = LLVMGetOperand(*v, 0);
            i = element_bits(from) == 64 ? 2 * i : -1;
        } else if (LLVMIsAShuffleVectorInst(*v) && element_bits(*v) == 32) {
            from = LLVMGetOperand(*v, 0);
            count = (int)LLVMGetVectorSize(LLVMTypeOf(from));
            i = LLVMGetMaskValue(*v, (unsigned)i);
            if (i >= count) {
                from = LLVMGetOperand(*v, 1);
                i -= count;
            }
        } else {
            break;
        }
        *v = from;
    }
    return i;
}

LLVMValueRef shuffle_back(Region *r, LLVMValueRef inst, LLVMValueRef a,
                          LLVMValueRef b)
{
    LLVMValueRef operand[2] = { a, b }, all = NULL;
    int count = (int)LLVMGetNumMaskElements(inst);
    int half = (int)LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(inst, 0)));

    for (int i = 0; element_bits(inst) == 32 && i < count; i++) {
        int at = LLVMGetMaskValue(inst, (unsigned)i);
        LLVMValueRef v = operand[at >= half];

        if (unshuffled(&v, at >= half ? at - half : at) != i ||
            (all && v != all)) {
            return NULL;
        }
        all = v;
    }
    return all && LLVMABISizeOfType(r->lib->layout, LLVMTypeOf(all)) ==
                      LLVMABISizeOfType(r->lib->layout, LLVMTypeOf(inst))
               ? region_as_type(r, all, LLVMTypeOf(inst)) : NULL;
}

LLVMValueRef shuffle_constants(Region *r, LLVMValueRef inst, LLVMValueRef a,
                               LLVMValueRef b)
{
    LLVMValueRef mask[64];
    unsigned count = LLVMGetNumMaskElements(inst);

    if (!LLVMIsConstant(a) || !LLVMIsConstant(b) ||
        count > G_N_ELEMENTS(mask)) {
        return NULL;
    }
    for (unsigned i = 0; i < count; i++) {
        int at = LLVMGetMaskValue(inst, i);

        mask[i] = at < 0 ? LLVMGetUndef(r->i32)
                         : LLVMConstInt(r->i32, (unsigned)at, false);
    }
    return LLVMBuildShuffleVector(r->builder, a, b,
                                  LLVMConstVector(mask, count), "");
}
