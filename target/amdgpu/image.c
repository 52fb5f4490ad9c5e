/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include "image.h"
#include "ops.h"
#include "rows.h"

enum { DIMS = 8, DIM_1D = 0, DIM_3D = 2 };

/* What the operation's name says of its arguments. */
typedef struct ImageArgs {
    unsigned extra; /* offset, bias, reference */
    bool gradients, packed, lod;
} ImageArgs;

static bool is_part(const char *part, size_t len, const char *name)
{
    return strlen(name) == len && strncmp(part, name, len) == 0;
}

/* The parts behind image_sample or image_gather4: c, d, b, l, cl, o, g16. */
static void sample_args(const char *name, ImageArgs *args)
{
    for (const char *part = strchr(name, '_'); part;
         part = strchr(part, '_')) {
        size_t len = strcspn(++part, "_");

        args->extra += is_part(part, len, "c") || is_part(part, len, "b") ||
                       is_part(part, len, "o");
        args->gradients |= is_part(part, len, "d");
        args->packed |= is_part(part, len, "g16");
        args->lod |= is_part(part, len, "l") || is_part(part, len, "cl") ||
                     is_part(part, len, "mip");
    }
}

static bool is_ray(const AmdInst *inst)
{
    return inst->op == AMD_image_bvh_intersect_ray ||
           inst->op == AMD_image_bvh64_intersect_ray;
}

static unsigned addresses(const AmdInst *inst, unsigned dim, bool a16)
{
    static const uint8_t coordinates[DIMS] = { 1, 2, 3, 3, 2, 3, 3, 4 };
    static const uint8_t gradients[DIMS] = { 2, 4, 6, 4, 2, 4, 4, 4 };
    const char *name = amd_insns[inst->op].name;
    ImageArgs args = { 0 };
    unsigned components, words;

    sample_args(name + strlen("image_"), &args);
    components = coordinates[dim];
    if (inst->op == AMD_image_get_resinfo) {
        components = 1; /* the level of detail */
    }
    components += args.lod;
    words = args.extra + (a16 ? (components + 1) / 2 : components);
    if (args.gradients) {
        words += args.packed ? (gradients[dim] / 2 + 1) & ~1u :
                 gradients[dim];
    }
    return words;
}

unsigned amd_image_addresses(const AmdInst *inst)
{
    return addresses(inst, inst->tgt % DIMS, inst->a16);
}

unsigned amd_image_most_addresses(const AmdInst *inst)
{
    return addresses(inst, DIM_3D, false);
}

unsigned amd_image_first_data(const AmdInst *inst)
{
    return amd_insns[inst->op].flags & INSN_GATHER4 ||
           inst->op == AMD_image_msaa_load ? 4 :
           inst->op == AMD_image_atomic_cmpswap ? 2 : 1;
}

/* One value or two, of 32 or 64 bits; LLVM has 5 where there should be 4. */
static unsigned atomic_data(const AmdInst *inst, unsigned n)
{
    if (inst->op == AMD_image_atomic_cmpswap) {
        return n == 2 || n == 4 ? n : 0;
    }
    return n <= 2 ? n : n == 4 ? 5 : 0;
}

unsigned amd_image_data(const AmdInst *inst)
{
    unsigned flags = amd_insns[inst->op].flags;
    bool four = flags & INSN_GATHER4 || is_ray(inst) ||
                inst->op == AMD_image_msaa_load;
    unsigned n = four ? 4 : __builtin_popcount(inst->en);

    n = inst->d16 ? (n + 1) / 2 : n;
    n = (n ? n : 1) + inst->tfe;
    if (flags & INSN_ATOMIC) {
        return atomic_data(inst, n);
    }
    return flags & INSN_GATHER4 && n == 3 ? 0 : n;
}

bool amd_image_makes_sense(const AmdInst *inst)
{
    unsigned words = amd_image_addresses(inst);

    if (is_ray(inst)) {
        return true;
    }
    return amd_image_data(inst) != 0 && !(inst->nsa && words == 1) &&
           !(!(amd_insns[inst->op].flags & INSN_SAMPLER) && words > 4) &&
           !(amd_insns[inst->op].flags & INSN_SAMPLER &&
             words > amd_image_most_addresses(inst));
}

/* Node pointer, extent, origin, direction and its inverse, of 3 each. */
static void ray_address(const AmdInst *inst, ImageAddress *address)
{
    address->count = inst->a16 ? 4 : 5;
    address->last = 3;
}

void amd_image_address(const AmdInst *inst, ImageAddress *address)
{
    unsigned words = amd_image_addresses(inst);
    unsigned slots = inst->family == FAM_VSAMPLE ? 4 : 5;

    if (inst->family == FAM_MIMG && !inst->nsa) {
        slots = 1;
    }
    for (int i = 0; i < 5; i++) {
        address->code[i] = inst->image_addr[i] + OPERAND_VGPR;
    }
    if (is_ray(inst)) {
        ray_address(inst, address);
        return;
    }
    if (!amd_image_makes_sense(inst)) {
        words = slots == 1 ? addresses(inst, DIM_1D, true) :
                amd_insns[inst->op].flags & INSN_SAMPLER ?
                amd_image_most_addresses(inst) : 4;
        words = slots > 1 && words > slots ? slots : words;
    }
    address->count = words < slots ? words : slots;
    address->last = words - address->count + 1;
}
