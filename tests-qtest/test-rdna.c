/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Devices whose instruction set is gfx11 or gfx12: what they say of themselves,
 * and dispatches in waves of 32 and of 64 lanes.
 */
#include "tessera-qtest.h"

enum { GROUP = 64, GROUPS = 5, ITEMS = GROUP * GROUPS - 12 };

#define KERNEL_WAVE32 (1 << 10) /* in kernel_code_properties */

typedef struct Target {
    const char *isa, *code; /* code: the generation's in the shader's name */
    uint32_t number;
} Target;

static const Target targets[] = {
    { "gfx1100", "gfx1100", 110000 },
    { "gfx1150", "gfx1100", 110500 },
    { "gfx1200", "gfx1200", 120000 },
    { "gfx1201", "gfx1200", 120001 },
};

/* What rdna-where.s stores. */
typedef struct Where {
    uint32_t item, group, lanes, below;
} Where;

/* The last group is cut off by the grid, and its last wave has a part. */
static void check_item(const Where *where, uint32_t item, unsigned width)
{
    uint32_t local = item % GROUP, group = item / GROUP;
    uint32_t size = MIN(GROUP, ITEMS - group * GROUP);
    uint32_t first = local / width * width;

    g_assert_cmpuint(where->item, ==, local);
    g_assert_cmpuint(where->group, ==, group);
    g_assert_cmpuint(where->lanes, ==, MIN(width, size - first));
    g_assert_cmpuint(where->below, ==, local - first);
}

static void check_dispatch(TqGpu *gpu, const Target *target, unsigned width)
{
    g_autofree char *name = g_strdup_printf("rdna-where-%s-%u", target->code,
                                            width);
    TqQueue q = tq_queue(gpu, width == 32);
    uint64_t buf = tq_alloc(gpu, ITEMS * sizeof(Where));
    uint64_t kernarg = tq_alloc(gpu, 64), kernel;
    g_autofree Where *where = g_new(Where, ITEMS);
    AqlDispatch p;

    kernel = tq_shader_with(gpu, name, false,
                            width == 32 ? KERNEL_WAVE32 : 0);
    tq_put64(gpu, kernarg, buf);
    p = tq_dispatch(gpu, kernel, kernarg, ITEMS, GROUP);
    tq_run(&q, &p);
    tq_get(gpu, buf, where, ITEMS * sizeof(Where));
    for (uint32_t i = 0; i < ITEMS; i++) {
        check_item(&where[i], i, width);
    }
    g_assert_cmpint(tq_queue_unmap(&q), ==, TESSERA_RESULT_OK);
}

static void test_target(const void *data)
{
    const Target *target = data;
    g_autofree char *options = g_strdup_printf(",isa=%s", target->isa);
    TqGpu *gpu = tq_start(options);

    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_ISA), ==, target->number);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_WAVE_SIZE), ==, 32);
    check_dispatch(gpu, target, 32);
    check_dispatch(gpu, target, 64);
    tq_end(gpu);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS(targets); i++) {
        g_autofree char *path = g_strconcat("/rdna/", targets[i].isa, NULL);

        g_test_add_data_func(path, &targets[i], test_target);
    }
    return g_test_run();
}
