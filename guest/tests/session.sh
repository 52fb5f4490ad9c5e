#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs in the ROCm guest: Debian's rocminfo, the programs of guest/tests, and
# what becomes of the driver when processes are killed. One line a result; the
# exit status is 0 if all passed.
#
# usage: session.sh [KILLS [RELOADS]]
kills=${1:-50}
reloads=${2:-20}
in_use=/sys/kernel/debug/tessera/in_use
failed=0
cd /guest || exit 2
co=hsa-kernels.co

# $1: what; the rest: a command that succeeds if it is so.
ok() {
    what=$1
    shift
    if "$@"; then
        echo "PASS $what"
    else
        echo "FAIL $what"
        failed=1
    fi
}

# Programs report for themselves; here it is whether they fail.
run() {
    "$@" || { echo "FAIL $1: exit status $?"; failed=1; }
}

# Waits until file $1 has the line $2; process $3 writes it.
until_says() {
    until grep -q "$2" "$1" 2>/dev/null; do
        kill -0 "$3" 2>/dev/null || return 1
        sleep 0.02
    done
}

# What processes hold goes back within a moment of their end.
idle() {
    try=0
    while [ $try -lt 50 ]; do
        cat "$in_use" >/tmp/in_use || return 1
        grep -q '^processes' /tmp/in_use || return 1
        grep -qv ' 0$' /tmp/in_use || return 0
        try=$((try + 1))
        sleep 0.1
    done
    cat /tmp/in_use
    return 1
}

# Starts a process whose kernel never ends; $spinner is its number.
start_spinning() {
    : >/tmp/spin
    ./hsa-worker $co spin >/tmp/spin 2>/dev/null &
    spinner=$!
    until_says /tmp/spin spinning $spinner
}

kill_spinner() {
    kill -9 $spinner
    wait $spinner 2>/dev/null
}

lists_gfx900() {
    rocminfo >/tmp/rocminfo 2>&1 &&
        grep -q '^  Name: *gfx900 *$' /tmp/rocminfo &&
        grep -q '^    *Name: *amdgcn-amd-amdhsa--gfx900' /tmp/rocminfo
}

fault_is_told() {
    ./hsa-worker $co fault 0x123456789000 >/tmp/fault 2>&1
    grep 'Memory access fault' /tmp/fault
    grep -q 'Memory access fault by GPU.*on address 0x123456789000' /tmp/fault
}

hip_fault_is_told() {
    ! ./hip-fault >/tmp/fault 2>&1 &&
        grep -q 'Memory access fault by GPU.*on address 0x234567891000' \
            /tmp/fault
}

# While one process's kernels go wrong, another's go on and verify.
fault_beside_work() {
    : >/tmp/work
    ./hsa-worker $co work 0 >/tmp/work 2>&1 &
    worker=$!
    until_says /tmp/work working $worker && fault_is_told && fault_is_told &&
        kill $worker && wait $worker && grep -q '^PASS' /tmp/work
}

two_at_once() {
    : >/tmp/work
    ./hsa-worker $co work 0 >/tmp/work 2>&1 &
    first=$!
    until_says /tmp/work working $first &&
        ./hsa-worker $co work 10 >/tmp/work2 2>&1 && kill $first &&
        wait $first && grep -q '^PASS' /tmp/work && grep -q '^PASS' /tmp/work2
}

work_beside_hang() {
    start_spinning && ./hsa-worker $co work 10 >/tmp/work 2>&1
    status=$?
    kill_spinner
    return $status
}

# $1: how often.
killed() {
    done=0
    while [ $done -lt "$1" ]; do
        start_spinning || return 1
        kill_spinner
        done=$((done + 1))
    done
    idle
}

in_use_refuses() {
    start_spinning || return 1
    rmmod tessera_amdgpu 2>/dev/null
    status=$?
    kill_spinner
    idle && [ $status != 0 ]
}

reloaded() {
    done=0
    while [ $done -lt "$1" ]; do
        rmmod tessera_amdgpu && insmod tessera_amdgpu.ko || return 1
        done=$((done + 1))
    done
    ./hsa-worker $co work 2 >/tmp/work 2>&1
}

no_warning() {
    ! dmesg | grep -E 'WARNING|BUG:|Oops|Call Trace|possible recursive'
}

ok "rocminfo lists the gfx900 agent" lists_gfx900
run ./hsa-basic $co
run ./hsa-worker $co fork
ok "a memory fault is told with its address" fault_is_told
ok "a fault leaves another process's work alone" fault_beside_work
ok "two processes at once" two_at_once
ok "work beside a kernel that never ends" work_beside_hang
ok "nothing is left in use" idle
ok "killed $kills times in the middle of a dispatch, nothing is left" \
    killed "$kills"
ok "the module cannot go while it is in use" in_use_refuses
ok "unloaded and loaded $reloads times" reloaded "$reloads"
run ./hip-basic
run ./hip-more $co
ok "a fault of a HIP program is told with its address" hip_fault_is_told
ok "nothing is left in use in the end" idle
ok "the kernel has warned of nothing" no_warning
exit $failed
