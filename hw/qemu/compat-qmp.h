/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What compat.h is, for the QMP side of tests. */
#ifndef TESSERA_QEMU_COMPAT_QMP_H
#define TESSERA_QEMU_COMPAT_QMP_H

/* Moved in 10.0. */
#if __has_include("qobject/qdict.h")
#include "qobject/qdict.h"
#include "qobject/qlist.h"
#else
#include "qapi/qmp/qdict.h"
#include "qapi/qmp/qlist.h"
#endif

#endif
