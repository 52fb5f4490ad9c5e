/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Migration and snapshots: everything that a driver sees is the same on the
 * other side, work goes on there, what runs is refused by name, and a stream
 * that is not ours is refused.
 */
#include "migrate.h"
#include "view.h"
#include <glib/gstdio.h>

#define DEVICE "-device tessera,id=gpu0,addr=4,vram-size=64M,scanout=off"
#define LOG2 4

static char *folder; /* for sockets, streams and disks */

static char *path_of(const char *name)
{
    return g_build_filename(folder, name, NULL);
}

/* ---- QEMUs ---- */

/* A QEMU that waits for @gpu, stderr in the folder's file "stderr". */
static QTestState *start_target(const char *device, const char *uri)
{
    g_autofree char *log = path_of("stderr");
    g_autofree char *args = g_strdup_printf("%s -incoming '%s' 2>%s", device,
                                            uri, log);

    return tq_start_qemu(args);
}

static void check_stderr(const char *part)
{
    g_autofree char *log = path_of("stderr");
    g_autofree char *text = NULL;

    g_assert_true(g_file_get_contents(log, &text, NULL, NULL));
    if (!strstr(text, part)) {
        g_error("stderr has no '%s' but: %s", part, text);
    }
}

static TqGpu *start_source(void)
{
    TqGpu *gpu = tq_attach(tq_start_qemu(DEVICE), 0, 4 << 3, 0xe0000000);

    gpu->owns_qemu = true;
    return gpu;
}

/* Finish what tq_migration_start() began: @gpu is on the other side then. */
static void arrive(TqGpu *gpu, QTestState *target)
{
    g_autofree char *status = tq_migration_end(gpu->qts);

    g_assert_cmpstr(status, ==, "completed");
    qtest_qmp_eventwait(target, "RESUME");
    qtest_quit(gpu->qts);
    gpu->qts = target;
}

/* The target ends by itself when what it is sent is refused or cut off. */
static void check_target_ends(QTestState *target)
{
    qtest_set_expected_status(target, 1);
    g_assert_true(TQ_POLL(!qtest_probe_child(target)));
    qtest_quit(target);
}

/* False if a dispatch has not ended in time: then all goes on here. */
static bool try_migrate(TqGpu *gpu)
{
    g_autofree char *socket = path_of("socket");
    g_autofree char *uri = g_strconcat("unix:", socket, NULL);
    QTestState *target = start_target(DEVICE, uri);
    g_autofree char *status = NULL;
    bool completed;

    tq_migration_start(gpu->qts, uri);
    status = tq_migration_end(gpu->qts);
    completed = g_str_equal(status, "completed");
    if (completed) {
        arrive(gpu, target);
    } else {
        check_target_ends(target);
        tq_wait_running(gpu->qts);
    }
    g_unlink(socket);
    return completed;
}

static void migrate(TqGpu *gpu)
{
    g_assert_true(try_migrate(gpu));
}

/* A kernel over 64 * @groups items, and what it is given. */
typedef struct Job {
    TqQueue q;
    uint64_t kernel, kernarg, buf;
} Job;

static Job job_new(TqGpu *gpu, unsigned slot, const char *shader, bool vram,
                   size_t size)
{
    Job job = {
        .q = tq_queue(gpu, slot),
        .kernel = tq_shader(gpu, shader, vram),
        .kernarg = tq_alloc(gpu, 64),
        .buf = vram ? tq_alloc_vram(gpu, size) : tq_alloc(gpu, size),
    };

    tq_put64(gpu, job.kernarg, job.buf);
    return job;
}

static void job_run(Job *job, unsigned groups)
{
    AqlDispatch p = tq_dispatch(job->q.gpu, job->kernel, job->kernarg,
                                groups * 64, 64);

    tq_run(&job->q, &p);
}

/* ---- tests ---- */

/* Every register, doorbell, queue, and the configuration space. */
static void test_state(void)
{
    TqGpu *gpu = start_source();
    uint64_t ring = tq_ring_enable(gpu, LOG2);
    uint64_t msi = tq_msix_enable(gpu, 0, 0xabcd);
    Job ram = job_new(gpu, 3, "increment", false, 64);
    Job vram = job_new(gpu, 1023, "increment", true, 64);
    TesseraIhEntry e;
    g_autoptr(TqView) before = NULL, after = NULL;
    unsigned n;

    job_run(&ram, 5);
    job_run(&vram, 6);
    tq_write(gpu, TESSERA_REG_TEST_SCRATCH, 0xdeadbeef);
    tq_write(gpu, TESSERA_REG_VM_PASID + 63 * 0x40, 77);
    tq_write(gpu, TESSERA_REG_QUEUE_SELECT, 1023);
    qtest_writeq(gpu->qts, gpu->doorbells + 63 * TESSERA_SLICE_SIZE, 99);
    tq_write(gpu, TESSERA_FLUSH_PAGE + 8, 0x11223344);
    /* The packet processor has looked for another packet, and found none. */
    g_assert_true(tq_wait_reg(gpu, TESSERA_REG_QUEUE_WAITS, ~0u, 0));
    n = tq_read(gpu, TESSERA_REG_IH_WPTR);
    before = tq_look(gpu, TQ_VIEW_ALL);
    migrate(gpu);
    after = tq_look(gpu, TQ_VIEW_ALL);
    tq_check_same(after, before);
    g_assert_cmphex(tq_read(gpu, TESSERA_FLUSH_PAGE + 8), ==, 0x11223344);

    /* Queues, ring and interrupt go on where they were. */
    job_run(&ram, 1);
    job_run(&vram, 1);
    g_assert_cmpuint(tq_get32(gpu, ram.buf), ==, 6 * 64);
    g_assert_cmpuint(tq_get32(gpu, vram.buf), ==, 7 * 64);
    tq_put32(gpu, msi, 0);
    tq_write(gpu, TESSERA_REG_IH_RPTR, n);
    tq_write(gpu, TESSERA_REG_TEST_IRQ, 31);
    g_assert_true(tq_ring_wait(gpu, ring, LOG2, n, &e));
    g_assert_cmpuint(e.data, ==, 31);
    g_assert_true(tq_wait32(gpu, msi, 0xabcd));
    g_assert_cmpint(tq_queue_unmap(&ram.q), ==, TESSERA_RESULT_OK);
    tq_end(gpu);
}

static void test_back_and_forth(void)
{
    TqGpu *gpu = start_source();
    Job ram = job_new(gpu, 0, "increment", false, 64);
    Job vram = job_new(gpu, 1, "increment", true, 64);

    for (unsigned i = 1; i <= 20; i++) {
        job_run(&ram, 3);
        job_run(&vram, 1);
        migrate(gpu);
        g_assert_cmpuint(tq_get32(gpu, ram.buf), ==, i * 3 * 64);
        g_assert_cmpuint(tq_get32(gpu, vram.buf), ==, i * 64);
    }
    job_run(&ram, 1);
    g_assert_cmpuint(tq_get32(gpu, ram.buf), ==, 61 * 64);
    tq_end(gpu);
}

/* All that @qts sees at @at, in a file of the folder. */
static char *dump(QTestState *qts, uint64_t at, uint64_t size)
{
    g_autofree char *file = path_of("dump");
    char *data;
    gsize len;

    qtest_qmp_assert_success(qts, "{'execute': 'pmemsave', 'arguments':"
                             " {'val': %lld, 'size': %lld, 'filename': %s}}",
                             (long long)at, (long long)size, file);
    g_assert_true(g_file_get_contents(file, &data, &len, NULL));
    g_assert_cmpuint(len, ==, size);
    g_unlink(file);
    return data;
}

static void check_same_memory(QTestState *a, QTestState *b, uint64_t at,
                              uint64_t size)
{
    g_autofree char *in_a = dump(a, at, size);
    g_autofree char *in_b = dump(b, at, size);

    for (uint64_t i = 0; i < size; i++) {
        if (in_a[i] != in_b[i]) {
            g_error("memory at 0x%" PRIx64 " differs", at + i);
        }
    }
}

/* The target must wait, so that nothing changes before it is compared. */
static void check_whole_memory(TqGpu *gpu, QTestState *target)
{
    check_same_memory(gpu->qts, target, 0x100000, TQ_RAM_SIZE - 0x100000);
    check_same_memory(gpu->qts, target, gpu->vram, TQ_VRAM_SIZE);
}

/*
 * Shaders store to RAM and VRAM while memory that they have stored to before
 * is still being sent.
 */
static void test_while_writing(void)
{
    TqGpu *gpu = start_source();
    Job ram = job_new(gpu, 0, "store", false, 64 * 1024 * 4);
    Job vram = job_new(gpu, 1, "store", true, 64 * 1024 * 4);
    g_autofree char *socket = path_of("socket");
    g_autofree char *uri = g_strconcat("unix:", socket, NULL);
    g_autofree char *args = g_strconcat(DEVICE, " -S", NULL);
    QTestState *target = start_target(args, uri);
    g_autofree char *status = NULL;

    tq_migration_start_slow(gpu, uri);
    for (unsigned passes = 0; passes < 40; passes++) {
        uint64_t shift = (passes % 8) * 0x1000;

        tq_put64(gpu, ram.kernarg, ram.buf + shift);
        job_run(&ram, 256 + passes);
        tq_put64(gpu, vram.kernarg, vram.buf + shift);
        job_run(&vram, 512 - passes);
    }
    status = tq_migration_status(gpu->qts);
    g_assert_cmpstr(status, ==, "active"); /* or nothing has been tested */
    g_clear_pointer(&status, g_free);
    tq_migration_hurry(gpu->qts);
    status = tq_migration_end(gpu->qts);
    g_assert_cmpstr(status, ==, "completed");
    g_free(tq_migration_end(target));
    check_whole_memory(gpu, target);
    qtest_quit(gpu->qts);
    gpu->qts = target;
    qtest_qmp_assert_success(gpu->qts, "{'execute': 'cont'}");
    job_run(&ram, 1);
    tq_end(gpu);
}

/* A ring full of packets: what has not begun, begins on the other side. */
static void test_under_load(void)
{
    TqGpu *gpu = start_source();
    Job job = job_new(gpu, 0, "increment", false, 64);
    uint64_t signals[60];

    for (unsigned i = 0; i < G_N_ELEMENTS(signals); i++) {
        AqlDispatch p = tq_dispatch(gpu, job.kernel, job.kernarg, 64 * 64, 64);

        signals[i] = p.completion_signal;
        tq_put_packet(&job.q, &p);
    }
    tq_ring_doorbell(&job.q);
    /* What runs has 100 ms to end; on a busy host that may be too little. */
    for (unsigned i = 0; !try_migrate(gpu); i++) {
        g_assert_cmpuint(i, <, G_N_ELEMENTS(signals));
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(signals); i++) {
        g_assert_true(tq_wait64(gpu, signals[i] + TQ_SIGNAL_VALUE, 0));
    }
    g_assert_cmpuint(tq_get32(gpu, job.buf), ==,
                     G_N_ELEMENTS(signals) * 64 * 64);
    tq_end(gpu);
}

/* A dispatch that does not end is named, and runs on in a VM that runs on. */
static void test_in_flight(void)
{
    g_autofree char *log = path_of("stderr");
    g_autofree char *args = g_strdup_printf(DEVICE " 2>%s", log);
    TqGpu *gpu = tq_attach(tq_start_qemu(args), 0, 4 << 3, 0xe0000000);
    TqEndless e = tq_endless(gpu, 5, false);

    gpu->owns_qemu = true;
    for (int i = 0; i < 3; i++) {
        g_autofree char *status = NULL;

        tq_migration_start(gpu->qts, "exec:cat >/dev/null");
        status = tq_migration_end(gpu->qts);
        g_assert_cmpstr(status, ==, "failed");
        check_stderr("tessera: gpu0 cannot be saved: queue 5 has 1 dispatch "
                     "in flight");
        tq_wait_running(gpu->qts);
        g_assert_true(tq_counts(&e));
    }
    g_assert_cmpint(tq_queue_kill(&e.q), ==, TESSERA_RESULT_OK);
    migrate(gpu);
    tq_end(gpu);
}

static void allow_postcopy(QTestState *qts)
{
    qtest_qmp_assert_success(qts,
        "{'execute': 'migrate-set-capabilities', 'arguments': {'capabilities':"
        " [{'capability': 'postcopy-ram', 'state': true}]}}");
}

static bool is_active(QTestState *qts)
{
    g_autofree char *status = tq_migration_status(qts);

    return !g_strcmp0(status, "active");
}

/* Migrate @gpu, slowly, and turn to postcopy. */
static QTestState *start_postcopy(TqGpu *gpu)
{
    g_autofree char *socket = path_of("socket");
    g_autofree char *uri = g_strconcat("unix:", socket, NULL);
    QTestState *target = start_target(DEVICE, "defer");

    allow_postcopy(gpu->qts);
    allow_postcopy(target);
    qtest_qmp_assert_success(target, "{'execute': 'migrate-incoming',"
                             " 'arguments': {'uri': %s}}", uri);
    tq_migration_slow(gpu);
    tq_migration_start(gpu->qts, uri);
    g_assert_true(TQ_POLL(is_active(gpu->qts)));
    qtest_qmp_assert_success(gpu->qts,
                             "{'execute': 'migrate-start-postcopy'}");
    return target;
}

/* Memory follows while queues and shaders are at work. */
static void test_postcopy(void)
{
    TqGpu *gpu = start_source();
    Job ram = job_new(gpu, 0, "increment", false, 64);
    Job vram = job_new(gpu, 1, "increment", true, 64);

    job_run(&ram, 2);
    job_run(&vram, 3);
    arrive(gpu, start_postcopy(gpu));
    job_run(&ram, 2);
    job_run(&vram, 3);
    g_assert_cmpuint(tq_get32(gpu, ram.buf), ==, 4 * 64);
    g_assert_cmpuint(tq_get32(gpu, vram.buf), ==, 6 * 64);
    tq_end(gpu);
}

/* QEMU does not continue by itself then, but nothing is lost. */
static void test_postcopy_in_flight(void)
{
    TqGpu *gpu = start_source();
    TqEndless e = tq_endless(gpu, 5, true);
    QTestState *target = start_postcopy(gpu);
    g_autofree char *status = tq_migration_end(gpu->qts);

    g_assert_cmpstr(status, ==, "failed");
    qtest_set_expected_status(target, 1);
    qtest_quit(target);
    qtest_qmp_assert_success(gpu->qts, "{'execute': 'cont'}");
    g_assert_true(tq_counts(&e));
    g_assert_cmpint(tq_queue_kill(&e.q), ==, TESSERA_RESULT_OK);
    tq_end(gpu);
}

/* The device sleeps on the other side, and wakes up as it was. */
static void test_in_d3hot(void)
{
    TqGpu *gpu = start_source();
    Job job = job_new(gpu, 2, "increment", false, 64);

    job_run(&job, 1);
    tq_config_write(gpu, gpu->pm_cap + 4, 3, 2);
    migrate(gpu);
    g_assert_cmphex(tq_config_read(gpu, gpu->pm_cap + 4, 2) & 3, ==, 3);
    g_assert_cmphex(tq_read(gpu, TESSERA_REG_ID), ==, 0xffffffff);
    tq_config_write(gpu, gpu->pm_cap + 4, 0, 2);
    job_run(&job, 1);
    g_assert_cmpuint(tq_get32(gpu, job.buf), ==, 128);
    tq_end(gpu);
}

/* Raised and not delivered: by a masked vector, and without bus mastering. */
static void test_pending_interrupts(void)
{
    TqGpu *gpu = start_source();
    uint64_t ring = tq_ring_enable(gpu, LOG2);
    uint64_t msi = tq_msix_enable(gpu, 0, 0xabcd);
    TesseraIhEntry e;

    qtest_writel(gpu->qts, gpu->msix + 12, 1);
    tq_write(gpu, TESSERA_REG_TEST_IRQ, 1);
    g_assert_true(tq_ring_wait(gpu, ring, LOG2, 0, &e));
    tq_settle(gpu);
    migrate(gpu);
    g_assert_cmphex(tq_get32(gpu, msi), ==, 0);
    qtest_writel(gpu->qts, gpu->msix + 12, 0);
    g_assert_true(tq_wait32(gpu, msi, 0xabcd));

    tq_put32(gpu, msi, 0);
    tq_config_write(gpu, 0x04, 0x02, 2);
    tq_write(gpu, TESSERA_REG_TEST_IRQ, 2);
    g_assert_true(tq_wait_reg(gpu, TESSERA_REG_IH_STATUS,
                              TESSERA_IH_STATUS_FAULT_MASK,
                              TESSERA_IH_STATUS_FAULT_MASK));
    tq_settle(gpu);
    migrate(gpu);
    g_assert_cmphex(tq_get32(gpu, msi), ==, 0);
    tq_config_write(gpu, 0x04, 0x06, 2);
    g_assert_true(tq_wait32(gpu, msi, 0xabcd));
    tq_end(gpu);
}

/* ---- what is refused ---- */

/* Save @gpu to a file, and end it. */
static char *save_to_file(TqGpu *gpu, char **data, gsize *len)
{
    char *file = path_of("stream");

    tq_migration_save(gpu->qts, file);
    tq_end(gpu);
    g_assert_true(g_file_get_contents(file, data, len, NULL));
    return file;
}

/* Not before there is a connection, or what comes of it is not heard. */
static QTestState *load_from_file(const char *device, const char *file)
{
    g_autofree char *uri = g_strdup_printf("exec:cat %s", file);
    QTestState *target = start_target(device, "defer");

    qtest_qmp_send(target, "{'execute': 'migrate-incoming', 'arguments':"
                           " {'uri': %s}}", uri);
    return target;
}

static void check_target_refuses(const char *device, const char *file,
                                 const char *reason)
{
    check_target_ends(load_from_file(device, file));
    check_stderr(reason);
}

static void test_different_properties(void)
{
    static const char *const others[][2] = {
        { "-device tessera,id=gpu0,addr=4,vram-size=64M,scanout=on",
          "tessera: the saved state is refused for gpu0: scanout differs" },
        { "-device tessera,id=gpu0,addr=4,vram-size=128M,scanout=off",
          "tessera-vram: 0x4000000 != 0x8000000" },
        { "-device tessera,id=gpu0,addr=5,vram-size=64M,scanout=off",
          "0000:00:04.0" },
        { "-device tessera,id=gpu0,addr=4,vram-size=64M,scanout=off,"
          "workers=3,hang-timeout=1000", NULL },
    };
    g_autofree char *data = NULL;
    gsize len;
    g_autofree char *file = save_to_file(start_source(), &data, &len);

    for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
        if (others[i][1]) {
            check_target_refuses(others[i][0], file, others[i][1]);
        } else {
            QTestState *target = load_from_file(others[i][0], file);

            qtest_qmp_eventwait(target, "RESUME");
            qtest_quit(target);
        }
    }
}

/* Where the core's state begins in a stream; before it lies its size. */
static gsize find_state(const char *data, gsize len)
{
    static const char start[] = "tessera\0\1\0\0"; /* magic, version 1 */

    for (gsize at = 0; at + sizeof(start) <= len; at++) {
        if (!memcmp(data + at, start, sizeof(start))) {
            return at;
        }
    }
    g_assert_not_reached();
}

static void test_hostile_streams(void)
{
    static const struct {
        int at; /* from the beginning of the core's state */
        uint64_t value;
        unsigned size;
        const char *reason;
    } flaws[] = {
        { 0, 0, 1, "no state of a Tessera GPU" },
        { 8, 99, 4, "version 99" },
        { 16, UINT32_MAX, 4, "section identity" },
        { 20, 120000, 8, "isa differs" },
        { -4, 0, 4, "size of the state" },         /* big-endian */
        { -4, 0xffffff7f, 4, "size of the state" },
        { -8, 0x10000000, 4, "no such interrupt vectors" },
    };
    g_autofree char *data = NULL;
    gsize len, state;
    g_autofree char *file = save_to_file(start_source(), &data, &len);

    state = find_state(data, len);
    for (size_t i = 0; i < G_N_ELEMENTS(flaws); i++) {
        g_autofree char *bad = g_memdup2(data, len);

        memcpy(bad + state + flaws[i].at, &flaws[i].value, flaws[i].size);
        g_assert_true(g_file_set_contents(file, bad, len, NULL));
        check_target_refuses(DEVICE, file, flaws[i].reason);
    }
    g_assert_true(g_file_set_contents(file, data, state + 40, NULL));
    check_target_refuses(DEVICE, file, "");
}

/* ---- snapshots ---- */

static char *monitor(TqGpu *gpu, const char *command)
{
    return qtest_hmp(gpu->qts, "%s", command);
}

static TqGpu *start_with_disk(void)
{
    g_autofree char *disk = path_of("disk.qcow2");
    g_autofree char *args = g_strdup_printf(
        DEVICE " -drive if=none,format=qcow2,file=%s,id=d", disk);
    TqGpu *gpu = tq_attach(tq_start_qemu(args), 0, 4 << 3, 0xe0000000);

    gpu->owns_qemu = true;
    return gpu;
}

/* An empty qcow2 image (version 3) is simple enough to need no tool. */
static void make_disk(void)
{
    g_autofree char *disk = path_of("disk.qcow2");
    g_autofree char *command = g_strdup_printf(
        "qemu-img create -q -f qcow2 %s 64M", disk);

    g_assert_true(g_spawn_command_line_sync(command, NULL, NULL, NULL, NULL));
}

static void test_snapshots(void)
{
    TqGpu *gpu;
    Job ram, vram;
    TqEndless e;
    char *text;

    make_disk();
    gpu = start_with_disk();
    ram = job_new(gpu, 0, "increment", false, 64);
    vram = job_new(gpu, 1, "increment", true, 64);
    job_run(&ram, 1);
    job_run(&vram, 2);
    text = monitor(gpu, "savevm a");
    g_assert_cmpstr(text, ==, "");
    g_free(text);
    for (unsigned i = 0; i < 5; i++) {
        Job again_ram = ram, again_vram = vram;

        job_run(&again_ram, 1);
        job_run(&again_vram, 1);
        g_assert_cmpuint(tq_get32(gpu, ram.buf), ==, 2 * 64);
        tq_write(gpu, TESSERA_REG_CONTROL, TESSERA_CONTROL_RESET_MASK);
        text = monitor(gpu, "loadvm a");
        g_assert_cmpstr(text, ==, "");
        g_free(text);
        g_assert_cmpuint(tq_get32(gpu, ram.buf), ==, 64);
        g_assert_cmpuint(tq_get32(gpu, vram.buf), ==, 128);
    }
    e = tq_endless(gpu, 7, true);
    text = monitor(gpu, "savevm b");
    g_assert_nonnull(strstr(text, "queue 7 has 1 dispatch in flight"));
    g_free(text);
    g_assert_true(tq_counts(&e));
    text = monitor(gpu, "loadvm a"); /* ends what runs */
    g_assert_cmpstr(text, ==, "");
    g_free(text);
    g_assert_true(tq_stands_still(&e));
    job_run(&ram, 1);
    g_assert_cmpuint(tq_get32(gpu, ram.buf), ==, 128);
    tq_end(gpu);
}

int main(int argc, char **argv)
{
    int status;

    g_test_init(&argc, &argv, NULL);
    folder = g_dir_make_tmp("tessera-XXXXXX", NULL);
    g_test_add_func("/migration/state", test_state);
    g_test_add_func("/migration/back-and-forth", test_back_and_forth);
    g_test_add_func("/migration/while-writing", test_while_writing);
    g_test_add_func("/migration/under-load", test_under_load);
    g_test_add_func("/migration/in-flight", test_in_flight);
    g_test_add_func("/migration/postcopy", test_postcopy);
    if (g_test_slow()) { /* QEMU 7.2 may then not end when it is told to */
        g_test_add_func("/migration/postcopy-in-flight",
                        test_postcopy_in_flight);
    }
    g_test_add_func("/migration/in-d3hot", test_in_d3hot);
    g_test_add_func("/migration/pending-interrupts", test_pending_interrupts);
    g_test_add_func("/migration/different-properties",
                    test_different_properties);
    g_test_add_func("/migration/hostile-streams", test_hostile_streams);
    g_test_add_func("/migration/snapshots", test_snapshots);
    status = g_test_run();
    if (!status) {
        g_autofree char *clean = g_strdup_printf("rm -r %s", folder);

        g_spawn_command_line_sync(clean, NULL, NULL, NULL, NULL);
    }
    g_free(folder);
    return status;
}
