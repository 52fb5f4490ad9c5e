/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the HIP tests share: checked calls, buffers, one line a result. */
#ifndef HIP_TEST_H
#define HIP_TEST_H

#include <cstdio>
#include <cstdlib>
#include <vector>
#include <hip/hip_runtime.h>

#define HIP(call)                                                              \
    do {                                                                       \
        hipError_t error_ = (call);                                            \
        if (error_ != hipSuccess) {                                            \
            printf("FAIL %s: %s\n", #call, hipGetErrorString(error_));         \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

template <typename T> struct Buffer {
    T *at;
    size_t count;

    explicit Buffer(size_t n) : at(nullptr), count(n)
    {
        HIP(hipMalloc((void **)&at, n * sizeof(T)));
    }
    ~Buffer() { (void)hipFree(at); }
    void upload(const std::vector<T> &from)
    {
        HIP(hipMemcpy(at, from.data(), count * sizeof(T),
                      hipMemcpyHostToDevice));
    }
    void download(std::vector<T> &to)
    {
        HIP(hipMemcpy(to.data(), at, count * sizeof(T),
                      hipMemcpyDeviceToHost));
    }
};

static int failed;

static inline void report(const char *what, bool good)
{
    printf("%s %s\n", good ? "PASS" : "FAIL", what);
    fflush(stdout);
    failed += !good;
}

static inline int failures()
{
    return failed ? 1 : 0;
}

#endif
