/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole files in, whole files out. */
#ifndef TOOLS_FILES_H
#define TOOLS_FILES_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TOOL_FILE_ERROR tool_file_error_quark()
GQuark tool_file_error_quark(void);

/*
 * Read all of @path, at most @max bytes.  NULL and @error, one sentence that
 * begins with the path, if that cannot be done.
 */
GBytes *tool_read_file(const char *path, uint64_t max, GError **error);

/*
 * Size of the regular file @path, so that room for it can be found before it
 * is read with tool_read_into().
 */
bool tool_file_size(const char *path, uint64_t *size, GError **error);

/* Read exactly @size bytes of @path to @dst. */
bool tool_read_into(const char *path, void *dst, uint64_t size,
                    GError **error);

/* Can @path be created or overwritten?  Changes nothing. */
bool tool_check_output(const char *path, GError **error);

/*
 * A set of output files that appear together: each is written under a
 * temporary name beside its target and all are renamed at the end.  Targets
 * that exist and are no regular files (/dev/null, a pipe) are written in place.
 */
typedef struct ToolOutputs ToolOutputs;

ToolOutputs *tool_outputs_new(void);

/* Write @size bytes for @path; nothing is visible yet. */
bool tool_outputs_add(ToolOutputs *outputs, const char *path,
                      const void *bytes, uint64_t size, GError **error);

/* Rename all into place. */
bool tool_outputs_commit(ToolOutputs *outputs, GError **error);

/* Remove what was not committed, and free. */
void tool_outputs_free(ToolOutputs *outputs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ToolOutputs, tool_outputs_free)

#endif
