/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer over whole waves on random code: nothing crashes, nothing hangs,
 * and no byte outside the mapped memory is touched.
 *
 *   build/tests-isa/fuzz-wave -max_len=512 -max_total_time=600
 *
 * Memory, LDS and the wave lie between pages that cannot be accessed, so that
 * handlers need no sanitizer, whose code is too slow.  An input is registers,
 * then code; the mutator puts in whole encodings of the opcode table.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "tests-unit/decode-words.h"
#include "tests-unit/wave-harness.h"

#define CHECK(condition) ((condition) ? (void)0 : abort())

enum {
    PAGE = 4096,
    HEAD = 32,      /* bytes of an input that are registers */
    QUANTA = 16,    /* the wave is given up after so many */
    CODE_MAX = 2048,
};

#define DATA_VA 0x200000000ull
#define DATA_SIZE 0x10000u
#define CONST_VA 0x300000000ull

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

static WaveHarness *h;
static uint8_t *data_host, *const_host;

/* @size bytes that end where a page begins that cannot be accessed. */
static void *guarded(size_t size)
{
    size_t whole = (size + PAGE - 1) / PAGE * PAGE;
    uint8_t *p = mmap(NULL, whole + 2 * PAGE, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    CHECK(p != MAP_FAILED);
    CHECK(mprotect(p + PAGE, whole, PROT_READ | PROT_WRITE) == 0);
    return p + PAGE + (whole - size);
}

static void set_up(void)
{
    size_t bytes;
    AmdWave *wave;

    for (int level = TESSERA_LEVELS - 1; level >= 0 && !h; level--) {
        h = wave_harness_new(level);
    }
    CHECK(h);
    wave_map(h, DATA_VA, DATA_SIZE, true);
    wave_map(h, CONST_VA, PAGE, false);
    wave_map(h, WAVE_SCRATCH_VA, WAVE_SCRATCH_SIZE, true);
    for (unsigned i = 0; i < h->map_count; i++) {
        h->maps[i].host = guarded(h->maps[i].size);
    }
    data_host = h->maps[1].host;
    const_host = h->maps[2].host;
    memset(const_host, 0x5a, PAGE);
    h->group.lds = guarded(h->group.lds_size);
    bytes = h->engine.exec->wave_bytes;
    CHECK(bytes % 64 == 0);
    wave = guarded(bytes);
    memcpy(wave, h->w, bytes);
    h->w = wave;
    h->group.wave[0] = &wave->w;
}

/* Addresses that are good, nearly good, and any. */
static void set_registers(const uint8_t *head)
{
    uint64_t x, exec;

    memcpy(&x, head, 8);
    memcpy(&exec, head + 8, 8);
    wave_reset(h);
    wave_set_sgpr64(h, 0, DATA_VA);
    wave_set_sgpr64(h, 2, CONST_VA);
    wave_set_sgpr64(h, 4, DATA_VA + (x & 0x1ffff));
    wave_set_sgpr64(h, 6, x);
    wave_set_sgpr64(h, 8, DATA_VA | (x >> 17 & 0x3fff) << 48); /* a V# */
    h->w->s[10] = (uint32_t)(x >> 32) & 0x1ffff;
    h->w->s[11] = 0x00027fac ^ (uint32_t)(x >> 40);
    wave_set_sgpr64(h, 12, (uint64_t)WAVE_SHARED_HI << 48 | (x & 0x1ffff));
    wave_set_sgpr64(h, 14, (uint64_t)WAVE_PRIVATE_HI << 48 | (x & 0xfffff));
    wave_set_sgpr64(h, SGPR_FLAT_SCRATCH, WAVE_SCRATCH_VA);
    h->w->s[SGPR_M0] = head[16] | head[17] << 8 | head[18] << 16;
    wave_set_mode(h, head[20] | head[21] << 8 | (head[22] & 0x88) << 16);
    wave_set_exec(h, exec);
    for (unsigned lane = 0; lane < 64; lane++) {
        wave_vgpr(h, 0)[lane] = lane * (head[24] | 1u);
        wave_vgpr(h, 1)[lane] = (uint32_t)DATA_VA + lane * head[25];
        wave_vgpr(h, 2)[lane] = (uint32_t)(DATA_VA >> 32);
        wave_vgpr(h, 3)[lane] = lane * 4 + head[26] * 256;
        wave_vgpr(h, 4)[lane] = (uint32_t)(x >> lane % 32);
        wave_vgpr(h, 5)[lane] = lane & 1 ? WAVE_SHARED_HI << 16 : 2;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t s_endpgm = 0xbf810000;
    uint8_t *code;
    Wave *wave;

    if (!h) {
        set_up();
    }
    if (size < HEAD + 4) {
        return 0;
    }
    code = h->maps[0].host;
    wave = &h->w->w;
    set_registers(data);
    size = MIN(size - HEAD, CODE_MAX) & ~3ul;
    memset(code, 0, CODE_MAX + 8);
    memcpy(code, data + HEAD, size);
    memcpy(code + size, &s_endpgm, 4);
    h->worker->epoch++;
    worker_flush_tlb(h->worker);
    wave->state = WAVE_RUN;
    if (wave_goto(wave, WAVE_CODE_VA)) {
        for (unsigned n = 0; n < QUANTA && wave->state == WAVE_RUN; n++) {
            wave->budget = QUANTUM;
            h->engine.exec->run(wave);
        }
    }
    worker_report(h->worker);
    for (unsigned i = 0; i < PAGE; i++) {
        CHECK(const_host[i] == 0x5a); /* it cannot be written */
    }
    return 0;
}

/* Half of the time put an encoding in, else what libFuzzer does to bytes. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned int seed)
{
    static GPtrArray *rows;
    Random random = { seed };
    unsigned n = 1 + random_below(&random, 8);
    size_t at;

    if (!rows) {
        rows = decode_rows("gfx9");
    }
    if (max_size < HEAD + 4 || random_below(&random, 2)) {
        return LLVMFuzzerMutate(data, size, max_size);
    }
    at = HEAD + (size > HEAD ? random_below(&random, (size - HEAD) / 4 + 1) *
                               4 : 0);
    while (n-- && at + 12 <= max_size) {
        const OpcodeRow *row = g_ptr_array_index(
            rows, random_below(&random, rows->len));
        Candidate c;

        random_encoding(&random, row, &c);
        if (size < at) {
            memset(data + size, 0, at - size);
        }
        memcpy(data + at, c.words, row->count * 4);
        at += row->count * 4;
        size = MAX(size, at);
    }
    return size;
}
