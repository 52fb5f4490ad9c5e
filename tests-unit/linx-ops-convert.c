/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "linx-ops.h"
void add_convert_tests(void) {}
void add_lane_tests(void) {}
void add_memory_tests(void) {}
void add_control_tests(void) {}
