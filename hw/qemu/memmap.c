/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "memmap.h"

/* A stretch of RAM on the bus; holds a reference on @mr. */
typedef struct RamSection {
    uint64_t bus, len;
    uint8_t *host;
    MemoryRegion *mr;
    bool read_only;
} RamSection;

struct TesseraMemMap {
    MemoryListener listener;
    Object *own;
    const TesseraMemMapOps *ops;
    void *opaque;
    bool in_change;
    GMutex lock; /* of the sections, sorted by bus address */
    GArray *sections;
};

static RamSection *section_at(TesseraMemMap *map, guint i)
{
    return &g_array_index(map->sections, RamSection, i);
}

/* The index of the first section that ends above @bus. */
static guint find_section(TesseraMemMap *map, uint64_t bus)
{
    guint low = 0, high = map->sections->len;

    while (low < high) {
        guint mid = low + (high - low) / 2;
        RamSection *s = section_at(map, mid);

        if (s->bus + (s->len - 1) < bus) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return low;
}

/* The section that @bus lies in, or NULL; called with the lock held. */
static RamSection *section_of(TesseraMemMap *map, uint64_t bus)
{
    guint i = find_section(map, bus);

    if (i == map->sections->len || section_at(map, i)->bus > bus) {
        return NULL;
    }
    return section_at(map, i);
}

/*
 * Only memory that may be touched with plain loads and stores counts: RAM of
 * passed-through devices wants exact access sizes.
 */
static bool usable(TesseraMemMap *map, MemoryRegionSection *section)
{
    MemoryRegion *mr = section->mr;

    return memory_region_is_ram(mr) && !memory_region_is_ram_device(mr) &&
           memory_region_owner(mr) != map->own;
}

static void start_change(TesseraMemMap *map)
{
    if (!map->in_change) {
        map->in_change = true;
        map->ops->changing(map->opaque);
    }
}

static void region_add(MemoryListener *listener, MemoryRegionSection *section)
{
    TesseraMemMap *map = container_of(listener, TesseraMemMap, listener);
    RamSection new = {
        .bus = section->offset_within_address_space,
        .len = int128_get64(section->size),
        .mr = section->mr,
        .read_only = section->readonly || section->mr->readonly,
    };

    start_change(map);
    if (!usable(map, section)) {
        return;
    }
    new.host = (uint8_t *)memory_region_get_ram_ptr(section->mr) +
               section->offset_within_region;
    memory_region_ref(section->mr);
    g_mutex_lock(&map->lock);
    g_array_insert_val(map->sections, find_section(map, new.bus), new);
    g_mutex_unlock(&map->lock);
}

static void region_del(MemoryListener *listener, MemoryRegionSection *section)
{
    TesseraMemMap *map = container_of(listener, TesseraMemMap, listener);
    MemoryRegion *mr = NULL;
    uint64_t bus = section->offset_within_address_space;
    guint i;

    start_change(map);
    g_mutex_lock(&map->lock);
    i = find_section(map, bus);
    if (i < map->sections->len && section_at(map, i)->bus == bus) {
        mr = section_at(map, i)->mr;
        g_array_remove_index(map->sections, i);
    }
    g_mutex_unlock(&map->lock);
    if (mr) {
        memory_region_unref(mr);
    }
}

static void commit(MemoryListener *listener)
{
    TesseraMemMap *map = container_of(listener, TesseraMemMap, listener);

    if (map->in_change) {
        map->in_change = false;
        map->ops->changed(map->opaque);
    }
}

TesseraMemMap *tessera_memmap_new(AddressSpace *as, Object *own,
                                  const TesseraMemMapOps *ops, void *opaque)
{
    TesseraMemMap *map = g_new0(TesseraMemMap, 1);

    map->own = own;
    map->ops = ops;
    map->opaque = opaque;
    map->sections = g_array_new(false, false, sizeof(RamSection));
    g_mutex_init(&map->lock);
    map->listener = (MemoryListener) {
        .name = "tessera",
        .region_add = region_add,
        .region_del = region_del,
        .commit = commit,
    };
    memory_listener_register(&map->listener, as);
    return map;
}

void tessera_memmap_free(TesseraMemMap *map)
{
    memory_listener_unregister(&map->listener);
    g_assert(map->sections->len == 0);
    g_array_free(map->sections, true);
    g_mutex_clear(&map->lock);
    g_free(map);
}

uint8_t *tessera_memmap_lookup(TesseraMemMap *map, uint64_t bus,
                               uint64_t *len, bool write)
{
    uint8_t *host = NULL;
    RamSection *s;

    g_mutex_lock(&map->lock);
    s = section_of(map, bus);
    if (s && !(write && s->read_only)) {
        host = s->host + (bus - s->bus);
        *len = MIN(*len, s->len - (bus - s->bus));
    }
    g_mutex_unlock(&map->lock);
    return host;
}

/*
 * address_space_unmap() is the one exported way that marks memory dirty for
 * migration and drops the code translated from it; marking alone leaves stale
 * code in 7.2.  It gives up a reference that address_space_map() would have
 * taken.  The address space is looked at only for memory that is not direct.
 */
void tessera_report_written(MemoryRegion *mr, uint8_t *host, uint64_t len)
{
    memory_region_ref(mr);
    address_space_unmap(&address_space_memory, host, len, true, len);
}

void tessera_memmap_written(TesseraMemMap *map, uint64_t bus, uint64_t len)
{
    while (len) {
        MemoryRegion *mr = NULL;
        uint8_t *host = NULL;
        uint64_t part = len;
        RamSection *s;

        g_mutex_lock(&map->lock);
        s = section_of(map, bus);
        if (s) {
            mr = s->mr;
            host = s->host + (bus - s->bus);
            part = MIN(len, s->len - (bus - s->bus));
            memory_region_ref(mr);
        }
        g_mutex_unlock(&map->lock);
        if (!mr) {
            return;
        }
        tessera_report_written(mr, host, part);
        memory_region_unref(mr);
        bus += part;
        len -= part;
    }
}
