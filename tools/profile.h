/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report of --profile. */
#ifndef TOOLS_PROFILE_H
#define TOOLS_PROFILE_H

#include "tools/codeobj.h"
#include "tools/driver.h"

/*
 * Print to stdout what @driver, which was told to profile, has executed: sums
 * by kind of instruction, then the instructions that took most time.  Places
 * are named by the symbols of @co, whose image is at @base.
 */
void tool_profile_print(Driver *driver, const CodeObject *co, uint64_t base);

#endif
