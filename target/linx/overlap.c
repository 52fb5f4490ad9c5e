/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accesses that the chapter leaves unordered (linx-blocks section 12).
 *
 * What has been touched is kept by granules of 8 bytes, in chains of records;
 * one record is what one group has done to a granule in one way.  Two groups
 * that have loaded a byte are enough to find every store that meets a load,
 * and the same goes for atomics: further ones leave no record.
 */
#include <glib.h>
#include <pthread.h>
#include <string.h>
#include "target/linx/overlap.h"

enum {
    CHAIN = 64,      /* records of a granule; all of these clash already */
    BUCKETS = 1024,  /* at first */
    NOBODY = UINT32_MAX,
    SCALAR = 0,      /* Record.block of scalar code; blocks count from 1 */
};

typedef struct Record {
    uint64_t granule; /* address / 8 */
    uint64_t group, pc;
    uint32_t block, next;
    uint8_t kind;     /* LinxTouchKind */
    uint8_t mask;     /* bytes of the granule */
    uint8_t lane[8];  /* that touched each of them */
} Record;

typedef struct Table {
    GArray *records;
    uint32_t *bucket; /* index of the first record, or NOBODY */
    uint32_t buckets; /* a power of 2; 0: nothing there yet */
} Table;

/* A part of a touch: one lane's bytes in one granule. */
typedef struct Part {
    const LinxTouch *touch;
    uint64_t granule;
    unsigned lane;
    uint32_t block;
    uint8_t mask;
} Part;

struct LinxOverlap {
    pthread_mutex_t lock;
    Table local, global;
    /* Of the block that runs. */
    bool in_series;      /* groups may meet */
    bool acquire;
    bool full;           /* that there was no room has been reported */
    uint32_t block;
    uint64_t bpc;
    unsigned outputs;
    struct { uint64_t base, size; } output[LINX_TILE_OUTPUTS];
};

LinxOverlap *linx_overlap_new(void)
{
    LinxOverlap *o = g_new0(LinxOverlap, 1);

    pthread_mutex_init(&o->lock, NULL);
    return o;
}

/* ---- records ---- */

static void table_drop(Table *table)
{
    if (table->records) {
        g_array_free(table->records, TRUE);
    }
    g_free(table->bucket);
    memset(table, 0, sizeof(*table));
}

void linx_overlap_free(LinxOverlap *o)
{
    if (o) {
        table_drop(&o->local);
        table_drop(&o->global);
        pthread_mutex_destroy(&o->lock);
        g_free(o);
    }
}

static void table_clear(Table *table)
{
    if (table->records && table->records->len) {
        g_array_set_size(table->records, 0);
        memset(table->bucket, 0xff, table->buckets * sizeof(uint32_t));
    }
}

static Record *record_at(const Table *table, uint32_t index)
{
    return &g_array_index(table->records, Record, index);
}

static uint32_t *bucket_of(const Table *table, uint64_t granule)
{
    uint64_t hash = granule * 0x9e3779b97f4a7c15;

    return &table->bucket[hash >> 32 & (table->buckets - 1)];
}

/* Have as many buckets as records at least. */
static void table_grow(Table *table)
{
    if (!table->records) {
        table->records = g_array_new(FALSE, FALSE, sizeof(Record));
    }
    if (table->records->len < table->buckets) {
        return;
    }
    table->buckets = table->buckets ? table->buckets * 2 : BUCKETS;
    table->bucket = g_renew(uint32_t, table->bucket, table->buckets);
    memset(table->bucket, 0xff, table->buckets * sizeof(uint32_t));
    for (uint32_t i = 0; i < table->records->len; i++) {
        uint32_t *bucket = bucket_of(table, record_at(table, i)->granule);

        record_at(table, i)->next = *bucket;
        *bucket = i;
    }
}

static Record new_record(const Part *part, uint32_t next)
{
    return (Record) {
        .granule = part->granule, .group = part->touch->group,
        .pc = part->touch->pc, .block = part->block, .next = next,
        .kind = part->touch->kind,
    };
}

static void add_bytes(Record *record, const Part *part)
{
    for (unsigned i = 0; i < 8; i++) {
        if (part->mask >> i & 1) {
            record->lane[i] = part->lane;
        }
    }
    record->mask |= part->mask;
}

static bool add_record(Table *table, const Part *part)
{
    uint32_t *bucket;
    Record record;

    table_grow(table);
    if (table->records->len == LINX_OVERLAP_MAX) {
        return false;
    }
    bucket = bucket_of(table, part->granule);
    record = new_record(part, *bucket);
    add_bytes(&record, part);
    *bucket = table->records->len;
    g_array_append_val(table->records, record);
    return true;
}

/* The first record of a granule at or behind @index in its chain. */
static Record *find_record(const Table *table, uint64_t granule,
                           uint32_t index)
{
    while (index != NOBODY) {
        Record *record = record_at(table, index);

        if (record->granule == granule) {
            return record;
        }
        index = record->next;
    }
    return NULL;
}

#define FOR_RECORDS(record, table, g) \
    for (Record *record = !(table)->buckets ? NULL : \
             find_record(table, g, *bucket_of(table, g)); \
         record; record = find_record(table, g, record->next))

/* Did the same group, or serial block, or scalar code make @record? */
static bool is_own(const LinxOverlap *o, const Part *part,
                   const Record *record)
{
    return record->block == part->block &&
           (part->block == SCALAR || o->in_series ||
            record->group == part->touch->group);
}

/* A record that @part's bytes go into; what was there of it is older. */
static Record *record_for(const LinxOverlap *o, Table *table,
                          const Part *part, unsigned *length, uint8_t *twice)
{
    Record *old = NULL;
    uint8_t once = 0;

    FOR_RECORDS(record, table, part->granule) {
        ++*length;
        if (record->kind != part->touch->kind) {
            continue;
        }
        if (is_own(o, part, record)) {
            return record;
        }
        if (record->block == part->block) {
            *twice |= once & record->mask;
            once |= record->mask;
        } else if (record->block != SCALAR && part->block != SCALAR &&
                   !(record->mask & ~part->mask)) {
            old = record; /* scalar code would meet the new one as well */
        }
    }
    if (old) {
        *old = new_record(part, old->next);
    }
    return old;
}

/* Remember @part; false if there is no room. */
static bool remember(const LinxOverlap *o, Table *table, const Part *part)
{
    unsigned length = 0;
    uint8_t twice = 0;
    Record *record = record_for(o, table, part, &length, &twice);

    if (!record) {
        if ((part->touch->kind != LINX_TOUCH_STORE &&
             !(part->mask & ~twice)) || length >= CHAIN) {
            return true;
        }
        return add_record(table, part);
    }
    add_bytes(record, part);
    return true;
}

/* ---- what meets what ---- */

/* What @part and @record do to the same bytes, if anything: a hazard or 0. */
static unsigned hazard_of(const LinxOverlap *o, const Part *part,
                          const Record *record)
{
    bool loads = part->touch->kind == LINX_TOUCH_LOAD &&
                 record->kind == LINX_TOUCH_LOAD;
    bool atomics = part->touch->kind == LINX_TOUCH_ATOMIC &&
                   record->kind == LINX_TOUCH_ATOMIC;

    if (!(part->mask & record->mask) || loads) {
        return 0;
    }
    if ((part->block == SCALAR) != (record->block == SCALAR)) {
        return TESSERA_HAZARD_SCALAR;
    }
    return part->block == record->block && !is_own(o, part, record) &&
           !atomics ? TESSERA_HAZARD_OVERLAP : 0;
}

static bool in_outputs(const LinxOverlap *o, uint64_t address)
{
    for (unsigned i = 0; i < o->outputs; i++) {
        if (address - o->output[i].base < o->output[i].size) {
            return true;
        }
    }
    return false;
}

/* Bytes of an output's granule that a group may load, being its own. */
static uint8_t own_bytes(const LinxOverlap *o, const Part *part)
{
    unsigned length = 0;
    uint8_t own = 0;

    FOR_RECORDS(record, &o->local, part->granule) {
        length++;
        if (record->kind == LINX_TOUCH_STORE && is_own(o, part, record)) {
            own |= record->mask;
        }
    }
    return length < CHAIN ? own : 0xff;
}

static bool is_too_early(const LinxOverlap *o, const Part *part)
{
    return part->touch->is_local && part->touch->kind == LINX_TOUCH_LOAD &&
           in_outputs(o, part->granule * 8) &&
           part->mask & ~own_bytes(o, part);
}

static void tell(LinxClash *clash, const LinxOverlap *o, const Part *part,
                 TesseraHazard kind, uint8_t mask, const Record *record)
{
    if (!clash->lanes) {
        clash->kind = kind;
        clash->block = o->bpc;
        clash->address = part->granule * 8 + __builtin_ctz(mask);
        if (record) {
            clash->other_pc = record->pc;
            clash->other_group = record->group;
            clash->other_lane = record->lane[clash->address % 8];
        }
    }
    if (clash->kind == kind) {
        clash->lanes |= 1ull << part->lane;
    }
}

static void check_part(LinxOverlap *o, const Part *part, LinxClash *clash)
{
    Table *table = part->touch->is_local ? &o->local : &o->global;
    bool met = false;

    FOR_RECORDS(record, table, part->granule) {
        unsigned kind = hazard_of(o, part, record);

        if (kind) {
            tell(clash, o, part, kind, part->mask & record->mask, record);
            met = true;
        }
    }
    if (!met && is_too_early(o, part)) {
        tell(clash, o, part, TESSERA_HAZARD_TILE,
             part->mask & ~own_bytes(o, part), NULL);
    }
    if (!remember(o, table, part) && !o->full) {
        o->full = true;
        tell(clash, o, part, TESSERA_HAZARD_UNCHECKED, part->mask, NULL);
    }
}

static void check_lane(LinxOverlap *o, const LinxTouch *touch, unsigned lane,
                       LinxClash *clash)
{
    uint64_t address = touch->address[lane];
    unsigned at = address % 8;
    unsigned bytes = ((1u << touch->bytes) - 1) << at;
    Part part = {
        .touch = touch, .granule = address / 8, .lane = lane,
        .block = touch->is_scalar ? SCALAR : o->block,
        .mask = bytes,
    };

    check_part(o, &part, clash);
    if (bytes >> 8) {
        part.granule++;
        part.mask = bytes >> 8;
        check_part(o, &part, clash);
    }
}

bool linx_overlap_touch(LinxOverlap *o, const LinxTouch *touch,
                        LinxClash *clash)
{
    *clash = (LinxClash) { 0 };
    pthread_mutex_lock(&o->lock);
    for (uint64_t lanes = touch->lanes; lanes; lanes &= lanes - 1) {
        check_lane(o, touch, __builtin_ctzll(lanes), clash);
    }
    pthread_mutex_unlock(&o->lock);
    return clash->lanes;
}

/* ---- blocks ---- */

/* What scalar code, or what blocks have done is over. */
static void forget(Table *table, bool scalar)
{
    for (uint32_t i = 0; table->records && i < table->records->len; i++) {
        Record *record = record_at(table, i);

        if ((record->block == SCALAR) == scalar) {
            record->mask = 0;
        }
    }
}

void linx_overlap_begin(LinxOverlap *o, const LinxBlock *block,
                        const LinxBound *bound)
{
    pthread_mutex_lock(&o->lock);
    table_clear(&o->local);
    o->block++;
    o->bpc = block->bpc;
    o->in_series = block->kind == LINX_MSEQ || block->kind == LINX_VSEQ;
    o->acquire = block->acquire;
    if (block->release) {
        forget(&o->global, true);
    }
    o->full = false;
    o->outputs = bound->outputs;
    for (unsigned i = 0; i < bound->outputs; i++) {
        bool each = block->output[i].queue == LINX_QUEUE_S;

        o->output[i].base = linx_tile_base(bound->output[i]);
        o->output[i].size = block->output[i].size *
                            (each ? linx_groups(block) : 1);
    }
    pthread_mutex_unlock(&o->lock);
}

void linx_overlap_order(LinxOverlap *o)
{
    pthread_mutex_lock(&o->lock);
    table_clear(&o->global);
    pthread_mutex_unlock(&o->lock);
}

void linx_overlap_commit(LinxOverlap *o)
{
    pthread_mutex_lock(&o->lock);
    if (o->acquire) {
        forget(&o->global, false);
    }
    pthread_mutex_unlock(&o->lock);
}
