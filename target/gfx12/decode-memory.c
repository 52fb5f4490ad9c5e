/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory encodings of gfx12 (gfx-facts section 13).
 */
#include "target/rdna/decode-memory.h"

static const Field smem_fields[] = {
    { FIELD_PAIR, 0, 6, MEMBER(saddr) },
    { FIELD_U16, 6, 7, MEMBER(data) },
    { FIELD_U8, 21, 2, MEMBER(scope) },
    { FIELD_U8, 23, 2, MEMBER(th) },
    { FIELD_S32, 32, 24, MEMBER(offset) },
    { FIELD_U16, 57, 7, MEMBER(soffset) },
};

EXTRACTOR(smem)

const RdnaEncoding gfx12_smem = {
    OPCODES(SMEM), 2, 13, 6, smem_extract, rdna_finish_smem,
};

/* ---- the third dword of the others ---- */

enum { TH_RETURN = 1 }; /* of an atomic: the old value */

static void third_dword(Decode *d)
{
    uint32_t word = d->words[2];
    AmdInst *t = d->inst;

    t->addr = (word & 0xff) + OPERAND_VGPR;
    t->offset = (int32_t)word >> 8;
    t->glc = d->insn->flags & INSN_ATOMIC && t->th & TH_RETURN;
}

/* ---- FLAT ---- */

enum { FLAT_SVE = 49 };

static const Field flat_fields[] = {
    { FIELD_U16, 0, 7, MEMBER(saddr) },
    { FIELD_VGPR, 32, 8, MEMBER(dst) },
    { FIELD_U8, 50, 2, MEMBER(scope) },
    { FIELD_U8, 52, 3, MEMBER(th) },
    { FIELD_VGPR, 55, 8, MEMBER(data) },
};

EXTRACTOR(flat)

static bool finish_flat(Decode *d)
{
    third_dword(d);
    return rdna_finish_flat(d, bits_at(d->bits, FLAT_SVE, 1));
}

#define FLAT_ENCODING(segment) \
    { OPCODES(segment), 3, 14, 8, flat_extract, finish_flat }
const RdnaEncoding gfx12_flat = FLAT_ENCODING(FLAT);
const RdnaEncoding gfx12_global = FLAT_ENCODING(GLOBAL);
const RdnaEncoding gfx12_scratch = FLAT_ENCODING(SCRATCH);

/* ---- buffers ---- */

enum { TYPED_FIRST = 128 }; /* opcodes whose format is in the instruction */

static const Field vbuffer_fields[] = {
    { FIELD_U16, 0, 7, MEMBER(soffset) },
    { FIELD_U8, 22, 1, MEMBER(tfe) },
    { FIELD_VGPR, 32, 8, MEMBER(data) },
    { FIELD_U16, 41, 9, MEMBER(saddr) },
    { FIELD_U8, 50, 2, MEMBER(scope) },
    { FIELD_U8, 52, 3, MEMBER(th) },
    { FIELD_U8, 55, 7, MEMBER(dfmt) },
    { FIELD_U8, 62, 1, MEMBER(offen) },
    { FIELD_U8, 63, 1, MEMBER(idxen) },
};

EXTRACTOR(vbuffer)

static bool finish_vbuffer(Decode *d)
{
    AmdInst *t = d->inst;

    third_dword(d);
    t->typed = bits_at(d->bits, 14, 8) >= TYPED_FIRST;
    return !(t->typed && t->tfe) && rdna_finish_buffer(d, OPND_SGPR);
}

const RdnaEncoding gfx12_vbuffer = {
    OPCODES(VBUFFER), 3, 14, 8, vbuffer_extract, finish_vbuffer,
};
