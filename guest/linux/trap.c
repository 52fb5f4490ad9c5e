// SPDX-License-Identifier: GPL-2.0
/*
 * Trap handlers.  ROCm's is written to be called by one of Linux's, so there is
 * one: its code, and the two addresses that it reads, are a page of VRAM that
 * each address space sees where no address of the CPU is.
 */
#include <linux/module.h>
#include "tessera_amdgpu.h"

#define PAGE_VA (1ull << 47)
#define ADDRESSES 0x800	/* in the page: the process's handler, its memory */

static const u32 code[] = {
#include "trap-handler.inc"
};

static bool trap_handler;
module_param(trap_handler, bool, 0444);
MODULE_PARM_DESC(trap_handler,
		 "have waves enter the trap handler that the process registers");

static void __iomem *tsr_trap_at(struct tsr_vm *vm, unsigned int offset)
{
	return vm->t->vram + (vm->trap_page & TESSERA_PT_ADDRESS) + offset;
}

/* The page, mapped; 0 or an error. */
static int tsr_trap_page(struct tsr_vm *vm)
{
	u64 page;
	int ret;

	if (vm->trap_page)
		return 0;
	page = tsr_vm_new_page(vm);
	if (!page)
		return -ENOMEM;
	mutex_lock(&vm->lock);
	ret = tsr_vm_map(vm, PAGE_VA, PAGE_SIZE, page | TESSERA_PT_READ |
			 TESSERA_PT_EXECUTE);
	mutex_unlock(&vm->lock);
	if (ret)
		return ret;
	vm->trap_page = page;
	memcpy_toio(tsr_trap_at(vm, 0), code, sizeof(code));
	return 0;
}

/*
 * Without the parameter it is accepted and not used: the device reports by
 * itself, in the inactive signal of the queue, what the handler would.
 */
int tsr_trap_set(struct tsr_vm *vm, u64 handler, u64 memory)
{
	u32 at = vm->vmid * TESSERA_VM_STRIDE;
	void __iomem *addresses;
	int ret;

	if (!trap_handler)
		return 0;
	ret = tsr_trap_page(vm);
	if (ret)
		return ret;
	addresses = tsr_trap_at(vm, ADDRESSES);
	writeq(handler, addresses);
	writeq(memory, addresses + sizeof(u64));
	tsr_write64(vm->t, TESSERA_REG_VM_TMA + at, PAGE_VA + ADDRESSES);
	tsr_write64(vm->t, TESSERA_REG_VM_TBA + at, handler ? PAGE_VA : 0);
	return 0;
}
