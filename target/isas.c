/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The instruction sets that there are, and the host level to run them at.
 */
#include <string.h>
#include "tessera/isa.h"
#include "gfx9/isa.h"
#include "linx/isa.h"
#include "gfx11/isa.h"
#include "gfx12/isa.h"

const TesseraIsa *const tessera_isas[] = {
    &gfx900_isa, &gfx1100_isa, &gfx1150_isa, &gfx1200_isa, &gfx1201_isa, NULL,
};

const TesseraIsa *const tessera_block_isa = &linx_isa;

const char *const tessera_level_names[TESSERA_LEVELS] = {
    [TESSERA_LEVEL_V2] = "v2",
    [TESSERA_LEVEL_V3] = "v3",
    [TESSERA_LEVEL_V4] = "v4",
};

const TesseraIsa *tessera_isa_find(const char *name)
{
    for (const TesseraIsa *const *isa = tessera_isas; *isa; isa++) {
        if (!strcmp((*isa)->name, name)) {
            return *isa;
        }
    }
    return NULL;
}

TesseraHostLevel tessera_host_level(void)
{
    for (int level = TESSERA_LEVELS - 1; level > TESSERA_LEVEL_V2; level--) {
        if (tessera_isas[0]->exec[level] && tessera_host_has(level)) {
            return level;
        }
    }
    return TESSERA_LEVEL_V2;
}
