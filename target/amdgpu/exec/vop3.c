/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers of the vector instructions that only have the long encoding. */
#include "dot.h"
#include "vector.h"

#define V1 VECTOR_1
#define V2 VECTOR_2
#define V3 VECTOR_3
#define VX VECTOR_X
#include "../rows/vop3.inc"
