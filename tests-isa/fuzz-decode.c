/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer over the decoder: decode, print, and lower onto handlers.
 *
 *   build/tests-isa/fuzz-decode -max_len=16 -max_total_time=600
 */
#include <stdlib.h>
#include <string.h>
#include "target/amdgpu/rows.h"
#include "target/engine/uop.h"
#include "target/gfx9/decode.h"
#include "target/gfx9/isa.h"

#define CHECK(condition) ((condition) ? (void)0 : abort())

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void lower(const uint32_t *words, unsigned count)
{
    for (int level = 0; level < TESSERA_LEVELS; level++) {
        const TesseraIsaExec *exec = gfx900_isa.exec[level];
        Uop uop = { 0 };

        if (exec) {
            exec->decode(words, count, 64, &uop);
            CHECK(uop.fn && uop.len >= 1 && uop.len <= 4);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned count = size / 4 > 4 ? 4 : (unsigned)(size / 4);
    uint32_t *words; /* of exactly that size, for the sanitizer */
    char text[512], cut[8];
    AmdInst inst;
    size_t length;

    if (!count) {
        return 0;
    }
    words = malloc(count * 4);
    CHECK(words);
    memcpy(words, data, count * 4);
    lower(words, count);
    gfx900_isa.disassemble(words, count, 64, 0x1000, text, sizeof(text));
    if (gfx9_decode(words, count, &inst)) {
        CHECK(inst.op && inst.op < amd_insn_count);
        CHECK(inst.size <= count * 4);
        length = amd_disassemble(&inst, 0, text, sizeof(text));
        CHECK(length < sizeof(text) && strlen(text) == length);
        CHECK(!strchr(text, '?'));
        amd_disassemble(&inst, 0, cut, sizeof(cut));
        CHECK(!strncmp(cut, text, strlen(cut)));
    }
    free(words);
    return 0;
}
