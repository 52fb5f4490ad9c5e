/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Headers of memory blocks (linx-blocks section 4), groups (section 8). */
#include <string.h>
#include "target/linx/block.h"
#include "target/linx/decode.h"

/* A header while it is read.  Counts go on beyond what there is room for. */
typedef struct Header {
    LinxBlock *block;
    LinxTrap *trap;
    const uint64_t *gpr;
    const LinxInst *inst;
    uint64_t pc;     /* of the word at hand */
    bool any_tiles;  /* a B.IOT was there */
    bool last_tiles; /* and one with L */
    bool done;       /* B.TEXT was there */
} Header;

uint64_t linx_trapno(const LinxTrap *trap)
{
    return 1ull << 63 | (uint64_t)trap->cause << 8 | trap->number;
}

static bool raise_trap(Header *h, LinxTrapNumber number, uint32_t cause)
{
    *h->trap = (LinxTrap) { .number = number, .cause = cause, .pc = h->pc };
    return false;
}

static bool illegal(Header *h)
{
    return raise_trap(h, LINX_E_INST, LINX_INST_ILLEGAL);
}

static bool invalid(Header *h)
{
    return raise_trap(h, LINX_E_BLOCK, LINX_BLOCK_INVAL_PARM);
}

static int64_t field(const Header *h, LinxField name)
{
    return h->inst->field[name];
}

/* ---- words ---- */

static bool read_start(Header *h)
{
    static const struct {
        LinxOp op;
        LinxBlockKind kind;
        bool is_short; /* VS16 without saying so */
    } starts[] = {
        { LINX_BSTART_MPAR, LINX_MPAR, false },
        { LINX_BSTART_MSEQ, LINX_MSEQ, false },
        { LINX_BSTART_VPAR, LINX_VPAR, false },
        { LINX_BSTART_VSEQ, LINX_VSEQ, false },
        { LINX_C_BSTART_MPAR, LINX_MPAR, true },
        { LINX_C_BSTART_MSEQ, LINX_MSEQ, true },
        { LINX_C_BSTART_VPAR, LINX_VPAR, true },
        { LINX_C_BSTART_VSEQ, LINX_VSEQ, true },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(starts); i++) {
        if (starts[i].op == h->inst->op) {
            h->block->kind = starts[i].kind;
            h->block->wide_queues = starts[i].is_short ||
                                    field(h, LINX_F_Mode) == 1;
            return field(h, LINX_F_Mode) < 2 || illegal(h);
        }
    }
    return illegal(h);
}

static bool read_dim(Header *h)
{
    uint64_t loop = field(h, LINX_F_LoopNest);
    uint64_t reg = field(h, LINX_F_RegSrc);

    if (reg >= LINX_GPRS) {
        return illegal(h);
    }
    if (loop > 2) {
        return invalid(h);
    }
    h->block->lb[loop] = (reg ? h->gpr[reg] : 0) + field(h, LINX_F_imm17) +
                         field(h, LINX_F_imm8);
    return true;
}

static void add_input(Header *h, int64_t tile, bool reuse)
{
    LinxBlock *block = h->block;

    if (block->inputs < LINX_TILE_INPUTS) {
        block->input[block->inputs] = (LinxTileInput) {
            .queue = tile >> 4,
            .distance = (tile & 15) + 1,
            .reuse = reuse,
        };
    }
    block->inputs++;
}

static void add_output(Header *h)
{
    LinxBlock *block = h->block;
    unsigned code = field(h, LINX_F_size);

    if (block->outputs < LINX_TILE_OUTPUTS) {
        block->output[block->outputs] = (LinxTileOutput) {
            .queue = field(h, LINX_F_DstTile),
            .size = code ? 16u << code : 0,
        };
    }
    block->outputs++;
}

static bool read_tiles(Header *h)
{
    int64_t queue = field(h, LINX_F_DstTile);
    LinxOp op = h->inst->op;

    if (h->last_tiles) {
        return invalid(h);
    }
    if (queue == 4 || queue == 6) {
        return illegal(h);
    }
    h->any_tiles = true;
    h->last_tiles = field(h, LINX_F_L);
    if (op == LINX_B_IOT_2IN || op == LINX_B_IOT_1IN) {
        add_input(h, field(h, LINX_F_SrcTile0), field(h, LINX_F_S0R));
    }
    if (op == LINX_B_IOT_2IN) {
        add_input(h, field(h, LINX_F_SrcTile1), field(h, LINX_F_S1R));
    }
    if (queue != LINX_QUEUE_NONE) {
        add_output(h);
    }
    return true;
}

static bool add_gpr_input(Header *h, uint64_t reg)
{
    LinxBlock *block = h->block;

    if (reg >= LINX_GPRS) {
        return illegal(h);
    }
    if (reg && block->gpr_inputs++ < LINX_GPR_INPUTS) {
        block->ri[block->gpr_inputs - 1] = reg;
        block->ri_value[block->gpr_inputs - 1] = h->gpr[reg];
    }
    return true;
}

static bool read_gprs(Header *h)
{
    LinxBlock *block = h->block;
    uint64_t out = field(h, LINX_F_RegDst);

    if (out >= LINX_GPRS) {
        return illegal(h);
    }
    if (out && block->gpr_outputs++ < LINX_GPR_OUTPUTS) {
        block->ro[block->gpr_outputs - 1] = out;
        block->ro_value[block->gpr_outputs - 1] = h->gpr[out];
    }
    return add_gpr_input(h, field(h, LINX_F_RegSrc0)) &&
           add_gpr_input(h, field(h, LINX_F_RegSrc1)) &&
           add_gpr_input(h, field(h, LINX_F_RegSrc2));
}

static bool read_tokens(Header *h)
{
    static const LinxField sources[] = {
        LINX_F_DepSrc0, LINX_F_DepSrc1, LINX_F_DepSrc2
    };

    if (field(h, LINX_F_DepDst) > 1) {
        return illegal(h);
    }
    h->block->push_token |= field(h, LINX_F_DepDst);
    for (unsigned i = 0; i < G_N_ELEMENTS(sources); i++) {
        int64_t token = field(h, sources[i]);

        if (token > 8) {
            return illegal(h);
        }
        h->block->wait_tokens |= token ? 1u << token : 0;
    }
    return true;
}

/* Blocks run one after the other: aq and rl tell the overlap checker only. */
static bool read_attributes(Header *h)
{
    if (field(h, LINX_F_atom)) {
        return invalid(h);
    }
    h->block->flat = field(h, LINX_F_DR);
    h->block->trap_after = field(h, LINX_F_T);
    h->block->acquire = field(h, LINX_F_aq);
    h->block->release = field(h, LINX_F_rl);
    return true;
}

static bool read_text(Header *h)
{
    h->block->text = h->pc + 2 * field(h, LINX_F_simm25);
    h->block->next = h->pc + 4;
    h->done = true;
    return true;
}

static bool read_word(Header *h)
{
    switch (h->inst->op) {
    case LINX_B_TEXT:
        return read_text(h);
    case LINX_B_DIM:
    case LINX_C_B_DIM:
    case LINX_C_B_DIMI:
        return read_dim(h);
    case LINX_B_IOT_2IN:
    case LINX_B_IOT_1IN:
    case LINX_B_IOT_0IN:
        return read_tiles(h);
    case LINX_B_IOR:
        return read_gprs(h);
    case LINX_B_IOD:
        return read_tokens(h);
    case LINX_B_CATR:
        return read_attributes(h);
    default:
        break;
    }
    switch (linx_rows[h->inst->op].group) {
    case LINX_G_HDR_START:
    case LINX_G_HDR_OTHER:
    case LINX_G_TERM:
        return invalid(h);
    default:
        return illegal(h);
    }
}

/* ---- checks at B.TEXT ---- */

static bool check_counts(Header *h)
{
    const LinxBlock *block = h->block;

    return (h->last_tiles || !h->any_tiles) &&
           block->inputs <= LINX_TILE_INPUTS &&
           block->outputs <= LINX_TILE_OUTPUTS &&
           block->gpr_inputs <= LINX_GPR_INPUTS &&
           block->gpr_outputs <= LINX_GPR_OUTPUTS ? true : invalid(h);
}

/* No output twice, and none that is an input as well. */
static bool check_gprs(Header *h)
{
    const LinxBlock *block = h->block;
    uint32_t in = 0, out = 0;

    for (unsigned i = 0; i < block->gpr_inputs; i++) {
        in |= 1u << block->ri[i];
    }
    for (unsigned i = 0; i < block->gpr_outputs; i++) {
        if (out >> block->ro[i] & 1) {
            return raise_trap(h, LINX_E_BLOCK, LINX_BLOCK_DOUBLESET);
        }
        out |= 1u << block->ro[i];
    }
    return in & out ? illegal(h) : true;
}

/* If there are several outputs, TS is the second. */
static bool check_scratch(Header *h)
{
    const LinxBlock *block = h->block;

    for (unsigned i = 0; i < block->outputs; i++) {
        if (block->output[i].queue == LINX_QUEUE_S && i != 1 &&
            block->outputs > 1) {
            return illegal(h);
        }
    }
    return true;
}

static bool check_sizes(Header *h)
{
    const LinxBlock *block = h->block;
    uint64_t groups = linx_groups(block);

    for (unsigned i = 0; i < block->outputs; i++) {
        uint64_t size = block->output[i].size;

        if (size && (size < LINX_TILE_MIN || size > LINX_TILE_MAX)) {
            return invalid(h);
        }
        if (block->output[i].queue == LINX_QUEUE_S && size &&
            groups > LINX_TILE_TOTAL / size) {
            return invalid(h);
        }
    }
    return true;
}

bool linx_read_header(const uint8_t *bytes, size_t count, uint64_t pc,
                      const uint64_t gpr[LINX_GPRS], LinxBlock *block,
                      LinxTrap *trap)
{
    LinxInst inst;
    Header h = {
        .block = block, .trap = trap, .gpr = gpr, .inst = &inst, .pc = pc,
    };
    size_t at = 0;

    memset(block, 0, sizeof(*block));
    block->bpc = pc;
    block->lb[0] = block->lb[1] = block->lb[2] = 1;
    while (!h.done) {
        h.pc = pc + at;
        if (!linx_decode(bytes + at, count - at, &inst)) {
            return inst.size ? illegal(&h) :
                   raise_trap(&h, LINX_E_INST, LINX_INST_ACCESS);
        }
        if (!(at ? read_word(&h) : read_start(&h))) {
            return false;
        }
        at += inst.size;
    }
    return check_counts(&h) && check_gprs(&h) && check_scratch(&h) &&
           check_sizes(&h);
}

/* ---- groups and lanes ---- */

static uint64_t groups_of(uint64_t count)
{
    return (count + LINX_LANES - 1) / LINX_LANES;
}

uint64_t linx_groups(const LinxBlock *block)
{
    uint64_t t0 = block->lb[0], t1 = block->lb[1], t2 = block->lb[2];

    return block->flat ? groups_of(t0 * t1 * t2) : t2 * t1 * groups_of(t0);
}

static uint64_t flat_lanes(const LinxBlock *block, uint64_t group,
                           uint16_t lc[LINX_LANES][3])
{
    uint64_t t0 = block->lb[0], t1 = block->lb[1];
    uint64_t total = t0 * t1 * block->lb[2], live = 0;

    for (unsigned lane = 0; lane < LINX_LANES; lane++) {
        uint64_t n = group * LINX_LANES + lane;

        live |= (uint64_t)(n < total) << lane;
        if (lc) {
            lc[lane][0] = n % t0;
            lc[lane][1] = n / t0 % t1;
            lc[lane][2] = n / (t0 * t1);
        }
    }
    return live;
}

static uint64_t nested_lanes(const LinxBlock *block, uint64_t group,
                             uint16_t lc[LINX_LANES][3])
{
    uint64_t t0 = block->lb[0], t1 = block->lb[1];
    uint64_t inner = groups_of(t0), live = 0;

    for (unsigned lane = 0; lane < LINX_LANES; lane++) {
        uint64_t n = group % inner * LINX_LANES + lane;

        live |= (uint64_t)(n < t0) << lane;
        if (lc) {
            lc[lane][0] = n;
            lc[lane][1] = group / inner % t1;
            lc[lane][2] = group / (inner * t1);
        }
    }
    return live;
}

LinxPlace linx_group_place(const LinxBlock *block, uint64_t group)
{
    uint64_t inner = groups_of(block->lb[0]);

    return (LinxPlace) {
        .lc0 = group % inner * LINX_LANES,
        .lc1 = group / inner % block->lb[1],
        .lc2 = group / inner / block->lb[1],
    };
}

uint64_t linx_group_lanes(const LinxBlock *block, uint64_t group,
                          uint16_t lc[LINX_LANES][3])
{
    if (group >= linx_groups(block)) {
        return 0;
    }
    return block->flat ? flat_lanes(block, group, lc) :
           nested_lanes(block, group, lc);
}
