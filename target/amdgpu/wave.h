/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of an AMD wave.
 */
#ifndef AMDGPU_WAVE_H
#define AMDGPU_WAVE_H

#include <stddef.h>
#include "../engine/lanes.h"
#include "../engine/wave.h"
#include "inst.h"

#define AMD_VGPRS 256
#define AMD_VGPR_PAD 4 /* a tuple that starts at v255 stays inside */
#define AMD_VGPR_SPARE (AMD_VGPRS + 3) /* behind the longest of them */

/* Scalar operand codes with a place in the register file (gfx-facts 2). */
enum {
    SGPR_FLAT_SCRATCH = 102,
    SGPR_XNACK_MASK = 104,
    SGPR_VCC = 106,
    SGPR_TTMP = 108,
    SGPR_M0 = OPERAND_M0, /* in all generations, see OPERAND_NULL */
    SGPR_EXEC = 126,
    SGPR_COUNT = 128,
    SGPR_SINK = 16, /* registers that writes to OPERAND_NULL take */
};

/* MODE register (gfx-facts section 10). */
enum {
    MODE_ROUND = 0xf,
    MODE_DENORM = 0xf0,
    MODE_ROUND_32 = 0x3,
    MODE_ROUND_64 = 0xc,
    MODE_DENORM_32 = 0x30,
    MODE_DENORM_64 = 0xc0,
    MODE_DENORM_IN_32 = 1 << 4, /* denormal operands are kept */
    MODE_DENORM_OUT_32 = 1 << 5, /* denormal results are kept */
    MODE_DENORM_IN_64 = 1 << 6,
    MODE_DENORM_OUT_64 = 1 << 7,
    MODE_DX10_CLAMP = 1 << 8,
    MODE_IEEE = 1 << 9,
    MODE_EXCP_EN_SHIFT = 12, /* in the order of TRAPSTS.excp, 9 bits */
    MODE_EXCP_MEM_VIOL = 1 << 20,
    MODE_FP16_OVFL = 1 << 23,
    MODE_GPR_IDX_EN = 1 << 27, /* VGPR numbers are relative to M0 */
    MODE_VSKIP = 1 << 28,      /* vector instructions are skipped */
    MODE_STEP = MODE_GPR_IDX_EN | MODE_VSKIP, /* see exec/step.c */
    MODE_CSP_SHIFT = 29, /* depth of the fork stack, 3 bits */
};

/* TRAPSTS: exceptions that have come up (gfx-facts section 10). */
enum {
    TRAPSTS_MEM_VIOL = 1 << 8,
    TRAPSTS_ILLEGAL_INST = 1 << 11,
};

/*
 * How memory is accessed, from VM_SH_MEM_CONFIG.  0 is what HSA has: 64-bit
 * addresses, any alignment; everything else takes the slow paths.
 */
enum {
    MEM_PTR32 = 1 << 0,
    MEM_ALIGN_DWORD = 1 << 1,   /* drop low bits up to a dword */
    MEM_ALIGN_CHECKED = 1 << 2, /* misaligned: a violation, up to a dword */
    MEM_ALIGN_STRICT = 1 << 3,  /* or up to the element's size */
    MEM_ALIGN = MEM_ALIGN_DWORD | MEM_ALIGN_CHECKED | MEM_ALIGN_STRICT,
};

/* Which of MODE's two float settings an instruction obeys. */
typedef enum FloatClass {
    FLOAT_NONE,
    FLOAT_32,
    FLOAT_16_64,
    FLOAT_NARROW, /* f64 to f32 */
    FLOAT_DOT,       /* dot products do not look at MODE (exec/dot.h) */
    FLOAT_DOT_FLUSH, /* gfx11's */
    FLOAT_CLASSES
} FloatClass;

typedef struct AmdIsa AmdIsa;


/* What the waves of one dispatch start with, all alike. */
typedef struct AmdStart {
    /* s[], but for what differs from wave to wave; what is not user's is 0. */
    uint32_t s[SGPR_COUNT + 16] __attribute__((aligned(64)));
    uint32_t mode;
    uint16_t vgprs; /* that the kernel has */
    uint8_t ids;    /* of work-items that it wants, 1 to 3 */
} AmdStart;

typedef struct AmdWave {
    Wave w;
    /*
     * What can be read like a register but is none (gfx-facts section 2); kept
     * up to date here, so that reading it is nothing special.  An aperture's
     * base and limit are useful in the upper half only.
     */
    uint64_t shared_base, shared_limit, private_base, private_limit;
    uint64_t one_by_two_pi; /* as f64 */
    uint64_t vccz, execz;
    uint64_t zero;
    /*
     * A wave of 32 lanes has the lower half of each vector register, and of
     * EXEC, whose upper half then reads as 0.  VCC_HI is just a register.
     */
    uint64_t full;     /* EXEC with all lanes active */
    uint64_t inactive; /* lanes that are not in EXEC */
    bool half;         /* 32 lanes */
    uint32_t scc, scc_high; /* 0 or 1; always 0 */
    uint32_t mode;
    uint32_t trapsts;
    uint8_t mem_mode;                 /* MEM_PTR32, MEM_ALIGN_* */
    bool privileged;                  /* in its trap handler, STATUS.priv */
    bool halted;                      /* when it returns from there */
    uint8_t priority;                 /* s_setprio, STATUS.user_prio */
    bool mem_continue;                /* after violations not enabled */
    uint8_t float_class;              /* that MXCSR is set for now */
    uint32_t mxcsr[FLOAT_CLASSES];    /* MODE as MXCSR settings */
    struct AmdStrict *strict;         /* NULL until hazards=strict, strict.c */
    const TesseraLaunch *launch;
    const AmdIsa *isa;                /* the target, isa.h */
    AmdStart start;
    uint32_t first[3];                /* what VGPRs begin with, if Wave.fresh */
    uint64_t scratch;                 /* this wave's backing memory */
    /*
     * FLAT_SCRATCH: of generations whose SGPRs do not have it ("architected",
     * gfx-facts section 11), and the place of the one that is in force.
     */
    uint64_t flat_scratch;
    uint32_t flat_scratch_at;
    /*
     * A vector memory instruction some of whose lanes have to wait: those that
     * are left, and what went wrong with others.  It is executed again for all
     * of them, or in narrow mode for the lowest one, which then asks.
     */
    struct {
        uint64_t lanes, pending, bad, bad_addr;
        TesseraFaultCause cause;
        EngineAccess access;
        bool narrow;
        uint64_t rows[32]; /* addresses of a load that transposes */
    } rest;
    /*
     * OPERAND_NULL: what it reads as, and where its writes go.  They lie before
     * s[], so that they do not look like VCC or EXEC, and the sink right before
     * it, so that its place is a number of registers, as is any other's.
     */
    uint32_t null_source[16] __attribute__((aligned(64)));
    uint32_t null_sink[SGPR_SINK];
    /* Indexed by operand code; pad for tuples that run over the end. */
    uint32_t s[SGPR_COUNT + 16];
    /* EXEC as a lane mask; s[SGPR_EXEC] holds the bits. */
    Vreg exec __attribute__((aligned(64)));
    Vreg v[AMD_VGPRS + AMD_VGPR_PAD];
} AmdWave;

_Static_assert(offsetof(AmdWave, w) == 0, "handlers cast one to the other");
_Static_assert(offsetof(AmdWave, s) ==
               offsetof(AmdWave, null_sink) + SGPR_SINK * 4, "see null_sink");

/* Lanes of a wave. */
INL unsigned wave_width(const AmdWave *w)
{
    return w->half ? 32 : 64;
}

INL AmdWave *amd(Wave *wave)
{
    return (AmdWave *)wave;
}

/* 64-bit value of an SGPR pair. */
INL uint64_t sgpr64(const AmdWave *w, unsigned code)
{
    uint64_t x;

    memcpy(&x, &w->s[code], 8);
    return x;
}

/* The base of this wave's private memory. */
INL uint64_t flat_scratch(const AmdWave *w)
{
    uint64_t x;

    memcpy(&x, (const char *)w + w->flat_scratch_at, 8);
    return x;
}

INL void set_sgpr64(AmdWave *w, unsigned code, uint64_t x)
{
    memcpy(&w->s[code], &x, 8);
}

/*
 * The slices q that a wave has.  Unrolled, the only test left is the one in
 * the middle, and it always goes the same way.
 */
#define FOR_SLICES(w, q) \
    for (int q = 0; q < SLICES && !(q == SLICES / 2 && (w)->half); q++)

INL void vcc_changed(AmdWave *w)
{
    w->vccz = (sgpr64(w, SGPR_VCC) & w->full) == 0;
}

/* Expand the bits in s[SGPR_EXEC]. */
#if defined(ENGINE_BITCODE) && !defined(__AVX512F__)
void exec_expand(AmdWave *w); /* what is large is called: it compiles faster */
#else
INL void exec_expand(AmdWave *w)
{
    uint64_t bits = sgpr64(w, SGPR_EXEC) & w->full;

    set_sgpr64(w, SGPR_EXEC, bits);
    w->inactive = w->full & ~bits;
    w->execz = bits == 0;
    for (int q = 0; q < SLICES; q++) {
        w->exec.q[q] = lanes_of_bits(bits >> 16 * q & 0xffff);
    }
}
#endif

/* The bits in s[SGPR_EXEC] may have changed; often all lanes stay active. */
INL void exec_changed(AmdWave *w)
{
    if (sgpr64(w, SGPR_EXEC) != w->full || w->inactive != 0) {
        exec_expand(w);
    }
}

INL void set_exec(AmdWave *w, uint64_t bits)
{
    set_sgpr64(w, SGPR_EXEC, bits);
    exec_changed(w);
}

/* MODE has changed: recompute what depends on it. */
void amd_mode_changed(AmdWave *w);

/* Make the host's float environment that of @class. */
INL void float_enter(AmdWave *w, FloatClass class)
{
    if (unlikely(class != FLOAT_NONE && w->float_class != class)) {
        w->float_class = class;
        /* No float operation may move across this. */
        __asm__ volatile("ldmxcsr %0" : : "m"(w->mxcsr[class]) : "memory");
    }
}

#endif
