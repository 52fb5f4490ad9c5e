; SPDX-License-Identifier: GPL-2.0-or-later
    s_trap 2
    s_endpgm
