/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * docs/isa-linx.md: every instruction of LinxISA that target/linx knows, and
 * what it does in the body of a memory block.  That each of them has a test is
 * for test-linx-ops to say.
 *
 *   gen-linx --write TEXT PAGE   write the page, TEXT first
 *   gen-linx --check TEXT PAGE   exit with 1 unless PAGE is what would be
 *                                written
 */
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include "target/linx/perform.h"

typedef struct Section {
    const char *title;
    LinxGroup first, last;
} Section;

static const Section sections[] = {
    { "Integers, 64-bit forms", LINX_G_V_ARITH, LINX_G_V_ARITH_IMM },
    { "Compares", LINX_G_V_CMP, LINX_G_V_CMP_IMM },
    { "Bit fields", LINX_G_V_BIT, LINX_G_V_BIT },
    { "Products, quotients", LINX_G_V_MULDIV, LINX_G_V_MULDIV },
    { "Least and greatest", LINX_G_V_MINMAX, LINX_G_V_MINMAX },
    { "Floats", LINX_G_V_FP, LINX_G_V_FP },
    { "Compares of floats", LINX_G_V_FCMP, LINX_G_V_FCMP },
    { "Converts", LINX_G_V_CONVERT, LINX_G_V_CONVERT },
    { "Reductions", LINX_G_V_REDUCE, LINX_G_V_REDUCE },
    { "Selects and moves", LINX_G_V_SELECT, LINX_G_V_SELECT },
    { "Shuffles", LINX_G_V_SHUFFLE, LINX_G_V_SHUFFLE_IMM },
    { "Loads", LINX_G_V_LOAD, LINX_G_V_LOAD },
    { "Loads with immediates", LINX_G_V_LOAD_IMM, LINX_G_V_LOAD_IMM },
    { "Stores", LINX_G_V_STORE, LINX_G_V_STORE },
    { "Stores with immediates", LINX_G_V_STORE_IMM, LINX_G_V_STORE_IMM },
    { "Atomics", LINX_G_V_ATOMIC_LOAD, LINX_G_V_ATOMIC_STORE },
    { "Bridge loads", LINX_G_V_LOAD_BRG, LINX_G_V_LOAD_BRG_IMM },
    { "Bridge stores", LINX_G_V_STORE_BRG, LINX_G_V_STORE_BRG_IMM },
    { "Queues", LINX_G_V_QUEUE, LINX_G_V_QUEUE },
    { "Scalar computations, 32-bit forms", LINX_G_S32_ARITH,
      LINX_G_S32_ADDR },
    { "Scalar compares", LINX_G_S32_CMP, LINX_G_S32_CMP },
    { "Scalar bit fields", LINX_G_S32_BIT, LINX_G_S32_BIT },
    { "Scalar selects", LINX_G_S32_SELECT, LINX_G_S32_SELECT },
    { "Scalar products, quotients", LINX_G_S32_MULDIV, LINX_G_S32_MULDIV },
    { "Scalar loads", LINX_G_S32_LOAD, LINX_G_S32_LOAD },
    { "Scalar stores", LINX_G_S32_STORE, LINX_G_S32_STORE },
    { "Branches", LINX_G_S32_BRANCH, LINX_G_S32_BRANCH },
    { "Conditions of blocks", LINX_G_S32_SETC, LINX_G_S32_SETC },
    { "Registers of the system and of the block", LINX_G_S32_SYS,
      LINX_G_S32_SYS },
    { "Ends", LINX_G_TERM, LINX_G_TERM },
    { "Starts of blocks", LINX_G_HDR_START, LINX_G_HDR_START },
    { "Header words", LINX_G_HDR, LINX_G_HDR_OTHER },
    { "64-bit forms with 5-bit registers", LINX_G_LONG_5BIT,
      LINX_G_LONG_5BIT },
    { "Scalar instructions that no body has", LINX_G_S32_OTHER,
      LINX_G_S32_OTHER },
};

/* Why what has no row in ops.inc is illegal. */
static const char *reason(unsigned group)
{
    switch (group) {
    case LINX_G_HDR:
    case LINX_G_HDR_OTHER:
        return "illegal in a body: a word of headers";
    case LINX_G_LONG_5BIT:
    case LINX_G_S32_OTHER:
        return "illegal in a body: not in the manual's list for memory blocks";
    default:
        return "";
    }
}

/* A bar would end the cell. */
static void add_text(GString *page, const char *text)
{
    for (; *text; text++) {
        if (*text == '|') {
            g_string_append_c(page, '\\');
        }
        g_string_append_c(page, *text);
    }
}

static void add_row(GString *page, unsigned op)
{
    const LinxRow *row = &linx_rows[op];
    const LinxMeaning *meaning = &linx_meanings[op];

    g_string_append_printf(page, "| `%s` | %u | ", row->name, row->bits);
    if (meaning->perform) {
        add_text(page, meaning->text);
    } else if (meaning->text) {
        g_string_append(page, "illegal: ");
        add_text(page, meaning->text);
    } else {
        g_string_append(page, reason(row->group));
    }
    g_string_append(page, " |\n");
}

static unsigned add_section(GString *page, const Section *section)
{
    unsigned count = 0;

    g_string_append_printf(page, "\n## %s\n\n| instruction | bits | what it "
                           "does |\n| --- | --- | --- |\n", section->title);
    for (unsigned op = 0; op < LINX_OPS; op++) {
        if (linx_rows[op].group >= section->first &&
            linx_rows[op].group <= section->last) {
            add_row(page, op);
            count++;
        }
    }
    return count;
}

static char *make_page(const char *text_path, GError **error)
{
    g_autofree char *text = NULL;
    GString *page;
    unsigned count = 0;

    if (!g_file_get_contents(text_path, &text, NULL, error)) {
        return NULL;
    }
    page = g_string_new(text);
    for (unsigned i = 0; i < G_N_ELEMENTS(sections); i++) {
        count += add_section(page, &sections[i]);
    }
    if (count != LINX_OPS) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                    "%u rows of %u are in a section", count, LINX_OPS);
        g_string_free(page, TRUE);
        return NULL;
    }
    return g_string_free(page, FALSE);
}

int main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *page = NULL, *old = NULL;

    if (argc != 4 || (strcmp(argv[1], "--write") &&
                      strcmp(argv[1], "--check"))) {
        fprintf(stderr, "usage: gen-linx --write|--check TEXT PAGE\n");
        return 2;
    }
    page = make_page(argv[2], &error);
    if (page && !strcmp(argv[1], "--write")) {
        g_file_set_contents(argv[3], page, -1, &error);
    } else if (page && g_file_get_contents(argv[3], &old, NULL, &error) &&
               strcmp(old, page)) {
        fprintf(stderr, "%s is out of date: ninja update-isa-linx\n",
                argv[3]);
        return 1;
    }
    if (error) {
        fprintf(stderr, "gen-linx: %s\n", error->message);
    }
    return error != NULL;
}
