/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the generations' entry points have in common: words to
 * micro-operations and to text.
 */
#include <stdio.h>
#include "exec.h"
#include "lower.h"
#include "mem-ops.h"

void amd_decode_uop(AmdDecodeFn *decode, const AmdHandler *handlers,
                    const uint32_t *words, unsigned count, Uop *uop)
{
    AmdInst inst;

    if (!decode(words, count, &inst)) {
        *uop = (Uop){ .fn = amd_illegal, .len = 1 };
        return;
    }
    amd_lower(&inst, handlers, uop);
    if (amd_may_be_late(decode, words, count, &inst)) {
        uop->kind[1] = MEM_add_late;
    }
}

unsigned amd_disassemble_words(AmdDecodeFn *decode, const uint32_t *words,
                               unsigned count, uint64_t pc, char *text,
                               size_t size)
{
    AmdInst inst;

    if (!decode(words, count, &inst)) {
        snprintf(text, size, ".long 0x%08x", words[0]);
        return 0;
    }
    amd_disassemble(&inst, pc, text, size);
    return inst.size;
}
