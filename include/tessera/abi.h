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

/*
 * Vendor packets (type 0): byte 2 names the format.  The first two are ROCm's
 * (hsa_ext_amd.h, and amd_aql_pm4_ib of its runtime), the others ours.
 */
enum {
    AQL_VENDOR_PM4_IB = 0x01,
    AQL_VENDOR_BARRIER_VALUE = 0x02,
    AQL_VENDOR_COPY = 0x80,
    AQL_VENDOR_FILL = 0x81,
    AQL_VENDOR_BLOCKS = 0x90, /* LinxISA block dispatch */
};

/* Has the PM4 commands in an indirect buffer carried out. */
typedef struct AqlPm4Ib {
    uint16_t header;
    uint8_t format;
    uint8_t reserved0;
    uint32_t command;  /* PM4_INDIRECT_BUFFER */
    uint32_t ib_low;   /* address of the buffer, 4-byte aligned */
    uint32_t ib_high;  /* bits 47:32 */
    uint32_t ib_size;  /* PM4_IB_VALID | dwords, 1 to PM4_IB_DWORDS_MAX */
    uint32_t remain;   /* PM4_IB_REMAIN */
    uint32_t reserved1[8];
    uint64_t completion_signal;
} AqlPm4Ib;

#define PM4_INDIRECT_BUFFER 0xc0023f00u
#define PM4_IB_SIZE_MASK 0xfffffu
#define PM4_IB_VALID (1u << 23)
#define PM4_IB_REMAIN 10u
#define PM4_IB_DWORDS_MAX 1024u

/* Waits until (value of the signal & mask) compares as asked with value. */
typedef struct AqlBarrierValue {
    uint16_t header;
    uint8_t format;
    uint8_t reserved0;
    uint32_t reserved1;
    uint64_t signal; /* 0: satisfied */
    int64_t value;
    int64_t mask;
    uint32_t condition; /* AQL_CONDITION_*, compared as signed numbers */
    uint32_t reserved2;
    uint64_t reserved3[2];
    uint64_t completion_signal;
} AqlBarrierValue;

enum { /* hsa_signal_condition_t */
    AQL_CONDITION_EQ = 0,
    AQL_CONDITION_NE = 1,
    AQL_CONDITION_LT = 2,
    AQL_CONDITION_GTE = 3,
};

#define AQL_COPY_VERSION 1 /* of both packets below */

/* Copies size bytes; overlapping ranges as memmove() does. */
typedef struct AqlCopy {
    uint16_t header;
    uint8_t format;
    uint8_t version;
    uint32_t reserved0;
    uint64_t source;
    uint64_t target;
    uint64_t size; /* bytes, any number */
    uint64_t reserved1[3];
    uint64_t completion_signal;
} AqlCopy;

/* Byte i of the target, from 0, becomes byte i % 4 of value. */
typedef struct AqlFill {
    uint16_t header;
    uint8_t format;
    uint8_t version;
    uint32_t value;
    uint64_t reserved0;
    uint64_t target;
    uint64_t size; /* bytes, any number */
    uint64_t reserved1[3];
    uint64_t completion_signal;
} AqlFill;

#define AQL_BLOCKS_VERSION 1

/* Runs LinxISA blocks, one after the other from entry on, until ACRC 1. */
typedef struct AqlBlocks {
    uint16_t header;
    uint8_t format;
    uint8_t version;
    uint32_t reserved0;
    uint64_t entry;  /* of the first block, 2-byte aligned */
    uint64_t gprs;   /* of a TesseraBlockGprs, 8-byte aligned; 0: all are 0 */
    uint64_t result; /* of a TesseraBlockResult, 8-byte aligned; 0: none */
    uint64_t reserved1[3];
    uint64_t completion_signal;
} AqlBlocks;

#define TESSERA_BLOCKS_VERSION 1 /* of both structures below */
#define TESSERA_BLOCKS_GPRS 24

/* What the global registers begin with; 208 bytes. */
typedef struct TesseraBlockGprs {
    uint32_t size; /* 208 */
    uint32_t version;
    uint64_t reserved;
    uint64_t gpr[TESSERA_BLOCKS_GPRS]; /* gpr[0] must be 0 */
} TesseraBlockGprs;

/*
 * What the device writes when the blocks have ended, before it counts the
 * completion signal down or posts the error; 280 bytes.
 */
typedef struct TesseraBlockResult {
    uint32_t size; /* 280 */
    uint32_t version;
    uint32_t status; /* TESSERA_BLOCKS_* */
    uint32_t reserved0;
    uint64_t committed; /* memory blocks */
    /* The trap record, if status says so (BlockISA, section 13). */
    uint64_t trapno;    /* TRAPNUM 5:0, CAUSE 31:8, E 63 */
    uint64_t traparg0;  /* address of an access */
    uint64_t ecstate;   /* bit 0: the trap is in a body */
    uint64_t ebpc;      /* address of the block */
    uint64_t ebpcn;     /* address of the next, if the header was read */
    uint64_t ebarg;     /* group */
    uint64_t etpc;      /* address of the instruction, or header word */
    uint64_t reserved1;
    /* As the last block that has committed left them. */
    uint64_t gpr[TESSERA_BLOCKS_GPRS];
} TesseraBlockResult;

enum {
    TESSERA_BLOCKS_DONE = 1,    /* ACRC 1 was reached */
    TESSERA_BLOCKS_TRAPPED = 2,
    TESSERA_BLOCKS_STOPPED = 3, /* by hang-timeout */
};

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
    E(BAD_VENDOR_PACKET, 0x100, "vendor packet of unknown format or content")  \
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
    TESSERA_CMD_FREEZE = 4, /* stop its waves where they are, keep it mapped */
    TESSERA_CMD_RESUME = 5, /* go on after FREEZE or after an error */
    TESSERA_CMD_UPDATE = 6, /* take over what descriptor says now */
    TESSERA_CMD_DISCARD = 7, /* drop what a preempted queue has left behind */
    TESSERA_CMD_INVALIDATE = 8, /* drop translations, as VM_INVALIDATE does */
};

/* TesseraCommand.flags; those that the operation does not have must be 0. */
enum {
    TESSERA_UNMAP_PREEMPT = 1 << 0, /* do not wait for dispatches: keep them */
    TESSERA_RESUME_SKIP = 1 << 0,   /* leave out the packets at fault */
};

/* Queues that UNMAP_PREEMPT can keep the waves of at a time. */
#define TESSERA_SAVED_QUEUES 64

/* Results, stored in TesseraCommand.result before the fence. */
#define TESSERA_RESULTS(R)                                                     \
    R(PENDING, 0, "not finished")                                              \
    R(OK, 1, "done")                                                           \
    R(BAD_COMMAND, 2, "size, version, operation or a reserved field is wrong") \
    R(BAD_SLOT, 3, "slot is out of range, in use (map) or free (the others)")  \
    R(BAD_DESCRIPTOR, 4, "descriptor is unreadable or a field is wrong")       \
    R(BAD_RING, 5, "ring size is not 2^n packets, or ring is misaligned")      \
    R(BAD_DOORBELL, 6, "doorbell index is out of range or taken")              \
    R(BUSY, 7, "an earlier command on the queue is not finished, or packets "  \
      "are in flight in the ring that is to change")                           \
    R(BAD_STATE, 8, "the queue's state or saved waves do not allow it")        \
    R(NO_ROOM, 9, "too many preempted queues are kept; this one goes on")      \
    R(CANCELLED, 10, "the queue was killed before the command was finished")
#define TESSERA_RESULT_ENUM(n, v, doc) TESSERA_RESULT_##n = (v),
enum { TESSERA_RESULTS(TESSERA_RESULT_ENUM) };

/* 64 bytes, 64-byte aligned. */
typedef struct TesseraCommand {
    uint32_t size; /* 64 */
    uint32_t version;
    uint32_t op;
    uint32_t slot;       /* queue slot */
    uint64_t descriptor; /* VMID 0 address of a TesseraQueue: map, update,
                            discard; bit n for VMID n: invalidate; else 0 */
    uint64_t fence_addr; /* VMID 0 address of 8 bytes, or 0 */
    uint64_t fence_value;
    uint32_t result; /* written by the device before the fence */
    uint32_t flags;
    uint32_t reserved[4];
} TesseraCommand;

/* A queue as the driver describes it; 128 bytes, 64-byte aligned. */
typedef struct TesseraQueue {
    uint32_t size; /* 128 */
    uint32_t version;
    uint32_t vmid;        /* 0 alone while FEATURES.PAGE_TABLES is 0 */
    uint32_t doorbell;    /* index inside the VMID's slice */
    uint64_t ring;        /* address of the first packet, 64-byte aligned */
    uint32_t ring_packets; /* a power of two, 4 to 2^20 */
    uint32_t priority;    /* 0 to 15, 15 most urgent */
    uint64_t read_index_addr;  /* of AmdQueue.read_dispatch_id */
    uint64_t write_index_addr; /* of AmdQueue.write_dispatch_id */
    uint64_t eop_addr;         /* accepted, not used */
    uint64_t save_addr;        /* accepted, not used */
    uint64_t save_size;
    uint64_t cu_mask; /* compute units that may run its waves; 0: all */
    uint32_t flags;   /* TESSERA_QUEUE_* */
    uint32_t reserved[11];
} TesseraQueue;

#define TESSERA_QUEUE_INACTIVE (1u << 0) /* frozen until an UPDATE without */

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
TESSERA_ASSERT_SIZE(AqlPm4Ib, 64);
TESSERA_ASSERT_SIZE(AqlBarrierValue, 64);
TESSERA_ASSERT_SIZE(AqlCopy, 64);
TESSERA_ASSERT_SIZE(AqlFill, 64);
TESSERA_ASSERT_SIZE(AqlBlocks, 64);
TESSERA_ASSERT_SIZE(TesseraBlockGprs, 208);
TESSERA_ASSERT_SIZE(TesseraBlockResult, 280);
TESSERA_ASSERT_SIZE(AmdSignal, 64);
TESSERA_ASSERT_SIZE(AmdQueue, 256);
TESSERA_ASSERT_SIZE(AmdKernelDescriptor, 64);
TESSERA_ASSERT_SIZE(TesseraCommand, 64);
TESSERA_ASSERT_SIZE(TesseraQueue, 128);
TESSERA_ASSERT_SIZE(TesseraIhEntry, 32);

#endif
