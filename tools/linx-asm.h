/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Assembler of LinxISA: whole sources. */
#ifndef TOOLS_LINX_ASM_H
#define TOOLS_LINX_ASM_H

#include <glib.h>

enum { LINX_ASM_MAX = 64 << 20 }; /* bytes of source, or of code */

/*
 * Assemble @source, as docs/linx-blocks.md tells.  NULL and @error, one line
 * that begins with @name and the number of the line, if it has a mistake.
 */
GByteArray *linx_asm_source(const char *name, const char *source,
                            GError **error);

#endif
