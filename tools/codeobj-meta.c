/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The MessagePack metadata of a code object: kernels and their arguments.
 *
 * Keys and meanings: LLVM's "User Guide for AMDGPU Backend", code object
 * metadata, versions 4 to 6.  Unknown keys are passed over.
 */
#include <inttypes.h>
#include <msgpack.h>
#include <string.h>
#include "tools/codeobj-int.h"

static const char *const code_value_names[] = {
#define CODE_VALUE_NAME(text, name) text,
    CODE_VALUE_KINDS(CODE_VALUE_NAME)
};

const char *code_value_kind_name(CodeValueKind kind)
{
    return kind < CODE_VALUE_KIND_COUNT ? code_value_names[kind] : "?";
}

/* ---- bounding ---- */

/*
 * How a MessagePack item of a given first byte continues: @fixed bytes follow,
 * then as many bytes (or items) as a big-endian count of @count bytes says.
 */
typedef struct MetaItem {
    uint8_t first, last; /* range of first bytes */
    uint8_t count;       /* bytes of the count; 0: none */
    uint8_t fixed;       /* bytes besides the count */
    uint8_t items;       /* 0: the count is of bytes; 1, 2: items a count */
} MetaItem;

static const MetaItem meta_items[] = {
    { 0x00, 0x7f, 0, 0, 0 }, /* positive fixint */
    { 0xc0, 0xc3, 0, 0, 0 }, /* nil, false, true */
    { 0xc4, 0xc4, 1, 0, 0 }, /* bin 8, 16, 32 */
    { 0xc5, 0xc5, 2, 0, 0 },
    { 0xc6, 0xc6, 4, 0, 0 },
    { 0xc7, 0xc7, 1, 1, 0 }, /* ext 8, 16, 32 */
    { 0xc8, 0xc8, 2, 1, 0 },
    { 0xc9, 0xc9, 4, 1, 0 },
    { 0xca, 0xca, 0, 4, 0 }, /* float 32, 64 */
    { 0xcb, 0xcb, 0, 8, 0 },
    { 0xcc, 0xcc, 0, 1, 0 }, /* uint 8 to 64 */
    { 0xcd, 0xcd, 0, 2, 0 },
    { 0xce, 0xce, 0, 4, 0 },
    { 0xcf, 0xcf, 0, 8, 0 },
    { 0xd0, 0xd0, 0, 1, 0 }, /* int 8 to 64 */
    { 0xd1, 0xd1, 0, 2, 0 },
    { 0xd2, 0xd2, 0, 4, 0 },
    { 0xd3, 0xd3, 0, 8, 0 },
    { 0xd4, 0xd4, 0, 2, 0 }, /* fixext 1 to 16 */
    { 0xd5, 0xd5, 0, 3, 0 },
    { 0xd6, 0xd6, 0, 5, 0 },
    { 0xd7, 0xd7, 0, 9, 0 },
    { 0xd8, 0xd8, 0, 17, 0 },
    { 0xd9, 0xd9, 1, 0, 0 }, /* str 8, 16, 32 */
    { 0xda, 0xda, 2, 0, 0 },
    { 0xdb, 0xdb, 4, 0, 0 },
    { 0xdc, 0xdc, 2, 0, 1 }, /* array 16, 32 */
    { 0xdd, 0xdd, 4, 0, 1 },
    { 0xde, 0xde, 2, 0, 2 }, /* map 16, 32 */
    { 0xdf, 0xdf, 4, 0, 2 },
    { 0xe0, 0xff, 0, 0, 0 }, /* negative fixint */
};

/* Items whose count is in the first byte: fixmap, fixarray, fixstr. */
static bool meta_fix_item(uint8_t first, uint64_t *bytes, uint64_t *items)
{
    if (first >= 0x80 && first <= 0x8f) {
        *items = 2 * (first & 0xf);
    } else if (first >= 0x90 && first <= 0x9f) {
        *items = first & 0xf;
    } else if (first >= 0xa0 && first <= 0xbf) {
        *bytes = first & 0x1f;
    } else {
        return false;
    }
    return true;
}

static const MetaItem *meta_find_item(uint8_t first)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(meta_items); i++) {
        if (first >= meta_items[i].first && first <= meta_items[i].last) {
            return &meta_items[i];
        }
    }
    return NULL;
}

/* Step over one item's head and bytes; *@items: how many it contains. */
static bool meta_step(const uint8_t *bytes, size_t size, size_t *at,
                      uint64_t *items)
{
    uint8_t first = bytes[(*at)++];
    uint64_t length = 0, count = 0;
    const MetaItem *item;

    *items = 0;
    if (!meta_fix_item(first, &length, items)) {
        item = meta_find_item(first);
        if (!item || size - *at < item->count) {
            return false;
        }
        for (unsigned i = 0; i < item->count; i++) {
            count = count << 8 | bytes[(*at)++];
        }
        *items = count * item->items;
        length = item->fixed + (item->items ? 0 : count);
    }
    if (length > size - *at) {
        return false;
    }
    *at += length;
    return true;
}

/*
 * msgpack-c allocates an array's elements from its count alone, so a few
 * bytes can ask for 100 GB.  Accept only what can be in @size bytes: each item
 * takes at least one.
 */
static bool meta_is_bounded(const uint8_t *bytes, size_t size)
{
    uint64_t pending = 1, items;
    size_t at = 0;

    while (pending > 0) {
        if (pending > size - at || !meta_step(bytes, size, &at, &items)) {
            return false;
        }
        pending += items - 1;
    }
    return true;
}

/* ---- access ---- */

static bool meta_is(const msgpack_object *object, const char *text)
{
    size_t length = strlen(text);

    return object->type == MSGPACK_OBJECT_STR &&
           object->via.str.size == length &&
           memcmp(object->via.str.ptr, text, length) == 0;
}

static const msgpack_object *meta_get(const msgpack_object *map,
                                      const char *key)
{
    if (map->type != MSGPACK_OBJECT_MAP) {
        return NULL;
    }
    for (uint32_t i = 0; i < map->via.map.size; i++) {
        if (meta_is(&map->via.map.ptr[i].key, key)) {
            return &map->via.map.ptr[i].val;
        }
    }
    return NULL;
}

static bool meta_u32(const msgpack_object *object, uint32_t *value)
{
    if (!object || object->type != MSGPACK_OBJECT_POSITIVE_INTEGER ||
        object->via.u64 > UINT32_MAX) {
        return false;
    }
    *value = object->via.u64;
    return true;
}

/* A copy of a string; bytes that are no UTF-8 are replaced, NUL ends it. */
static char *meta_string(const msgpack_object *object)
{
    g_autofree char *raw = NULL;

    if (!object || object->type != MSGPACK_OBJECT_STR) {
        return NULL;
    }
    raw = g_strndup(object->via.str.ptr, object->via.str.size);
    return g_utf8_make_valid(raw, -1);
}

static bool meta_bool(const msgpack_object *object)
{
    return object &&
           ((object->type == MSGPACK_OBJECT_BOOLEAN && object->via.boolean) ||
            (object->type == MSGPACK_OBJECT_POSITIVE_INTEGER &&
             object->via.u64 != 0));
}

/* ---- arguments ---- */

static bool meta_value_kind(const msgpack_object *object, CodeValueKind *kind)
{
    for (unsigned i = 0; object && i < CODE_VALUE_KIND_COUNT; i++) {
        if (meta_is(object, code_value_names[i])) {
            *kind = i;
            return true;
        }
    }
    return false;
}

static char *meta_name(const msgpack_object *map, const char *key)
{
    char *name = meta_string(meta_get(map, key));

    return name ? name : g_strdup("");
}

static bool meta_parse_arg(const CodeObject *co, const CodeKernel *kernel,
                           const msgpack_object *map, CodeArg *arg,
                           GError **error)
{
    unsigned number = kernel->n_args + 1;

    if (!meta_u32(meta_get(map, ".offset"), &arg->offset) ||
        !meta_u32(meta_get(map, ".size"), &arg->size)) {
        return codeobj_fail(co, error, "kernel %s, argument %u: metadata has "
                            "no offset or size", kernel->name, number);
    }
    if (!codeobj_inside(arg->offset, arg->size, kernel->kernarg_size)) {
        return codeobj_fail(co, error, "kernel %s, argument %u: bytes %u to "
                            "%" PRIu64 " are outside the %u bytes of "
                            "arguments", kernel->name, number, arg->offset,
                            (uint64_t)arg->offset + arg->size,
                            kernel->kernarg_size);
    }
    if (!meta_value_kind(meta_get(map, ".value_kind"), &arg->kind)) {
        return codeobj_fail(co, error, "kernel %s, argument %u: metadata has "
                            "no known value_kind", kernel->name, number);
    }
    arg->pointee_align = 1;
    meta_u32(meta_get(map, ".pointee_align"), &arg->pointee_align);
    arg->pointee_align = CLAMP(arg->pointee_align, 1, 4096);
    arg->name = meta_name(map, ".name");
    arg->type_name = meta_name(map, ".type_name");
    return true;
}

static bool meta_parse_args(const CodeObject *co, CodeKernel *kernel,
                            const msgpack_object *list, GError **error)
{
    if (!list) {
        return true;
    }
    if (list->type != MSGPACK_OBJECT_ARRAY) {
        return codeobj_fail(co, error, "kernel %s: .args is no list",
                            kernel->name);
    }
    kernel->args = g_new0(CodeArg, list->via.array.size);
    for (uint32_t i = 0; i < list->via.array.size; i++) {
        if (!meta_parse_arg(co, kernel, &list->via.array.ptr[i],
                            &kernel->args[i], error)) {
            return false;
        }
        kernel->n_args++;
    }
    return true;
}

/* ---- kernels ---- */

static const struct {
    const char *key;
    size_t offset; /* of a uint32_t in CodeKernel */
    bool needed;
} meta_kernel_numbers[] = {
    { ".kernarg_segment_size", offsetof(CodeKernel, kernarg_size), true },
    { ".kernarg_segment_align", offsetof(CodeKernel, kernarg_align), true },
    { ".group_segment_fixed_size", offsetof(CodeKernel, lds_size), true },
    { ".private_segment_fixed_size", offsetof(CodeKernel, private_size),
      true },
    { ".wavefront_size", offsetof(CodeKernel, wave_size), true },
    { ".max_flat_workgroup_size", offsetof(CodeKernel, max_group), false },
    { ".vgpr_count", offsetof(CodeKernel, vgprs), false },
    { ".sgpr_count", offsetof(CodeKernel, sgprs), false },
};

static bool meta_parse_numbers(const CodeObject *co, CodeKernel *kernel,
                               const msgpack_object *map, GError **error)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(meta_kernel_numbers); i++) {
        uint32_t *field = (uint32_t *)((char *)kernel +
                                       meta_kernel_numbers[i].offset);

        if (!meta_u32(meta_get(map, meta_kernel_numbers[i].key), field) &&
            meta_kernel_numbers[i].needed) {
            return codeobj_fail(co, error, "kernel %s: metadata has no %s",
                                kernel->name, meta_kernel_numbers[i].key);
        }
    }
    if (kernel->kernarg_size > CODEOBJ_KERNARG_MAX) {
        return codeobj_fail(co, error, "kernel %s: %u bytes of arguments, at "
                            "most %u are supported", kernel->name,
                            kernel->kernarg_size, CODEOBJ_KERNARG_MAX);
    }
    return true;
}

static bool meta_parse_reqd_group(const CodeObject *co, CodeKernel *kernel,
                                  const msgpack_object *list, GError **error)
{
    if (!list) {
        return true;
    }
    for (unsigned i = 0; i < 3; i++) {
        if (list->type != MSGPACK_OBJECT_ARRAY || list->via.array.size != 3 ||
            !meta_u32(&list->via.array.ptr[i], &kernel->reqd_group[i]) ||
            kernel->reqd_group[i] == 0) {
            return codeobj_fail(co, error, "kernel %s: .reqd_workgroup_size "
                                "is not three sizes", kernel->name);
        }
    }
    return true;
}

static bool meta_parse_kernel(const CodeObject *co, CodeKernel *kernel,
                              const msgpack_object *map, GError **error)
{
    kernel->name = meta_string(meta_get(map, ".name"));
    kernel->symbol = meta_string(meta_get(map, ".symbol"));
    if (!kernel->name || !kernel->symbol) {
        return codeobj_fail(co, error, "damaged metadata: a kernel has no "
                            "name or symbol");
    }
    kernel->dynamic_stack = meta_bool(meta_get(map, ".uses_dynamic_stack"));
    kernel->uniform_groups =
        meta_bool(meta_get(map, ".uniform_work_group_size"));
    return meta_parse_numbers(co, kernel, map, error) &&
           meta_parse_reqd_group(co, kernel,
                                 meta_get(map, ".reqd_workgroup_size"),
                                 error) &&
           meta_parse_args(co, kernel, meta_get(map, ".args"), error);
}

static bool meta_parse_root(CodeObject *co, const msgpack_object *root,
                            GError **error)
{
    const msgpack_object *list = meta_get(root, "amdhsa.kernels");

    if (!list || list->type != MSGPACK_OBJECT_ARRAY) {
        return codeobj_fail(co, error, "damaged metadata: no list "
                            "amdhsa.kernels");
    }
    for (uint32_t i = 0; i < list->via.array.size; i++) {
        CodeKernel kernel = { 0 };
        bool ok = meta_parse_kernel(co, &kernel, &list->via.array.ptr[i],
                                    error);

        g_array_append_val(co->kernels, kernel);
        if (!ok) {
            return false;
        }
    }
    return true;
}

bool codeobj_parse_metadata(CodeObject *co, const uint8_t *bytes, size_t size,
                            GError **error)
{
    msgpack_unpacked result;
    size_t at = 0;
    bool ok = false;

    if (!meta_is_bounded(bytes, size)) {
        return codeobj_fail(co, error, "damaged metadata: not MessagePack, "
                            "or truncated");
    }
    msgpack_unpacked_init(&result);
    if (msgpack_unpack_next(&result, (const char *)bytes, size, &at) ==
        MSGPACK_UNPACK_SUCCESS) {
        ok = meta_parse_root(co, &result.data, error);
    } else {
        codeobj_fail(co, error, "damaged metadata: not MessagePack, or nested "
                     "too deeply");
    }
    msgpack_unpacked_destroy(&result);
    return ok;
}
