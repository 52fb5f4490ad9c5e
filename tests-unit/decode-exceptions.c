/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where we differ from LLVM 19 on purpose, and why.
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

static bool both(const Comparison *c)
{
    return c->ours.accepted && c->llvms.accepted && c->same_size;
}

static bool llvm_says(const Comparison *c, const char *part)
{
    return strstr(c->llvms.text, part) != NULL;
}

static bool flagged(const Comparison *c)
{
    return only_llvm(c) && (llvm_says(c, "nvalid") ||
                            llvm_says(c, "is not supported on ASICs"));
}

static bool null_register(const Comparison *c)
{
    return only_llvm(c) && llvm_says(c, "null");
}

static bool read_only_operand(const Comparison *c)
{
    return only_llvm(c) && llvm_says(c, "src_") &&
           (llvm_says(c, "v_cmp") || llvm_says(c, "_co_u32") ||
            llvm_says(c, "v_cndmask") || llvm_says(c, "v_readfirstlane") ||
            llvm_says(c, "v_swap") || llvm_says(c, "v_interp") ||
            llvm_says(c, "v_div_scale") || llvm_says(c, "v_mad_u64") ||
            llvm_says(c, "v_mad_i64") || llvm_says(c, "v_mqsad_u32"));
}

/* Its result is not in an SGPR, or what it reads is not a VGPR. */
static bool readlane_operand(const Comparison *c)
{
    return only_llvm(c) && llvm_says(c, "v_readlane_b32 ") &&
           llvm_says(c, "src_") &&
           ((c->candidate.words[0] & 0xff) >= 128 ||
            (c->candidate.words[1] & 0x1ff) < 256);
}

static bool sdwa_unused_3(const Comparison *c)
{
    return only_llvm(c) && llvm_says(c, "_sdwa") &&
           (c->candidate.words[1] >> 11 & 3) == 3;
}

static bool is_flat(const Comparison *c)
{
    return g_str_has_prefix(c->ours.text, "flat_");
}

static bool flat_off(const Comparison *c)
{
    return only_ours(c) && is_flat(c) &&
           (c->candidate.words[1] >> 16 & 0x7f) == 0x7f;
}

static bool flat_offset_12(const Comparison *c)
{
    return both(c) && is_flat(c) && c->candidate.words[0] & 1u << 12;
}

static bool lds_nv(const Comparison *c)
{
    return only_ours(c) && g_str_has_suffix(c->ours.text, " lds") &&
           c->candidate.words[1] & 1u << 23;
}

static bool ds_bit_25(const Comparison *c)
{
    return only_ours(c) && g_str_has_prefix(c->ours.text, "ds_") &&
           c->candidate.words[0] & 1u << 25;
}

static bool integer_negated(const Comparison *c)
{
    return both(c) && llvm_says(c, "sext(") && !llvm_says(c, "_sdwa");
}

static bool is_image(const Comparison *c)
{
    return g_str_has_prefix(c->ours.accepted ? c->ours.text : c->llvms.text,
                            "image_");
}

static bool image_data_end(const Comparison *c)
{
    return is_image(c) && (only_ours(c) || only_llvm(c)) &&
           (c->candidate.words[1] >> 8 & 0xff) > 250;
}

static bool image_atomic_data(const Comparison *c)
{
    return both(c) && llvm_says(c, "image_atomic");
}

static const Exception exceptions[] = {
    { "LLVM decodes it, but says itself that an operand is not valid",
      flagged },
    { "operand code 125 is reserved on gfx900; LLVM has gfx10's null there",
      null_register },
    { "a result or a lane mask cannot be in vccz, scc or an aperture, nor "
      "can what must be a VGPR", read_only_operand },
    { "the same of v_readlane, whose lane number may be there",
      readlane_operand },
    { "dst_unused 3 is reserved; LLVM prints it like 0", sdwa_unused_3 },
    { "the manual has 0x7f in FLAT's saddr, for off; LLVM has 0 there and "
      "takes no other", flat_off },
    { "FLAT offsets have 12 bits, bit 12 is ignored; LLVM prints 13",
      flat_offset_12 },
    { "nv is a hint to caches, which forms with lds have as well", lds_nv },
    { "bit 25 of DS is reserved and ignored; LLVM minds it in some",
      ds_bit_25 },
    { "neg is ignored for integers; LLVM prints SDWA's sext()",
      integer_negated },
    { "image data must not run past v255; LLVM falls back to one VGPR, or "
      "refuses less than runs past", image_data_end },
    { "image atomics with a senseless dmask print a senseless VGPR count",
      image_atomic_data },
};

const char *decode_exception(const Comparison *c)
{
    for (size_t i = 0; i < G_N_ELEMENTS(exceptions); i++) {
        if (exceptions[i].applies(c)) {
            return exceptions[i].reason;
        }
    }
    return NULL;
}
