#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# usage: plugin-symbols.sh PLUGIN QEMU
# Every symbol that the plugin leaves open must be QEMU's or a library's that
# QEMU itself links: otherwise loading it fails on the user's machine.
set -eu

plugin=$1
qemu=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# "address type name@version" lines to names
names() {
    awk '{ sub(/@.*/, "", $NF); print $NF }' | sort -u
}

{
    nm -D --defined-only "$qemu"
    ldd "$qemu" | awk '$3 ~ /^\// { print $3 } $1 ~ /^\// { print $1 }' |
        xargs nm -D --defined-only 2>/dev/null
} | names >"$work/there"

# Weak symbols may stay open; a sanitizer's come with its own library.
nm -D -u "$plugin" | awk '$1 == "U"' |
    grep -v '__asan_\|__ubsan_\|__sanitizer_\|__tsan_' |
    names >"$work/wanted"

echo 1..1
missing=$(comm -23 "$work/wanted" "$work/there" | tr '\n' ' ')
if [ -z "$missing" ]; then
    echo "ok 1 - every open symbol of the plugin is QEMU's"
else
    echo "not ok 1 - the plugin wants what QEMU lacks: $missing"
fi
