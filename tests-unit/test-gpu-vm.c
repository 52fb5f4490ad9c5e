/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Page tables: what an address of a VMID is, and what it must not be.  The
 * bits of entries are written out here as the programming guide has them.
 */
#include <string.h>
#include "tests-unit/gpu-space.h"

#define KB4 4096ull
#define MB2 (2ull << 20)
#define VA 0x123456789000ull
#define CODE (1ull << 46) /* VRAM window: an address like any other here */

#define NONE TESSERA_FAULT_NONE
#define BAD TESSERA_FAULT_PAGE_TABLE

static const TesseraBars bars = {
    .vram = 0x4000000000, .vram_size = VRAM_BYTES,
    .doorbell = 0x5000000000, .doorbell_size = 0x80000,
    .regs = 0xfe000000, .regs_size = 0x10000,
    .msix = 0xfe010000, .msix_size = 0x1000,
};

static Fixture *new_fixture(void)
{
    Fixture *f = fixture_new(0);

    tessera_gpu_unmap_all(f->gpu);
    tessera_gpu_unmap_end(f->gpu, &bars);
    return f;
}

static void check_page(Space *s, uint64_t va, const void *host, bool vram,
                       uint64_t backing)
{
    EnginePage page;

    g_assert_cmpint(space_find(s, va, ENGINE_READ, &page), ==, NONE);
    g_assert_true(page.host == host);
    g_assert_true(page.vram == vram);
    g_assert_cmphex(page.backing, ==, backing);
}

/* Tables in RAM, in VRAM, and some in each; pages of both sizes in both. */
static void test_levels(gconstpointer kind)
{
    Fixture *f = new_fixture();
    Space *s = space_new(f, 5, GPOINTER_TO_UINT(kind) ? 8 * MB2 : 0);
    uint64_t ram = fixture_alloc(f, 3 * KB4);
    const uint64_t places[] = {
        0, KB4, MB2 - KB4, MB2, 1ull << 30, 1ull << 39, VA, CODE,
        (1ull << 48) - KB4,
    };

    s->mixed = GPOINTER_TO_UINT(kind) == 2;
    for (unsigned i = 0; i < G_N_ELEMENTS(places); i++) {
        uint64_t leaf = i % 2 ? (ram + i % 3 * KB4) | RAM_RW : i * KB4 | RW;

        space_map(s, places[i], KB4, leaf);
    }
    space_map(s, 6 * MB2, 2 * MB2, 2 * MB2 | RW);
    space_on(s);
    for (unsigned i = 0; i < G_N_ELEMENTS(places); i++) {
        uint64_t at = i % 2 ? ram + i % 3 * KB4 : i * KB4;

        check_page(s, places[i] + i, i % 2 ? fixture_at(f, at) : f->vram + at,
                   i % 2 == 0, at);
    }
    check_page(s, 6 * MB2, f->vram + 2 * MB2, true, 2 * MB2);
    check_page(s, 7 * MB2 + 5 * KB4 + 7, f->vram + 3 * MB2 + 5 * KB4, true,
               3 * MB2 + 5 * KB4);
    g_assert_cmpint(space_find(s, 8 * MB2, ENGINE_READ, &(EnginePage){ 0 }),
                    ==, TESSERA_FAULT_UNMAPPED);
    space_free(s);
    fixture_free(f);
}

/* Valid 0, system 1, snooped 2, execute 4, read 5, write 6, leaf 54. */
static void test_permissions(void)
{
    static const struct {
        uint64_t bits;
        TesseraFaultCause read, write, fetch;
    } cases[] = {
        { 1 << 5 | 1 << 6 | 1 << 4, NONE, NONE, NONE },
        { 1 << 5 | 1 << 6, NONE, NONE, TESSERA_FAULT_NO_EXECUTE },
        { 1 << 5, NONE, TESSERA_FAULT_READ_ONLY, TESSERA_FAULT_NO_EXECUTE },
        { 1 << 5 | 1 << 4, NONE, TESSERA_FAULT_READ_ONLY, NONE },
        { 1 << 4, TESSERA_FAULT_NO_READ, TESSERA_FAULT_READ_ONLY, NONE },
        { 0, TESSERA_FAULT_NO_READ, TESSERA_FAULT_READ_ONLY,
          TESSERA_FAULT_NO_EXECUTE },
        { 1 << 6, BAD, BAD, BAD },
        { 1 << 6 | 1 << 4, BAD, BAD, BAD },
    };
    Fixture *f = new_fixture();
    Space *s = space_new(f, 63, 0);
    uint64_t ram = fixture_alloc(f, KB4);
    EnginePage page;

    for (unsigned i = 0; i < G_N_ELEMENTS(cases) * 3; i++) {
        static const uint64_t spread[] = { 0, MB2 / 2, MB2 };
        unsigned c = i / 3;
        uint64_t at = VA - VA % MB2 + spread[i % 3];
        uint64_t place = i % 3 == 0 ? ram | 1 << 1 : i % 3 * MB2;

        space_map(s, at, i % 3 == 2 ? MB2 : KB4, place | cases[c].bits);
        space_on(s);
        g_assert_cmpint(space_find(s, at, ENGINE_READ, &page), ==,
                        cases[c].read);
        g_assert_true(cases[c].read != NONE || cases[c].write == NONE ||
                      !page.writable);
        g_assert_cmpint(space_find(s, at, ENGINE_WRITE, &page), ==,
                        cases[c].write);
        g_assert_true(cases[c].write != NONE || page.writable);
        g_assert_cmpint(space_find(s, at, ENGINE_FETCH, &page), ==,
                        cases[c].fetch);
    }
    space_free(s);
    fixture_free(f);
}

/* Each bit of an entry at each level alone: ignored, allowed or refused. */
static void test_reserved_bits(void)
{
    /* what may be set besides, at levels 0 to 3; address bits apart */
    static const uint64_t allowed[] = {
        0x7full << 0 | 0x1full << 7 | 3ull << 57, 7, 7, 7,
    };
    Fixture *f = new_fixture();
    Space *s = space_new(f, 1, 0);
    EnginePage page;

    space_map(s, VA, KB4, fixture_alloc(f, KB4) | RAM_RWX);
    space_on(s);
    for (unsigned level = 0; level < 4; level++) {
        uint64_t *entry = space_entry(s, VA, level), good = *entry;

        for (unsigned bit = 0; bit < 64; bit++) {
            uint64_t changed = good | 1ull << bit;
            bool address = bit >= 12 && bit < 48;

            if (address || changed == good || bit == 3) {
                continue; /* doorbell: see below */
            }
            *entry = changed;
            g_assert_cmpint(space_find(s, VA, ENGINE_READ, &page), ==,
                            allowed[level] >> bit & 1 ? NONE : BAD);
            *entry = changed & ~1ull;
            g_assert_cmpint(space_find(s, VA, ENGINE_READ, &page), ==,
                            TESSERA_FAULT_UNMAPPED);
        }
        *entry = good;
    }
    g_assert_cmpint(space_find(s, VA, ENGINE_READ, &page), ==, NONE);
    space_free(s);
    fixture_free(f);
}

static void test_reserved_huge(void)
{
    const uint64_t allowed = 0x77ull | 0x1full << 7 | 3ull << 57 | 1ull << 54;
    Fixture *f = new_fixture();
    Space *s = space_new(f, 1, 0);
    uint64_t *entry, good;
    EnginePage page;

    space_map(s, MB2, MB2, MB2 | RW);
    space_on(s);
    entry = space_entry(s, MB2, 1);
    good = *entry;
    for (unsigned bit = 0; bit < 64; bit++) {
        bool address = bit >= 21 && bit < 48;

        *entry = good | 1ull << bit;
        if (!address && bit != 1 && *entry != good) {
            g_assert_cmpint(space_find(s, MB2, ENGINE_READ, &page), ==,
                            allowed >> bit & 1 ? NONE : BAD);
        }
    }
    space_free(s);
    fixture_free(f);
}

/* An entry at a level, and what comes of it. */
static void test_bad_entries(void)
{
    const uint64_t end = VRAM_BYTES;
    const struct {
        unsigned level;
        uint64_t entry;
        TesseraFaultCause cause;
    } cases[] = {
        /* leaves */
        { 0, 0, TESSERA_FAULT_UNMAPPED },
        { 0, (end - KB4) | RW | 1, NONE },
        { 0, end | RW | 1, BAD },
        { 0, 0xfffffffff000 | RW | 1, BAD },
        { 0, 0xfffffffff000 | RAM_RW | 1, TESSERA_FAULT_UNMAPPED },
        { 0, bars.vram | RAM_RW | 1, NONE },
        { 0, (bars.vram + end - KB4) | RAM_RW | 1, NONE },
        { 0, bars.regs | RAM_RW | 1, TESSERA_FAULT_DEVICE_BAR },
        { 0, (bars.regs + 0xf000) | RAM_RW | 1, TESSERA_FAULT_DEVICE_BAR },
        { 0, bars.msix | RAM_RW | 1, TESSERA_FAULT_DEVICE_BAR },
        { 0, 1ull << 46 | RAM_RW | 1, TESSERA_FAULT_UNMAPPED }, /* no window */
        /* leaves of 2 MiB */
        { 1, 2 * MB2 | RW | 1 | 1ull << 54, NONE },
        { 1, (2 * MB2 + KB4) | RW | 1 | 1ull << 54, BAD },
        { 1, (2 * MB2 + MB2 / 2) | RW | 1 | 1ull << 54, BAD },
        { 1, end | RW | 1 | 1ull << 54, BAD },
        { 1, 2 * MB2 | RW | 1 << 3 | 1 | 1ull << 54, BAD },
        { 2, 0 | RW | 1 | 1ull << 54, BAD },
        { 3, 0 | RW | 1 | 1ull << 54, BAD },
        { 0, 2 * MB2 | RW | 1 | 1ull << 54, BAD },
        /* tables where none can be */
        { 1, end | 1, BAD },
        { 2, 0xfffffffff000 | 1, BAD },
        { 3, 0xfffffffff000 | 3, BAD },
        { 1, bars.regs | 3, BAD },
        { 2, bars.msix | 3, BAD },
        { 3, bars.doorbell | 3, BAD },
        { 1, (bars.doorbell + TESSERA_SLICE_SIZE) | 3, BAD },
        { 1, MOCK_DEVICE_BASE | 3, BAD },
        { 2, 0x1000 | 3, BAD },
        { 1, bars.vram | 3, TESSERA_FAULT_UNMAPPED }, /* a table of zeroes */
        { 1, MOCK_ROM_BASE | 3, TESSERA_FAULT_UNMAPPED },
    };
    Fixture *f = new_fixture();
    Space *s = space_new(f, 1, 16 * MB2);
    EnginePage page;

    space_map(s, VA, KB4, 2 * MB2 | RW);
    space_on(s);
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        uint64_t *entry = space_entry(s, VA, cases[i].level), good = *entry;
        TesseraFaultCause cause;

        *entry = cases[i].entry;
        cause = space_find(s, VA, ENGINE_WRITE, &page);
        if (cause != cases[i].cause) {
            g_error("case %u: cause %u, not %u", i, cause, cases[i].cause);
        }
        *entry = good;
    }
    space_free(s);
    fixture_free(f);
}

/* VM_ROOT as an entry: it may lie, too. */
static void test_bad_roots(void)
{
    Fixture *f = new_fixture();
    Space *s = space_new(f, 2, 0);
    const struct {
        uint64_t root;
        TesseraFaultCause cause;
    } cases[] = {
        { 0, TESSERA_FAULT_UNMAPPED },
        { MOCK_RAM_BASE | 2, TESSERA_FAULT_UNMAPPED }, /* not valid */
        { VRAM_BYTES | 1, BAD },
        { VRAM_BYTES - KB4 + 1, TESSERA_FAULT_UNMAPPED },
        { bars.regs | 3, BAD },
        { bars.doorbell | 3, BAD },
        { 0x3000 | 3, BAD },
    };
    EnginePage page;

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        s->pages.root = cases[i].root;
        space_on(s);
        g_assert_cmpint(space_find(s, VA, ENGINE_READ, &page), ==,
                        cases[i].cause);
    }
    space_free(s);
    fixture_free(f);
}

/* A table that is all its own levels, and its own page. */
static void test_loop(void)
{
    Fixture *f = new_fixture();
    Space *s = space_new(f, 3, 0);
    uint64_t table = fixture_alloc(f, KB4);
    unsigned before;
    EnginePage page;

    for (unsigned i = 0; i < TESSERA_PT_ENTRIES; i++) {
        store64((uint64_t *)fixture_at(f, table) + i, table | 3);
    }
    s->pages.root = table | 3;
    space_on(s);
    before = f->mock->maps;
    for (uint64_t va = 0; va >> 48 == 0; va += 0x7fedcba9000) {
        g_assert_cmpint(space_find(s, va, ENGINE_READ, &page), ==,
                        TESSERA_FAULT_NO_READ);
    }
    g_assert_cmpuint(f->mock->maps - before, ==, 1);
    store64(fixture_at(f, table), table | RAM_RW | 1);
    g_assert_cmpint(space_find(s, 0, ENGINE_WRITE, &page), ==, BAD);
    g_assert_cmpint(space_find(s, 1ull << 12, ENGINE_WRITE, &page), ==, BAD);
    space_free(s);
    fixture_free(f);
}

static void test_non_canonical(void)
{
    Fixture *f = new_fixture();
    Space *s = space_new(f, 3, 0);
    EnginePage page;

    space_map(s, VA, KB4, fixture_alloc(f, KB4) | RAM_RW);
    space_on(s);
    for (unsigned bit = 48; bit < 64; bit++) {
        g_assert_cmpint(space_find(s, VA | 1ull << bit, ENGINE_READ, &page),
                        ==, TESSERA_FAULT_NON_CANONICAL);
    }
    g_assert_cmpint(space_find(s, VA | 0xffffull << 48, ENGINE_READ, &page),
                    ==, TESSERA_FAULT_NON_CANONICAL);
    g_assert_cmpint(space_find(s, VA, ENGINE_READ, &page), ==, NONE);
    space_free(s);
    fixture_free(f);
}

/* VMID 0 has no tables until it is given some. */
static void test_vmid0(void)
{
    Fixture *f = new_fixture();
    Space *s = space_new(f, 0, 4 * MB2);
    uint64_t ram = fixture_alloc(f, KB4);
    EnginePage page;

    check_page(s, ram, fixture_at(f, ram), false, ram);
    check_page(s, TESSERA_VRAM_WINDOW + KB4, f->vram + KB4, true, KB4);
    space_map(s, VA, KB4, ram | RAM_RW);
    space_on(s);
    check_page(s, VA, fixture_at(f, ram), false, ram);
    g_assert_cmpint(space_find(s, ram, ENGINE_READ, &page), ==,
                    TESSERA_FAULT_UNMAPPED);
    space_off(s);
    check_page(s, ram, fixture_at(f, ram), false, ram);
    space_free(s);
    fixture_free(f);
}

/* ---- more than a page ---- */

static void check_stretch(Space *s, uint64_t va, EngineAccess access,
                          uint64_t before, uint64_t after)
{
    EnginePage page;

    g_assert_cmpint(space_find(s, va, access, &page), ==, NONE);
    g_assert_cmphex(page.before, ==, before);
    g_assert_cmphex(page.after, ==, after);
}

/*
 * Pages of 2 MiB and VMID 0 say how far the same holds; pages of 4 KiB and
 * doorbells stand alone.  RAM is known from the first page on that the host
 * was asked for.
 */
static void test_stretches(void)
{
    Fixture *f = new_fixture();
    Space *s = space_new(f, 3, 0), *zero = space_new(f, 0, 0);
    uint64_t ram = MOCK_RAM_BASE + MB2 - MOCK_RAM_BASE % MB2;

    space_map(s, 8 * MB2, MB2, ram | RAM_RW);
    space_map(s, 9 * MB2, MB2, 2 * MB2 | RW);
    space_map(s, 10 * MB2, 2 * KB4, 4 * MB2 | RW);
    space_map(s, 11 * MB2, KB4, TESSERA_PT_DOORBELL | RW);
    space_on(s);
    check_stretch(s, 8 * MB2 + 3 * KB4, ENGINE_READ, 0, MB2 - 4 * KB4);
    check_stretch(s, 8 * MB2 + 5 * KB4, ENGINE_READ, 2 * KB4, MB2 - 6 * KB4);
    check_stretch(s, 8 * MB2, ENGINE_WRITE, 0, MB2 - KB4);
    check_stretch(s, 8 * MB2 + KB4, ENGINE_READ, KB4, MB2 - 2 * KB4);
    check_stretch(s, 9 * MB2 + 7 * KB4, ENGINE_READ, 7 * KB4, MB2 - 8 * KB4);
    check_stretch(s, 10 * MB2, ENGINE_READ, 0, 0);
    check_stretch(s, 11 * MB2, ENGINE_WRITE, 0, 0);
    check_stretch(zero, TESSERA_VRAM_WINDOW + KB4, ENGINE_READ, KB4,
                  MB2 - 2 * KB4);
    check_stretch(zero, bars.doorbell, ENGINE_WRITE, 0, 0);
    check_stretch(zero, ram, ENGINE_READ, 0, MB2 - KB4);
    space_free(zero);
    space_free(s);
    fixture_free(f);
}

/* The device's own parts end it: what lies there is no RAM to shaders. */
static void test_stretch_ends(void)
{
    Fixture *f = new_fixture();
    Space *s = space_new(f, 0, 0);
    uint64_t ram = MOCK_RAM_BASE + MB2 - MOCK_RAM_BASE % MB2;
    TesseraBars inside = bars;

    inside.regs = ram + MB2 / 2;
    tessera_gpu_unmap_all(f->gpu);
    tessera_gpu_unmap_end(f->gpu, &inside);
    check_stretch(s, ram, ENGINE_READ, 0, 0);
    g_assert_cmpint(space_find(s, inside.regs, ENGINE_READ,
                               &(EnginePage){ 0 }), ==,
                    TESSERA_FAULT_DEVICE_BAR);
    space_free(s);
    fixture_free(f);
}

/* ---- doorbells ---- */

static void test_doorbell_leaves(void)
{
    const unsigned vmid = 9;
    const uint64_t own = bars.doorbell + vmid * TESSERA_SLICE_SIZE;
    const struct {
        uint64_t leaf;
        TesseraFaultCause cause;
    } cases[] = {
        { 0 | 1 << 3 | RW, NONE },
        { 0x1000 | 1 << 3 | RW, NONE },
        { 0x2000 | 1 << 3 | RW, BAD },
        { 0xffffffff000 | 1 << 3 | RW, BAD },
        { 0 | 1 << 3 | RAM_RW, BAD },
        { 0 | 1 << 3 | RW | TESSERA_PT_EXECUTE, BAD },
        { 0 | 1 << 3 | TESSERA_PT_READ, TESSERA_FAULT_READ_ONLY },
        { own | RAM_RW, NONE },
        { (own + 0x1000) | RAM_RW, NONE },
        { (own - 0x1000) | RAM_RW, TESSERA_FAULT_DEVICE_BAR },
        { (own + 0x2000) | RAM_RW, TESSERA_FAULT_DEVICE_BAR },
        { bars.doorbell | RAM_RW, TESSERA_FAULT_DEVICE_BAR },
        { (bars.doorbell + 0x7f000) | RAM_RW, TESSERA_FAULT_DEVICE_BAR },
    };
    Fixture *f = new_fixture();
    Space *s = space_new(f, vmid, 0);
    EnginePage page;

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        space_map(s, VA, KB4, cases[i].leaf);
        space_on(s);
        g_assert_cmpint(space_find(s, VA, ENGINE_WRITE, &page), ==,
                        cases[i].cause);
        if (cases[i].cause == NONE) {
            store64(page.host + 8, i + 1);
            g_assert_cmpuint(
                tessera_gpu_doorbell_read(
                    f->gpu, vmid * TESSERA_SLICE_SIZE +
                    (cases[i].leaf & 0x1000) + 8, 8), ==, i + 1);
        }
        g_assert_cmpint(space_find(s, VA, ENGINE_FETCH, &page), !=, NONE);
    }
    space_free(s);
    fixture_free(f);
}

/* ---- queues in VMIDs ---- */

#define QUEUE_VA 0x100000000ull /* queue, ring and signal; the same for all */

typedef struct Process {
    Space *space;
    uint64_t ram;     /* three pages: AmdQueue and signal, ring, data */
    AmdSignal *signal;
    Ring ring;
} Process;

static void process_start(Fixture *f, Process *p, unsigned vmid)
{
    Ring *r = &p->ring;

    *p = (Process){ .space = space_new(f, vmid, (64 + vmid) * 65536) };
    p->ram = fixture_alloc(f, 3 * KB4);
    space_map(p->space, QUEUE_VA, 3 * KB4, p->ram | RAM_RW);
    space_map(p->space, VA, KB4, f->kernel_at | RAM_RWX);
    space_map(p->space, 0, KB4, 0 | RW | TESSERA_PT_DOORBELL);
    space_on(p->space);
    *r = (Ring){ .slot = vmid, .packets = 16 };
    r->desc_at = fixture_alloc(f, KB4);
    r->desc = fixture_at(f, r->desc_at);
    r->amd = fixture_at(f, p->ram);
    r->ring = fixture_at(f, p->ram + KB4);
    p->signal = fixture_at(f, p->ram + 1024);
    for (unsigned i = 0; i < r->packets; i++) {
        r->ring[i].header = AQL_TYPE_INVALID;
    }
    r->amd->read_dispatch_id_field_base_byte_offset = 0x80;
    *r->desc = (TesseraQueue){
        .size = sizeof(TesseraQueue), .version = TESSERA_ABI_VERSION,
        .vmid = vmid, .doorbell = 5, .ring = QUEUE_VA + KB4,
        .ring_packets = r->packets, .read_index_addr = QUEUE_VA + 0x80,
        .write_index_addr = QUEUE_VA + 0x38,
    };
    r->doorbell = vmid * TESSERA_SLICE_DOORBELLS + 5;
    set32(f, TESSERA_REG_VM_PASID + vmid * TESSERA_VM_STRIDE, 1000 + vmid);
    g_assert_cmpuint(run_command(f, TESSERA_CMD_MAP, vmid, r->desc_at), ==,
                     TESSERA_RESULT_OK);
}

static void process_put(Fixture *f, Process *p)
{
    AqlDispatch packet = dispatch_packet(f, QUEUE_VA + 1024);

    packet.kernel_object = VA;
    store64(&p->signal->value, 1);
    ring_put(f, &p->ring, &packet);
}

static void process_end(Process *p)
{
    space_free(p->space);
}

/* 64 VMIDs in turn, one and the same address each: nobody's data but one's. */
static void test_isolation(void)
{
    Fixture *f = new_fixture();
    Process p[TESSERA_VMIDS];

    fake_engine_auto(false);
    for (unsigned v = 1; v < TESSERA_VMIDS; v++) {
        process_start(f, &p[v], v);
    }
    for (unsigned v = 1; v < TESSERA_VMIDS; v++) {
        unsigned n = fake_engine_submitted();

        process_put(f, &p[v]);
        ring_bell(f, &p[v].ring);
        g_assert_cmpuint(fake_engine_dispatch(n).vmid, ==, v);
        g_assert_cmpint(fake_engine_store(n, QUEUE_VA + 2 * KB4, v * 111), ==,
                        NONE);
        fake_engine_finish(n);
        WAIT_FOR(load64(&p[v].signal->value) == 0);
        for (unsigned other = 1; other < TESSERA_VMIDS; other++) {
            uint64_t *data = fixture_at(f, p[other].ram + 2 * KB4);

            g_assert_cmpuint(load64(data), ==, other <= v ? other * 111 : 0);
            g_assert_cmpuint(load64(&p[other].ring.amd->read_dispatch_id), ==,
                             other <= v);
        }
    }
    for (unsigned v = 1; v < TESSERA_VMIDS; v++) {
        process_end(&p[v]);
    }
    fixture_free(f);
}

/* A shader of each VMID rings doorbell 5 at address 0: its own queue moves. */
static void test_own_slice(void)
{
    Fixture *f = new_fixture();
    Process p[3];

    fake_engine_auto(false);
    for (unsigned i = 0; i < 3; i++) {
        process_start(f, &p[i], i + 1);
        process_put(f, &p[i]);
        ring_bell(f, &p[i].ring);
        fake_engine_dispatch(i);
    }
    for (unsigned i = 0; i < 3; i++) {
        process_put(f, &p[i]);
        g_assert_cmpint(fake_engine_store(i, 5 * 8, 100 + i), ==, NONE);
        g_assert_cmpuint(fake_engine_dispatch(3 + i).vmid, ==, i + 1);
        let_it_settle();
        g_assert_cmpuint(fake_engine_submitted(), ==, 4 + i);
    }
    fake_engine_auto(true);
    for (unsigned i = 0; i < 3; i++) {
        WAIT_FOR(load64(&p[i].ring.amd->read_dispatch_id) == 2);
        process_end(&p[i]);
    }
    fixture_free(f);
}

/* A fault of the packet processor in a VMID: the record has its address. */
static void test_fault_record(void)
{
    Fixture *f = new_fixture();
    Process p;
    uint32_t status;

    fake_engine_auto(true);
    process_start(f, &p, 7);
    process_put(f, &p);
    p.ring.ring[0].completion_signal = QUEUE_VA + 3 * KB4;
    ring_bell(f, &p.ring);
    ring_wait_error(f, &p.ring);
    status = reg32(f, TESSERA_REG_FAULT_STATUS);
    g_assert_cmpuint(status >> TESSERA_FAULT_STATUS_CAUSE_SHIFT & 0xff, ==,
                     TESSERA_FAULT_UNMAPPED);
    g_assert_cmpuint(status >> TESSERA_FAULT_STATUS_VMID_SHIFT & 63, ==, 7);
    g_assert_cmphex(reg64(f, TESSERA_REG_FAULT_ADDR), ==,
                    QUEUE_VA + 3 * KB4 + offsetof(AmdSignal, start_ts));
    g_assert_cmpuint(next_entry_from(f, TESSERA_IH_FAULT).pasid, ==, 1007);
    process_end(&p);
    fixture_free(f);
}

/* A process may unmap its own queue's memory: it hurts itself alone. */
static void test_vanishing(void)
{
    Fixture *f = new_fixture();
    Process p[2];

    fake_engine_auto(true);
    process_start(f, &p[0], 1);
    process_start(f, &p[1], 2);
    pages_unmap(&p[0].space->pages, QUEUE_VA + KB4, KB4);
    space_invalidate(p[0].space);
    process_put(f, &p[0]);
    ring_bell(f, &p[0].ring);
    ring_wait_error(f, &p[0].ring);
    process_put(f, &p[1]);
    ring_bell(f, &p[1].ring);
    WAIT_FOR(load64(&p[1].signal->value) == 0);
    process_end(&p[0]);
    process_end(&p[1]);
    fixture_free(f);
}

static void test_launch(void)
{
    Fixture *f = new_fixture();
    Process p;
    EngineDispatch d;

    fake_engine_auto(true);
    process_start(f, &p, 11);
    set64(f, TESSERA_REG_VM_TBA + 11 * TESSERA_VM_STRIDE, 0x123400);
    set64(f, TESSERA_REG_VM_TMA + 11 * TESSERA_VM_STRIDE, 0x567800);
    set32(f, TESSERA_REG_VM_SH_MEM_BASES + 11 * TESSERA_VM_STRIDE,
          0x70008000);
    process_put(f, &p);
    ring_bell(f, &p.ring);
    d = fake_engine_dispatch(0);
    g_assert_cmphex(d.launch.tba, ==, 0x123400);
    g_assert_cmphex(d.launch.tma, ==, 0x567800);
    g_assert_cmphex(d.launch.private_base_hi, ==, 0x8000);
    g_assert_cmphex(d.launch.shared_base_hi, ==, 0x7000);
    WAIT_FOR(load64(&p.signal->value) == 0);
    process_end(&p);
    fixture_free(f);
}

/* ---- invalidation ---- */

static void test_invalidate(void)
{
    Fixture *f = new_fixture();
    unsigned before = fake_engine_forgotten();
    uint64_t at;

    g_assert_cmphex(reg64(f, TESSERA_REG_VM_INVALIDATE_ACK), ==, 0);
    set64(f, TESSERA_REG_VM_INVALIDATE, 0);
    g_assert_cmpuint(fake_engine_forgotten(), ==, before);
    set64(f, TESSERA_REG_VM_INVALIDATE, 1ull << 63 | 2);
    g_assert_cmpuint(fake_engine_forgotten(), ==, before + 1);
    g_assert_cmphex(reg64(f, TESSERA_REG_VM_INVALIDATE_ACK), ==,
                    1ull << 63 | 2);
    g_assert_cmphex(reg64(f, TESSERA_REG_VM_INVALIDATE), ==, 0);
    set32(f, TESSERA_REG_VM_INVALIDATE, 4);
    g_assert_cmpuint(fake_engine_forgotten(), ==, before + 1);
    set32(f, TESSERA_REG_VM_INVALIDATE + 4, 0);
    g_assert_cmpuint(fake_engine_forgotten(), ==, before + 2);
    g_assert_cmphex(reg64(f, TESSERA_REG_VM_INVALIDATE_ACK), ==,
                    1ull << 63 | 6);
    at = f->fence + 1;
    g_assert_cmpuint(run_command(f, TESSERA_CMD_INVALIDATE, 0, 1ull << 5), ==,
                     TESSERA_RESULT_OK);
    g_assert_cmpuint(fake_engine_forgotten(), ==, before + 3);
    g_assert_cmphex(next_entry_from(f, TESSERA_IH_COMMAND).data, ==, at);
    fixture_free(f);
}

/* Also in the middle of work, and while the machine is stopped. */
static void test_invalidate_busy(void)
{
    Fixture *f = new_fixture();
    Process p;

    fake_engine_auto(true);
    process_start(f, &p, 4);
    for (unsigned i = 0; i < 200; i++) {
        process_put(f, &p);
        ring_bell(f, &p.ring);
        space_invalidate(p.space);
        WAIT_FOR(load64(&p.signal->value) == 0);
    }
    tessera_gpu_pause(f->gpu);
    space_invalidate(p.space);
    tessera_gpu_resume(f->gpu);
    process_end(&p);
    fixture_free(f);
}

/* ---- tables that change under the walk ---- */

typedef struct Flipper {
    uint64_t *entry[TESSERA_PT_LEVELS];
    uint64_t good[TESSERA_PT_LEVELS];
    bool stop;
} Flipper;

static void *flip(void *opaque)
{
    Flipper *flipper = opaque;
    uint64_t n = 1;

    while (!__atomic_load_n(&flipper->stop, __ATOMIC_RELAXED)) {
        unsigned level = n % TESSERA_PT_LEVELS;
        uint64_t good = flipper->good[level];
        const uint64_t bad[] = { good, 0, good | 1ull << 50, bars.regs | 3 };

        store64(flipper->entry[level], bad[n / 8 % G_N_ELEMENTS(bad)]);
        store64(flipper->entry[level], good);
        n = n * 6364136223846793005ull + 1442695040888963407ull;
    }
    return NULL;
}

static void test_flipping(void)
{
    Fixture *f = new_fixture();
    Space *s = space_new(f, 1, 0);
    uint64_t ram = fixture_alloc(f, KB4);
    unsigned found = 0;
    Flipper flipper = { .stop = false };
    GThread *thread;

    space_map(s, VA, KB4, ram | RAM_RW);
    space_on(s);
    for (unsigned level = 0; level < TESSERA_PT_LEVELS; level++) {
        flipper.entry[level] = space_entry(s, VA, level);
        flipper.good[level] = *flipper.entry[level];
    }
    thread = g_thread_new("flip", flip, &flipper);
    /* On a busy host the other thread may stand still for long. */
    for (unsigned i = 0; i < 20000 || !found; i++) {
        EnginePage page;
        TesseraFaultCause cause = space_find(s, VA, ENGINE_WRITE, &page);

        if (cause == NONE) {
            g_assert_true(page.host == fixture_at(f, ram));
            found++;
        } else {
            g_assert_true(cause == BAD || cause == TESSERA_FAULT_UNMAPPED ||
                          cause == TESSERA_FAULT_READ_ONLY ||
                          cause == TESSERA_FAULT_DEVICE_BAR);
        }
    }
    __atomic_store_n(&flipper.stop, true, __ATOMIC_RELAXED);
    g_thread_join(thread);
    space_free(s);
    fixture_free(f);
}

int main(int argc, char **argv)
{
    static const char *const kinds[] = { "ram", "vram", "mixed" };

    g_test_init(&argc, &argv, NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        char name[40];

        g_snprintf(name, sizeof(name), "/gpu/vm/tables-in-%s", kinds[i]);
        g_test_add_data_func(name, GUINT_TO_POINTER(i), test_levels);
    }
    g_test_add_func("/gpu/vm/permissions", test_permissions);
    g_test_add_func("/gpu/vm/reserved-bits", test_reserved_bits);
    g_test_add_func("/gpu/vm/reserved-bits-2m", test_reserved_huge);
    g_test_add_func("/gpu/vm/bad-entries", test_bad_entries);
    g_test_add_func("/gpu/vm/bad-roots", test_bad_roots);
    g_test_add_func("/gpu/vm/loop", test_loop);
    g_test_add_func("/gpu/vm/non-canonical", test_non_canonical);
    g_test_add_func("/gpu/vm/vmid0", test_vmid0);
    g_test_add_func("/gpu/vm/stretches", test_stretches);
    g_test_add_func("/gpu/vm/stretch-ends", test_stretch_ends);
    g_test_add_func("/gpu/vm/doorbell-leaves", test_doorbell_leaves);
    g_test_add_func("/gpu/vm/isolation", test_isolation);
    g_test_add_func("/gpu/vm/own-slice", test_own_slice);
    g_test_add_func("/gpu/vm/fault-record", test_fault_record);
    g_test_add_func("/gpu/vm/vanishing", test_vanishing);
    g_test_add_func("/gpu/vm/launch", test_launch);
    g_test_add_func("/gpu/vm/invalidate", test_invalidate);
    g_test_add_func("/gpu/vm/invalidate-busy", test_invalidate_busy);
    g_test_add_func("/gpu/vm/flipping", test_flipping);
    return g_test_run();
}
