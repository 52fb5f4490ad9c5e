/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Vector memory of gfx11 and gfx12 without formats: every load, store and
 * atomic operation by buffer, flat, global and scratch addresses, against
 * mem-model.c.
 */
#include <inttypes.h>
#include <string.h>
#include "buffer-model.h"
#include "rdna-model.h"

#define BASE 0x500100020000ull
#define SIZE 0x6000u
enum { ADDR = 2, DATA = 8, DST = 16, SRSRC = 8, SBASE = 4, SOFFSET = 0x40,
       ROW = 64 };

static GRand *rng;

static unsigned below(unsigned n)
{
    return g_rand_int_range(rng, 0, n);
}

static uint64_t random_exec(WaveHarness *h)
{
    uint64_t some = (uint64_t)g_rand_int(rng) << 32 | g_rand_int(rng);

    return (below(2) ? UINT64_MAX : some) & h->w->full;
}

static void fill(uint8_t *p, unsigned size, RdnaData data)
{
    for (unsigned i = 0; i < size; i += 4) {
        uint32_t x = rdna_datum(rng, data);

        memcpy(p + i, &x, 4);
    }
}

/* Everything that is not an address. */
static void fill_state(WaveHarness *h, const RdnaOp *op)
{
    fill(wave_host(h, BASE), SIZE, op->data);
    fill((uint8_t *)wave_vgpr(h, DATA), 4 * 64 * 4, op->data);
    fill((uint8_t *)wave_vgpr(h, DST), 4 * 64 * 4, DATA_BITS);
}

static unsigned load_words(const ModelOp *op)
{
    return (op->bytes + 3) / 4;
}

/* ---- buffers ---- */

typedef struct BufferCase {
    const RdnaOp *op;
    bool offen, idxen;
    unsigned offset;
    char *text;
} BufferCase;

static char *buffer_text(WaveHarness *h, const BufferCase *c)
{
    const ModelOp *op = &c->op->op;
    unsigned words = op->kind == 'l' ? load_words(op) : op->data;

    return g_strdup_printf(
        "buffer_%s v[%d:%d], %s, s[8:11], s3%s%s offset:%u%s", op->name, DATA,
        DATA + words - 1,
        c->idxen && c->offen ? "v[2:3]" : c->idxen || c->offen ? "v2" : "off",
        c->idxen ? " idxen" : "", c->offen ? " offen" : "", c->offset,
        op->kind == 'a' ? rdna_return(h) : "");
}

static BufModel make_buffer(WaveHarness *h, const BufferCase *c, unsigned n)
{
    unsigned lanes = wave_width(h->w), element = n & 1 ? 4u << below(3) : 0;
    BufModel b = {
        .gfx12 = h->w->isa->gen == GEN_12, .base = BASE, .stride = ROW,
        .scale = 1, .records = n & 8 ? 0x10000 : lanes * 5 / 8,
        .sel = { 4, 5, 6, 7 }, .format = 1 + below(63),
        .index_stride = 8u << below(4), .element = element,
        .oob = n >> 1 & 3,
    };

    if (c->op->op.kind == 'a' && c->op->op.bytes == 8 && element == 4) {
        b.element = 8; /* it must not lie in two elements */
    }
    /* Without an index only add_tid keeps lanes apart. */
    b.add_tid = !c->idxen ? !c->offen || b.element || below(2)
                          : below(4) == 0;
    if (b.oob == 3 && !b.element && !(n & 8)) {
        b.records = c->idxen || b.add_tid ? ROW / 2 : 500;
    }
    return b;
}

static void set_places(WaveHarness *h, const BufferCase *c, const BufModel *b)
{
    const ModelOp *op = &c->op->op;
    unsigned lanes = wave_width(h->w), room = ROW - 2 * op->bytes - c->offset;
    bool rows = c->idxen || b->add_tid;

    for (unsigned lane = 0; lane < lanes; lane++) {
        uint32_t index = b->add_tid ? 0 : lane * 37 % lanes;
        uint32_t offset = rows ? below(room) : lane * 16;

        offset -= op->kind == 'a' ? offset % op->bytes : 0;
        wave_vgpr(h, ADDR)[lane] = c->idxen ? index : offset;
        wave_vgpr(h, ADDR + 1)[lane] = offset;
    }
}

static void model_buffer_lane(Model *m, const BufferCase *c,
                              const BufModel *b, const BufAccess *a)
{
    const ModelOp *op = &c->op->op;
    bool whole = op->kind == 'a' || op->bytes < 4;
    unsigned part = whole ? op->bytes : 4;
    ModelOp one = *op;
    ModelByte bytes[16];

    one.bytes = part;
    for (unsigned at = 0; at < op->bytes; at += part) {
        int reg = DATA + at / 4;

        for (unsigned i = 0; i < part; i++) {
            uint64_t va = b->base + SOFFSET + buf_model_place(b, a, at + i);

            bytes[i] = buf_model_in_range(b, a, at, part)
                           ? model_memory(m, va, op->kind != 'l')
                           : (ModelByte){ NULL, TESSERA_FAULT_NONE, 0 };
        }
        model_lane(m, &one, a->lane, bytes, reg, reg);
    }
}

static void run_buffer(WaveHarness *h, const BufferCase *c,
                       const WaveCode *code, unsigned n)
{
    BufModel b = make_buffer(h, c, n);
    uint64_t exec = random_exec(h);
    g_autofree char *what = g_strdup_printf(
        "%s, OOB %u, elements of %u, exec %#" PRIx64, c->text, b.oob,
        b.element, exec);
    Model *m;

    fill_state(h, c->op);
    set_places(h, c, &b);
    h->w->s[3] = SOFFSET;
    buf_model_words(&b, &h->w->s[SRSRC]);
    wave_set_exec(h, exec);
    m = model_new(h);
    for (unsigned lane = 0; lane < 64; lane++) {
        uint32_t *v = wave_vgpr(h, ADDR);
        BufAccess a = {
            c->idxen, v[lane],
            c->offset + (c->offen ? v[lane + 64 * c->idxen] : 0), lane,
        };

        if (exec >> lane & 1) {
            model_buffer_lane(m, c, &b, &a);
        }
    }
    model_compare(m, wave_run(h, code), what);
    model_free(m);
}

static void test_buffers(WaveHarness *h, const void *data)
{
    g_autofree BufferCase *cases = g_new0(BufferCase, rdna_op_count * 4);
    g_autofree const char **texts = g_new0(const char *, rdna_op_count * 4);
    unsigned count = 0;
    WaveCode *code;

    rng = g_rand_new_with_seed(1100);
    wave_map(h, BASE, SIZE, true);
    for (unsigned i = 0; i < rdna_op_count * 4; i++) {
        const RdnaOp *op = &rdna_ops[i / 4];

        if (rdna_op_places(h, op) & IN_BUFFER) {
            BufferCase *c = &cases[count];

            *c = (BufferCase){ op, i & 1, i >> 1 & 1, i % 4 * 8, NULL };
            c->text = buffer_text(h, c);
            texts[count++] = c->text;
        }
    }
    code = wave_assemble(texts, count);
    for (unsigned i = 0; i < count; i++) {
        for (unsigned n = 0; n < 16; n++) {
            run_buffer(h, &cases[i], &code[i], n);
        }
        g_free(cases[i].text);
    }
    wave_code_free(code);
    g_rand_free(rng);
}

/* ---- FLAT, GLOBAL, SCRATCH ---- */

typedef enum Form {
    FLAT_VGPR, GLOBAL_VGPR, GLOBAL_SGPR,
    SCRATCH_NONE, SCRATCH_VGPR, SCRATCH_SGPR, SCRATCH_BOTH,
    FORMS
} Form;

static const struct {
    const char *prefix, *addr, *saddr;
    unsigned place;
} forms[FORMS] = {
    [FLAT_VGPR] = { "flat", "v[2:3]", "", IN_FLAT },
    [GLOBAL_VGPR] = { "global", "v[2:3]", ", off", IN_GLOBAL },
    [GLOBAL_SGPR] = { "global", "v2", ", s[4:5]", IN_GLOBAL },
    [SCRATCH_NONE] = { "scratch", "off", ", off", IN_SCRATCH },
    [SCRATCH_VGPR] = { "scratch", "v2", ", off", IN_SCRATCH },
    [SCRATCH_SGPR] = { "scratch", "off", ", s4", IN_SCRATCH },
    [SCRATCH_BOTH] = { "scratch", "v2", ", s4", IN_SCRATCH },
};

typedef struct FlatCase {
    const RdnaOp *op;
    Form form;
    int offset;
    bool ret;
    char *text;
} FlatCase;

static char *flat_text(WaveHarness *h, const FlatCase *c)
{
    const ModelOp *op = &c->op->op;
    g_autofree char *dst = NULL, *data = NULL;

    dst = op->kind == 'l' || c->ret
              ? g_strdup_printf("v[%u:%u], ", DST, DST + load_words(op) - 1)
              : g_strdup("");
    data = op->kind != 'l'
               ? g_strdup_printf(", v[%u:%u]", DATA, DATA + op->data - 1)
               : g_strdup("");
    return g_strdup_printf("%s_%s %s%s%s%s offset:%d%s",
                           forms[c->form].prefix, op->name, dst,
                           forms[c->form].addr, data, forms[c->form].saddr,
                           c->offset, c->ret ? rdna_return(h) : "");
}

/* Offsets at the ends of their fields: 12 or 13 bits, 24 from gfx12 on. */
static int pick_offset(WaveHarness *h, Form form, unsigned n)
{
    static const int small[] = { 0, 4095, -4096, 40 };
    static const int large[] = { 0, 0x7fffff, -0x800000, -36 };
    bool gfx12 = h->w->isa->gen == GEN_12;
    int offset = (gfx12 ? large : small)[n % 4];

    if (form == FLAT_VGPR && !gfx12 && offset < 0) {
        return 2048; /* unsigned */
    }
    if (form == SCRATCH_NONE) { /* is all there is of the address */
        return 8 * (int)n;
    }
    /* Before gfx12 the registers are not negative. */
    return form > SCRATCH_NONE && !gfx12 ? MIN(offset, 255) : offset;
}

/* Offset @n of a lane in what is being accessed: all lanes' are apart. */
static uint32_t place_of(const FlatCase *c, unsigned n, unsigned pattern)
{
    unsigned bytes = c->op->op.bytes;
    uint32_t at = pattern == 0 ? n * bytes : (n * 29 % 64) * 48 + below(32);

    return c->op->op.kind == 'a' ? at - at % bytes : at;
}

static void set_vgpr_pair(WaveHarness *h, unsigned lane, uint64_t x)
{
    wave_vgpr(h, ADDR)[lane] = (uint32_t)x;
    wave_vgpr(h, ADDR + 1)[lane] = x >> 32;
}

/* Private address 0x200 and up, of one offset for all lanes or of each. */
static uint32_t private_place(const FlatCase *c, unsigned lane,
                              unsigned pattern)
{
    return 0x200 + (pattern == 0 ? 0x20 : place_of(c, lane % 16, pattern));
}

/* Split a private address over the registers that the form has. */
static void set_scratch(WaveHarness *h, const FlatCase *c, unsigned lane,
                        uint32_t p)
{
    /* From gfx12 on the parts may be negative. */
    bool gfx12 = h->w->isa->gen == GEN_12;
    uint32_t sgpr = gfx12 ? (uint32_t)-0x12340 : 0x100;
    uint32_t rest = p - (uint32_t)c->offset;

    h->w->s[SBASE] = c->form == SCRATCH_SGPR ? rest : sgpr;
    wave_vgpr(h, ADDR)[lane] = c->form == SCRATCH_BOTH ? rest - sgpr : rest;
}

static uint64_t scratch_address(WaveHarness *h, unsigned lane, uint32_t p)
{
    return WAVE_SCRATCH_VA + p / 4 * wave_width(h->w) * 4 + lane * 4 + p % 4;
}

/*
 * Set a lane's address and find its bytes: the other way round than the
 * instruction does.
 */
static void place_lane(WaveHarness *h, Model *m, const FlatCase *c,
                       unsigned lane, unsigned pattern, ModelByte *bytes)
{
    bool write = c->op->op.kind != 'l';
    uint64_t va = BASE + 0x200 + place_of(c, lane, pattern);
    uint32_t p = private_place(c, lane, pattern);
    unsigned third = c->form == FLAT_VGPR ? lane % 3 : 0;

    if (c->form == SCRATCH_NONE) {
        p = (uint32_t)c->offset;
    } else if (c->form == SCRATCH_SGPR) {
        p = private_place(c, 0, 0);
    }
    if (third == 1 && c->op->op.kind == 'a' && c->op->op.bytes == 8) {
        third = 0; /* it would lie in two elements */
    }
    /* An aperture is recognised before the offset is added. */
    if (c->offset > (int)(third == 1 ? p : (uint32_t)(va - BASE))) {
        third = 0;
    }
    for (unsigned i = 0; i < c->op->op.bytes; i++) {
        if (c->form >= SCRATCH_NONE || third == 1) {
            bytes[i] = model_memory(m, scratch_address(h, lane, p + i),
                                    write);
        } else if (third == 2) {
            bytes[i] = (ModelByte){ &m->lds[va - BASE + i], 0, 0 };
        } else {
            bytes[i] = model_memory(m, va + i, write);
        }
    }
    if (c->form >= SCRATCH_NONE) {
        set_scratch(h, c, lane, p);
    } else if (c->form == GLOBAL_SGPR) {
        wave_vgpr(h, ADDR)[lane] = (uint32_t)(va - BASE) + 0xfffe0000;
    } else {
        va = third == 1 ? (uint64_t)WAVE_PRIVATE_HI << 48 | p :
             third == 2 ? (uint64_t)WAVE_SHARED_HI << 48 | (va - BASE) : va;
        set_vgpr_pair(h, lane, va - (uint64_t)(int64_t)c->offset);
    }
}

static void run_flat(WaveHarness *h, const FlatCase *c, const WaveCode *code,
                     unsigned pattern)
{
    g_autofree char *what = g_strdup_printf("%s, pattern %u", c->text,
                                            pattern);
    uint64_t exec = random_exec(h);
    ModelByte bytes[64][16];
    Model *m;

    fill_state(h, c->op);
    m = model_new(h);
    for (unsigned lane = 0; lane < wave_width(h->w); lane++) {
        place_lane(h, m, c, lane, pattern, bytes[lane]);
    }
    if (c->form == GLOBAL_SGPR) { /* the VGPR is unsigned */
        uint64_t base = BASE - 0xfffe0000 - (uint64_t)(int64_t)c->offset;

        wave_set_sgpr64(h, SBASE, base);
    }
    wave_set_exec(h, exec);
    memcpy(m->v, wave_vgpr(h, 0), sizeof(m->v));
    for (unsigned lane = 0; lane < 64; lane++) {
        if (exec >> lane & 1) {
            model_lane(m, &c->op->op, lane, bytes[lane],
                       c->op->op.kind == 'l' || c->ret ? DST : -1, DATA);
        }
    }
    model_compare(m, wave_run(h, code), what);
    model_free(m);
}

static GArray *flat_cases(WaveHarness *h)
{
    GArray *cases = g_array_new(FALSE, FALSE, sizeof(FlatCase));

    for (unsigned i = 0; i < rdna_op_count * FORMS * 4; i++) {
        const RdnaOp *op = &rdna_ops[i / 4 / FORMS];
        Form form = i / 4 % FORMS;
        FlatCase c = { op, form, pick_offset(h, form, i % 4),
                       op->op.kind == 'a' && i % 2, NULL };

        if (rdna_op_places(h, op) & forms[form].place) {
            c.text = flat_text(h, &c);
            g_array_append_val(cases, c);
        }
    }
    return cases;
}

static void test_flat(WaveHarness *h, const void *data)
{
    GArray *cases = flat_cases(h);
    g_autofree const char **texts = g_new(const char *, cases->len);
    WaveCode *code;

    rng = g_rand_new_with_seed(1101);
    wave_map(h, BASE, SIZE, true);
    wave_map(h, WAVE_SCRATCH_VA, WAVE_SCRATCH_SIZE, true);
    for (unsigned i = 0; i < cases->len; i++) {
        texts[i] = g_array_index(cases, FlatCase, i).text;
    }
    code = wave_assemble(texts, cases->len);
    for (unsigned i = 0; i < cases->len; i++) {
        const FlatCase *c = &g_array_index(cases, FlatCase, i);

        if (i % 64 == 0 || c->op->data != c[-1].op->data) {
            fill(h->group.lds, 0x2000, c->op->data);
            fill(wave_host(h, WAVE_SCRATCH_VA), WAVE_SCRATCH_SIZE,
                 c->op->data);
        }
        for (unsigned n = 0; n < 4; n++) {
            h->warm = n / 2;
            run_flat(h, c, &code[i], n % 2);
        }
    }
    for (unsigned i = 0; i < cases->len; i++) {
        g_free((char *)texts[i]);
    }
    g_array_free(cases, TRUE);
    wave_code_free(code);
    g_rand_free(rng);
}

/* ---- main ---- */

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        unsigned lanes;
    } targets[] = {
        { "gfx1100", 32 }, { "gfx1150", 64 }, { "gfx1200", 32 },
        { "gfx1201", 64 },
    };

    g_test_init(&argc, &argv, NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS(targets); i++) {
        wave_test_target("/rdna-vmem/buffers", targets[i].name,
                         targets[i].lanes, test_buffers, NULL);
        wave_test_target("/rdna-vmem/flat", targets[i].name,
                         targets[i].lanes, test_flat, NULL);
    }
    return g_test_run();
}
