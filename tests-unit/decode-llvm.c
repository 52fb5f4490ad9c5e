/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ask llvm-mc about many candidates at once.
 *
 * Its input is a block of bytes a candidate, which it disassembles on its own,
 * and a block with a marker behind each.  If we accept the candidate, its block
 * is the bytes that we think it has and a probe, an instruction that shows
 * whether LLVM thinks so, too.
 */
#include <glib/gstdio.h>
#include <sys/wait.h>
#include "decode-llvm.h"

#define MARKER_TEXT "s_sethalt 0x7e5e"
#define PROBE 0xbf8004d2u /* s_nop */
#define PROBE_TEXT "s_nop 0x4d2"

static bool is_sdwa(uint32_t word)
{
    return !(word & 0x80000000) && (word & 0x1ff) == 0xf9;
}

bool llvm_crashes(const LlvmTarget *target, const Candidate *c)
{
    bool sdwa = strcmp(target->mcpu, "gfx900") == 0;

    for (int i = 0; i < CANDIDATE_DWORDS; i++) {
        uint32_t next = i + 1 < CANDIDATE_DWORDS ? c->words[i + 1] : 0;

        if (sdwa && is_sdwa(c->words[i]) &&
            ((next >> 8 & 7) == 7 || (next >> 16 & 7) == 7 ||
             (next >> 24 & 7) == 7)) {
            return true;
        }
        if (c->words[i] == target->marker) {
            return true;
        }
    }
    return false;
}

char *find_llvm_mc(void)
{
    const char *given = g_getenv("LLVM_MC");

    return g_find_program_in_path(given ? given : "llvm-mc-19");
}

static void put_block(GString *input, const uint32_t *words, unsigned count,
                      bool probe)
{
    g_string_append_c(input, '[');
    for (unsigned i = 0; i < count + probe; i++) {
        uint32_t w = i < count ? words[i] : PROBE;

        g_string_append_printf(input, "0x%02x,0x%02x,0x%02x,0x%02x,",
                               w & 0xff, w >> 8 & 0xff, w >> 16 & 0xff,
                               w >> 24);
    }
    g_string_truncate(input, input->len - 1);
    g_string_append(input, "]\n");
}

static char *run_llvm(const char *llvm_mc, const char *mcpu,
                      const GString *input)
{
    g_autofree char *option = g_strconcat("-mcpu=", mcpu, NULL);
    g_autofree char *path = NULL;
    g_autoptr(GError) error = NULL;
    char *output = NULL;
    int status;
    int fd = g_file_open_tmp("decode-XXXXXX", &path, &error);
    const char *argv[] = { llvm_mc, "--disassemble", "-triple=amdgcn",
                           option, path, NULL };

    g_assert_no_error(error);
    g_close(fd, NULL);
    g_file_set_contents(path, input->str, input->len, &error);
    g_assert_no_error(error);
    g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL,
                 NULL, &output, NULL, &status, &error);
    g_unlink(path);
    g_assert_no_error(error);
    g_assert_true(WIFEXITED(status));
    return output;
}

/* One line, without tabs and comments. */
static char *clean_line(const char *line)
{
    g_autofree char *text = g_strdup(line);
    char *comment = strstr(text, " ; ");

    if (comment) {
        *comment = '\0';
    }
    return g_strdup(g_strstrip(g_strdelimit(text, "\t", ' ')));
}

void ask_llvm(const char *llvm_mc, const LlvmTarget *target, Comparison *c,
              unsigned n)
{
    g_autoptr(GString) input = g_string_new(NULL);
    g_autofree char *output = NULL;
    g_auto(GStrv) lines = NULL;
    unsigned line = 0;

    for (unsigned i = 0; i < n; i++) {
        bool probe = c[i].ours.accepted;

        put_block(input, c[i].candidate.words,
                  probe ? c[i].size / 4 : CANDIDATE_DWORDS, probe);
        put_block(input, &target->marker, 1, false);
    }
    output = run_llvm(llvm_mc, target->mcpu, input);
    lines = g_strsplit(output, "\n", -1);
    for (unsigned i = 0; i < n; i++) {
        unsigned position = 0;

        for (;; line++) {
            g_autofree char *text = NULL;

            g_assert_nonnull(lines[line]);
            text = clean_line(lines[line]);
            if (strcmp(text, MARKER_TEXT) == 0) {
                line++;
                break;
            }
            if (text[0] == '.' || text[0] == '\0') {
                continue; /* a directive */
            }
            if (position == 0) {
                c[i].llvms.accepted = true;
                c[i].llvms.text = g_steal_pointer(&text);
            } else if (position == 1) {
                c[i].same_size = strcmp(text, PROBE_TEXT) == 0;
            }
            position++;
        }
        if (!c[i].llvms.accepted) {
            c[i].llvms.text = g_strdup("");
        }
    }
}
