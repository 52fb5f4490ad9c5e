/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hazards=strict: what shaders did without waiting, kept for whoever asks.
 *
 * Reports of the same instruction about the same registers are one; there is
 * room for HAZARDS_MAX different ones, and all are counted.
 */
#include <string.h>
#include "hw/gpu/internal.h"

static const char *hazard_text(TesseraHazard kind)
{
#define HAZARD_TEXT(n, v, doc) [TESSERA_HAZARD_##n] = doc,
    static const char *const texts[] = { TESSERA_HAZARDS(HAZARD_TEXT) };

    return texts[kind];
}

static bool same(const EngineHazard *a, const EngineHazard *b)
{
    return a->kind == b->kind && a->pc == b->pc && a->since == b->since &&
           strcmp(a->name, b->name) == 0;
}

/* Keep @hazard; false if it is known or there is no room.  Locked. */
static bool keep(GpuHazards *hazards, const EngineHazard *hazard)
{
    hazards->total++;
    for (unsigned i = 0; i < hazards->count; i++) {
        if (same(&hazards->kept[i], hazard)) {
            return false;
        }
    }
    if (hazards->count == HAZARDS_MAX) {
        return false;
    }
    hazards->kept[hazards->count++] = *hazard;
    return true;
}

/* What a LinxISA block's report has beyond those of shaders. */
static void describe_block(const EngineHazard *h, char *text, size_t size)
{
    int length;

    text[0] = '\0';
    if (!h->block) {
        return;
    }
    length = g_snprintf(text, size, "; block 0x%" PRIx64 ", group %" PRIu64
                        ", lanes 0x%" PRIx64 ", address 0x%" PRIx64, h->block,
                        h->group[0] | (uint64_t)h->group[1] << 32, h->lanes,
                        h->address);
    if (h->since) {
        g_snprintf(text + length, size - length, "; meets PC 0x%" PRIx64
                   ", group %" PRIu64 ", lane %u", h->since, h->other_group,
                   h->other_lane);
    }
}

void hazard_report(void *opaque, EngineDispatch *dispatch,
                   const EngineHazard *hazard)
{
    TesseraGpu *gpu = opaque;
    char block[256];
    bool is_new;

    gpu_lock(gpu);
    is_new = keep(&gpu->hazards, hazard);
    regs_set32(gpu, TESSERA_REG_HAZARD_COUNT,
               MIN(gpu->hazards.total, UINT32_MAX));
    gpu_unlock(gpu);
    if (is_new) {
        describe_block(hazard, block, sizeof(block));
        gpu_log(gpu, TESSERA_LOG_GUEST_ERROR,
                "hazard: PC 0x%" PRIx64 ": %s: %s %s%s", hazard->pc,
                hazard->text, hazard->name, hazard_text(hazard->kind), block);
        gpu_trace(gpu, "hazard_report", hazard->pc, hazard->kind,
                  hazard->since);
    }
}

bool tessera_gpu_hazard(TesseraGpu *gpu, unsigned index,
                        TesseraHazardInfo *info)
{
    const GpuHazards *hazards = &gpu->hazards;
    bool found;

    gpu_lock(gpu);
    found = index < hazards->count;
    if (found) {
        const EngineHazard *h = &hazards->kept[index];

        *info = (TesseraHazardInfo){
            .kind = h->kind, .what = hazard_text(h->kind),
            .pc = h->pc, .since = h->since, .lanes = h->lanes,
            .wave = h->wave, .block = h->block, .address = h->address,
            .other_group = h->other_group, .other_lane = h->other_lane,
        };
        memcpy(info->group, h->group, sizeof(info->group));
        g_strlcpy(info->name, h->name, sizeof(info->name));
        g_strlcpy(info->text, h->text, sizeof(info->text));
    }
    gpu_unlock(gpu);
    return found;
}

void hazard_reset(TesseraGpu *gpu)
{
    memset(&gpu->hazards, 0, sizeof(gpu->hazards));
}
