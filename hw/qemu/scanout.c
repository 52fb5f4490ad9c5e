/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The head: a console of QEMU's that shows a rectangle of VRAM.
 *
 * The console has a surface of its own, into which the lines are converted
 * that VRAM's dirty bits name, whenever a display is refreshed or a screen
 * dump taken.  So every display takes the picture whatever the guest's format
 * and stride are, and nothing keeps a pointer into VRAM, which an unplug
 * takes away.  This file alone includes ui/console.h, which wants the headers
 * of pixman and epoxy.
 */
#include "device.h"
#include "trace-tessera.h"
#include "ui/console.h"

struct TesseraHead {
    QemuConsole *con;
    TesseraScanout shown; /* on the console; all 0: nothing */
    bool redraw;          /* all of it, whatever the dirty bits say */
};

static const pixman_format_code_t formats[] = {
    [TESSERA_SCANOUT_XRGB8888] = PIXMAN_x8r8g8b8,
    [TESSERA_SCANOUT_XBGR8888] = PIXMAN_x8b8g8r8,
    [TESSERA_SCANOUT_RGB565] = PIXMAN_r5g6b5,
};

/* Convert lines [@first, @first + @count) and tell the displays. */
static void draw_lines(TesseraState *s, unsigned first, unsigned count)
{
    const TesseraScanout *mode = &s->head->shown;
    DisplaySurface *surface = qemu_console_surface(s->head->con);
    uint64_t offset = mode->base + (uint64_t)first * mode->stride;
    pixman_image_t *lines = pixman_image_create_bits(
        formats[mode->format], mode->width, count,
        (uint32_t *)(s->vram_host + offset), mode->stride);

    pixman_image_composite(PIXMAN_OP_SRC, lines, NULL, surface->image,
                           0, 0, 0, 0, 0, first, mode->width, count);
    pixman_image_unref(lines);
    dpy_gfx_update(s->head->con, 0, first, mode->width, count);
}

/* Draw what has been stored to since the last time, or @all. */
static void draw(TesseraState *s, bool all)
{
    const TesseraScanout *mode = &s->head->shown;
    /* The last line may end before its stride does, at the end of VRAM. */
    uint64_t size = MIN((uint64_t)mode->stride * mode->height,
                        s->vram_size - mode->base);
    DirtyBitmapSnapshot *snap = memory_region_snapshot_and_clear_dirty(
        &s->vram, mode->base, size, DIRTY_MEMORY_VGA);
    unsigned first = 0;

    for (unsigned y = 0; y < mode->height; y++) {
        uint64_t at = (uint64_t)mode->stride * y;

        if (!all &&
            !memory_region_snapshot_get_dirty(&s->vram, snap, mode->base + at,
                                              MIN(mode->stride, size - at))) {
            if (first < y) {
                draw_lines(s, first, y - first);
            }
            first = y + 1;
        }
    }
    if (first < mode->height) {
        draw_lines(s, first, mode->height - first);
    }
    g_free(snap);
}

/* Dirty bits cost the guest something: they are kept while they are of use. */
static void log_writes(TesseraState *s, const TesseraScanout *mode)
{
    bool was = s->head->shown.width, is = mode->width;

    if (was != is) {
        memory_region_set_log(&s->vram, is, DIRTY_MEMORY_VGA);
    }
}

/* Have a surface of @mode's size, or a placeholder if there is none. */
static void replace_surface(TesseraState *s, TesseraScanout *mode)
{
    pixman_image_t *image = !mode->width ? NULL : pixman_image_create_bits(
        PIXMAN_x8r8g8b8, mode->width, mode->height, NULL, 0);

    if (!image) { /* no mode, or no memory for it: nothing is shown */
        memset(mode, 0, sizeof(*mode));
        dpy_gfx_replace_surface(s->head->con, NULL);
        return;
    }
    dpy_gfx_replace_surface(s->head->con,
                            qemu_create_displaysurface_pixman(image));
    pixman_image_unref(image);
}

/* Show @mode from now on; its lines are still to be drawn. */
static void switch_mode(TesseraState *s, TesseraScanout *mode)
{
    TesseraHead *head = s->head;

    trace_tessera_scanout(DEVICE(s)->id ?: TYPE_TESSERA, mode->base,
                          mode->width, mode->height, mode->stride,
                          mode->format);
    if (mode->width != head->shown.width ||
        mode->height != head->shown.height) {
        replace_surface(s, mode);
    }
    log_writes(s, mode);
    head->shown = *mode;
    head->redraw = true;
}

/* In D3hot the head is dark; the picture returns with the power. */
static TesseraScanout mode_now(TesseraState *s)
{
    TesseraScanout mode = { 0 };

    if (!s->in_d3) {
        tessera_gpu_scanout(s->gpu, &mode);
    }
    return mode;
}

static void update(void *opaque)
{
    TesseraState *s = opaque;
    TesseraHead *head = s->head;
    TesseraScanout mode = mode_now(s);

    if (memcmp(&mode, &head->shown, sizeof(mode))) {
        switch_mode(s, &mode);
    }
    if (head->shown.width) {
        draw(s, head->redraw);
        head->redraw = false;
    }
}

static void invalidate(void *opaque)
{
    TesseraState *s = opaque;

    s->head->redraw = true;
}

static const GraphicHwOps head_ops = {
    .invalidate = invalidate,
    .gfx_update = update,
};

void tessera_head_init(TesseraState *s)
{
    s->head = g_new0(TesseraHead, 1);
    s->head->con = graphic_console_init(DEVICE(s), 0, &head_ops, s);
}

void tessera_head_exit(TesseraState *s)
{
    static const TesseraScanout nothing;

    if (s->head) {
        log_writes(s, &nothing);
        graphic_console_close(s->head->con);
        g_free(s->head);
        s->head = NULL;
    }
}
