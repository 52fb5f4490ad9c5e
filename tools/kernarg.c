/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hidden kernel arguments, by the value kinds of the metadata (LLVM's "User
 * Guide for AMDGPU Backend", code object V5 metadata, .value_kind).
 */
#include <string.h>
#include "tools/kernarg.h"

static uint64_t hidden_zero(const KernargContext *ctx, unsigned axis)
{
    return 0;
}

/* Whole work-groups only: a partial last one is not counted. */
static uint64_t hidden_block_count(const KernargContext *ctx, unsigned axis)
{
    return ctx->grid[axis] / ctx->group[axis];
}

static uint64_t hidden_group_size(const KernargContext *ctx, unsigned axis)
{
    return ctx->group[axis];
}

static uint64_t hidden_remainder(const KernargContext *ctx, unsigned axis)
{
    return ctx->grid[axis] % ctx->group[axis];
}

static uint64_t hidden_grid_dims(const KernargContext *ctx, unsigned axis)
{
    return ctx->dims;
}

static uint64_t hidden_dynamic_lds(const KernargContext *ctx, unsigned axis)
{
    return ctx->dynamic_lds;
}

static uint64_t hidden_private_base(const KernargContext *ctx, unsigned axis)
{
    return ctx->private_base_hi;
}

static uint64_t hidden_shared_base(const KernargContext *ctx, unsigned axis)
{
    return ctx->shared_base_hi;
}

static uint64_t hidden_queue(const KernargContext *ctx, unsigned axis)
{
    return ctx->queue;
}

typedef struct HiddenValue {
    uint64_t (*value)(const KernargContext *ctx, unsigned axis);
    unsigned axis;
} HiddenValue;

static const HiddenValue hidden_values[CODE_VALUE_KIND_COUNT] = {
    [CODE_HIDDEN_BLOCK_COUNT_X] = { hidden_block_count, 0 },
    [CODE_HIDDEN_BLOCK_COUNT_Y] = { hidden_block_count, 1 },
    [CODE_HIDDEN_BLOCK_COUNT_Z] = { hidden_block_count, 2 },
    [CODE_HIDDEN_GROUP_SIZE_X] = { hidden_group_size, 0 },
    [CODE_HIDDEN_GROUP_SIZE_Y] = { hidden_group_size, 1 },
    [CODE_HIDDEN_GROUP_SIZE_Z] = { hidden_group_size, 2 },
    [CODE_HIDDEN_REMAINDER_X] = { hidden_remainder, 0 },
    [CODE_HIDDEN_REMAINDER_Y] = { hidden_remainder, 1 },
    [CODE_HIDDEN_REMAINDER_Z] = { hidden_remainder, 2 },
    [CODE_HIDDEN_GRID_DIMS] = { hidden_grid_dims, 0 },
    [CODE_HIDDEN_DYNAMIC_LDS_SIZE] = { hidden_dynamic_lds, 0 },
    [CODE_HIDDEN_PRIVATE_BASE] = { hidden_private_base, 0 },
    [CODE_HIDDEN_SHARED_BASE] = { hidden_shared_base, 0 },
    [CODE_HIDDEN_QUEUE_PTR] = { hidden_queue, 0 },
};

void kernarg_fill_hidden(const CodeKernel *kernel, const KernargContext *ctx,
                         uint8_t *dst)
{
    for (unsigned i = 0; i < kernel->n_args; i++) {
        const CodeArg *arg = &kernel->args[i];
        const HiddenValue *hidden = &hidden_values[arg->kind];
        uint64_t value;

        if (code_value_is_hidden(arg->kind)) {
            value = (hidden->value ? hidden->value : hidden_zero)(
                ctx, hidden->axis);
            memset(dst + arg->offset, 0, arg->size);
            memcpy(dst + arg->offset, &value,
                   MIN(arg->size, sizeof(value)));
        }
    }
}
