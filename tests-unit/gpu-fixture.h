/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tests of hw/gpu share: a device over the mock host, and a driver's
 * view of it.
 */
#ifndef GPU_FIXTURE_H
#define GPU_FIXTURE_H

#include "hw/gpu/gpu.h"
#include "tessera/abi.h"
#include "tessera/regs.h"
#include "tests-unit/fake-engine.h"
#include "tests-unit/mock-host.h"

#define VRAM_BYTES TESSERA_VRAM_MIN
#define IH_LOG2 8

/* A queue as a driver knows it: addresses, and where we see them. */
typedef struct Ring {
    unsigned slot, doorbell, packets;
    uint64_t desc_at, amd_at, ring_at, inactive_at;
    TesseraQueue *desc;
    AmdQueue *amd;
    AqlDispatch *ring;
    AmdSignal *inactive;
    uint64_t wptr;
} Ring;

typedef struct Fixture {
    MockHost *mock;
    TesseraGpu *gpu;
    uint8_t *vram;
    uint64_t heap;       /* next free bus address */
    uint32_t ih_read;
    uint64_t ih_at, ih_wptr_at;
    uint64_t kernel_at;  /* a kernel descriptor with code behind it */
    uint64_t fence;
    uint32_t flags;      /* of the next command, once */
} Fixture;

Fixture *fixture_new(uint64_t hang_timeout_ns);
void fixture_free(Fixture *f);
/* The same device as new: reset, memory zeroed. */
void fixture_again(Fixture *f);

/* Zeroed RAM, page aligned, one page at least; its bus address. */
uint64_t fixture_alloc(Fixture *f, uint64_t size);
void *fixture_at(Fixture *f, uint64_t bus);

uint32_t reg32(Fixture *f, uint32_t offset);
uint64_t reg64(Fixture *f, uint32_t offset);
void set32(Fixture *f, uint32_t offset, uint32_t value);
void set64(Fixture *f, uint32_t offset, uint64_t value);

uint64_t load64(const void *at);
uint32_t load32(const void *at);
void store64(void *at, uint64_t value);
/* 64-bit words, the last one first. */
void store_words(void *at, const void *from, unsigned count);

/*
 * Wait until @condition holds; fail after two minutes, which is for a device
 * that hangs and not for a host that is busy.
 */
#define WAIT_FOR(condition)                                                    \
    do {                                                                       \
        int64_t until_ = g_get_monotonic_time() + 120 * G_USEC_PER_SEC;        \
        while (!(condition)) {                                                 \
            if (g_get_monotonic_time() > until_) {                             \
                g_error("%s:%d: never: %s", __FILE__, __LINE__, #condition);   \
            }                                                                  \
            g_usleep(50);                                                      \
        }                                                                      \
    } while (0)

/*
 * Give the device time to do what it must not do.  What it has to do may take
 * longer: that is waited for.
 */
void let_it_settle(void);

/* The next entry of the interrupt ring; waits for it. */
TesseraIhEntry next_entry(Fixture *f);
/* The next entry from @source, skipping others. */
TesseraIhEntry next_entry_from(Fixture *f, unsigned source);
bool has_entry(Fixture *f);

/* Run a command to its end; the result. */
uint32_t run_command(Fixture *f, unsigned op, unsigned slot, uint64_t desc);
/* Submit only; the address of the TesseraCommand. */
uint64_t submit_command(Fixture *f, unsigned op, unsigned slot, uint64_t desc);

/*
 * Run a command that does nothing: what the packet processor was about before
 * has been brought to its end then.
 */
void catch_up(Fixture *f);

/* A queue in RAM, described and initialised but not mapped. */
Ring ring_new(Fixture *f, unsigned slot, unsigned packets);
/* The same, mapped. */
Ring ring_map(Fixture *f, unsigned slot, unsigned packets);
/* Put a packet into the ring; ring the doorbell. */
void ring_push(Fixture *f, Ring *r, const void *packet);
void ring_put(Fixture *f, Ring *r, const void *packet);
void ring_bell(Fixture *f, Ring *r);
uint32_t ring_state(Fixture *f, Ring *r);
uint32_t ring_error(Fixture *f, Ring *r);
/* Wait until the queue waits for its doorbell; not right after it is rung. */
void ring_wait_idle(Fixture *f, Ring *r);
/* Wait until the queue has stopped; its error bits. */
uint32_t ring_wait_error(Fixture *f, Ring *r);

uint64_t signal_new(Fixture *f, int64_t value);
AmdSignal *signal_at(Fixture *f, uint64_t signal);
int64_t signal_value(Fixture *f, uint64_t signal);

/* A dispatch of 256 items in groups of 64 of the fixture's kernel. */
AqlDispatch dispatch_packet(Fixture *f, uint64_t signal);
/* Barrier-AND on up to five signals. */
AqlBarrier barrier_packet(unsigned type, uint64_t completion,
                          const uint64_t *deps, unsigned count);

#endif
