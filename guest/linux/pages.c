// SPDX-License-Identifier: GPL-2.0-or-later
/* The page-table builder, as qtests and programs use it, for the kernel. */
#include "guest/vm/pages.c"
