/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Drives a device by bytes: register and doorbell accesses, guest memory full
 * of half-right structures and page tables, time, pauses and resets.  Shared by the seeded
 * test and the libFuzzer target.
 */
#ifndef GPU_FUZZ_H
#define GPU_FUZZ_H

#include "tests-unit/gpu-fixture.h"

/* With a device of its own. */
void gpu_fuzz_run(const uint8_t *data, size_t size);

/*
 * With a device that is kept and reset, as making one takes most of the time.
 */
void gpu_fuzz_again(const uint8_t *data, size_t size);

#endif
