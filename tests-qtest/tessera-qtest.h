/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Helpers for tests that drive the device inside stock QEMU through libqtest:
 * start QEMU, place the BARs, reach registers and memory, build queues and
 * packets, wait with a bound.  Every failed expectation ends the test case.
 */
#ifndef TESSERA_QTEST_H
#define TESSERA_QTEST_H

#include "qemu/osdep.h"
#include "libqtest.h"
#include "hw/qemu/compat-qmp.h"
#include "tessera/abi.h"
#include "tessera/regs.h"

#define TQ_VRAM_SIZE (64u << 20)
#define TQ_RAM_SIZE (128u << 20)

/* One device under test. */
typedef struct TqGpu {
    QTestState *qts;
    unsigned bus, devfn;
    uint64_t regs, msix, vram, doorbells; /* where the BARs are */
    uint64_t ram_next, vram_next;         /* for tq_alloc() */
    uint64_t dma_offset; /* behind an IOMMU: how far RAM is moved up for it */
    uint64_t ram_end;
    unsigned pm_cap, pcie_cap, msix_cap;
    bool owns_qemu;
} TqGpu;

/* A queue as a driver keeps it. */
typedef struct TqQueue {
    TqGpu *gpu;
    unsigned slot;
    uint32_t doorbell;   /* index in VMID 0's slice */
    uint64_t ring;
    uint32_t packets;
    uint64_t amd_queue;  /* address of the AmdQueue */
    uint64_t inactive;   /* address of its inactive signal */
    uint64_t descriptor; /* address of the TesseraQueue */
    uint64_t write_index;
} TqQueue;

/* ---- start and stop ---- */

/*
 * A number that the host's kernel tells of a process (/proc/PID/status), whose
 * id is in @pid_file, as QEMU's -pidfile writes it.
 */
unsigned long tq_process_fact(const char *pid_file, const char *name);

/* QEMU with the plugin, q35, the qtest accelerator and @args, no device. */
QTestState *tq_start_qemu(const char *args);

/*
 * QEMU with one device "gpu0" at 00:04.0 whose extra properties are
 * @properties (",name=value", or ""), BARs placed, bus master on.
 */
TqGpu *tq_start(const char *properties);

/*
 * The device at @bus:@devfn of a QEMU that is already there; its BARs are
 * placed at @window (128 MiB below 4 GiB that nothing else uses).
 */
TqGpu *tq_attach(QTestState *qts, unsigned bus, unsigned devfn,
                 uint32_t window);

/*
 * The same for one whose BARs are placed already; tq_alloc() may use guest RAM
 * from @ram to @ram_end.
 */
TqGpu *tq_attach_placed(QTestState *qts, unsigned bus, unsigned devfn,
                        uint64_t ram, uint64_t ram_end);

/* End the device's QEMU (if tq_start() made it) and free @gpu. */
void tq_end(TqGpu *gpu);

/* Run QEMU without a connection; its exit status, and what it printed. */
int tq_run_qemu(const char *args, char **text);

/* ---- configuration space ---- */

uint32_t tq_config_read(TqGpu *gpu, unsigned offset, unsigned size);
void tq_config_write(TqGpu *gpu, unsigned offset, uint32_t value,
                     unsigned size);

/*
 * Reach configuration space at @base from now on (PCI Express Base, 7.2.2);
 * 0: through the ports that a PC has.
 */
void tq_use_ecam(uint64_t base);

/* The same for any function. */
uint32_t tq_pci_read(QTestState *qts, unsigned bus, unsigned devfn,
                     unsigned offset, unsigned size);
void tq_pci_write(QTestState *qts, unsigned bus, unsigned devfn,
                  unsigned offset, uint32_t value, unsigned size);

/* Offset of capability @id, 0 if there is none. */
unsigned tq_find_capability(QTestState *qts, unsigned bus, unsigned devfn,
                            uint8_t id);

/* QEMU's arguments for a root port "rp" at 3.0, with a slot to plug into. */
#define TQ_ROOT_PORT                                                          \
    "-global ICH9-LPC.acpi-pci-hotplug-with-bridge-support=off "              \
    "-device pcie-root-port,id=rp,addr=3,chassis=1,slot=1"

/* Lead bus 1 and @window through the root port @devfn of bus 0. */
void tq_open_root_port(QTestState *qts, unsigned devfn, uint32_t window);

/* Switch the port's slot on, after something was plugged in. */
void tq_power_slot(QTestState *qts, unsigned devfn);

/* Remove device @id behind that port as an operating system does. */
void tq_unplug(QTestState *qts, unsigned devfn, const char *id);

/* Place the BARs at @window and switch on memory and bus master. */
void tq_place_bars(TqGpu *gpu, uint32_t window);

/*
 * Let MSI-X vector @vector store @data to a fresh word of guest memory, whose
 * address is returned.
 */
uint64_t tq_msix_enable(TqGpu *gpu, unsigned vector, uint32_t data);

/* ---- registers and memory ---- */

uint32_t tq_read(TqGpu *gpu, uint32_t reg);
void tq_write(TqGpu *gpu, uint32_t reg, uint32_t value);
uint64_t tq_read64(TqGpu *gpu, uint32_t reg);
void tq_write64(TqGpu *gpu, uint32_t reg, uint64_t value);
#define TQ_FIELD(value, reg, field) \
    (((value) & TESSERA_##reg##_##field##_MASK) >> \
     TESSERA_##reg##_##field##_SHIFT)

/* Zeroed memory for the device, 64-byte aligned; never given back. */
uint64_t tq_alloc(TqGpu *gpu, size_t size);
uint64_t tq_alloc_vram(TqGpu *gpu, size_t size);

/* By VMID 0 address: guest RAM, or VRAM in its window. */
void tq_put(TqGpu *gpu, uint64_t address, const void *data, size_t size);
void tq_get(TqGpu *gpu, uint64_t address, void *data, size_t size);
uint32_t tq_get32(TqGpu *gpu, uint64_t address);
uint64_t tq_get64(TqGpu *gpu, uint64_t address);
void tq_put32(TqGpu *gpu, uint64_t address, uint32_t value);
void tq_put64(TqGpu *gpu, uint64_t address, uint64_t value);

/*
 * Wait until @expr holds; false if it never does.  The limit is for a device
 * that hangs, not for a host that is busy.
 */
#define TQ_LIMIT_US (120 * G_TIME_SPAN_SECOND)
#define TQ_POLL(expr)                                                 \
    ({                                                                \
        gint64 end_ = g_get_monotonic_time() + TQ_LIMIT_US;           \
        bool there_;                                                  \
                                                                      \
        while (!(there_ = (expr)) && g_get_monotonic_time() < end_) { \
            g_usleep(500);                                            \
        }                                                             \
        there_;                                                       \
    })
/* Wait until the word at @address is @value; false if it never is. */
bool tq_wait64(TqGpu *gpu, uint64_t address, uint64_t value);
bool tq_wait32(TqGpu *gpu, uint64_t address, uint32_t value);
/* The same for a register under a mask. */
bool tq_wait_reg(TqGpu *gpu, uint32_t reg, uint32_t mask, uint32_t value);
/*
 * Let 50 ms of host time go by while QEMU runs, for what must not happen; on a
 * busy host what must happen may not have happened yet.
 */
void tq_settle(TqGpu *gpu);

/* ---- interrupt ring ---- */

/* Give the device a ring of 2^@log2 entries; returns its address. */
uint64_t tq_ring_enable(TqGpu *gpu, unsigned log2);
/* Entry @n since the start, once it is there; false if it never comes. */
bool tq_ring_wait(TqGpu *gpu, uint64_t ring, unsigned log2, unsigned n,
                  TesseraIhEntry *entry);

/* ---- commands and queues ---- */

/* Fill in size and version. */
TesseraCommand tq_command_init(uint32_t op, uint32_t slot);
/*
 * Submit and wait for the fence; the result, or -1 if it never came.  The
 * command's event, and its interrupt, come after the fence.
 */
int tq_command(TqGpu *gpu, TesseraCommand command);

/*
 * Submit a command that does nothing: when it has come back, what the packet
 * processor was about before has been brought to its end.
 */
void tq_catch_up(TqGpu *gpu);

/* Memory and a descriptor for a queue, not mapped yet. */
TqQueue tq_queue_prepare(TqGpu *gpu, unsigned slot, uint32_t packets);
/* Results of the commands on it. */
int tq_queue_map(TqQueue *q);
int tq_queue_unmap(TqQueue *q);
int tq_queue_kill(TqQueue *q);
/* Prepare and map; must succeed. */
TqQueue tq_queue(TqGpu *gpu, unsigned slot);

/* A signal with @value; its address. */
uint64_t tq_signal(TqGpu *gpu, int64_t value);
#define TQ_SIGNAL_VALUE 8 /* offset of the value in a signal */

/* Write a 64-byte packet, its header last, and ring the doorbell. */
void tq_push(TqQueue *q, const void *packet);
/* Write without ringing, and ring. */
void tq_put_packet(TqQueue *q, const void *packet);
void tq_ring_doorbell(TqQueue *q);

/* The queue's error bits once there are any; 0 if none ever come. */
uint32_t tq_wait_error(TqQueue *q);

/* ---- shaders ---- */

/*
 * Load shaders/@name.s behind a kernel descriptor for 32 VGPRs, 32 SGPRs,
 * kernarg pointer in s[0:1] and work-group id x in s2; VRAM or guest RAM.
 * Returns the kernel object.
 */
uint64_t tq_shader(TqGpu *gpu, const char *name, bool vram);

/* The same with further bits in its descriptor's kernel_code_properties. */
uint64_t tq_shader_with(TqGpu *gpu, const char *name, bool vram,
                        uint16_t properties);

/* A one-dimensional dispatch packet with a completion signal. */
AqlDispatch tq_dispatch(TqGpu *gpu, uint64_t kernel, uint64_t kernarg,
                        uint32_t grid, uint16_t group);

/* Push and wait until the completion signal is 0; must succeed. */
void tq_run(TqQueue *q, const AqlDispatch *packet);

/* A shader that never ends: word 0 of @buf says started, word 1 counts. */
typedef struct TqEndless {
    TqQueue q;
    AqlDispatch packet;
    uint64_t buf;
} TqEndless;

/* Start it on a queue of its own, with its buffer and code in VRAM or RAM. */
TqEndless tq_endless(TqGpu *gpu, unsigned slot, bool vram);
/* Whether it counts on, or stands still for 100 ms of host time. */
bool tq_counts(TqEndless *e);
bool tq_stands_still(TqEndless *e);

#define TQ_HEADER(type) \
    ((type) | (AQL_SCOPE_SYSTEM << AQL_HEADER_ACQUIRE_SHIFT) | \
     (AQL_SCOPE_SYSTEM << AQL_HEADER_RELEASE_SHIFT))

#endif
