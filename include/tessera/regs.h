/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The register map of BAR 0: one row a register, one row a field.
 *
 * The device's register file, guest drivers, tests and the manual are all made
 * from this table, so a register is added by adding a row (and, where it does
 * something, a hook in hw/gpu/regs.c).
 *
 *   REG(name, offset, size, count, stride, access, reset, "meaning")
 *       size    4 or 8 bytes; 8-byte registers may also be accessed as two
 *               4-byte halves, the low one first
 *       count   1, or the number of copies, stride bytes apart
 *       access  RO, RW, WO or W1C; bits that no FIELD names in a register
 *               that has FIELDs are reserved: they read 0 and ignore writes
 *   FIELD(register, name, lowest bit, number of bits, "meaning")
 */
#ifndef TESSERA_REGS_H
#define TESSERA_REGS_H

#define TESSERA_PCI_VENDOR 0x1234
#define TESSERA_PCI_DEVICE 0x7e55
#define TESSERA_PCI_CLASS 0x0380 /* display controller, other */

#define TESSERA_BAR_REGS 0
#define TESSERA_BAR_MSIX 1
#define TESSERA_BAR_VRAM 2
#define TESSERA_BAR_DOORBELL 4

#define TESSERA_REGS_SIZE 0x10000
#define TESSERA_FLUSH_PAGE 0xf000 /* last page of BAR 0, plain memory */
#define TESSERA_VMIDS 64
#define TESSERA_QUEUES 1024
#define TESSERA_SLICE_DOORBELLS 1024 /* of 8 bytes, one slice a VMID */
#define TESSERA_SLICE_SIZE 0x2000
#define TESSERA_MSIX_VECTORS 4
#define TESSERA_MAGIC 0x7e551234u
#define TESSERA_SPEC_VERSION 0x00010000u /* 1.0 */
#define TESSERA_CLOCK_HZ 100000000u

#define TESSERA_SCANOUT_SIDE_MAX 8192u /* pixels */
#define TESSERA_SCANOUT_STRIDE_MAX (1u << 20) /* bytes */

/* VMID 0 without page tables sees VRAM here; all else is a bus address. */
#define TESSERA_VRAM_WINDOW (1ull << 46)

#define TESSERA_VM_STRIDE 0x40 /* between the VM_ registers of two VMIDs */

/* clang-format off */
#define TESSERA_REGISTERS(REG, FIELD)                                          \
    REG(ID, 0x0000, 4, 1, 0, RO, TESSERA_MAGIC,                                \
        "Magic number: device id above vendor id")                             \
    REG(SPEC_VERSION, 0x0004, 4, 1, 0, RO, TESSERA_SPEC_VERSION,               \
        "Version of this register map")                                        \
    FIELD(SPEC_VERSION, MINOR, 0, 16, "Grows when something is added")         \
    FIELD(SPEC_VERSION, MAJOR, 16, 16, "Grows when something changes")         \
    REG(FEATURES, 0x0008, 4, 1, 0, RO, 0, "What this device can do")           \
    FIELD(FEATURES, PAGE_TABLES, 0, 1, "VMIDs 1 to 63 have page tables")       \
    FIELD(FEATURES, SCANOUT, 1, 1, "Scanout registers are there")              \
    FIELD(FEATURES, BLOCKS, 2, 1,                                              \
          "LinxISA block dispatches are carried out, see BLOCK_LIMITS")        \
    FIELD(FEATURES, INJECT, 8, 1, "INJECT registers are there (x-inject=on)")  \
    REG(ISA, 0x000c, 4, 1, 0, RO, 0,                                           \
        "Instruction set: major * 10000 + minor * 100 + stepping, in decimal " \
        "(gfx900 is 90000)")                                                   \
    REG(CU_COUNT, 0x0010, 4, 1, 0, RO, 0, "Compute units reported")            \
    REG(WAVE_SIZE, 0x0014, 4, 1, 0, RO, 0, "Lanes in a wave")                  \
    REG(VRAM_SIZE, 0x0018, 8, 1, 0, RO, 0, "Bytes of VRAM in BAR 2")           \
    REG(CLOCK, 0x0020, 8, 1, 0, RO, 0,                                         \
        "GPU clock, 100 MHz of guest time; the unit of every timestamp")       \
    REG(CONTROL, 0x0030, 4, 1, 0, RW, 0, "Device control")                     \
    FIELD(CONTROL, RESET, 0, 1,                                                \
          "Writing 1 returns the device to its power-on state; reads 0")       \
    REG(TEST_SCRATCH, 0x0040, 4, 1, 0, RW, 0,                                  \
        "Holds what is written, for checking the plumbing")                    \
    REG(TEST_IRQ, 0x0044, 4, 1, 0, WO, 0,                                      \
        "Posts a TEST entry to the interrupt ring with the value as data")     \
    REG(TEST_DMA_SOURCE, 0x0048, 8, 1, 0, RW, 0,                               \
        "VMID 0 address that the test copy reads")                             \
    REG(TEST_DMA_TARGET, 0x0050, 8, 1, 0, RW, 0,                               \
        "VMID 0 address that the test copy writes")                            \
    REG(TEST_DMA_SIZE, 0x0058, 4, 1, 0, RW, 0,                                 \
        "Bytes to copy, 1 to 65,536; writing starts the test copy, which ends "\
        "with a TEST entry whose data is 2^32 + this")                         \
    REG(TEST_DMA_STATUS, 0x005c, 4, 1, 0, W1C, 0, "The test copy")             \
    FIELD(TEST_DMA_STATUS, DONE, 0, 1, "It has ended, well or not")            \
    FIELD(TEST_DMA_STATUS, ERROR, 1, 1,                                        \
          "The size was wrong or a page could not be accessed")                \
    FIELD(TEST_DMA_STATUS, BUSY, 2, 1,                                         \
          "It is going on; cannot be cleared, and no other is started")        \
    FIELD(TEST_DMA_STATUS, CAUSE, 8, 8, "If ERROR: why, see the fault table")  \
    REG(INJECT_QUEUE, 0x0060, 4, 1, 0, RW, 0xffff,                             \
        "Queue slot that the next armed injection is for; 0xffff: any")        \
    REG(INJECT_SKIP, 0x0064, 4, 1, 0, RW, 0,                                   \
        "Occasions that the next armed injection lets pass first")             \
    REG(INJECT_COUNT, 0x0068, 4, 1, 0, RW, 1,                                  \
        "Times that the next armed injection happens; 0 disarms")              \
    REG(INJECT_ARM, 0x006c, 4, 1, 0, WO, 0,                                    \
        "Arms the injection of this number with the values above, see the "    \
        "injection table")                                                     \
    REG(INJECT_DELAY, 0x0070, 4, 1, 0, RW, 0,                                  \
        "Units of CLOCK by which SLOW holds a completion up")                  \
    REG(INJECT_ARMED, 0x0074, 4, 1, 0, RO, 0,                                  \
        "Bit n: injection n is armed")                                         \
    REG(INJECT_HITS, 0x0078, 4, 1, 0, RO, 0,                                   \
        "Injections that have happened, modulo 2^32")                          \
    REG(BLOCK_LIMITS, 0x0080, 4, 1, 0, RO, 0x4c486,                            \
        "LinxISA: what a block may have")                                      \
    FIELD(BLOCK_LIMITS, LANES_LOG2, 0, 4, "LaneNum: a group has 2^n lanes")    \
    FIELD(BLOCK_LIMITS, TILE_INPUTS, 4, 4, "Tiles that it reads")              \
    FIELD(BLOCK_LIMITS, TILE_OUTPUTS, 8, 4, "Tiles that it makes")             \
    FIELD(BLOCK_LIMITS, GPR_INPUTS, 12, 4, "Global registers that it reads")   \
    FIELD(BLOCK_LIMITS, GPR_OUTPUTS, 16, 4, "Global registers that it writes") \
    REG(BLOCK_TILE_MIN, 0x0084, 4, 1, 0, RO, 256,                              \
        "LinxISA: bytes of the smallest tile that is not empty")               \
    REG(BLOCK_TILE_MAX, 0x0088, 4, 1, 0, RO, 262144,                           \
        "LinxISA: bytes of the largest tile; sizes are powers of 2")           \
    REG(BLOCK_TILE_TOTAL, 0x008c, 4, 1, 0, RO, 524288,                         \
        "LinxISA: bytes that the live tiles of a dispatch may have")           \
    REG(BLOCK_TILE_DEPTH, 0x0090, 4, 1, 0, RO, 16,                             \
        "LinxISA: tiles in each of the four queues")                           \
    REG(IH_BASE, 0x0100, 8, 1, 0, RW, 0,                                       \
        "VMID 0 address of the interrupt ring, 32-byte aligned")               \
    REG(IH_CONTROL, 0x0108, 4, 1, 0, RW, 0, "Interrupt ring control")          \
    FIELD(IH_CONTROL, ENABLE, 0, 1,                                            \
          "Entries are written and interrupts raised while 1")                 \
    FIELD(IH_CONTROL, SIZE_LOG2, 8, 5,                                         \
          "Ring size: 2^n entries of 32 bytes, n from 4 to 16")                \
    REG(IH_WPTR, 0x010c, 4, 1, 0, RO, 0,                                       \
        "Entries ever written, modulo 2^32; the slot is this modulo the size") \
    REG(IH_RPTR, 0x0110, 4, 1, 0, RW, 0, "Entries the driver has consumed")    \
    REG(IH_STATUS, 0x0114, 4, 1, 0, W1C, 0, "Interrupt ring status")           \
    FIELD(IH_STATUS, OVERFLOW, 0, 1,                                           \
          "The ring was full: entries were dropped (counted in IH_DROPPED) "   \
          "or, of sources QUEUE_ERROR and FAULT, wait until there is room")    \
    FIELD(IH_STATUS, FAULT, 1, 1, "The ring or write-back address is bad")     \
    REG(IH_WPTR_ADDR, 0x0118, 8, 1, 0, RW, 0,                                  \
        "VMID 0 address where IH_WPTR is written back as 32 bits; 0: nowhere") \
    REG(IH_MASK, 0x0120, 4, 1, 0, RW, 0xffffffff,                              \
        "Bit n lets source n raise MSI-X vector 0; entries are written anyway")\
    REG(IH_DROPPED, 0x0124, 4, 1, 0, RO, 0,                                    \
        "Entries ever dropped since the ring was full, modulo 2^32")           \
    REG(CMD_ADDR, 0x0200, 8, 1, 0, RW, 0,                                      \
        "VMID 0 address of a TesseraCommand. Writing the high half (or all 8 " \
        "bytes) submits it")                                                   \
    REG(CMD_STATUS, 0x0208, 4, 1, 0, W1C, 0, "Command status")                 \
    FIELD(CMD_STATUS, DROPPED, 0, 1,                                           \
          "A command was dropped since 64 were waiting")                       \
    FIELD(CMD_STATUS, REFUSED, 1, 1,                                           \
          "A command was unreadable, so that it could not report its error")   \
    REG(CMD_DONE, 0x020c, 4, 1, 0, RO, 0, "Commands finished, modulo 2^32")    \
    REG(FAULT_STATUS, 0x0300, 4, 1, 0, W1C, 0,                                 \
        "First fault since VALID was cleared; writing 1 to VALID clears all")  \
    FIELD(FAULT_STATUS, VALID, 0, 1, "The record holds a fault")               \
    FIELD(FAULT_STATUS, WRITE, 1, 1, "The access was a write")                 \
    FIELD(FAULT_STATUS, FETCH, 2, 1, "The access was an instruction fetch")    \
    FIELD(FAULT_STATUS, MORE, 3, 1, "Further faults came since")               \
    FIELD(FAULT_STATUS, CAUSE, 8, 8, "Cause, see the fault table")             \
    FIELD(FAULT_STATUS, VMID, 16, 6, "VMID of the queue")                      \
    REG(FAULT_QUEUE, 0x0304, 4, 1, 0, RO, 0, "Queue slot of the fault")        \
    REG(FAULT_ADDR, 0x0308, 8, 1, 0, RO, 0, "Address that faulted")            \
    REG(FAULT_PC, 0x0310, 8, 1, 0, RO, 0,                                      \
        "Address of the instruction, 0 if the packet processor faulted")       \
    REG(FAULT_LANES, 0x0318, 8, 1, 0, RO, 0, "Lanes that faulted")             \
    REG(HAZARD_COUNT, 0x0380, 4, 1, 0, RO, 0,                                  \
        "With hazards=strict: uses of registers whose loads were not waited "  \
        "for, and the like, since reset")                                      \
    REG(QUEUE_SELECT, 0x0400, 4, 1, 0, RW, 0,                                  \
        "Queue slot that the QUEUE registers below show")                      \
    FIELD(QUEUE_SELECT, SLOT, 0, 10, "Slot")                                   \
    REG(QUEUE_STATE, 0x0404, 4, 1, 0, RO, 0,                                   \
        "State of the selected queue: 0 free, 1 mapped, 2 stopped by an "      \
        "error, 3 frozen")                                                     \
    REG(QUEUE_ERROR, 0x0408, 4, 1, 0, RO, 0,                                   \
        "Error bits, as stored in the queue's inactive signal")                \
    REG(QUEUE_READ_INDEX, 0x0410, 8, 1, 0, RO, 0, "Packets consumed")          \
    REG(QUEUE_INFLIGHT, 0x0418, 4, 1, 0, RO, 0, "Dispatches not yet complete") \
    REG(QUEUE_FAULT_STATUS, 0x0420, 4, 1, 0, RO, 0,                            \
        "What has stopped the selected queue; cleared when it is resumed or "  \
        "its slot is free")                                                    \
    FIELD(QUEUE_FAULT_STATUS, VALID, 0, 1, "The record holds a fault")         \
    FIELD(QUEUE_FAULT_STATUS, WRITE, 1, 1, "The access was a write")           \
    FIELD(QUEUE_FAULT_STATUS, FETCH, 2, 1,                                     \
          "The access was an instruction fetch")                               \
    FIELD(QUEUE_FAULT_STATUS, MORE, 3, 1,                                      \
          "Further dispatches of the queue faulted since")                     \
    FIELD(QUEUE_FAULT_STATUS, CAUSE, 8, 8, "Cause, see the fault table")       \
    FIELD(QUEUE_FAULT_STATUS, VMID, 16, 6, "VMID of the queue")                \
    REG(QUEUE_NEXT_STOPPED, 0x0424, 4, 1, 0, RO, 0xffff,                       \
        "The first slot from the selected one on whose queue has stopped; "    \
        "0xffff: none")                                                        \
    REG(QUEUE_FAULT_ADDR, 0x0428, 8, 1, 0, RO, 0, "Address that faulted")      \
    REG(QUEUE_FAULT_PC, 0x0430, 8, 1, 0, RO, 0,                                \
        "Address of the instruction, 0 if the packet processor faulted")       \
    REG(QUEUE_FAULT_LANES, 0x0438, 8, 1, 0, RO, 0, "Lanes that faulted")       \
    REG(QUEUE_FAULT_INDEX, 0x0440, 8, 1, 0, RO, 0,                             \
        "Index of the packet at fault, counted as QUEUE_READ_INDEX")           \
    REG(QUEUE_CU_MASK, 0x0448, 8, 1, 0, RO, 0, "CU mask of its descriptor")    \
    REG(QUEUE_PRIORITY, 0x0450, 4, 1, 0, RO, 0, "Priority of its descriptor")  \
    REG(QUEUE_WAITS, 0x0454, 4, 1, 0, RO, 0,                                   \
        "What a mapped queue waits for: 0 a doorbell, 1 its turn, 2 one of "   \
        "its dispatches, 3 a value in memory, 4 scratch memory")               \
    REG(SCANOUT_BASE, 0x0500, 8, 1, 0, RW, 0,                                  \
        "VRAM offset of the first pixel, a multiple of 4")                     \
    REG(SCANOUT_WIDTH, 0x0508, 4, 1, 0, RW, 0,                                 \
        "Pixels in a line, 1 to SCANOUT_MAX.WIDTH")                            \
    REG(SCANOUT_HEIGHT, 0x050c, 4, 1, 0, RW, 0,                                \
        "Lines, 1 to SCANOUT_MAX.HEIGHT")                                      \
    REG(SCANOUT_STRIDE, 0x0510, 4, 1, 0, RW, 0,                                \
        "Bytes from one line to the next, a multiple of 4, at most 1 MiB")     \
    REG(SCANOUT_FORMAT, 0x0514, 4, 1, 0, RW, 0, "See the format table")        \
    REG(SCANOUT_CONTROL, 0x0518, 4, 1, 0, RW, 0,                               \
        "Each write takes the registers above over, all at once")              \
    FIELD(SCANOUT_CONTROL, ENABLE, 0, 1,                                       \
          "Written 1: check and show the picture; 0: show nothing")            \
    REG(SCANOUT_STATUS, 0x051c, 4, 1, 0, RO, 0,                                \
        "What the last write to SCANOUT_CONTROL led to")                       \
    FIELD(SCANOUT_STATUS, ACTIVE, 0, 1, "A picture is shown")                  \
    FIELD(SCANOUT_STATUS, ERROR, 1, 1,                                         \
          "The registers made no picture: nothing is shown")                   \
    FIELD(SCANOUT_STATUS, REASON, 8, 8, "Why not, see the scanout error table")\
    REG(SCANOUT_MAX, 0x0520, 4, 1, 0, RO,                                      \
        TESSERA_SCANOUT_SIDE_MAX << 16 | TESSERA_SCANOUT_SIDE_MAX,             \
        "The largest picture")                                                 \
    FIELD(SCANOUT_MAX, WIDTH, 0, 16, "Pixels in a line")                       \
    FIELD(SCANOUT_MAX, HEIGHT, 16, 16, "Lines")                                \
    REG(SCANOUT_SHOWN_BASE, 0x0540, 8, 1, 0, RO, 0,                            \
        "SCANOUT_BASE of the picture shown; these are 0 while there is none")  \
    REG(SCANOUT_SHOWN_WIDTH, 0x0548, 4, 1, 0, RO, 0, "Its SCANOUT_WIDTH")      \
    REG(SCANOUT_SHOWN_HEIGHT, 0x054c, 4, 1, 0, RO, 0, "Its SCANOUT_HEIGHT")    \
    REG(SCANOUT_SHOWN_STRIDE, 0x0550, 4, 1, 0, RO, 0, "Its SCANOUT_STRIDE")    \
    REG(SCANOUT_SHOWN_FORMAT, 0x0554, 4, 1, 0, RO, 0, "Its SCANOUT_FORMAT")    \
    REG(VM_INVALIDATE, 0x0600, 8, 1, 0, WO, 0,                                 \
        "Bit n: drop the translations of VMID n. Writing the high half (or "   \
        "all 8 bytes) does it")                                                \
    REG(VM_INVALIDATE_ACK, 0x0608, 8, 1, 0, RO, 0,                             \
        "Bit n: all that VM_INVALIDATE last asked for VMID n is done")         \
    REG(VM_PASID, 0x4000, 4, TESSERA_VMIDS, 0x40, RW, 0,                       \
        "PASID reported with this VMID's events")                              \
    REG(VM_SH_MEM_BASES, 0x4004, 4, TESSERA_VMIDS, 0x40, RW, 0x00010002,       \
        "Flat apertures of this VMID, bits 63:48 of each base")                \
    FIELD(VM_SH_MEM_BASES, PRIVATE, 0, 16, "Scratch aperture")                 \
    FIELD(VM_SH_MEM_BASES, SHARED, 16, 16, "LDS aperture")                     \
    REG(VM_ROOT, 0x4008, 8, TESSERA_VMIDS, 0x40, RW, 0,                        \
        "Page table of level 3 of this VMID")                                  \
    FIELD(VM_ROOT, VALID, 0, 1,                                                \
          "There are page tables. If 0, VMID 0 sees bus addresses and VRAM, "  \
          "the others nothing")                                                \
    FIELD(VM_ROOT, SYSTEM, 1, 1,                                               \
          "ADDRESS is a bus address; if 0, an offset in VRAM")                 \
    FIELD(VM_ROOT, ADDRESS, 12, 36, "Bits 47:12 of where the table lies")      \
    REG(VM_TBA, 0x4018, 8, TESSERA_VMIDS, 0x40, RW, 0,                         \
        "Address of the trap handler of this VMID's waves; 0: none. Read when "\
        "a dispatch starts")                                                   \
    REG(VM_TMA, 0x4020, 8, TESSERA_VMIDS, 0x40, RW, 0,                         \
        "Address that the trap handler finds in TMA; read as VM_TBA is")       \
    REG(VM_SH_MEM_CONFIG, 0x4014, 4, TESSERA_VMIDS, 0x40, RW, 0x18,            \
        "How shaders of this VMID access memory; read when a dispatch starts") \
    FIELD(VM_SH_MEM_CONFIG, ADDRESS_MODE, 0, 1,                                \
          "0: FLAT and GLOBAL addresses have 64 bits; 1: 32 (PTR32)")          \
    FIELD(VM_SH_MEM_CONFIG, ALIGNMENT_MODE, 3, 2,                              \
          "0: low address bits are dropped up to a dword; 1: what is not "     \
          "aligned to element or dword is a violation; 2: to element; 3: any") \
    FIELD(VM_SH_MEM_CONFIG, CONTINUE, 31, 1,                                   \
          "1: a memory violation stops the queue only if the wave enables "    \
          "the exception; 0: always")
/* clang-format on */

/*
 * Offsets: TESSERA_REG_ID, ...; fields: TESSERA_<REG>_<FIELD>_SHIFT, _MASK; of a
 * field that ends above bit 31 the mask is the part below.
 */
#define TESSERA_REG_ENUM(n, off, size, count, stride, acc, reset, doc)         \
    TESSERA_REG_##n = (off),
#define TESSERA_FIELD_ENUM(r, n, shift, len, doc)                              \
    TESSERA_##r##_##n##_SHIFT = (shift),                                       \
    TESSERA_##r##_##n##_MASK =                                                 \
        (int)((((1ull << (len)) - 1) << (shift)) & 0xffffffff),
enum { TESSERA_REGISTERS(TESSERA_REG_ENUM, TESSERA_FIELD_ENUM) };

/* Sources of interrupt-ring entries; bit numbers of IH_MASK. */
#define TESSERA_IH_SOURCES(S)                                                  \
    S(TEST, 0, "Written by TEST_IRQ; data: the value")                         \
    S(SIGNAL, 1, "A signal's mailbox was written; data: its event id")         \
    S(COMMAND, 2, "A command finished; data: its fence value")                 \
    S(QUEUE_ERROR, 3, "A queue stopped; data: its error bits")                 \
    S(FAULT, 4, "A fault was recorded; data: the address")                     \
    S(SHADER, 5,                                                               \
      "A shader executed s_sendmsg interrupt; data: M0. Dropped while the "    \
      "ring is three quarters full")
#define TESSERA_IH_ENUM(n, v, doc) TESSERA_IH_##n = (v),
enum { TESSERA_IH_SOURCES(TESSERA_IH_ENUM) };

/*
 * What can be injected with the property x-inject=on: numbers for INJECT_ARM,
 * bits of INJECT_ARMED.
 */
#define TESSERA_INJECTIONS(I)                                                  \
    I(PAGE_FAULT, 0,                                                           \
      "A page of the queue is taken for unmapped: an access of the packet "    \
      "processor for the queue, or a page look-up by waves of its VMID")       \
    I(LOST_IRQ, 1, "An entry about the queue is written without an interrupt") \
    I(HANG, 2, "A dispatch is taken and never ends by itself")                 \
    I(OVERFLOW, 3, "An entry about the queue finds the interrupt ring full")   \
    I(BAD_FENCE, 4, "A command's fence is stored with all bits inverted")      \
    I(SLOW, 5, "A dispatch completes INJECT_DELAY later than it ends")
#define TESSERA_INJECT_ENUM(n, v, doc) TESSERA_INJECT_##n = (v),
enum { TESSERA_INJECTIONS(TESSERA_INJECT_ENUM) };

/* Causes in FAULT_STATUS.CAUSE and in the tool's fault report. */
#define TESSERA_FAULTS(F)                                                      \
    F(NONE, 0, "no fault")                                                     \
    F(UNMAPPED, 1, "address is not mapped")                                    \
    F(READ_ONLY, 2, "write to memory that may only be read")                   \
    F(NO_EXECUTE, 3, "instruction fetch from memory that may not be executed") \
    F(DEVICE_BAR, 4, "address is one of the device's own registers")           \
    F(MISALIGNED, 5, "address is not aligned as the access needs it")          \
    F(APERTURE, 6, "address is in no aperture, or in one it may not use")      \
    F(LDS_BOUNDS, 7, "LDS address beyond the work-group's allocation")         \
    F(SCRATCH_BOUNDS, 8, "scratch address beyond the lane's allocation")       \
    F(ILLEGAL_INSTRUCTION, 9, "no such instruction")                           \
    F(UNIMPLEMENTED, 10, "instruction is not implemented yet")                 \
    F(TRAP, 11, "s_trap")                                                      \
    F(SMEM_OFFSET, 12, "negative scalar memory offset")                        \
    F(HANG, 13, "shader ran longer than hang-timeout")                         \
    F(PACKET, 14, "bad packet or descriptor")                                  \
    F(NO_READ, 15, "read of memory that may not be read")                      \
    F(PAGE_TABLE, 16, "bad page table entry, or table where none can be")      \
    F(NON_CANONICAL, 17, "address beyond the 48 bits of an address space")     \
    F(IOMMU, 18, "the platform's IOMMU refused the access")                    \
    F(BUS, 19, "another device on the bus did not answer the access")          \
    F(VENDOR, 20, "vendor packet of unknown format or version")                \
    F(PM4, 21, "PM4 command that is not supported")                            \
    F(DEVICE_ATOMIC, 25, "atomic operation on another device's memory")        \
    F(NO_GDS, 27, "there is no global data share and no global wave sync")       \
    F(BLOCK, 32, "a LinxISA block has trapped: its trap record tells why")     \
    F(TILE_BOUNDS, 33, "tile address outside the tiles of the block")
#define TESSERA_FAULT_ENUM(n, v, doc) TESSERA_FAULT_##n = (v),
typedef enum { TESSERA_FAULTS(TESSERA_FAULT_ENUM) } TesseraFaultCause;

/* What hazards=strict reports. */
#define TESSERA_HAZARDS(H)                                                     \
    H(READ, 1, "read before its load was waited for")                          \
    H(WRITE, 2, "overwritten while its load was under way")                    \
    H(TWO_LOADS, 3, "result of two loads that are under way")                  \
    H(CLAUSE, 4, "overwrites a source of its scalar memory clause")            \
    H(OVERLAP, 5, "overlaps an access of another group of the block")          \
    H(SCALAR, 6, "overlaps an access of scalar code that nothing orders")      \
    H(TILE, 7, "is read before it is stored, and its block not committed")     \
    H(UNCHECKED, 8, "is not checked for overlaps, there are too many")
#define TESSERA_HAZARD_ENUM(n, v, doc) TESSERA_HAZARD_##n = (v),
typedef enum { TESSERA_HAZARDS(TESSERA_HAZARD_ENUM) } TesseraHazard;

/* Values of SCANOUT_FORMAT; pixels are little-endian. */
#define TESSERA_SCANOUT_FORMATS(F)                                             \
    F(XRGB8888, 0, "4 bytes a pixel, 0xXXRRGGBB; X is ignored")                \
    F(XBGR8888, 1, "4 bytes a pixel, 0xXXBBGGRR: red is the first byte")       \
    F(RGB565, 2, "2 bytes a pixel: red 15:11, green 10:5, blue 4:0")
#define TESSERA_SCANOUT_FORMAT_ENUM(n, v, doc) TESSERA_SCANOUT_##n = (v),
typedef enum {
    TESSERA_SCANOUT_FORMATS(TESSERA_SCANOUT_FORMAT_ENUM)
} TesseraScanoutFormat;

/* Values of SCANOUT_STATUS.REASON, in the order in which they are checked. */
#define TESSERA_SCANOUT_ERRORS(E)                                              \
    E(NONE, 0, "no error")                                                     \
    E(NO_HEAD, 1, "the device was made with scanout=off")                      \
    E(FORMAT, 2, "no such format")                                             \
    E(SIZE, 3, "width or height is 0 or above SCANOUT_MAX")                    \
    E(ALIGNMENT, 4, "base or stride is no multiple of 4")                      \
    E(STRIDE, 5, "the stride is less than a line, or above 1 MiB")              \
    E(VRAM, 6, "the picture reaches beyond the end of VRAM")
#define TESSERA_SCANOUT_ERROR_ENUM(n, v, doc) TESSERA_SCANOUT_ERROR_##n = (v),
typedef enum {
    TESSERA_SCANOUT_ERRORS(TESSERA_SCANOUT_ERROR_ENUM)
} TesseraScanoutError;

#endif
