/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See jit.h.  The compiler itself is in a shared object beside this one.
 *
 * Locking: EngineJit.lock guards the table of codes and the queue.  Workers
 * take it when a page gets hot, and when a page that was is dropped; never
 * while they execute instructions.
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "../jit/jit.h"
#include "jit.h"
#include "sched.h"

/*
 * A page is hot after so many waves began there; a quantum's end counts more.
 * It takes twice as many with each time that it has been compiled.
 */
#define HEAT 64
#define HEAT_AGAIN 16   /* and wants to be entered elsewhere as well */
#define SOME_HEAT 256   /* times that code was left for want of lanes */
#define CODES_MAX 256   /* pages that are kept compiled */
#define ATTEMPTS_MAX 16 /* times that one page is compiled */

struct JitCode {
    /* What it is code of. */
    unsigned lanes, words;
    uint32_t bytes[PAGE_SLOTS + PAGE_OVERHANG];
    Uop uops[PAGE_SLOTS + PAGE_OVERHANG]; /* as they were decoded */

    /* Under the lock. */
    bool queued;
    unsigned attempts;
    unsigned users; /* pages */
    uint64_t used;  /* when, in codes asked for */
    uint64_t wanted[PAGE_SLOTS / 64]; /* slots to enter it at */
    bool some;      /* and with some lanes */
    GSList *jobs; /* done, the newest first; waves may be in any of them */

    unsigned version; /* atomic: number of jobs done */
};

struct EngineJit {
    const EngineConfig *config;
    const JitIsa *isa;
    bool now; /* all is compiled before it runs */
    const JitApi *api; /* the compiling thread's */
    TesseraThread *thread;
    pthread_mutex_t lock;
    pthread_cond_t wake, idle;
    GHashTable *codes; /* set of JitCode */
    GQueue queue;      /* of JitCode: to be compiled */
    GQueue dead;       /* of JitJob: whose code is to be freed */
    bool busy, quit;
    uint64_t clock;
    EngineJitCounts counts;
};

/* ---- the table ---- */

static guint code_hash(gconstpointer key)
{
    const JitCode *code = key;
    uint32_t hash = code->lanes;

    for (unsigned i = 0; i < PAGE_SLOTS; i++) {
        hash = (hash ^ code->bytes[i]) * 0x01000193u;
    }
    return hash;
}

static gboolean code_equal(gconstpointer a, gconstpointer b)
{
    const JitCode *x = a, *y = b;

    return x->lanes == y->lanes && x->words == y->words &&
           memcmp(x->bytes, y->bytes, x->words * 4) == 0;
}

static void job_free(gpointer p)
{
    g_free(((JitJob *)p)->error);
    g_free(p);
}

static void code_free(gpointer p)
{
    g_slist_free_full(((JitCode *)p)->jobs, job_free);
    g_free(p);
}

/* Under the lock: forget @code, which no page uses. */
static void code_drop(EngineJit *jit, JitCode *code)
{
    for (GSList *job = code->jobs; job; job = job->next) {
        g_queue_push_tail(&jit->dead, job->data);
    }
    g_slist_free(code->jobs);
    code->jobs = NULL;
    g_hash_table_remove(jit->codes, code);
    pthread_cond_signal(&jit->wake);
}

/* The micro-operation in slot @i, without anything that stands before it. */
static Uop real_uop(const CodePage *page, unsigned i)
{
    Uop uop = page->uops[i];

    if (page->real && i < PAGE_SLOTS) {
        uop.fn = page->real[i];
    }
    return uop;
}

/* Of codes that no page uses, the one that was wanted longest ago. */
static JitCode *oldest_unused(EngineJit *jit)
{
    GHashTableIter iter;
    JitCode *code, *oldest = NULL;

    g_hash_table_iter_init(&iter, jit->codes);
    while (g_hash_table_iter_next(&iter, (gpointer *)&code, NULL)) {
        if (!code->users && !code->queued &&
            (!oldest || code->used < oldest->used)) {
            oldest = code;
        }
    }
    return oldest;
}

/* The code of @page's bytes; NULL if there is no room for more. */
static JitCode *find_code(EngineJit *jit, const CodePage *page)
{
    JitCode *key = g_new0(JitCode, 1), *code;

    key->lanes = page->lanes;
    key->words = page->words;
    memcpy(key->bytes, page->bytes, page->words * 4);
    for (unsigned i = 0; i < PAGE_SLOTS + PAGE_OVERHANG; i++) {
        key->uops[i] = real_uop(page, i);
    }
    code = g_hash_table_lookup(jit->codes, key);
    if (code) {
        g_free(key);
        return code;
    }
    if (g_hash_table_size(jit->codes) >= CODES_MAX) {
        JitCode *old = oldest_unused(jit);

        if (!old) {
            g_free(key);
            return NULL;
        }
        code_drop(jit, old);
    }
    g_hash_table_add(jit->codes, key);
    return key;
}

/* ---- loading ---- */

/*
 * The object that lies beside the one that this function is in, if the
 * environment names no other.
 */
static char *object_path(void)
{
    const char *named = g_getenv("TESSERA_JIT_OBJECT");
    Dl_info info;
    char *folder, *path;

    if (named) {
        return g_strdup(named);
    }
    if (!dladdr((void *)(uintptr_t)object_path, &info) || !info.dli_fname) {
        return g_strdup("tessera-jit.so");
    }
    folder = g_path_get_dirname(info.dli_fname);
    path = g_build_filename(folder, "tessera-jit.so", NULL);
    g_free(folder);
    return path;
}

/* It stays loaded. */
static const JitApi *load(void)
{
    char *path = object_path();
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const JitApi *api = object ? dlsym(object, "tessera_jit") : NULL;

    g_free(path);
    return api && api->size == sizeof(JitJob) ? api : NULL;
}

bool engine_has_jit(void)
{
    return load() != NULL;
}

/* ---- at the process's end ---- */

/*
 * A process may end while code is compiled: QEMU does not free its devices
 * then.  exit() destroys LLVM's static objects, so the compiler must be at rest
 * before: what it is about is waited for, and nothing begins any more.
 */
static pthread_rwlock_t compiling = PTHREAD_RWLOCK_INITIALIZER;
static bool ending;

static void rest(void *unused)
{
    __atomic_store_n(&ending, true, __ATOMIC_SEQ_CST);
    pthread_rwlock_wrlock(&compiling);
    pthread_rwlock_unlock(&compiling);
}

/*
 * Handlers of exit() would not do: those of LLVM, which is loaded later and in
 * another thread, run before ours.  What C++ calls when a thread's variables
 * go, which for the main thread is in exit(), comes before them all.
 */
int __cxa_thread_atexit_impl(void (*fn)(void *), void *opaque, void *object);
extern void *__dso_handle;

static void rest_at_exit(void)
{
    static bool done; /* atomic */

    if (getpid() == gettid() &&
        !__atomic_exchange_n(&done, true, __ATOMIC_RELAXED)) {
        __cxa_thread_atexit_impl(rest, NULL, &__dso_handle);
    }
}

/* False: the process ends.  Otherwise followed by end_work(). */
static bool begin_work(void)
{
    pthread_rwlock_rdlock(&compiling);
    if (__atomic_load_n(&ending, __ATOMIC_SEQ_CST)) {
        pthread_rwlock_unlock(&compiling);
        return false;
    }
    return true;
}

static void end_work(void)
{
    pthread_rwlock_unlock(&compiling);
}

/* ---- the compiling thread ---- */

static JitJob *make_job(EngineJit *jit, JitCode *code)
{
    JitJob *job = g_new0(JitJob, 1);

    job->isa = jit->isa;
    job->lanes = code->lanes;
    job->some = code->some;
    memcpy(job->entries, code->wanted, sizeof(job->entries));
    job->uops = code->uops;
    return job;
}

/* Under the lock: the first failure is told, the rest are counted. */
static void tell_failure(EngineJit *jit, const char *why)
{
    const TesseraHost *host = jit->config->host;

    if (jit->counts.failures++ == 0) {
        g_autofree char *text = g_strdup_printf(
            "shader code cannot be compiled and is interpreted: %s", why);

        host->ops->log(host->opaque, TESSERA_LOG_INFO, text);
    }
}

/*
 * For whoever wants to see what is compiled: the file that TESSERA_JIT_LOG
 * names gets a line for each page, with its lanes, the instructions of its
 * code, the nanoseconds that they took, its programs for several waves, and why
 * there is no code.
 */
static void log_job(const JitJob *job, uint64_t ns)
{
    const char *name = g_getenv("TESSERA_JIT_LOG");
    FILE *log = name ? fopen(name, "a") : NULL;

    if (log) {
        fprintf(log, "%s\t%u\t%u\t%" PRIu64 "\t%u\t%s\n",
                job->isa->level, job->lanes,
                job->code ? job->instructions : 0, ns,
                job->code ? job->together : 0, job->error ?: "");
        fclose(log);
    }
}

/* Processor time of this thread. */
static uint64_t cpu_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Under the lock, which is let go of meanwhile. */
static void compile(EngineJit *jit, JitCompiler *compiler, JitCode *code)
{
    JitJob *job = make_job(jit, code);
    uint64_t began = cpu_ns(), ns;

    jit->busy = true;
    code->queued = false; /* what is wanted from now on is another job */
    code->users++;        /* so that it stays */
    pthread_mutex_unlock(&jit->lock);
    jit->api->compile(compiler, job);
    ns = cpu_ns() - began;
    log_job(job, ns);
    pthread_mutex_lock(&jit->lock);
    jit->busy = false;
    code->users--;
    code->jobs = g_slist_prepend(code->jobs, job);
    jit->counts.pages += job->code != NULL;
    jit->counts.instructions += job->instructions;
    jit->counts.cpu_ns += ns;
    if (job->error) {
        tell_failure(jit, job->error);
    }
    __atomic_add_fetch(&code->version, 1, __ATOMIC_RELEASE);
}

/* Under the lock: what is to be done next; false if there is nothing. */
static bool work(EngineJit *jit, JitCompiler *compiler)
{
    JitJob *dead = g_queue_pop_head(&jit->dead);
    JitCode *code = dead ? NULL : g_queue_pop_head(&jit->queue);

    if (dead) {
        jit->api->drop(compiler, dead);
        job_free(dead);
    } else if (code) {
        compile(jit, compiler, code);
    }
    return dead || code;
}

/* Under the lock: nobody is to wait for code any more. */
static void quit(EngineJit *jit)
{
    jit->quit = true;
    g_queue_clear(&jit->queue);
    pthread_cond_broadcast(&jit->idle);
}

/* Until it is to quit, or the process ends. */
static void compile_all(EngineJit *jit, JitCompiler *compiler)
{
    pthread_mutex_lock(&jit->lock);
    while (!jit->quit && begin_work()) {
        bool worked = work(jit, compiler);

        end_work();
        if (!worked) {
            pthread_cond_broadcast(&jit->idle);
            pthread_cond_wait(&jit->wake, &jit->lock);
        }
    }
    quit(jit);
    pthread_mutex_unlock(&jit->lock);
}

/* No wave runs any more: the code may go. */
static void drop_all(EngineJit *jit, JitCompiler *compiler)
{
    GHashTableIter iter;
    JitCode *code;
    JitJob *job;

    g_hash_table_iter_init(&iter, jit->codes);
    while (g_hash_table_iter_next(&iter, (gpointer *)&code, NULL)) {
        for (GSList *at = code->jobs; at; at = at->next) {
            jit->api->drop(compiler, at->data);
        }
    }
    while ((job = g_queue_pop_head(&jit->dead))) {
        jit->api->drop(compiler, job);
        job_free(job);
    }
}

static void give_up(EngineJit *jit, const char *why)
{
    pthread_mutex_lock(&jit->lock);
    tell_failure(jit, why);
    quit(jit);
    pthread_mutex_unlock(&jit->lock);
}

/* The process ends. */
static void quit_silently(EngineJit *jit)
{
    pthread_mutex_lock(&jit->lock);
    quit(jit);
    pthread_mutex_unlock(&jit->lock);
}

/* Loading takes longer than many a kernel does, so it is done here. */
static JitCompiler *open_compiler(EngineJit *jit)
{
    g_autoptr(GError) error = NULL;
    JitCompiler *compiler;

    jit->api = load();
    if (!jit->api) {
        give_up(jit, "there is no tessera-jit.so of this build");
        return NULL;
    }
    compiler = jit->api->open(jit->isa, &error);
    if (!compiler) {
        give_up(jit, error->message);
    }
    return compiler;
}

static void *compile_thread(void *opaque)
{
    EngineJit *jit = opaque;
    JitCompiler *compiler = NULL;

    if (begin_work()) {
        compiler = open_compiler(jit);
        end_work();
    } else {
        quit_silently(jit);
    }
    if (compiler) {
        compile_all(jit, compiler);
        if (begin_work()) {
            drop_all(jit, compiler);
            jit->api->close(compiler);
            end_work();
        }
    }
    return NULL;
}

/* Wait until all that was asked for is compiled. */
static void wait_idle(EngineJit *jit)
{
    pthread_mutex_lock(&jit->lock);
    while (!jit->quit && (jit->busy || !g_queue_is_empty(&jit->queue))) {
        pthread_cond_wait(&jit->idle, &jit->lock);
    }
    pthread_mutex_unlock(&jit->lock);
}

/* ---- from the engine's start to its end ---- */

/*
 * TESSERA_JIT in the environment has code compiled where nothing else asks for
 * it: so all tests can be run that way, which know nothing of it.  What is run
 * for that must not be interpreted in silence.
 */
static bool find_mode(TesseraJit *mode, GError **error)
{
    const char *text = g_getenv("TESSERA_JIT");

    if (!text || *mode) {
        return true;
    }
    *mode = g_str_equal(text, "now") ? TESSERA_JIT_NOW :
            g_str_equal(text, "on") ? TESSERA_JIT_ON : TESSERA_JIT_OFF;
    if (!*mode && !g_str_equal(text, "off")) {
        g_set_error(error, g_quark_from_static_string("tessera"), 0,
                    "TESSERA_JIT in the environment must be on, off or now, "
                    "not %s", text);
        return false;
    }
    if (*mode && !engine_has_jit()) {
        g_set_error(error, g_quark_from_static_string("tessera"), 0,
                    "TESSERA_JIT in the environment asks for compiled code, "
                    "but there is no tessera-jit.so of this build");
        return false;
    }
    return true;
}

bool jit_new(const EngineConfig *config, EngineJit **made, GError **error)
{
    const TesseraIsaExec *exec = config->isa->exec[config->level];
    TesseraJit mode = config->jit;
    EngineJit *jit;

    *made = NULL;
    if (!exec->jit) {
        return true;
    }
    if (!find_mode(&mode, error)) {
        return false;
    }
    if (!mode) {
        return true;
    }
    jit = g_new0(EngineJit, 1);
    jit->config = config;
    jit->isa = exec->jit;
    jit->now = mode == TESSERA_JIT_NOW;
    pthread_mutex_init(&jit->lock, NULL);
    pthread_cond_init(&jit->wake, NULL);
    pthread_cond_init(&jit->idle, NULL);
    jit->codes = g_hash_table_new_full(code_hash, code_equal, code_free, NULL);
    g_queue_init(&jit->queue);
    g_queue_init(&jit->dead);
    rest_at_exit();
    *made = jit;
    return true;
}

void jit_free(EngineJit *jit)
{
    if (!jit) {
        return;
    }
    pthread_mutex_lock(&jit->lock);
    jit->quit = true;
    pthread_cond_broadcast(&jit->wake);
    pthread_mutex_unlock(&jit->lock);
    if (jit->thread) {
        const TesseraHost *host = jit->config->host;

        host->ops->thread_join(host->opaque, jit->thread);
    }
    g_hash_table_destroy(jit->codes);
    g_queue_clear(&jit->queue);
    g_queue_clear_full(&jit->dead, job_free);
    pthread_cond_destroy(&jit->wake);
    pthread_cond_destroy(&jit->idle);
    pthread_mutex_destroy(&jit->lock);
    g_free(jit);
}

/* Under the lock: the thread, when it is first wanted. */
static bool started(EngineJit *jit)
{
    const TesseraHost *host = jit->config->host;

    if (!jit->thread && !jit->quit) {
        jit->thread = host->ops->thread_start(host->opaque, "tessera-jit",
                                              compile_thread, jit);
        jit->quit = !jit->thread;
        if (jit->quit) {
            tell_failure(jit, "there is no thread for it");
        }
    }
    return !jit->quit;
}

void jit_counts(EngineJit *jit, EngineJitCounts *counts)
{
    pthread_mutex_lock(&jit->lock);
    *counts = jit->counts;
    pthread_mutex_unlock(&jit->lock);
}

/* ---- for workers ---- */

/* Under the lock. */
static void want(EngineJit *jit, JitCode *code, unsigned slot, bool some)
{
    code->used = ++jit->clock;
    if ((slot_bit(code->wanted, slot) && (code->some || !some)) ||
        code->attempts >= ATTEMPTS_MAX) {
        return;
    }
    slot_bit_set(code->wanted, slot);
    code->some |= some;
    if (!code->queued) {
        code->queued = true;
        code->attempts++;
        g_queue_push_tail(&jit->queue, code);
        pthread_cond_signal(&jit->wake);
    }
}

static void ask(EngineJit *jit, CodePage *page, unsigned slot)
{
    pthread_mutex_lock(&jit->lock);
    if (started(jit)) {
        if (!page->jit) {
            page->jit = find_code(jit, page);
            if (page->jit) {
                page->jit->users++;
            }
        }
        if (page->jit) {
            want(jit, page->jit, slot, page->some_heat >= SOME_HEAT);
        }
    }
    pthread_mutex_unlock(&jit->lock);
}

/* Put code in the place of handlers, which are kept aside. */
static void install(EngineJit *jit, CodePage *page)
{
    const JitJob *job;

    pthread_mutex_lock(&jit->lock);
    job = page->jit->jobs->data;
    page->jit_version = page->jit->version;
    page->heat_shift = (uint8_t)page->jit->attempts;
    if (!page->real) {
        page->real = g_new(UopFn *, PAGE_SLOTS);
        for (unsigned i = 0; i < PAGE_SLOTS; i++) {
            page->real[i] = page->uops[i].fn;
        }
    }
    for (unsigned i = 0; job->code && i < PAGE_SLOTS; i++) {
        if (slot_bit(job->enters, i)) {
            page->uops[i].fn = job->code;
        }
    }
    if (job->code) {
        memcpy(page->begins, job->begins, sizeof(page->begins));
    }
    pthread_mutex_unlock(&jit->lock);
}

static void install_newest(EngineJit *jit, CodePage *page)
{
    if (page->jit && __atomic_load_n(&page->jit->version, __ATOMIC_ACQUIRE) !=
                         page->jit_version) {
        install(jit, page);
    }
}

/* Does compiled code begin at @slot? */
static bool has_code(const CodePage *page, unsigned slot)
{
    return page->real && page->uops[slot].fn != page->real[slot];
}

/* Code for any lanes, and wait for it. */
static void visit_now(EngineJit *jit, CodePage *page, unsigned slot)
{
    if (has_code(page, slot)) {
        return;
    }
    page->some_heat = SOME_HEAT;
    ask(jit, page, slot);
    wait_idle(jit);
    install_newest(jit, page);
}

void jit_visit(Worker *worker, CodePage *page, unsigned slot, unsigned weight)
{
    EngineJit *jit = worker->engine->jit;

    if (page->counted || page->checked || page->cut) {
        return;
    }
    if (jit->now) {
        visit_now(jit, page, slot);
        return;
    }
    install_newest(jit, page);
    if (page->some_heat >= SOME_HEAT) {
        ask(jit, page, slot);
        page->some_heat = 0;
    }
    if (has_code(page, slot)) {
        return; /* it goes on in compiled code */
    }
    page->heat += weight;
    if (page->heat >= HEAT << page->heat_shift) {
        page->heat -= HEAT_AGAIN << page->heat_shift;
        ask(jit, page, slot);
    }
}

void jit_forget(CodePage *page)
{
    if (page->jit) {
        page->worker->jit_left = g_slist_prepend(page->worker->jit_left,
                                                 page->jit);
    }
    if (page->jit_version) {
        g_free(page->real);
        page->real = NULL;
    }
    page->jit = NULL;
    page->jit_version = 0;
    memset(page->begins, 0, sizeof(page->begins));
    page->heat = page->some_heat = page->heat_shift = 0;
}

void jit_leave(Worker *worker)
{
    EngineJit *jit = worker->engine->jit;

    pthread_mutex_lock(&jit->lock);
    for (GSList *left = worker->jit_left; left; left = left->next) {
        ((JitCode *)left->data)->users--;
    }
    pthread_mutex_unlock(&jit->lock);
    g_slist_free(worker->jit_left);
    worker->jit_left = NULL;
}
