/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Levels of host instruction sets. */
#include "tessera/isa.h"

bool tessera_host_has(TesseraHostLevel level)
{
    __builtin_cpu_init();
    switch (level) {
    case TESSERA_LEVEL_V4:
        return __builtin_cpu_supports("x86-64-v4");
    case TESSERA_LEVEL_V3:
        return __builtin_cpu_supports("x86-64-v3");
    default:
        return __builtin_cpu_supports("x86-64-v2");
    }
}

TesseraHostLevel tessera_host_best(void)
{
    TesseraHostLevel level = TESSERA_LEVELS - 1;

    while (level > TESSERA_LEVEL_V2 && !tessera_host_has(level)) {
        level--;
    }
    return level;
}
