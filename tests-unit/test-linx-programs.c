/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Real work as block programs, those of guest/blocks, each against a plain
 * model.  Sizes take many groups, and no size is a multiple of a group's.
 */
#include <inttypes.h>
#include <string.h>
#include "linx-data.h"
#include "linx-machine.h"

static bool strict; /* with hazards=strict: nothing is reported */
static unsigned workers; /* of LinxMachine */

static LinxMachine *machine_with(const char *program)
{
    LinxMachine *m = linx_machine_new();

    linx_machine_program(m, program);
    m->workers = workers;
    if (strict) {
        linx_machine_strict(m);
    }
    return m;
}

static void set(LinxMachine *m, unsigned gpr, uint64_t value)
{
    m->state.gpr[gpr] = value;
}

static void *random_buffer(LinxMachine *m, unsigned gpr, size_t size,
                           uint64_t seed)
{
    uint8_t *bytes = linx_machine_buffer(m, gpr, size);

    for (size_t i = 0; i < size; i++) {
        bytes[i] = linx_random(&seed) >> 20;
    }
    return bytes;
}

static void run(LinxMachine *m)
{
    bool ok = linx_machine_run(m);

    if (!ok) {
        g_test_message("trap %u.%u at %#" PRIx64 ", group %" PRIu64
                       ", argument %#" PRIx64, m->record.trap.number,
                       m->record.trap.cause, m->record.trap.pc,
                       m->record.group, m->record.arg);
    }
    g_assert_true(ok);
    g_assert_true(!m->clashes || m->clashes->len == 0);
}

/* ---- moving ---- */

static void check_transpose(unsigned rows, unsigned columns)
{
    g_autoptr(LinxMachine) m = machine_with("transpose");
    const uint32_t *a = random_buffer(m, LINX_A0, 4 * rows * columns, 1);
    const uint32_t *b = linx_machine_buffer(m, LINX_A1, 4 * rows * columns);

    set(m, LINX_A2, rows);
    set(m, LINX_A3, columns);
    run(m);
    for (unsigned y = 0; y < rows; y++) {
        for (unsigned x = 0; x < columns; x++) {
            g_assert_cmphex(b[x * rows + y], ==, a[y * columns + x]);
        }
    }
}

static void test_transpose(void)
{
    check_transpose(201, 150);
    check_transpose(3, 1000);
    check_transpose(1, 1);
}

/* Numbers 0 to @count - 1 in any order. */
static void shuffle(uint32_t *numbers, unsigned count)
{
    uint64_t seed = 5;

    for (unsigned i = 0; i < count; i++) {
        unsigned j = linx_random(&seed) % (i + 1);

        numbers[i] = numbers[j];
        numbers[j] = i;
    }
}

enum { ROW = 1001, ROWS = 15, COUNT = ROW * ROWS };

static void set_count(LinxMachine *m)
{
    set(m, LINX_A3, ROW);
    set(m, LINX_A4, ROWS);
}

static void test_gather(void)
{
    g_autoptr(LinxMachine) m = machine_with("gather");
    const uint64_t *table = random_buffer(m, LINX_A0, 8 * 5000, 2);
    uint32_t *index = random_buffer(m, LINX_A1, 4 * COUNT, 3);
    const uint64_t *out = linx_machine_buffer(m, LINX_A2, 8 * COUNT);

    for (unsigned i = 0; i < COUNT; i++) {
        index[i] %= 5000;
    }
    set_count(m);
    run(m);
    for (unsigned i = 0; i < COUNT; i++) {
        g_assert_cmphex(out[i], ==, table[index[i]]);
    }
}

static void test_scatter(void)
{
    g_autoptr(LinxMachine) m = machine_with("scatter");
    const uint64_t *in = random_buffer(m, LINX_A0, 8 * COUNT, 2);
    uint32_t *index = linx_machine_buffer(m, LINX_A1, 4 * COUNT);
    const uint64_t *out = linx_machine_buffer(m, LINX_A2, 8 * COUNT);

    shuffle(index, COUNT);
    set_count(m);
    run(m);
    for (unsigned i = 0; i < COUNT; i++) {
        g_assert_cmphex(out[index[i]], ==, in[i]);
    }
}

/* Each place is stored to about ten times; the last one stays. */
static void test_scatter_in_order(void)
{
    g_autoptr(LinxMachine) m = machine_with("scatter-seq");
    const uint32_t *in = random_buffer(m, LINX_A0, 4 * COUNT, 2);
    uint32_t *index = random_buffer(m, LINX_A1, 4 * COUNT, 3);
    unsigned places = COUNT / 10;
    const uint32_t *out = linx_machine_buffer(m, LINX_A2, 4 * places);
    g_autofree uint32_t *expected = g_new0(uint32_t, places);

    for (unsigned i = 0; i < COUNT; i++) {
        index[i] %= places;
        expected[index[i]] = in[i];
    }
    set_count(m);
    run(m);
    g_assert_cmpmem(out, 4 * places, expected, 4 * places);
}

static void test_strided(void)
{
    enum { FROM = 1412, TO = 1300, WORDS = 321, LINES = 70 };
    g_autoptr(LinxMachine) m = machine_with("strided");
    const uint8_t *from = random_buffer(m, LINX_A0, FROM * LINES, 2);
    uint8_t *to = random_buffer(m, LINX_A1, TO * LINES, 3);
    g_autofree uint8_t *expected = g_memdup2(to, TO * LINES);

    set(m, LINX_A2, FROM);
    set(m, LINX_A3, TO);
    set(m, LINX_A4, WORDS);
    set(m, LINX_A5, LINES);
    for (unsigned y = 0; y < LINES; y++) {
        memcpy(expected + y * TO, from + y * FROM, 4 * WORDS);
    }
    run(m);
    g_assert_cmpmem(to, TO * LINES, expected, TO * LINES);
}

typedef struct Picture {
    int width, height, channels, filter, stride, padding;
} Picture;

static uint16_t pixel(const uint16_t *in, const Picture *p, int c, int y,
                      int x)
{
    return y < 0 || y >= p->height || x < 0 || x >= p->width ? 0 :
           in[(c * p->height + y) * p->width + x];
}

static void check_im2col(const Picture *p)
{
    int columns = (p->width + 2 * p->padding - p->filter) / p->stride + 1;
    int rows = (p->height + 2 * p->padding - p->filter) / p->stride + 1;
    int f = p->filter, all = p->channels * f * f;
    g_autoptr(LinxMachine) m = machine_with("im2col");
    const uint16_t *in = random_buffer(
        m, LINX_A0, 2 * p->channels * p->height * p->width, 7);
    const uint16_t *out = linx_machine_buffer(m, LINX_A1,
                                              2 * all * rows * columns);

    set(m, LINX_A2, p->width);
    set(m, LINX_A3, p->height);
    set(m, LINX_A4, columns);
    set(m, LINX_A5, rows);
    set(m, LINX_A6, f);
    set(m, LINX_A7, all);
    set(m, LINX_S1, p->stride);
    set(m, LINX_S2, p->padding);
    run(m);
    for (int i = 0; i < all * rows * columns; i++) {
        int x = i % columns, y = i / columns % rows;
        int k = i / columns / rows;

        g_assert_cmphex(out[i], ==, pixel(
            in, p, k / f / f, y * p->stride + k / f % f - p->padding,
            x * p->stride + k % f - p->padding));
    }
}

static void test_im2col(void)
{
    check_im2col(&(Picture) { 150, 20, 3, 3, 1, 1 });
    check_im2col(&(Picture) { 170, 31, 2, 5, 2, 2 });
    check_im2col(&(Picture) { 65, 10, 1, 1, 1, 0 });
}

static void check_tiles(unsigned width, unsigned height)
{
    unsigned across = (width + 63) / 64, down = (height + 63) / 64;
    g_autoptr(LinxMachine) m = machine_with("tiles");
    const uint32_t *in = random_buffer(m, LINX_A0, 4 * width * height, 1);
    const uint32_t *out = linx_machine_buffer(m, LINX_A1,
                                              4 * width * height);

    set(m, LINX_A2, width);
    set(m, LINX_A3, height);
    set(m, LINX_A4, across);
    set(m, LINX_A5, across * down);
    run(m);
    for (unsigned y = 0; y < height; y++) {
        for (unsigned x = 0; x < width; x++) {
            unsigned from_x = x / 64 * 64 + y % 64;
            unsigned from_y = y / 64 * 64 + x % 64;

            g_assert_cmphex(out[y * width + x], ==,
                            from_x < width && from_y < height ?
                            in[from_y * width + from_x] : 0);
        }
    }
}

static void test_tiles(void)
{
    check_tiles(150, 200);
    check_tiles(64, 64);
    check_tiles(65, 129);
    check_tiles(1, 1000);
}

/* ---- computing ---- */

static void test_prefix(void)
{
    g_autoptr(LinxMachine) m = machine_with("prefix");
    const uint64_t *in = random_buffer(m, LINX_A0, 8 * COUNT, 2);
    const uint64_t *out = linx_machine_buffer(m, LINX_A1, 8 * COUNT);
    uint64_t *carry = linx_machine_buffer(m, LINX_A2, 8);
    uint64_t sum = *carry = 1234567;

    set_count(m);
    run(m);
    for (unsigned i = 0; i < COUNT; i++) {
        sum += in[i];
        g_assert_cmphex(out[i], ==, sum);
    }
    g_assert_cmphex(*carry, ==, sum);
}

static void test_dot(void)
{
    g_autoptr(LinxMachine) m = machine_with("dot");
    const int32_t *a = random_buffer(m, LINX_A0, 4 * COUNT, 2);
    const int32_t *b = random_buffer(m, LINX_A1, 4 * COUNT, 3);
    uint64_t *out = linx_machine_buffer(m, LINX_A2, 8), sum = 0;

    *out = 77;
    set(m, LINX_A5, 1000);
    set_count(m);
    run(m);
    for (unsigned i = 0; i < COUNT; i++) {
        sum += (uint64_t)a[i] * b[i];
    }
    g_assert_cmphex(*out, ==, sum + 77);
    g_assert_cmphex(m->state.gpr[LINX_A5], ==, sum + 1000);
}

/* Bit by bit: sums of floats depend on their order. */
static void test_float_dot(void)
{
    g_autoptr(LinxMachine) m = machine_with("fdot");
    float *a = linx_machine_buffer(m, LINX_A0, 4 * COUNT);
    float *b = linx_machine_buffer(m, LINX_A1, 4 * COUNT);
    volatile float sum = 0.75f; /* each step is rounded to a float */
    uint64_t seed = 9;
    uint32_t bits;

    for (unsigned i = 0; i < COUNT; i++) {
        a[i] = (int32_t)linx_random(&seed) / 1000.f;
        b[i] = (int32_t)linx_random(&seed) / 3e7f;
    }
    memcpy(&bits, (const void *)&sum, sizeof(bits));
    set(m, LINX_A5, bits);
    set_count(m);
    run(m);
    for (unsigned i = 0; i < COUNT; i++) {
        volatile float product = a[i] * b[i];

        sum = sum + product;
    }
    memcpy(&bits, (const void *)&sum, sizeof(bits));
    g_assert_cmphex(m->state.gpr[LINX_A5], ==, bits);
}

static void test_histogram(void)
{
    g_autoptr(LinxMachine) m = machine_with("histogram");
    uint8_t *in = random_buffer(m, LINX_A0, COUNT, 2);
    uint32_t *out = random_buffer(m, LINX_A1, 4 * 256, 3);
    uint32_t expected[256];

    memcpy(expected, out, sizeof(expected));
    for (unsigned i = 0; i < COUNT; i++) {
        in[i] = i % 3 ? in[i] & 0x6f : 0x21; /* many meet in one place */
        expected[in[i]]++;
    }
    set_count(m);
    set(m, LINX_A6, -1ull);
    run(m);
    g_assert_cmpmem(out, sizeof(expected), expected, sizeof(expected));
    g_assert_cmphex(m->state.gpr[LINX_A5], ==, 0x6f);
    g_assert_cmphex(m->state.gpr[LINX_A6], ==, 0);
    g_assert_cmphex(m->state.gpr[LINX_A7], ==, 0x6f);
}

static int compare_words(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

static void test_compact(void)
{
    g_autoptr(LinxMachine) m = machine_with("compact");
    const uint32_t *in = random_buffer(m, LINX_A0, 4 * COUNT, 2);
    uint32_t *out = linx_machine_buffer(m, LINX_A1, 4 * COUNT);
    const uint32_t *taken = linx_machine_buffer(m, LINX_A2, 4);
    g_autofree uint32_t *expected = g_new0(uint32_t, COUNT);
    unsigned count = 0;

    set_count(m);
    set(m, LINX_A5, 0xc0000000);
    run(m);
    for (unsigned i = 0; i < COUNT; i++) {
        if (in[i] >= 0xc0000000) {
            expected[count++] = in[i];
        }
    }
    g_assert_cmpuint(*taken, ==, count);
    g_assert_cmpuint(out[count], ==, 0);
    qsort(out, count, 4, compare_words);
    qsort(expected, count, 4, compare_words);
    g_assert_cmpmem(out, 4 * count, expected, 4 * count);
}

static void test_matmul(void)
{
    enum { N = 150, M = 33, K = 29 };
    g_autoptr(LinxMachine) m = machine_with("matmul");
    const int32_t *a = random_buffer(m, LINX_A0, 4 * M * K, 2);
    const int32_t *b = random_buffer(m, LINX_A1, 4 * K * N, 3);
    const uint64_t *c = linx_machine_buffer(m, LINX_A2, 8 * M * N);

    set(m, LINX_A3, N);
    set(m, LINX_A4, M);
    set(m, LINX_A5, K);
    run(m);
    for (unsigned i = 0; i < M * N; i++) {
        uint64_t sum = 0;

        for (unsigned k = 0; k < K; k++) {
            sum += (uint64_t)a[i / N * K + k] * b[k * N + i % N];
        }
        g_assert_cmphex(c[i], ==, sum);
    }
}

/* ---- hazards=strict ---- */

/* The serial one would not do as a parallel one. */
static void check_made_parallel(const char *name)
{
    g_autofree char *path = g_strdup_printf("%s/%s.s", LINX_BLOCKS_DIR, name);
    g_autofree char *source = NULL;
    g_autoptr(LinxMachine) m = linx_machine_new();
    char *kind;

    g_assert_true(g_file_get_contents(path, &source, NULL, NULL));
    kind = strstr(source, "bstart.mseq");
    memcpy(kind, "bstart.mpar", 11);
    linx_machine_source(m, path, source);
    linx_machine_strict(m);
    random_buffer(m, LINX_A0, 8 * 200, 1);
    linx_machine_buffer(m, LINX_A1, 8 * 200);
    linx_machine_buffer(m, LINX_A2, 8 * 200);
    set(m, LINX_A3, 100);
    set(m, LINX_A4, 2);
    g_assert_true(linx_machine_run(m));
    g_assert_cmpuint(m->clashes->len, >, 0);
    g_assert_cmpuint(g_array_index(m->clashes, LinxClash, 0).kind, ==,
                     TESSERA_HAZARD_OVERLAP);
}

static void test_made_parallel(void)
{
    check_made_parallel("prefix");
    check_made_parallel("scatter-seq");
}

static const struct {
    const char *name;
    void (*run)(void);
} tests[] = {
    { "transpose", test_transpose },
    { "gather", test_gather },
    { "scatter", test_scatter },
    { "scatter-seq", test_scatter_in_order },
    { "strided", test_strided },
    { "im2col", test_im2col },
    { "tiles", test_tiles },
    { "prefix", test_prefix },
    { "dot", test_dot },
    { "fdot", test_float_dot },
    { "histogram", test_histogram },
    { "compact", test_compact },
    { "matmul", test_matmul },
};

/* By the reference executor, by one worker and by many. */
static void run_all(gconstpointer number)
{
    static const unsigned counts[] = { 0, 1, 4 };

    for (unsigned i = 0; i < G_N_ELEMENTS(counts); i++) {
        workers = counts[i];
        g_test_message("%u workers", workers);
        tests[GPOINTER_TO_UINT(number)].run();
    }
}

static void run_test(gconstpointer number)
{
    strict = false;
    run_all(number);
}

static void run_strict(gconstpointer number)
{
    strict = true;
    run_all(number);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS(tests); i++) {
        g_autofree char *plain = g_strconcat("/linx/blocks/", tests[i].name,
                                             NULL);
        g_autofree char *checked = g_strconcat("/linx/strict/blocks/",
                                               tests[i].name, NULL);

        g_test_add_data_func(plain, GUINT_TO_POINTER(i), run_test);
        g_test_add_data_func(checked, GUINT_TO_POINTER(i), run_strict);
    }
    g_test_add_func("/linx/strict/made-parallel", test_made_parallel);
    return g_test_run();
}
