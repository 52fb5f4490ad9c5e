/* SPDX-License-Identifier: GPL-2.0 */
/* For plain C that is shared with programs: the kernel's bool. */
#ifndef SHIM_STDBOOL_H
#define SHIM_STDBOOL_H

#include <linux/stddef.h>
#include <linux/types.h>

#endif
