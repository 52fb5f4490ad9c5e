/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers of the vector instructions with one source. */
#include "vector.h"

#define V1(name, D, A, flags, ...) VECTOR_1(name, D, A, __VA_ARGS__)
#define V2(name, D, A, B, flags, ...) VECTOR_2(name, D, A, B, __VA_ARGS__)
#define V3(name, D, A, B, C, flags, ...) VECTOR_3(name, D, A, B, C, __VA_ARGS__)
#define VX(name, D, A, B, C, flags, ...)
#include "../rows/vop1.inc"
