/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine's profile in words. */
#include "internal.h"

static TesseraSpot name_spot(const TesseraIsa *isa, const EngineSpot *from)
{
    TesseraSpot spot = {
        .pc = from->pc,
        .kind = from->executed ? "too many to tell" : "host was busy",
        .executed = from->executed,
        .lane_instructions = from->lane_instructions,
        .seconds = from->seconds,
    };

    if (from->count) {
        isa->disassemble(from->words, from->count, from->lanes, from->pc,
                         spot.text, sizeof(spot.text));
        spot.kind = isa->kind ? isa->kind(from->words, from->count,
                                          from->lanes) : "instruction";
    }
    return spot;
}

static int compare_spots(const void *a, const void *b)
{
    const TesseraSpot *x = a, *y = b;

    if (x->seconds != y->seconds) {
        return x->seconds > y->seconds ? -1 : 1;
    }
    return (x->pc > y->pc) - (x->pc < y->pc);
}

GArray *tessera_gpu_profile(TesseraGpu *gpu)
{
    GArray *spots = g_array_new(FALSE, FALSE, sizeof(TesseraSpot));
    GArray *engine;

    engine_park(gpu->engine);
    engine = engine_profile(gpu->engine);
    engine_unpark(gpu->engine);
    for (unsigned i = 0; i < engine->len; i++) {
        const EngineSpot *from = &g_array_index(engine, EngineSpot, i);
        TesseraSpot spot = name_spot(gpu->isa, from);

        if (from->count || from->ticks) {
            g_array_append_val(spots, spot);
        }
    }
    g_array_unref(engine);
    g_array_sort(spots, compare_spots);
    return spots;
}
