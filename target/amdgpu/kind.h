/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What kind of work an instruction is, for profiles.
 */
#ifndef AMDGPU_KIND_H
#define AMDGPU_KIND_H

#include "inst.h"

/* TesseraIsa.kind() with @decode. */
const char *amd_kind(AmdDecodeFn *decode, const uint32_t *words,
                     unsigned count);

#endif
