/* SPDX-License-Identifier: GPL-2.0 */
/* For plain C that is shared with programs: what it uses of stdint.h. */
#ifndef SHIM_STDINT_H
#define SHIM_STDINT_H

#include <linux/limits.h>
#include <linux/types.h>

#define UINT64_MAX U64_MAX

#endif
