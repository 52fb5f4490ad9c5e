/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stretches.h"

GArray *stretches_new(void)
{
    return g_array_new(false, false, sizeof(Stretch));
}

void stretches_free(GArray *list)
{
    g_assert(list->len == 0);
    g_array_free(list, true);
}

guint stretches_first(GArray *list, uint64_t bus)
{
    guint low = 0, high = list->len;

    while (low < high) {
        guint mid = low + (high - low) / 2;

        if (stretch_at(list, mid)->last < bus) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return low;
}

Stretch *stretches_find(GArray *list, uint64_t bus)
{
    guint i = stretches_first(list, bus);

    if (i == list->len || stretch_at(list, i)->bus > bus) {
        return NULL;
    }
    return stretch_at(list, i);
}

bool stretches_overlap(GArray *list, uint64_t bus, uint64_t last)
{
    guint i = stretches_first(list, bus);

    return i < list->len && stretch_at(list, i)->bus <= last;
}

void stretches_insert(GArray *list, const Stretch *new)
{
    guint i = stretches_first(list, new->bus);

    g_array_insert_val(list, i, *new);
}

MemoryRegion *stretches_take(GArray *list, guint i)
{
    MemoryRegion *mr = stretch_at(list, i)->mr;

    g_array_remove_index(list, i);
    return mr;
}
