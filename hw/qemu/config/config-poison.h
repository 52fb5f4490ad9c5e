/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stands in for a header that QEMU generates; nothing is poisoned here. */
