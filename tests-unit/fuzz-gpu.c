/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libFuzzer over registers, doorbells, rings, page tables and life cycle. */
#include "tests-unit/gpu-fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gpu_fuzz_again(data, size);
    return 0;
}
