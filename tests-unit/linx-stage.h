/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks on the engine, over a memory whose pages may be devices. */
#ifndef LINX_STAGE_H
#define LINX_STAGE_H

#include <pthread.h>
#include "target/engine/engine.h"

enum {
    LINX_STAGE_BASE = 0x10000,
    LINX_STAGE_PAGES = 1024,
};

typedef enum LinxStagePage {
    LINX_STAGE_RAM,
    LINX_STAGE_READ_ONLY,
    LINX_STAGE_NO_CODE,  /* may not be executed */
    LINX_STAGE_HOLE,
    LINX_STAGE_DEVICE,   /* 8-byte registers, the memory's bytes */
    LINX_STAGE_UNKNOWN,  /* RAM, once it has been asked for */
} LinxStagePage;

typedef struct LinxStageAccess {
    bool write;
    uint64_t address;
    unsigned size;
    uint64_t data;
} LinxStageAccess;

typedef struct LinxStage {
    Engine *engine;
    TesseraHost host;
    uint8_t *memory;  /* of addresses from LINX_STAGE_BASE on */
    LinxStagePage page[LINX_STAGE_PAGES];
    uint8_t written[LINX_STAGE_PAGES]; /* reported */
    GArray *accesses; /* of LinxStageAccess: to devices, in their order */
    bool late;        /* answers wait for linx_stage_answer() */
    GPtrArray *asks;  /* open */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned done, suspended;
    TesseraBlocks blocks;
    EngineDispatch dispatch;
} LinxStage;

LinxStage *linx_stage_new(unsigned workers);
void linx_stage_free(LinxStage *stage);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LinxStage, linx_stage_free)

static inline void *linx_stage_at(LinxStage *stage, uint64_t address)
{
    return stage->memory + (address - LINX_STAGE_BASE);
}

void linx_stage_set_page(LinxStage *stage, uint64_t address,
                         LinxStagePage page);

/* Put the assembled @source at @address. */
void linx_stage_load(LinxStage *stage, uint64_t address, const char *source);

/* Start at @pc; wait until it is over. */
void linx_stage_start(LinxStage *stage, uint64_t pc);
void linx_stage_wait(LinxStage *stage);
EngineStatus linx_stage_run(LinxStage *stage, uint64_t pc);

/* Wait until @count questions are open; answer those that are. */
void linx_stage_wait_asks(LinxStage *stage, unsigned count);
void linx_stage_answer(LinxStage *stage);

#endif
