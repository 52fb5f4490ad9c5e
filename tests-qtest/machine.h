/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine that describes itself by a device tree: what is where is read from
 * the tree that QEMU's dumpdtb writes, as firmware would read it.
 */
#ifndef TESSERA_MACHINE_H
#define TESSERA_MACHINE_H

#include "pci-enum.h"

typedef struct TqMachine {
    char *options;       /* what QEMU is started with */
    void *fdt;
    uint64_t ecam;       /* configuration space */
    PciWindow low, high; /* what the host bridge passes on */
    uint64_t ram;        /* where memory begins */
} TqMachine;

/* Ask QEMU about the machine that "-machine @name @options" makes. */
void tq_machine_init(TqMachine *m, const char *name, const char *options);
void tq_machine_clear(TqMachine *m);

/*
 * Address @index of the node with this @compatible.  Of several nodes, the
 * one whose @property has big-endian word @word equal to @value, if @property
 * is not NULL.
 */
uint64_t tq_machine_reg(const TqMachine *m, const char *compatible,
                        unsigned index, const char *property, unsigned word,
                        uint32_t value);

/*
 * Start that machine, with @args besides, place all BARs, and give the first
 * GPU.  tq_end() ends it.
 */
TqGpu *tq_machine_start(const TqMachine *m, const char *args);

#endif
