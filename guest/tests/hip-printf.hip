// SPDX-License-Identifier: GPL-2.0-or-later
// printf() in a kernel: the GPU calls a service thread of the host.
#include "hip-test.h"

__global__ void say(int number)
{
    if (threadIdx.x % 3 == 0) {
        printf("item %d of kernel %d\n", (int)threadIdx.x, number);
    }
}

int main()
{
    say<<<1, 9>>>(4);
    HIP(hipDeviceSynchronize());
    return 0;
}
