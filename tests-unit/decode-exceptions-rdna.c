/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where we differ from LLVM 19 on gfx11 and gfx12 on purpose, and why.
 */
#include "decode-llvm.h"

typedef struct Exception {
    const char *reason;
    bool (*applies)(const Comparison *c);
} Exception;

static bool only_llvm(const Comparison *c)
{
    return c->llvms.accepted && !c->ours.accepted;
}

static bool only_ours(const Comparison *c)
{
    return c->ours.accepted && !c->llvms.accepted;
}

static bool llvm_says(const Comparison *c, const char *part)
{
    return strstr(c->llvms.text, part) != NULL;
}

static bool flagged(const Comparison *c)
{
    return llvm_says(c, "/*") || (only_llvm(c) && llvm_says(c, "invalid_"));
}

static bool high_half(const Comparison *c)
{
    return only_ours(c) && strstr(c->ours.text, ".h");
}

static bool read_only_operand(const Comparison *c)
{
    static const char *const parts[] = {
        "v_cmp", "v_readlane", "v_readfirstlane", "v_wmma", "v_swmmac",
        "v_permlane", "v_mqsad_u32", "v_interp", "v_fma_mix", "v_swap",
        "v_s_", "s_barrier", "s_get_barrier", "s_wakeup_barrier",
        "_co_", "v_div_scale", "v_cndmask", "v_mad_u64", "v_mad_i64",
        "v_movrel",
    };

    if (!only_llvm(c) || !(llvm_says(c, "src_") || llvm_says(c, "null"))) {
        return false;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
        if (llvm_says(c, parts[i])) {
            return true;
        }
    }
    return false;
}

static bool integer_negated(const Comparison *c)
{
    return llvm_says(c, "sext(");
}

/* GFX11; gfx12 has 24 bits. */
static bool flat_offset_12(const Comparison *c)
{
    return c->ours.accepted && c->llvms.accepted && c->same_size &&
           c->candidate.words[0] >> 26 == 0x37 &&
           c->candidate.words[0] & 1u << 12 &&
           g_str_has_prefix(c->ours.text, "flat_");
}

static bool literal_offset(const Comparison *c)
{
    return only_llvm(c) && llvm_says(c, "buffer_") &&
           c->candidate.words[1] >> 24 == 0xff;
}

static bool is_image(const Comparison *c)
{
    return g_str_has_prefix(c->ours.accepted ? c->ours.text : c->llvms.text,
                            "image_");
}

static bool image_end(const Comparison *c)
{
    return is_image(c) &&
           (only_llvm(c) || (only_ours(c) &&
                             ((c->candidate.words[1] >> 8 & 0xff) > 250 ||
                              (c->candidate.words[1] & 0xff) > 250)));
}

static bool vcc_negated(const Comparison *c)
{
    return llvm_says(c, "v_cndmask_b32_dpp") && llvm_says(c, ", vcc_lo|");
}

static bool image_zeros(const Comparison *c)
{
    return is_image(c) && c->candidate.words[0] >> 26 == 0x34 &&
           c->candidate.words[2] >> 8 == 0;
}

static bool image_samples(const Comparison *c)
{
    return is_image(c) && llvm_says(c, "_MSAA") &&
           (llvm_says(c, "_sample") || llvm_says(c, "_gather") ||
            llvm_says(c, "_get_lod"));
}

static const Exception exceptions[] = {
    { "LLVM decodes it, but says itself that an operand is not valid",
      flagged },
    { "LLVM 19 knows no high halves in the short encodings", high_half },
    { "a result or a lane mask cannot be in vccz, scc, an aperture or NULL, nor "
      "can what must be a VGPR", read_only_operand },
    { "neg is ignored for integers; LLVM prints SDWA's sext()",
      integer_negated },
    { "FLAT offsets of gfx11 have 12 bits, bit 12 is ignored; LLVM prints 13",
      flat_offset_12 },
    { "the offset of a buffer is a register or an inline constant; LLVM takes a "
      "literal that is not there", literal_offset },
    { "LLVM takes addresses that are all v0 for one address", image_zeros },
    { "image data and addresses must not run past v255; LLVM falls back to "
      "fewer VGPRs, or refuses less than runs past", image_end },
    { "LLVM closes the bars of |src1| behind vcc", vcc_negated },
    { "images of several samples cannot be sampled; LLVM prints some number of "
      "addresses", image_samples },
};

const char *rdna_exception(const Comparison *c)
{
    for (size_t i = 0; i < G_N_ELEMENTS(exceptions); i++) {
        if (exceptions[i].applies(c)) {
            return exceptions[i].reason;
        }
    }
    return NULL;
}
