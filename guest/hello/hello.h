/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the driver (hello.c) offers to the programs (programs.c). */
#ifndef GUEST_HELLO_H
#define GUEST_HELLO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tessera/abi.h"
#include "tessera/regs.h"

/* Memory that both sides reach: where the CPU and where the GPU sees it. */
typedef struct Memory {
    uint8_t *cpu;
    uint64_t gpu;
    uint32_t size; /* bytes */
    uint32_t used; /* bytes that take() has given away */
} Memory;

typedef struct Kernel {
    uint64_t object; /* GPU address of the kernel descriptor */
    AmdKernelDescriptor descriptor;
} Kernel;

typedef struct Grid {
    uint32_t x, y;             /* work-items in all */
    uint16_t group_x, group_y; /* work-items in a work-group */
} Grid;

/* The driver cannot go on: prints "FAIL driver: ..." and ends the program. */
__attribute__((noreturn, format(printf, 1, 2)))
void die(const char *format, ...);

extern Memory vram; /* the GPU's memory, as far as we use it */
extern Memory ram;  /* guest RAM that the GPU can reach */

/*
 * A zeroed piece of @from, page aligned, which suits every structure there
 * is.  Given back by setting @from->used to what it was before.
 */
Memory take(Memory *from, uint32_t size);

/*
 * Load kernel @name, compiled for this device, into VRAM: file NAME-ISA.co in
 * @folder, as vadd-gfx900.co.
 */
Kernel load_kernel(const char *folder, const char *name);

/*
 * Start @kernel over @grid; its arguments are copied as they lie in @args.
 * One dispatch at a time: wait for it before the next.
 */
void dispatch(const Kernel *kernel, Grid grid, const void *args,
              uint32_t args_size);

/*
 * Start LinxISA blocks at @entry; @gpr are the TESSERA_BLOCKS_GPRS global
 * registers.  To be waited for as a kernel is; then there is a result.
 */
void dispatch_blocks(uint64_t entry, const uint64_t *gpr);
const TesseraBlockResult *blocks_result(void);

/* Has the dispatch's completion signal reached 0? */
bool is_done(void);

/*
 * Wait for the dispatch: for its entry in the interrupt ring, before which
 * the signal must have reached 0.  Returns the time that it took the GPU, in
 * milliseconds, which the device leaves in the signal of a profiling queue.
 */
double wait_dispatch(void);

/*
 * Show @pixels in VRAM, 0x00RRGGBB each, line by line, on the device's head;
 * false if it has none.  What is stored there later shows by itself.
 */
bool show(const Memory *pixels, uint32_t width, uint32_t height);

/*
 * Copy the segments of the code object in file @path to @image, which lies in
 * GPU memory.  Returns the offset in it of kernel @name's descriptor, all of
 * which is inside.  Whatever the file holds, nothing outside of @image is
 * written (codeobject.c).
 */
uint64_t load_code_object(const char *path, const char *name,
                          const Memory *image);

/* Run all programs; the number of those that failed (programs.c). */
int run_programs(int argc, char **argv);

#endif
