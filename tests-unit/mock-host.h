/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A host of the device core for tests: RAM, a ROM, a clock that the test
 * moves, and a record of everything the device did.
 */
#ifndef MOCK_HOST_H
#define MOCK_HOST_H

#include <glib.h>
#include <pthread.h>
#include "hw/gpu/gpu.h"

#define MOCK_RAM_BASE 0x100000ull
#define MOCK_RAM_SIZE (4u << 20)
#define MOCK_ROM_BASE 0x8000000ull /* readable only */
#define MOCK_ROM_SIZE 0x4000u
#define MOCK_DEVICE_BASE 0x9000000ull /* another device's registers */
#define MOCK_DEVICE_SIZE 0x2000u
#define MOCK_PAGES (MOCK_RAM_SIZE / 4096)

typedef struct MockHost {
    TesseraHost host;
    uint8_t *ram, *rom;
    uint8_t *reported;    /* a byte for each of RAM: stores were reported */
    int64_t guest_ns;     /* atomic */
    unsigned irqs;        /* atomic, all vectors */
    unsigned maps, logs, guest_errors, traces;    /* atomic */
    unsigned vram_reports;                        /* atomic */
    unsigned bad_reports; /* atomic: reports of what is no RAM */
    unsigned threads;     /* running */
    unsigned threads_max; /* thread_start() fails beyond this */
    bool offline;         /* atomic: bus master off, nothing can be mapped */

    /* What takes time; under `lock`. */
    pthread_mutex_t lock;
    bool iommu;           /* pages of RAM are found only when asked for */
    uint8_t known[MOCK_PAGES];   /* 1: for reading, 2: for writing */
    uint8_t allowed[MOCK_PAGES]; /* the same; all at first */
    bool forgetful;       /* what was found is lost at once */
    bool slow;            /* requests wait for mock_host_answer() */
    GQueue requests;      /* of TesseraRequest */
    unsigned asked, cancelled;
    uint8_t device[MOCK_DEVICE_SIZE];
    unsigned device_reads, device_writes;
} MockHost;

MockHost *mock_host_new(void);
void mock_host_free(MockHost *mock);
/* The RAM is somewhere else now; stale pointers crash. */
void mock_host_move_ram(MockHost *mock);
void mock_host_advance(MockHost *mock, int64_t ns);
/* As new, but for what RAM holds. */
void mock_host_again(MockHost *mock);
void mock_host_zero(MockHost *mock);
/* Put RAM behind an IOMMU that knows no page yet, or out of it. */
void mock_host_iommu(MockHost *mock, bool on);
void mock_host_slow(MockHost *mock, bool slow);
/* Requests that wait, and requests ever made. */
unsigned mock_host_waiting(MockHost *mock);
unsigned mock_host_asked(MockHost *mock);
/* Answer those that wait now. */
void mock_host_answer(MockHost *mock);

#endif
