/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The head: pictures in VRAM, drawn by the CPU and by a shader, are taken by
 * screendump and compared pixel by pixel with what was drawn.  Expansion of
 * RGB565 to 8 bits repeats the upper bits in the lower ones.
 */
#include "migrate.h"
#include <png.h>
#include <sys/un.h>

/* A picture as the test wants it, or as a dump had it: 0xRRGGBB. */
typedef struct Picture {
    unsigned width, height;
    uint32_t *pixels;
} Picture;

typedef struct Mode {
    uint64_t base;
    uint32_t width, height, stride, format;
} Mode;

static char *dump_path;

static void picture_clear(Picture *p)
{
    g_clear_pointer(&p->pixels, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Picture, picture_clear)

/* ---- dumps ---- */

/* From three bytes a pixel, in lines of @line bytes. */
static Picture pack(unsigned width, unsigned height, const uint8_t *rgb,
                    size_t line)
{
    Picture p = { width, height, g_new(uint32_t, (size_t)width * height) };

    for (size_t i = 0; i < (size_t)width * height; i++) {
        const uint8_t *at = rgb + i / width * line + i % width * 3;

        p.pixels[i] = at[0] << 16 | at[1] << 8 | at[2];
    }
    return p;
}

/* QEMU 7.2 fills the lines of a PPM up to a multiple of 4 bytes. */
static Picture read_ppm(void)
{
    g_autofree char *data = NULL;
    gsize size, line;
    unsigned width, height;
    int start = 0;

    g_assert_true(g_file_get_contents(dump_path, &data, &size, NULL));
    g_assert_cmpint(sscanf(data, "P6 %u %u 255%n", &width, &height, &start),
                    ==, 2);
    start++; /* one space behind the header */
    line = (size - start) / height;
    g_assert_cmpuint(size, ==, start + line * height);
    if (line != width * 3) {
        g_assert_cmpuint(line, ==, QEMU_ALIGN_UP(width * 3, 4));
    }
    return pack(width, height, (uint8_t *)data + start, line);
}

static Picture read_png(void)
{
    png_image png = { .version = PNG_IMAGE_VERSION };
    g_autofree uint8_t *rgb = NULL;

    g_assert_true(png_image_begin_read_from_file(&png, dump_path));
    png.format = PNG_FORMAT_RGB;
    rgb = g_malloc(PNG_IMAGE_SIZE(png));
    g_assert_true(png_image_finish_read(&png, NULL, rgb, 0, NULL));
    return pack(png.width, png.height, rgb, (size_t)png.width * 3);
}

static Picture dump(QTestState *qts, const char *device)
{
    qtest_qmp_assert_success(qts,
        "{'execute': 'screendump', 'arguments':"
        " {'filename': %s, 'device': %s}}", dump_path, device);
    return read_ppm();
}

static void expect_picture(const Picture *found, const Picture *wanted)
{
    g_assert_cmpuint(found->width, ==, wanted->width);
    g_assert_cmpuint(found->height, ==, wanted->height);
    for (size_t i = 0; i < (size_t)found->width * found->height; i++) {
        if (found->pixels[i] != wanted->pixels[i]) {
            g_error("pixel %zu, %zu is 0x%06x, not 0x%06x", i % found->width,
                    i / found->width, found->pixels[i], wanted->pixels[i]);
        }
    }
}

static void expect(TqGpu *gpu, const Picture *wanted)
{
    g_auto(Picture) found = dump(gpu->qts, "gpu0");

    expect_picture(&found, wanted);
}

/* A placeholder of QEMU's: black but for a few letters. */
static void expect_nothing(TqGpu *gpu)
{
    g_auto(Picture) found = dump(gpu->qts, "gpu0");
    size_t count = (size_t)found.width * found.height, black = 0;

    for (size_t i = 0; i < count; i++) {
        black += found.pixels[i] == 0;
    }
    g_assert_cmpuint(black, >, count / 2);
}

/* ---- drawing ---- */

/* What the device must make of the little-endian @raw. */
static uint32_t to_rgb(uint32_t format, uint32_t raw)
{
    uint32_t r = raw >> 11 & 31, g = raw >> 5 & 63, b = raw & 31;

    switch (format) {
    case TESSERA_SCANOUT_XRGB8888:
        return raw & 0xffffff;
    case TESSERA_SCANOUT_XBGR8888:
        return (raw & 0xff) << 16 | (raw & 0xff00) | (raw >> 16 & 0xff);
    default: /* RGB565 */
        return (r << 3 | r >> 2) << 16 | (g << 2 | g >> 4) << 8 |
               (b << 3 | b >> 2);
    }
}

static unsigned bytes_of(uint32_t format)
{
    return format == TESSERA_SCANOUT_RGB565 ? 2 : 4;
}

/* Any value, and never the same picture for two seeds. */
static uint32_t noise(uint32_t seed, uint32_t x, uint32_t y)
{
    uint32_t v = (x * 2654435761u) ^ (y * 40503u << 7) ^ (seed * 97u << 3);

    return v ^ v >> 15 ^ 0xff000000;
}

/* Fill VRAM with the noise of @seed, between the lines too; the picture. */
static Picture draw(TqGpu *gpu, const Mode *mode, uint32_t seed)
{
    unsigned bytes = bytes_of(mode->format);
    unsigned columns = mode->stride / bytes;
    g_autofree uint8_t *line = g_malloc(mode->stride);
    Picture p = {
        mode->width, mode->height,
        g_new(uint32_t, (size_t)mode->width * mode->height)
    };

    for (unsigned y = 0; y < mode->height; y++) {
        for (unsigned x = 0; x < columns; x++) {
            uint32_t raw = noise(seed, x, y);

            memcpy(line + x * bytes, &raw, bytes);
            if (x < mode->width) {
                p.pixels[y * mode->width + x] =
                    to_rgb(mode->format, bytes == 2 ? (uint16_t)raw : raw);
            }
        }
        qtest_memwrite(gpu->qts, gpu->vram + mode->base +
                       (uint64_t)y * mode->stride, line, mode->stride);
    }
    return p;
}

static void write_mode(TqGpu *gpu, const Mode *mode)
{
    tq_write64(gpu, TESSERA_REG_SCANOUT_BASE, mode->base);
    tq_write(gpu, TESSERA_REG_SCANOUT_WIDTH, mode->width);
    tq_write(gpu, TESSERA_REG_SCANOUT_HEIGHT, mode->height);
    tq_write(gpu, TESSERA_REG_SCANOUT_STRIDE, mode->stride);
    tq_write(gpu, TESSERA_REG_SCANOUT_FORMAT, mode->format);
}

static uint32_t commit(TqGpu *gpu, uint32_t control)
{
    tq_write(gpu, TESSERA_REG_SCANOUT_CONTROL, control);
    return tq_read(gpu, TESSERA_REG_SCANOUT_STATUS);
}

static void set_mode(TqGpu *gpu, const Mode *mode)
{
    write_mode(gpu, mode);
    g_assert_cmphex(commit(gpu, 1), ==, TESSERA_SCANOUT_STATUS_ACTIVE_MASK);
}

/* ---- pictures ---- */

static const Mode modes[] = {
    { 0, 64, 48, 64 * 4, TESSERA_SCANOUT_XRGB8888 },
    { 0x123454, 333, 57, 1400, TESSERA_SCANOUT_XRGB8888 },
    { 0x2000, 200, 100, 8192, TESSERA_SCANOUT_XBGR8888 },
    { 0x3004, 321, 33, 644, TESSERA_SCANOUT_RGB565 },
    { 0, 1, 1, 4, TESSERA_SCANOUT_RGB565 },
    { TQ_VRAM_SIZE - 640 * 480 * 4, 640, 480, 2560, TESSERA_SCANOUT_XRGB8888 },
};

static void test_cpu(const void *data)
{
    const Mode *mode = data;
    TqGpu *gpu = tq_start("");
    g_auto(Picture) wanted = draw(gpu, mode, 1);

    set_mode(gpu, mode);
    expect(gpu, &wanted);
    tq_end(gpu);
}

/* What is stored later shows, wherever it is, and nothing else changes. */
static void test_later_stores(void)
{
    const Mode mode = { 0x10000, 300, 200, 1280, TESSERA_SCANOUT_XRGB8888 };
    TqGpu *gpu = tq_start("");
    g_auto(Picture) wanted = draw(gpu, &mode, 2);

    set_mode(gpu, &mode);
    expect(gpu, &wanted);
    for (unsigned i = 0; i < 40; i++) {
        unsigned x = i * 131 % mode.width, y = i * 77 % mode.height;

        qtest_writel(gpu->qts, gpu->vram + mode.base + y * mode.stride + x * 4,
                     i * 0x050301);
        wanted.pixels[y * mode.width + x] = i * 0x050301;
        if (i % 8 == 0) {
            expect(gpu, &wanted);
        }
    }
    qtest_writeb(gpu->qts, gpu->vram + mode.base, 0x77);
    wanted.pixels[0] = (wanted.pixels[0] & ~0xff) | 0x77;
    expect(gpu, &wanted);
    tq_end(gpu);
}

/* A kernel stores its number to each pixel, over what the CPU drew. */
static void test_gpu(void)
{
    const Mode mode = { 0x4000, 192, 100, 192 * 4, TESSERA_SCANOUT_XRGB8888 };
    TqGpu *gpu = tq_start("");
    TqQueue q = tq_queue(gpu, 0);
    g_auto(Picture) wanted = draw(gpu, &mode, 3);
    uint64_t target = TESSERA_VRAM_WINDOW + mode.base;
    uint64_t kernarg = tq_alloc(gpu, 8);
    AqlDispatch p = tq_dispatch(gpu, tq_shader(gpu, "store", false), kernarg,
                                mode.width * mode.height / 2, 64);

    set_mode(gpu, &mode);
    expect(gpu, &wanted);
    tq_put64(gpu, kernarg, target);
    tq_run(&q, &p);
    for (unsigned i = 0; i < mode.width * mode.height / 2; i++) {
        wanted.pixels[i] = i;
    }
    expect(gpu, &wanted);
    tq_end(gpu);
}

/* Registers that are written and not committed change nothing. */
static void test_commit(void)
{
    const Mode first = { 0, 100, 50, 400, TESSERA_SCANOUT_XRGB8888 };
    const Mode second = { 0x100000, 50, 100, 100, TESSERA_SCANOUT_RGB565 };
    TqGpu *gpu = tq_start("");
    g_auto(Picture) wanted = draw(gpu, &first, 4);
    g_auto(Picture) next = draw(gpu, &second, 5);

    expect_nothing(gpu);
    set_mode(gpu, &first);
    write_mode(gpu, &second);
    expect(gpu, &wanted);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_SCANOUT_SHOWN_WIDTH), ==, 100);
    g_assert_cmphex(commit(gpu, 1), ==, TESSERA_SCANOUT_STATUS_ACTIVE_MASK);
    expect(gpu, &next);
    g_assert_cmphex(tq_read64(gpu, TESSERA_REG_SCANOUT_SHOWN_BASE), ==,
                    second.base);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_SCANOUT_SHOWN_WIDTH), ==, 50);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_SCANOUT_SHOWN_HEIGHT), ==, 100);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_SCANOUT_SHOWN_STRIDE), ==, 100);
    g_assert_cmpuint(tq_read(gpu, TESSERA_REG_SCANOUT_SHOWN_FORMAT), ==,
                     TESSERA_SCANOUT_RGB565);
    tq_end(gpu);
}

/* Two buffers in turn, as a driver flips pages; then a window that moves. */
static void test_base(void)
{
    Mode mode = { 0, 160, 120, 1024, TESSERA_SCANOUT_XBGR8888 };
    TqGpu *gpu = tq_start("");
    g_auto(Picture) even = draw(gpu, &mode, 6);
    g_auto(Picture) odd = { 0 };
    g_auto(Picture) moved = { 160, 120, g_new(uint32_t, 160 * 120) };

    mode.base = 0x200000;
    odd = draw(gpu, &mode, 7);
    for (int i = 0; i < 4; i++) {
        mode.base = i % 2 ? 0x200000 : 0;
        set_mode(gpu, &mode);
        expect(gpu, i % 2 ? &odd : &even);
    }
    mode.base = 0x200000 + 20 * 4; /* 20 pixels to the right */
    for (unsigned i = 0; i < 160 * 120; i++) {
        moved.pixels[i] = to_rgb(mode.format,
                                 noise(7, i % 160 + 20, i / 160));
    }
    set_mode(gpu, &mode);
    expect(gpu, &moved);
    tq_end(gpu);
}

static void test_off_and_on(void)
{
    TqGpu *gpu = tq_start("");
    g_auto(Picture) wanted = draw(gpu, &modes[1], 8);

    for (int i = 0; i < 3; i++) {
        set_mode(gpu, &modes[1]);
        expect(gpu, &wanted);
        g_assert_cmphex(commit(gpu, 0), ==, 0);
        g_assert_cmpuint(tq_read(gpu, TESSERA_REG_SCANOUT_SHOWN_WIDTH), ==, 0);
        expect_nothing(gpu);
        /* Stores while nothing is shown must not be missed. */
        qtest_writel(gpu->qts, gpu->vram + modes[1].base, i);
        wanted.pixels[0] = i;
    }
    tq_end(gpu);
}

static void test_png(void)
{
    TqGpu *gpu = tq_start("");
    g_auto(Picture) wanted = draw(gpu, &modes[1], 9);
    g_auto(Picture) found = { 0 };

    set_mode(gpu, &modes[1]);
    qtest_qmp_assert_success(gpu->qts,
        "{'execute': 'screendump', 'arguments':"
        " {'filename': %s, 'format': 'png'}}", dump_path);
    found = read_png();
    expect_picture(&found, &wanted);
    tq_end(gpu);
}

/* ---- a display that refreshes by itself: VNC (RFC 6143) ---- */

static void take_bytes(int fd, void *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = read(fd, (char *)data + done, size - done);

        g_assert_cmpint(n, >, 0);
        done += n;
    }
}

static void give_bytes(int fd, const void *data, size_t size)
{
    g_assert_cmpint(write(fd, data, size), ==, size);
}

static unsigned take_u16(int fd)
{
    uint8_t b[2];

    take_bytes(fd, b, 2);
    return b[0] << 8 | b[1];
}

/* Shake hands: no security, shared; raw rectangles. @size is the desktop's. */
static int vnc_connect(const char *path, Picture *size)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    uint8_t skip[64], types;

    g_strlcpy(address.sun_path, path, sizeof(address.sun_path));
    g_assert_cmpint(connect(fd, (struct sockaddr *)&address, sizeof(address)),
                    ==, 0);
    take_bytes(fd, skip, 12);
    give_bytes(fd, "RFB 003.008\n", 12);
    take_bytes(fd, &types, 1);
    g_assert_cmpuint(types, <, sizeof(skip));
    take_bytes(fd, skip, types);
    give_bytes(fd, "\1", 1);
    take_bytes(fd, skip, 4);
    give_bytes(fd, "\1", 1);
    size->width = take_u16(fd);
    size->height = take_u16(fd);
    take_bytes(fd, skip, 16 + 2); /* pixel format, length of the name */
    take_bytes(fd, skip, take_u16(fd) % sizeof(skip));
    give_bytes(fd, "\2\0\0\1\0\0\0\0", 8);
    return fd;
}

static Picture vnc_picture(const char *path)
{
    Picture p = { 0 };
    int fd = vnc_connect(path, &p);
    uint8_t request[10] = { 3, 0, 0, 0, 0, 0, p.width >> 8, p.width,
                            p.height >> 8, p.height };
    uint8_t head[2];

    p.pixels = g_new0(uint32_t, (size_t)p.width * p.height);
    give_bytes(fd, request, sizeof(request));
    take_bytes(fd, head, 2);
    for (unsigned n = take_u16(fd); n > 0; n--) {
        unsigned x = take_u16(fd), y = take_u16(fd);
        unsigned w = take_u16(fd), h = take_u16(fd);

        take_bytes(fd, head, 2);
        take_bytes(fd, head, 2);
        g_assert_cmpuint(x + w, <=, p.width);
        g_assert_cmpuint(y + h, <=, p.height);
        for (unsigned i = 0; i < h; i++) {
            take_bytes(fd, &p.pixels[(y + i) * p.width + x], w * 4);
        }
    }
    close(fd);
    for (size_t i = 0; i < (size_t)p.width * p.height; i++) {
        p.pixels[i] &= 0xffffff;
    }
    return p;
}

/* Whether the viewer sees @wanted now. */
static bool vnc_shows(const char *path, const Picture *wanted)
{
    size_t bytes = (size_t)wanted->width * wanted->height * 4;
    g_auto(Picture) found = vnc_picture(path);
    bool same = found.width == wanted->width &&
                found.height == wanted->height &&
                !memcmp(found.pixels, wanted->pixels, bytes);

    if (!same) {
        g_usleep(100000); /* before it is connected to again */
    }
    return same;
}

/* Width 320: VNC's desktop is a multiple of 16 pixels wide. */
static void test_vnc(void)
{
    const Mode mode = { 0x8000, 320, 200, 1280, TESSERA_SCANOUT_XBGR8888 };
    g_autofree char *socket = g_strconcat(dump_path, "-vnc", NULL);
    g_autofree char *args = g_strdup_printf(
        "-device tessera,id=gpu0,addr=4,vram-size=64M -vnc unix:%s", socket);
    QTestState *qts = tq_start_qemu(args);
    TqGpu *gpu = tq_attach(qts, 0, 4 << 3, 0xe0000000);
    g_auto(Picture) wanted = draw(gpu, &mode, 40);

    set_mode(gpu, &mode);
    g_assert_true(TQ_POLL(vnc_shows(socket, &wanted)));
    qtest_writel(qts, gpu->vram + mode.base + 100 * mode.stride + 4 * 77,
                 0x00332211);
    wanted.pixels[100 * 320 + 77] = 0x112233;
    g_assert_true(TQ_POLL(vnc_shows(socket, &wanted)));
    tq_end(gpu);
    qtest_quit(qts);
    unlink(socket);
}

/* ---- life cycle ---- */

static void reset_by_register(TqGpu *gpu)
{
    tq_write(gpu, TESSERA_REG_CONTROL, TESSERA_CONTROL_RESET_MASK);
}

static void reset_by_system(TqGpu *gpu)
{
    qtest_qmp_assert_success(gpu->qts, "{'execute': 'system_reset'}");
    qtest_qmp_eventwait(gpu->qts, "RESET");
    tq_place_bars(gpu, gpu->vram);
}

static void reset_by_flr(TqGpu *gpu)
{
    unsigned devctl = gpu->pcie_cap + 8;

    tq_config_write(gpu, devctl,
                    tq_config_read(gpu, devctl, 2) | 1 << 15, 2);
    tq_place_bars(gpu, gpu->vram);
}

/* Every reset blanks; VRAM is left alone, so the same mode shows the same. */
static void test_reset(void)
{
    static void (*const resets[])(TqGpu *gpu) = {
        reset_by_register, reset_by_system, reset_by_flr,
    };
    TqGpu *gpu = tq_start("");
    g_auto(Picture) wanted = draw(gpu, &modes[0], 10);

    for (size_t i = 0; i < G_N_ELEMENTS(resets); i++) {
        set_mode(gpu, &modes[0]);
        expect(gpu, &wanted);
        resets[i](gpu);
        g_assert_cmphex(tq_read(gpu, TESSERA_REG_SCANOUT_STATUS), ==, 0);
        expect_nothing(gpu);
    }
    tq_end(gpu);
}

/* Dark in D3hot, and back with the power; shown while the VM is stopped. */
static void test_power_and_stop(void)
{
    TqGpu *gpu = tq_start("");
    g_auto(Picture) wanted = draw(gpu, &modes[0], 11);

    set_mode(gpu, &modes[0]);
    tq_config_write(gpu, gpu->pm_cap + 4, 3, 2);
    expect_nothing(gpu);
    tq_config_write(gpu, gpu->pm_cap + 4, 0, 2);
    expect(gpu, &wanted);
    qtest_qmp_assert_success(gpu->qts, "{'execute': 'stop'}");
    expect(gpu, &wanted);
    qtest_qmp_assert_success(gpu->qts, "{'execute': 'cont'}");
    expect(gpu, &wanted);
    tq_end(gpu);
}

/* The console goes with the device, and comes back with the next. */
static void test_unplug(void)
{
    const unsigned port = 3 << 3;
    QTestState *qts = tq_start_qemu(TQ_ROOT_PORT);

    tq_open_root_port(qts, port, 0xe0000000);
    for (int i = 0; i < 3; i++) {
        QDict *r;
        TqGpu *gpu;

        qtest_qmp_device_add(qts, "tessera", "gpu0",
                             "{'bus': 'rp', 'vram-size': 67108864}");
        tq_power_slot(qts, port);
        gpu = tq_attach(qts, 1, 0, 0xe0000000);
        {
            g_auto(Picture) wanted = draw(gpu, &modes[i], 20 + i);

            set_mode(gpu, &modes[i]);
            expect(gpu, &wanted);
        }
        tq_end(gpu);
        tq_unplug(qts, port, "gpu0");
        r = qtest_qmp(qts, "{'execute': 'screendump', 'arguments':"
                           " {'filename': %s, 'device': 'gpu0'}}", dump_path);
        g_assert_true(qdict_haskey(r, "error"));
        qobject_unref(r);
        /* The console without a device is still one. */
        qtest_qmp_assert_success(qts, "{'execute': 'screendump',"
                                 " 'arguments': {'filename': %s}}", dump_path);
    }
    qtest_quit(qts);
}

/* The picture moves with the VM, whatever is written and not committed. */
static void test_migration(void)
{
    g_autofree char *stream = g_strconcat(dump_path, "-vm", NULL);
    g_autofree char *load = g_strdup_printf("exec:cat %s", stream);
    TqGpu *here = tq_start(""), *there;
    g_auto(Picture) wanted = draw(here, &modes[1], 30);
    QTestState *qts;

    set_mode(here, &modes[1]);
    write_mode(here, &modes[2]);
    tq_migration_save(here->qts, stream);
    tq_end(here);

    qts = tq_start_qemu("-device tessera,id=gpu0,addr=4,vram-size=64M "
                        "-incoming defer");
    qtest_qmp_assert_success(qts, "{'execute': 'migrate-incoming',"
                                  " 'arguments': {'uri': %s}}", load);
    qtest_qmp_eventwait(qts, "RESUME");
    there = tq_attach_placed(qts, 0, 4 << 3, 0, 0);
    expect(there, &wanted);
    g_assert_cmpuint(tq_read(there, TESSERA_REG_SCANOUT_WIDTH), ==,
                     modes[2].width);
    qtest_writel(qts, there->vram + modes[1].base, 0x123456);
    wanted.pixels[0] = 0x123456;
    expect(there, &wanted);
    tq_end(there);
    qtest_quit(qts);
    unlink(stream);
}

static void test_two_devices(void)
{
    QTestState *qts = tq_start_qemu(
        "-device tessera,addr=4,vram-size=64M,id=a "
        "-device tessera,addr=5,vram-size=64M,id=b");
    TqGpu *a = tq_attach(qts, 0, 4 << 3, 0xe0000000);
    TqGpu *b = tq_attach(qts, 0, 5 << 3, 0xe8000000);
    g_auto(Picture) on_a = draw(a, &modes[0], 12);
    g_auto(Picture) on_b = draw(b, &modes[3], 13);
    g_auto(Picture) from_a = { 0 };
    g_auto(Picture) from_b = { 0 };

    set_mode(a, &modes[0]);
    set_mode(b, &modes[3]);
    from_a = dump(qts, "a");
    from_b = dump(qts, "b");
    expect_picture(&from_a, &on_a);
    expect_picture(&from_b, &on_b);
    tq_end(a);
    tq_end(b);
    qtest_quit(qts);
}

/* Without a head there is no console, and a driver is told so. */
static void test_no_head(void)
{
    TqGpu *gpu = tq_start(",scanout=off");
    QDict *r = qtest_qmp(gpu->qts, "{'execute': 'screendump', 'arguments':"
                                   " {'filename': %s}}", dump_path);

    g_assert_true(qdict_haskey(r, "error"));
    qobject_unref(r);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_FEATURES) &
                    TESSERA_FEATURES_SCANOUT_MASK, ==, 0);
    write_mode(gpu, &modes[0]);
    g_assert_cmphex(commit(gpu, 1), ==, TESSERA_SCANOUT_STATUS_ERROR_MASK |
                    TESSERA_SCANOUT_ERROR_NO_HEAD << 8);
    tq_end(gpu);
}

/* ---- a guest that means harm ---- */

#define V TQ_VRAM_SIZE
static const struct {
    Mode mode;
    TesseraScanoutError reason;
} refused[] = {
    { { 0, 64, 64, 256, 3 }, TESSERA_SCANOUT_ERROR_FORMAT },
    { { 0, 64, 64, 256, UINT32_MAX }, TESSERA_SCANOUT_ERROR_FORMAT },
    { { 0, 0, 64, 256, 0 }, TESSERA_SCANOUT_ERROR_SIZE },
    { { 0, 64, 0, 256, 0 }, TESSERA_SCANOUT_ERROR_SIZE },
    { { 0, 8193, 1, 8193 * 4, 0 }, TESSERA_SCANOUT_ERROR_SIZE },
    { { 0, 1, 8193, 4, 0 }, TESSERA_SCANOUT_ERROR_SIZE },
    { { 0, UINT32_MAX, UINT32_MAX, 0, 0 }, TESSERA_SCANOUT_ERROR_SIZE },
    { { 0, 0x80000000, 2, 0, 0 }, TESSERA_SCANOUT_ERROR_SIZE },
    { { 0, 64, 0x40000000, 256, 0 }, TESSERA_SCANOUT_ERROR_SIZE },
    { { 2, 64, 64, 256, 0 }, TESSERA_SCANOUT_ERROR_ALIGNMENT },
    { { 0, 64, 64, 258, 2 }, TESSERA_SCANOUT_ERROR_ALIGNMENT },
    { { 0, 64, 64, 252, 0 }, TESSERA_SCANOUT_ERROR_STRIDE },
    { { 0, 64, 64, 0, 0 }, TESSERA_SCANOUT_ERROR_STRIDE },
    { { 0, 64, 1, 0xfffffffc, 0 }, TESSERA_SCANOUT_ERROR_STRIDE },
    { { 0, 64, 1, (1 << 20) + 4, 0 }, TESSERA_SCANOUT_ERROR_STRIDE },
    { { V, 64, 64, 256, 0 }, TESSERA_SCANOUT_ERROR_VRAM },
    { { V - 64 * 256 + 4, 64, 64, 256, 0 }, TESSERA_SCANOUT_ERROR_VRAM },
    { { UINT64_MAX & ~3ull, 64, 64, 256, 0 }, TESSERA_SCANOUT_ERROR_VRAM },
    { { 1ull << 63, 64, 64, 256, 0 }, TESSERA_SCANOUT_ERROR_VRAM },
    { { 0, 8192, 8192, 8192 * 4, 0 }, TESSERA_SCANOUT_ERROR_VRAM },
    { { 0, 4, 66, 1 << 20, 0 }, TESSERA_SCANOUT_ERROR_VRAM },
};
#undef V

static void test_refused(void)
{
    TqGpu *gpu = tq_start("");
    g_auto(Picture) wanted = draw(gpu, &modes[0], 14);

    for (size_t i = 0; i < G_N_ELEMENTS(refused); i++) {
        uint32_t status;

        set_mode(gpu, &modes[0]);
        write_mode(gpu, &refused[i].mode);
        status = commit(gpu, 1);
        g_test_message("row %zu", i);
        g_assert_cmphex(status, ==, TESSERA_SCANOUT_STATUS_ERROR_MASK |
                        refused[i].reason << 8);
        g_assert_cmpuint(tq_read(gpu, TESSERA_REG_SCANOUT_SHOWN_WIDTH), ==, 0);
        expect_nothing(gpu);
        /* Switched off, the error is gone. */
        g_assert_cmphex(commit(gpu, 0), ==, 0);
    }
    set_mode(gpu, &modes[0]);
    expect(gpu, &wanted);
    tq_end(gpu);
}

/* The largest of everything that is still allowed. */
static void test_limits(void)
{
    static const Mode limits[] = {
        { 0, 8192, 4096, 8192 * 2, TESSERA_SCANOUT_RGB565 },
        { 0, 2048, 8192, 8192, TESSERA_SCANOUT_XRGB8888 },
        { TQ_VRAM_SIZE - 4, 1, 1, 4, TESSERA_SCANOUT_XRGB8888 },
        { TQ_VRAM_SIZE - 4, 2, 1, 1 << 20, TESSERA_SCANOUT_RGB565 },
        { 0, 4, 64, 1 << 20, TESSERA_SCANOUT_XRGB8888 },
    };
    TqGpu *gpu = tq_start("");

    g_assert_cmphex(tq_read(gpu, TESSERA_REG_SCANOUT_MAX), ==, 0x20002000);
    for (size_t i = 0; i < G_N_ELEMENTS(limits); i++) {
        g_auto(Picture) found = { 0 };

        set_mode(gpu, &limits[i]);
        found = dump(gpu->qts, "gpu0");
        g_assert_cmpuint(found.width, ==, limits[i].width);
        g_assert_cmpuint(found.height, ==, limits[i].height);
    }
    tq_end(gpu);
}

static void add_modes(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(modes); i++) {
        g_autofree char *path = g_strdup_printf("/scanout/cpu/%zu", i);

        g_test_add_data_func(path, &modes[i], test_cpu);
    }
}

int main(int argc, char **argv)
{
    g_autofree char *folder = g_dir_make_tmp("tessera-XXXXXX", NULL);
    int status;

    g_test_init(&argc, &argv, NULL);
    dump_path = g_build_filename(folder, "dump", NULL);
    add_modes();
    g_test_add_func("/scanout/later-stores", test_later_stores);
    g_test_add_func("/scanout/gpu", test_gpu);
    g_test_add_func("/scanout/commit", test_commit);
    g_test_add_func("/scanout/base", test_base);
    g_test_add_func("/scanout/off-and-on", test_off_and_on);
    g_test_add_func("/scanout/png", test_png);
    g_test_add_func("/scanout/vnc", test_vnc);
    g_test_add_func("/scanout/reset", test_reset);
    g_test_add_func("/scanout/power-and-stop", test_power_and_stop);
    g_test_add_func("/scanout/unplug", test_unplug);
    g_test_add_func("/scanout/migration", test_migration);
    g_test_add_func("/scanout/two-devices", test_two_devices);
    g_test_add_func("/scanout/no-head", test_no_head);
    g_test_add_func("/scanout/refused", test_refused);
    g_test_add_func("/scanout/limits", test_limits);
    status = g_test_run();
    unlink(dump_path);
    rmdir(folder);
    return status;
}
