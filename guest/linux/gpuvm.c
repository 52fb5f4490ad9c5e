// SPDX-License-Identifier: GPL-2.0
/*
 * Page tables of a VMID.  Tables lie in VRAM; nothing is allocated from the
 * kernel when one is added, since that may happen inside of memory reclaim.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include "tessera_amdgpu.h"

static void __iomem *tsr_entry_at(struct tsr_vm *vm, u64 table,
				  unsigned int index)
{
	return vm->t->vram + (table & TESSERA_PT_ADDRESS) +
	       index * sizeof(u64);
}

static u64 tsr_new_table(void *opaque)
{
	struct tsr_vm *vm = opaque;
	u64 offset = tsr_vram_alloc_page(vm->t);

	if (offset == U64_MAX)
		return 0;
	set_bit(offset >> PAGE_SHIFT, vm->tables);
	return offset | TESSERA_PT_VALID;
}

static u64 tsr_load(void *opaque, u64 table, unsigned int index)
{
	return readq(tsr_entry_at(opaque, table, index));
}

static void tsr_store(void *opaque, u64 table, unsigned int index, u64 entry)
{
	writeq(entry, tsr_entry_at(opaque, table, index));
}

static u32 tsr_vm_reg(const struct tsr_vm *vm, u32 reg)
{
	return reg + vm->vmid * TESSERA_VM_STRIDE;
}

/* The device acknowledges before the write is over. */
static void tsr_vm_invalidate(struct tsr_vm *vm)
{
	wmb();	/* entries before the request */
	tsr_write64(vm->t, TESSERA_REG_VM_INVALIDATE, 1ull << vm->vmid);
	if (!(tsr_read64(vm->t, TESSERA_REG_VM_INVALIDATE_ACK) &
	      1ull << vm->vmid))
		dev_err(&vm->t->pdev->dev, "VMID %u: not invalidated\n",
			vm->vmid);
}

/* 0 if all are taken.  VMID 0 is the kernel's. */
static u32 tsr_take_vmid(struct tsr_device *t, struct tsr_process *p)
{
	u32 vmid;

	spin_lock(&t->vmid_lock);
	for (vmid = TESSERA_VMIDS - 1; vmid; vmid--) {
		if (!t->vmids[vmid]) {
			t->vmids[vmid] = p;
			atomic_long_inc(&t->count.vmids);
			break;
		}
	}
	spin_unlock(&t->vmid_lock);
	return vmid;
}

static void tsr_give_vmid(struct tsr_device *t, u32 vmid)
{
	spin_lock(&t->vmid_lock);
	t->vmids[vmid] = NULL;
	atomic_long_dec(&t->count.vmids);
	spin_unlock(&t->vmid_lock);
}

int tsr_vm_init(struct tsr_vm *vm, struct tsr_process *p)
{
	struct tsr_device *t = p->t;

	vm->t = t;
	vm->tables = kvcalloc(BITS_TO_LONGS(t->vram_size >> PAGE_SHIFT),
			      sizeof(long), GFP_KERNEL);
	if (!vm->tables)
		return -ENOMEM;
	vm->space = (PageSpace){
		.new_table = tsr_new_table,
		.load = tsr_load,
		.store = tsr_store,
		.opaque = vm,
	};
	vm->space.root = tsr_new_table(vm);
	vm->vmid = vm->space.root ? tsr_take_vmid(t, p) : 0;
	if (!vm->vmid) {
		tsr_vm_fini(vm);
		return -ENOSPC;
	}
	tsr_write32(t, tsr_vm_reg(vm, TESSERA_REG_VM_PASID), p->pid);
	tsr_write64(t, tsr_vm_reg(vm, TESSERA_REG_VM_ROOT), vm->space.root);
	tsr_vm_invalidate(vm);
	return 0;
}

static void tsr_free_tables(struct tsr_vm *vm)
{
	unsigned long page;

	for_each_set_bit(page, vm->tables, vm->t->vram_size >> PAGE_SHIFT)
		tsr_vram_free_page(vm->t, (u64)page << PAGE_SHIFT);
	kvfree(vm->tables);
	vm->tables = NULL;
}

static void tsr_clear_root(struct tsr_vm *vm)
{
	int token;

	if (!tsr_enter(vm->t, &token))
		return;
	tsr_write64(vm->t, tsr_vm_reg(vm, TESSERA_REG_VM_ROOT), 0);
	tsr_vm_invalidate(vm);
	tsr_leave(token);
}

void tsr_vm_fini(struct tsr_vm *vm)
{
	u32 vmid = vm->vmid;

	if (vmid) {
		tsr_clear_root(vm);
		WRITE_ONCE(vm->vmid, 0);
		tsr_give_vmid(vm->t, vmid);
	}
	if (vm->tables)
		tsr_free_tables(vm);
}

int tsr_vm_map(struct tsr_vm *vm, u64 va, u64 size, u64 leaf)
{
	int ret, token;

	lockdep_assert_held(&vm->lock);
	if (!tsr_enter(vm->t, &token))
		return -ENODEV;
	ret = pages_map(&vm->space, va, size, leaf) ? 0 : -ENOMEM;
	tsr_leave(token);
	return ret;
}

void tsr_vm_unmap(struct tsr_vm *vm, u64 va, u64 size)
{
	int token;

	lockdep_assert_held(&vm->lock);
	if (!tsr_enter(vm->t, &token))
		return;
	pages_unmap(&vm->space, va, size);
	tsr_vm_invalidate(vm);
	tsr_leave(token);
}
