/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TOOLS_DIS_LINX_H
#define TOOLS_DIS_LINX_H

#include <stddef.h>
#include <stdint.h>

#define DIS_LINX "linx" /* the name for --mcpu */

/* Print @size raw bytes as instructions of LinxISA. */
void dis_linx(const uint8_t *bytes, size_t size);

#endif
