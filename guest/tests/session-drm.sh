#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs in a guest whose kernel has DRM, with two Tessera GPUs in slots; the
# monitor unplugs the first when it is told to. As session.sh reports.
cd /guest || exit 2
. ./session-lib.sh

render_node_is_drms() {
    minor=$(busybox sed -n 's/^drm_render_minor //p' \
        /sys/devices/virtual/kfd/kfd/topology/nodes/1/properties)
    [ -c "/dev/dri/renderD$minor" ] &&
        [ -d "/sys/class/drm/renderD$minor/device/drm/renderD$minor" ] &&
        grep -q '^drm ' /proc/modules
}

second_is_refused() {
    dmesg | grep 'only the first Tessera GPU is used' &&
        [ "$(ls -d /sys/bus/pci/drivers/tessera_amdgpu/*:* | grep -c .)" = 1 ]
}

unplugged() {
    start_spinning || return 1
    echo "guest: unplug now"
    ends $spinner && busybox tail -n 1 /tmp/spin &&
        ! ./hsa-worker $co work 1 >/tmp/work 2>&1 &&
        [ ! -e /dev/kfd ] && [ ! -e "$function" ] && goes
}

# The module, within a moment: the last process has just ended.
goes() {
    try=0
    until rmmod tessera_amdgpu 2>/dev/null; do
        [ $try -lt 600 ] || return 1
        try=$((try + 1))
        sleep 0.1
    done
}

ok "rocminfo lists the gfx900 agent" lists_gfx900
ok "the render node is one of DRM's" render_node_is_drms
ok "a second GPU is refused" second_is_refused
run ./hsa-basic $co
ok "a memory fault is told with its address" fault_is_told
ok "killed 5 times in the middle of a dispatch, nothing is left" killed 5
ok "unbound from processes and bound again" gone_and_back unbind bind
ok "unplugged from processes" unplugged
ok "the kernel has warned of nothing" no_warning
exit $failed
