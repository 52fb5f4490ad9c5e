/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests-unit/gpu-space.h"

static uint64_t *table_at(Fixture *f, uint64_t table)
{
    uint64_t address = table & TESSERA_PT_ADDRESS;

    return table & TESSERA_PT_SYSTEM
               ? fixture_at(f, address)
               : (uint64_t *)(f->vram + address);
}

static uint64_t new_table(void *opaque)
{
    Space *s = opaque;
    uint64_t at = s->vram_heap;

    s->tables++;
    if (!at || (s->mixed && s->tables % 2)) {
        return fixture_alloc(s->f, 4096) | TESSERA_PT_SYSTEM |
               TESSERA_PT_VALID;
    }
    s->vram_heap += 4096;
    return at | TESSERA_PT_VALID;
}

static uint64_t load(void *opaque, uint64_t table, unsigned index)
{
    return load64(table_at(((Space *)opaque)->f, table) + index);
}

static void store(void *opaque, uint64_t table, unsigned index,
                  uint64_t entry)
{
    store64(table_at(((Space *)opaque)->f, table) + index, entry);
}

Space *space_new(Fixture *f, unsigned vmid, uint64_t vram)
{
    Space *s = g_new0(Space, 1);

    s->f = f;
    s->vmid = vmid;
    s->vram_heap = vram;
    s->pages = (PageSpace){
        .new_table = new_table, .load = load, .store = store, .opaque = s,
    };
    return s;
}

void space_free(Space *s)
{
    g_free(s);
}

void space_map(Space *s, uint64_t va, uint64_t size, uint64_t leaf)
{
    g_assert_true(pages_map(&s->pages, va, size, leaf));
}

static uint32_t root_reg(Space *s)
{
    return TESSERA_REG_VM_ROOT + s->vmid * TESSERA_VM_STRIDE;
}

void space_on(Space *s)
{
    set64(s->f, root_reg(s), s->pages.root);
}

void space_off(Space *s)
{
    set64(s->f, root_reg(s), 0);
}

void space_invalidate(Space *s)
{
    set64(s->f, TESSERA_REG_VM_INVALIDATE, 1ull << s->vmid);
    g_assert_cmphex(reg64(s->f, TESSERA_REG_VM_INVALIDATE_ACK) >> s->vmid & 1,
                    ==, 1);
}

uint64_t *space_entry(Space *s, uint64_t va, unsigned level)
{
    uint64_t entry = s->pages.root;

    for (unsigned at = TESSERA_PT_LEVELS - 1;; at--) {
        uint64_t *place = table_at(s->f, entry) +
                          (va >> (12 + at * 9)) % TESSERA_PT_ENTRIES;

        if (at == level) {
            return place;
        }
        entry = *place;
    }
}

TesseraFaultCause space_find(Space *s, uint64_t va, EngineAccess access,
                             EnginePage *page)
{
    const EngineConfig *engine = fake_engine_config();

    return engine->ops->translate(engine->opaque, s->vmid, va, access, page);
}
