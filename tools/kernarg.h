/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The arguments that a runtime adds behind those a kernel's author wrote. */
#ifndef TOOLS_KERNARG_H
#define TOOLS_KERNARG_H

#include "tools/codeobj.h"

typedef struct KernargContext {
    unsigned dims;          /* 1 to 3 */
    uint32_t grid[3];       /* work-items */
    uint32_t group[3];      /* work-items */
    uint32_t dynamic_lds;   /* bytes */
    uint64_t queue;         /* address of the AmdQueue */
    uint32_t private_base_hi, shared_base_hi; /* bits 63:32 of apertures */
} KernargContext;

/*
 * Fill in @kernel's hidden arguments in @dst, its kernel->kernarg_size bytes
 * of arguments.  What this host has no use for (printf, host calls, device
 * enqueue, device heap) is 0, as the ABI allows.
 */
void kernarg_fill_hidden(const CodeKernel *kernel, const KernargContext *ctx,
                         uint8_t *dst);

#endif
