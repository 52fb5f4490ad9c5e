/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Vector instructions against the models of valu-models.inc: every operation
 * of a target that has a meaning, in every form that the assembler has for it,
 * with edge values and random ones, partial EXEC and several settings of MODE.
 *
 *     test-valu [TARGET LANES [brief]]    gfx900 64 unless told otherwise
 */
#include <string.h>
#include "valu-models.h"
#include "valu-target.h"
#include "wave-harness.h"
#include "target/amdgpu/inst.h"
#include "target/amdgpu/mods.h"
#include "target/amdgpu/ops.h"
#include "target/amdgpu/rows.h"

enum {
    LANES = 64,     /* that there is room for */
    DST = 10,       /* registers that the snippets use */
    SRC_VALUE = 40, /* scalar source */
    OUT_MASK = 30,  /* pairs of SGPRs: carry out, carry in */
    IN_MASK = 32,
};

static const unsigned src_vgpr[3] = { 2, 4, 6 };

static const ValuTarget *target;
static int lanes = LANES; /* of a wave */
static bool brief;        /* fewer values */

static bool is_rdna(void)
{
    return target->gen > GEN_9;
}

/* ---- values ---- */

static uint64_t seed;

static uint64_t random64(void)
{
    uint64_t z = seed += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static const uint64_t edges16[] = {
    0x0000, 0x8000, 0x3c00, 0xbc00, 0x3800, 0x4000, 0x4200, 0xc500, 0x0001,
    0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x7bff, 0xfbff, 0x7c00, 0xfc00,
    0x7e00, 0xfe01, 0x7c01, 0xfd55, 0x3bff, 0x3c01, 0x0002, 0x7fff, 0xffff,
    0x000f, 0x0010, 0x001f, 0x5bff, 0x77ff,
};

static const uint64_t edges32[] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000,
    0x40000000, 0x40400000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff,
    0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
    0x7fc00000, 0xffc12345, 0x7f800001, 0xffa00001, 0x40490fdb, 0x4f000000,
    0xcf000000, 0x4effffff, 0x4f7fffff, 0x4f800000, 0x3effffff, 0x3fc00000,
    0x40200000, 0xc0200000, 0x437f8000, 0x477fe000, 0x477ff000, 0x33000000,
    0x33000001, 0x387fc000, 0x38800000, 0x3f7fffff, 0x7fffffff, 0xffffffff,
    0x0000001f, 0x00000020, 0x00000021, 0x0000003f, 0x00ffffff, 0x00800001,
    0xff00ff00, 0x0c0b0908, 0x07060504, 0x000d0c0a, 0x0c000000, 0x72000000,
    0x5f000000, 0x1f800000, 0x43800000, 0x3e800000, 0x3f400000, 0x42fe0000,
};

static const uint64_t edges64[] = {
    0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000,
    0xbff0000000000000, 0x3fe0000000000000, 0x4000000000000000,
    0x0000000000000001, 0x8000000000000001, 0x000fffffffffffff,
    0x0010000000000000, 0x8010000000000000, 0x7fefffffffffffff,
    0xffefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000,
    0x7ff8000000000000, 0xfff8000000012345, 0x7ff0000000000001,
    0xfff4000000000001, 0x41e0000000000000, 0xc1e0000000000000,
    0x41dfffffffc00000, 0x41efffffffe00000, 0x41f0000000000000,
    0xc1e0000000200000, 0x3fdfffffffffffff, 0x4004000000000000,
    0x36a0000000000000, 0x3690000000000000, 0x380fffffe0000000,
    0x47efffffefffffff, 0x47effffff0000000, 0x3cb0000000000000,
    0x0060000000000000, 0x7fe0000000000000, 0x5ff0000000000000,
    0xffffffffffffffff, 0x7fffffffffffffff, 0x00000000ffffffff,
    0x0123456789abcdef, 0x3feffffffffffff8, 0xc004000000000000,
};

static uint64_t pick(const uint64_t *edges, unsigned count)
{
    return edges[random64() % count];
}

/* A float whose exponent is not far from 1's, so that sums have carries. */
static uint64_t near_one(unsigned width)
{
    switch (width) {
    case 16:
        return (random64() & 0x83ff) | (13 + random64() % 5) << 10;
    case 32:
        return (random64() & 0x807fffff) | (122 + random64() % 12) << 23;
    default:
        return (random64() & 0x800fffffffffffff) |
               (1018 + random64() % 12) << 52;
    }
}

static uint64_t value(unsigned width)
{
    unsigned kind = random64() % 8;

    if (kind == 0) {
        return random64() & (width == 64 ? UINT64_MAX : (1ull << width) - 1);
    }
    if (kind < 3) {
        return near_one(width);
    }
    switch (width) {
    case 16:
        return pick(edges16, G_N_ELEMENTS(edges16));
    case 32:
        return pick(edges32, G_N_ELEMENTS(edges32));
    default:
        return pick(edges64, G_N_ELEMENTS(edges64));
    }
}

/* ---- types ---- */

static unsigned type_width(AmdType t)
{
    switch (t) {
    case T_b16: case T_u16: case T_i16: case T_f16:
        return 16;
    case T_b64: case T_u64: case T_i64: case T_f64:
        return 64;
    case T_mask: case T_none:
        return 0;
    default:
        return 32;
    }
}

static const Format *type_format(AmdType t)
{
    switch (t) {
    case T_f16: case T_pk16f:
        return &format16;
    case T_f32:
        return &format32;
    case T_f64:
        return &format64;
    default:
        return NULL;
    }
}

static uint64_t low_bits(uint64_t x, unsigned width)
{
    return width == 64 ? x : x & ((1ull << width) - 1);
}

/* ---- a case: an instruction in one form ---- */

typedef enum Form { E32, E64, SDWA, DPP, E64_DPP, DPP8 } Form;

typedef struct Case {
    const ValuOp *op;
    const AmdInsn *row;
    const Model *model;
    Form form;
    char *text;
    int scalar;       /* source that is in an SGPR, -1: none */
    bool literal;     /* source 0 is the literal */
    uint32_t constant;
    uint8_t neg, abs, omod, clamp;
    uint8_t opsel, opsel_hi, neg_hi;
    uint8_t sel[2], sext, dst_sel, dst_unused;
    int dpp;          /* in dpp_moves */
    uint8_t row_mask, bank_mask, bound, fetch;
} Case;

static bool is_long(const Case *c)
{
    return c->form == E64 || c->form == E64_DPP;
}

static bool is_dpp(const Case *c)
{
    return c->form == DPP || c->form == E64_DPP || c->form == DPP8;
}

/* ---- DPP ---- */

typedef struct DppMove {
    const char *text;
    int (*from)(int lane); /* -1: nowhere */
    enum { ALL, GFX9, RDNA, EIGHT } kind;
} DppMove;

static int in_row(int lane, int pos)
{
    return pos < 0 || pos > 15 ? -1 : lane / 16 * 16 + pos;
}

static int quad(int lane)
{
    static const int perm[4] = { 1, 3, 0, 0 };

    return lane / 4 * 4 + perm[lane % 4];
}

static int shl1(int lane)
{
    return in_row(lane, lane % 16 + 1);
}

static int shl15(int lane)
{
    return in_row(lane, lane % 16 + 15);
}

static int shr3(int lane)
{
    return in_row(lane, lane % 16 - 3);
}

static int ror4(int lane)
{
    return in_row(lane, (lane % 16 + 12) % 16);
}

static int wave_shl(int lane)
{
    return lane == 63 ? -1 : lane + 1;
}

static int wave_rol(int lane)
{
    return (lane + 1) % 64;
}

static int wave_shr(int lane)
{
    return lane - 1;
}

static int wave_ror(int lane)
{
    return (lane + 63) % 64;
}

static int mirror(int lane)
{
    return in_row(lane, 15 - lane % 16);
}

static int half_mirror(int lane)
{
    return lane / 8 * 8 + 7 - lane % 8;
}

static int bcast15(int lane)
{
    return lane < 16 ? -1 : lane / 16 * 16 - 1;
}

static int bcast31(int lane)
{
    return lane < 32 ? -1 : 31;
}

static int share5(int lane)
{
    return in_row(lane, 5);
}

static int xmask9(int lane)
{
    return in_row(lane, lane % 16 ^ 9);
}

static int eight_turned(int lane)
{
    return lane / 8 * 8 + 7 - lane % 8;
}

static int eight_mixed(int lane)
{
    static const int from[8] = { 1, 0, 0, 7, 7, 2, 3, 5 };

    return lane / 8 * 8 + from[lane % 8];
}

static const DppMove dpp_moves[] = {
    { "quad_perm:[1,3,0,0]", quad },
    { "row_shl:1", shl1 },
    { "row_shl:15", shl15 },
    { "row_shr:3", shr3 },
    { "row_ror:4", ror4 },
    { "wave_shl:1", wave_shl, GFX9 },
    { "wave_rol:1", wave_rol, GFX9 },
    { "wave_shr:1", wave_shr, GFX9 },
    { "wave_ror:1", wave_ror, GFX9 },
    { "row_mirror", mirror },
    { "row_half_mirror", half_mirror },
    { "row_bcast:15", bcast15, GFX9 },
    { "row_bcast:31", bcast31, GFX9 },
    { "row_share:5", share5, RDNA },
    { "row_xmask:9", xmask9, RDNA },
    { "dpp8:[7,6,5,4,3,2,1,0]", eight_turned, EIGHT },
    { "dpp8:[1,0,0,7,7,2,3,5]", eight_mixed, EIGHT },
};

/* ---- writing the assembly text ---- */

static const char *const sel_names[] = { "BYTE_0", "BYTE_1", "BYTE_2",
                                         "BYTE_3", "WORD_0", "WORD_1",
                                         "DWORD" };
static const char *const unused_names[] = { "UNUSED_PAD", "UNUSED_SEXT",
                                            "UNUSED_PRESERVE" };

static void put_range(GString *s, char bank, unsigned first, unsigned width)
{
    if (width > 32) {
        g_string_append_printf(s, "%c[%u:%u]", bank, first,
                               first + width / 32 - 1);
    } else {
        g_string_append_printf(s, "%c%u", bank, first);
    }
}

/* A lane mask: a pair of scalar registers, or one for 32 lanes. */
static void put_mask(GString *s, bool vcc, unsigned first)
{
    if (vcc) {
        g_string_append(s, lanes == 32 ? "vcc_lo" : "vcc");
    } else {
        put_range(s, 's', first, lanes);
    }
}

static bool is_carry(const Case *c)
{
    return c->row->flags & INSN_CARRY_OUT;
}

/* A result of a bit a lane?  From gfx10 on v_cmpx writes EXEC alone. */
static bool has_bits(const Case *c)
{
    return is_carry(c) || (c->row->class == CLASS_VC &&
                           !(is_rdna() && c->row->flags & INSN_CMPX));
}

/* Where the literal of v_madmk and such stands. */
static int literal_place(const AmdInsn *row)
{
    return strstr(row->name, "madmk") || strstr(row->name, "fmamk") ? 1 : 2;
}

static void put_results(GString *s, const Case *c)
{
    bool vcc = !is_long(c) && (c->form != SDWA || c->row->class != CLASS_VC);

    if (c->row->class != CLASS_VC) {
        put_range(s, 'v', DST, type_width(c->row->dst));
        g_string_append(s, is_carry(c) ? ", " : "");
    }
    if (has_bits(c)) {
        put_mask(s, vcc, OUT_MASK);
    }
}

static void put_source(GString *s, const Case *c, int i)
{
    AmdType type = c->row->src[i];
    bool neg = c->neg >> i & 1, abs = c->abs >> i & 1;
    bool sext = c->sext >> i & 1;

    g_string_append(s, i || c->row->class != CLASS_VC || has_bits(c) ? ", "
                                                                     : "");
    if (type == T_mask) {
        put_mask(s, !is_long(c), IN_MASK);
        return;
    }
    if ((i == 0 && c->literal) ||
        (c->row->flags & INSN_LITERAL_K && i == literal_place(c->row))) {
        g_string_append_printf(s, "0x%x", c->constant);
        return;
    }
    g_string_append(s, c->row->class == CLASS_VPK ? "" : neg ? "-" : "");
    g_string_append(s, abs ? "|" : sext ? "sext(" : "");
    if (c->scalar == i) {
        put_range(s, 's', SRC_VALUE, type_width(type));
    } else {
        put_range(s, 'v', src_vgpr[i], type_width(type));
    }
    g_string_append(s, abs ? "|" : sext ? ")" : "");
}

static void put_bits(GString *s, const char *name, unsigned bits,
                     unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        g_string_append_printf(s, "%s%u", i ? "," : name, bits >> i & 1);
    }
    g_string_append(s, "]");
}

static unsigned source_count(const Case *c)
{
    unsigned n = 0;

    while (n < 3 && c->row->src[n] != T_none) {
        n++;
    }
    return n;
}

static void put_sdwa(GString *s, const Case *c)
{
    if (c->row->class != CLASS_VC) {
        g_string_append_printf(s, " dst_sel:%s dst_unused:%s",
                               sel_names[c->dst_sel],
                               unused_names[c->dst_unused]);
    }
    for (unsigned i = 0; i < 2 && c->row->src[i] != T_none; i++) {
        g_string_append_printf(s, " src%u_sel:%s", i, sel_names[c->sel[i]]);
    }
}

static void put_modifiers(GString *s, const Case *c)
{
    static const char *const omods[] = { "", " mul:2", " mul:4", " div:2" };
    unsigned n = source_count(c);

    if (c->row->class == CLASS_VPK) {
        put_bits(s, " op_sel:[", c->opsel, n);
        put_bits(s, " op_sel_hi:[", c->opsel_hi, n);
        if (type_format(c->row->src[0])) {
            put_bits(s, " neg_lo:[", c->neg, n);
            put_bits(s, " neg_hi:[", c->neg_hi, n);
        }
    } else if (c->opsel) {
        /* The accumulator counts as a source, too. */
        n += is_rdna() && c->row->flags & INSN_ACC;
        put_bits(s, " op_sel:[", (c->opsel & ((1u << n) - 1) & 7) |
                 (c->opsel >> 3 & 1) << n, n + 1);
    }
    g_string_append(s, c->clamp ? " clamp" : "");
    g_string_append(s, omods[c->omod]);
    if (c->form == SDWA) {
        put_sdwa(s, c);
    } else if (dpp_moves[c->dpp].kind == EIGHT && is_dpp(c)) {
        g_string_append_printf(s, " %s%s", dpp_moves[c->dpp].text,
                               c->fetch ? " fi:1" : "");
    } else if (is_dpp(c)) {
        g_string_append_printf(s, " %s row_mask:0x%x bank_mask:0x%x%s%s",
                               dpp_moves[c->dpp].text, c->row_mask,
                               c->bank_mask, !c->bound ? "" :
                               is_rdna() ? " bound_ctrl:1" : " bound_ctrl:0",
                               c->fetch ? " fi:1" : "");
    }
}

/* VOP1, VOP2 and VOPC operations: the others have no short encoding. */
static bool has_short_form(const ValuOp *op)
{
    return op->family <= FAM_VOPC;
}

static char *case_text(const Case *c)
{
    static const char *const suffix[] = { "_e32", "_e64", "_sdwa", "_dpp",
                                          "_e64_dpp", "_dpp" };
    GString *s = g_string_new(c->op->name);

    if (c->form == E64_DPP || (has_short_form(c->op) && !c->op->short_only)) {
        g_string_append(s, suffix[c->form]);
    }
    g_string_append_c(s, ' ');
    put_results(s, c);
    for (int i = 0; i < 3 && c->row->src[i] != T_none; i++) {
        put_source(s, c, i);
    }
    put_modifiers(s, c);
    return g_string_free(s, FALSE);
}

/* ---- the forms of an instruction ---- */

static GArray *cases;

static void add_case(Case c)
{
    c.text = case_text(&c);
    g_array_append_val(cases, c);
}

/* Sources that take neg and abs. */
static unsigned float_sources(const AmdInsn *row)
{
    unsigned mask = 0;

    for (int i = 0; i < 3; i++) {
        mask |= (type_format(row->src[i]) ||
                 (row->flags & INSN_FMODS && i < 2)) << i;
    }
    return mask;
}

/* An SGPR pair is read already: gfx9 has room for one scalar. */
static bool reads_mask(const AmdInsn *row)
{
    return row->flags & INSN_CARRY_IN || strstr(row->name, "div_fmas");
}

/* Halves of registers may be picked: of some, or of all 16-bit operands. */
static bool takes_opsel(const AmdInsn *row)
{
    bool half = type_width(row->dst) == 16;

    for (int i = 0; i < 3; i++) {
        half |= type_width(row->src[i]) == 16;
    }
    return half && (row->flags & INSN_OPSEL || is_rdna());
}

static void add_e64_cases(Case c)
{
    const AmdInsn *row = c.row;
    unsigned floats = float_sources(row);

    c.form = E64;
    add_case(c);
    for (int i = 0; i < 3 && row->src[i] != T_none; i++) {
        if (!reads_mask(row)) {
            c.scalar = i;
            add_case(c);
        }
    }
    c.scalar = -1;
    if (floats) {
        c.neg = 5 & floats;
        c.abs = is_carry(&c) ? 0 : 3 & floats;
        add_case(c);
        c.neg = 2 & floats;
        c.abs = is_carry(&c) ? 0 : 6 & floats;
        add_case(c);
        c.neg = c.abs = 0;
    }
    if (type_format(row->dst) || row->flags & INSN_CLAMP) {
        c.clamp = 1;
        add_case(c);
        c.clamp = 0;
    }
    if (type_format(row->dst)) {
        for (c.omod = 1; c.omod < 4; c.omod++) {
            add_case(c);
        }
        c.omod = 0;
    }
    if (takes_opsel(row)) {
        for (unsigned bits = 1; bits < 16; bits = bits * 2 + (bits == 4)) {
            c.opsel = bits;
            if (type_width(row->dst) != 16) {
                c.opsel &= 7;
            }
            for (int i = 0; i < 3; i++) {
                if (type_width(row->src[i]) != 16) {
                    c.opsel &= ~(1u << i);
                }
            }
            if (c.opsel) {
                add_case(c);
            }
        }
    }
}

static bool fits_extra_dword(const AmdInsn *row, Form form)
{
    for (int i = 0; i < 3; i++) {
        if (type_width(row->src[i]) > 32) {
            return false;
        }
    }
    if (row->class == CLASS_VC) {
        return form == SDWA || is_rdna();
    }
    return type_width(row->dst) <= 32 && !(row->flags & INSN_LITERAL_K) &&
           (form != SDWA || !(row->flags & INSN_ACC));
}

static void add_sdwa_cases(Case c)
{
    unsigned floats = float_sources(c.row);
    unsigned ints = 0;

    for (int i = 0; i < 2; i++) {
        AmdType t = c.row->src[i];

        ints |= (t != T_none && t != T_mask && !(floats >> i & 1)) << i;
    }
    c.form = SDWA;
    for (int n = 0; n < 7; n++) {
        c.sel[0] = n;
        c.sel[1] = (n * 3 + 6) % 7;
        c.dst_sel = (n + 6) % 7;
        c.dst_unused = n % 3;
        c.sext = c.row->flags & INSN_FMODS ? 0 : n & ints;
        c.neg = n & floats;
        c.abs = (n >> 1) & floats;
        c.clamp = n == 3 && (type_format(c.row->dst) ||
                             c.row->flags & INSN_CLAMP);
        if (c.dst_sel == 6) {
            c.dst_unused = 0;
        }
        add_case(c);
    }
}

/* @form: DPP, or E64_DPP. */
static void add_dpp_cases(Case c, Form form)
{
    unsigned floats = float_sources(c.row) & 3;

    for (unsigned i = 0; i < G_N_ELEMENTS(dpp_moves); i++) {
        bool eight = dpp_moves[i].kind == EIGHT;

        if (dpp_moves[i].kind != ALL &&
            (dpp_moves[i].kind == GFX9) == is_rdna()) {
            continue;
        }
        c.form = eight && form == DPP ? DPP8 : form;
        c.dpp = i;
        c.row_mask = eight || i % 3 ? 15 : 10;
        c.bank_mask = eight || i % 5 ? 15 : 6;
        c.bound = eight || i & 1;
        c.fetch = is_rdna() && i % 4 == 3;
        c.neg = c.form == DPP8 ? 0 : i & floats;
        c.abs = c.form == DPP8 || is_carry(&c) ? 0 : (i >> 1) & floats;
        c.opsel = form == E64_DPP && takes_opsel(c.row) && i % 2 &&
                  type_width(c.row->src[0]) == 16;
        add_case(c);
    }
}

static void add_packed_cases(Case c)
{
    unsigned n = (1u << source_count(&c)) - 1;

    for (unsigned i = 0; i < 8; i++) {
        c.form = E64;
        c.opsel = i & n;
        c.opsel_hi = (i ^ 7) & n;
        c.neg = type_format(c.row->src[0]) ? (i >> 1) & n : 0;
        c.neg_hi = type_format(c.row->src[0]) ? (i * 3) & n : 0;
        c.clamp = i == 5;
        c.scalar = i == 6 ? 0 : -1;
        add_case(c);
    }
}

static void add_short_cases(Case c)
{
    const AmdInsn *row = c.row;
    bool k = row->flags & INSN_LITERAL_K;

    add_case(c);
    c.scalar = 0;
    if (!k && !(row->flags & INSN_CARRY_IN)) {
        add_case(c);
    }
    c.scalar = -1;
    c.literal = !k && !(row->flags & INSN_CARRY_IN);
    if (c.literal) {
        add_case(c);
    }
    c.literal = false;
    if (!is_rdna() && fits_extra_dword(row, SDWA)) {
        add_sdwa_cases(c);
    }
    if (fits_extra_dword(row, DPP)) {
        add_dpp_cases(c, DPP);
    }
}

static void add_cases(const ValuOp *op, const Model *model)
{
    const AmdInsn *row = &amd_insns[op->op];
    Case c = { .op = op, .row = row, .model = model, .scalar = -1 };

    c.constant = type_width(row->dst) == 16 || type_width(row->src[0]) == 16 ?
                 0x3e48 : 0x3fc90fdb;
    if (row->class == CLASS_VPK) {
        add_packed_cases(c);
        return;
    }
    if (has_short_form(op)) {
        add_short_cases(c);
    }
    if (!op->short_only) {
        add_e64_cases(c);
        if (is_rdna() && fits_extra_dword(row, DPP)) {
            add_dpp_cases(c, E64_DPP);
        }
    }
}

/* ---- running a case ---- */

typedef struct Before {
    uint32_t v[16][LANES];
    uint32_t s[4];
    uint64_t exec, in_mask, vcc;
    uint32_t mode;
} Before;

static void fill(const Case *c, Before *b, unsigned round)
{
    static const uint32_t modes[] = { 0x3f0, 0x300, 0x1f0, 0x3f5, 0x3fa,
                                      0x3ff, 0x000, 0x0d0,
                                      0x330 };
    static const uint64_t masks[] = { UINT64_MAX, 0x5a5aff00123400f1,
                                      0xfffffffffffffffe, 0 };

    for (int i = 0; i < 3; i++) {
        unsigned width = type_width(c->row->src[i]);
        bool packed = c->row->class == CLASS_VPK;

        for (int lane = 0; lane < LANES; lane++) {
            uint64_t x = value(width == 64 ? 64 : width == 32 && !packed ?
                               32 : 16);

            if (width == 16 || packed) {
                x |= value(16) << 16;
            }
            b->v[src_vgpr[i]][lane] = (uint32_t)x;
            b->v[src_vgpr[i] + 1][lane] = (uint32_t)(x >> 32);
        }
    }
    for (int i = 0; i < 4; i++) {
        b->s[i] = (uint32_t)value(32);
        for (int lane = 0; lane < LANES; lane++) {
            b->v[DST + i][lane] = (uint32_t)value(32);
        }
    }
    b->mode = modes[round % G_N_ELEMENTS(modes)];
    if (target->gen >= GEN_12) {
        b->mode &= ~(MODE_IEEE | MODE_DX10_CLAMP);
    }
    if (c->model->ulp && (c->form == SDWA || c->omod)) {
        /* What is nearly right cannot be told in parts or when scaled. */
        b->mode &= ~0xfu;
    }
    b->exec = masks[round < 3 ? round : random64() % 3];
    b->exec = round == 7 ? masks[3] : b->exec;
    b->in_mask = random64();
    b->vcc = random64();
    /* v_div_scale is told which of the two to scale by giving it twice. */
    if (strstr(c->row->name, "div_scale")) {
        for (int lane = 0; lane < LANES; lane++) {
            unsigned twin = lane % 4 ? src_vgpr[1 + lane % 2] : 2;

            b->v[2][lane] = b->v[twin][lane];
            b->v[3][lane] = b->v[twin + 1][lane];
        }
    }
}

static void load(WaveHarness *h, const Before *b)
{
    wave_reset(h);
    for (int i = 2; i < 14; i++) {
        memcpy(wave_vgpr(h, i), b->v[i], sizeof(b->v[i]));
    }
    memcpy(&h->w->s[SRC_VALUE], b->s, sizeof(b->s));
    wave_set_sgpr64(h, IN_MASK, b->in_mask);
    wave_set_sgpr64(h, SGPR_VCC, b->vcc);
    wave_set_exec(h, b->exec);
    wave_set_mode(h, b->mode);
}

/* Bits of the register or constant that source @i is, for a lane. */
static uint64_t raw_source(const Case *c, const Before *b, int i, int lane)
{
    bool k = c->row->flags & INSN_LITERAL_K;
    int place = literal_place(c->row);
    unsigned width = type_width(c->row->src[i]);

    if ((c->literal && i == 0) || (k && i == place)) {
        AmdType t = c->row->src[i];

        return t == T_f64 ? (uint64_t)c->constant << 32 : c->constant;
    }
    if (c->scalar == i) {
        return width == 64 ? b->s[0] | (uint64_t)b->s[1] << 32 : b->s[0];
    }
    return b->v[src_vgpr[i]][lane] |
           (uint64_t)b->v[src_vgpr[i] + 1][lane] << 32;
}

static uint64_t select_part(uint64_t x, unsigned sel, bool sext)
{
    unsigned width = sel < 4 ? 8 : sel < 6 ? 16 : 32;
    unsigned shift = sel < 4 ? 8 * sel : sel == 5 ? 16 : 0;

    x = (uint32_t)x >> shift & ((1ull << width) - 1);
    if (sext && x >> (width - 1) & 1) {
        x |= UINT64_MAX << width;
    }
    return x;
}

static uint64_t source(const Case *c, const Before *b, int i, int lane)
{
    AmdType type = c->row->src[i];
    unsigned width = type_width(type);
    unsigned sign = type_format(type) ? type_format(type)->bits : width;
    uint64_t x;

    if (width == 0) {
        return 0;
    }
    x = raw_source(c, b, i, lane);
    if (c->form == SDWA && i < 2) {
        x = select_part(x, c->sel[i], c->sext >> i & 1);
    } else if (width == 16 && c->opsel >> i & 1) {
        x >>= 16;
    }
    x = low_bits(x, width);
    if (c->abs >> i & 1) {
        x &= ~(1ull << (sign - 1));
    }
    if (c->neg >> i & 1) {
        x ^= 1ull << (sign - 1);
    }
    return x;
}

/* omod: obeyed by gfx12 always, by others without IEEE and denormals. */
static uint64_t scaled(const Case *c, const Format *f, uint32_t mode,
                       uint64_t x)
{
    static const int power[4] = { 0, 1, 2, -1 };
    bool always = target->gen >= GEN_12;
    Exact e;

    if (!c->omod || (!always && (mode & MODE_IEEE ||
                                 mode_keeps_out(f, mode)))) {
        return x;
    }
    if (float_is_nan(f, x)) {
        return float_quiet(f, x);
    }
    if (float_is_inf(f, x)) {
        return x;
    }
    x = float_flush(f, x);
    if (float_is_zero(f, x)) {
        return 0;
    }
    e = exact_of(f, x);
    e = exact_scale(&e, power[c->omod]);
    x = model_rounded(f, mode, &e);
    /* What has become zero keeps its sign on gfx12. */
    return always ? float_flush(f, x) : float_is_zero(f, x) ? 0 : x;
}

static uint64_t output(const Case *c, uint32_t mode, uint64_t x)
{
    const Format *f = type_format(c->row->dst);

    if (!f) {
        return x;
    }
    x = scaled(c, f, mode, x);
    if (c->clamp) {
        Exact one = exact_of_int(1), e;

        if (float_is_nan(f, x)) {
            return mode & MODE_DX10_CLAMP || target->gen >= GEN_12 ? 0 : x;
        }
        if (float_sign(f, x) || float_is_zero(f, x)) {
            return 0;
        }
        if (float_is_inf(f, x)) {
            return exact_round(f, &one, TO_NEAREST, false);
        }
        e = exact_of(f, x);
        if (exact_compare(&e, &one) > 0) {
            return exact_round(f, &one, TO_NEAREST, false);
        }
    }
    return x;
}

/* Where a result of 32 bits or fewer goes in the register. */
static uint32_t placed(const Case *c, uint32_t x, uint32_t old)
{
    unsigned width = c->dst_sel < 4 ? 8 : c->dst_sel < 6 ? 16 : 32;
    unsigned shift = c->dst_sel < 4 ? 8 * c->dst_sel :
                     c->dst_sel == 5 ? 16 : 0;
    uint32_t field = (uint32_t)((1ull << width) - 1) << shift;

    if (c->form != SDWA) {
        if (type_width(c->row->dst) != 16) {
            return x;
        }
        if (c->opsel & 8) {
            return x << 16 | (old & 0xffff);
        }
        /* LLVM, zeroesHigh16BitsOfDest(): those with op_sel keep it. */
        return c->row->flags & INSN_OPSEL || is_rdna() ?
               x | (old & 0xffff0000) : x;
    }
    x = x << shift & field;
    switch (c->dst_unused) {
    case 1:
        return x & 1u << (shift + width - 1) ?
               x | (uint32_t)(UINT64_MAX << (shift + width)) : x;
    case 2:
        return x | (old & ~field);
    default:
        return x;
    }
}

static bool case_failed;

static bool close_enough(const Case *c, const Before *b, uint64_t got,
                         uint64_t want)
{
    const Format *f = type_format(c->row->dst);
    uint64_t ulp = c->model->ulp;

    if (got == want) {
        return true;
    }
    if (!ulp || c->form == SDWA || !f || float_is_nan(f, got) ||
        float_is_nan(f, want)) {
        return false;
    }
    if (mode_rounding(f, b->mode) != TO_NEAREST || b->mode & 0xf) {
        ulp++;
    }
    if (c->omod) {
        ulp *= 2;
    }
    return got + ulp >= want && want + ulp >= got;
}

static void mismatch(const Case *c, const Before *b, int lane, uint64_t got,
                     uint64_t want)
{
    g_test_message("%s: lane %d, mode %x, operands %llx %llx %llx: got %llx, "
                   "expected %llx", c->text, lane, b->mode,
                   (unsigned long long)raw_source(c, b, 0, lane),
                   (unsigned long long)raw_source(c, b, 1, lane),
                   (unsigned long long)raw_source(c, b, 2, lane),
                   (unsigned long long)got, (unsigned long long)want);
    case_failed = true;
}

/* May the lane be written?  For DPP the lane it reads has a say. */
static bool lane_writes(const Case *c, const Before *b, int lane, int *from)
{
    *from = lane;
    if (lane >= lanes || !(b->exec >> lane & 1)) {
        return false;
    }
    if (!is_dpp(c)) {
        return true;
    }
    *from = dpp_moves[c->dpp].from(lane);
    if (*from >= 0 && !(b->exec >> *from & 1) && !c->fetch) {
        *from = -1;
    }
    return c->row_mask >> lane / 16 & 1 && c->bank_mask >> lane / 4 % 4 & 1 &&
           (*from >= 0 || c->bound);
}

static uint64_t model_packed(const Case *c, Lane *l)
{
    uint64_t src[3] = { l->a, l->b, l->c }, r = 0;

    for (int half = 0; half < 2; half++) {
        unsigned sel = half ? c->opsel_hi : c->opsel;
        unsigned neg = half ? c->neg_hi : c->neg;
        uint64_t x[3];

        for (int i = 0; i < 3; i++) {
            x[i] = src[i] >> (sel >> i & 1) * 16 & 0xffff;
            x[i] ^= (neg >> i & 1) << 15;
        }
        l->a = x[0];
        l->b = x[1];
        l->c = x[2];
        x[0] = c->model->fn(l);
        if (type_format(c->row->dst)) {
            x[0] = output(c, l->mode, x[0]);
        }
        r |= (x[0] & 0xffff) << 16 * half;
    }
    return r;
}

/* What lane @lane gets, with source 0 read in lane @from. */
static uint64_t expected(const Case *c, const Before *b, Lane *l, int from)
{
    int lane = (int)l->lane;

    if (c->row->class == CLASS_VPK) {
        l->a = raw_source(c, b, 0, lane);
        l->b = raw_source(c, b, 1, lane);
        l->c = raw_source(c, b, 2, lane);
        return model_packed(c, l);
    }
    if (from < 0) {
        Case plain = *c;
        Before zero = *b;

        zero.v[src_vgpr[0]][lane] = 0;
        l->a = source(&plain, &zero, 0, lane);
    } else {
        l->a = source(c, b, 0, from);
    }
    l->b = source(c, b, 1, lane);
    l->c = source(c, b, 2, lane);
    return output(c, b->mode, c->model->fn(l));
}

static void check_lane(WaveHarness *h, const Case *c, const Before *b,
                       int lane, uint64_t *bits)
{
    unsigned width = type_width(c->row->dst);
    uint64_t old = b->v[DST][lane] | (uint64_t)b->v[DST + 1][lane] << 32;
    uint64_t got = wave_vgpr(h, DST)[lane] |
                   (uint64_t)wave_vgpr(h, DST + 1)[lane] << 32;
    uint64_t want = old;
    int from;
    bool writes = lane_writes(c, b, lane, &from);
    Lane l = {
        .d = width == 64 ? old : (uint32_t)old >> (c->opsel & 8 ? 16 : 0),
        .lane = lane, .mode = b->mode,
        .clamp = c->clamp && !type_format(c->row->dst),
        .in = (is_long(c) && c->row->src[2] == T_mask ? b->in_mask : b->vcc)
              >> lane & 1,
    };

    if (lane < lanes && b->exec >> lane & 1) {
        want = low_bits(expected(c, b, &l, from), width ? width : 64);
        /* A compare's lane that is not written gives 0. */
        *bits |= (uint64_t)(l.out && (writes || c->row->class != CLASS_VC))
                 << lane;
        if (width == 64) {
            /* whole */
        } else {
            want = placed(c, (uint32_t)want, (uint32_t)old) |
                   (old & ~0xffffffffull);
        }
    }
    if (!writes || c->row->class == CLASS_VC) {
        want = old;
    }
    if (width < 64) {
        got &= 0xffffffff;
        want &= 0xffffffff;
    }
    if (!close_enough(c, b, got, want)) {
        mismatch(c, b, lane, got, want);
    }
}

static void check_bits(WaveHarness *h, const Case *c, const Before *b,
                       uint64_t bits)
{
    bool vcc = !is_long(c) && (c->form != SDWA || c->row->class != CLASS_VC);
    uint64_t got = wave_sgpr64(h, vcc ? SGPR_VCC : OUT_MASK), want = bits;

    if (lanes == 32) { /* the register above is another one */
        want |= (vcc ? b->vcc : 0) & ~0xffffffffull;
    }
    if (has_bits(c) && got != want) {
        g_test_message("%s: exec %llx, mode %x: bits %llx, expected %llx",
                       c->text, (unsigned long long)b->exec, b->mode,
                       (unsigned long long)got, (unsigned long long)want);
        case_failed = true;
    }
    if (!has_bits(c) && wave_sgpr64(h, SGPR_VCC) != b->vcc) {
        g_test_message("%s: VCC has changed", c->text);
        case_failed = true;
    }
    if (c->row->flags & INSN_CMPX) {
        g_assert_cmphex(wave_sgpr64(h, SGPR_EXEC), ==, bits);
        for (int q = 0; q < SLICES; q++) {
            g_assert_cmphex(bits_of_lanes(h->w->exec.q[q]), ==,
                            bits >> 16 * q & 0xffff);
        }
    }
}

/* What the last result register of a run holds, in one number. */
static uint64_t digest(WaveHarness *h, uint64_t sum)
{
    for (unsigned r = DST; r < DST + 2; r++) {
        for (int lane = 0; lane < LANES; lane++) {
            sum = (sum ^ wave_vgpr(h, r)[lane]) * 0x100000001b3;
        }
    }
    return sum;
}

static void run_case(WaveHarness *h, const Case *c, const WaveCode *code,
                     unsigned rounds, uint64_t *sum)
{
    for (unsigned round = 0; round < rounds; round++) {
        Before b;
        uint64_t bits = 0;

        fill(c, &b, round);
        load(h, &b);
        g_assert_cmpint(wave_run(h, code), ==, TESSERA_FAULT_NONE);
        *sum = digest(h, *sum);
        for (int lane = 0; lane < LANES && !case_failed; lane++) {
            check_lane(h, c, &b, lane, &bits);
        }
        if ((c->row->class == CLASS_VC || is_carry(c)) && !case_failed) {
            check_bits(h, c, &b, bits);
        }
        if (case_failed) {
            return;
        }
    }
}

/* ---- the tests ---- */

static WaveCode *codes;

/* Digests of all results, by level. */
static uint64_t *digests[TESSERA_LEVELS];

/* One number for all: builds with other compilers must agree on it, too. */
static uint64_t all_digests(const uint64_t *sums)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < cases->len; i++) {
        sum = (sum ^ sums[i]) * 0x100000001b3;
    }
    return sum;
}

static void test_models(WaveHarness *h, const void *data)
{
    unsigned failed = 0;
    uint64_t *sums = g_new0(uint64_t, cases->len);

    digests[h->engine.config.level] = sums;
    for (unsigned i = 0; i < cases->len; i++) {
        const Case *c = &g_array_index(cases, Case, i);

        seed = i;
        case_failed = false;
        run_case(h, c, &codes[i], brief ? 2 : c->form <= E64 ? 9 : 4,
                 &sums[i]);
        failed += case_failed;
    }
    g_test_message("%u forms of instructions, digest %016llx", cases->len,
                   (unsigned long long)all_digests(sums));
    g_assert_cmpuint(failed, ==, 0);
}

/* The same bits at every level, also where the manual allows an error. */
static void test_agreement(void)
{
    const uint64_t *first = NULL;

    for (int level = 0; level < TESSERA_LEVELS; level++) {
        first = first ? first : digests[level];
        for (unsigned i = 0; digests[level] && i < cases->len; i++) {
            if (digests[level][i] != first[i]) {
                g_test_message("%s: differs at level %s",
                               g_array_index(cases, Case, i).text,
                               tessera_level_names[level]);
                g_test_fail();
            }
        }
    }
}

/* What test-valu-lanes.c tests instead. */
static const char *const elsewhere[] = {
    "v_nop", "v_clrexcp", "v_readfirstlane_b32", "v_swap_b32",
    "v_readlane_b32", "v_writelane_b32", "v_mqsad_u32_u8",
    "v_trig_preop_f64", "v_mad_mix_f32", "v_mad_mixlo_f16",
    "v_mad_mixhi_f16",
    /* test-valu-rdna.c */
    "v_pipeflush", "v_mov_b16", "v_movreld_b32", "v_movrels_b32",
    "v_movrelsd_b32",
    "v_movrelsd_2_b32", "v_permlane64_b32", "v_swaprel_b32",
    "v_cvt_f32_fp8", "v_cvt_f32_bf8", "v_cvt_pk_f32_fp8", "v_cvt_pk_f32_bf8",
    "v_cvt_pk_fp8_f32", "v_cvt_pk_bf8_f32", "v_cvt_sr_fp8_f32",
    "v_cvt_sr_bf8_f32", "v_pk_fmac_f16", "v_permlane16_b32",
    "v_permlanex16_b32", "v_permlane16_var_b32", "v_permlanex16_var_b32",
    "v_fma_mix_f32", "v_fma_mixlo_f16", "v_fma_mixhi_f16", NULL
};

/* Dot products, matrices and functions of scalars are there, too. */
static bool is_elsewhere(const char *name)
{
    return g_strv_contains(elsewhere, name) || strstr(name, "v_dot") == name ||
           strstr(name, "v_wmma") == name ||
           strstr(name, "v_swmmac") == name || strstr(name, "v_s_") == name;
}

/* Every vector instruction with a meaning has a model. */
static void test_coverage(void)
{
    for (unsigned i = 0; i < target->count; i++) {
        const AmdInsn *row = &amd_insns[target->ops[i].op];

        if (valu_op_is_vector(&target->ops[i]) &&
            row->class != CLASS_GFX && strcmp(row->text, "NOSEM") &&
            !is_elsewhere(row->name) && !valu_model(row->name)) {
            g_test_message("%s has no model", row->name);
            g_test_fail();
        }
    }
}

/* Forms that the assembler does not have are no cases; some has each. */
static void drop_refused(void)
{
    g_autofree const char **texts = g_new(const char *, cases->len);
    g_autofree bool *refused = NULL, *seen = g_new0(bool, amd_insn_count);
    GArray *kept = g_array_new(FALSE, FALSE, sizeof(Case));

    for (unsigned i = 0; i < cases->len; i++) {
        texts[i] = g_array_index(cases, Case, i).text;
    }
    refused = wave_refused(texts, cases->len);
    for (unsigned i = 0; i < cases->len; i++) {
        const Case *c = &g_array_index(cases, Case, i);

        if (!refused[i]) {
            seen[c->op->op] = true;
            g_array_append_val(kept, *c);
        }
    }
    for (unsigned i = 0; i < cases->len; i++) {
        const Case *c = &g_array_index(cases, Case, i);

        if (!seen[c->op->op]) {
            g_error("the assembler has no %s", c->text);
        }
    }
    g_array_free(cases, TRUE);
    cases = kept;
}

static void make_cases(void)
{
    g_autofree const char **texts = NULL;

    cases = g_array_new(FALSE, FALSE, sizeof(Case));
    for (unsigned i = 0; i < target->count; i++) {
        const ValuOp *op = &target->ops[i];
        const AmdInsn *row = &amd_insns[op->op];
        const Model *m = valu_model(row->name);

        if (m && valu_op_is_vector(op) && strcmp(row->text, "NOSEM")) {
            add_cases(op, m);
        }
    }
    if (is_rdna()) {
        drop_refused();
    }
    texts = g_new(const char *, cases->len);
    for (unsigned i = 0; i < cases->len; i++) {
        texts[i] = g_array_index(cases, Case, i).text;
    }
    codes = wave_assemble(texts, cases->len);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    target = valu_target(argc > 1 ? argv[1] : "gfx900");
    lanes = argc > 2 ? atoi(argv[2]) : LANES;
    brief = argc > 3;
    if (!target || (lanes != 32 && lanes != LANES)) {
        g_error("test-valu [TARGET 32|64 [brief]]");
    }
    wave_set_target(target->name, lanes);
    if (wave_have_assembler()) {
        make_cases();
    }
    g_test_add_func("/coverage", test_coverage);
    wave_test_target("/models", target->name, lanes, test_models, NULL);
    g_test_add_func("/all/agreement", test_agreement);
    return g_test_run();
}
