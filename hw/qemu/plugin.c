/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The entry that QEMU calls for -plugin tessera.so[,ARGUMENT...]. */
#include "device.h"
#include "gate.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

static void print_help(void)
{
    printf("Tessera, a virtual PCIe GPU, built for QEMU "
           TESSERA_QEMU_VERSION "\n"
           "(" TESSERA_QEMU_PACKAGE ");\n"
           "can be built for: " TESSERA_QEMU_SUPPORTED "\n"
           "\n"
           "usage: -plugin tessera.so[,trace=PATTERN]... "
           "-device tessera[,PROPERTY=VALUE]...\n"
           "\n"
           "plugin arguments:\n"
           "  help             this text\n"
           "  trace=PATTERN    turn on trace events, such as tessera_*\n"
           "\n"
           "device properties:\n"
           "  vram-size=SIZE   VRAM, a power of two from 64M to 16G (1G)\n"
           "  workers=N        host threads, 1 to 64; 0: one per host CPU (0)\n"
           "  isa=NAME         instruction set: gfx900, gfx1100, gfx1150,\n"
           "                   gfx1200 or gfx1201 (gfx900)\n"
           "  hang-timeout=MS  guest milliseconds until a dispatch that does\n"
           "                   not end is ended; 0: never (0)\n"
           "  host-level=NAME  host SIMD level: v2, v3, v4 (the best)\n"
           "  hazards=strict   report loads that are not waited for, and\n"
           "                   accesses of blocks that meet unordered (off)\n"
           "  jit=on|off       compile hot shader code; needs tessera-jit.so\n"
           "                   beside tessera.so, else it is interpreted (off)\n"
           "  scanout=on|off   a head that shows a picture in VRAM (on)\n"
           "\n"
           "The machine needs PCI Express, as q35 has and the virt machines of\n"
           "aarch64 and riscv64; under TCG give it -smp 1,maxcpus=2 or more,\n"
           "so that atomics are shared.\n");
}

/* False if @arg is none of ours, which stderr then says. */
static bool take_argument(const char *arg)
{
    if (g_str_equal(arg, "help") || g_str_has_prefix(arg, "help=")) {
        print_help();
        exit(0);
    }
    if (g_str_has_prefix(arg, "trace=")) {
        trace_enable_events(arg + strlen("trace="));
        return true;
    }
    error_report("tessera: unknown plugin argument '%s'; known are help and "
                 "trace=PATTERN", arg);
    return false;
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id,
                                           const qemu_info_t *info,
                                           int argc, char **argv)
{
    if (!info->system_emulation) {
        error_report("tessera: needs system emulation");
        return -1;
    }
    if (!tessera_gate_open()) {
        return -1;
    }
    tessera_register_trace_events();
    for (int i = 0; i < argc; i++) {
        if (!take_argument(argv[i])) {
            return -1;
        }
    }
    tessera_max_vcpus = info->system.max_vcpus;
    tessera_register_type();
    return 0;
}
