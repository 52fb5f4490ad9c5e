// SPDX-License-Identifier: GPL-2.0-or-later
// sgemm and dgemm of rocBLAS, with the bounds on the error that hold for any
// order of the sums: k times the unit of rounding times the sum of magnitudes.
#include <cmath>
#include <rocblas/rocblas.h>
#include "hip-test.h"

static rocblas_handle handle;

struct Shape {
    int m, n, k;
    bool ta, tb; // transposed
};

static rocblas_operation operation(bool transposed)
{
    return transposed ? rocblas_operation_transpose : rocblas_operation_none;
}

static rocblas_status gemm(const Shape &s, const float *a, const float *b,
                           float *c)
{
    const float alpha = 1.5f, beta = -0.5f;

    return rocblas_sgemm(handle, operation(s.ta), operation(s.tb), s.m, s.n,
                         s.k, &alpha, a, s.ta ? s.k : s.m, b,
                         s.tb ? s.n : s.k, &beta, c, s.m);
}

static rocblas_status gemm(const Shape &s, const double *a, const double *b,
                           double *c)
{
    const double alpha = 1.5, beta = -0.5;

    return rocblas_dgemm(handle, operation(s.ta), operation(s.tb), s.m, s.n,
                         s.k, &alpha, a, s.ta ? s.k : s.m, b,
                         s.tb ? s.n : s.k, &beta, c, s.m);
}

// Numbers between -1 and 1 that are not round.
template <typename T> static std::vector<T> numbers(int count, unsigned seed)
{
    std::vector<T> v(count);

    for (T &x : v) {
        seed = seed * 1664525 + 1013904223;
        x = (T)((int)(seed >> 16) % 2001 - 1000) / 1000;
    }
    return v;
}

// The largest error, in units of what is allowed.
template <typename T>
static double worst(const Shape &s, const std::vector<T> &a,
                    const std::vector<T> &b, const std::vector<T> &c,
                    const std::vector<T> &out)
{
    const double unit = sizeof(T) == 4 ? 0x1p-24 : 0x1p-53;
    double most = 0;

    for (int at = 0; at < s.m * s.n; at++) {
        long double sum = 0, size = 0;
        int i = at % s.m, j = at / s.m;

        for (int p = 0; p < s.k; p++) {
            long double term = (long double)a[s.ta ? p + i * s.k : i + p * s.m] *
                               b[s.tb ? j + p * s.n : p + j * s.k];

            sum += term;
            size += fabsl(term);
        }
        sum = 1.5l * sum - 0.5l * c[at];
        size = 1.5l * size + 0.5l * fabsl(c[at]);
        most = fmax(most, fabsl(sum - out[at]) / (size * unit * (s.k + 3)));
        most = std::isnan(out[at]) ? INFINITY : most;
    }
    return most;
}

template <typename T> static void test(const char *what, const Shape &s)
{
    std::vector<T> a = numbers<T>(s.m * s.k, 1), b = numbers<T>(s.k * s.n, 2);
    std::vector<T> c = numbers<T>(s.m * s.n, 3), out(c.size());
    Buffer<T> da(a.size()), db(b.size()), dc(c.size());
    double error = INFINITY;

    da.upload(a);
    db.upload(b);
    dc.upload(c);
    if (gemm(s, da.at, db.at, dc.at) == rocblas_status_success) {
        dc.download(out);
        error = worst(s, a, b, c, out);
    }
    printf("%d x %d x %d: %.3f of the error that is allowed\n", s.m, s.n, s.k,
           error);
    report(what, error <= 1);
}

int main()
{
    if (rocblas_create_handle(&handle) != rocblas_status_success) {
        report("rocBLAS handle", false);
        return 1;
    }
    test<float>("rocBLAS sgemm", { 64, 64, 64, false, false });
    test<float>("rocBLAS sgemm of a transposed", { 128, 96, 130, true, false });
    test<float>("rocBLAS sgemm of b transposed", { 33, 57, 71, false, true });
    test<double>("rocBLAS dgemm", { 64, 64, 64, false, false });
    test<double>("rocBLAS dgemm of a transposed", { 128, 128, 128, true, false });
    test<double>("rocBLAS dgemm of b transposed", { 100, 70, 51, false, true });
    return failures();
}
