/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nothing: what remains is the way there and back. */
#include "gpu.h"

GROUP(64, 1)
kernel void empty(void)
{
}
