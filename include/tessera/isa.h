/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an instruction set offers to the engine, the device and the tools.
 */
#ifndef TESSERA_ISA_H
#define TESSERA_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Wave Wave;
typedef struct Uop Uop;
typedef struct EngineGroup EngineGroup;
typedef struct EngineDispatch EngineDispatch;
typedef struct Worker Worker;
typedef struct TesseraBlocks TesseraBlocks;

/*
 * How a kernel is to be started, as its packet and its kernel object say.
 * Made by the packet processor, read by the instruction set.
 */
typedef struct TesseraLaunch {
    uint64_t entry;       /* address of the first instruction */
    uint32_t rsrc1, rsrc2, rsrc3;
    uint32_t properties;  /* kernel_code_properties */
    uint64_t dispatch_ptr, queue_ptr, kernarg_ptr;
    uint64_t dispatch_id;
    uint32_t doorbell;     /* of the queue, in the slice of its VMID */
    uint32_t private_size; /* bytes a lane */
    uint32_t lds_size;     /* bytes a work-group */
    uint64_t scratch_base; /* backing memory; wave n's part is at n * size */
    uint32_t scratch_wave_size; /* bytes of backing memory a wave */
    uint32_t scratch_waves;     /* parts that there are */
    uint32_t scratch_desc[4];   /* V# for the private segment buffer */
    uint16_t private_base_hi, shared_base_hi; /* apertures, bits 63:48 */
    uint32_t mem_config;  /* VM_SH_MEM_CONFIG of the VMID */
    uint64_t tba, tma;    /* trap handler of the VMID, 0: none; its memory */
    TesseraBlocks *blocks; /* of a stream; lives as long as the dispatch */
} TesseraLaunch;

#define TESSERA_BLOCK_GPRS 24

/* The registers and the trap record of a dispatch of LinxISA blocks. */
struct TesseraBlocks {
    uint64_t gpr[TESSERA_BLOCK_GPRS]; /* at its beginning, then at its end */

    /* As it ends: how far it came, and why no further. */
    bool trapped;
    uint64_t committed;   /* memory blocks */
    uint64_t trapno, traparg0, ecstate;
    uint64_t ebpc, ebpcn; /* of the block, and of what follows it */
    uint64_t ebarg, etpc;
};

/* The levels of host instruction sets that handlers are built for. */
typedef enum TesseraHostLevel {
    TESSERA_LEVEL_V2, /* x86-64-v2 */
    TESSERA_LEVEL_V3,
    TESSERA_LEVEL_V4,
    TESSERA_LEVELS
} TesseraHostLevel;

/* The executable side of an instruction set at one host level. */
typedef struct TesseraIsaExec {
    size_t wave_bytes; /* of one wave's state, which begins with a Wave */

    /* Prepare wave @index of @group: registers, EXEC, program counter. */
    void (*wave_start)(Wave *wave, EngineGroup *group, unsigned index);

    /*
     * Decode the instruction at @words, as waves of @lanes lanes execute it,
     * into @uop.  @count dwords are readable: 4 do for any instruction, more
     * show what follows it in its page.  Never fails: what is no instruction
     * becomes a micro-operation that faults when it is executed.
     */
    void (*decode)(const uint32_t *words, unsigned count, unsigned lanes,
                   Uop *uop);

    /*
     * What executes instructions that do nothing, waits and hints; optional.
     * Those before them may go on behind them instead.
     */
    const Uop *(*hint)(Wave *wave, const Uop *uop);

    /* Run until the wave ends, waits, faults or its quantum is used up. */
    void (*run)(Wave *wave);

    /*
     * Called before each instruction of a strict dispatch (hazards=strict),
     * which is @uop and the @count dwords at @words; optional.
     */
    void (*check)(Wave *wave, const Uop *uop, const uint32_t *words,
                  unsigned count);

    /* Free what a wave's state points to; optional. */
    void (*wave_free)(Wave *wave);

    /*
     * The following are there if dispatches are no single grid but a stream of
     * them, each made when the one before is over.  A dispatch then begins with
     * one wave, the stream's own.  When that leaves its handlers in state
     * WAVE_GRID, the units of the grid that it wants run on all workers, one
     * wave each; after the last has ended, the stream's own wave goes on.
     * When that ends, the dispatch does.
     */

    /* Make what all of the dispatch's waves share: its `stream_state`. */
    void (*stream_start)(EngineDispatch *dispatch);

    /*
     * The dispatch is over, whatever has ended it: tell its launch.blocks,
     * free its stream_state.
     */
    void (*stream_end)(EngineDispatch *dispatch);

    /* Units of the grid that the stream's own @wave wants; may be 0. */
    uint64_t (*next_grid)(Wave *wave);

    /* May a wave in state WAVE_HOLD go on? */
    bool (*may_run)(const Wave *wave);

    /* Free what a worker's `stream_code` points to. */
    void (*worker_free)(Worker *worker);

    /* What a compiler of hot code needs (target/jit); NULL: there is none. */
    const struct JitIsa *jit;
} TesseraIsaExec;

typedef struct TesseraIsa {
    const char *name;   /* "gfx900" */
    uint32_t number;    /* 90000 */
    unsigned lanes;     /* in a wave, as a kernel starts by default */
    unsigned max_vgprs; /* a wave */
    uint32_t max_lds;   /* bytes a work-group */

    /* Levels that were not built are NULL. */
    const TesseraIsaExec *exec[TESSERA_LEVELS];

    /* Lanes a wave of this launch has, 32 or 64. */
    unsigned (*wave_lanes)(const TesseraLaunch *launch);

    /* VGPRs that a wave of this launch asks for; may exceed max_vgprs. */
    unsigned (*wave_vgprs)(const TesseraLaunch *launch);

    /*
     * Print the instruction at @words as LLVM does for waves of @lanes lanes;
     * returns its size in bytes, 0 if it is none (@text is then a .long
     * directive).
     */
    unsigned (*disassemble)(const uint32_t *words, unsigned count,
                            unsigned lanes, uint64_t pc, char *text,
                            size_t size);

    /*
     * What kind of work it is, "vector f32" or so, for profiles; optional.
     */
    const char *(*kind)(const uint32_t *words, unsigned count,
                        unsigned lanes);
} TesseraIsa;

/* The one of blocks, whose dispatches are streams; not in tessera_isas. */
extern const TesseraIsa *const tessera_block_isa;

/* The instruction set of that name, NULL if there is none. */
const TesseraIsa *tessera_isa_find(const char *name);

/* All of them, NULL at the end. */
extern const TesseraIsa *const tessera_isas[];

/* Their names, as they are told to users. */
#define TESSERA_ISA_NAMES "gfx900, gfx1100, gfx1150, gfx1200 or gfx1201"

/* Does this host's CPU have @level? */
bool tessera_host_has(TesseraHostLevel level);

/* The best level that it has, and of those that were built. */
TesseraHostLevel tessera_host_best(void);
TesseraHostLevel tessera_host_level(void);

extern const char *const tessera_level_names[TESSERA_LEVELS];

/* Whether shader code is compiled. */
typedef enum TesseraJit {
    TESSERA_JIT_OFF,
    TESSERA_JIT_ON,  /* what is hot, in the background */
    TESSERA_JIT_NOW, /* all, before it runs: for tests */
} TesseraJit;

#endif
