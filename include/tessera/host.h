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

/* What lies at a bus address. */
typedef enum TesseraMapKind {
    TESSERA_MAP_NONE,   /* nothing, or it may not be reached */
    TESSERA_MAP_RAM,    /* memory that loads and stores may touch */
    TESSERA_MAP_DEVICE, /* another device's registers: use a request */
    TESSERA_MAP_ASK,    /* behind an IOMMU and not known yet: use a request */
} TesseraMapKind;

typedef enum TesseraRequestOp {
    TESSERA_REQ_TRANSLATE, /* make map() of the page at `bus` know it */
    TESSERA_REQ_READ,
    TESSERA_REQ_WRITE,
} TesseraRequestOp;

/*
 * What cannot be done at once from any thread; answered from a thread of the
 * host's choice.
 */
typedef struct TesseraRequest TesseraRequest;

struct TesseraRequest {
    TesseraRequestOp op;
    uint64_t bus;
    unsigned size; /* READ, WRITE: 1, 2, 4 or 8 bytes; @bus is aligned to it */
    bool write;    /* TRANSLATE: for writing */
    uint64_t data; /* WRITE: the value; READ: the answer, zero-extended */
    bool failed;   /* answer: refused by the IOMMU, or nothing there */
    bool read_only; /* answer of a TRANSLATE that failed: may be read */
    /*
     * The answer is there.  Called from any host thread, perhaps with the
     * host's big lock held: must not block and must not call the host.  The
     * host does not touch the request any more.
     */
    void (*done)(TesseraRequest *request);
    void *opaque;  /* the asker's */
    void *host[4]; /* the host's own */
};

typedef struct TesseraHostOps {
    /*
     * Give direct access to guest memory at bus address @bus.
     *
     * @len is the wanted length in bytes on entry and, unless the answer is
     * NONE, the length on return (1 or more) for which the answer holds.
     * If the answer is RAM, *@host points to it.  The pointer stays valid
     * until the host has called tessera_gpu_unmap_all() or the device is
     * freed: the host pins what it hands out and releases it only after that
     * call has returned.
     *
     * Hosts without an IOMMU never answer ASK.  Those that have neither one
     * nor other devices answer RAM or NONE, and leave submit and cancel NULL.
     */
    TesseraMapKind (*map)(void *opaque, uint64_t bus, uint64_t *len,
                          bool write, uint8_t **host);

    /*
     * Start on @request, which lives until it is done or cancelled.  Never
     * blocks.  After a TRANSLATE that did not fail, map() of that page says
     * RAM or DEVICE until the host drops the translation, as
     * tessera_gpu_unmap_all() does with all; it may do so at any time, and the
     * asker then asks anew.
     */
    void (*submit)(void *opaque, TesseraRequest *request);

    /*
     * True: @request will not be done, and done() will not be called.
     * False: done() was called, or is about to be.
     */
    bool (*cancel)(void *opaque, TesseraRequest *request);

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
