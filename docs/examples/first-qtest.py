#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A first test of driver logic against Tessera in stock QEMU, in one file.

usage: first-qtest.py PLUGIN [QEMU]

It needs Python's standard library, and QEMU_MODULE_DIR to name the folder of
QEMU's qtest accelerator (build-deps/modules once scripts/setup has run).
docs/qtest.md explains it piece by piece.
"""
import os
import socket
import struct
import subprocess
import sys
import tempfile
import time


class Qtest:
    """QEMU with a Tessera at 00:04.0, reached through the qtest protocol."""

    def __init__(self, plugin, qemu="qemu-system-x86_64", properties=""):
        self.folder = tempfile.TemporaryDirectory()
        path = os.path.join(self.folder.name, "qtest")
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        listener.listen(1)
        listener.settimeout(60)
        self.qemu = subprocess.Popen([
            qemu, "-machine", "q35", "-m", "128M", "-display", "none",
            "-nodefaults", "-accel", "qtest",
            "-qtest", f"unix:{path}", "-qtest-log", "none",
            "-plugin", plugin,
            "-device", "tessera,addr=4,vram-size=64M" + properties])
        connection, _ = listener.accept()
        self.stream = connection.makefile("rw")

    def close(self):
        self.stream.close()
        self.qemu.terminate()
        self.qemu.wait(60)
        self.folder.cleanup()

    def command(self, *words):
        print(*words, file=self.stream, flush=True)
        while True:
            line = self.stream.readline()
            if line.startswith("OK"):
                return line.split()[1:]
            if not line.startswith("IRQ"):
                raise RuntimeError(f"{' '.join(words)}: {line.strip()}")

    def read(self, address, size):
        """Bytes of memory."""
        answer = self.command("read", hex(address), hex(size))
        return bytes.fromhex(answer[0][2:])

    def write(self, address, data):
        self.command("write", hex(address), hex(len(data)), "0x" + data.hex())

    def read32(self, address):
        return int(self.command("readl", hex(address))[0], 16)

    def write32(self, address, value):
        self.command("writel", hex(address), hex(value))

    def write64(self, address, value):
        self.command("writeq", hex(address), hex(value))

    def config_write32(self, offset, value):
        """A configuration register of the device at 00:04.0."""
        self.command("outl", "0xcf8", hex(0x80000000 | 4 << 11 | offset))
        self.command("outl", "0xcfc", hex(value))


# Places of our choice; nobody else is on this machine.
VRAM, DOORBELLS, REGS, MSIX = 0xe0000000, 0xe4000000, 0xe4080000, 0xe4090000
COMMAND, FENCE, DESCRIPTOR, SIGNAL = 0x100000, 0x100040, 0x100080, 0x100100
RING, AMD_QUEUE = 0x101000, 0x102000

ID, CMD_ADDR, QUEUE_ERROR = 0x0000, 0x0200, 0x0408  # docs/registers.md
CMD_MAP, RESULT_OK = 1, 1                           # include/tessera/abi.h
BARRIER_AND, SYSTEM_SCOPES = 3, 2 << 9 | 2 << 11
BAD_PACKET = 0x20


def place_bars(q):
    for offset, address in ((0x10, REGS), (0x14, MSIX), (0x18, VRAM),
                            (0x1c, 0), (0x20, DOORBELLS), (0x24, 0)):
        q.config_write32(offset, address)
    q.config_write32(0x04, 0x06)  # memory space and bus master
    assert q.read32(REGS + ID) == 0x7e551234


def wait_for(condition, what):
    """The device works by itself: never sleep and hope, poll with a bound."""
    end = time.monotonic() + 60
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(what)


def map_queue(q):
    """Slot 0, doorbell 0 of VMID 0, a ring of 16 INVALID packets."""
    q.write(RING, struct.pack("<H62x", 1) * 16)
    q.write(AMD_QUEUE, bytes(256))
    q.write(AMD_QUEUE + 0x88, struct.pack("<I", 0x80))
    q.write(DESCRIPTOR, struct.pack(
        "<4IQ2I6Q48x", 128, 1, 0, 0, RING, 16, 0, AMD_QUEUE + 0x80,
        AMD_QUEUE + 0x38, 0, 0, 0, 0))
    q.write(FENCE, bytes(8))
    q.write(COMMAND, struct.pack("<4I3QI20x", 64, 1, CMD_MAP, 0, DESCRIPTOR,
                                 FENCE, 1, 0))
    q.write64(REGS + CMD_ADDR, COMMAND)
    wait_for(lambda: q.read32(FENCE) == 1, "fence of MAP")
    assert q.read32(COMMAND + 40) == RESULT_OK


def push(q, index, packet):
    """All but the header first; the header hands the packet over."""
    at = RING + index * 64
    q.write(at + 4, packet[4:])
    q.write(at, packet[:4])
    q.write64(DOORBELLS, index)


def test_barrier(q):
    """An empty barrier packet counts its completion signal down."""
    q.write(SIGNAL, struct.pack("<qq48x", 1, 1))
    push(q, 0, struct.pack("<H54xQ", BARRIER_AND | SYSTEM_SCOPES, SIGNAL))
    wait_for(lambda: q.read32(SIGNAL + 8) == 0, "completion signal")


def test_error(q):
    """What does my driver see of a packet with a reserved bit set?"""
    push(q, 1, struct.pack("<H62x", BARRIER_AND | 1 << 15))
    wait_for(lambda: q.read32(REGS + QUEUE_ERROR) == BAD_PACKET, "error bits")


def main():
    q = Qtest(*sys.argv[1:3])
    try:
        place_bars(q)
        map_queue(q)
        test_barrier(q)
        test_error(q)
    finally:
        q.close()
    print("1..1\nok 1 - first-qtest")


main()
