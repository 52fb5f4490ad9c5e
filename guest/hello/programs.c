/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs that hello runs, each with its check on the CPU.
 *
 * usage: hello [--kernels FOLDER] [--picture FILE] [--show SECONDS]
 *
 * --show leaves the picture on the screen for so long, or until a line comes in
 * on standard input.  Else it goes dark when the program ends.  hello
 * prints a line "PASS ..." or "FAIL ..." for each program; the exit status is
 * 0 if all passed, 1 if not, 2 if the device could not be brought up.
 */
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hello.h"
#include "picture.h"

static const char *folder = "/"; /* where the code objects are */
static const char *picture;      /* where the picture goes, or NULL */
static int show_s;               /* how long it stays on the screen */

static __attribute__((format(printf, 2, 3))) bool
verdict(bool passed, const char *format, ...)
{
    va_list args;

    printf("%s ", passed ? "PASS" : "FAIL");
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    return passed;
}

/* Run kernel @name to its end; its time in milliseconds. */
static double run(const char *name, Grid grid, const void *args,
                  uint32_t args_size)
{
    uint32_t used = vram.used;
    Kernel kernel = load_kernel(folder, name);
    double ms;

    dispatch(&kernel, grid, args, args_size);
    ms = wait_dispatch();
    vram.used = used;
    return ms;
}

/* c = a + b with all three in @memory: VRAM or guest RAM is the same to us. */
static bool vector_add(Memory *memory, const char *name, uint32_t n)
{
    Memory a = take(memory, n * 4), b = take(memory, n * 4);
    Memory c = take(memory, n * 4);
    struct {
        uint64_t a, b, c;
        uint32_t n;
    } args = { a.gpu, b.gpu, c.gpu, n };
    uint32_t wrong = 0;
    double ms;

    for (uint32_t i = 0; i < n; i++) {
        ((float *)a.cpu)[i] = i * 0.5f;
        ((float *)b.cpu)[i] = 1000.0f - i;
    }
    ms = run("vadd", (Grid){ (n + 255) & ~255u, 1, 256, 1 }, &args,
             sizeof(args));
    for (uint32_t i = 0; i < n; i++) {
        wrong += ((float *)c.cpu)[i] != i * 0.5f + (1000.0f - i);
    }
    return verdict(!wrong, "vector add in %s: %u sums, %u wrong, %.2f ms",
                   name, n, wrong, ms);
}

static bool vector_add_vram(void)
{
    /* The last work-group is not full. */
    return vector_add(&vram, "VRAM", 262144 - 100);
}

static bool vector_add_ram(void)
{
    return vector_add(&ram, "guest RAM", 131072 - 100);
}

/* From VRAM to guest RAM.  Whole numbers: the order of additions is free. */
static bool reduction(void)
{
    uint32_t groups = 256, n = groups * 2048;
    Memory in = take(&vram, n * 4), out = take(&ram, groups * 4);
    struct {
        uint64_t in, out;
    } args = { in.gpu, out.gpu };
    double expected = 0, sum = 0, ms;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t value = i * 2654435761u >> 24;

        ((float *)in.cpu)[i] = value;
        expected += value;
    }
    ms = run("reduce", (Grid){ groups * 256, 1, 256, 1 }, &args,
             sizeof(args));
    for (uint32_t i = 0; i < groups; i++) {
        sum += ((float *)out.cpu)[i];
    }
    return verdict(sum == expected,
                   "reduction in LDS: sum of %u is %.0f, expected %.0f, "
                   "%.2f ms", n, sum, expected, ms);
}

/*
 * One memory cell in guest RAM that the CPU and 4,096 work-items count up at
 * the same time.  The CPU goes on for as long as the GPU does; a step that it
 * did not take itself shows up as a jump of the value that it gets back.
 */
static bool shared_counter(void)
{
    uint32_t lanes = 4096, times = 1000, mine = 0, jumps = 0, last = 0;
    Memory cell = take(&ram, 4);
    uint32_t *value = (uint32_t *)cell.cpu, expected;
    struct {
        uint64_t cell;
        uint32_t times;
    } args = { cell.gpu, times };
    Kernel kernel = load_kernel(folder, "counter");

    dispatch(&kernel, (Grid){ lanes, 1, 64, 1 }, &args, sizeof(args));
    while (mine < 10000 || (mine < 100000000 && !is_done())) {
        uint32_t old = __atomic_fetch_add(value, 1, __ATOMIC_SEQ_CST);

        jumps += mine && old != last + 1;
        last = old;
        mine++;
    }
    wait_dispatch();
    expected = mine + lanes * times;
    return verdict(*value == expected,
                   "shared counter: %u steps of the CPU + %u of the GPU = %u, "
                   "expected %u; %u times interleaved", mine, lanes * times,
                   *value, expected, jumps);
}

static void leave_on_screen(void)
{
    struct pollfd input = { .fd = 0, .events = POLLIN };

    if (show_s > 0) {
        printf("hello: the picture is on the screen for %d s\n", show_s);
        poll(&input, 1, show_s * 1000);
    }
}

static bool mandelbrot(void)
{
    Memory pixels = take(&vram, PICTURE_PIXELS * 4);
    const uint32_t *pixel = (const uint32_t *)pixels.cpu;
    struct {
        uint64_t pixels;
        uint32_t width;
        float left, top, step;
        uint32_t limit;
    } args = { pixels.gpu, PICTURE_WIDTH, PICTURE_LEFT, PICTURE_TOP,
               PICTURE_STEP, PICTURE_LIMIT };
    uint32_t wrong = 0;
    bool shown = show(&pixels, PICTURE_WIDTH, PICTURE_HEIGHT);
    double ms = run("mandelbrot", (Grid){ PICTURE_WIDTH, PICTURE_HEIGHT, 16,
                                          16 }, &args, sizeof(args));

    for (uint32_t i = 0; i < PICTURE_PIXELS; i++) {
        wrong += pixel[i] != picture_pixel(i % PICTURE_WIDTH,
                                           i / PICTURE_WIDTH);
    }
    if (picture && !picture_write(picture, pixel)) {
        return verdict(false, "mandelbrot: cannot write %s", picture);
    }
    if (shown) {
        leave_on_screen();
    }
    return verdict(!wrong, "mandelbrot: %d x %d pixels, %u wrong, %.2f ms",
                   PICTURE_WIDTH, PICTURE_HEIGHT, wrong, ms);
}

/* The file's bytes in VRAM, 64 KiB at most. */
static uint64_t load_blocks(const char *name)
{
    Memory code = take(&vram, 65536);
    char path[512];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s.bin", folder, name);
    file = fopen(path, "rb");
    if (!file || !fread(code.cpu, 1, code.size, file) || !feof(file)) {
        die("%s: cannot be read, or is larger than 64 KiB", path);
    }
    fclose(file);
    return code.gpu;
}

/*
 * LinxISA blocks (guest/blocks/transpose.s): a matrix in VRAM goes through a
 * tile register and comes out turned round in guest RAM.
 */
static bool transpose(void)
{
    uint32_t rows = 201, columns = 150, wrong = 0;
    Memory a = take(&vram, rows * columns * 4);
    Memory b = take(&ram, rows * columns * 4);
    uint64_t gpr[TESSERA_BLOCKS_GPRS] = {
        [2] = a.gpu, [3] = b.gpu, [4] = rows, [5] = columns, /* a0 to a3 */
    };
    const TesseraBlockResult *result = blocks_result();
    double ms;

    for (uint32_t i = 0; i < rows * columns; i++) {
        ((uint32_t *)a.cpu)[i] = i * 2654435761u;
    }
    dispatch_blocks(load_blocks("transpose"), gpr);
    ms = wait_dispatch();
    for (uint32_t i = 0; i < rows * columns; i++) {
        wrong += ((uint32_t *)b.cpu)[i % columns * rows + i / columns] !=
                 i * 2654435761u;
    }
    return verdict(!wrong && result->status == TESSERA_BLOCKS_DONE &&
                   result->committed == 2,
                   "blocks: matrix of %u x %u through a tile, %u wrong, "
                   "%.2f ms", rows, columns, wrong, ms);
}

static double now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

/* From a packet to its signal, for a kernel that does nothing. */
static bool latency(void)
{
    enum { RUNS = 200 };
    Kernel kernel = load_kernel(folder, "empty");
    double us[RUNS];

    for (unsigned i = 0; i < RUNS; i++) {
        double start = now_us();

        dispatch(&kernel, (Grid){ 64, 1, 64, 1 }, "", 0);
        while (!is_done()) {
        }
        us[i] = now_us() - start;
        wait_dispatch(); /* takes its event off the ring */
    }
    qsort(us, RUNS, sizeof(us[0]), compare);
    return verdict(true, "empty kernel: %u runs, %.0f us from packet to "
                   "signal (median)", RUNS, us[RUNS / 2]);
}

int run_programs(int argc, char **argv)
{
    static bool (*const programs[])(void) = {
        vector_add_vram, vector_add_ram, reduction, shared_counter, transpose,
        latency, mandelbrot,
    };
    uint32_t vram_used = vram.used, ram_used = ram.used;
    int failures = 0;

    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--kernels")) {
            folder = argv[i + 1];
        } else if (!strcmp(argv[i], "--picture")) {
            picture = argv[i + 1];
        } else if (!strcmp(argv[i], "--show")) {
            show_s = atoi(argv[i + 1]);
        }
    }
    for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
        failures += !programs[i]();
        vram.used = vram_used;
        ram.used = ram_used;
    }
    return failures;
}
