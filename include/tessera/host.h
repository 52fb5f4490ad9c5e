/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the device asks of whoever hosts it (QEMU, the command line tool, a
 * fuzzer).  The device core and the execution core reach the outside world
 * through this table alone.
 *
 * Threads: every operation may be called from any thread, with or without the
 * device's own locks held, and must neither block on the host's big lock nor
 * call back into the device, except where said otherwise.
 */
#ifndef TESSERA_HOST_H
#define TESSERA_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || UINTPTR_MAX != UINT64_MAX
#error "Tessera needs a 64-bit little-endian host"
#endif

typedef enum TesseraLogLevel {
    TESSERA_LOG_GUEST_ERROR, /* the guest did something wrong */
    TESSERA_LOG_UNIMP,       /* the guest asked for what is not modelled */
    TESSERA_LOG_INFO,
} TesseraLogLevel;

typedef struct TesseraThread TesseraThread;

typedef struct TesseraHostOps {
    /*
     * Give direct access to guest memory at bus address @bus.
     *
     * @len is the wanted length in bytes on entry and the contiguous length
     * granted on return (1 or more).  Returns a host pointer, or NULL if
     * the address is no RAM or may not be reached (bus master off).
     * The pointer stays valid until the host has called
     * tessera_gpu_unmap_all() or the device is freed: the host pins what it
     * hands out and releases it only after that call has returned.
     */
    uint8_t *(*map)(void *opaque, uint64_t bus, uint64_t *len, bool write);

    /*
     * Report that the device has stored to [@bus, @bus + @len), which was
     * mapped for writing.  Called after the stores and before anything
     * (signal, interrupt, stop) makes them visible to the guest.
     */
    void (*written)(void *opaque, uint64_t bus, uint64_t len);

    /* The same for VRAM, by offset. */
    void (*vram_written)(void *opaque, uint64_t offset, uint64_t len);

    /* Raise MSI-X vector @vector; a host without interrupts counts them. */
    void (*irq)(void *opaque, unsigned vector);

    /* Guest time in nanoseconds: stands still while the VM is stopped. */
    int64_t (*guest_ns)(void *opaque);

    void (*log)(void *opaque, TesseraLogLevel level, const char *text);

    /* A state change worth a trace event; names are "block_event". */
    void (*trace)(void *opaque, const char *event, uint64_t a, uint64_t b,
                  uint64_t c);

    /*
     * Start a thread that may map and write guest memory; NULL if the
     * host has none to give.  Joining is done without the host's big lock
     * being needed by the thread.
     */
    TesseraThread *(*thread_start)(void *opaque, const char *name,
                                   void *(*fn)(void *), void *arg);
    void (*thread_join)(void *opaque, TesseraThread *thread);
} TesseraHostOps;

typedef struct TesseraHost {
    const TesseraHostOps *ops;
    void *opaque;
} TesseraHost;

#endif
