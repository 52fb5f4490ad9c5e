/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of ops.inc, of those kinds that the includer has defined; no guard,
 * for it is included once for each use.
 */
#ifndef INT
#define INT(...)
#endif
#ifndef SIGNED
#define SIGNED(...)
#endif
#ifndef FLOAT
#define FLOAT(...)
#endif
#ifndef REDUCE
#define REDUCE(...)
#endif
#ifndef REDUCE_FLOAT
#define REDUCE_FLOAT(...)
#endif
#ifndef SHUFFLE
#define SHUFFLE(...)
#endif
#ifndef BRANCH
#define BRANCH(...)
#endif
#ifndef SETC
#define SETC(...)
#endif
#ifndef OTHER
#define OTHER(...)
#endif
#ifndef ILLEGAL
#define ILLEGAL(...)
#endif
#include "target/linx/ops.inc"
#undef INT
#undef SIGNED
#undef FLOAT
#undef REDUCE
#undef REDUCE_FLOAT
#undef SHUFFLE
#undef BRANCH
#undef SETC
#undef OTHER
#undef ILLEGAL
