#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the sessions in the ROCm guest share: what they look at, as functions
# that succeed if it is so. One line a result; $failed is 0 if all passed.
in_use=/sys/kernel/debug/tessera/in_use
failed=0
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
    while [ $try -lt 600 ]; do
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

# The lines of hip-printf's kernels, which come in any order.
printf_comes_out() {
    ./hip-printf >/tmp/printf 2>&1 || { cat /tmp/printf; return 1; }
    [ "$(grep -c '^lane [0-9]* times 0.25 is  *[0-9.]*%$' /tmp/printf)" = 140 ] &&
        grep -q '^lane 139 times 0.25 is  34.8%$' /tmp/printf &&
        grep -q '^lane 0 times 0.25 is   0.0%$' /tmp/printf &&
        [ "$(busybox sort -u /tmp/printf | grep -c ^lane)" = 140 ] &&
        grep -q '^again 2 times -1.50 is  -3.0%$' /tmp/printf &&
        [ "$(grep -n 'first kernel has ended' /tmp/printf)" = \
            '141:the first kernel has ended' ] &&
        [ "$(grep -n 'second kernel has ended' /tmp/printf)" = \
            '145:the second kernel has ended' ]
}

unmapping_is_told() {
    ./hsa-worker $co unmap >/tmp/unmap 2>&1
    at=$(grep '^unmapping' /tmp/unmap)
    grep -q "Memory access fault by GPU.*on address ${at#unmapping }" /tmp/unmap
}

# As a kernel of abort() does.
trap_is_told() {
    ./hsa-worker $co trap >/tmp/trap 2>&1
    cat /tmp/trap
    grep -q '^the queue has stopped: 0x1016 ' /tmp/trap
}

# True if the process ends by itself within a minute; not with success.
ends() {
    try=0
    while kill -0 "$1" 2>/dev/null; do
        [ $try -lt 600 ] || { kill -9 "$1"; wait "$1"; return 1; }
        try=$((try + 1))
        sleep 0.1
    done
    ! wait "$1"
}

# One process spins, one works, one has the memory and does nothing; $1 takes
# the device away, $2 brings it back.
gone_and_back() {
    start_spinning || return 1
    : >/tmp/work
    ./hsa-worker $co work 0 >/tmp/work 2>&1 &
    worker=$!
    until_says /tmp/work working $worker || return 1
    "$1" || return 1
    ends $spinner && ends $worker || return 1
    busybox tail -n 3 /tmp/work
    ! ./hsa-worker $co work 1 >/tmp/work 2>&1 || return 1
    "$2" && ./hsa-worker $co work 2 >/tmp/work 2>&1 && idle
}

function=$(grep -l '^0x7e55$' /sys/bus/pci/devices/*/device | head -n 1)
function=${function%/device}
address=${function##*/}
unbind() { echo "$address" >/sys/bus/pci/drivers/tessera_amdgpu/unbind; }
bind() { echo "$address" >/sys/bus/pci/drivers/tessera_amdgpu/bind; }
remove() { echo 1 >"$function/remove"; }
rescan() { echo 1 >/sys/bus/pci/rescan; }

no_warning() {
    ! dmesg | grep -E 'WARNING|BUG:|Oops|Call Trace|possible recursive'
}
