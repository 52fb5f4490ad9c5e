/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The compiler of hot code in QEMU's process: QEMU and devices go while it is
 * busy, devices have one each, and what it makes of code that is gone goes too.
 */
#include "tessera-qtest.h"
#include <glib/gstdio.h>

#define LONG 300  /* instructions that take it some hundred milliseconds */
#define CODES 300 /* more than the device keeps */
#define GROWTH_MAX_KB 4096
#define ENTRY 256

static char *log_file, *pid_file;

static TqGpu *attach(const char *more)
{
    g_autofree char *args = g_strdup_printf(
        "-pidfile %s -device tessera,id=gpu0,addr=4,vram-size=64M,workers=2%s",
        pid_file, more);
    TqGpu *gpu = tq_attach(tq_start_qemu(args), 0, 4 << 3, 0xe0000000);

    gpu->owns_qemu = true;
    return gpu;
}

/* Pages that have been compiled since the test began; none may have failed. */
static unsigned compiled(void)
{
    g_autofree char *text = NULL;
    unsigned count = 0;

    if (!g_file_get_contents(log_file, &text, NULL, NULL)) {
        return 0;
    }
    for (char *at = text; (at = strchr(at, '\n')); at++) {
        g_assert_cmpint(at[-1], ==, '\t');
        count++;
    }
    return count;
}

static void start_log(void)
{
    g_unlink(log_file);
}

/* ---- gone while the compiler is busy ---- */

/*
 * shaders/endless.s with a loop so long that compiling it takes a while; its
 * first three instructions say that it has started.
 */
static void start_long(TqGpu *gpu, unsigned slot)
{
    TqQueue q = tq_queue(gpu, slot);
    uint64_t buf = tq_alloc(gpu, 64), kernarg = tq_alloc(gpu, 64);
    uint64_t kernel = (tq_alloc(gpu, 2 * 4096) + 4095) & ~4095ull;
    const uint64_t ready = tq_shader(gpu, "endless", false);
    uint32_t code[128], words[LONG];
    unsigned loop = 0;
    AqlDispatch p;

    tq_get(gpu, ready, code, sizeof(code));
    while (code[loop] != 0x68060681) { /* v_add_u32 v3, 1, v3 */
        g_assert_cmpuint(++loop, <, G_N_ELEMENTS(code));
    }
    for (unsigned i = 0; i < LONG; i++) {
        /* v_add_u32 vN, 1, vN with N from 4 */
        words[i] = 0x68000081 | (4 + i % 20) * 0x20200;
    }
    words[LONG - 1] = 0xbf820000 | (uint16_t)-LONG; /* s_branch to the first */
    tq_put(gpu, kernel, code, loop * 4);
    tq_put(gpu, kernel + loop * 4, words, sizeof(words));
    tq_put64(gpu, kernarg, buf);
    p = tq_dispatch(gpu, kernel, kernarg, 256, 64);
    tq_push(&q, &p);
    g_assert_true(tq_wait32(gpu, buf, 1));
}

static void test_quit(void)
{
    for (unsigned i = 0; i < 6; i++) {
        TqGpu *gpu = attach(",jit=on");

        start_long(gpu, 0);
        g_usleep(i * 60000);
        tq_end(gpu); /* looks at how QEMU ends */
    }
}

#define RP_DEVFN (3 << 3)

static void test_unplug(void)
{
    QTestState *qts = tq_start_qemu(TQ_ROOT_PORT);

    tq_open_root_port(qts, RP_DEVFN, 0xe0000000);
    for (unsigned i = 0; i < 6; i++) {
        TqGpu *gpu;

        qtest_qmp_device_add(qts, "tessera", "hot",
                             "{'bus': 'rp', 'vram-size': 67108864,"
                             " 'jit': true}");
        tq_power_slot(qts, RP_DEVFN);
        gpu = tq_attach(qts, 1, 0, 0xe0000000);
        start_long(gpu, 0);
        g_usleep(i * 60000);
        tq_unplug(qts, RP_DEVFN, "hot");
        tq_end(gpu);
    }
    qtest_quit(qts);
}

/* ---- several ---- */

/* Both begin at the same time, and both make code of their own. */
static void test_devices(void)
{
    TqGpu *gpu = attach(",jit=on "
                        "-device tessera,id=gpu1,addr=5,vram-size=64M,jit=on");
    TqGpu *other = tq_attach(gpu->qts, 0, 5 << 3, 0xe8000000);
    TqEndless e[2];

    start_log();
    e[0] = tq_endless(gpu, 0, false);
    e[1] = tq_endless(other, 0, true);
    g_assert_true(TQ_POLL(compiled() >= 2));
    for (unsigned i = 0; i < 2; i++) {
        g_assert_true(tq_counts(&e[i]));
    }
    qtest_qmp_assert_success(gpu->qts, "{'execute': 'stop'}");
    for (unsigned i = 0; i < 2; i++) {
        g_assert_true(tq_stands_still(&e[i]));
    }
    qtest_qmp_assert_success(gpu->qts, "{'execute': 'cont'}");
    for (unsigned i = 0; i < 2; i++) {
        g_assert_true(tq_counts(&e[i]));
        g_assert_cmpint(tq_queue_kill(&e[i].q), ==, TESSERA_RESULT_OK);
        g_assert_true(tq_stands_still(&e[i]));
    }
    tq_end(other);
    tq_end(gpu);
}

/* ---- code that changes ---- */

static unsigned long resident_kb(void)
{
    return tq_process_fact(pid_file, "VmRSS");
}

/* Each dispatch at one address finds other code; one constant of it differs. */
static void run_codes(TqQueue *q, uint64_t buf, uint64_t kernel,
                      uint64_t kernarg, unsigned first)
{
    for (unsigned n = first; n < first + CODES; n++) {
        const uint32_t code[] = {
            0xc0060100, 0,              /* s_load_dwordx2 s[4:5], s[0:1], 0 */
            0x7e0402ff, 0x10000 + n,    /* v_mov_b32 v2, 0x10000 + n */
            0x24020082,                 /* v_lshlrev_b32 v1, 2, v0 */
            0x68040500,                 /* v_add_u32 v2, v0, v2 */
            0xbf8cc07f,                 /* s_waitcnt lgkmcnt(0) */
            0xdc708000, 0x00040201,     /* global_store_dword v1, v2, s[4:5] */
            0xbf810000,                 /* s_endpgm */
        };
        AqlDispatch p = tq_dispatch(q->gpu, kernel, kernarg, 64, 64);

        tq_put(q->gpu, kernel + ENTRY, code, sizeof(code));
        tq_run(q, &p);
        for (unsigned i = 0; i < 64; i++) {
            g_assert_cmphex(tq_get32(q->gpu, buf + i * 4), ==, 0x10000 + n + i);
        }
    }
}

/* TESSERA_JIT=now: each of them is compiled before it runs. */
static void test_codes(void)
{
    TqGpu *gpu;
    TqQueue q;
    uint64_t buf, kernarg, kernel;
    unsigned long kb;

    g_setenv("TESSERA_JIT", "now", true);
    gpu = attach("");
    q = tq_queue(gpu, 0);
    buf = tq_alloc(gpu, 256);
    kernarg = tq_alloc(gpu, 64);
    kernel = tq_shader(gpu, "store", false);
    start_log();
    tq_put64(gpu, kernarg, buf);
    run_codes(&q, buf, kernel, kernarg, 0);
    g_assert_cmpuint(compiled(), >=, CODES);
    kb = resident_kb();
    run_codes(&q, buf, kernel, kernarg, CODES);
    g_assert_cmpuint(compiled(), >=, 2 * CODES);
    g_test_message("%lu KiB, then %lu", kb, resident_kb());
    g_assert_cmpuint(resident_kb(), <=, kb + GROWTH_MAX_KB);
    tq_end(gpu);
}

int main(int argc, char **argv)
{
    int status;

    g_test_init(&argc, &argv, NULL);
    log_file = g_strdup_printf("%s/tessera-jit-%d.log", g_get_tmp_dir(),
                               getpid());
    pid_file = g_strdup_printf("%s/tessera-jit-%d.pid", g_get_tmp_dir(),
                               getpid());
    g_setenv("TESSERA_JIT_LOG", log_file, true);
    g_test_add_func("/jit/quit", test_quit);
    g_test_add_func("/jit/unplug", test_unplug);
    g_test_add_func("/jit/devices", test_devices);
    g_test_add_func("/jit/codes", test_codes);
    status = g_test_run();
    g_unlink(log_file);
    g_unlink(pid_file);
    g_free(log_file);
    g_free(pid_file);
    return status;
}
