/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Page tables as a driver builds them: four levels of 512 entries of 8 bytes,
 * for addresses of 48 bits.  Bits lie where those of gfx9 do.
 *
 *   bits of the address   47:39      38:30      29:21      20:12     11:0
 *   index in              level 3    level 2    level 1    level 0   page
 *
 * VM_ROOT names the table of level 3.  An entry of levels 3 to 1 names a table
 * of the next level; with PDE_LEAF, at level 1 only, it is a leaf of 2 MiB.  An
 * entry of level 0 is a leaf of 4 KiB.  All tables are 4 KiB, aligned.
 */
#ifndef TESSERA_PAGETABLE_H
#define TESSERA_PAGETABLE_H

#define TESSERA_PT_LEVELS 4
#define TESSERA_PT_ENTRIES 512
#define TESSERA_PT_INDEX_BITS 9
#define TESSERA_PT_PAGE 4096ull
#define TESSERA_PT_HUGE_PAGE (2ull << 20)
#define TESSERA_VA_BITS 48

/*
 * P(name, lowest bit, number of bits, in tables, in leaves, "meaning"); the
 * two columns say whether the bits may be set there (2: in leaves of 2 MiB
 * only).  All others must be 0.
 */
/* clang-format off */
#define TESSERA_PT_FIELDS(P)                                                   \
    P(VALID, 0, 1, 1, 1,                                                       \
      "The entry counts; if 0, all other bits are the driver's own")           \
    P(SYSTEM, 1, 1, 1, 1,                                                      \
      "ADDRESS is a bus address; if 0, an offset in VRAM")                     \
    P(SNOOPED, 2, 1, 1, 1, "Accepted; every access is coherent")               \
    P(DOORBELL, 3, 1, 0, 1,                                                    \
      "With SYSTEM 0, a leaf of 4 KiB: ADDRESS is an offset in the VMID's own "\
      "doorbell slice, 0 or 4096")                                             \
    P(EXECUTE, 4, 1, 0, 1, "Instructions may be fetched")                      \
    P(READ, 5, 1, 0, 1, "May be read")                                         \
    P(WRITE, 6, 1, 0, 1, "May be written; READ must be set as well")           \
    P(FRAGMENT, 7, 5, 0, 1, "Accepted; a hint that is not needed")             \
    P(ADDRESS, 12, 36, 1, 1, "Bits 47:12 of where table or page lie")          \
    P(LEAF, 54, 1, 0, 2, "At level 1: a leaf of 2 MiB, aligned to 2 MiB")      \
    P(MTYPE, 57, 2, 0, 1, "Accepted; memory has one type")
/* clang-format on */

#define TESSERA_PT_ENUM(n, bit, count, table, leaf, doc)                       \
    TESSERA_PT_##n##_SHIFT = (bit), TESSERA_PT_##n##_BITS = (count),
enum { TESSERA_PT_FIELDS(TESSERA_PT_ENUM) };

#define TESSERA_PT_MASK(bit, count) (((1ull << (count)) - 1) << (bit))
#define TESSERA_PT_FIELD(n)                                                    \
    TESSERA_PT_MASK(TESSERA_PT_##n##_SHIFT, TESSERA_PT_##n##_BITS)
#define TESSERA_PT_VALID TESSERA_PT_FIELD(VALID)
#define TESSERA_PT_SYSTEM TESSERA_PT_FIELD(SYSTEM)
#define TESSERA_PT_SNOOPED TESSERA_PT_FIELD(SNOOPED)
#define TESSERA_PT_DOORBELL TESSERA_PT_FIELD(DOORBELL)
#define TESSERA_PT_EXECUTE TESSERA_PT_FIELD(EXECUTE)
#define TESSERA_PT_READ TESSERA_PT_FIELD(READ)
#define TESSERA_PT_WRITE TESSERA_PT_FIELD(WRITE)
#define TESSERA_PT_ADDRESS TESSERA_PT_FIELD(ADDRESS)
#define TESSERA_PT_LEAF TESSERA_PT_FIELD(LEAF)

#endif
