/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Clang offload bundles ("Clang Offload Bundler", bundled binary file
 * layout): a magic string, the number of entries, and for each entry its
 * offset, size and identifier, e.g. "hipv4-amdgcn-amd-amdhsa--gfx900:xnack-".
 */
#include <string.h>
#include "tessera/isa.h"
#include "tools/codeobj-bundle.h"

#define BUNDLE_MAGIC "__CLANG_OFFLOAD_BUNDLE__"
#define BUNDLE_MAGIC_SIZE (sizeof(BUNDLE_MAGIC) - 1)
#define BUNDLE_ENTRIES_MAX 1024

typedef struct BundleEntry {
    uint64_t offset, size;
    const char *id; /* not terminated */
    uint64_t id_size;
} BundleEntry;

bool codeobj_is_bundle(const uint8_t *bytes, size_t size)
{
    return size >= BUNDLE_MAGIC_SIZE &&
           memcmp(bytes, BUNDLE_MAGIC, BUNDLE_MAGIC_SIZE) == 0;
}

static bool bundle_u64(const uint8_t *bytes, size_t size, size_t *at,
                       uint64_t *value)
{
    if (*at > size || size - *at < sizeof(*value)) {
        return false;
    }
    memcpy(value, bytes + *at, sizeof(*value));
    *at += sizeof(*value);
    return true;
}

static bool bundle_entry(const uint8_t *bytes, size_t size, size_t *at,
                         BundleEntry *entry)
{
    if (!bundle_u64(bytes, size, at, &entry->offset) ||
        !bundle_u64(bytes, size, at, &entry->size) ||
        !bundle_u64(bytes, size, at, &entry->id_size) ||
        entry->id_size > size - *at || entry->offset > size ||
        entry->size > size - entry->offset) {
        return false;
    }
    entry->id = (const char *)bytes + *at;
    *at += entry->id_size;
    return true;
}

/* The processor in "kind-triple--gfx900:features"; NULL if it is no GPU's. */
static char *bundle_entry_isa(const BundleEntry *entry)
{
    g_autofree char *id = g_strndup(entry->id, entry->id_size);
    char *gfx;

    if (!strstr(id, "amdgcn")) {
        return NULL;
    }
    gfx = g_strrstr(id, "-gfx");
    if (!gfx) {
        return NULL;
    }
    gfx++;
    return g_strndup(gfx, strcspn(gfx, ":"));
}

bool codeobj_bundle_find(const uint8_t *bytes, size_t size, const char *isa,
                         size_t *offset, size_t *length, char **error)
{
    g_autoptr(GString) seen = g_string_new("");
    size_t at = BUNDLE_MAGIC_SIZE;
    uint64_t count;

    if (!bundle_u64(bytes, size, &at, &count) || count > BUNDLE_ENTRIES_MAX) {
        *error = g_strdup("offload bundle is truncated or damaged");
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        BundleEntry entry;
        g_autofree char *name = NULL;

        if (!bundle_entry(bytes, size, &at, &entry)) {
            *error = g_strdup_printf("offload bundle is truncated or damaged "
                                     "at entry %u", (unsigned)i);
            return false;
        }
        name = bundle_entry_isa(&entry);
        if (!name) {
            continue;
        }
        if (isa ? g_str_equal(name, isa) : tessera_isa_find(name) != NULL) {
            *offset = entry.offset;
            *length = entry.size;
            return true;
        }
        g_string_append_printf(seen, "%s%s", seen->len ? ", " : "", name);
    }
    *error = g_strdup_printf("offload bundle has no code object for %s "
                             "(it has: %s)",
                             isa ? isa : "an instruction set of this build",
                             seen->len ? seen->str : "none for AMD GPUs");
    return false;
}
