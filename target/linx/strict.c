/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hazards=strict: what accesses tell the overlap checker, and its reports. */
#include <string.h>
#include "target/engine/wave.h"
#include "target/linx/access.h"
#include "target/linx/decode.h"

void linx_touch(LinxContext *x, LinxTouch *touch)
{
    LinxClash clash;

    touch->is_scalar = !x->block;
    touch->group = x->group;
    touch->pc = x->pc;
    if (linx_overlap_touch(x->state->overlap, touch, &clash)) {
        x->state->clash(x, touch, &clash);
    }
}

/* Through the engine to the owner. */
static void report(LinxContext *x, const LinxTouch *touch,
                   const LinxClash *clash)
{
    EngineHazard hazard = {
        .kind = clash->kind,
        .pc = touch->pc,
        .since = clash->other_pc,
        .lanes = clash->lanes,
        .group = { (uint32_t)touch->group, (uint32_t)(touch->group >> 32) },
        .block = clash->block,
        .address = clash->address,
        .other_group = clash->other_group,
        .other_lane = clash->other_lane,
    };

    strcpy(hazard.name, touch->is_local ? "tile" : "memory");
    linx_disassemble(x->inst, hazard.text, sizeof(hazard.text));
    wave_tell_hazard(x->wave, &hazard);
}

void linx_strict_start(LinxState *state)
{
    state->overlap = linx_overlap_new();
    state->clash = report;
}
