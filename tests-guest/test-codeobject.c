/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reader of code objects in guest/hello, with files that are as they
 * should be and with thousands that are not.
 *
 * usage: test-codeobject NAME-ISA.co...
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hello.h"

#define IMAGE_SIZE 65536
#define GUARD 4096
#define FLIPS 20000

static jmp_buf refused;
static char reason[256];
static unsigned test_number;

/* The driver's way out: here the reader's verdict. */
void die(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(reason, sizeof(reason), format, args);
    va_end(args);
    longjmp(refused, 1);
}

static void result(bool passed, const char *path, const char *what)
{
    printf("%s %u - %s: %s\n", passed ? "ok" : "not ok", ++test_number, path,
           what);
}

/* The name of the kernel in ".../vadd-gfx900.co". */
static void kernel_name(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/');

    snprintf(name, size, "%s", slash ? slash + 1 : path);
    name[strcspn(name, "-")] = '\0';
}

/* Load @size bytes of @data; where the descriptor is, or -1 if refused. */
static int64_t load(const char *name, const uint8_t *data, size_t size,
                    uint8_t *image)
{
    Memory memory = { image, 0, IMAGE_SIZE, 0 };
    char path[] = "/tmp/test-codeobject.XXXXXX";
    volatile int64_t at = -1;
    int fd = mkstemp(path);

    if (fd < 0 || write(fd, data, size) != (ssize_t)size || close(fd)) {
        perror(path);
        exit(1);
    }
    memset(image, 0xa5, IMAGE_SIZE + GUARD);
    if (setjmp(refused) == 0) {
        at = load_code_object(path, name, &memory);
    }
    unlink(path);
    return at;
}

static bool guard_holds(const uint8_t *image)
{
    for (size_t i = 0; i < GUARD; i++) {
        if (image[IMAGE_SIZE + i] != 0xa5) {
            return false;
        }
    }
    return true;
}

/* Every verdict is right as long as nothing outside the image is touched. */
static bool survives(const char *name, const uint8_t *data, size_t size,
                     uint8_t *image)
{
    int64_t at = load(name, data, size, image);

    return guard_holds(image) &&
           at <= (int64_t)(IMAGE_SIZE - sizeof(AmdKernelDescriptor));
}

static void test_file(const char *path)
{
    static uint8_t data[65536], bent[65536], image[IMAGE_SIZE + GUARD];
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(data, 1, sizeof(data), file) : 0;
    bool passed = true;
    char name[64];
    int64_t at;

    if (file) {
        fclose(file);
    }
    kernel_name(path, name, sizeof(name));
    at = load(name, data, size, image);
    result(at >= 0 && at % 64 == 0 && guard_holds(image), path, "loads");
    result(load("nothing", data, size, image) < 0, path,
           "a kernel that is not in it is refused");

    for (size_t n = 0; n < size; n++) {
        passed &= survives(name, data, n, image);
    }
    result(passed, path, "cut off anywhere does no harm");

    srand(1);
    for (unsigned i = 0; i < FLIPS; i++) {
        memcpy(bent, data, size);
        for (unsigned n = 0; n < 4; n++) {
            bent[rand() % size] = n & 1 ? 0xff : rand();
        }
        passed &= survives(name, bent, size, image);
    }
    result(passed, path, "wrong bytes anywhere do no harm");
}

int main(int argc, char **argv)
{
    printf("1..%d\n", 4 * (argc - 1));
    for (int i = 1; i < argc; i++) {
        test_file(argv[i]);
    }
    return 0;
}
