#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Debian's unmodified ROCm user space in a Linux guest: builds the driver and
# the programs of guest/tests, boots, and reads what they report. TAP.
#
# usage: test-rocm.sh SOURCE WORK PLUGIN KERNELS [drm]
#
# With drm: in a guest whose kernel has DRM, with two GPUs, one of which is
# unplugged.
set -u

source=$1 work=$2/rocm${5:+-$5}.tmp plugin=$3 kernels=$4 kind=${5:-plain}
log=$work/log
number=0

# $1: a description; the rest: a command that succeeds if it is so.
ok() {
    local what=$1
    shift
    number=$((number + 1))
    if "$@"; then
        echo "ok $number - $what"
    else
        echo "not ok $number - $what"
    fi
}

bail_out() {
    sed 's/^/# /' "$log"
    echo "Bail out! $1: $(tail -n 1 "$log")"
    exit 1
}

compile() {
    local name
    for name in hsa-basic hsa-worker; do
        "$source/scripts/rocm-hipcc" "$source/guest/tests/$name.c" -Werror \
            "$source/guest/tests/hsa-test.c" -o "$work/$name" || return 1
    done
    [ $kind = plain ] || return 0
    for name in hip-basic hip-more hip-fault hip-printf; do
        "$source/scripts/rocm-hipcc" "$source/guest/tests/$name.hip" \
            -o "$work/$name" || return 1
    done
}

passes() { grep -qxF "PASS $1" "$log"; }

# Every line that the session is going to report, in its order.
hsa=(
    "HSA dispatch on VRAM"
    "HSA dispatch on host memory"
    "HSA dispatch on locked memory"
    "HSA on locked memory whose pages are replaced"
    "HSA scratch memory"
    "HSA atomics of CPU and GPU"
    "HSA copies and fill"
    "HSA barrier packet"
    "HSA time stamps"
    "HSA more packets than the ring holds"
)
expected_plain=(
    "rocminfo lists the gfx900 agent"
    "${hsa[@]}"
    "HSA in a child of fork()"
    "HSA in a parent of fork()"
    "a memory fault is told with its address"
    "a fault leaves another process's work alone"
    "two processes at once"
    "work beside a kernel that never ends"
    "memory unmapped under a kernel"
    "a trap is told"
    "nothing is left in use"
    "killed 50 times in the middle of a dispatch, nothing is left"
    "the module cannot go while it is in use"
    "unloaded and loaded 20 times"
    "unbound from processes and bound again"
    "removed from processes and found again"
    "HIP vector add"
    "HIP matrix multiply in LDS"
    "HIP reduction with atomics"
    "HIP asynchronous copies on two streams"
    "HIP device query"
    "HIP copies up, down and across"
    "HIP copy of a rectangle"
    "HIP on registered memory"
    "HIP counter shared with the CPU"
    "HIP events between streams"
    "HIP module"
    "HIP scratch memory"
    "HIP from two threads"
    "a fault of a HIP program is told with its address"
    "HIP printf"
    "nothing is left in use in the end"
    "the kernel has warned of nothing"
)
expected_drm=(
    "rocminfo lists the gfx900 agent"
    "the render node is one of DRM's"
    "a second GPU is refused"
    "${hsa[@]}"
    "a memory fault is told with its address"
    "killed 5 times in the middle of a dispatch, nothing is left"
    "unbound from processes and bound again"
    "unplugged from processes"
    "the kernel has warned of nothing"
)
if [ $kind = drm ]; then
    expected=("${expected_drm[@]}")
    programs=("$work"/hsa-{basic,worker})
    image=(--full)
    session=session-drm.sh
    guest=(--device pcie-root-port,id=one,slot=1
        --device tessera,bus=one,id=gpu --unplug gpu
        --device pcie-root-port,id=two,slot=2 --device tessera,bus=two)
else
    expected=("${expected_plain[@]}")
    programs=("$work"/hsa-{basic,worker} "$work"/hip-{basic,more,fault,printf})
    image=()
    session=session.sh
    guest=(--device tessera)
fi

mkdir -p "$work"
if ! "$source/scripts/rocm-image" "${image[@]}" "$work" >"$log" 2>&1; then
    if grep -qE "cannot (download packages|reach the Debian)" "$log"; then
        echo "1..0 # SKIP Debian's ROCm packages cannot be downloaded"
        exit
    fi
    bail_out "no image"
fi
echo "1..$((${#expected[@]} + 1))"
compile >"$log" 2>&1 || bail_out "the programs do not compile"
"$source/scripts/rocm-image" "${image[@]}" "$work" \
    "$source"/guest/tests/{session-lib.sh,"$session"} "${programs[@]}" \
    "$kernels" >"$log" 2>&1 || bail_out "no image"

status=0
"$source/scripts/guest-run" --plugin "$plugin" --memory 1024 --timeout 1500 \
    --disk "$work/disk.img" "${guest[@]}" "$work" "/guest/$session" \
    >"$log" 2>&1 || status=$?
sed 's/^/# /' "$log"
for line in "${expected[@]}"; do
    ok "$line" passes "$line"
done
ok "the session has ended well" [ "$status" = 0 ]
