/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole files in, whole files out. */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tools/files.h"

#define FILES_CHUNK (1u << 20)

G_DEFINE_QUARK(tool-file-error-quark, tool_file_error)

static bool files_fail(GError **error, const char *path, const char *what)
{
    g_set_error(error, TOOL_FILE_ERROR, errno, "%s: %s: %s", path, what,
                g_strerror(errno));
    return false;
}

/* ---- in ---- */

static int files_open(const char *path, struct stat *st, GError **error)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0 || fstat(fd, st) != 0) {
        files_fail(error, path, "cannot open");
    } else if (S_ISDIR(st->st_mode)) {
        errno = EISDIR;
        files_fail(error, path, "cannot read");
    } else {
        return fd;
    }
    if (fd >= 0) {
        close(fd);
    }
    return -1;
}

/* Read up to @size bytes; returns how many there were, -1 on an error. */
static ssize_t files_read(int fd, void *dst, size_t size)
{
    size_t done = 0;

    while (done < size) {
        ssize_t n = read(fd, (char *)dst + done, size - done);

        if (n == 0) {
            break;
        }
        if (n < 0 && errno != EINTR) {
            return -1;
        }
        done += n > 0 ? n : 0;
    }
    return done;
}

static GByteArray *files_slurp(int fd, const char *path, uint64_t max,
                               GError **error)
{
    g_autoptr(GByteArray) array = g_byte_array_new();
    ssize_t n;

    do {
        guint at = array->len;

        g_byte_array_set_size(array, at + FILES_CHUNK);
        n = files_read(fd, array->data + at, FILES_CHUNK);
        if (n < 0) {
            files_fail(error, path, "cannot read");
            return NULL;
        }
        g_byte_array_set_size(array, at + n);
        if (array->len > max) {
            g_set_error(error, TOOL_FILE_ERROR, EFBIG, "%s: larger than "
                        "%" PRIu64 " bytes", path, max);
            return NULL;
        }
    } while (n > 0);
    return g_steal_pointer(&array);
}

GBytes *tool_read_file(const char *path, uint64_t max, GError **error)
{
    struct stat st;
    int fd = files_open(path, &st, error);
    GByteArray *array;

    if (fd < 0) {
        return NULL;
    }
    array = files_slurp(fd, path, max, error);
    close(fd);
    return array ? g_byte_array_free_to_bytes(array) : NULL;
}

bool tool_file_size(const char *path, uint64_t *size, GError **error)
{
    struct stat st;
    int fd = files_open(path, &st, error);

    if (fd < 0) {
        return false;
    }
    close(fd);
    if (!S_ISREG(st.st_mode)) {
        g_set_error(error, TOOL_FILE_ERROR, 0, "%s: not a regular file", path);
        return false;
    }
    *size = st.st_size;
    return true;
}

bool tool_read_into(const char *path, void *dst, uint64_t size,
                    GError **error)
{
    struct stat st;
    int fd = files_open(path, &st, error);
    ssize_t n;

    if (fd < 0) {
        return false;
    }
    n = files_read(fd, dst, size);
    if (n < 0) {
        files_fail(error, path, "cannot read");
    } else if (n != size) {
        g_set_error(error, TOOL_FILE_ERROR, 0, "%s: shrank while it was read",
                    path);
    }
    close(fd);
    return n == size;
}

/* ---- out ---- */

typedef struct OutputFile {
    char *path;
    char *temp; /* NULL: written in place, or renamed already */
} OutputFile;

struct ToolOutputs {
    GArray *files; /* OutputFile */
};

static void output_file_clear(OutputFile *file)
{
    if (file->temp) {
        g_unlink(file->temp);
    }
    g_free(file->temp);
    g_free(file->path);
}

ToolOutputs *tool_outputs_new(void)
{
    ToolOutputs *outputs = g_new0(ToolOutputs, 1);

    outputs->files = g_array_new(FALSE, TRUE, sizeof(OutputFile));
    g_array_set_clear_func(outputs->files, (GDestroyNotify)output_file_clear);
    return outputs;
}

void tool_outputs_free(ToolOutputs *outputs)
{
    if (outputs) {
        g_array_unref(outputs->files);
        g_free(outputs);
    }
}

/* Does @path name something that must not be replaced by a rename? */
static bool files_is_special(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

bool tool_check_output(const char *path, GError **error)
{
    g_autofree char *dir = g_path_get_dirname(path);

    if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
        errno = EISDIR;
        return files_fail(error, path, "cannot write");
    }
    if (access(files_is_special(path) ? path : dir, W_OK) != 0 ||
        (access(path, F_OK) == 0 && access(path, W_OK) != 0)) {
        return files_fail(error, path, "cannot write");
    }
    return true;
}

static bool files_write(int fd, const void *bytes, uint64_t size)
{
    uint64_t done = 0;

    while (done < size) {
        ssize_t n = write(fd, (const char *)bytes + done, size - done);

        if (n < 0 && errno != EINTR) {
            return false;
        }
        done += n > 0 ? n : 0;
    }
    return true;
}

/* Permission bits of a new file: those of the old one, or the usual ones. */
static mode_t files_mode(const char *path)
{
    struct stat st;
    mode_t mask;

    if (stat(path, &st) == 0) {
        return st.st_mode & 07777;
    }
    mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static int files_open_output(OutputFile *file)
{
    int fd;

    if (files_is_special(file->path)) {
        return open(file->path, O_WRONLY | O_CLOEXEC);
    }
    file->temp = g_strconcat(file->path, ".XXXXXX", NULL);
    fd = g_mkstemp_full(file->temp, O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0) {
        g_clear_pointer(&file->temp, g_free);
    } else if (fchmod(fd, files_mode(file->path)) != 0) {
        /* the file keeps mode 0600: not worth failing for */
        errno = 0;
    }
    return fd;
}

bool tool_outputs_add(ToolOutputs *outputs, const char *path,
                      const void *bytes, uint64_t size, GError **error)
{
    OutputFile file = { .path = g_strdup(path) };
    int fd = files_open_output(&file);
    bool ok = fd >= 0 && files_write(fd, bytes, size);

    if (fd >= 0 && close(fd) != 0) {
        ok = false;
    }
    if (!ok) {
        files_fail(error, path, "cannot write");
    }
    g_array_append_val(outputs->files, file);
    return ok;
}

bool tool_outputs_commit(ToolOutputs *outputs, GError **error)
{
    for (unsigned i = 0; i < outputs->files->len; i++) {
        OutputFile *file = &g_array_index(outputs->files, OutputFile, i);

        if (file->temp && g_rename(file->temp, file->path) != 0) {
            return files_fail(error, file->path, "cannot write");
        }
        g_clear_pointer(&file->temp, g_free);
    }
    return true;
}
