/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stands in for the header that QEMU's configure writes: what the structures
 * that a PCI device touches depend on, as Debian builds QEMU.  The load gate
 * (gate.c) compares the resulting layouts with the running binary's.
 */
#ifndef TESSERA_CONFIG_HOST_H
#define TESSERA_CONFIG_HOST_H

#define CONFIG_LINUX 1
#define CONFIG_POSIX 1
#define CONFIG_IOVEC 1
#define CONFIG_INT128 1
#define CONFIG_ATOMIC64 1
#define CONFIG_MADVISE 1
#define CONFIG_SYSMACROS 1
#define CONFIG_PIXMAN 1
#define CONFIG_OPENGL 1
#define CONFIG_TCG 1
#define CONFIG_PLUGIN 1
#define HAVE_GETLOADAVG_FUNCTION 1

#endif
