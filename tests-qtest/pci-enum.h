/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What firmware does with a PCI Express host: find every function, bridges
 * and what is behind them, and place all memory BARs.
 */
#ifndef TESSERA_PCI_ENUM_H
#define TESSERA_PCI_ENUM_H

#include "tessera-qtest.h"

/* A stretch of the bus from which BARs are given away, upwards. */
typedef struct PciWindow {
    uint64_t next, end;
} PciWindow;

typedef struct PciHost {
    QTestState *qts;
    PciWindow low;      /* below 4 GiB, for everything */
    PciWindow high;     /* above, for 64-bit prefetchable BARs */
    unsigned last_bus;  /* the highest bus number given away */
} PciHost;

/*
 * Place all BARs on @host's buses, from bus 0 on, and let every function answer
 * and be bus master.  Fails the test if a window does not suffice.
 */
void pci_enumerate(PciHost *host);

/* The first function with these ids: its place; false if there is none. */
bool pci_find(PciHost *host, uint16_t vendor, uint16_t device, unsigned *bus,
              unsigned *devfn);

#endif
