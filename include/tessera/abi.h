/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory structures that the guest shares with the device.
 *
 * Queue, packet, signal and kernel layouts are those of the HSA standard
 * (HSA System Architecture 1.2, section 2.9) and of ROCm's runtime, at the
 * byte.  Structures of our own begin with size and version; reserved words
 * must be zero.  Everything is little-endian.
 */
#ifndef TESSERA_ABI_H
#define TESSERA_ABI_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
#endif

/* ---- AQL packets (HSA 2.9) ---- */

#define AQL_PACKET_SIZE 64

enum {
    AQL_TYPE_VENDOR = 0,
    AQL_TYPE_INVALID = 1,
    AQL_TYPE_DISPATCH = 2,
    AQL_TYPE_BARRIER_AND = 3,
    AQL_TYPE_AGENT = 4,
    AQL_TYPE_BARRIER_OR = 5,
};

/* The 16-bit header: type[7:0] barrier[8] acquire[10:9] release[12:11]. */
#define AQL_HEADER_TYPE(h) ((h) & 0xff)
#define AQL_HEADER_BARRIER (1u << 8)
#define AQL_HEADER_ACQUIRE_SHIFT 9
#define AQL_HEADER_RELEASE_SHIFT 11
enum { AQL_SCOPE_NONE = 0, AQL_SCOPE_AGENT = 1, AQL_SCOPE_SYSTEM = 2 };

typedef struct AqlDispatch {
    uint16_t header;
    uint16_t setup; /* bits 1:0: number of dimensions, 1 to 3 */
    uint16_t group_x, group_y, group_z; /* work-items */
    uint16_t reserved0;
    uint32_t grid_x, grid_y, grid_z; /* work-items */
    uint32_t private_size;           /* bytes a work-item */
    uint32_t group_size;             /* bytes of LDS */
    uint64_t kernel_object;
    uint64_t kernarg_address;
    uint64_t reserved2;
    uint64_t completion_signal;
} AqlDispatch;

typedef struct AqlBarrier {
    uint16_t header;
    uint16_t reserved0;
    uint32_t reserved1;
    uint64_t dep_signal[5];
    uint64_t reserved2;
    uint64_t completion_signal;
} AqlBarrier;

/* ---- amd_signal_t, amd_queue_t (ROCm runtime) ---- */

typedef struct AmdSignal {
    int64_t kind; /* 1: user signal */
    int64_t value;
    uint64_t event_mailbox_ptr;
    uint32_t event_id;
    uint32_t reserved1;
    uint64_t start_ts;
    uint64_t end_ts;
    uint64_t queue_ptr;
    uint32_t reserved3[2];
} AmdSignal;

typedef struct AmdQueue {
    uint32_t type, features; /* hsa_queue_t */
    uint64_t base_address;
    uint64_t doorbell_signal;
    uint32_t size; /* packets, a power of two */
    uint32_t reserved1;
    uint64_t id;
    uint32_t caps;
    uint32_t reserved2[3];
    uint64_t write_dispatch_id; /* 0x38 */
    uint32_t group_segment_aperture_base_hi;
    uint32_t private_segment_aperture_base_hi;
    uint32_t max_cu_id;
    uint32_t max_wave_id;
    uint64_t max_legacy_doorbell;
    uint32_t legacy_doorbell_lock;
    uint32_t reserved3[9];
    uint64_t read_dispatch_id; /* 0x80 */
    uint32_t read_dispatch_id_field_base_byte_offset;
    uint32_t compute_tmpring_size;
    uint32_t scratch_resource_descriptor[4];
    uint64_t scratch_backing_memory_location; /* 0xa0 */
    uint64_t scratch_backing_memory_byte_size;
    uint32_t scratch_wave64_lane_byte_size; /* 0xb0 */
    uint32_t queue_properties;
    uint32_t reserved4[2];
    uint64_t queue_inactive_signal; /* 0xc0 */
    uint32_t reserved5[14];
} AmdQueue;

#define AMD_QUEUE_PROP_PTR64 (1u << 1)
#define AMD_QUEUE_PROP_PROFILING (1u << 3)
#define AMD_QUEUE_PROP_SCRATCH_ONCE (1u << 4)

/* Bits the device stores in queue_inactive_signal (ROCm runtime). */
#define TESSERA_QUEUE_ERRORS(E)                                                \
    E(SCRATCH_NEEDED, 0x1, "more scratch is needed; store 0 to go on")         \
    E(BAD_DIMENSIONS, 0x2, "dimensions are not 1 to 3, or a size is 0")        \
    E(BAD_LDS_SIZE, 0x4, "more LDS than a work-group can have")                \
    E(BAD_CODE, 0x8, "kernel object or code address is bad")                   \
    E(BAD_PACKET, 0x20, "packet type or a reserved field is bad")              \
    E(GROUP_TOO_LARGE, 0x40, "more than 1,024 work-items in a work-group")     \
    E(TOO_MANY_VGPRS, 0x80, "registers that the device does not have")         \
    E(BAD_VENDOR_PACKET, 0x100, "vendor packet of unknown format")             \
    E(MEMORY_FAULT, 0x20000000, "a memory access failed")                      \
    E(ILLEGAL_INSTRUCTION, 0x40000000, "an instruction cannot be executed")    \
    E(TRAP, 0x80000000u, "s_trap, or killed by the hang timeout")
#define TESSERA_QUEUE_ERROR_ENUM(n, v, doc) TESSERA_QERR_##n = (int)(v),
enum { TESSERA_QUEUE_ERRORS(TESSERA_QUEUE_ERROR_ENUM) };

/* ---- kernel objects ---- */

/* The amdhsa kernel descriptor, 64 bytes; amd_kernel_code_t agrees from 16. */
typedef struct AmdKernelDescriptor {
    uint32_t group_segment_fixed_size;
    uint32_t private_segment_fixed_size;
    uint32_t kernarg_size;
    uint32_t reserved0;
    int64_t kernel_code_entry_byte_offset;
    uint8_t reserved1[20];
    uint32_t compute_pgm_rsrc3;
    uint32_t compute_pgm_rsrc1;
    uint32_t compute_pgm_rsrc2;
    uint16_t kernel_code_properties;
    uint16_t kernarg_preload;
    uint8_t reserved2[4];
} AmdKernelDescriptor;

/* ---- structures of our own ---- */

#define TESSERA_ABI_VERSION 1

enum {
    TESSERA_CMD_MAP = 1,   /* load the queue that descriptor names */
    TESSERA_CMD_UNMAP = 2, /* stop taking packets, let dispatches finish */
    TESSERA_CMD_KILL = 3,  /* end the queue's waves now and unmap it */
    TESSERA_CMD_INVALIDATE = 8, /* drop translations, as VM_INVALIDATE does */
};

/* Results, stored in TesseraCommand.result before the fence. */
#define TESSERA_RESULTS(R)                                                     \
    R(PENDING, 0, "not finished")                                              \
    R(OK, 1, "done")                                                           \
    R(BAD_COMMAND, 2, "size, version, operation or a reserved field is wrong") \
    R(BAD_SLOT, 3, "slot is out of range, in use (map) or free (unmap, kill)") \
    R(BAD_DESCRIPTOR, 4, "descriptor is unreadable or a field is wrong")       \
    R(BAD_RING, 5, "ring size is not 2^n packets, or ring is misaligned")      \
    R(BAD_DOORBELL, 6, "doorbell index is out of range or taken")
#define TESSERA_RESULT_ENUM(n, v, doc) TESSERA_RESULT_##n = (v),
enum { TESSERA_RESULTS(TESSERA_RESULT_ENUM) };

/* 64 bytes, 64-byte aligned. */
typedef struct TesseraCommand {
    uint32_t size; /* 64 */
    uint32_t version;
    uint32_t op;
    uint32_t slot;       /* queue slot */
    uint64_t descriptor; /* VMID 0 address of a TesseraQueue: map; bit n for
                            VMID n: invalidate; else 0 */
    uint64_t fence_addr; /* VMID 0 address of 8 bytes, or 0 */
    uint64_t fence_value;
    uint32_t result; /* written by the device before the fence */
    uint32_t reserved[5];
} TesseraCommand;

/* A queue as the driver describes it; 128 bytes, 64-byte aligned. */
typedef struct TesseraQueue {
    uint32_t size; /* 128 */
    uint32_t version;
    uint32_t vmid;        /* 0 alone while FEATURES.PAGE_TABLES is 0 */
    uint32_t doorbell;    /* index inside the VMID's slice */
    uint64_t ring;        /* address of the first packet, 64-byte aligned */
    uint32_t ring_packets; /* a power of two, 4 to 2^20 */
    uint32_t priority;    /* 0 to 15, 15 most urgent; not used yet */
    uint64_t read_index_addr;  /* of AmdQueue.read_dispatch_id */
    uint64_t write_index_addr; /* of AmdQueue.write_dispatch_id */
    uint64_t eop_addr;         /* accepted, not used */
    uint64_t save_addr;        /* accepted, not used */
    uint64_t save_size;
    uint64_t cu_mask; /* 0: all; not used yet */
    uint32_t reserved[12];
} TesseraQueue;

/* An entry of the interrupt ring, 32 bytes. */
typedef struct TesseraIhEntry {
    uint8_t source; /* TESSERA_IH_* */
    uint8_t vmid;
    uint16_t queue; /* slot, 0xffff: none */
    uint32_t pasid;
    uint64_t data;
    uint64_t timestamp; /* GPU clock */
    uint64_t reserved;
} TesseraIhEntry;

#define TESSERA_ASSERT_SIZE(type, size) \
    _Static_assert(sizeof(type) == (size), #type)
TESSERA_ASSERT_SIZE(AqlDispatch, 64);
TESSERA_ASSERT_SIZE(AqlBarrier, 64);
TESSERA_ASSERT_SIZE(AmdSignal, 64);
TESSERA_ASSERT_SIZE(AmdQueue, 256);
TESSERA_ASSERT_SIZE(AmdKernelDescriptor, 64);
TESSERA_ASSERT_SIZE(TesseraCommand, 64);
TESSERA_ASSERT_SIZE(TesseraQueue, 128);
TESSERA_ASSERT_SIZE(TesseraIhEntry, 32);

#endif
