/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LINX_ISA_H
#define LINX_ISA_H

#include "tessera/isa.h"

/* LinxISA blocks: its dispatches are streams of grids. */
extern const TesseraIsa linx_isa;

#endif
