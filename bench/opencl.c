/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bench kernels on the first OpenCL CPU device (PoCL), as a yardstick.
 * Prints what `tessera bench --json` prints.  Kernels are read from the folder
 * that TESSERA_BENCH_KERNELS names.  -t is for the report only: PoCL takes its
 * number of threads from POCL_MAX_PTHREAD_COUNT.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bench/timing.h"

typedef struct Device {
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    const char *folder;
} Device;

static void check(cl_int error, const char *what)
{
    if (error != CL_SUCCESS) {
        fprintf(stderr, "opencl: %s: error %d\n", what, error);
        exit(2);
    }
}

static Device open_device(void)
{
    Device d = { .folder = getenv("TESSERA_BENCH_KERNELS") };
    cl_platform_id platform;
    cl_int error;

    if (!d.folder) {
        fprintf(stderr, "opencl: TESSERA_BENCH_KERNELS is not set\n");
        exit(2);
    }
    check(clGetPlatformIDs(1, &platform, NULL), "no platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &d.id, NULL),
          "no CPU device");
    d.context = clCreateContext(NULL, 1, &d.id, NULL, NULL, &error);
    check(error, "context");
    d.queue = clCreateCommandQueue(d.context, d.id, 0, &error);
    check(error, "queue");
    return d;
}

/* The source of a kernel; it is small. */
static char *read_source(const Device *d, const char *name)
{
    enum { MOST = 1 << 16 };
    char path[4096], *text = calloc(1, MOST);
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s.cl", d->folder, name);
    file = fopen(path, "r");
    if (!file || !text || fread(text, 1, MOST - 1, file) == 0) {
        fprintf(stderr, "opencl: %s: cannot be read\n", path);
        exit(2);
    }
    fclose(file);
    return text;
}

static cl_kernel build_kernel(const Device *d, const char *name)
{
    char *source = read_source(d, name), options[4200];
    const char *text = source;
    cl_program program;
    cl_kernel kernel;
    cl_int error;

    program = clCreateProgramWithSource(d->context, 1, &text, NULL, &error);
    check(error, name);
    snprintf(options, sizeof(options), "-I %s", d->folder);
    check(clBuildProgram(program, 1, &d->id, options, NULL, NULL), name);
    kernel = clCreateKernel(program, name, &error);
    check(error, name);
    free(source);
    return kernel;
}

static void set_arguments(cl_kernel kernel, const Workload *w,
                          const cl_mem buffer[])
{
    for (int i = 0; i < w->nargs; i++) {
        const WlArg *arg = &w->arg[i];
        bool is_buffer = arg->kind == WL_ARG_BUF;

        check(clSetKernelArg(kernel, i,
                             is_buffer || arg->kind == WL_ARG_F64 ? 8 : 4,
                             is_buffer ? (const void *)&buffer[arg->buf]
                                       : &arg->u32), "argument");
    }
}

/* One launch, to its end; returns its time. */
static double launch(const Device *d, cl_kernel kernel, const Workload *w)
{
    size_t local[2] = { w->local[0], w->local[1] };
    size_t grid[2] = { local[0] * w->groups[0], local[1] * w->groups[1] };
    double start = timing_now();

    check(clEnqueueNDRangeKernel(d->queue, kernel, 2, NULL, grid, local, 0,
                                 NULL, NULL), w->name);
    check(clFinish(d->queue), w->name);
    return timing_now() - start;
}

/* Fill the buffers, which are the host's memory. */
static void refill(const Device *d, const Workload *w, const cl_mem buffer[],
                   void *const in[])
{
    for (int i = 0; i < w->nbuf; i++) {
        check(clEnqueueWriteBuffer(d->queue, buffer[i], CL_TRUE, 0,
                                   w->bytes[i], in[i], 0, NULL, NULL),
              "write");
    }
}

static bool bench(const TimingOptions *options, const Device *d,
                  const char *name, bool first)
{
    cl_kernel kernel = build_kernel(d, name);
    void *in[WL_MAX_BUF], *out[WL_MAX_BUF];
    double seconds[TIMING_RUNS_MAX];
    cl_mem buffer[WL_MAX_BUF];
    const char *wrong;
    Workload w;

    if (wl_get(&w, name, options->size)) {
        fprintf(stderr, "opencl: there is no kernel %s\n", name);
        exit(2);
    }
    for (int i = 0; i < w.nbuf; i++) {
        cl_int error;

        in[i] = timing_alloc(options, w.bytes[i]);
        out[i] = timing_alloc(options, w.bytes[i]);
        buffer[i] = clCreateBuffer(d->context, CL_MEM_ALLOC_HOST_PTR,
                                   w.bytes[i], NULL, &error);
        check(error, "buffer");
    }
    wl_init(&w, in);
    set_arguments(kernel, &w, buffer);
    for (int run = -1; run < (int)options->runs; run++) {
        double time;

        refill(d, &w, buffer, in);
        time = launch(d, kernel, &w);
        if (run >= 0) {
            seconds[run] = time;
        }
    }
    for (int i = 0; i < w.nbuf; i++) {
        check(clEnqueueReadBuffer(d->queue, buffer[i], CL_TRUE, 0, w.bytes[i],
                                  out[i], 0, NULL, NULL), "read");
        clReleaseMemObject(buffer[i]);
    }
    wrong = wl_check(&w, in, out);
    timing_print(options, &w, seconds, wrong, first);
    for (int i = 0; i < w.nbuf; i++) {
        free(in[i]);
        free(out[i]);
    }
    return !wrong;
}

int main(int argc, char **argv)
{
    TimingOptions options = { .program = "opencl", .isa = "pocl" };
    bool right = true;
    Device device;

    timing_options(&options, argc, argv);
    device = open_device();
    for (unsigned i = 0; options.names[i]; i++) {
        right &= bench(&options, &device, options.names[i], i == 0);
    }
    printf("\n]\n");
    return !right;
}
