/* SPDX-License-Identifier: GPL-2.0-or-later */
/* To be included behind ops.inc, each time: no guard. */
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
