/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the compiler of hot code needs to know of the handlers of one host
 * level.
 */
#include <string.h>
#include "../../jit/jit.h"
#include "../exec.h"
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

/* The modified form has a strip if it has no other modifiers than signs. */
static const char *strip_name(const Uop *uop)
{
    const char *name = handler_name(uop->fn);

    return name && name[0] == 'm' && !mod_signs_only(uop) ? NULL : name;
}

/*
 * Operations that functions execute; scalar loads can write any scalar
 * register.
 */
#define SM(name, dwords, flags, ...) ROW(name, true)
#define DS(name, D, A, B, flags, ...) ROW(name, false)
#define FL(name, D, A, flags, ...) \
    ROW(flat_##name, false) ROW(global_##name, false) \
    ROW(scratch_##name, false)
#define FG(name, D, A, flags, ...) ROW(global_##name, false)
#define FS(name, D, A, flags, ...) ROW(scratch_##name, false)
#define FA(name, D, A, flags, ...) \
    ROW(flat_##name, false) ROW(global_##name, false)
#define MB(name, D, flags, ...) ROW(name, false)

#define ROW(name, scalar) UopFn LEVEL(h_##name), LEVEL(x_##name);
#include "../rows/smem.inc"
#include "../rows/ds.inc"
#include "../rows/flat.inc"
#include "../rows/buffer.inc"
#undef ROW

#define ROW(name, scalar) { LEVEL(h_##name), { LEVEL(x_##name), scalar } },
static const struct {
    UopFn *handler;
    JitCalled called;
} called[] = {
#include "../rows/smem.inc"
#include "../rows/ds.inc"
#include "../rows/flat.inc"
#include "../rows/buffer.inc"
};
#undef ROW

static gpointer make_called(gpointer unused)
{
    GHashTable *table = g_hash_table_new(NULL, NULL);

    for (unsigned i = 0; i < G_N_ELEMENTS(called); i++) {
        g_hash_table_insert(table, (gpointer)called[i].handler,
                            (gpointer)&called[i].called);
    }
    return table;
}

static const JitCalled *find_called(UopFn *fn)
{
    static GOnce once = G_ONCE_INIT;

    return g_hash_table_lookup(g_once(&once, make_called, NULL), (gpointer)fn);
}

static int32_t jump(const Uop *uop)
{
    const char *name = handler_name(uop->fn);

    return name && (g_str_has_prefix(name, "h_s_cbranch_") ||
                    strcmp(name, "h_s_branch") == 0)
               ? (int32_t)uop->src[2] + 1 : 0;
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

static bool narrows(const char *name)
{
    return g_str_has_prefix(name, "h_s_and_saveexec_");
}

static bool last(const char *name)
{
    return strcmp(name, "h_s_endpgm") == 0;
}

/* ---- functions that handlers call ---- */

#define OUTSIDE(name, kind) { #name, (void *)(uintptr_t)name, kind }
#define OF_LEVEL_2(name, kind) OUTSIDE(name, kind)
#define OF_LEVEL(name, kind) OF_LEVEL_2(LEVEL(name), kind)

static void call_exec_expand(AmdWave *w)
{
    exec_expand(w);
}

static const Uop *go_away(const Uop *u)
{
    return u;
}

#define ROW(name, scalar) \
    OF_LEVEL(x_##name, scalar ? JIT_PLAIN : JIT_STEP),
static const JitSymbol symbols[] = {
#include "../rows/smem.inc"
#include "../rows/ds.inc"
#include "../rows/flat.inc"
#include "../rows/buffer.inc"
    { "amd_go_away", (void *)(uintptr_t)go_away, JIT_AWAY },
    { "exec_expand", (void *)(uintptr_t)call_exec_expand, JIT_EXEC },
    OUTSIDE(amd_float_to_half, JIT_PLAIN),
    OUTSIDE(amd_half_to_float, JIT_PLAIN),
    OUTSIDE(amd_getreg, JIT_PLAIN),
    OUTSIDE(amd_illegal, JIT_AWAY),
    OUTSIDE(amd_mem_span, JIT_PLAIN),
    OUTSIDE(amd_mode_changed, JIT_PLAIN),
    OUTSIDE(amd_sendmsg_rtn, JIT_PLAIN),
    OUTSIDE(amd_setreg, JIT_PLAIN),
    OUTSIDE(amd_trap, JIT_AWAY),
    OUTSIDE(amd_unimplemented, JIT_AWAY),
    OUTSIDE(mem_far, JIT_ASIDE),
    OUTSIDE(mem_refill, JIT_REFILL),
    { "whole_span", NULL, JIT_SPAN },
    { "whole_place", NULL, JIT_PLACE },
    OUTSIDE(wave_barrier_signal, JIT_PLAIN),
    OUTSIDE(wave_barrier_wait, JIT_PLAIN),
    OUTSIDE(wave_clock, JIT_PLAIN),
    OUTSIDE(wave_goto, JIT_AWAY),
    OUTSIDE(wave_message, JIT_PLAIN),
    OF_LEVEL(amd_fetch_source, JIT_PLAIN),
    OF_LEVEL(amd_matrix, JIT_VECTORS),
    OF_LEVEL(amd_output_f16, JIT_PLAIN),
    OF_LEVEL(amd_output_f32, JIT_PLAIN),
    OF_LEVEL(amd_output_f64, JIT_PLAIN),
    OF_LEVEL(amd_sparse, JIT_VECTORS),
    OF_LEVEL(amd_store_result, JIT_VECTORS),
    { NULL },
};
#undef ROW

/* ---- a slice at a time, by handlers ---- */

static const Uop *redo_end(Wave *wave, const Uop *u)
{
    return NULL;
}

/* Execute @u alone: it is a plain vector instruction and does not look. */
static void redo_one(Wave *wave, const Uop *u)
{
    Uop uops[2] = { *u };

    uops[0].len = 1;
    uops[1].fn = redo_end;
    u->fn(wave, uops);
}

/* Lane masks keep what they had @before for other slices. */
static void keep_masks(AmdWave *w, const uint32_t *before, unsigned q)
{
    for (unsigned i = 0; i < SGPR_EXEC; i++) {
        unsigned bit = w->half ? 0 : i % 2 * 32;
        uint32_t here = (uint32_t)(0xffffull << 16 * q >> bit);

        w->s[i] = (w->s[i] & here) | (before[i] & ~here);
    }
}

/*
 * The handlers see the slice's lanes as the active ones.  Nothing but vector
 * registers and lane masks is written.
 */
static void redo(Wave *wave, const Uop *u, unsigned count, unsigned q)
{
    AmdWave *w = amd(wave);
    uint64_t exec = sgpr64(w, SGPR_EXEC);
    uint32_t before[SGPR_EXEC];

    set_exec(w, exec & 0xffffull << 16 * q);
    for (; count; count--, u += u->len) {
        memcpy(before, w->s, sizeof(before));
        redo_one(wave, u);
        keep_masks(w, before, q);
    }
    vcc_changed(w);
    set_exec(w, exec);
}

/* ---- facts ---- */

_Static_assert(G_N_ELEMENTS(((AmdWave *)0)->first) == JIT_FIRST, "");
_Static_assert(AMD_VGPRS == JIT_REGISTERS && SLICES == JIT_SLICES, "");
_Static_assert(offsetof(AmdWave, s) % JIT_LINE == 0 &&
               offsetof(AmdWave, start.s) % JIT_LINE == 0 &&
               sizeof(((AmdWave *)0)->s) % JIT_LINE == 0,
               "scalar registers are copied line by line");

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

/* ttmp8 is a system SGPR of gfx12, see start.c. */
static const JitFact varies[] = {
    FIELD_IS(w.index, 0),
    FIELD_IS(w.count, 0),
    FIELD_IS(s[SGPR_TTMP + 8], 0),
    FIELD_IS(first, 0),
    END_FACTS,
};

#define PASTE_TEXT2(x) #x
#define PASTE_TEXT(x) PASTE_TEXT2(x)

const JitIsa LEVEL(amd_jit) = {
    .level = PASTE_TEXT(AMD_LEVEL),
    .handler = handler_name,
    .strip = strip_name,
    .called = find_called,
    .jump = jump,
    .ends = ends,
    .narrows = narrows,
    .last = last,
    .symbols = symbols,
    .guard = offsetof(AmdWave, inactive),
    .full = { full_32, full_64 },
    .lanes = { lanes_32, lanes_64 },
    .of_masks = offsetof(AmdWave, vccz),
    .plain = offsetof(AmdWave, mem_mode),
    .float_class = offsetof(AmdWave, float_class),
    .mxcsr = offsetof(AmdWave, mxcsr),
    .registers = offsetof(AmdWave, s),
    .masks_end = offsetof(AmdWave, s[SGPR_EXEC]),
    .end = sizeof(AmdWave),
    .vectors = offsetof(AmdWave, v),
    .first = offsetof(AmdWave, first),
    .settle = LEVEL(amd_settle),
    .follow = LEVEL(amd_follow),
    .image = offsetof(AmdWave, start.s),
    .image_size = sizeof(((AmdWave *)0)->s),
    .together = LEVEL(amd_together),
    .varies = varies,
    .move_on = LEVEL(amd_move_on),
    .slice = sizeof(u32x16),
    .slice_bits = 2,
    .redo = redo,
};
