#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs in the ROCm guest: Debian's rocminfo, the programs of guest/tests, and
# what becomes of the driver when processes are killed and when the device
# goes. One line a result; the exit status is 0 if all passed.
#
# usage: session.sh [KILLS [RELOADS]]
kills=${1:-50}
reloads=${2:-20}
cd /guest || exit 2
. ./session-lib.sh

ok "rocminfo lists the gfx900 agent" lists_gfx900
run ./hsa-basic $co
run ./hsa-worker $co fork
ok "a memory fault is told with its address" fault_is_told
ok "a fault leaves another process's work alone" fault_beside_work
ok "two processes at once" two_at_once
ok "work beside a kernel that never ends" work_beside_hang
ok "memory unmapped under a kernel" unmapping_is_told
ok "a trap is told" trap_is_told
ok "nothing is left in use" idle
ok "killed $kills times in the middle of a dispatch, nothing is left" \
    killed "$kills"
ok "the module cannot go while it is in use" in_use_refuses
ok "unloaded and loaded $reloads times" reloaded "$reloads"
ok "unbound from processes and bound again" gone_and_back unbind bind
ok "removed from processes and found again" gone_and_back remove rescan
run ./hip-basic
run ./hip-more $co
ok "a fault of a HIP program is told with its address" hip_fault_is_told
ok "HIP printf" printf_comes_out
ok "nothing is left in use in the end" idle
ok "the kernel has warned of nothing" no_warning
exit $failed
