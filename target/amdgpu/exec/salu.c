/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers of the scalar instructions. */
#include "scalar.h"

#define S1 SCALAR_1
#define S2 SCALAR_2
#define SC SCALAR_C
#define SK SCALAR_K
#define SP SCALAR_P
#include "../rows/salu.inc"
