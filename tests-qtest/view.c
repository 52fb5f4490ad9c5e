/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view.h"

/* A value that was seen, and where. */
typedef struct Seen {
    const char *what;
    unsigned at; /* offset, or slot */
    uint64_t value;
} Seen;

struct TqView {
    GArray *seen; /* of Seen */
};

static void note(TqView *view, const char *what, unsigned at, uint64_t value)
{
    g_array_append_val(view->seen, ((Seen) { what, at, value }));
}

static void look_at_config(TqView *view, TqGpu *gpu, unsigned from,
                           unsigned to)
{
    for (unsigned at = from; at < to; at += 4) {
        note(view, "configuration space", at, tq_config_read(gpu, at, 4));
    }
}

/* The table has a row a register; the clock alone moves by itself. */
static void look_at_registers(TqView *view, TqGpu *gpu)
{
    static const struct {
        const char *name;
        uint32_t at;
        unsigned size, count, stride;
    } rows[] = {
#define ROW(name, at, size, count, stride, access, reset, doc)               \
        { #name, at, size, count, stride },
#define NOTHING(...)
        TESSERA_REGISTERS(ROW, NOTHING)
    };

    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        for (unsigned n = 0; n < rows[i].count; n++) {
            uint32_t at = rows[i].at + n * rows[i].stride;

            if (at != TESSERA_REG_CLOCK) {
                note(view, rows[i].name, at, rows[i].size == 8 ?
                     tq_read64(gpu, at) : tq_read(gpu, at));
            }
        }
    }
}

static void look_at_queues(TqView *view, TqGpu *gpu)
{
    uint32_t selected = tq_read(gpu, TESSERA_REG_QUEUE_SELECT);

    for (unsigned slot = 0; slot < TESSERA_QUEUES; slot++) {
        tq_write(gpu, TESSERA_REG_QUEUE_SELECT, slot);
        note(view, "state of queue", slot,
             tq_read(gpu, TESSERA_REG_QUEUE_STATE));
        note(view, "error of queue", slot,
             tq_read(gpu, TESSERA_REG_QUEUE_ERROR));
        note(view, "read index of queue", slot,
             tq_read64(gpu, TESSERA_REG_QUEUE_READ_INDEX));
    }
    tq_write(gpu, TESSERA_REG_QUEUE_SELECT, selected);
}

static void look_at_memory(TqView *view, TqGpu *gpu, const char *what,
                           uint64_t from, size_t size)
{
    g_autofree uint64_t *words = g_malloc(size);

    qtest_memread(gpu->qts, from, words, size);
    for (size_t i = 0; i < size / 8; i++) {
        note(view, what, i * 8, words[i]);
    }
}

TqView *tq_look(TqGpu *gpu, unsigned parts)
{
    TqView *view = g_new0(TqView, 1);

    view->seen = g_array_new(false, false, sizeof(Seen));
    if (parts & TQ_VIEW_PLACES) {
        look_at_config(view, gpu, 0, 64);
    }
    if (parts & TQ_VIEW_CONFIG) {
        look_at_config(view, gpu, 64, 256);
    }
    if (parts & TQ_VIEW_REGISTERS) {
        look_at_registers(view, gpu);
    }
    if (parts & TQ_VIEW_QUEUES) {
        look_at_queues(view, gpu);
    }
    if (parts & TQ_VIEW_DOORBELLS) {
        look_at_memory(view, gpu, "doorbell", gpu->doorbells,
                       TESSERA_VMIDS * TESSERA_SLICE_SIZE);
    }
    if (parts & TQ_VIEW_MSIX) {
        look_at_memory(view, gpu, "MSI-X table", gpu->msix, 4096);
    }
    return view;
}

void tq_view_free(TqView *view)
{
    g_array_unref(view->seen);
    g_free(view);
}

static const Seen *first_difference(const TqView *a, const TqView *b)
{
    g_assert_cmpuint(a->seen->len, ==, b->seen->len);
    for (guint i = 0; i < a->seen->len; i++) {
        const Seen *x = &g_array_index(a->seen, Seen, i);

        if (x->value != g_array_index(b->seen, Seen, i).value) {
            return x;
        }
    }
    return NULL;
}

void tq_check_same(const TqView *now, const TqView *then)
{
    const Seen *differs = first_difference(now, then);

    if (differs) {
        g_error("%s 0x%x is 0x%" PRIx64 " and was 0x%" PRIx64, differs->what,
                differs->at, differs->value,
                first_difference(then, now)->value);
    }
}

bool tq_differs(const TqView *now, const TqView *then)
{
    return first_difference(now, then);
}
