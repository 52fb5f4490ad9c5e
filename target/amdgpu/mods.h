/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Layout of Uop.mods for vector instructions: lower.c packs it, the handlers
 * in exec/ read it.  The upper part depends on the form.
 */
#ifndef AMDGPU_MODS_H
#define AMDGPU_MODS_H

enum {
    MOD_NEG = 0,  /* 3 bits, one a source */
    MOD_ABS = 3,  /* 3 bits */
    MOD_OMOD = 6, /* 2 bits */
    MOD_CLAMP = 8,
    MOD_FORM = 9, /* 3 bits: AmdForm */
    /* all but SDWA */
    MOD_OPSEL = 12, /* 4 bits, [3] is the destination's */
    MOD_SDST = 16,  /* 8 bits: scalar destination, dwords behind null_sink */
    /* VOP3P: op_sel of 3 bits, and no scalar destination */
    MOD_OPSEL_HI = 16, /* 3 bits */
    MOD_NEG_HI = 19,   /* 3 bits */
    /* SDWA */
    MOD_DST_SEL = 12,    /* 3 bits */
    MOD_DST_UNUSED = 15, /* 2 bits */
    MOD_SEL0 = 17,       /* 3 bits */
    MOD_SEL1 = 20,       /* 3 bits */
    MOD_SEXT = 23,       /* 2 bits, one a source */
    /* DPP16, DPP8 */
    MOD_FI = 24,
    MOD_GEN = 25, /* 2 bits: AmdGeneration, whose rules are obeyed */
    MOD_DWORDS = 27, /* 3 bits: its own size; Uop.len may count hints, too */
};

/*
 * With DPP, source 0 is a vector register, and src[0] holds its number and
 * how lanes are moved.
 */
enum {
    DPP_VGPR = 0, /* 8 bits */
    /* DPP, DPP16 */
    DPP_CTRL = 8,       /* 9 bits */
    DPP_ROW_MASK = 17,  /* 4 bits */
    DPP_BANK_MASK = 21, /* 4 bits */
    DPP_BOUND_CTRL = 25,
    /* DPP8 */
    DPP_LANES = 8, /* 24 bits: 8 lane numbers */
};

/* Field of a micro-operation's modifiers: MOD(u, OMOD, 2). */
#define MOD(u, name, bits) ((u)->mods >> MOD_##name & ((1u << (bits)) - 1))

/* The same of src[0] with DPP: DPP(u, CTRL, 9). */
#define DPP(u, name, bits) ((u)->src[0] >> DPP_##name & ((1u << (bits)) - 1))

#endif
