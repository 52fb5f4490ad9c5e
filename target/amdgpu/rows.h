/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How to read the semantic tables (rows/X.inc), one line an instruction.
 *
 * Each .inc file is included several times with other definitions of the row
 * macros: for the list of operation numbers, for the table of names and
 * operands (insns.c), and for the handlers (exec/X.c).  The last argument is
 * always the meaning, as C; NOSEM there means that it has none yet and that
 * executing it ends the dispatch with a fault that names it.
 *
 * Scalar (salu.inc).  a, b: sources; d: result; scc: the flag, may be read
 * and assigned; D, A, B are types without T_.
 *   S1(name, D, A, flags, meaning)         SOP1
 *   S2(name, D, A, B, flags, meaning)      SOP2
 *   SC(name, A, B, flags, meaning)         SOPC: meaning is the new SCC
 *   SK(name, D, flags, meaning)            SOPK: k is simm16 sign-extended,
 *                                          d holds the old destination
 *   SP(name, flags, meaning)               SOPP
 *
 * Vector (vop1.inc, vop2.inc, vop3.inc, vopc.inc, vop3p.inc).  The meaning is
 * an expression over vectors of the operand types, for a handful of lanes at a
 * time (lanes.h): a, b, c are the sources, d the old destination, w the wave,
 * q the number of the slice, clamp whether an integer has to saturate, u the
 * micro-operation (for op_sel).
 *   V1(name, D, A, flags, meaning)
 *   V2(name, D, A, B, flags, meaning)
 *   V3(name, D, A, B, C, flags, meaning)
 *   VC(name, A, B, flags, meaning)         compare: a lane mask (0 or -1);
 *                                          flag CMPX writes EXEC as well
 *   VX(name, D, A, B, C, flags, meaning)   everything irregular (carries,
 *                                          lane access, div_scale, ...): the
 *                                          meaning is LANES(expression),
 *                                          CARRY(result, carry, clamped),
 *                                          ONCE(statement), MOVE(statement),
 *                                          UNIFORM(expression) or, in VOP3P,
 *                                          MIX, DOT or DOT2(expression), as
 *                                          exec/vector.h and vop3p.c say
 *   VPK(name, D, A, B, C, flags, meaning)  VOP3P: once for each half
 *
 * Memory (smem.inc, ds.inc, flat.inc, buffer.inc): kind and data width are
 * columns; the meaning names an operation of mem-ops.h, or is a macro of
 * exec/smem.c or exec/ds.c, which for atomics takes the new value: m is what
 * is in memory, a and b are the data.
 *   SM(name, dwords, flags, meaning)       SMEM
 *   DS(name, D, A, B, flags, meaning)      D result, A and B data operands
 *   FL(name, D, A, flags, meaning)         once; makes flat_NAME, global_NAME
 *                                          and, unless NOSCRATCH, scratch_NAME
 *   FA, FG, FS                             the same for flat_NAME and
 *                                          global_NAME, global_NAME alone,
 *                                          scratch_NAME alone
 *   MB(name, D, flags, meaning)            MUBUF and MTBUF; D is the data type
 *   GX(name, flags)                        graphics: faults by design
 *
 * rows/all.inc includes every .inc file, rows/undef.inc ends the macros.
 * Types are written without T_, none where there is nothing; a meaning may
 * hold commas, so that a definition of a row macro ends in "...".
 */
#ifndef AMDGPU_ROWS_H
#define AMDGPU_ROWS_H

/* Flags of rows. */
enum {
    INSN_CMPX = 1 << 0,      /* a compare that also writes EXEC */
    INSN_STORE = 1 << 1,
    INSN_ATOMIC = 1 << 2,
    INSN_NOSCRATCH = 1 << 3, /* no scratch_ form */
    INSN_D16 = 1 << 4,       /* writes or reads the low half only */
    INSN_D16_HI = 1 << 5,    /* the high half */
    INSN_FORMAT = 1 << 6,    /* converts by a buffer format */
    INSN_BUFFER = 1 << 7,    /* SMEM: saddr is a V#, not an address pair */
    INSN_SCRATCH = 1 << 8,   /* SMEM: scaled scalar scratch */
    INSN_TWO = 1 << 9,       /* DS: two addresses, offset0 and offset1 */
    INSN_ST64 = 1 << 10,     /* DS: those offsets count 64 elements */
    INSN_RTN = 1 << 11,      /* DS: returns a value */
    INSN_BRANCH = 1 << 12,   /* simm16 is a branch target */
    INSN_CARRY_IN = 1 << 13, /* the third source is a lane mask */
    INSN_CARRY_OUT = 1 << 14,/* sdst is a lane mask */
    INSN_LITERAL_K = 1 << 15,/* a literal always follows (v_madmk and such) */
    INSN_ACC = 1 << 16,      /* the destination is a source too (v_mac) */
    INSN_SDST = 1 << 17,     /* vector instruction with a scalar result */
    INSN_DST_SRC = 1 << 18,  /* SALU: the destination is read as well */
    INSN_DST_RO = 1 << 19,   /* SOPK: it is only read */
    INSN_SRC2 = 1 << 20,     /* DS: both values are in memory */
    INSN_NO_ADDR = 1 << 21,  /* DS, FLAT: the address is not in a VGPR */
    INSN_GDS = 1 << 22,      /* DS: global data share only */
    INSN_SAMPLER = 1 << 23,  /* MIMG: has a sampler descriptor */
    INSN_GATHER4 = 1 << 24,  /* MIMG: four results whatever dmask says */
    INSN_CLAMP = 1 << 25,    /* clamp saturates the integer result */
    INSN_OPSEL = 1 << 26,    /* op_sel picks halves of 16-bit operands */
    INSN_OMOD = 1 << 27,     /* takes omod, though the result is no float */
    INSN_FMODS = 1 << 28,    /* takes neg and abs, though types are no float */
    /* A class's own: in MIMG these bits are a number, see below. */
    INSN_PREFETCH = 1 << 29, /* SMEM: has a length, moves no data */
    INSN_HINT = 1 << 29,     /* SOPP, SOPK: does nothing, see lower.c */
    INSN_BLOCK = 1 << 29,    /* FLAT: M0 says which of 32 dwords */
    INSN_TRANSPOSE = 1 << 30,/* FLAT: lanes exchange what they have loaded */
};

/* MIMG: address registers of the shortest form */
#define INSN_NADDR(n) ((uint32_t)(n) << 29)
#define INSN_GET_NADDR(flags) ((flags) >> 29)

#endif
