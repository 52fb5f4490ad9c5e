/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Image instructions of gfx11 and gfx12: how many address registers they take.
 */
#ifndef AMDGPU_IMAGE_H
#define AMDGPU_IMAGE_H

#include "inst.h"

/*
 * Address registers of @inst, a MIMG, VIMAGE or VSAMPLE instruction: arguments,
 * gradients and coordinates of its dimension, of 16 bits with a16.
 */
unsigned amd_image_addresses(const AmdInst *inst);

/*
 * The registers that hold them: @count operand codes of one register each, but
 * that the last one is the first of all that are left.  At most 5.
 */
typedef struct ImageAddress {
    uint16_t code[5];
    unsigned count, last; /* registers of the last one */
} ImageAddress;

void amd_image_address(const AmdInst *inst, ImageAddress *address);

#endif
