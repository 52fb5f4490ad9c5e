/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A device behind an IOMMU, whichever: memory that it sees elsewhere than the
 * CPUs do, and shaders whose work shows what it reaches.
 *
 * Everything that the device is given (rings, signals, code, buffers) has bus
 * addresses that are no memory without translation.
 */
#ifndef TESSERA_QTEST_RIG_H
#define TESSERA_QTEST_RIG_H

#include "tessera-qtest.h"

#define RIG_WINDOW 0xe0000000u  /* BARs of the first device */
#define RIG_WINDOW2 0xd0000000u /* and of a second one */
/* All of RAM from RIG_RAM on, as the device sees it. */
#define RIG_OFFSET 0x4000000000ull
#define RIG_RAM (16u << 20)
/* Pages that a test maps one by one. */
#define RIG_SPARE 0x2000000000ull
#define RIG_PAGE 4096

enum { RIG_READ = 1, RIG_WRITE = 2, RIG_RW = 3 };

typedef struct Rig Rig;

struct Rig {
    TqGpu *gpu;
    void *iommu;
    /* Map a page and do all that a driver must for it to take effect. */
    void (*map)(Rig *rig, uint64_t iova, uint64_t to, unsigned rights);
    unsigned pages; /* of RIG_SPARE in use */
};

/* QEMU with @args before device "gpu0" at 00:04.0 and @more after it. */
TqGpu *rig_start_gpu(const char *args, const char *more);

/* A page of guest RAM; its guest-physical address. */
uint64_t rig_page(Rig *rig);
/* A bus address of a page that nothing is mapped at. */
uint64_t rig_iova(Rig *rig);

/* A dispatch of shaders/@name.s with @n arguments of 64 bits. */
AqlDispatch rig_dispatch(Rig *rig, const char *name, const uint64_t *args,
                         unsigned n, uint32_t grid);

/*
 * c = a + b over buffers of two pages, which lie the wrong way round in guest
 * memory; a and b may only be read.
 */
void rig_run_vadd(Rig *rig, unsigned slot);

/* A dispatch at guest-physical addresses, without translation. */
void rig_run_plain(TqGpu *gpu, unsigned slot);

/* The queue has stopped at the page @address, for @cause. */
void rig_check_fault(Rig *rig, TqQueue *q, uint64_t address,
                     TesseraFaultCause cause, bool write);

/* A shader that counts for ever in its own page. */
typedef struct Endless {
    TqQueue q;
    uint64_t iova, page;
} Endless;

/* It runs when this returns. */
Endless rig_start_endless(Rig *rig, unsigned slot);
/* Whether the count in @page goes on, or stands. */
bool rig_counts(Rig *rig, uint64_t page);
bool rig_stands_still(Rig *rig, uint64_t page);

#endif
