// SPDX-License-Identifier: GPL-2.0-or-later
// printf() in kernels: the lines come out, in any order, the host's own words
// after those of the kernels that it has waited for.
#include "hip-test.h"

__global__ void say(const char *word, double scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    printf("%s %d times %.2f is %5.1f%%\n", word, i, scale, i * scale);
}

int main()
{
    char *word;

    HIP(hipHostMalloc((void **)&word, 4096, hipHostMallocCoherent));
    snprintf(word, 4096, "lane");
    say<<<2, 70>>>(word, 0.25);
    HIP(hipDeviceSynchronize());
    printf("the first kernel has ended\n");
    fflush(stdout);
    snprintf(word, 4096, "again");
    say<<<1, 3>>>(word, -1.5);
    HIP(hipDeviceSynchronize());
    printf("the second kernel has ended\n");
    return 0;
}
