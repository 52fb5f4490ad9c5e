/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `tessera run`: telling why a kernel did not end well. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "tools/host.h"
#include "tools/run.h"

#define REPORT_WORDS 4 /* an instruction has at most that many dwords */

/* Causes whose address means something. */
static bool report_has_address(TesseraFaultCause cause)
{
    return cause != TESSERA_FAULT_ILLEGAL_INSTRUCTION &&
           cause != TESSERA_FAULT_UNIMPLEMENTED &&
           cause != TESSERA_FAULT_NO_GDS &&
           cause != TESSERA_FAULT_TRAP && cause != TESSERA_FAULT_HANG;
}

/* Where an address lies, seen from the buffer that is nearest below it. */
static void report_buffer(const Run *run, uint64_t address)
{
    for (unsigned i = 0; i < run->n_args; i++) {
        const ToolArg *arg = &run->args[i];
        uint64_t at = address - run->buffers[i].address;

        if (arg->kind != TOOL_ARG_BUFFER || !run->buffers[i].host ||
            address < run->buffers[i].address ||
            at >= arg->size + TOOL_HOST_GUARD) {
            continue;
        }
        if (at < arg->size) {
            fprintf(stderr, "  that is       byte %" PRIu64 " of argument %u "
                    "(%s)\n", at, i + 1, arg->text);
        } else {
            fprintf(stderr, "  that is       %" PRIu64 " bytes behind the end "
                    "of argument %u (%s)\n", at - arg->size, i + 1,
                    arg->text);
        }
        return;
    }
}

static void report_address(const Run *run, const TesseraFaultInfo *fault)
{
    if (!report_has_address(fault->cause)) {
        return;
    }
    fprintf(stderr, "  address       0x%" PRIx64 ", %s\n", fault->address,
            fault->fetch ? "instruction fetch" :
            fault->write ? "write" : "read");
    report_buffer(run, fault->address);
}

/* The instruction at image offset @at; false if it is outside the image. */
static bool report_words(const Run *run, uint64_t at,
                         uint32_t words[REPORT_WORDS], unsigned *count)
{
    uint64_t size = codeobj_image_size(run->co);
    g_autofree uint8_t *image = NULL;

    if (at >= size || at % 4 != 0) {
        return false;
    }
    *count = MIN((size - at) / 4, REPORT_WORDS);
    image = g_malloc(size);
    if (!codeobj_place(run->co, run->base, image, NULL)) {
        return false;
    }
    memcpy(words, image + at, *count * 4);
    return *count > 0;
}

/* An address of code, and what it is called. */
static void report_place(const Run *run, const char *what, uint64_t pc)
{
    uint64_t delta = 0;
    const CodeSymbol *symbol = codeobj_symbol_at(run->co, pc - run->base,
                                                 &delta);

    fprintf(stderr, "  %-13s 0x%" PRIx64, what, pc);
    if (symbol) {
        fprintf(stderr, " (%s+0x%" PRIx64 ")", symbol->name, delta);
    }
    fputc('\n', stderr);
}

static void report_pc(const Run *run, const TesseraFaultInfo *fault)
{
    uint64_t at = fault->pc - run->base;
    uint32_t words[REPORT_WORDS];
    unsigned count;
    char text[256];

    if (fault->pc == 0) {
        return; /* the packet processor's fault, no instruction's */
    }
    report_place(run, "pc", fault->pc);
    /* What was executed may no longer be what the file says. */
    g_strlcpy(text, fault->text, sizeof(text));
    if (!*text && report_words(run, at, words, &count)) {
        run->isa->disassemble(words, count, run->isa->lanes, fault->pc, text,
                              sizeof(text));
    }
    if (*text) {
        fprintf(stderr, "  instruction   %s\n", text);
    }
    fprintf(stderr, "  work-group    %u,%u,%u, wave %u\n", fault->group[0],
            fault->group[1], fault->group[2], fault->wave);
}

/* Lanes as a mask and as numbers, e.g. "0x8000000000000001 (0, 63)". */
static void report_lanes(uint64_t lanes)
{
    g_autoptr(GString) list = g_string_new("");

    if (lanes == 0) {
        return;
    }
    for (unsigned i = 0; i < 64; i++) {
        unsigned last = i;

        if (!(lanes >> i & 1)) {
            continue;
        }
        while (last < 63 && (lanes >> (last + 1) & 1)) {
            last++;
        }
        g_string_append_printf(list, "%s%u", list->len ? ", " : "", i);
        if (last > i) {
            g_string_append_printf(list, "-%u", last);
        }
        i = last;
    }
    fprintf(stderr, "  lanes         0x%" PRIx64 " (%s)\n", lanes, list->str);
}

static void report_hazard(const Run *run, const TesseraHazardInfo *h)
{
    fprintf(stderr, "tessera run: kernel %s: %s %s\n", run->kernel->name,
            h->name, h->what);
    report_place(run, "pc", h->pc);
    fprintf(stderr, "  instruction   %s\n", h->text);
    if (h->since) {
        report_place(run, "load", h->since);
    }
    fprintf(stderr, "  work-group    %u,%u,%u, wave %u\n", h->group[0],
            h->group[1], h->group[2], h->wave);
    report_lanes(h->lanes);
}

bool run_report_hazards(const Run *run)
{
    TesseraHazardInfo hazard;
    unsigned n = 0;

    while (driver_hazard(run->driver, n, &hazard)) {
        report_hazard(run, &hazard);
        n++;
    }
    return n > 0;
}

static void report_log(const Run *run)
{
    g_autofree char *log = driver_take_log(run->driver);
    g_auto(GStrv) lines = g_strsplit(log, "\n", 0);

    for (unsigned i = 0; lines[i]; i++) {
        if (*lines[i]) {
            fprintf(stderr, "  device        %s\n", lines[i]);
        }
    }
}

void run_report(const Run *run, const DriverOutcome *outcome)
{
    const TesseraFaultInfo *fault = &outcome->fault;
    g_autofree char *queue = driver_queue_error_text(outcome->queue_error);

    if (outcome->status == DRIVER_TIMED_OUT) {
        fprintf(stderr, "tessera run: kernel %s did not end within %g "
                "seconds; it was killed\n", run->kernel->name, run->timeout);
    } else if (fault->cause == TESSERA_FAULT_NONE ||
               fault->cause == TESSERA_FAULT_PACKET) {
        fprintf(stderr, "tessera run: kernel %s was refused: %s\n",
                run->kernel->name, queue);
    } else {
        fprintf(stderr, "tessera run: kernel %s faulted: %s\n",
                run->kernel->name, driver_fault_text(fault->cause));
        report_address(run, fault);
        report_pc(run, fault);
        report_lanes(fault->lanes);
        fprintf(stderr, "  queue error   0x%08x, %s\n", outcome->queue_error,
                queue);
    }
    if (fault->pc == 0 && !run->trace) {
        report_log(run); /* no instruction to blame, so all that is known */
    }
}
