/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Floats of LinxISA in integers: the same bits on every host, whatever its
 * rounding mode is.
 *
 * NaN rules (the manual's FP_Class and FRECIP, and linx-blocks section 9.4):
 * the result of an invalid operation is the canonical NaN, positive with only
 * the top bit of its fraction set.  A result that is NaN because operands are
 * is the first of them, left to right, made quiet; converted to another format
 * it keeps its sign and the upper bits of its fraction.  FMAX and FMIN prefer
 * numbers, and give the canonical NaN if there is none.  All formats have
 * infinities and NaNs where the exponent is all ones, e4m3 as well.
 */
#ifndef LINX_FLOAT_H
#define LINX_FLOAT_H

#include <stdbool.h>
#include <stdint.h>

/* By type of an operand (section 6.2). */
typedef enum LinxFpFormat {
    LINX_FP_FD,      /* binary64 */
    LINX_FP_FS,      /* binary32 */
    LINX_FP_FH,      /* binary16 */
    LINX_FP_FB,      /* e4m3 */
    LINX_FP_BF = 6,  /* bfloat16 */
    LINX_FP_FLB = 7, /* e5m2 */
    LINX_FP_FORMATS
} LinxFpFormat;

/* As rm says (section 9.4); FRM of CSTATE is made one of these. */
typedef enum LinxRounding {
    LINX_RNE = 1, LINX_RTZ, LINX_RDN, LINX_RUP,
    LINX_RNA,     /* to nearest, ties away from 0 */
    LINX_RTO,     /* to odd */
} LinxRounding;

/* FFLAGS of CSTATE. */
enum {
    LINX_NV = 1,  /* invalid */
    LINX_DZ = 2,  /* division by 0 */
    LINX_OF = 4,  /* overflow */
    LINX_UF = 8,  /* underflow: inexact, and tiny after rounding */
    LINX_NX = 16, /* inexact */
};

typedef struct LinxFp {
    uint8_t format;   /* LinxFpFormat, of operands and result */
    uint8_t rounding; /* LinxRounding */
    uint8_t flags;    /* raised so far */
    bool saturate;    /* the largest number instead of an infinity */
} LinxFp;

/* Operands and results are the low bits of what they are in. */
uint64_t linx_fp_add(LinxFp *e, uint64_t a, uint64_t b);
uint64_t linx_fp_sub(LinxFp *e, uint64_t a, uint64_t b);
uint64_t linx_fp_mul(LinxFp *e, uint64_t a, uint64_t b);
uint64_t linx_fp_div(LinxFp *e, uint64_t a, uint64_t b);

/* a * b + c, rounded once; the product or c may be taken negative. */
enum { LINX_FP_MINUS_AB = 1, LINX_FP_MINUS_C = 2 };
uint64_t linx_fp_madd(LinxFp *e, uint64_t a, uint64_t b, uint64_t c,
                      unsigned minus);

uint64_t linx_fp_abs(LinxFp *e, uint64_t a);
uint64_t linx_fp_sqrt(LinxFp *e, uint64_t a);
uint64_t linx_fp_recip(LinxFp *e, uint64_t a);
uint64_t linx_fp_exp(LinxFp *e, uint64_t a); /* rounded correctly */
uint64_t linx_fp_max(LinxFp *e, uint64_t a, uint64_t b);
uint64_t linx_fp_min(LinxFp *e, uint64_t a, uint64_t b);

/* One of the bits of FCLASS. */
uint64_t linx_fp_class(LinxFp *e, uint64_t a);

enum {
    LINX_FP_LESS = 1, LINX_FP_EQUAL = 2, LINX_FP_GREATER = 4,
    LINX_FP_UNORDERED = 8,
    LINX_FP_NOT_LESS = LINX_FP_EQUAL | LINX_FP_GREATER,
};

/* How a is to b: one of the above.  NV for any NaN if @signals. */
unsigned linx_fp_compare(LinxFp *e, uint64_t a, uint64_t b, bool signals);

/* From e->format to @to. */
uint64_t linx_fp_convert(LinxFp *e, uint64_t a, LinxFpFormat to);

/* To an integer of @bits, saturated; NaN is 0.  NV if it does not fit. */
uint64_t linx_fp_to_int(LinxFp *e, uint64_t a, unsigned bits,
                        bool is_signed);

/* From @a, extended to 64 bits, to e->format. */
uint64_t linx_fp_from_int(LinxFp *e, uint64_t a, bool is_signed);

uint64_t linx_fp_infinity(const LinxFp *e, bool negative);
bool linx_fp_is_nan(const LinxFp *e, uint64_t a);

#endif
