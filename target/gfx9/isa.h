/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GFX9_ISA_H
#define GFX9_ISA_H

#include "tessera/isa.h"

extern const TesseraIsa gfx900_isa;

#endif
