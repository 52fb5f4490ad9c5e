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

/* The same of the operation's largest dimension, 3D. */
unsigned amd_image_most_addresses(const AmdInst *inst);

/*
 * Registers of its data, 0 if dmask and tfe make no sense for the operation,
 * and whether its dimension and nsa do.
 */
unsigned amd_image_data(const AmdInst *inst);

/*
 * LLVM prints what makes no sense as the operation's first form, and so do we:
 * this many data registers, and the addresses of a 3D image.
 */
unsigned amd_image_first_data(const AmdInst *inst);
bool amd_image_makes_sense(const AmdInst *inst);

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
