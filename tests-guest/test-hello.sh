#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Boot Linux guests in stock QEMU, run guest/hello in them, and look at what
# it reports and at the picture it sends. TAP.
#
# usage: test-hello.sh SOURCE WORK PLUGIN HELLO EXPECTED PPM2PNG CODE...
set -u

source=$1 work=$2/hello.tmp plugin=$3 hello=$4 expected=$5 ppm2png=$6
shift 6
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

# Boot with device $1; what the guest says goes to $log, its status to $status.
boot() {
    local device=$1
    shift
    status=0
    log=$work/log
    "$source/scripts/guest-run" --plugin "$plugin" --device "$device" \
        --picture "$work/guest.ppm" --dump "$work/screen.ppm" --timeout 300 \
        "$work" "$@" >"$log" 2>&1 ||
        status=$?
    sed 's/^/# /' "$log"
}

# Does a line match $1?  Are there $1 lines that match $2?
says() { grep -qE "$1" "$log"; }
count() { [ "$(grep -cE "$2" "$log")" = "$1" ]; }

all_programs() {
    ok "$1: vector add over VRAM" says '^PASS vector add in VRAM: .* 0 wrong'
    ok "$1: vector add over guest RAM" \
        says '^PASS vector add in guest RAM: .* 0 wrong'
    ok "$1: reduction with LDS and barriers" says '^PASS reduction in LDS'
    ok "$1: counter shared by CPU and GPU" says '^PASS shared counter'
    ok "$1: LinxISA blocks over tiles" says '^PASS blocks: .* 0 wrong'
    ok "$1: way from packet to signal" says '^PASS empty kernel: '
    ok "$1: mandelbrot" says '^PASS mandelbrot: .* 0 wrong'
    ok "$1: nothing failed" [ "$status" = 0 ]
}

mkdir -p "$work"
rm -f "$work/guest.ppm" "$work/expected.ppm" "$work/guest.png" \
    "$work/screen.ppm"
cat >"$work/session" <<'EOF'
#!/bin/sh
/hello --picture /dev/ttyS1 --show 30
echo "session: good $?"
mkdir /bad
cp "/fault-$1.co" "/bad/vadd-$1.co"
/hello --kernels /bad
echo "session: bad $?"
/hello
EOF
chmod +x "$work/session"
echo "1..51"
if ! "$source/scripts/guest-image" "$work" "$work/session" "$hello" "$@" \
        >"$work/log" 2>&1; then
    echo "Bail out! $(tail -n 1 "$work/log")"
    exit 1
fi


# All programs twice, and between them one whose work-item 63 does wrong. $1:
# the device; $2: its instruction set; $3: the lane of its wave, a mask.
good_bad_good() {
    boot "$1" /session "$2"
    all_programs "$1"
    ok "$2: the first time, too" says '^session: good 0'
    ok "$2: and all programs both times" count 14 '^PASS '
    ok "$2: a bad store stops the queue" \
        says '^FAIL driver: queue 0 stopped with error bits 0x20000000'
    ok "$2: and is reported with cause, address and lane" \
        says "^hello: fault, .* not mapped: address 0x123456789000,.* $3\$"
    ok "$2: and fails the program" says '^session: bad 2'
    ok "$2: the picture arrives as this CPU computes it" \
        cmp "$work/guest.ppm" "$work/expected.ppm"
    ok "$2: and is on the GPU's screen" \
        cmp "$work/screen.ppm" "$work/expected.ppm"
}

"$expected" "$work/expected.ppm"
good_bad_good tessera gfx900 0x8000000000000000
"$ppm2png" "$work/guest.ppm" "$work/guest.png"
ok "it is a PNG then" [ "$(head -c 4 "$work/guest.png" | tail -c 3)" = PNG ]

# Waves of 32 lanes: work-item 63 is the last of the second one.
good_bad_good tessera,isa=gfx1200 gfx1200 0x80000000

boot tessera,isa=gfx1100 /hello
all_programs "gfx1100"

boot tessera,vram-size=64M,workers=1,scanout=off /hello --show 30
all_programs "64 MiB, one worker, no head"
ok "nothing is said to be on a screen" count 0 'on the screen'

boot edu /hello
ok "without a GPU: says so" says '^FAIL driver: no PCI device 1234:7e55'
ok "without a GPU: fails" [ "$status" = 2 ]
ok "without a GPU: nothing passes" count 0 '^PASS '
