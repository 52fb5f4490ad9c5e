/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The few functions of QEMU's utility library that libqtest needs, in the
 * simplest form that serves a test.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "qemu/sockets.h"

int socket_init(void)
{
    return 0;
}

void qemu_set_cloexec(int fd)
{
    fcntl(fd, F_SETFD, fcntl(fd, F_GETFD) | FD_CLOEXEC);
}

ssize_t qemu_send_full(int s, const void *buf, size_t count)
{
    size_t done = 0;

    while (done < count) {
        ssize_t n = send(s, (const char *)buf + done, count - done, 0);

        if (n < 0 && errno != EINTR) {
            break;
        }
        done += MAX(n, 0);
    }
    return done;
}

static void say(const char *kind, const char *fmt, va_list ap)
{
    g_autofree char *text = g_strdup_vprintf(fmt, ap);

    fprintf(stderr, "%s%s\n", kind, text);
}

#define REPORTER(name, kind)              \
    void name(const char *fmt, ...)       \
    {                                     \
        va_list ap;                       \
                                          \
        va_start(ap, fmt);                \
        say(kind, fmt, ap);               \
        va_end(ap);                       \
    }

REPORTER(error_report, "error: ")
REPORTER(warn_report, "warning: ")

int error_printf(const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    say("", fmt, ap);
    va_end(ap);
    return 0;
}
