/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the compiler of hot code needs to know of the handlers of one host
 * level.
 */
#include <string.h>
#include "../../jit/jit.h"
#include "../isa.h"
#include "../smem.h"
#include "../trap.h"
#include "../format.h"
#include "../hwreg.h"
#include "matrix.h"
#include "memory.h"
#include "modify.h"

/* ---- names ---- */

static void add_name(GHashTable *names, UopFn *fn, char form, const char *name)
{
    if (fn && !g_hash_table_contains(names, (gpointer)fn)) {
        g_hash_table_insert(names, (gpointer)fn,
                            g_strdup_printf("%c_%s", form, name));
    }
}

static gpointer make_names(gpointer unused)
{
    GHashTable *names = g_hash_table_new(NULL, NULL);

    for (unsigned op = 0; op < AMD_OP_COUNT; op++) {
        const AmdHandler *h = &LEVEL(amd_handlers)[op];
        const char *name = op == AMD_DUAL ? "dual" : amd_insns[op].name;

        add_name(names, h->plain, 'h', name);
        add_name(names, h->modified, 'm', name);
    }
    return names;
}

static const char *handler_name(UopFn *fn)
{
    static GOnce once = G_ONCE_INIT;

    return g_hash_table_lookup(g_once(&once, make_names, NULL), (gpointer)fn);
}

static bool ends(const char *name)
{
    static const char *const last[] = {
        "h_s_endpgm", "h_s_endpgm_saved", "h_s_setpc_b64", "h_s_rfe_b64",
        "h_s_code_end",
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(last); i++) {
        if (strcmp(name, last[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- functions that handlers call ---- */

#define OUTSIDE(name, kind) { #name, (void *)(uintptr_t)name, kind }
#define OF_LEVEL_2(name, kind) OUTSIDE(name, kind)
#define OF_LEVEL(name, kind) OF_LEVEL_2(LEVEL(name), kind)

static const JitSymbol symbols[] = {
    OUTSIDE(amd_float_to_half, JIT_PLAIN),
    OUTSIDE(amd_half_to_float, JIT_PLAIN),
    OUTSIDE(amd_getreg, JIT_PLAIN),
    OUTSIDE(amd_illegal, JIT_AWAY),
    OUTSIDE(amd_mem_align, JIT_PLAIN),
    OUTSIDE(amd_mem_end, JIT_AWAY),
    OUTSIDE(amd_mem_lds, JIT_PLAIN),
    OUTSIDE(amd_mem_span, JIT_PLAIN),
    OUTSIDE(amd_mem_violation, JIT_AWAY),
    OUTSIDE(amd_mode_changed, JIT_PLAIN),
    OUTSIDE(amd_sendmsg_rtn, JIT_PLAIN),
    OUTSIDE(amd_setreg, JIT_PLAIN),
    OUTSIDE(amd_smem_any, JIT_STEP),
    OUTSIDE(amd_smem_atomic, JIT_PLAIN),
    OUTSIDE(amd_stride_scale, JIT_PLAIN),
    OUTSIDE(amd_trap, JIT_AWAY),
    OUTSIDE(amd_unimplemented, JIT_AWAY),
    OUTSIDE(wave_barrier_signal, JIT_PLAIN),
    OUTSIDE(wave_barrier_wait, JIT_PLAIN),
    OUTSIDE(wave_clock, JIT_PLAIN),
    OUTSIDE(wave_goto, JIT_AWAY),
    OUTSIDE(wave_message, JIT_PLAIN),
    OF_LEVEL(amd_fetch_source, JIT_PLAIN),
    OF_LEVEL(amd_matrix, JIT_PLAIN),
    OF_LEVEL(amd_output_f16, JIT_PLAIN),
    OF_LEVEL(amd_output_f32, JIT_PLAIN),
    OF_LEVEL(amd_output_f64, JIT_PLAIN),
    OF_LEVEL(amd_sparse, JIT_PLAIN),
    OF_LEVEL(amd_store_result, JIT_PLAIN),
    OF_LEVEL(block_global, JIT_STEP),
    OF_LEVEL(block_scratch, JIT_STEP),
    OF_LEVEL(slow_buffer, JIT_STEP),
    OF_LEVEL(slow_flat, JIT_STEP),
    OF_LEVEL(slow_format, JIT_STEP),
    OF_LEVEL(slow_global, JIT_STEP),
    OF_LEVEL(slow_scratch, JIT_STEP),
    OF_LEVEL(transpose, JIT_STEP),
    { NULL },
};

/* ---- facts ---- */

#define FIELD_IS(field, value_)                                               \
    { offsetof(AmdWave, field), sizeof(((AmdWave *)0)->field), value_ }
#define END_FACTS { 0, 0, 0 }

static const JitFact full_64[] = {
    FIELD_IS(inactive, 0),
    FIELD_IS(execz, 0),
    { offsetof(AmdWave, s[SGPR_EXEC]), 8, UINT64_MAX },
    { offsetof(AmdWave, exec), sizeof(Vreg), UINT64_MAX },
    END_FACTS,
};
static const JitFact full_32[] = {
    FIELD_IS(inactive, 0),
    FIELD_IS(execz, 0),
    { offsetof(AmdWave, s[SGPR_EXEC]), 8, UINT32_MAX },
    { offsetof(AmdWave, exec), sizeof(Vreg) / 2, UINT64_MAX },
    END_FACTS,
};
static const JitFact lanes_64[] = {
    FIELD_IS(half, false),
    FIELD_IS(full, UINT64_MAX),
    END_FACTS,
};
static const JitFact lanes_32[] = {
    FIELD_IS(half, true),
    FIELD_IS(full, UINT32_MAX),
    END_FACTS,
};

#define PASTE_TEXT2(x) #x
#define PASTE_TEXT(x) PASTE_TEXT2(x)

const JitIsa LEVEL(amd_jit) = {
    .level = PASTE_TEXT(AMD_LEVEL),
    .handler = handler_name,
    .ends = ends,
    .symbols = symbols,
    .guard = offsetof(AmdWave, inactive),
    .full = { full_32, full_64 },
    .lanes = { lanes_32, lanes_64 },
    .float_class = offsetof(AmdWave, float_class),
    .mxcsr = offsetof(AmdWave, mxcsr),
    .registers = offsetof(AmdWave, s),
    .end = sizeof(AmdWave),
};
