/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "memmap.h"
#include "iommu-watch.h"
#include "stretches.h"
#include "trace-tessera.h"

/*
 * What is remembered of one IOMMU has a bound, since a guest can map one page
 * at 2^36 addresses.
 */
#define KNOWN_MAX (1u << 15)
#define FIND_MAX (1ull << 30) /* how far one look into the target goes */
#define BUS_PAGE 4096ull

/* One of the two address spaces that are listened to. */
typedef struct Follower {
    MemoryListener listener;
    TesseraMemMap *map;
    bool in_change;
} Follower;

/* An IOMMU region on the bus, which may be there in several pieces. */
typedef struct IommuLink {
    IOMMUNotifier notifier; /* unless its owner is watched instead */
    TesseraMemMap *map;
    MemoryRegion *mr;
    unsigned pieces;
    bool notifies;
} IommuLink;

struct TesseraMemMap {
    PCIDevice *pdev;
    const TesseraMemMapOps *ops;
    void *opaque;
    Follower bus;    /* the bus */
    Follower target; /* the system's memory, where translations lead */
    unsigned changing; /* how many reasons there are at this moment */
    GSList *links;     /* the IommuLinks */
    TesseraIommuWatch *watch;
    Notifier store;    /* called by @watch */
    GMutex lock;       /* of both lists; only the big lock's holder changes */
    GArray *sections;  /* Stretches; ASK is an IOMMU */
    GArray *known;     /* translations: RAM, DEVICE and NONE */
};

/* ---- changes ---- */

static void begin_change(TesseraMemMap *map)
{
    if (map->changing++ == 0) {
        map->ops->changing(map->opaque);
    }
}

static void end_change(TesseraMemMap *map)
{
    if (--map->changing == 0) {
        map->ops->changed(map->opaque);
    }
}

/* Take a stretch out of one of the lists; inside a change. */
static void drop(TesseraMemMap *map, GArray *list, guint i)
{
    MemoryRegion *mr;

    g_mutex_lock(&map->lock);
    mr = stretches_take(list, i);
    g_mutex_unlock(&map->lock);
    memory_region_unref(mr);
}

static void insert(TesseraMemMap *map, GArray *list, const Stretch *new)
{
    memory_region_ref(new->mr);
    g_mutex_lock(&map->lock);
    stretches_insert(list, new);
    g_mutex_unlock(&map->lock);
}

/* Forget the translations that have a byte in [@bus, @last]. */
static void forget(TesseraMemMap *map, uint64_t bus, uint64_t last)
{
    guint i;

    if (!stretches_overlap(map->known, bus, last)) {
        return;
    }
    trace_tessera_iommu_forget(bus, last);
    begin_change(map);
    /* From the end: what is last in an array is taken out at no cost. */
    i = stretches_first(map->known, last);
    if (i == map->known->len || stretch_at(map->known, i)->bus > last) {
        i--;
    }
    for (;; i--) {
        if (stretch_at(map->known, i)->last < bus) {
            break;
        }
        drop(map, map->known, i);
        if (i == 0) {
            break;
        }
    }
    end_change(map);
}

/* ---- IOMMUs ---- */

static void iommu_unmapped(IOMMUNotifier *notifier, IOMMUTLBEntry *entry)
{
    IommuLink *link = container_of(notifier, IommuLink, notifier);

    forget(link->map, entry->iova, entry->iova + entry->addr_mask);
}

/*
 * The guest stores to the IOMMU's registers.  The waves must stand before the
 * IOMMU acts: it may tell the guest of a completed invalidation at once.
 */
static void iommu_store(Notifier *notifier, void *data)
{
    forget(container_of(notifier, TesseraMemMap, store), 0, UINT64_MAX);
}

static bool is_watched(MemoryRegion *mr)
{
    return object_dynamic_cast(memory_region_owner(mr), TYPE_SYS_BUS_DEVICE);
}

static IommuLink *find_link(TesseraMemMap *map, MemoryRegion *mr)
{
    for (GSList *l = map->links; l; l = l->next) {
        IommuLink *link = l->data;

        if (link->mr == mr) {
            return link;
        }
    }
    return NULL;
}

static void add_link(TesseraMemMap *map, MemoryRegion *mr)
{
    IommuLink *link = find_link(map, mr);
    Error *err = NULL;

    if (link) {
        link->pieces++;
        return;
    }
    link = g_new0(IommuLink, 1);
    link->map = map;
    link->mr = mr;
    link->pieces = 1;
    map->links = g_slist_prepend(map->links, link);
    if (is_watched(mr)) {
        return;
    }
    iommu_notifier_init(&link->notifier, iommu_unmapped, IOMMU_NOTIFIER_UNMAP,
                        0, HWADDR_MAX, 0);
    if (memory_region_register_iommu_notifier(mr, &link->notifier, &err)) {
        warn_report("tessera: cannot follow the IOMMU, so the GPU reaches no "
                    "memory through it: %s", error_get_pretty(err));
        error_free(err);
        return;
    }
    link->notifies = true;
}

static void remove_link(TesseraMemMap *map, MemoryRegion *mr)
{
    IommuLink *link = find_link(map, mr);

    if (!link || --link->pieces) {
        return;
    }
    if (link->notifies) {
        memory_region_unregister_iommu_notifier(mr, &link->notifier);
    }
    map->links = g_slist_remove(map->links, link);
    g_free(link);
}

/*
 * Whether we hear of it when the IOMMU @mr drops a translation.  The watch is
 * added at the first translation since a listener must not do that.
 */
static bool can_remember(TesseraMemMap *map, MemoryRegion *mr)
{
    IommuLink *link = find_link(map, mr);

    if (!link) {
        return false;
    }
    if (is_watched(mr) && !map->watch) {
        map->store.notify = iommu_store;
        map->watch = tessera_iommu_watch_add(memory_region_owner(mr),
                                             &map->store);
        if (!map->watch) {
            warn_report_once("tessera: the GPU reaches no memory through an "
                             "IOMMU of type %s",
                             object_get_typename(memory_region_owner(mr)));
        }
    }
    return is_watched(mr) ? map->watch != NULL : link->notifies;
}

/* ---- what there is on the bus ---- */

static MemTxAttrs attrs_of(TesseraMemMap *map)
{
    return (MemTxAttrs) { .requester_id = pci_requester_id(map->pdev) };
}

/*
 * Whether @mr is, or is part of, what a PCI device has put on a bus: it lies in
 * the memory space of the root bus or of a bridge.
 */
static bool is_peer_bar(TesseraMemMap *map, MemoryRegion *mr)
{
    MemoryRegion *root = pci_device_root_bus(map->pdev)->address_space_mem;

    while ((mr = mr->container)) {
        if (mr == root || object_dynamic_cast(memory_region_owner(mr),
                                              TYPE_PCI_BRIDGE)) {
            return true;
        }
    }
    return false;
}

/*
 * Only memory that may be touched with plain loads and stores is RAM: that of
 * passed-through devices wants exact access sizes.  Of the rest only the BARs
 * of other devices can be reached, as on a bus.  Above all not configuration
 * space, by which a shader could unplug the very device that runs it.
 */
static TesseraMapKind kind_of(TesseraMemMap *map, MemoryRegion *mr)
{
    if (memory_region_owner(mr) == OBJECT(map->pdev)) {
        return TESSERA_MAP_NONE;
    }
    if (memory_region_is_ram(mr) && !memory_region_is_ram_device(mr)) {
        return TESSERA_MAP_RAM;
    }
    if (memory_region_is_iommu(mr)) {
        return TESSERA_MAP_ASK;
    }
    return is_peer_bar(map, mr) ? TESSERA_MAP_DEVICE : TESSERA_MAP_NONE;
}

/* @section as it lies at @bus. */
static Stretch stretch_of(TesseraMemMap *map, MemoryRegionSection *section,
                          uint64_t bus)
{
    Stretch new = {
        .bus = bus,
        .last = bus + (int128_getlo(section->size) - 1),
        .kind = kind_of(map, section->mr),
        .mr = section->mr,
        .readable = true,
        .writable = true,
    };

    if (new.kind == TESSERA_MAP_RAM) {
        new.host = (uint8_t *)memory_region_get_ram_ptr(section->mr) +
                   section->offset_within_region;
        new.writable = !section->readonly && !section->mr->readonly;
    }
    return new;
}

static void start_change(Follower *f)
{
    if (!f->in_change) {
        f->in_change = true;
        begin_change(f->map);
    }
}

static void commit(MemoryListener *listener)
{
    Follower *f = container_of(listener, Follower, listener);

    if (f->in_change) {
        f->in_change = false;
        end_change(f->map);
    }
}

static void bus_add(MemoryListener *listener, MemoryRegionSection *section)
{
    Follower *f = container_of(listener, Follower, listener);
    Stretch new = stretch_of(f->map, section,
                             section->offset_within_address_space);

    start_change(f);
    if (new.kind == TESSERA_MAP_ASK &&
        section->offset_within_region != new.bus) {
        new.kind = TESSERA_MAP_NONE; /* no IOMMU of QEMU's is moved about */
    }
    if (new.kind == TESSERA_MAP_NONE) {
        return;
    }
    insert(f->map, f->map->sections, &new);
    if (new.kind == TESSERA_MAP_ASK) {
        add_link(f->map, section->mr);
    }
}

static void bus_del(MemoryListener *listener, MemoryRegionSection *section)
{
    Follower *f = container_of(listener, Follower, listener);
    uint64_t bus = section->offset_within_address_space;
    guint i = stretches_first(f->map->sections, bus);

    start_change(f);
    forget(f->map, bus, bus + (int128_getlo(section->size) - 1));
    if (i < f->map->sections->len &&
        stretch_at(f->map->sections, i)->bus == bus) {
        if (memory_region_is_iommu(section->mr)) {
            remove_link(f->map, section->mr);
        }
        drop(f->map, f->map->sections, i);
    }
}

/* Part of the system's memory, perhaps one that a translation leads to. */
static void target_change(MemoryListener *listener,
                          MemoryRegionSection *section)
{
    Follower *f = container_of(listener, Follower, listener);

    if (f->map->known->len) {
        start_change(f);
        forget(f->map, 0, UINT64_MAX);
    }
}

TesseraMemMap *tessera_memmap_new(PCIDevice *pdev,
                                  const TesseraMemMapOps *ops, void *opaque)
{
    TesseraMemMap *map = g_new0(TesseraMemMap, 1);

    map->pdev = pdev;
    map->ops = ops;
    map->opaque = opaque;
    map->sections = stretches_new();
    map->known = stretches_new();
    g_mutex_init(&map->lock);
    map->bus = (Follower) {
        .map = map,
        .listener = {
            .name = "tessera-bus",
            .region_add = bus_add,
            .region_del = bus_del,
            .commit = commit,
        },
    };
    map->target = (Follower) {
        .map = map,
        .listener = {
            .name = "tessera-target",
            .region_add = target_change,
            .region_del = target_change,
            .commit = commit,
        },
    };
    memory_listener_register(&map->target.listener, &address_space_memory);
    memory_listener_register(&map->bus.listener, pci_get_address_space(pdev));
    return map;
}

void tessera_memmap_free(TesseraMemMap *map)
{
    memory_listener_unregister(&map->bus.listener);
    memory_listener_unregister(&map->target.listener);
    if (map->watch) {
        tessera_iommu_watch_remove(map->watch, &map->store);
    }
    g_assert(!map->links);
    stretches_free(map->sections);
    stretches_free(map->known);
    g_mutex_clear(&map->lock);
    g_free(map);
}

/* ---- lookup ---- */

/* A page of an IOMMU that is not known: what is asked for is a page. */
static void limit_to_page(uint64_t bus, uint64_t *len)
{
    *len = MIN(*len, BUS_PAGE - bus % BUS_PAGE);
}

/* Called with the lock held. */
static TesseraMapKind lookup(TesseraMemMap *map, uint64_t bus, uint64_t *len,
                             bool write, uint8_t **host)
{
    Stretch *s = stretches_find(map->sections, bus);

    if (s && s->kind == TESSERA_MAP_ASK) {
        s = stretches_find(map->known, bus);
        if (!s || !(write ? s->writable : s->readable)) {
            limit_to_page(bus, len);
            return TESSERA_MAP_ASK;
        }
    }
    if (!s || (write && !s->writable)) {
        return TESSERA_MAP_NONE;
    }
    *len = MIN(*len - 1, s->last - bus) + 1;
    *host = s->host ? s->host + (bus - s->bus) : NULL;
    return s->kind;
}

TesseraMapKind tessera_memmap_lookup(TesseraMemMap *map, uint64_t bus,
                                     uint64_t *len, bool write,
                                     uint8_t **host)
{
    TesseraMapKind kind;

    g_mutex_lock(&map->lock);
    kind = lookup(map, bus, len, write, host);
    g_mutex_unlock(&map->lock);
    return kind;
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
        Stretch *s;

        g_mutex_lock(&map->lock);
        s = stretches_find(map->sections, bus);
        if (s && s->kind == TESSERA_MAP_ASK) {
            s = stretches_find(map->known, bus);
        }
        if (s && s->kind == TESSERA_MAP_RAM) {
            mr = s->mr;
            host = s->host + (bus - s->bus);
            part = MIN(len - 1, s->last - bus) + 1;
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

/* ---- the slow path ---- */

/*
 * Let the IOMMU @mr translate; false if it refuses.  Unlike resolve() this
 * tells a refusal from a mapping that leads to nothing.
 */
static bool ask_iommu(TesseraMemMap *map, MemoryRegion *mr, uint64_t bus,
                      bool write, IOMMUTLBEntry *entry)
{
    const IOMMUAccessFlags flag = write ? IOMMU_WO : IOMMU_RO;
    IOMMUMemoryRegion *iommu = IOMMU_MEMORY_REGION(mr);
    IOMMUMemoryRegionClass *imrc =
        memory_region_get_iommu_class_nocheck(iommu);

    RCU_READ_LOCK_GUARD();
    *entry = imrc->translate(iommu, bus, flag,
                             memory_region_iommu_attrs_to_index(iommu,
                                                                attrs_of(map)));
    return entry->perm & flag && entry->addr_mask >= BUS_PAGE - 1;
}

/* Where an access to @bus goes, by the IOMMU if there is one. */
static bool resolve(TesseraMemMap *map, uint64_t bus, bool write,
                    IOMMUTLBEntry *entry)
{
    RCU_READ_LOCK_GUARD();
    *entry = address_space_get_iotlb_entry(pci_get_address_space(map->pdev),
                                           bus, write, attrs_of(map));
    return entry->target_as;
}

static uint64_t target_of(const IOMMUTLBEntry *entry, uint64_t bus)
{
    return (entry->translated_addr & ~entry->addr_mask) |
           (bus & entry->addr_mask);
}

/*
 * What the mapping @entry of @bus leads to, as far as it is in one piece: the
 * whole mapping if possible, so that another page of it gives the same.  It
 * may lead to nothing, or to what this device does not reach.
 */
static void look(TesseraMemMap *map, const IOMMUTLBEntry *entry, uint64_t bus,
                 Stretch *found)
{
    const uint64_t mask = MIN(entry->addr_mask, FIND_MAX - 1);
    const uint64_t at = target_of(entry, bus);
    const uint64_t from[] = { at & ~mask, at & ~(BUS_PAGE - 1) };

    for (size_t i = 0; i < G_N_ELEMENTS(from); i++) {
        MemoryRegionSection section =
            memory_region_find(entry->target_as->root, from[i],
                               mask - (from[i] & mask) + 1);
        uint64_t start = section.offset_within_address_space;

        if (section.mr && at - start < int128_get64(section.size)) {
            *found = stretch_of(map, &section, bus - (at - start));
            if (found->kind == TESSERA_MAP_ASK) {
                found->kind = TESSERA_MAP_NONE; /* a second IOMMU */
            }
            return;
        }
        memory_region_unref(section.mr);
    }
    *found = (Stretch) {
        .bus = bus & ~(BUS_PAGE - 1),
        .last = bus | (BUS_PAGE - 1),
        .kind = TESSERA_MAP_NONE,
        .writable = true,
    };
}

static bool same_stretch(const Stretch *a, const Stretch *b)
{
    return a->bus == b->bus && a->last == b->last && a->host == b->host &&
           a->mr == b->mr;
}

static void remember(TesseraMemMap *map, const Stretch *new)
{
    Stretch *old = stretches_find(map->known, new->bus);

    if (old && same_stretch(old, new)) {
        g_mutex_lock(&map->lock);
        old->readable |= new->readable;
        old->writable |= new->writable;
        g_mutex_unlock(&map->lock);
        return;
    }
    forget(map, new->bus, new->last);
    if (map->known->len >= KNOWN_MAX) {
        forget(map, 0, UINT64_MAX);
    }
    insert(map, map->known, new);
}

static bool translate(TesseraMemMap *map, MemoryRegion *mr, uint64_t bus,
                      bool write)
{
    IOMMUTLBEntry entry;
    Stretch new, *s;
    bool allowed;

    if (!ask_iommu(map, mr, bus, write, &entry)) {
        return false;
    }
    /* Asking may have shown the IOMMU that it need not translate. */
    s = stretches_find(map->sections, bus);
    if (!s || s->kind != TESSERA_MAP_ASK) {
        return s;
    }
    look(map, &entry, bus, &new);
    new.readable = !write;
    new.writable &= write;
    allowed = new.readable || new.writable;
    if (allowed) {
        remember(map, &new);
    }
    memory_region_unref(new.mr);
    return allowed;
}

bool tessera_memmap_translate(TesseraMemMap *map, uint64_t bus, bool write,
                              bool *read_only)
{
    Stretch *s = stretches_find(map->sections, bus);
    MemoryRegion *mr;
    bool found;

    if (!s || s->kind != TESSERA_MAP_ASK) {
        return s; /* it has changed: the asker looks again */
    }
    mr = s->mr;
    if (!can_remember(map, mr)) {
        return false;
    }
    found = translate(map, mr, bus, write);
    if (!found && write) {
        /* The second fault, if it is one, is not recorded by VT-d any more. */
        *read_only = translate(map, mr, bus, false);
    }
    trace_tessera_iommu_translate(bus, write, found);
    return found;
}

/* Whether this device may reach @size bytes at @at in @as. */
static bool may_access(TesseraMemMap *map, AddressSpace *as, uint64_t at,
                       unsigned size)
{
    MemoryRegionSection section = memory_region_find(as->root, at, size);
    TesseraMapKind kind = section.mr ? kind_of(map, section.mr)
                                     : TESSERA_MAP_NONE;

    memory_region_unref(section.mr);
    return kind == TESSERA_MAP_RAM || kind == TESSERA_MAP_DEVICE;
}

bool tessera_memmap_access(TesseraMemMap *map, uint64_t bus, unsigned size,
                           bool write, uint64_t *data)
{
    IOMMUTLBEntry entry;
    bool done;

    if (!write) {
        *data = 0;
    }
    done = resolve(map, bus, write, &entry) &&
           may_access(map, entry.target_as, target_of(&entry, bus), size) &&
           address_space_rw(entry.target_as, target_of(&entry, bus),
                            attrs_of(map), data, size, write) == MEMTX_OK;
    trace_tessera_access(bus, size, write, *data, done);
    return done;
}
