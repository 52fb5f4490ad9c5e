/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What kind of work an instruction is, for profiles: by its row.
 */
#include <string.h>
#include <glib.h>
#include "kind.h"
#include "rows.h"

static bool is_float(AmdType type, AmdType plain, AmdType packed)
{
    return type == plain || (packed && type == packed);
}

/* What goes through a table or a series: quarter rate on the hardware. */
static bool is_transcendental(const char *name)
{
    static const char *const prefixes[] = {
        "v_exp_", "v_log_", "v_rcp_", "v_rsq_", "v_sqrt_", "v_sin_", "v_cos_",
        "v_s_",
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(prefixes); i++) {
        if (g_str_has_prefix(name, prefixes[i])) {
            return true;
        }
    }
    return false;
}

/* A float's width decides: that of the result, of a compare's sources. */
static const char *vector_kind(const AmdInsn *row)
{
    static const struct {
        AmdType plain, packed;
        const char *name;
    } floats[] = {
        { T_f64, T_none, "vector f64" },
        { T_f32, T_none, "vector f32" },
        { T_f16, T_pk16f, "vector f16" },
    };

    if (is_transcendental(row->name)) {
        return "vector transcendental";
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(floats); i++) {
        if (is_float(row->dst, floats[i].plain, floats[i].packed) ||
            is_float(row->src[0], floats[i].plain, floats[i].packed)) {
            return floats[i].name;
        }
    }
    return "vector integer";
}

static const char *scalar_kind(const AmdInsn *row)
{
    if (row->flags & INSN_BRANCH || strstr(row->name, "pc_b64")) {
        return "branch";
    }
    return row->class == CLASS_SP ? "wait, hint, barrier" : "scalar";
}

static const char *memory_kind(const AmdInst *inst, const AmdInsn *row)
{
    static const char *const names[][3] = {
        { "LDS load", "LDS store", "LDS atomic" },
        { "scratch load", "scratch store", "scratch atomic" },
        { "memory load", "memory store", "memory atomic" },
    };
    unsigned place = row->class == CLASS_DS ? 0 :
                     inst->family == FAM_SCRATCH ? 1 : 2;

    return names[place][row->flags & INSN_ATOMIC ? 2 :
                        row->flags & INSN_STORE ? 1 : 0];
}

const char *amd_kind(AmdDecodeFn *decode, const uint32_t *words,
                     unsigned count)
{
    const AmdInsn *row;
    AmdInst inst;

    if (!decode(words, count, &inst)) {
        return "no instruction";
    }
    row = &amd_insns[inst.op];
    switch (row->class) {
    case CLASS_S1: case CLASS_S2: case CLASS_SC: case CLASS_SK: case CLASS_SP:
        return scalar_kind(row);
    case CLASS_SMEM:
        return "scalar memory";
    case CLASS_DS: case CLASS_FLAT: case CLASS_BUF:
        return memory_kind(&inst, row);
    case CLASS_GFX:
        return "graphics";
    default:
        return vector_kind(row);
    }
}
