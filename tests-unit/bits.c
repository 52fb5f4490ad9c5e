/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include "bits.h"
#include "target/amdgpu/exec.h"
#include "target/gfx9/decode.h"
#include "target/gfx9/isa.h"

/* ---- levels ---- */

#ifdef WAVE_O0
#include "level-o0.h"

static void decode_o0(const uint32_t *words, unsigned count, unsigned lanes,
                      Uop *uop)
{
    amd_decode_uop(gfx9_decode_exec, amd_handlers_o0, words, count, uop);
}

static const TesseraIsaExec *exec_o0(void)
{
    static TesseraIsaExec exec;

    exec = *gfx900_isa.exec[tessera_host_level()];
    exec.decode = decode_o0;
    exec.run = amd_run_o0;
    return &exec;
}
#else
static const TesseraIsaExec *exec_o0(void)
{
    return NULL;
}
#endif

const TesseraIsaExec *level_exec(int level)
{
    if (level == LEVEL_O0) {
        return exec_o0();
    }
    return level <= (int)tessera_host_level() ? gfx900_isa.exec[level] : NULL;
}

const char *level_name(int level)
{
    return level == LEVEL_O0 ? "O0" : tessera_level_names[level];
}

/* ---- digests ---- */

static const char *folder;
static uint64_t sum;
static unsigned runs;

void bits_begin(void)
{
    folder = g_getenv("WAVE_BITS");
    sum = runs = 0;
}

static void add(const void *bytes, size_t size)
{
    const uint8_t *p = bytes;

    for (size_t i = 0; i + 8 <= size; i += 8) {
        uint64_t x;

        memcpy(&x, p + i, 8);
        sum = (sum ^ x) * 0x9e3779b97f4a7c15;
        sum ^= sum >> 29;
    }
}

void bits_note(const AmdWave *w, const uint8_t *lds, size_t lds_size)
{
    uint32_t rest[4] = { w->scc, w->mode, w->trapsts, w->w.state };

    if (folder) {
        add(w->v, AMD_VGPRS * sizeof(Vreg));
        add(w->s, SGPR_COUNT * 4);
        add(rest, sizeof(rest));
        add(lds, lds_size);
        runs++;
    }
}

void bits_end(int level)
{
    g_autofree char *path = NULL;
    const char *test;
    FILE *file;

    if (!folder) {
        return;
    }
    path = g_strdup_printf("%s/%s.%s", folder, program_invocation_short_name,
                           level_name(level));
    file = fopen(path, "a");
    g_assert_nonnull(file);
    test = strchr(g_test_get_path() + 1, '/'); /* behind the level */
    fprintf(file, "%s %u %016llx\n", test, runs, (unsigned long long)sum);
    g_assert_cmpint(fclose(file), ==, 0);
}
