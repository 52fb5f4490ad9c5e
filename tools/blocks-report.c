/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `tessera blocks`: telling why a program did not end well. */
#include <inttypes.h>
#include <stdio.h>
#include "tools/blocks.h"
#include "tools/host.h"

enum { IN_BODY = 1 }; /* bit of ecstate */

/* TRAPNUM and CAUSE, linx-blocks section 13. */
static const struct {
    unsigned number, cause;
    const char *text;
} traps[] = {
    { 0, 0, "E_INST, access: the code cannot be read" },
    { 0, 2, "E_INST, misaligned: an odd address of code" },
    { 0, 3, "E_INST, ILLEGAL: no such instruction, or not allowed there" },
    { 0, 4, "E_INST, PERM: it may not be written" },
    { 0, 5, "E_INST, page fault: the code cannot be read" },
    { 0, 6, "E_INST, bus: the code cannot be read" },
    { 0, 7, "E_INST, PARAM: a queue that the block does not have" },
    { 1, 0, "E_DATA, load access" },
    { 1, 1, "E_DATA, load misaligned" },
    { 1, 2, "E_DATA, load page fault" },
    { 1, 3, "E_DATA, store access" },
    { 1, 4, "E_DATA, store misaligned" },
    { 1, 5, "E_DATA, store page fault" },
    { 1, 6, "E_DATA, RANGE: outside the tiles of the block" },
    { 1, 7, "E_DATA, bus" },
    { 4, 0, "E_BLOCK, INVAL_SET: an output that is not declared" },
    { 4, 1, "E_BLOCK, INVAL_GET: an input or entry that is not there" },
    { 4, 2, "E_BLOCK, INVAL_PARM: the header asks for what cannot be" },
    { 4, 3, "E_BLOCK, DOUBLESET: an output that is named twice" },
    { 17, 0, "breakpoint: the block was to trap when it had committed" },
};

static const char *trap_text(uint64_t trapno)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(traps); i++) {
        if (traps[i].number == (trapno & 0x3f) &&
            traps[i].cause == (trapno >> 8 & 0xffffff)) {
            return traps[i].text;
        }
    }
    return "a trap of no known number";
}

/* An address of code, and where in the program that is. */
static void report_place(const Blocks *b, const char *what, uint64_t pc)
{
    fprintf(stderr, "  %-13s 0x%" PRIx64, what, pc);
    if (pc - b->base < g_bytes_get_size(b->program)) {
        fprintf(stderr, " (program+0x%" PRIx64 ")", pc - b->base);
    }
    fputc('\n', stderr);
}

/* Where an address lies, seen from the buffer that is nearest below it. */
static void report_buffer(const Blocks *b, uint64_t address)
{
    for (unsigned i = 1; i < TESSERA_BLOCKS_GPRS; i++) {
        uint64_t at = address - b->address[i], size = b->args[i].size;

        if (!b->host[i] || address < b->address[i] ||
            at >= size + TOOL_HOST_GUARD) {
            continue;
        }
        if (at < size) {
            fprintf(stderr, "  that is       byte %" PRIu64 " of --r%u (%s)\n",
                    at, i, b->text[i]);
        } else {
            fprintf(stderr, "  that is       %" PRIu64 " bytes behind the end "
                    "of --r%u (%s)\n", at - size, i, b->text[i]);
        }
        return;
    }
}

static void report_trap(const Blocks *b, const DriverOutcome *outcome,
                        const TesseraBlockResult *result)
{
    const TesseraFaultInfo *fault = &outcome->fault;
    bool in_body = result->ecstate & IN_BODY;

    fprintf(stderr, "tessera blocks: %s trapped: %s\n", b->path,
            trap_text(result->trapno));
    if ((result->trapno & 0x3f) == 1) { /* E_DATA */
        fprintf(stderr, "  %-13s 0x%" PRIx64 ", %s (%s)\n",
                fault->cause == TESSERA_FAULT_TILE_BOUNDS ? "tile address" :
                "address", result->traparg0, fault->write ? "store" : "load",
                driver_fault_text(fault->cause));
        report_buffer(b, result->traparg0);
    }
    report_place(b, "block", result->ebpc);
    if (in_body) {
        fprintf(stderr, "  group         %" PRIu64 "\n", result->ebarg);
    }
    report_place(b, in_body ? "tpc" : "pc", result->etpc);
    if (*fault->text) {
        fprintf(stderr, "  instruction   %s\n", fault->text);
    }
    fprintf(stderr, "  committed     %" PRIu64 " memory block%s\n",
            result->committed, result->committed == 1 ? "" : "s");
}

static void report_log(const Blocks *b)
{
    g_autofree char *log = driver_take_log(b->driver);
    g_auto(GStrv) lines = g_strsplit(log, "\n", 0);

    for (unsigned i = 0; lines[i]; i++) {
        if (*lines[i]) {
            fprintf(stderr, "  device        %s\n", lines[i]);
        }
    }
}

void blocks_report(const Blocks *b, const DriverOutcome *outcome,
                   const TesseraBlockResult *result)
{
    if (outcome->status == DRIVER_TIMED_OUT) {
        fprintf(stderr, "tessera blocks: %s did not end within %g seconds; it "
                "was killed\n", b->path, b->timeout);
    } else if (result->status == TESSERA_BLOCKS_TRAPPED) {
        report_trap(b, outcome, result);
    } else {
        g_autofree char *queue =
            driver_queue_error_text(outcome->queue_error);

        fprintf(stderr, "tessera blocks: %s was refused: %s\n", b->path,
                queue);
        report_log(b);
    }
}

bool blocks_report_hazards(const Blocks *b)
{
    TesseraHazardInfo h;
    unsigned n = 0;

    for (; driver_hazard(b->driver, n, &h); n++) {
        fprintf(stderr, "tessera blocks: %s: %s %s\n", b->path, h.name,
                h.what);
        report_place(b, "block", h.block);
        fprintf(stderr, "  group         %" PRIu64 ", lanes 0x%" PRIx64 "\n",
                h.group[0] | (uint64_t)h.group[1] << 32, h.lanes);
        report_place(b, "tpc", h.pc);
        fprintf(stderr, "  instruction   %s\n"
                "  address       0x%" PRIx64 "\n", h.text, h.address);
        report_buffer(b, h.address);
        if (h.since) {
            report_place(b, "meets", h.since);
            fprintf(stderr, "  of group      %" PRIu64 ", lane %u\n",
                    h.other_group, h.other_lane);
        }
    }
    return n > 0;
}
