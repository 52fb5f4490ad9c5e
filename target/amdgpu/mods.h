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
    MOD_FORM = 9, /* 2 bits: AmdForm */
    /* VOP3 */
    MOD_OPSEL = 11, /* 4 bits, [3] is the destination's */
    MOD_SDST = 16,  /* 8 bits: scalar destination, dwords behind null_sink */
    /* VOP3P: op_sel as VOP3, of 3 bits */
    MOD_OPSEL_HI = 16, /* 3 bits */
    MOD_NEG_HI = 19,   /* 3 bits */
    /* SDWA */
    MOD_DST_SEL = 11,    /* 3 bits */
    MOD_DST_UNUSED = 14, /* 2 bits */
    MOD_SEL0 = 16,       /* 3 bits */
    MOD_SEL1 = 19,       /* 3 bits */
    MOD_SEXT = 22,       /* 2 bits, one a source */
    /* DPP */
    MOD_DPP_CTRL = 11,  /* 9 bits */
    MOD_ROW_MASK = 20,  /* 4 bits */
    MOD_BANK_MASK = 24, /* 4 bits */
    MOD_BOUND_CTRL = 28,
};

/* Field of a micro-operation's modifiers: MOD(u, OMOD, 2). */
#define MOD(u, name, bits) ((u)->mods >> MOD_##name & ((1u << (bits)) - 1))

#endif
