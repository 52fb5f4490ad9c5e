/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts that the host does with the same bits; float-ops.c says why. */
#include <immintrin.h>
#include <string.h>
#include "target/linx/alu.h"

#define BARRIER(pointer) __asm__ volatile("" :: "r"(pointer) : "memory")

typedef bool Convert(const uint64_t *from, uint64_t *to, uint64_t least,
                     uint64_t most, unsigned *mxcsr);

/*
 * @expression of v in all lanes.  False if @bad anywhere: then integers do all
 * of it again.
 */
#define CONVERT(name, attributes, source, result, bits, expression, bad) \
    attributes static bool name(const uint64_t *from, uint64_t *to, \
                                uint64_t least, uint64_t most, \
                                unsigned *mxcsr) \
    { \
        source a[LINX_LANES]; \
        result r[LINX_LANES]; \
        bool any = false; \
        (void)least; (void)most; \
        for (unsigned i = 0; i < LINX_LANES; i++) { \
            memcpy(&a[i], &from[i], sizeof(a[i])); \
        } \
        BARRIER(a); \
        for (unsigned i = 0; i < LINX_LANES; i++) { \
            source v = a[i]; \
            result w = expression; \
            any |= bad; \
            r[i] = w; \
        } \
        BARRIER(r); \
        *mxcsr = _mm_getcsr(); \
        for (unsigned i = 0; i < LINX_LANES; i++) { \
            bits word; \
            memcpy(&word, &r[i], sizeof(word)); \
            to[i] = word; \
        } \
        return !any; \
    }

#define UNORDERED (v != v)
/* What does not fit 64 bits is the least of them. */
#define OUTSIDE (w < (int64_t)least || w > (int64_t)most || w == INT64_MIN)
#define F16C __attribute__((target("avx2,f16c")))

CONVERT(fs_to_fd, , float, double, uint64_t, v, UNORDERED)
CONVERT(fd_to_fs, , double, float, uint32_t, v, UNORDERED)
CONVERT(int_to_fs, , int64_t, float, uint32_t, v, v < (int64_t)least)
CONVERT(int_to_fd, , int64_t, double, uint64_t, v, v < (int64_t)least)
CONVERT(fs_to_int, , float, int64_t, uint64_t,
        _mm_cvtss_si64(_mm_set_ss(v)), OUTSIDE)
CONVERT(fd_to_int, , double, int64_t, uint64_t,
        _mm_cvtsd_si64(_mm_set_sd(v)), OUTSIDE)
CONVERT(fs_cut_int, , float, int64_t, uint64_t,
        _mm_cvttss_si64(_mm_set_ss(v)), OUTSIDE)
CONVERT(fd_cut_int, , double, int64_t, uint64_t,
        _mm_cvttsd_si64(_mm_set_sd(v)), OUTSIDE)
CONVERT(fs_to_fh, F16C, float, uint16_t, uint16_t,
        _mm_extract_epi16(_mm_cvtps_ph(_mm_set_ss(v), 0), 0), UNORDERED)
CONVERT(fh_to_fs, F16C, uint16_t, float, uint32_t,
        _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(v))), w != w)

/* Source and result: LinxFpFormat, or an integer. */
enum { INTEGER = LINX_FP_FORMATS };

static const struct {
    uint8_t from, to, rounding;
    bool f16c;
    Convert *convert;
} rows[] = {
    { LINX_FP_FS, LINX_FP_FD, LINX_RNE, false, fs_to_fd },
    { LINX_FP_FD, LINX_FP_FS, LINX_RNE, false, fd_to_fs },
    { LINX_FP_FS, LINX_FP_FH, LINX_RNE, true, fs_to_fh },
    { LINX_FP_FH, LINX_FP_FS, LINX_RNE, true, fh_to_fs },
    { INTEGER, LINX_FP_FS, LINX_RNE, false, int_to_fs },
    { INTEGER, LINX_FP_FD, LINX_RNE, false, int_to_fd },
    { LINX_FP_FS, INTEGER, LINX_RNE, false, fs_to_int },
    { LINX_FP_FD, INTEGER, LINX_RNE, false, fd_to_int },
    { LINX_FP_FS, INTEGER, LINX_RTZ, false, fs_cut_int },
    { LINX_FP_FD, INTEGER, LINX_RTZ, false, fd_cut_int },
};

static Convert *find(int from, int to, LinxRounding rounding)
{
    from = from < 0 ? INTEGER : from;
    to = to < 0 ? INTEGER : to;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].from == from && rows[i].to == to &&
            rows[i].rounding == rounding) {
            return !rows[i].f16c || (__builtin_cpu_supports("avx2") &&
                                     __builtin_cpu_supports("f16c")) ?
                   rows[i].convert : NULL;
        }
    }
    return NULL;
}

bool linx_host_convert(int from, int to, LinxRounding rounding,
                       uint64_t *value, uint64_t least, uint64_t most,
                       uint64_t *result, uint8_t *flags)
{
    Convert *convert = find(from, to, rounding);
    unsigned before = _mm_getcsr(), after;
    bool done;

    if (!convert) {
        return false;
    }
    _mm_setcsr(LINX_HOST_MXCSR);
    done = convert(value, result, least, most, &after);
    _mm_setcsr(before);
    *flags |= done ? linx_host_flags(after) : 0;
    return done;
}
