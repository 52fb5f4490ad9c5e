// SPDX-License-Identifier: GPL-2.0-or-later
// Stores where no memory is: ROCm ends the program and names the address.
#include "hip-test.h"

__global__ void store(int *at)
{
    *at = 1;
}

int main()
{
    store<<<1, 1>>>((int *)0x234567891000);
    HIP(hipDeviceSynchronize());
    printf("FAIL the store went through\n");
    return 1;
}
