// SPDX-License-Identifier: GPL-2.0-or-later
// More of HIP: copies of all kinds, events, modules, memory that CPU and GPU
// share, device queries, printf.
#include <cstring>
#include <thread>
#include "hip-test.h"

static const int COUNT = 5000;

static bool test_query()
{
    hipDeviceProp_t properties;
    int count = 0;

    HIP(hipGetDeviceCount(&count));
    HIP(hipGetDeviceProperties(&properties, 0));
    return count == 1 && properties.warpSize == 64 &&
           strncmp(properties.gcnArchName, "gfx900", 6) == 0 &&
           properties.sharedMemPerBlock == 65536 &&
           properties.totalGlobalMem >= (64u << 20);
}

static bool test_copies()
{
    std::vector<int> from(COUNT), to(COUNT, -1);
    Buffer<int> first(COUNT), second(COUNT);
    int wrong = 0;

    for (int i = 0; i < COUNT; i++) {
        from[i] = i * 7 - 3;
    }
    first.upload(from);
    HIP(hipMemcpy(second.at, first.at, COUNT * 4, hipMemcpyDeviceToDevice));
    HIP(hipMemset(first.at, 0x5a, COUNT * 4));
    second.download(to);
    wrong += memcmp(from.data(), to.data(), COUNT * 4) != 0;
    /* Unaligned on both sides. */
    HIP(hipMemcpy((char *)second.at + 3, (char *)from.data() + 1, 1001,
                  hipMemcpyHostToDevice));
    HIP(hipMemcpy((char *)to.data() + 2, (char *)second.at + 3, 1001,
                  hipMemcpyDeviceToHost));
    wrong += memcmp((char *)to.data() + 2, (char *)from.data() + 1, 1001) != 0;
    first.download(to);
    for (int i = 0; i < COUNT; i++) {
        wrong += to[i] != 0x5a5a5a5a;
    }
    return wrong == 0;
}

/* A rectangle of 10 rows of 24 bytes, with different pitches. */
static bool test_copy_2d()
{
    unsigned char host[10][32], back[10][40];
    void *device;
    size_t pitch;
    int wrong = 0;

    HIP(hipMallocPitch(&device, &pitch, 24, 10));
    for (int i = 0; i < 320; i++) {
        host[0][i] = i;
    }
    memset(back, 0xee, sizeof(back));
    HIP(hipMemcpy2D(device, pitch, host, 32, 24, 10, hipMemcpyHostToDevice));
    HIP(hipMemcpy2D(back, 40, device, pitch, 24, 10, hipMemcpyDeviceToHost));
    for (int row = 0; row < 10; row++) {
        for (int column = 0; column < 40; column++) {
            wrong += back[row][column] !=
                     (column < 24 ? host[row][column] : 0xee);
        }
    }
    HIP(hipFree(device));
    return wrong == 0;
}

/* Memory of malloc(), which the GPU is allowed to use. */
__global__ void negate(int *values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        values[i] = -values[i];
    }
}

static bool test_registered()
{
    std::vector<int> values(COUNT);
    int *device, wrong = 0;

    for (int i = 0; i < COUNT; i++) {
        values[i] = i;
    }
    HIP(hipHostRegister(values.data(), COUNT * 4, hipHostRegisterDefault));
    HIP(hipHostGetDevicePointer((void **)&device, values.data(), 0));
    negate<<<(COUNT + 63) / 64, 64>>>(device, COUNT);
    HIP(hipDeviceSynchronize());
    HIP(hipHostUnregister(values.data()));
    for (int i = 0; i < COUNT; i++) {
        wrong += values[i] != -i;
    }
    return wrong == 0;
}

__global__ void count_up(unsigned *counter, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        atomicAdd_system(counter, 1u);
    }
}

static bool test_shared_counter()
{
    const unsigned mine = 20000;
    unsigned *counter;
    bool good;

    HIP(hipHostMalloc((void **)&counter, 4096, hipHostMallocCoherent));
    *counter = 0;
    count_up<<<8, 64>>>(counter, 100);
    for (unsigned i = 0; i < mine; i++) {
        __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
    }
    HIP(hipDeviceSynchronize());
    good = *counter == 8 * 64 * 100 + mine;
    HIP(hipHostFree(counter));
    return good;
}

/* The second stream waits for what the first has recorded. */
static bool test_events()
{
    hipStream_t first, second;
    hipEvent_t start, middle, end;
    std::vector<int> values(COUNT, 5);
    Buffer<int> device(COUNT);
    float ms = -1;
    int wrong = 0;

    HIP(hipStreamCreate(&first));
    HIP(hipStreamCreate(&second));
    HIP(hipEventCreate(&start));
    HIP(hipEventCreate(&middle));
    HIP(hipEventCreate(&end));
    device.upload(values);
    HIP(hipEventRecord(start, first));
    negate<<<(COUNT + 63) / 64, 64, 0, first>>>(device.at, COUNT);
    HIP(hipEventRecord(middle, first));
    HIP(hipStreamWaitEvent(second, middle, 0));
    negate<<<(COUNT + 63) / 64, 64, 0, second>>>(device.at, COUNT - 1);
    HIP(hipEventRecord(end, second));
    HIP(hipEventSynchronize(end));
    HIP(hipEventElapsedTime(&ms, start, end));
    device.download(values);
    for (int i = 0; i < COUNT; i++) {
        wrong += values[i] != (i < COUNT - 1 ? 5 : -5);
    }
    HIP(hipStreamDestroy(first));
    HIP(hipStreamDestroy(second));
    return wrong == 0 && ms >= 0;
}

/* The code object is one that knows nothing of HIP. */
static bool test_module(const char *code_object)
{
    hipModule_t module;
    hipFunction_t function;
    std::vector<unsigned> a(640), b(640), sum(640);
    Buffer<unsigned> da(640), db(640), dsum(640);
    struct { unsigned *a, *b, *sum; } args = { da.at, db.at, dsum.at };
    size_t size = sizeof(args);
    void *config[] = { HIP_LAUNCH_PARAM_BUFFER_POINTER, &args,
                       HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                       HIP_LAUNCH_PARAM_END };
    int wrong = 0;

    for (unsigned i = 0; i < 640; i++) {
        a[i] = i * i;
        b[i] = ~i;
    }
    da.upload(a);
    db.upload(b);
    HIP(hipModuleLoad(&module, code_object));
    HIP(hipModuleGetFunction(&function, module, "add"));
    HIP(hipModuleLaunchKernel(function, 10, 1, 1, 64, 1, 1, 0, 0, NULL,
                              config));
    dsum.download(sum);
    for (unsigned i = 0; i < 640; i++) {
        wrong += sum[i] != a[i] + b[i];
    }
    HIP(hipModuleUnload(module));
    return wrong == 0;
}

/* Kept from the compiler: registers do not suffice, so it takes scratch. */
__global__ void needs_scratch(const int *order, int *out)
{
    volatile int copy[128];
    int i = threadIdx.x;

    for (int k = 0; k < 128; k++) {
        copy[order[k] & 127] = k + i;
    }
    out[i] = copy[order[i & 127] & 127];
}

static bool test_scratch()
{
    std::vector<int> order(128), out(256);
    Buffer<int> dorder(128), dout(256);
    int wrong = 0;

    for (int k = 0; k < 128; k++) {
        order[k] = k * 37;
    }
    dorder.upload(order);
    needs_scratch<<<1, 256>>>(dorder.at, dout.at);
    dout.download(out);
    for (int i = 0; i < 256; i++) {
        wrong += out[i] != (i & 127) + i;
    }
    return wrong == 0;
}

/* Two host threads, each with a stream of its own. */
static bool test_threads()
{
    bool good[2] = { false, false };
    std::thread threads[2];

    for (int t = 0; t < 2; t++) {
        threads[t] = std::thread([t, &good] {
            std::vector<int> values(COUNT, t + 1);
            Buffer<int> device(COUNT);
            hipStream_t stream;
            int wrong = 0;

            HIP(hipStreamCreate(&stream));
            device.upload(values);
            for (int i = 0; i < 5; i++) {
                negate<<<(COUNT + 63) / 64, 64, 0, stream>>>(device.at, COUNT);
            }
            HIP(hipStreamSynchronize(stream));
            device.download(values);
            for (int value : values) {
                wrong += value != -(t + 1);
            }
            HIP(hipStreamDestroy(stream));
            good[t] = wrong == 0;
        });
    }
    threads[0].join();
    threads[1].join();
    return good[0] && good[1];
}

int main(int argc, char **argv)
{
    report("HIP device query", test_query());
    report("HIP copies up, down and across", test_copies());
    report("HIP copy of a rectangle", test_copy_2d());
    report("HIP on registered memory", test_registered());
    report("HIP counter shared with the CPU", test_shared_counter());
    report("HIP events between streams", test_events());
    report("HIP module", test_module(argc > 1 ? argv[1] : "hsa-kernels.co"));
    report("HIP scratch memory", test_scratch());
    report("HIP from two threads", test_threads());
    return failures();
}
