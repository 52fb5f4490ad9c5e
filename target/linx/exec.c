/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bodies and blocks, one instruction after the other. */
#include <string.h>
#include "target/linx/alu.h"
#include "target/linx/decode.h"
#include "target/linx/group.h"

static bool has_field(const LinxContext *x, LinxField field)
{
    return linx_field_bits(&linx_formats[linx_rows[x->inst->op].format],
                           field);
}

/* ---- computations ---- */

/* linx-blocks section 6.3; 32-bit forms know SW and UW as well. */
static uint64_t modified(const LinxContext *x, uint64_t b)
{
    const LinxInst *inst = x->inst;
    const LinxRow *row = &linx_rows[inst->op];
    bool shifts = linx_field_bits(&linx_formats[row->format],
                                  LINX_F_SrcRType);

    switch (inst->field[LINX_F_SrcRType]) {
    case 1:
        b = (uint64_t)(int64_t)(int32_t)b;
        break;
    case 2:
        b = (uint32_t)b;
        break;
    case 3:
        b = row->flags & LINX_NOT ? ~b : -b;
        break;
    }
    return shifts ? b << inst->field[LINX_F_shamt] : b;
}

static uint64_t immediate(const LinxInst *inst)
{
    return inst->field[LINX_F_uimm12] + inst->field[LINX_F_simm12] +
           inst->field[LINX_F_shamt];
}

/* M and N of the bit instructions; false if they are not allowed. */
static bool bit_range(LinxContext *x, LinxOperands *o)
{
    const LinxInst *inst = x->inst;

    if (inst->op == LINX_V_REV || inst->op == LINX_REV) {
        o->at = inst->field[LINX_F_immr] + 1;
        o->bits = inst->field[LINX_F_imml];
        return (o->bits && !(o->at & (o->at - 1)) &&
                !(o->bits & (o->bits - 1)) && o->at > o->bits) ||
               linx_illegal(x);
    }
    o->at = inst->field[LINX_F_imms];
    o->bits = inst->field[LINX_F_imml] + 1;
    return !has_field(x, LINX_F_imms) ||
           (o->at <= o->width && o->bits <= o->width) || linx_illegal(x);
}

static bool read_right(LinxContext *x, uint64_t *b)
{
    if (!has_field(x, LINX_F_SrcR)) {
        for (unsigned i = 0; i < x->lanes; i++) {
            b[i] = immediate(x->inst);
        }
        return true;
    }
    if (!linx_source(x, LINX_F_SrcR, b)) {
        return false;
    }
    for (unsigned i = 0; i < x->lanes; i++) {
        b[i] = modified(x, b[i]);
    }
    return true;
}

static bool read_third(LinxContext *x, uint64_t *c)
{
    return has_field(x, LINX_F_SrcD) ? linx_source(x, LINX_F_SrcD, c) :
           !has_field(x, LINX_F_SrcP) || linx_source(x, LINX_F_SrcP, c);
}

static bool compute(LinxContext *x)
{
    const LinxInst *inst = x->inst;
    bool wide = linx_rows[inst->op].bits == 64;
    unsigned left = linx_type(inst->field[LINX_F_SrcL]);
    unsigned right = linx_type(inst->field[LINX_F_SrcR]);
    LinxAluFn *fn = linx_alu(inst->op, !wide || left >= 4);
    LinxOperands o = { .width = wide ? 8u << linx_type_size(left, 0) : 64 };
    uint64_t a[LINX_LANES], b[LINX_LANES], c[LINX_LANES] = { 0 };
    uint64_t result[LINX_LANES] = { 0 };

    if (!fn || inst->field[LINX_F_vlen] || inst->field[LINX_F_sat] ||
        (linx_alu_same_sign(inst->op) && (left ^ right) & 4)) {
        return linx_illegal(x);
    }
    if (!bit_range(x, &o) || !linx_source(x, LINX_F_SrcL, a) ||
        !read_right(x, b) || !read_third(x, c)) {
        return false;
    }
    for (unsigned i = 0; i < x->lanes; i++) {
        o.a = a[i];
        o.b = b[i];
        o.c = c[i];
        result[i] = linx_active(x) >> i & 1 ? fn(&o) : 0;
        if (linx_alu_is_word(inst->op)) {
            result[i] = linx_extend(result[i], 2, true);
        }
    }
    return linx_result(x, result);
}

/* ---- between lanes ---- */

static uint64_t fold(LinxOp op, bool is_signed, uint64_t a, uint64_t b)
{
    bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;

    switch (op) {
    case LINX_V_RDADD:
        return a + b;
    case LINX_V_RDAND:
        return a & b;
    case LINX_V_RDOR:
        return a | b;
    case LINX_V_RDXOR:
        return a ^ b;
    case LINX_V_RDMAX:
        return less ? b : a;
    default:
        return less ? a : b;
    }
}

static uint64_t identity(LinxOp op, unsigned type)
{
    unsigned bits = 8u << linx_type_size(type, false);
    uint64_t top = 1ull << (bits - 1);
    uint64_t most = type >= 4 ? top - 1 : top | (top - 1);

    switch (op) {
    case LINX_V_RDAND:
        return ~0ull;
    case LINX_V_RDMAX:
        return type >= 4 ? -top : 0;
    case LINX_V_RDMIN:
        return most;
    default:
        return 0;
    }
}

/* linx-blocks section 9.5. */
static bool reduce(LinxContext *x)
{
    const LinxInst *inst = x->inst;
    unsigned type = linx_type(inst->field[LINX_F_SrcL]);
    unsigned number = linx_number(inst->field[LINX_F_RegDst]);
    uint64_t *ro = number <= LINX_RO_LAST ? &x->ro[number - LINX_RO] : NULL;
    uint64_t value[LINX_LANES], sum;

    if (linx_rows[inst->op].flags & LINX_FLOAT ||
        inst->field[LINX_F_vlen] ||
        linx_type(inst->field[LINX_F_RegDst]) != 0) {
        return linx_illegal(x);
    }
    if (ro && number - LINX_RO >= x->block->gpr_outputs) {
        return linx_raise(x, LINX_E_BLOCK, LINX_BLOCK_INVAL_SET, 0);
    }
    if (!linx_source(x, LINX_F_SrcL, value)) {
        return false;
    }
    sum = ro ? *ro : identity(inst->op, type);
    for (unsigned i = 0; i < LINX_LANES; i++) {
        if (x->p >> i & 1) {
            sum = fold(inst->op, type >= 4, sum, value[i]);
        }
    }
    if (ro) {
        *ro = sum;
        return true;
    }
    return linx_result(x, &sum);
}

static unsigned shuffle_lane(const LinxInst *inst, unsigned lane,
                             uint64_t parameter, uint64_t range)
{
    unsigned what = linx_rows[inst->op].match >> 44 & 3;
    uint64_t from;

    range = range ? range : LINX_LANES;
    if (what == 2) {
        from = lane ^ parameter;
    } else if (what == 3) {
        from = lane / range * range + parameter % range;
    } else if (what == 0) {
        from = lane - (lane % range >= parameter % range ?
                       parameter % range : 0);
    } else {
        from = lane + (lane % range + parameter % range < range ?
                       parameter % range : 0);
    }
    return from < LINX_LANES ? from : lane;
}

static bool shuffle(LinxContext *x)
{
    const LinxInst *inst = x->inst;
    bool masked = inst->op == LINX_V_SHFL_BFLY; /* section 8.2 */
    uint64_t value[LINX_LANES], range[LINX_LANES] = { 0 };
    uint64_t parameter[LINX_LANES], result[LINX_LANES];

    for (unsigned i = 0; i < LINX_LANES; i++) {
        parameter[i] = inst->field[LINX_F_imm14];
    }
    if (!linx_source(x, LINX_F_SrcL, value) ||
        (has_field(x, LINX_F_SrcR) && !linx_source(x, LINX_F_SrcR, range)) ||
        (has_field(x, LINX_F_SrcP) &&
         !linx_source(x, LINX_F_SrcP, parameter))) {
        return false;
    }
    for (unsigned i = 0; i < LINX_LANES; i++) {
        result[i] = masked && !(x->p >> i & 1) ? 0 :
                    value[shuffle_lane(inst, i, parameter[i], range[i])];
    }
    return linx_result(x, result);
}

static bool select_lanes(LinxContext *x)
{
    uint64_t a[LINX_LANES], b[LINX_LANES], mask[LINX_LANES];
    uint64_t result[LINX_LANES];

    if (!linx_source(x, LINX_F_SrcL, a) || !read_right(x, b) ||
        !linx_source(x, LINX_F_SrcP, mask)) {
        return false;
    }
    for (unsigned i = 0; i < LINX_LANES; i++) {
        result[i] = !(x->p >> i & 1) ? 0 : mask[i] >> i & 1 ? a[i] : b[i];
    }
    return linx_result(x, result);
}

static bool copy_lanes(LinxContext *x)
{
    uint64_t value[LINX_LANES];

    return linx_source(x, LINX_F_SrcL, value) && linx_result(x, value);
}

static bool select_any(LinxContext *x)
{
    return x->inst->op == LINX_V_PSEL ? select_lanes(x) :
           x->inst->op == LINX_V_MOV ? copy_lanes(x) : compute(x);
}

/* ---- scalar code ---- */

static bool address_of(LinxContext *x)
{
    uint64_t upper = (uint64_t)x->inst->field[LINX_F_simm20] << 12;
    uint64_t value = x->inst->op == LINX_LUI ? upper : x->pc + upper;

    return x->inst->op == LINX_SETRET ? linx_illegal(x) :
           linx_result(x, &value);
}

static bool is_taken(LinxContext *x, uint64_t a, uint64_t b)
{
    switch (x->inst->op) {
    case LINX_B_EQ:
        return a == b;
    case LINX_B_NE:
        return a != b;
    case LINX_B_LT:
        return (int64_t)a < (int64_t)b;
    case LINX_B_GE:
        return (int64_t)a >= (int64_t)b;
    case LINX_B_LTU:
        return a < b;
    case LINX_B_GEU:
        return a >= b;
    case LINX_B_Z:
        return x->p == 0;
    case LINX_B_NZ:
        return x->p != 0;
    default:
        return true;
    }
}

static bool branch(LinxContext *x)
{
    const LinxInst *inst = x->inst;
    int64_t distance = 2 * (inst->field[LINX_F_simm12] +
                            inst->field[LINX_F_simm22]);
    uint64_t a = 0, b = 0;

    if (!x->block) {
        return linx_illegal(x);
    }
    if ((has_field(x, LINX_F_SrcL) && !linx_source(x, LINX_F_SrcL, &a)) ||
        (has_field(x, LINX_F_SrcR) && !linx_source(x, LINX_F_SrcR, &b))) {
        return false;
    }
    if (is_taken(x, a, b)) {
        x->next_pc = (inst->op == LINX_JR ? a : x->pc) + distance;
    }
    return true;
}

/* Only LCFR so far (section 14): 64 lanes, one group at a time. */
static bool system_register(LinxContext *x)
{
    const uint64_t lcfr = 6 | 1 << 8 |
                          (uint64_t)(LINX_TILE_MAX / 512 - 1) << 32;

    if (x->inst->op == LINX_SSRSET || x->inst->op == LINX_SSRSWAP) {
        return linx_raise(x, LINX_E_INST, 4, 0); /* PERM */
    }
    if (x->inst->op != LINX_SSRGET || x->inst->field[LINX_F_SSRID] != 0x24) {
        return linx_illegal(x);
    }
    return linx_result(x, &lcfr);
}

static bool end_body(LinxContext *x)
{
    x->ended = true;
    return true;
}

static bool do_nothing(LinxContext *x)
{
    return true;
}

/* By group of instructions; what is missing is illegal in a body. */
static bool (*const handlers[])(LinxContext *x) = {
    [LINX_G_TERM] = end_body,
    [LINX_G_HDR_START] = end_body,
    [LINX_G_V_ARITH] = compute,
    [LINX_G_V_ARITH_IMM] = compute,
    [LINX_G_V_ATOMIC_LOAD] = linx_access,
    [LINX_G_V_ATOMIC_STORE] = linx_access,
    [LINX_G_V_BIT] = compute,
    [LINX_G_V_CMP] = compute,
    [LINX_G_V_CMP_IMM] = compute,
    [LINX_G_V_LOAD] = linx_access,
    [LINX_G_V_LOAD_IMM] = linx_access,
    [LINX_G_V_MINMAX] = compute,
    [LINX_G_V_MULDIV] = compute,
    [LINX_G_V_REDUCE] = reduce,
    [LINX_G_V_SELECT] = select_any,
    [LINX_G_V_SHUFFLE] = shuffle,
    [LINX_G_V_SHUFFLE_IMM] = shuffle,
    [LINX_G_V_STORE] = linx_access,
    [LINX_G_V_STORE_IMM] = linx_access,
    [LINX_G_S32_ARITH] = compute,
    [LINX_G_S32_ADDR] = address_of,
    [LINX_G_S32_BRANCH] = branch,
    [LINX_G_S32_BIT] = compute,
    [LINX_G_S32_CMP] = compute,
    [LINX_G_S32_SELECT] = compute,
    [LINX_G_S32_MULDIV] = compute,
    [LINX_G_S32_LOAD] = linx_access,
    [LINX_G_S32_SYS] = system_register,
    [LINX_G_S32_STORE] = linx_access,
    [LINX_G_S32_SETC] = do_nothing,
};

/* ---- one instruction ---- */

/* A body has no 16- and 48-bit code but C.BSTOP and block starts. */
static bool is_body_code(const LinxInst *inst)
{
    unsigned group = linx_rows[inst->op].group;

    return inst->size != 2 || group == LINX_G_TERM ||
           group == LINX_G_HDR_START;
}

static bool fetch(LinxContext *x, LinxInst *inst)
{
    const LinxMemory *memory = &x->state->memory;
    uint8_t bytes[LINX_MAX_BYTES];
    unsigned size;

    if (!memory->read(memory->opaque, x->pc, bytes, 2)) {
        return linx_raise(x, LINX_E_INST, LINX_INST_ACCESS, 0);
    }
    size = linx_length(bytes[0] | bytes[1] << 8);
    if (!memory->read(memory->opaque, x->pc, bytes, size)) {
        return linx_raise(x, LINX_E_INST, LINX_INST_ACCESS, 0);
    }
    return linx_decode(bytes, size, inst) || linx_illegal(x);
}

static bool step(LinxContext *x)
{
    LinxInst inst;
    unsigned group;

    if (x->state->budget == 0) {
        x->record->out_of_budget = true;
        return false;
    }
    x->state->budget--;
    if (!fetch(x, &inst)) {
        return false;
    }
    group = linx_rows[inst.op].group;
    if (group >= G_N_ELEMENTS(handlers) || !handlers[group] ||
        (x->block ? !is_body_code(&inst) : inst.size != 4)) {
        return linx_illegal(x);
    }
    x->inst = &inst;
    x->lanes = x->block && linx_is_vector(&inst) ? LINX_LANES : 1;
    x->releases = 0;
    x->next_pc = x->pc + inst.size;
    if (!handlers[group](x)) {
        return false;
    }
    linx_release(x);
    x->pc = x->next_pc;
    return true;
}

/* ---- groups and blocks ---- */

static bool run_group(LinxState *state, const LinxBlock *block,
                      const LinxBound *bound, uint64_t group, uint64_t *ro,
                      LinxRecord *record)
{
    LinxContext x = {
        .state = state, .block = block, .bound = bound, .ro = ro,
        .record = record, .group = group, .pc = block->text,
    };

    x.live = x.p = linx_group_lanes(block, group, x.lc);
    while (!x.ended) {
        if (!step(&x)) {
            return false;
        }
    }
    return true;
}

/* linx-blocks section 12: all or nothing but what memory has seen. */
static bool run_block(LinxState *state, const LinxBlock *block,
                      LinxRecord *record)
{
    uint64_t ro[LINX_GPR_OUTPUTS];
    LinxBound bound;
    uint32_t cause;

    if (!linx_tiles_bind(&state->tiles, block, &bound, &cause)) {
        record->trapped = true;
        record->trap = (LinxTrap) { LINX_E_BLOCK, cause, block->next - 4 };
        return false;
    }
    memcpy(ro, block->ro_value, sizeof(ro));
    for (uint64_t group = 0; group < linx_groups(block); group++) {
        if (!run_group(state, block, &bound, group, ro, record)) {
            linx_tiles_abandon(&state->tiles, &bound);
            return false;
        }
    }
    for (unsigned i = 0; i < block->gpr_outputs; i++) {
        state->gpr[block->ro[i]] = ro[i];
    }
    linx_tiles_commit(&state->tiles, block, &bound);
    return true;
}

/* As much of a header as can be read, 2 bytes at a time. */
static size_t read_header_bytes(LinxState *state, uint64_t pc,
                                uint8_t *bytes, size_t size)
{
    const LinxMemory *memory = &state->memory;
    size_t count = 0;

    while (count < size && memory->read(memory->opaque, pc + count,
                                        bytes + count, 2)) {
        count += 2;
    }
    return count;
}

static bool run_memory_block(LinxState *state, uint64_t *pc,
                             LinxRecord *record)
{
    uint8_t bytes[1024];
    size_t count = read_header_bytes(state, *pc, bytes, sizeof(bytes));
    LinxBlock block;

    record->bpc = *pc;
    if (!linx_read_header(bytes, count, *pc, state->gpr, &block,
                          &record->trap)) {
        record->trapped = true;
        return false;
    }
    record->next = *pc = block.next;
    return run_block(state, &block, record);
}

static bool is_memory_block(LinxOp op)
{
    return (op >= LINX_BSTART_MPAR && op <= LINX_C_BSTART_VSEQ);
}

static bool is_scalar_block(LinxOp op)
{
    return op == LINX_BSTART_STD_FALL || op == LINX_C_BSTART_STD_FALL ||
           op == LINX_BSTART_SYS_FALL || op == LINX_C_BSTART_SYS;
}

/* Scalar code up to the next block; *@end is set by ACRC 1. */
static bool run_scalar_block(LinxContext *x, bool is_system, bool *end)
{
    LinxInst inst;

    while (fetch(x, &inst)) {
        unsigned group = linx_rows[inst.op].group;

        if (group == LINX_G_HDR_START || group == LINX_G_TERM) {
            x->pc += group == LINX_G_TERM ? inst.size : 0;
            return true;
        }
        if (inst.op == LINX_ACRC) {
            *end = is_system && inst.field[LINX_F_RST_Type] == 1;
            return *end || linx_illegal(x);
        }
        if (!step(x)) {
            return false;
        }
    }
    return false;
}

bool linx_run(LinxState *state, uint64_t pc, LinxRecord *record)
{
    bool end = false;

    *record = (LinxRecord) { 0 };
    while (!end && state->budget) {
        LinxContext x = { .state = state, .record = record, .pc = pc };
        LinxInst inst;

        state->budget--;
        record->bpc = pc;
        if (!fetch(&x, &inst)) {
            return false;
        }
        if (is_memory_block(inst.op)) {
            if (!run_memory_block(state, &pc, record)) {
                return false;
            }
            continue;
        }
        if (!is_scalar_block(inst.op)) {
            return linx_illegal(&x);
        }
        x.pc += inst.size;
        if (!run_scalar_block(&x, inst.op == LINX_BSTART_SYS_FALL ||
                              inst.op == LINX_C_BSTART_SYS, &end)) {
            return false;
        }
        pc = x.pc;
    }
    record->out_of_budget = !end;
    return end;
}
