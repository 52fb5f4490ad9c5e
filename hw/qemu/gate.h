/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESSERA_QEMU_GATE_H
#define TESSERA_QEMU_GATE_H

#include <stdbool.h>

/*
 * Whether the running QEMU is the one this plugin was compiled for, to the
 * last structure; otherwise one line on stderr says what differs.  To be asked
 * before anything of QEMU's is touched.
 */
bool tessera_gate_open(void);

#endif
