/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `tessera dis --mcpu linx`: raw bytes of LinxISA, in parcels of 2 bytes. */
#include <inttypes.h>
#include <stdio.h>
#include "target/linx/decode.h"
#include "tools/dis-linx.h"

/* One line; returns the bytes that it is about. */
static unsigned print_line(const uint8_t *bytes, size_t left,
                           uint64_t address)
{
    char text[LINX_TEXT_MAX];
    LinxInst inst;
    unsigned size;

    if (linx_decode(bytes, left, &inst)) {
        size = inst.size;
        linx_disassemble(&inst, text, sizeof(text));
    } else if (left >= 2) {
        size = 2;
        g_snprintf(text, sizeof(text), ".half 0x%04x",
                   bytes[0] | bytes[1] << 8);
    } else {
        size = 1;
        g_snprintf(text, sizeof(text), ".byte 0x%02x", bytes[0]);
    }
    printf("\t%-59s// %012" PRIX64 ":", text, address);
    for (unsigned i = 0; i + 1 < size; i += 2) {
        printf(" %02X%02X", bytes[i + 1], bytes[i]);
    }
    printf(size == 1 ? " %02X\n" : "\n", bytes[0]);
    return size;
}

void dis_linx(const uint8_t *bytes, size_t size)
{
    size_t at = 0;

    while (at < size) {
        at += print_line(bytes + at, size - at, at);
    }
}
