/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report of --profile. */
#include <inttypes.h>
#include <stdio.h>
#include "tools/profile.h"

#define PROFILE_HOTTEST 20

/* What rows of the report have in common. */
static void print_counts(const char *name, int width, const TesseraSpot *spot,
                         double all, const char *text)
{
    printf("%-*s %14" PRIu64 " %6.1f %11.3f %6.1f%s%s\n", width, name,
           spot->executed,
           (double)spot->lane_instructions / MAX(spot->executed, 1),
           spot->seconds * 1e3, all > 0 ? spot->seconds / all * 100 : 0,
           *text ? "  " : "", text);
}

static void print_head(const char *name, int width, const char *text)
{
    printf("%-*s %14s %6s %11s %6s%s\n", width, name, "executed", "lanes",
           "ms", "%", text);
}

static void add_spot(TesseraSpot *sum, const TesseraSpot *spot)
{
    sum->executed += spot->executed;
    sum->lane_instructions += spot->lane_instructions;
    sum->seconds += spot->seconds;
}

static int compare_kinds(const void *a, const void *b)
{
    const TesseraSpot *x = a, *y = b;

    return x->seconds != y->seconds ? (x->seconds < y->seconds ? 1 : -1) :
           g_strcmp0(x->kind, y->kind);
}

/* Sums by kind, most time first; kinds are a handful. */
static GArray *sum_kinds(const GArray *spots)
{
    GArray *kinds = g_array_new(FALSE, FALSE, sizeof(TesseraSpot));

    for (unsigned i = 0; i < spots->len; i++) {
        const TesseraSpot *spot = &g_array_index(spots, TesseraSpot, i);
        unsigned k = 0;

        while (k < kinds->len &&
               g_strcmp0(g_array_index(kinds, TesseraSpot, k).kind,
                         spot->kind)) {
            k++;
        }
        if (k == kinds->len) {
            TesseraSpot sum = { .kind = spot->kind };

            g_array_append_val(kinds, sum);
        }
        add_spot(&g_array_index(kinds, TesseraSpot, k), spot);
    }
    g_array_sort(kinds, compare_kinds);
    return kinds;
}

/* Time in which nothing was executed is no part of the whole. */
static void print_kinds(const GArray *kinds, const TesseraSpot *all)
{
    double other = 0;

    print_head("kind", 24, "");
    for (unsigned i = 0; i < kinds->len; i++) {
        const TesseraSpot *kind = &g_array_index(kinds, TesseraSpot, i);

        if (kind->executed) {
            print_counts(kind->kind, 24, kind, all->seconds, "");
        } else {
            other += kind->seconds;
        }
    }
    print_counts("all", 24, all, all->seconds, "");
    if (other > 0) {
        printf("The host kept the workers waiting for %.3f ms more.\n",
               other * 1e3);
    }
}

static void print_place(const CodeObject *co, uint64_t base,
                        const TesseraSpot *spot, double all)
{
    uint64_t delta = 0;
    const CodeSymbol *symbol = codeobj_symbol_at(co, spot->pc - base, &delta);
    g_autofree char *place = symbol ?
        g_strdup_printf("%s+0x%" PRIx64, symbol->name, delta) :
        g_strdup_printf("0x%" PRIx64, spot->pc);

    print_counts(place, 24, spot, all, spot->text);
}

void tool_profile_print(Driver *driver, const CodeObject *co, uint64_t base)
{
    g_autoptr(GArray) spots = driver_profile(driver);
    g_autoptr(GArray) kinds = sum_kinds(spots);
    TesseraSpot all = { 0 };
    unsigned printed = 0;

    for (unsigned i = 0; i < kinds->len; i++) {
        if (g_array_index(kinds, TesseraSpot, i).executed) {
            add_spot(&all, &g_array_index(kinds, TesseraSpot, i));
        }
    }
    print_kinds(kinds, &all);
    putchar('\n');
    print_head("place", 24, "  instruction");
    for (unsigned i = 0; i < spots->len; i++) {
        const TesseraSpot *spot = &g_array_index(spots, TesseraSpot, i);

        if (*spot->text && printed++ < PROFILE_HOTTEST) {
            print_place(co, base, spot, all.seconds);
        }
    }
    if (printed > PROFILE_HOTTEST) {
        printf("and %u more\n", printed - PROFILE_HOTTEST);
    }
}
