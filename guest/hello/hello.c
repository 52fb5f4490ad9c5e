/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hello, Tessera: a whole GPU driver in one file.
 *
 * An ordinary program (run as root, with no kernel module) that finds the GPU
 * on the PCI bus, brings it up register by register, loads compiled kernels
 * and runs them.  It is meant to be read from top to bottom; the chapters are
 * those of docs/programming-guide.md:
 *
 *   1 finding the device    3 the interrupt ring    5 code
 *   2 memory                4 the queue             6 dispatch, and blocks
 *                                                   7 scanout
 *
 * Beside it lie codeobject.c, the reader of the compiler's output, and
 * programs.c, what is run and how the results are checked.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "hello.h"

#define RAM_SIZE (2u << 20)      /* one huge page, see chapter 2 */
#define VRAM_USED (16u << 20)    /* of VRAM's size */
#define CODE_SIZE (64u << 10)    /* the most that a code object may need */
#define IH_ENTRIES_LOG2 6
#define RING_PACKETS 64
#define QUEUE_SLOT 0             /* any of the device's 1,024 */
#define DOORBELL 0               /* any of VMID 0's 1,024 */
#define EVENT_DISPATCH 7         /* any number but 0 */
#define PATIENCE_S 60

/* What we and the device tell each other in guest RAM. */
typedef struct Shared {
    TesseraIhEntry events[1 << IH_ENTRIES_LOG2];
    AqlDispatch ring[RING_PACKETS];
    AmdQueue queue;
    TesseraQueue descriptor;
    TesseraCommand command;
    AmdSignal stopped;    /* why the queue stopped, if it did */
    AmdSignal completion; /* of the dispatch under way */
    uint64_t mailbox;
    uint64_t fence;
    uint32_t event_count; /* that the device has posted */
    _Alignas(64) uint8_t kernarg[4096];
    TesseraBlockGprs gprs;       /* of a block dispatch: at its beginning, */
    TesseraBlockResult result;   /* and at its end */
} Shared;

static volatile uint8_t *regs;       /* BAR 0 */
static volatile uint64_t *doorbells; /* BAR 4 */
Memory vram;                         /* BAR 2 */
Memory ram;
static Shared *shared;               /* the beginning of ram */
static uint32_t events_read;         /* that we have consumed */

void die(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    printf("FAIL driver: ");
    vprintf(format, args);
    printf("\n");
    exit(2);
}

/* ---- 1. Finding the device ---- */

static unsigned read_id(const char *device, const char *name)
{
    char path[512];
    unsigned id = 0;
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", device, name);
    file = fopen(path, "r");
    if (!file || fscanf(file, "%x", &id) != 1) {
        die("cannot read %s", path);
    }
    fclose(file);
    return id;
}

/* The folder of the first GPU of ours, like /sys/bus/pci/devices/0000:... */
static const char *find_device(void)
{
    static char path[300];
    DIR *bus = opendir("/sys/bus/pci/devices");
    struct dirent *entry;

    while (bus && (entry = readdir(bus))) {
        snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s", entry->d_name);
        if (entry->d_name[0] != '.' &&
            read_id(path, "vendor") == TESSERA_PCI_VENDOR &&
            read_id(path, "device") == TESSERA_PCI_DEVICE) {
            closedir(bus);
            return path;
        }
    }
    die("no PCI device %04x:%04x", TESSERA_PCI_VENDOR, TESSERA_PCI_DEVICE);
}

/*
 * Let the device answer at its BARs (memory, bit 1 of the command register)
 * and reach guest RAM by itself (bus master, bit 2).
 */
static void enable_device(const char *device)
{
    char path[512];
    uint16_t command;
    int fd;

    snprintf(path, sizeof(path), "%s/config", device);
    fd = open(path, O_RDWR);
    if (fd < 0 || pread(fd, &command, 2, 4) != 2) {
        die("cannot open %s: %s", path, strerror(errno));
    }
    command |= 1 << 1 | 1 << 2;
    if (pwrite(fd, &command, 2, 4) != 2) {
        die("cannot write %s: %s", path, strerror(errno));
    }
    close(fd);
}

static void *map_bar(const char *device, int bar, size_t size)
{
    char path[512];
    void *address;
    int fd;

    snprintf(path, sizeof(path), "%s/resource%d", device, bar);
    fd = open(path, O_RDWR);
    if (fd < 0) {
        die("cannot open %s: %s", path, strerror(errno));
    }
    address = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (address == MAP_FAILED) {
        die("cannot map %s: %s", path, strerror(errno));
    }
    close(fd);
    return address;
}

static uint32_t read32(uint32_t reg)
{
    return *(volatile uint32_t *)(regs + reg);
}

static uint64_t read64(uint32_t reg)
{
    return *(volatile uint64_t *)(regs + reg);
}

static void write32(uint32_t reg, uint32_t value)
{
    *(volatile uint32_t *)(regs + reg) = value;
}

static void write64(uint32_t reg, uint64_t value)
{
    *(volatile uint64_t *)(regs + reg) = value;
}

/* However we end, the device has to stop before our memory goes away. */
static void reset_device(void)
{
    write32(TESSERA_REG_CONTROL, TESSERA_CONTROL_RESET_MASK);
}

/* Is this the device, and the register map, that we were written for? */
static void check_identity(void)
{
    uint32_t version = read32(TESSERA_REG_SPEC_VERSION);

    if (read32(TESSERA_REG_ID) != TESSERA_MAGIC) {
        die("ID is %#x, not %#x", read32(TESSERA_REG_ID), TESSERA_MAGIC);
    }
    if (version >> 16 != TESSERA_SPEC_VERSION >> 16) {
        die("register map %u is not the %u that we know", version >> 16,
            TESSERA_SPEC_VERSION >> 16);
    }
    write32(TESSERA_REG_TEST_SCRATCH, 0xc0ffee);
    if (read32(TESSERA_REG_TEST_SCRATCH) != 0xc0ffee) {
        die("TEST_SCRATCH does not hold what is written");
    }
    printf("hello: GPU with ISA %u, %u compute units, %" PRIu64 " MiB of VRAM,"
           " register map %u.%u\n", read32(TESSERA_REG_ISA),
           read32(TESSERA_REG_CU_COUNT), read64(TESSERA_REG_VRAM_SIZE) >> 20,
           version >> 16, version & 0xffff);
}

/* ---- 2. Memory ---- */

/*
 * The bus address of a locked page.  Without an IOMMU it is the physical
 * address, which the kernel tells root: bits 54:0 of the page's 64-bit entry
 * are its frame number, bit 63 says that it is there.
 */
static uint64_t bus_address(const void *page)
{
    uint64_t entry = 0;
    int fd = open("/proc/self/pagemap", O_RDONLY);
    off_t offset = (uintptr_t)page / 4096 * sizeof(entry);

    if (pread(fd, &entry, sizeof(entry), offset) != sizeof(entry)) {
        die("cannot read /proc/self/pagemap: %s", strerror(errno));
    }
    close(fd);
    entry = entry >> 63 ? entry & ((1ull << 55) - 1) : 0;
    if (!entry) {
        die("the kernel does not tell physical addresses; are you root?");
    }
    return entry * 4096;
}

/*
 * Guest RAM for the device.  VMID 0 has no page tables, so what the device
 * walks through must be contiguous on the bus, and it must never move: one
 * huge page is both.
 */
static void get_ram(void)
{
    FILE *pool = fopen("/proc/sys/vm/nr_hugepages", "w");
    void *page;

    if (!pool || fprintf(pool, "1") < 0 || fclose(pool)) {
        die("cannot set vm.nr_hugepages; are you root?");
    }
    page = mmap(NULL, RAM_SIZE, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_LOCKED, -1, 0);
    if (page == MAP_FAILED) {
        die("no huge page is to be had: %s", strerror(errno));
    }
    memset(page, 0, RAM_SIZE);
    ram = (Memory){ page, bus_address(page), RAM_SIZE, 0 };
    shared = (Shared *)take(&ram, sizeof(Shared)).cpu;
}

/* VRAM is mapped like registers; VMID 0 sees it at a window of its own. */
static void get_vram(const char *device)
{
    if (read64(TESSERA_REG_VRAM_SIZE) < VRAM_USED) {
        die("less than %u MiB of VRAM", VRAM_USED >> 20);
    }
    vram = (Memory){ map_bar(device, TESSERA_BAR_VRAM, VRAM_USED),
                     TESSERA_VRAM_WINDOW, VRAM_USED, 0 };
}

/* Where the GPU sees a field of Shared. */
static uint64_t gpu_address(const void *field)
{
    return ram.gpu + ((const uint8_t *)field - ram.cpu);
}

Memory take(Memory *from, uint32_t size)
{
    Memory piece = { from->cpu + from->used, from->gpu + from->used, size, 0 };
    uint32_t rounded = (size + 4095) & ~4095u;

    if (size > from->size || rounded > from->size - from->used) {
        die("out of memory");
    }
    from->used += rounded;
    memset(piece.cpu, 0, size);
    return piece;
}

/* ---- 3. The interrupt ring ---- */

/*
 * The device tells what happened by 32-byte entries in a ring in guest RAM.
 * It also writes the number of entries so far to memory, so that one can wait
 * without touching a register.  A kernel driver would have MSI-X vector 0
 * call it; a program looks by itself.
 */
static void start_interrupt_ring(void)
{
    events_read = read32(TESSERA_REG_IH_WPTR);
    shared->event_count = events_read;
    write32(TESSERA_REG_IH_RPTR, events_read);
    write64(TESSERA_REG_IH_BASE, gpu_address(shared->events));
    write64(TESSERA_REG_IH_WPTR_ADDR, gpu_address(&shared->event_count));
    write32(TESSERA_REG_IH_CONTROL,
            TESSERA_IH_CONTROL_ENABLE_MASK |
            IH_ENTRIES_LOG2 << TESSERA_IH_CONTROL_SIZE_LOG2_SHIFT);
}

/* What FAULT_STATUS.CAUSE means, from the register map's own table. */
static const char *cause_name(unsigned cause)
{
    static const char *const names[] = {
#define CAUSE_NAME(name, number, text) [number] = text,
        TESSERA_FAULTS(CAUSE_NAME)
    };

    return cause < sizeof(names) / sizeof(names[0]) ? names[cause] : "unknown";
}

/* Something went wrong in a shader or a packet: tell what the device knows. */
static void report_error(const TesseraIhEntry *event)
{
    uint32_t status = read32(TESSERA_REG_FAULT_STATUS);
    unsigned cause = (status & TESSERA_FAULT_STATUS_CAUSE_MASK) >>
                     TESSERA_FAULT_STATUS_CAUSE_SHIFT;

    if (status & TESSERA_FAULT_STATUS_VALID_MASK) {
        printf("hello: fault, %s: address %#" PRIx64 ", PC %#" PRIx64
               ", lanes %#" PRIx64 "\n", cause_name(cause),
               read64(TESSERA_REG_FAULT_ADDR), read64(TESSERA_REG_FAULT_PC),
               read64(TESSERA_REG_FAULT_LANES));
    }
    die("queue %u stopped with error bits %#" PRIx64, event->queue,
        event->data);
}

/* The next event into @event, if there is one. */
static bool next_event(TesseraIhEntry *event)
{
    if (__atomic_load_n(&shared->event_count, __ATOMIC_ACQUIRE) ==
        events_read) {
        return false;
    }
    *event = shared->events[events_read % (1 << IH_ENTRIES_LOG2)];
    /* The slot is the device's again. */
    write32(TESSERA_REG_IH_RPTR, ++events_read);
    if (event->source == TESSERA_IH_QUEUE_ERROR) {
        report_error(event);
    }
    return true;
}

/* Wait until the device has posted an event from @source with @data. */
static void wait_event(unsigned source, uint64_t data)
{
    struct timespec rest = { .tv_nsec = 50000 };
    time_t deadline = time(NULL) + PATIENCE_S;
    TesseraIhEntry event;

    while (time(NULL) < deadline) {
        if (!next_event(&event)) {
            nanosleep(&rest, NULL);
        } else if (event.source == source && event.data == data) {
            return;
        }
    }
    die("nothing came from source %u in %d s", source, PATIENCE_S);
}

/* The device posts an event when asked: is all the plumbing right? */
static void test_interrupt_ring(void)
{
    write32(TESSERA_REG_TEST_IRQ, 0x1234);
    wait_event(TESSERA_IH_TEST, 0x1234);
}

/* ---- 4. The queue ---- */

/* Have a command done; its result and its fence come before its event. */
static void run_command(uint32_t op, uint64_t descriptor)
{
    uint64_t fence = shared->fence + 1;

    shared->command = (TesseraCommand){
        .size = sizeof(TesseraCommand),
        .version = TESSERA_ABI_VERSION,
        .op = op,
        .slot = QUEUE_SLOT,
        .descriptor = descriptor,
        .fence_addr = gpu_address(&shared->fence),
        .fence_value = fence,
    };
    write64(TESSERA_REG_CMD_ADDR, gpu_address(&shared->command));
    wait_event(TESSERA_IH_COMMAND, fence);
    if (shared->command.result != TESSERA_RESULT_OK ||
        shared->fence != fence) {
        die("command %u ended with result %u", op, shared->command.result);
    }
}

/*
 * A queue is a ring of 64-byte packets, an AmdQueue (as the HSA runtime knows
 * it) that holds the two indices, and a signal in which the device reports
 * why the queue stopped.  The descriptor tells the device where they are.
 */
static void create_queue(void)
{
    for (unsigned i = 0; i < RING_PACKETS; i++) {
        shared->ring[i].header = AQL_TYPE_INVALID; /* nothing to read yet */
    }
    shared->stopped.kind = 1;
    shared->queue = (AmdQueue){
        .base_address = gpu_address(shared->ring),
        .size = RING_PACKETS,
        .read_dispatch_id_field_base_byte_offset =
            offsetof(AmdQueue, read_dispatch_id),
        .queue_properties = AMD_QUEUE_PROP_PTR64 | AMD_QUEUE_PROP_PROFILING,
        .queue_inactive_signal = gpu_address(&shared->stopped),
    };
    shared->descriptor = (TesseraQueue){
        .size = sizeof(TesseraQueue),
        .version = TESSERA_ABI_VERSION,
        .vmid = 0,
        .doorbell = DOORBELL,
        .ring = gpu_address(shared->ring),
        .ring_packets = RING_PACKETS,
        .read_index_addr = gpu_address(&shared->queue.read_dispatch_id),
        .write_index_addr = gpu_address(&shared->queue.write_dispatch_id),
    };
    run_command(TESSERA_CMD_MAP, gpu_address(&shared->descriptor));
}

/* ---- 5. Code ---- */

/*
 * Code runs on one instruction set only: register ISA has the number that
 * names the code object.  ISA 90000 is gfx900, 120001 gfx1201.
 */
static void code_path(const char *folder, const char *name, char *path,
                      size_t size)
{
    uint32_t isa = read32(TESSERA_REG_ISA);

    snprintf(path, size, "%s/%s-gfx%u%x%x.co", folder, name, isa / 10000,
             isa / 100 % 100, isa % 100);
}

/*
 * What a packet names is not the code but the kernel's descriptor: 64 bytes
 * that say how to start it, and what memory it needs.
 */
Kernel load_kernel(const char *folder, const char *name)
{
    Memory image = take(&vram, CODE_SIZE);
    Kernel kernel;
    char path[512];
    uint64_t at;

    code_path(folder, name, path, sizeof(path));
    at = load_code_object(path, name, &image);
    kernel = (Kernel){ .object = image.gpu + at };
    memcpy(&kernel.descriptor, image.cpu + at, sizeof(kernel.descriptor));
    return kernel;
}

/* ---- 6. Dispatch ---- */

/* A signal that the device counts down, and then sends an event for. */
static void arm_signal(AmdSignal *signal)
{
    *signal = (AmdSignal){
        .kind = 1,
        .value = 1,
        .event_mailbox_ptr = gpu_address(&shared->mailbox),
        .event_id = EVENT_DISPATCH,
    };
}

/*
 * Hand packet @index of the ring over to the device.  Its first two bytes, the
 * header, come last.
 */
static void submit(uint64_t index, uint16_t type)
{
    uint16_t *header = &shared->ring[index % RING_PACKETS].header;

    __atomic_store_n(header,
                     type | AQL_SCOPE_SYSTEM << AQL_HEADER_ACQUIRE_SHIFT |
                     AQL_SCOPE_SYSTEM << AQL_HEADER_RELEASE_SHIFT,
                     __ATOMIC_RELEASE);
    __atomic_store_n(&shared->queue.write_dispatch_id, index + 1,
                     __ATOMIC_RELEASE);
    doorbells[DOORBELL] = index;
}

void dispatch(const Kernel *kernel, Grid grid, const void *args,
              uint32_t args_size)
{
    uint64_t index = shared->queue.write_dispatch_id;
    AqlDispatch *packet = &shared->ring[index % RING_PACKETS];

    if (args_size > sizeof(shared->kernarg)) {
        die("too many arguments");
    }
    memset(shared->kernarg, 0, sizeof(shared->kernarg));
    memcpy(shared->kernarg, args, args_size);
    arm_signal(&shared->completion);

    /* What the slot held before may have been another kind of packet. */
    memset(&packet->setup, 0, sizeof(*packet) - sizeof(packet->header));
    packet->setup = grid.y > 1 ? 2 : 1;
    packet->group_x = grid.group_x;
    packet->group_y = grid.group_y;
    packet->group_z = 1;
    packet->grid_x = grid.x;
    packet->grid_y = grid.y;
    packet->grid_z = 1;
    packet->private_size = kernel->descriptor.private_segment_fixed_size;
    packet->group_size = kernel->descriptor.group_segment_fixed_size;
    packet->kernel_object = kernel->object;
    packet->kernarg_address = gpu_address(shared->kernarg);
    packet->completion_signal = gpu_address(&shared->completion);
    submit(index, AQL_TYPE_DISPATCH);
}

/*
 * LinxISA blocks come as bare code; what a program is told are its global
 * registers.  Their values at the end, and why it ended, are in a result.
 */
void dispatch_blocks(uint64_t entry, const uint64_t *gpr)
{
    uint64_t index = shared->queue.write_dispatch_id;
    AqlBlocks *packet = (AqlBlocks *)&shared->ring[index % RING_PACKETS];

    if (!(read32(TESSERA_REG_FEATURES) & TESSERA_FEATURES_BLOCKS_MASK)) {
        die("the device runs no blocks");
    }
    shared->gprs = (TesseraBlockGprs){
        .size = sizeof(TesseraBlockGprs),
        .version = TESSERA_BLOCKS_VERSION,
    };
    memcpy(shared->gprs.gpr, gpr, sizeof(shared->gprs.gpr));
    shared->result = (TesseraBlockResult){ 0 };
    arm_signal(&shared->completion);
    *packet = (AqlBlocks){
        .header = AQL_TYPE_INVALID, /* for now */
        .format = AQL_VENDOR_BLOCKS,
        .version = AQL_BLOCKS_VERSION,
        .entry = entry,
        .gprs = gpu_address(&shared->gprs),
        .result = gpu_address(&shared->result),
        .completion_signal = gpu_address(&shared->completion),
    };
    submit(index, AQL_TYPE_VENDOR);
}

const TesseraBlockResult *blocks_result(void)
{
    return &shared->result;
}

bool is_done(void)
{
    return __atomic_load_n(&shared->completion.value, __ATOMIC_ACQUIRE) == 0;
}

double wait_dispatch(void)
{
    wait_event(TESSERA_IH_SIGNAL, EVENT_DISPATCH);
    if (!is_done()) {
        die("the event came before the signal");
    }
    return (shared->completion.end_ts - shared->completion.start_ts) * 1e3 /
           TESSERA_CLOCK_HZ;
}

/* ---- 7. Scanout ---- */

/* What SCANOUT_STATUS.REASON means, from the register map's own table. */
static const char *refusal(uint32_t status)
{
    static const char *const names[] = {
#define REFUSAL(name, number, text) [number] = text,
        TESSERA_SCANOUT_ERRORS(REFUSAL)
    };
    unsigned reason = (status & TESSERA_SCANOUT_STATUS_REASON_MASK) >>
                      TESSERA_SCANOUT_STATUS_REASON_SHIFT;

    return reason < sizeof(names) / sizeof(names[0]) ? names[reason] :
           "unknown";
}

/*
 * The registers do nothing until SCANOUT_CONTROL is written: then they are
 * checked and taken over together.
 */
bool show(const Memory *pixels, uint32_t width, uint32_t height)
{
    uint32_t status;

    if (!(read32(TESSERA_REG_FEATURES) & TESSERA_FEATURES_SCANOUT_MASK)) {
        return false; /* a device without a head */
    }
    write64(TESSERA_REG_SCANOUT_BASE, pixels->cpu - vram.cpu);
    write32(TESSERA_REG_SCANOUT_WIDTH, width);
    write32(TESSERA_REG_SCANOUT_HEIGHT, height);
    write32(TESSERA_REG_SCANOUT_STRIDE, width * 4);
    write32(TESSERA_REG_SCANOUT_FORMAT, TESSERA_SCANOUT_XRGB8888);
    write32(TESSERA_REG_SCANOUT_CONTROL, TESSERA_SCANOUT_CONTROL_ENABLE_MASK);
    status = read32(TESSERA_REG_SCANOUT_STATUS);
    if (!(status & TESSERA_SCANOUT_STATUS_ACTIVE_MASK)) {
        die("the picture is refused: %s", refusal(status));
    }
    return true;
}

/* ---- All of it ---- */

int main(int argc, char **argv)
{
    const char *device = find_device();
    int failures;

    setlinebuf(stdout);
    enable_device(device);
    regs = map_bar(device, TESSERA_BAR_REGS, TESSERA_REGS_SIZE);
    doorbells = map_bar(device, TESSERA_BAR_DOORBELL, TESSERA_SLICE_SIZE);
    check_identity();
    reset_device();
    atexit(reset_device);
    get_vram(device);
    get_ram();
    start_interrupt_ring();
    test_interrupt_ring();
    create_queue();
    failures = run_programs(argc, argv);
    run_command(TESSERA_CMD_UNMAP, 0);
    return failures ? 1 : 0;
}
