/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer over headers and bodies of LinxISA blocks: nothing crashes, nothing
 * hangs, and no byte outside the mapped memory or a block's tiles is touched.
 *
 *   LINX_FUZZ_CORPUS=DIR build/tests-unit/test-linx-fuzz
 *   build/tests-isa/fuzz-linx -max_len=512 -max_total_time=600 DIR
 */
#include "tests-unit/linx-fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    linx_fuzz_run(data, size);
    return 0;
}

/* Half of the time instructions, else what libFuzzer does to bytes. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned int seed)
{
    uint64_t random = seed;

    return seed & 1 ? linx_fuzz_mutate(data, size, max_size, &random) :
           LLVMFuzzerMutate(data, size, max_size);
}
