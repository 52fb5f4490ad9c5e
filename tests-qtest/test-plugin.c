/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loading the plugin: its arguments, the gate, bad properties. */
#include "tessera-qtest.h"
#include "tessera-qemu-build.h"

static const char *plugin(void)
{
    return g_getenv("TESSERA_PLUGIN");
}

/* Lines of @text that say something of ours. */
static unsigned lines_with(const char *text, const char *what)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    unsigned n = 0;

    for (char **l = lines; *l; l++) {
        n += strstr(*l, what) != NULL;
    }
    return n;
}

static void test_help(void)
{
    g_autofree char *args = g_strdup_printf("-plugin %s,help", plugin());
    g_autofree char *text = NULL;

    g_assert_cmpint(tq_run_qemu(args, &text), ==, 0);
    for (const char *const *word = (const char *const[]) {
             "vram-size", "workers", "isa", "hang-timeout", "trace=", NULL };
         *word; word++) {
        g_assert_nonnull(strstr(text, *word));
    }
}

static void test_unknown_argument(void)
{
    g_autofree char *args = g_strdup_printf("-plugin %s,colour=red", plugin());
    g_autofree char *text = NULL;

    g_assert_cmpint(tq_run_qemu(args, &text), !=, 0);
    g_assert_cmpuint(lines_with(text, "unknown plugin argument 'colour=red'"),
                     ==, 1);
}

/* The device is realized, traced on stderr, and QEMU told to end. */
static void test_trace(void)
{
    g_autofree char *script = g_test_build_filename(G_TEST_DIST,
                                                    "quit.hmp", NULL);
    g_autofree char *args = g_strdup_printf(
        "-machine q35 -accel qtest -plugin %s,trace=tessera_realize "
        "-device tessera,id=one,vram-size=64M,workers=3 "
        "-monitor stdio <%s", plugin(), script);
    g_autofree char *text = NULL;

    g_assert_cmpint(tq_run_qemu(args, &text), ==, 0);
    g_assert_nonnull(strstr(text,
                            "tessera_realize one: vram 0x4000000 workers 3"));
    g_assert_null(strstr(text, "tessera_reset"));
}

/* Where TCG does not make atomics atomic the user is told. */
static void test_plain_atomics(const void *data)
{
    const char *const *what = data;
    g_autofree char *script = g_test_build_filename(G_TEST_DIST,
                                                    "quit.hmp", NULL);
    g_autofree char *args = g_strdup_printf(
        "-machine q35 -S %s -plugin %s -device tessera,vram-size=64M "
        "-monitor stdio <%s", what[0], plugin(), script);
    g_autofree char *text = NULL;

    g_assert_cmpint(tq_run_qemu(args, &text), ==, 0);
    g_assert_cmpuint(lines_with(text, "maxcpus=2"), ==, what[1] != NULL);
}

/* A plugin of another version or layout refuses with one line. */
static void test_refused(const void *data)
{
    const char *const *what = data;
    g_autofree char *args = g_strdup_printf(
        "-plugin %s/tessera-wrong-%s.so -device tessera",
        g_getenv("TESSERA_REFUSED"), what[0]);
    g_autofree char *text = NULL;

    g_assert_cmpint(tq_run_qemu(args, &text), !=, 0);
    g_assert_cmpuint(lines_with(text, "Tessera was built for"), ==, 1);
    g_assert_nonnull(strstr(text, what[1]));
    g_assert_nonnull(strstr(text, TESSERA_QEMU_VERSION));
}

static void test_bad_property(const void *data)
{
    const char *const *what = data;
    g_autofree char *args = g_strdup_printf(
        "-machine %s -accel qtest -plugin %s -device tessera%s",
        what[2] ?: "q35", plugin(), what[0]);
    g_autofree char *text = NULL;

    g_assert_cmpint(tq_run_qemu(args, &text), ==, 1);
    g_test_message("%s", text);
    g_assert_nonnull(strstr(text, what[1]));
    g_assert_cmpuint(lines_with(text, "tessera"), ==, 1);
}

/* The device is there for QMP, and -global and JSON syntax reach it. */
static void test_properties_listed(void)
{
    QTestState *qts = tq_start_qemu(
        "-global tessera.workers=2 "
        "-device '{\"driver\":\"tessera\",\"id\":\"j\","
        "\"vram-size\":67108864}'");
    g_autofree char *tree = qtest_hmp(qts, "info qtree");

    g_assert_nonnull(strstr(tree, "dev: tessera, id \"j\""));
    g_assert_nonnull(strstr(tree, "workers = 2"));
    g_assert_nonnull(strstr(tree, "vram-size = 67108864"));
    qtest_quit(qts);
}

static void test_trace_at_run_time(void)
{
    QTestState *qts = tq_start_qemu("-device tessera,vram-size=64M");

    qtest_qmp_assert_success(qts,
        "{'execute': 'trace-event-set-state', 'arguments':"
        " {'name': 'tessera_*', 'enable': true}}");
    qtest_qmp_assert_success(qts,
        "{'execute': 'trace-event-get-state', 'arguments':"
        " {'name': 'tessera_reset'}}");
    qtest_quit(qts);
}

static const char *const atomics[][2] = {
    { "-accel tcg -smp 1", "warned" },
    { "-accel tcg,thread=single -smp 2", "warned" },
    { "-accel tcg -smp 1,maxcpus=2", NULL },
    { "-accel qtest -smp 1", NULL },
};

static const char *const refused[][2] = {
    { "version", "7.2.21" },
    { "layout", "PCIDevice" },
};

static const char *const bad[][3] = {
    { ",vram-size=100M", "vram-size must be a power of two from 64M to 16G" },
    { ",vram-size=32M", "vram-size must be a power of two from 64M to 16G" },
    { ",vram-size=32G", "vram-size must be a power of two from 64M to 16G" },
    { ",vram-size=0", "vram-size must be a power of two from 64M to 16G" },
    { ",workers=65", "workers must be from 1 to 64" },
    { ",isa=gfx700", "isa must be gfx900, gfx1100, gfx1150, gfx1200 or "
                     "gfx1201, not 'gfx700'" },
    { ",hang-timeout=86400001", "hang-timeout must be from 1 to 86400000" },
    { ",hazards=maybe", "hazards must be strict or off, not 'maybe'" },
    { ",host-level=v9,vram-size=64M", "host-level" },
    { ",vram-size=64M", "PCI Express", "pc" },
};

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/plugin/help", test_help);
    g_test_add_func("/plugin/unknown-argument", test_unknown_argument);
    g_test_add_func("/plugin/trace-argument", test_trace);
    g_test_add_func("/plugin/trace-at-run-time", test_trace_at_run_time);
    g_test_add_func("/plugin/properties", test_properties_listed);
    for (size_t i = 0; i < G_N_ELEMENTS(atomics); i++) {
        g_autofree char *path = g_strdup_printf("/plugin/plain-atomics/%zu",
                                                i);
        g_test_add_data_func(path, atomics[i], test_plain_atomics);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(refused); i++) {
        g_autofree char *path = g_strdup_printf("/plugin/refused/%s",
                                                refused[i][0]);
        g_test_add_data_func(path, refused[i], test_refused);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autofree char *path = g_strdup_printf("/plugin/bad-property/%zu%s",
                                                i, bad[i][0]);
        g_test_add_data_func(path, bad[i], test_bad_property);
    }
    return g_test_run();
}
