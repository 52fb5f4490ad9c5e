/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GFX11_ISA_H
#define GFX11_ISA_H

#include "tessera/isa.h"

extern const TesseraIsa gfx1100_isa, gfx1150_isa;

#endif
