/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The device's state as a stream of bytes, for saving and migration.
 *
 * A stream is a header and the sections of section_info[], each once and in
 * that order.  A section is a count and that many items; an item is the fields
 * of a table, one behind the other.  So state is added by adding a row: with
 * `since` one above the present STATE_VERSION, which then grows.  An older
 * stream is read as if the new fields were 0.
 *
 * Whoever wrote the stream may mean harm.  The reader never goes beyond its
 * end, an item is checked before the device takes it, and a stream that is
 * refused anywhere leaves the device in its power-on state.
 *
 * Not in the stream: VRAM, which belongs to the host; what runs, with which
 * nothing is saved; what is derived, such as translations and the lists of
 * the packet processor.  Every mapped queue gets a turn after loading, which
 * finds out what it waits for.
 */
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include "hw/gpu/internal.h"

#define STATE_MAGIC 0x0061726573736574ull /* "tessera" */
#define STATE_VERSION 1
#define STATE_VERSION_MIN 1

typedef struct StateHeader {
    uint64_t magic;
    uint32_t version;
    uint32_t bytes; /* of the stream, this included */
} StateHeader;

typedef struct StateField {
    const char *name;
    uint16_t offset, size; /* in the item's structure */
    uint16_t since;        /* version */
} StateField;

#define FIELD(type, member, since)                                             \
    { #member, offsetof(type, member), sizeof(((type *)0)->member), since }
#define END { NULL, 0, 0, 0 }

/* ---- errors ---- */

static bool bad_state(GError **error, const char *format, ...)
    G_GNUC_PRINTF(2, 3);

static bool bad_state(GError **error, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    g_propagate_error(error, g_error_new_valist(
        g_quark_from_static_string("tessera-state"), 0, format, args));
    va_end(args);
    return false;
}

/* ---- items ---- */

/* Both directions go by the table; the host is little-endian (host.h). */
static void put_item(GByteArray *out, const StateField *fields,
                     const void *item)
{
    for (const StateField *f = fields; f->name; f++) {
        g_byte_array_append(out, (const uint8_t *)item + f->offset, f->size);
    }
}

typedef struct StateReader {
    const uint8_t *at;
    size_t left;
    uint32_t version;
} StateReader;

static bool take_bytes(StateReader *in, void *to, size_t size)
{
    if (in->left < size) {
        return false;
    }
    memcpy(to, in->at, size);
    in->at += size;
    in->left -= size;
    return true;
}

/* @item has been zeroed. */
static bool take_item(StateReader *in, const StateField *fields, void *item)
{
    for (const StateField *f = fields; f->name; f++) {
        if (f->since <= in->version &&
            !take_bytes(in, (uint8_t *)item + f->offset, f->size)) {
            return false;
        }
    }
    return true;
}

/* ---- what must be the same on both sides ---- */

typedef struct IdentItem {
    uint64_t value;
} IdentItem;

static const StateField ident_fields[] = {
    FIELD(IdentItem, value, 1),
    END
};

/*
 * What the configuration decides, by the name that the user knows, and the
 * register that shows it.  Names without a space are properties of the device.
 */
static const struct {
    const char *name;
    uint32_t reg;
    uint32_t low, high; /* bits that count */
} idents[] = {
    { "isa", TESSERA_REG_ISA, UINT32_MAX, 0 },
    { "vram-size", TESSERA_REG_VRAM_SIZE, UINT32_MAX, UINT32_MAX },
    { "scanout", TESSERA_REG_FEATURES, TESSERA_FEATURES_SCANOUT_MASK, 0 },
    { "register map", TESSERA_REG_FEATURES, ~TESSERA_FEATURES_SCANOUT_MASK, 0 },
    { "number of compute units", TESSERA_REG_CU_COUNT, UINT32_MAX, 0 },
    { "size of a wave", TESSERA_REG_WAVE_SIZE, UINT32_MAX, 0 },
};

static uint64_t ident_value(TesseraGpu *gpu, unsigned i)
{
    uint64_t mask = idents[i].low | (uint64_t)idents[i].high << 32;

    return regs_get64(gpu, idents[i].reg) & mask;
}

static unsigned save_ident(TesseraGpu *gpu, GByteArray *out)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(idents); i++) {
        put_item(out, ident_fields, &(IdentItem){
            .value = ident_value(gpu, i),
        });
    }
    return G_N_ELEMENTS(idents);
}

static bool load_ident(TesseraGpu *gpu, unsigned n, const void *data,
                       GError **error)
{
    const IdentItem *item = data;

    return ident_value(gpu, n) == item->value ||
           bad_state(error, "%s differs: 0x%" PRIx64 " here, 0x%" PRIx64
                     " where the state was saved", idents[n].name,
                     ident_value(gpu, n), item->value);
}

/* ---- registers ---- */

typedef struct RegItem {
    uint32_t offset;
    uint64_t value;
} RegItem;

static const StateField reg_fields[] = {
    FIELD(RegItem, offset, 1),
    FIELD(RegItem, value, 1),
    END
};

/* Only what differs from power-on. */
static unsigned save_regs(TesseraGpu *gpu, GByteArray *out)
{
    unsigned count = 0;
    RegItem item = { 0 };

    while (regs_next_changed(gpu, &item.offset, &item.value)) {
        put_item(out, reg_fields, &item);
        item.offset += 4;
        count++;
    }
    return count;
}

static bool load_reg(TesseraGpu *gpu, unsigned n, const void *data,
                     GError **error)
{
    const RegItem *item = data;

    return regs_restore(gpu, item->offset, item->value) ||
           bad_state(error, "no register at 0x%x can hold 0x%" PRIx64,
                     item->offset, item->value);
}

/* ---- doorbells ---- */

typedef struct DoorbellItem {
    uint32_t index;
    uint64_t value;
} DoorbellItem;

static const StateField doorbell_fields[] = {
    FIELD(DoorbellItem, index, 1),
    FIELD(DoorbellItem, value, 1),
    END
};

static unsigned save_doorbells(TesseraGpu *gpu, GByteArray *out)
{
    unsigned count = 0;

    for (unsigned i = 0; i < DOORBELLS; i++) {
        if (gpu->doorbells[i]) {
            put_item(out, doorbell_fields, &(DoorbellItem){
                .index = i,
                .value = gpu->doorbells[i],
            });
            count++;
        }
    }
    return count;
}

static bool load_doorbell(TesseraGpu *gpu, unsigned n, const void *data,
                          GError **error)
{
    const DoorbellItem *item = data;

    if (item->index >= DOORBELLS) {
        return bad_state(error, "no doorbell %u", item->index);
    }
    gpu->doorbells[item->index] = item->value;
    return true;
}

/* ---- queues ---- */

static const StateField queue_fields[] = {
    FIELD(GpuQueue, slot, 1),
    FIELD(GpuQueue, vmid, 1),
    FIELD(GpuQueue, state, 1),
    FIELD(GpuQueue, error, 1),
    FIELD(GpuQueue, stall, 1),
    FIELD(GpuQueue, desc, 1),
    FIELD(GpuQueue, amd_queue, 1),
    FIELD(GpuQueue, read_index, 1),
    FIELD(GpuQueue, fetch_index, 1),
    FIELD(GpuQueue, done, 1),
    FIELD(GpuQueue, have_packet, 1),
    FIELD(GpuQueue, packet, 1),
    FIELD(GpuQueue, packet_start, 1),
    FIELD(GpuQueue, deps_seen, 1),
    FIELD(GpuQueue, fault, 1),
    FIELD(GpuQueue, fault_index, 1),
    FIELD(GpuQueue, fault_more, 1),
    FIELD(GpuQueue, failed, 1),
    FIELD(GpuQueue, redo, 1),
    FIELD(GpuQueue, index, 1),
    FIELD(GpuQueue, published, 1),
    FIELD(GpuQueue, bad_packet, 1),
    FIELD(GpuQueue, copied, 1),
    FIELD(GpuQueue, copying, 1),
    FIELD(GpuQueue, frozen, 1),
    FIELD(GpuQueue, events_owed, 1),
    FIELD(GpuQueue, owed, 1),
    FIELD(GpuQueue, owed_count, 1),
    END
};

static unsigned save_queues(TesseraGpu *gpu, GByteArray *out)
{
    unsigned count = 0;

    for (unsigned i = 0; i < TESSERA_QUEUES; i++) {
        if (gpu->queues[i].state != QUEUE_FREE) {
            put_item(out, queue_fields, &gpu->queues[i]);
            count++;
        }
    }
    return count;
}

/* Between two packets `index` is still that of the last one. */
static bool has_packet_at_hand(const GpuQueue *q)
{
    return q->have_packet || q->bad_packet;
}

/*
 * Packets that are finished, and one at hand, lie among those taken and not
 * released.
 */
static bool indices_fit(const GpuQueue *q)
{
    uint64_t taken = q->fetch_index - q->read_index;
    uint64_t window = 0;

    if (taken > MIN(QUEUE_WINDOW, q->desc.ring_packets)) {
        return false;
    }
    for (uint64_t i = 0; i < taken; i++) {
        window |= 1ull << ((q->read_index + i) % QUEUE_WINDOW);
    }
    return !((q->done | q->failed | q->redo) & ~window) &&
           (!has_packet_at_hand(q) || q->index - q->read_index <= taken);
}

/* A bool of the stream may be neither. */
static bool is_bool(const bool *value)
{
    uint8_t byte;

    memcpy(&byte, value, 1);
    return byte <= 1;
}

static bool bools_fit(const GpuQueue *q)
{
    for (unsigned i = 0; i < QUEUE_OWED; i++) {
        if (!is_bool(&q->owed[i].counted)) {
            return false;
        }
    }
    return is_bool(&q->have_packet) && is_bool(&q->bad_packet) &&
           is_bool(&q->copying) && is_bool(&q->fault_more);
}

static bool fault_fits(const EngineFault *fault)
{
    return (unsigned)fault->cause <= UINT8_MAX &&
           (unsigned)fault->access <= ENGINE_FETCH &&
           memchr(fault->text, 0, sizeof(fault->text));
}

static bool state_fits(const GpuQueue *q)
{
    unsigned expected = q->error ? QUEUE_STOPPED
                        : q->frozen ? QUEUE_FROZEN : QUEUE_MAPPED;

    return q->state == expected &&
           !(q->frozen & ~(FROZEN_COMMAND | FROZEN_INACTIVE)) &&
           !(q->events_owed & ~(1u << TESSERA_IH_QUEUE_ERROR |
                                1u << TESSERA_IH_FAULT));
}

static const char *queue_flaw(const GpuQueue *q)
{
    return !state_fits(q) ? "state" :
           (unsigned)q->stall >= STALLS ? "stall" :
           queue_check_descriptor(&q->desc) != TESSERA_RESULT_OK ||
           q->vmid != q->desc.vmid ? "descriptor" :
           q->amd_queue &&
           q->amd_queue + offsetof(AmdQueue, read_dispatch_id) !=
           q->desc.read_index_addr ? "AmdQueue" :
           !bools_fit(q) || q->owed_count > QUEUE_OWED ? "packet" :
           !fault_fits(&q->fault) ? "fault" :
           q->deps_seen >> BARRIER_DEPS ? "barrier" :
           !indices_fit(q) ? "index" : NULL;
}

static void copy_queue(GpuQueue *to, const GpuQueue *from)
{
    for (const StateField *f = queue_fields; f->name; f++) {
        memcpy((uint8_t *)to + f->offset, (const uint8_t *)from + f->offset,
               f->size);
    }
}

static bool load_queue(TesseraGpu *gpu, unsigned n, const void *data,
                       GError **error)
{
    const GpuQueue *item = data;
    const char *flaw = queue_flaw(item);
    GpuQueue *queue;

    if (item->slot >= TESSERA_QUEUES ||
        gpu->queues[item->slot].state != QUEUE_FREE) {
        return bad_state(error, "no free queue slot %u", item->slot);
    }
    if (flaw) {
        return bad_state(error, "queue %u has a bad %s", item->slot, flaw);
    }
    queue = &gpu->queues[item->slot];
    copy_queue(queue, item);
    if (!has_packet_at_hand(queue)) {
        queue->index = queue->fetch_index; /* not the stream's: unchecked */
    }
    queue->wait = WAIT_DOORBELL;
    queue->priority = queue->desc.priority;
    queue->cu_mask = queue->desc.cu_mask;
    if (!doorbell_claim(gpu, queue_doorbell(queue), item->slot)) {
        return bad_state(error, "queue %u shares its doorbell", item->slot);
    }
    queue->doorbell_seen = gpu->doorbells[queue_doorbell(queue)];
    return true;
}

/* ---- what waits for the packet processor ---- */

typedef struct CommandItem {
    uint64_t addr;
} CommandItem;

static const StateField command_fields[] = { FIELD(CommandItem, addr, 1), END };

static unsigned save_commands(TesseraGpu *gpu, GByteArray *out)
{
    const GpuInbox *inbox = &gpu->inbox;

    for (unsigned i = 0; i < inbox->command_count; i++) {
        put_item(out, command_fields, &(CommandItem){
            inbox->commands[(inbox->command_head + i) % COMMANDS_MAX],
        });
    }
    return inbox->command_count;
}

static bool load_command(TesseraGpu *gpu, unsigned n, const void *data,
                         GError **error)
{
    const CommandItem *item = data;

    gpu_lock(gpu);
    command_submit(gpu, item->addr);
    gpu_unlock(gpu);
    return true;
}

static const StateField event_fields[] = {
    FIELD(GpuEvent, source, 1),
    FIELD(GpuEvent, vmid, 1),
    FIELD(GpuEvent, queue, 1),
    FIELD(GpuEvent, data, 1),
    END
};

static unsigned save_events(TesseraGpu *gpu, GByteArray *out)
{
    const GpuInbox *inbox = &gpu->inbox;

    for (unsigned i = 0; i < inbox->event_count; i++) {
        put_item(out, event_fields,
                 &inbox->events[(inbox->event_head + i) % EVENTS_MAX]);
    }
    return inbox->event_count;
}

static bool load_event(TesseraGpu *gpu, unsigned n, const void *data,
                       GError **error)
{
#define IH_BIT(n, v, doc) | 1u << (v)
    const uint32_t known = 0 TESSERA_IH_SOURCES(IH_BIT);
    const GpuEvent *item = data;

    if (item->source >= 32 || !(known & 1u << item->source) ||
        item->vmid >= TESSERA_VMIDS) {
        return bad_state(error, "no event from source %u, VMID %u",
                         item->source, item->vmid);
    }
    gpu_lock(gpu);
    ih_defer(gpu, item);
    gpu_unlock(gpu);
    return true;
}

/* ---- the first fault, and the totals; tools show them ---- */

static const StateField fault_fields[] = {
    FIELD(EngineFault, cause, 1),
    FIELD(EngineFault, access, 1),
    FIELD(EngineFault, address, 1),
    FIELD(EngineFault, pc, 1),
    FIELD(EngineFault, lanes, 1),
    FIELD(EngineFault, group, 1),
    FIELD(EngineFault, wave, 1),
    FIELD(EngineFault, text, 1),
    END
};

static unsigned save_fault(TesseraGpu *gpu, GByteArray *out)
{
    put_item(out, fault_fields, &gpu->first_fault);
    return 1;
}

static bool load_fault(TesseraGpu *gpu, unsigned n, const void *data,
                       GError **error)
{
    const EngineFault *item = data;

    if (!fault_fits(item)) {
        return bad_state(error, "bad fault record");
    }
    gpu->first_fault = *item;
    return true;
}

static const StateField count_fields[] = {
    FIELD(TesseraStats, dispatches, 1),
    FIELD(TesseraStats, instructions, 1),
    FIELD(TesseraStats, lane_instructions, 1),
    FIELD(TesseraStats, waves, 1),
    END
};

static unsigned save_counts(TesseraGpu *gpu, GByteArray *out)
{
    put_item(out, count_fields, &gpu->counts);
    return 1;
}

static bool load_counts(TesseraGpu *gpu, unsigned n, const void *data,
                        GError **error)
{
    gpu->counts = *(const TesseraStats *)data;
    return true;
}

/* ---- the stream ---- */

/* Whatever a section holds, while it is looked at. */
typedef union AnyItem {
    IdentItem ident;
    RegItem reg;
    DoorbellItem doorbell;
    GpuQueue queue;
    CommandItem command;
    GpuEvent event;
    EngineFault fault;
    TesseraStats counts;
} AnyItem;

typedef struct StateSection {
    const char *name;
    const StateField *fields;
    unsigned min, max; /* items */
    unsigned (*save)(TesseraGpu *gpu, GByteArray *out); /* returns items */
    /* Takes the @n-th item. */
    bool (*load)(TesseraGpu *gpu, unsigned n, const void *item,
                 GError **error);
} StateSection;

static const StateSection section_info[] = {
    { "identity", ident_fields, G_N_ELEMENTS(idents), G_N_ELEMENTS(idents),
      save_ident, load_ident },
    { "registers", reg_fields, 0, TESSERA_REGS_SIZE / 4, save_regs, load_reg },
    { "doorbells", doorbell_fields, 0, DOORBELLS, save_doorbells,
      load_doorbell },
    { "queues", queue_fields, 0, TESSERA_QUEUES, save_queues, load_queue },
    { "commands", command_fields, 0, COMMANDS_MAX, save_commands,
      load_command },
    { "events", event_fields, 0, EVENTS_MAX, save_events, load_event },
    { "fault", fault_fields, 1, 1, save_fault, load_fault },
    { "counts", count_fields, 1, 1, save_counts, load_counts },
};

static void put_section(TesseraGpu *gpu, const StateSection *section,
                        GByteArray *out)
{
    guint at = out->len;
    uint32_t count = 0;

    g_byte_array_append(out, (const uint8_t *)&count, sizeof(count));
    count = section->save(gpu, out);
    memcpy(out->data + at, &count, sizeof(count));
}

static bool take_section(TesseraGpu *gpu, const StateSection *section,
                         StateReader *in, GError **error)
{
    uint32_t count;

    if (!take_bytes(in, &count, sizeof(count)) || count < section->min ||
        count > section->max) {
        return bad_state(error, "section %s is missing, or too long",
                         section->name);
    }
    for (uint32_t i = 0; i < count; i++) {
        AnyItem item;

        memset(&item, 0, sizeof(item));
        if (!take_item(in, section->fields, &item)) {
            return bad_state(error, "section %s is cut short", section->name);
        }
        if (!section->load(gpu, i, &item, error)) {
            return false;
        }
    }
    return true;
}

static bool take_header(StateReader *in, size_t size, GError **error)
{
    StateHeader header;

    if (!take_bytes(in, &header, sizeof(header)) ||
        header.magic != STATE_MAGIC) {
        return bad_state(error, "this is no state of a Tessera GPU");
    }
    if (header.version < STATE_VERSION_MIN ||
        header.version > STATE_VERSION) {
        return bad_state(error, "the state has version %u, known are %d to %d",
                         header.version, STATE_VERSION_MIN, STATE_VERSION);
    }
    if (header.bytes != size) {
        return bad_state(error, "the state has %zu bytes instead of %u", size,
                         header.bytes);
    }
    in->version = header.version;
    return true;
}

static bool take_stream(TesseraGpu *gpu, const uint8_t *data, size_t size,
                        GError **error)
{
    StateReader in = { data, size, 0 };

    if (!take_header(&in, size, error)) {
        return false;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(section_info); i++) {
        if (!take_section(gpu, &section_info[i], &in, error)) {
            return false;
        }
    }
    return !in.left || bad_state(error, "%zu bytes too many", in.left);
}

/* What is in flight lives on in the engine, which cannot be saved. */
static bool check_idle(TesseraGpu *gpu, GError **error)
{
    if (vm_is_asking(gpu)) {
        return bad_state(error, "the packet processor waits for the IOMMU or "
                         "for another device");
    }
    for (unsigned i = 0; i < TESSERA_QUEUES; i++) {
        const GpuQueue *queue = &gpu->queues[i];

        if (queue->inflight) {
            return bad_state(error, "queue %u has %u dispatch%s in flight", i,
                             queue->inflight, queue->inflight > 1 ? "es" : "");
        }
        if (queue_closing(queue)) {
            return bad_state(error, "queue %u is being unmapped", i);
        }
    }
    for (unsigned i = 0; i < TESSERA_SAVED_QUEUES; i++) {
        if (gpu->saved[i]) {
            return bad_state(error, "the queue preempted from slot %u is kept; "
                             "map or discard it", gpu->saved[i]->slot);
        }
    }
    return true;
}

bool tessera_gpu_save(TesseraGpu *gpu, GByteArray *out, GError **error)
{
    StateHeader header = { .magic = STATE_MAGIC, .version = STATE_VERSION };
    guint start = out->len;
    bool ok;

    hold_begin(gpu, HOLD_STATE);
    ok = check_idle(gpu, error);
    if (ok) {
        g_byte_array_append(out, (const uint8_t *)&header, sizeof(header));
        for (unsigned i = 0; i < G_N_ELEMENTS(section_info); i++) {
            put_section(gpu, &section_info[i], out);
        }
        header.bytes = out->len - start;
        memcpy(out->data + start, &header, sizeof(header));
    }
    hold_end(gpu, HOLD_STATE);
    return ok;
}

bool tessera_gpu_load(TesseraGpu *gpu, const uint8_t *data, size_t size,
                      GError **error)
{
    bool ok;

    hold_begin(gpu, HOLD_STATE);
    tessera_gpu_reset(gpu);
    ok = take_stream(gpu, data, size, error);
    if (ok) {
        doorbell_kick_all(gpu);
    } else {
        tessera_gpu_reset(gpu);
    }
    hold_end(gpu, HOLD_STATE);
    return ok;
}
