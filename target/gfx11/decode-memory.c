/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory encodings of gfx11 (gfx-facts section 13).
 */
#include "target/rdna/decode-memory.h"

static const Field smem_fields[] = {
    { FIELD_PAIR, 0, 6, MEMBER(saddr) },
    { FIELD_U16, 6, 7, MEMBER(data) },
    { FIELD_U8, 13, 1, MEMBER(dlc) },
    { FIELD_U8, 14, 1, MEMBER(glc) },
    { FIELD_S32, 32, 21, MEMBER(offset) },
    { FIELD_U16, 57, 7, MEMBER(soffset) },
};

EXTRACTOR(smem)

const RdnaEncoding gfx11_smem = {
    OPCODES(SMEM), 2, 18, 8, smem_extract, rdna_finish_smem,
};

/* ---- FLAT ---- */

enum { FLAT_SVE = 55, FLAT_OFFSET_MASK = 0xfff };

static const Field flat_fields[] = {
    { FIELD_S32, 0, 13, MEMBER(offset) },
    { FIELD_U8, 13, 1, MEMBER(dlc) },
    { FIELD_U8, 14, 1, MEMBER(glc) },
    { FIELD_U8, 15, 1, MEMBER(slc) },
    { FIELD_VGPR, 32, 8, MEMBER(addr) },
    { FIELD_VGPR, 40, 8, MEMBER(data) },
    { FIELD_U16, 48, 7, MEMBER(saddr) },
    { FIELD_VGPR, 56, 8, MEMBER(dst) },
};

EXTRACTOR(flat)

static bool finish_flat(Decode *d)
{
    if (d->inst->family == FAM_FLAT) { /* 12 bits, unsigned */
        d->inst->offset &= FLAT_OFFSET_MASK;
    }
    return rdna_finish_flat(d, bits_at(d->bits, FLAT_SVE, 1));
}

#define FLAT_ENCODING(segment) \
    { OPCODES(segment), 2, 18, 7, flat_extract, finish_flat }
const RdnaEncoding gfx11_flat = FLAT_ENCODING(FLAT);
const RdnaEncoding gfx11_global = FLAT_ENCODING(GLOBAL);
const RdnaEncoding gfx11_scratch = FLAT_ENCODING(SCRATCH);

/* ---- buffers ---- */

enum { LOAD_LDS_FIRST = 45, LOAD_LDS_LAST = 50 }; /* opcodes of MUBUF */

#define BUFFER_FIELDS                       \
    { FIELD_U32, 0, 12, MEMBER(offset) },   \
    { FIELD_U8, 12, 1, MEMBER(slc) },       \
    { FIELD_U8, 13, 1, MEMBER(dlc) },       \
    { FIELD_U8, 14, 1, MEMBER(glc) },       \
    { FIELD_VGPR, 32, 8, MEMBER(addr) },    \
    { FIELD_VGPR, 40, 8, MEMBER(data) },    \
    { FIELD_QUAD, 48, 5, MEMBER(saddr) },   \
    { FIELD_U8, 53, 1, MEMBER(tfe) },       \
    { FIELD_U8, 54, 1, MEMBER(offen) },     \
    { FIELD_U8, 55, 1, MEMBER(idxen) },     \
    { FIELD_U16, 56, 8, MEMBER(soffset) }

static const Field mubuf_fields[] = { BUFFER_FIELDS };

EXTRACTOR(mubuf)

static const Field mtbuf_fields[] = {
    BUFFER_FIELDS,
    { FIELD_U8, 19, 7, MEMBER(dfmt) },
};

EXTRACTOR(mtbuf)

/* buffer_gl0_inv and buffer_gl1_inv have no operands. */
static bool buffer_bare(Decode *d)
{
    AmdInst *t = d->inst;
    bool ok = !(t->offen || t->idxen || t->tfe || t->glc || t->dlc);

    t->addr = t->data = t->saddr = t->soffset = OPERAND_NONE;
    t->offset = t->slc = 0;
    return ok;
}

static bool finish_mubuf(Decode *d)
{
    unsigned opcode = bits_at(d->bits, 18, 8);

    if (d->insn->dst == T_none) {
        return buffer_bare(d);
    }
    d->inst->lds = opcode >= LOAD_LDS_FIRST && opcode <= LOAD_LDS_LAST;
    return rdna_finish_buffer(d, OPND_SCALAR_SRC);
}

static bool finish_mtbuf(Decode *d)
{
    return !d->inst->tfe && rdna_finish_buffer(d, OPND_SCALAR_SRC);
}

const RdnaEncoding gfx11_mubuf = {
    OPCODES(MUBUF), 2, 18, 8, mubuf_extract, finish_mubuf,
};
const RdnaEncoding gfx11_mtbuf = {
    OPCODES(MTBUF), 2, 15, 4, mtbuf_extract, finish_mtbuf,
};
