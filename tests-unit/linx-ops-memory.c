#include "linx-ops.h"
void add_memory_tests(void) {}
void add_control_tests(void) {}
