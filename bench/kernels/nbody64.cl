/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All-pairs gravity in double precision, one kick of the velocities; the
 * inner loop has one square root and one division per pair. */
#include "gpu.h"
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

WG(64, 1, 1)
__kernel void nbody64(__global const double *pos, __global double *vel,
                      double dt, uint n)
{
    uint i = GRP(0) * 64 + LID(0);
    double xi = pos[4 * i], yi = pos[4 * i + 1], zi = pos[4 * i + 2];
    double ax = 0.0, ay = 0.0, az = 0.0;

#pragma unroll 1
    for (uint j = 0; j < n; j++) {
        double dx = pos[4 * j] - xi;
        double dy = pos[4 * j + 1] - yi;
        double dz = pos[4 * j + 2] - zi;
        double r2 = FMA64(dx, dx, FMA64(dy, dy, FMA64(dz, dz, 1e-3)));
        double f = pos[4 * j + 3] / (r2 * SQRT64(r2));
        ax = FMA64(f, dx, ax);
        ay = FMA64(f, dy, ay);
        az = FMA64(f, dz, az);
    }
    vel[4 * i] = FMA64(ax, dt, vel[4 * i]);
    vel[4 * i + 1] = FMA64(ay, dt, vel[4 * i + 1]);
    vel[4 * i + 2] = FMA64(az, dt, vel[4 * i + 2]);
}
