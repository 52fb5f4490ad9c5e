# SPDX-License-Identifier: GPL-2.0-or-later
# For bash scripts: what differs between the releases of Debian whose ROCm the
# guest may have. $release is 12 or 13; the script has $top and die().

case $release in
12)
    suite=           # that of this machine
    rocm=$top/build-deps/rocm
    packages=(rocminfo libhsa-runtime64-1 libamdhip64-5)
    headers=(libhsa-runtime-dev libamdhip64-dev)
    # HIP loads comgr, which reads code objects, when it first needs it.
    loaded=(libamdhip64.so.5 libamd_comgr.so.2)
    size=80
    # What rocminfo looks for.
    module=tessera_amdgpu ;;
13)
    suite=trixie
    rocm=$top/build-deps/rocm-13
    packages=(rocminfo libhsa-runtime64-1 libamdhip64-5 librocblas0)
    headers=(libhsa-runtime-dev libamdhip64-dev librocblas-dev)
    loaded=(libamdhip64.so.5 libamd_comgr.so.2 librocblas.so.0)
    size=240
    module=amdgpu ;;
*) die "--debian $release: it is 12 or 13" ;;
esac
libraries=usr/lib/x86_64-linux-gnu
