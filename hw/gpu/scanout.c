/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the head shows.  A driver fills in the SCANOUT registers, which do
 * nothing by themselves, and writes SCANOUT_CONTROL: then they are checked and
 * copied to the SCANOUT_SHOWN registers, all under one lock, so that a mode
 * that is written by halves is never seen.  Those registers are the whole
 * state; they are checked again wherever they are looked at, since a migration
 * stream may have filled them.
 */
#include <string.h>
#include "hw/gpu/internal.h"

/* pixman, and every picture that hosts draw, wants lines of whole words. */
#define ALIGNMENT 4

static const uint8_t format_bytes[] = {
    [TESSERA_SCANOUT_XRGB8888] = 4,
    [TESSERA_SCANOUT_XBGR8888] = 4,
    [TESSERA_SCANOUT_RGB565] = 2,
};

static bool side_ok(uint32_t pixels)
{
    return pixels > 0 && pixels <= TESSERA_SCANOUT_SIDE_MAX;
}

/* The last line need not be a whole stride. */
static bool fits(const TesseraScanout *mode, uint64_t line, uint64_t vram_size)
{
    uint64_t size = (uint64_t)mode->stride * (mode->height - 1) + line;

    return size <= vram_size && mode->base <= vram_size - size;
}

static TesseraScanoutError check(TesseraGpu *gpu, const TesseraScanout *mode)
{
    uint64_t line;

    if (!gpu->has_head) {
        return TESSERA_SCANOUT_ERROR_NO_HEAD;
    }
    if (mode->format >= G_N_ELEMENTS(format_bytes)) {
        return TESSERA_SCANOUT_ERROR_FORMAT;
    }
    if (!side_ok(mode->width) || !side_ok(mode->height)) {
        return TESSERA_SCANOUT_ERROR_SIZE;
    }
    if (mode->base % ALIGNMENT || mode->stride % ALIGNMENT) {
        return TESSERA_SCANOUT_ERROR_ALIGNMENT;
    }
    line = (uint64_t)mode->width * format_bytes[mode->format];
    if (mode->stride < line || mode->stride > TESSERA_SCANOUT_STRIDE_MAX) {
        return TESSERA_SCANOUT_ERROR_STRIDE;
    }
    if (!fits(mode, line, gpu->vram_size)) {
        return TESSERA_SCANOUT_ERROR_VRAM;
    }
    return TESSERA_SCANOUT_ERROR_NONE;
}

static TesseraScanout written_mode(TesseraGpu *gpu)
{
    return (TesseraScanout){
        .base = regs_get64(gpu, TESSERA_REG_SCANOUT_BASE),
        .width = regs_get32(gpu, TESSERA_REG_SCANOUT_WIDTH),
        .height = regs_get32(gpu, TESSERA_REG_SCANOUT_HEIGHT),
        .stride = regs_get32(gpu, TESSERA_REG_SCANOUT_STRIDE),
        .format = regs_get32(gpu, TESSERA_REG_SCANOUT_FORMAT),
    };
}

static TesseraScanout shown_mode(TesseraGpu *gpu)
{
    return (TesseraScanout){
        .base = regs_get64(gpu, TESSERA_REG_SCANOUT_SHOWN_BASE),
        .width = regs_get32(gpu, TESSERA_REG_SCANOUT_SHOWN_WIDTH),
        .height = regs_get32(gpu, TESSERA_REG_SCANOUT_SHOWN_HEIGHT),
        .stride = regs_get32(gpu, TESSERA_REG_SCANOUT_SHOWN_STRIDE),
        .format = regs_get32(gpu, TESSERA_REG_SCANOUT_SHOWN_FORMAT),
    };
}

static void show(TesseraGpu *gpu, const TesseraScanout *mode)
{
    regs_set64(gpu, TESSERA_REG_SCANOUT_SHOWN_BASE, mode->base);
    regs_set32(gpu, TESSERA_REG_SCANOUT_SHOWN_WIDTH, mode->width);
    regs_set32(gpu, TESSERA_REG_SCANOUT_SHOWN_HEIGHT, mode->height);
    regs_set32(gpu, TESSERA_REG_SCANOUT_SHOWN_STRIDE, mode->stride);
    regs_set32(gpu, TESSERA_REG_SCANOUT_SHOWN_FORMAT, mode->format);
}

void scanout_commit(TesseraGpu *gpu, uint64_t control)
{
    TesseraScanoutError error = TESSERA_SCANOUT_ERROR_NONE;
    TesseraScanout mode = { 0 };
    uint32_t status = 0;

    if (control & TESSERA_SCANOUT_CONTROL_ENABLE_MASK) {
        mode = written_mode(gpu);
        error = check(gpu, &mode);
        status = TESSERA_SCANOUT_STATUS_ACTIVE_MASK;
    }
    if (error != TESSERA_SCANOUT_ERROR_NONE) {
        memset(&mode, 0, sizeof(mode));
        status = TESSERA_SCANOUT_STATUS_ERROR_MASK |
                 error << TESSERA_SCANOUT_STATUS_REASON_SHIFT;
    }
    regs_set32(gpu, TESSERA_REG_SCANOUT_CONTROL, control);
    regs_set32(gpu, TESSERA_REG_SCANOUT_STATUS, status);
    show(gpu, &mode);
}

bool tessera_gpu_scanout(TesseraGpu *gpu, TesseraScanout *mode)
{
    bool shown;

    gpu_lock(gpu);
    *mode = shown_mode(gpu);
    shown = check(gpu, mode) == TESSERA_SCANOUT_ERROR_NONE;
    gpu_unlock(gpu);
    if (!shown) {
        memset(mode, 0, sizeof(*mode));
    }
    return shown;
}
