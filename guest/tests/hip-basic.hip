// SPDX-License-Identifier: GPL-2.0-or-later
// HIP programs whose results are checked on the CPU: what a user would write.
#include "hip-test.h"

static const int COUNT = 10000;

__global__ void vector_add(const float *a, const float *b, float *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        sum[i] = a[i] + b[i];
    }
}

static bool test_vector_add()
{
    std::vector<float> a(COUNT), b(COUNT), sum(COUNT);
    Buffer<float> da(COUNT), db(COUNT), dsum(COUNT);
    int wrong = 0;

    for (int i = 0; i < COUNT; i++) {
        a[i] = i * 0.5f;
        b[i] = 1e6f - i;
    }
    da.upload(a);
    db.upload(b);
    vector_add<<<(COUNT + 255) / 256, 256>>>(da.at, db.at, dsum.at, COUNT);
    dsum.download(sum);
    for (int i = 0; i < COUNT; i++) {
        wrong += sum[i] != a[i] + b[i];
    }
    return wrong == 0;
}

static const int TILE = 16, SIDE = 64;

/* Integers, so that the order of additions does not matter. */
__global__ void matrix_multiply(const int *a, const int *b, int *c)
{
    __shared__ int ta[TILE][TILE], tb[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int column = blockIdx.x * TILE + threadIdx.x;
    int sum = 0;

    for (int t = 0; t < SIDE / TILE; t++) {
        ta[threadIdx.y][threadIdx.x] = a[row * SIDE + t * TILE + threadIdx.x];
        tb[threadIdx.y][threadIdx.x] =
            b[(t * TILE + threadIdx.y) * SIDE + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
        }
        __syncthreads();
    }
    c[row * SIDE + column] = sum;
}

static bool test_matrix_multiply()
{
    std::vector<int> a(SIDE * SIDE), b(SIDE * SIDE), c(SIDE * SIDE);
    Buffer<int> da(a.size()), db(b.size()), dc(c.size());
    int wrong = 0;

    for (int i = 0; i < SIDE * SIDE; i++) {
        a[i] = i % 17 - 8;
        b[i] = i % 13 - 6;
    }
    da.upload(a);
    db.upload(b);
    matrix_multiply<<<dim3(SIDE / TILE, SIDE / TILE), dim3(TILE, TILE)>>>(
        da.at, db.at, dc.at);
    dc.download(c);
    for (int row = 0; row < SIDE; row++) {
        for (int column = 0; column < SIDE; column++) {
            int sum = 0;

            for (int k = 0; k < SIDE; k++) {
                sum += a[row * SIDE + k] * b[k * SIDE + column];
            }
            wrong += c[row * SIDE + column] != sum;
        }
    }
    return wrong == 0;
}

__global__ void reduce(const unsigned *values, unsigned long long *sum, int n)
{
    __shared__ unsigned long long part;
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x == 0) {
        part = 0;
    }
    __syncthreads();
    if (i < n) {
        atomicAdd(&part, (unsigned long long)values[i]);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(sum, part);
    }
}

static bool test_reduction()
{
    std::vector<unsigned> values(COUNT);
    std::vector<unsigned long long> sum(1);
    Buffer<unsigned> dvalues(COUNT);
    Buffer<unsigned long long> dsum(1);
    unsigned long long expected = 0;

    for (int i = 0; i < COUNT; i++) {
        values[i] = 2654435761u * i;
        expected += values[i];
    }
    dvalues.upload(values);
    dsum.upload(sum);
    reduce<<<(COUNT + 255) / 256, 256>>>(dvalues.at, dsum.at, COUNT);
    dsum.download(sum);
    return sum[0] == expected;
}

__global__ void scale(unsigned *values, unsigned factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        values[i] *= factor;
    }
}

/* Each stream uploads, computes and downloads, without waiting for the other. */
static bool test_two_streams()
{
    const int streams = 2;
    hipStream_t stream[streams];
    unsigned *host[streams], *device[streams];
    int wrong = 0;

    for (int s = 0; s < streams; s++) {
        HIP(hipStreamCreate(&stream[s]));
        HIP(hipHostMalloc((void **)&host[s], COUNT * 4, 0));
        HIP(hipMalloc((void **)&device[s], COUNT * 4));
        for (int i = 0; i < COUNT; i++) {
            host[s][i] = i + s;
        }
    }
    for (int s = 0; s < streams; s++) {
        HIP(hipMemcpyAsync(device[s], host[s], COUNT * 4,
                           hipMemcpyHostToDevice, stream[s]));
        scale<<<(COUNT + 63) / 64, 64, 0, stream[s]>>>(device[s], 3 + s,
                                                       COUNT);
        HIP(hipMemcpyAsync(host[s], device[s], COUNT * 4,
                           hipMemcpyDeviceToHost, stream[s]));
    }
    for (int s = 0; s < streams; s++) {
        HIP(hipStreamSynchronize(stream[s]));
        for (int i = 0; i < COUNT; i++) {
            wrong += host[s][i] != unsigned(i + s) * (3 + s);
        }
        HIP(hipFree(device[s]));
        HIP(hipHostFree(host[s]));
        HIP(hipStreamDestroy(stream[s]));
    }
    return wrong == 0;
}

int main()
{
    report("HIP vector add", test_vector_add());
    report("HIP matrix multiply in LDS", test_matrix_multiply());
    report("HIP reduction with atomics", test_reduction());
    report("HIP asynchronous copies on two streams", test_two_streams());
    return failures();
}
