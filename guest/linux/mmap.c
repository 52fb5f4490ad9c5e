// SPDX-License-Identifier: GPL-2.0
/* Mappings for the CPU: buffers, and the process's doorbells. */
#include <linux/mm.h>
#include "tessera_amdgpu.h"

#define AROUND 64ul	/* pages entered at one page fault */

static void tsr_vma_open(struct vm_area_struct *vma)
{
	struct tsr_bo *bo = vma->vm_private_data;

	kref_get(&bo->ref);
}

static void tsr_vma_close(struct vm_area_struct *vma)
{
	tsr_bo_put(vma->vm_private_data);
}

/* The page asked for, and those behind it that belong to the mapping. */
static vm_fault_t tsr_vma_enter_pages(struct vm_fault *vmf, struct tsr_bo *bo)
{
	struct vm_area_struct *vma = vmf->vma;
	unsigned long first = vmf->pgoff % (TSR_MMAP_BO(1) >> PAGE_SHIFT);
	unsigned long at = vmf->address & PAGE_MASK;
	unsigned long i, n = min(AROUND, (vma->vm_end - at) >> PAGE_SHIFT);
	vm_fault_t ret = VM_FAULT_NOPAGE;

	if (first >= bo->size >> PAGE_SHIFT)
		return VM_FAULT_SIGBUS;
	n = min_t(unsigned long, n, (bo->size >> PAGE_SHIFT) - first);
	for (i = 0; i < n && ret == VM_FAULT_NOPAGE; i++)
		ret = vmf_insert_pfn(vma, at + i * PAGE_SIZE,
				     tsr_bo_pfn(bo, first + i));
	return i > 1 ? VM_FAULT_NOPAGE : ret;
}

/* Memory of the device goes with it. */
static vm_fault_t tsr_vma_fault(struct vm_fault *vmf)
{
	struct tsr_bo *bo = vmf->vma->vm_private_data;
	vm_fault_t ret;
	int token;

	if (bo->kind != TSR_VRAM)
		return tsr_vma_enter_pages(vmf, bo);
	if (!tsr_enter(bo->process->t, &token))
		return VM_FAULT_SIGBUS;
	ret = tsr_vma_enter_pages(vmf, bo);
	tsr_leave(token);
	return ret;
}

static const struct vm_operations_struct tsr_vma_ops = {
	.open = tsr_vma_open,
	.close = tsr_vma_close,
	.fault = tsr_vma_fault,
};

static int tsr_mmap_bo(struct tsr_process *p, struct vm_area_struct *vma)
{
	u64 offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
	u64 inside = offset % TSR_MMAP_BO(1);
	struct tsr_bo *bo = tsr_bo_get(p, offset / TSR_MMAP_BO(1));

	if (!bo)
		return -ENOENT;
	if ((bo->kind != TSR_VRAM && bo->kind != TSR_GTT) ||
	    inside + (vma->vm_end - vma->vm_start) > bo->size) {
		tsr_bo_put(bo);
		return -EINVAL;
	}
	if (bo->kind == TSR_VRAM)
		vma->vm_page_prot = pgprot_writecombine(vma->vm_page_prot);
	vma->vm_private_data = bo;
	vma->vm_ops = &tsr_vma_ops;
	return 0;
}

static void tsr_doorbell_open(struct vm_area_struct *vma)
{
	struct tsr_process *p = vma->vm_private_data;

	kref_get(&p->ref);
}

static void tsr_doorbell_close(struct vm_area_struct *vma)
{
	tsr_process_put(vma->vm_private_data);
}

static vm_fault_t tsr_doorbell_fault(struct vm_fault *vmf)
{
	struct tsr_process *p = vmf->vma->vm_private_data;
	u64 at = ((u64)vmf->pgoff << PAGE_SHIFT) - TSR_MMAP_DOORBELL;
	u32 vmid = READ_ONCE(p->vm.vmid);
	vm_fault_t ret = VM_FAULT_SIGBUS;
	int token;

	if (!tsr_enter(p->t, &token))
		return ret;
	if (vmid && at < TESSERA_SLICE_SIZE)
		ret = vmf_insert_pfn(vmf->vma, vmf->address & PAGE_MASK,
				     PHYS_PFN(p->t->doorbells_phys + at +
					      vmid * TESSERA_SLICE_SIZE));
	tsr_leave(token);
	return ret;
}

static const struct vm_operations_struct tsr_doorbell_ops = {
	.open = tsr_doorbell_open,
	.close = tsr_doorbell_close,
	.fault = tsr_doorbell_fault,
};

static int tsr_mmap_doorbell(struct tsr_process *p, struct vm_area_struct *vma)
{
	if (!READ_ONCE(p->vm.vmid) || vma->vm_pgoff !=
	    TSR_MMAP_DOORBELL >> PAGE_SHIFT ||
	    vma->vm_end - vma->vm_start != TESSERA_SLICE_SIZE)
		return -EINVAL;
	vma->vm_page_prot = pgprot_noncached(vma->vm_page_prot);
	vma->vm_private_data = p;
	vma->vm_ops = &tsr_doorbell_ops;
	kref_get(&p->ref);
	return 0;
}

void tsr_mmap_revoke(struct mm_struct *mm)
{
	struct vm_area_struct *vma;
	VMA_ITERATOR(vmi, mm, 0);

	mmap_read_lock(mm);
	for_each_vma(vmi, vma) {
		if (vma->vm_ops == &tsr_vma_ops ||
		    vma->vm_ops == &tsr_doorbell_ops)
			zap_vma_ptes(vma, vma->vm_start,
				     vma->vm_end - vma->vm_start);
	}
	mmap_read_unlock(mm);
}

/*
 * Serves both files.  Children do not get the mapping: they are processes of
 * their own, and a doorbell belongs to the VMID that it kicks.
 */
int tsr_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct tsr_process *p = tsr_process_find(current->mm);
	int ret;

	if (!p)
		return -EBADF;
	/* The thunk takes private ones of what the CPU shall not see. */
	if (!(vma->vm_flags & (VM_SHARED | VM_ACCESS_FLAGS)))
		tsr_vm_flags_clear(vma, VM_MAYWRITE);
	if (is_cow_mapping(vma->vm_flags)) {
		ret = -EINVAL;
		goto out;
	}
	tsr_vm_flags_set(vma, VM_IO | VM_PFNMAP | VM_DONTCOPY | VM_DONTEXPAND |
			 VM_DONTDUMP);
	if ((u64)vma->vm_pgoff << PAGE_SHIFT >= TSR_MMAP_DOORBELL)
		ret = tsr_mmap_doorbell(p, vma);
	else
		ret = tsr_mmap_bo(p, vma);
out:
	dev_dbg(&p->t->pdev->dev, "mmap of %#lx bytes at %#lx: %d\n",
		vma->vm_end - vma->vm_start, vma->vm_pgoff, ret);
	tsr_process_put(p);
	return ret;
}
