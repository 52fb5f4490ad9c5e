/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Clang offload bundles: several code objects in one file. */
#ifndef TOOLS_CODEOBJ_BUNDLE_H
#define TOOLS_CODEOBJ_BUNDLE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is this the beginning of an (uncompressed) offload bundle? */
bool codeobj_is_bundle(const uint8_t *bytes, size_t size);

/*
 * Find the entry for @isa ("gfx900"; NULL: the first whose instruction set
 * Tessera knows).  On failure *@error is one sentence without a file name.
 */
bool codeobj_bundle_find(const uint8_t *bytes, size_t size, const char *isa,
                         size_t *offset, size_t *length, char **error);

#endif
