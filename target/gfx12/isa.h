/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GFX12_ISA_H
#define GFX12_ISA_H

#include "tessera/isa.h"

extern const TesseraIsa gfx1200_isa, gfx1201_isa;

#endif
