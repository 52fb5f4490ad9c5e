/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What waves ask of the engine's owner, memory apart.
 *
 * While a wave runs, the host's float environment is the wave's; the owner
 * gets the usual one.
 */
#include "lanes.h"
#include "sched.h"

void wave_message(Wave *wave, uint32_t data)
{
    const EngineConfig *c = &wave->worker->engine->config;
    unsigned csr = _mm_getcsr();

    _mm_setcsr(MXCSR_DEFAULT);
    worker_report(wave->worker);
    c->ops->message(c->opaque, wave->group->dispatch, data);
    _mm_setcsr(csr);
}

void wave_tell_hazard(Wave *wave, const EngineHazard *hazard)
{
    const EngineConfig *c = &wave->worker->engine->config;
    unsigned csr = _mm_getcsr();

    if (c->ops->hazard) {
        _mm_setcsr(MXCSR_DEFAULT);
        c->ops->hazard(c->opaque, wave->group->dispatch, hazard);
        _mm_setcsr(csr);
    }
}

uint64_t wave_clock(const Wave *wave)
{
    const EngineConfig *c = &wave->worker->engine->config;
    unsigned csr = _mm_getcsr();
    uint64_t now;

    _mm_setcsr(MXCSR_DEFAULT);
    now = c->ops->clock(c->opaque);
    _mm_setcsr(csr);
    return now;
}
