/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decoding of gfx11 and gfx12: from a word to its family, from an opcode to its
 * operation.
 */
#include "decode-int.h"

static const AmdInst blank = {
    .dst = OPERAND_NONE,
    .sdst = OPERAND_NONE,
    .src = { OPERAND_NONE, OPERAND_NONE, OPERAND_NONE, OPERAND_NONE },
    .addr = OPERAND_NONE,
    .data = OPERAND_NONE,
    .data1 = OPERAND_NONE,
    .saddr = OPERAND_NONE,
    .soffset = OPERAND_NONE,
};

const RdnaOpcode *rdna_opcode(const RdnaTarget *target, unsigned family,
                              unsigned opcode)
{
    const RdnaEncoding *encoding = target->encodings[family];
    const char *table = (const char *)target->opcodes;
    const RdnaOpcode *row = (const RdnaOpcode *)(table + encoding->opcodes);

    row += opcode;
    return row->op == AMD_none || (row->since_115 && !target->has_115) ?
           NULL : row;
}

static unsigned family_of(const RdnaTarget *target, uint32_t word)
{
    unsigned family = target->families[word >> 23];

    if (family == FAM_FLAT && target->segments) {
        family = target->segments[bits_at(word, 16, 2)];
    }
    return family;
}

bool rdna_decode(const RdnaTarget *target, const uint32_t *words,
                 unsigned count, AmdInst *out)
{
    unsigned family = count ? family_of(target, words[0]) : FAM_COUNT;
    const RdnaEncoding *encoding;
    const RdnaOpcode *row;
    Decode d;

    if (family >= FAM_COUNT || !target->encodings[family] ||
        count < target->encodings[family]->dwords) {
        return false;
    }
    encoding = target->encodings[family];
    row = rdna_opcode(target, family,
                      bits_at(words[0], encoding->op_low, encoding->op_width));
    if (!row) {
        return false;
    }
    *out = blank;
    out->op = row->op;
    out->name = row->name;
    out->gen = target->gen;
    out->wave32 = target->wave32;
    out->family = family;
    out->size = encoding->dwords * 4;
    d = (Decode) {
        .words = words, .count = count, .inst = out, .target = target,
        .bits = words[0] | (uint64_t)(count > 1 ? words[1] : 0) << 32,
        .insn = &amd_insns[row->op],
    };
    encoding->extract(d.bits, out);
    return encoding->finish(&d);
}
