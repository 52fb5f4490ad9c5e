// SPDX-License-Identifier: GPL-2.0
/* Buffers: what lies where in a process's GPU address space. */
#include <linux/dma-mapping.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "tessera_amdgpu.h"

/* ---- pages of guest RAM ---- */

static int tsr_alloc_arrays(struct tsr_bo *bo)
{
	bo->npages = bo->size >> PAGE_SHIFT;
	bo->pages = kvcalloc(bo->npages, sizeof(*bo->pages),
			     GFP_KERNEL_ACCOUNT);
	bo->dma = kvcalloc(bo->npages, sizeof(*bo->dma), GFP_KERNEL_ACCOUNT);
	return bo->pages && bo->dma ? 0 : -ENOMEM;
}

int tsr_bo_dma_map(struct tsr_bo *bo)
{
	struct device *dev = &bo->process->t->pdev->dev;
	unsigned long i;

	for (i = 0; i < bo->npages; i++) {
		bo->dma[i] = dma_map_page(dev, bo->pages[i], 0, PAGE_SIZE,
					  DMA_BIDIRECTIONAL);
		if (dma_mapping_error(dev, bo->dma[i])) {
			bo->dma[i] = 0;
			tsr_bo_dma_unmap(bo);
			return -ENOMEM;
		}
	}
	return 0;
}

void tsr_bo_dma_unmap(struct tsr_bo *bo)
{
	struct device *dev = &bo->process->t->pdev->dev;
	unsigned long i;

	for (i = 0; i < bo->npages && bo->dma[i]; i++) {
		dma_unmap_page(dev, bo->dma[i], PAGE_SIZE, DMA_BIDIRECTIONAL);
		bo->dma[i] = 0;
	}
}

static int tsr_gtt_init(struct tsr_bo *bo)
{
	unsigned long i;

	if (bo->size >> PAGE_SHIFT > totalram_pages() / 2)
		return -ENOMEM;
	if (tsr_alloc_arrays(bo))
		return -ENOMEM;
	for (i = 0; i < bo->npages; i++) {
		bo->pages[i] = alloc_page(GFP_HIGHUSER | __GFP_ZERO |
					  __GFP_ACCOUNT);
		if (!bo->pages[i])
			return -ENOMEM;
		atomic_long_inc(&bo->process->t->count.gtt_pages);
	}
	return tsr_bo_dma_map(bo);
}

static void tsr_gtt_fini(struct tsr_bo *bo)
{
	unsigned long i;

	if (bo->dma)
		tsr_bo_dma_unmap(bo);
	for (i = 0; bo->pages && i < bo->npages && bo->pages[i]; i++) {
		__free_page(bo->pages[i]);
		atomic_long_dec(&bo->process->t->count.gtt_pages);
	}
}

/* ---- page tables ---- */

static int tsr_map_extents(struct tsr_bo *bo)
{
	struct tsr_extent *extent;
	u64 va = bo->va;
	int ret = 0;

	list_for_each_entry(extent, &bo->extents, link) {
		ret = tsr_vm_map(&bo->process->vm, va, extent->size,
				 extent->offset | bo->leaf);
		if (ret)
			break;
		va += extent->size;
	}
	return ret;
}

/* Pages that follow each other on the bus are entered at once. */
static int tsr_map_pages(struct tsr_bo *bo)
{
	unsigned long i, run;
	int ret = 0;

	for (i = 0; i < bo->npages && !ret; i += run) {
		for (run = 1; i + run < bo->npages; run++) {
			if (bo->dma[i + run] != bo->dma[i] + run * PAGE_SIZE)
				break;
		}
		ret = tsr_vm_map(&bo->process->vm, bo->va + i * PAGE_SIZE,
				 run * PAGE_SIZE,
				 bo->dma[i] | bo->leaf | TESSERA_PT_SYSTEM);
	}
	return ret;
}

int tsr_bo_map_locked(struct tsr_bo *bo)
{
	switch (bo->kind) {
	case TSR_VRAM:
		return tsr_map_extents(bo);
	case TSR_DOORBELL:
		return tsr_vm_map(&bo->process->vm, bo->va, bo->size,
				  TESSERA_PT_DOORBELL | TESSERA_PT_READ |
				  TESSERA_PT_WRITE);
	default:
		return tsr_map_pages(bo);
	}
}

int tsr_bo_map(struct tsr_bo *bo)
{
	struct tsr_vm *vm = &bo->process->vm;
	int ret = 0;

	mutex_lock(&vm->lock);
	if (!bo->mapped) {
		/* Pages of a user buffer may be away: restore brings them. */
		if (bo->valid)
			ret = tsr_bo_map_locked(bo);
		if (ret)
			tsr_vm_unmap(vm, bo->va, bo->size);
		bo->mapped = !ret;
	}
	mutex_unlock(&vm->lock);
	return ret;
}

void tsr_bo_unmap(struct tsr_bo *bo)
{
	struct tsr_vm *vm = &bo->process->vm;

	mutex_lock(&vm->lock);
	if (bo->mapped)
		tsr_vm_unmap(vm, bo->va, bo->size);
	bo->mapped = false;
	mutex_unlock(&vm->lock);
}

unsigned long tsr_bo_pfn(const struct tsr_bo *bo, unsigned long index)
{
	u64 at = (u64)index << PAGE_SHIFT;
	struct tsr_extent *extent;

	if (bo->kind == TSR_GTT)
		return page_to_pfn(bo->pages[index]);
	list_for_each_entry(extent, &bo->extents, link) {
		if (at < extent->size)
			return PHYS_PFN(bo->process->t->vram_phys +
					extent->offset + at);
		at -= extent->size;
	}
	return 0;
}

/* ---- coming and going ---- */

static u64 tsr_leaf(u32 flags)
{
	u64 leaf = TESSERA_PT_READ;

	if (flags & KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE)
		leaf |= TESSERA_PT_WRITE;
	if (flags & KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE)
		leaf |= TESSERA_PT_EXECUTE;
	return leaf;
}

/* The page for host-data-path flushes needs no device: it is a plain page. */
static int tsr_kind(u32 flags)
{
	static const struct {
		u32 flag;
		enum tsr_bo_kind kind;
	} kinds[] = {
		{ KFD_IOC_ALLOC_MEM_FLAGS_VRAM, TSR_VRAM },
		{ KFD_IOC_ALLOC_MEM_FLAGS_GTT, TSR_GTT },
		{ KFD_IOC_ALLOC_MEM_FLAGS_USERPTR, TSR_USERPTR },
		{ KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL, TSR_DOORBELL },
		{ KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP, TSR_GTT },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (flags & kinds[i].flag)
			return kinds[i].kind;
	}
	return -EINVAL;
}

static int tsr_bo_init(struct tsr_bo *bo)
{
	bo->valid = true;
	switch (bo->kind) {
	case TSR_VRAM:
		return tsr_vram_alloc(bo->process->t, bo->size, &bo->extents);
	case TSR_GTT:
		return tsr_gtt_init(bo);
	case TSR_USERPTR:
		if (tsr_alloc_arrays(bo))
			return -ENOMEM;
		return tsr_userptr_init(bo);
	case TSR_DOORBELL:
		return bo->size == TESSERA_SLICE_SIZE ? 0 : -EINVAL;
	}
	return -EINVAL;
}

static void tsr_bo_release(struct kref *ref)
{
	struct tsr_bo *bo = container_of(ref, struct tsr_bo, ref);
	struct tsr_process *p = bo->process;

	if (bo->kind == TSR_GTT)
		tsr_gtt_fini(bo);
	tsr_vram_free(p->t, &bo->extents);
	kvfree(bo->pages);
	kvfree(bo->dma);
	kfree(bo);
	atomic_long_dec(&p->t->count.buffers);
	tsr_process_put(p);
}

void tsr_bo_put(struct tsr_bo *bo)
{
	kref_put(&bo->ref, tsr_bo_release);
}

static struct tsr_bo *tsr_bo_new(struct tsr_process *p, u64 va, u64 size,
				 u64 user, u32 flags)
{
	struct tsr_bo *bo = kzalloc(sizeof(*bo), GFP_KERNEL_ACCOUNT);

	if (!bo)
		return NULL;
	kref_init(&bo->ref);
	kref_get(&p->ref);
	bo->process = p;
	bo->kind = tsr_kind(flags);
	bo->va = va;
	bo->size = size;
	bo->user = user;
	bo->leaf = tsr_leaf(flags);
	INIT_LIST_HEAD(&bo->extents);
	atomic_long_inc(&p->t->count.buffers);
	return bo;
}

static bool tsr_range_ok(u64 at, u64 size)
{
	return PAGE_ALIGNED(at) && at < TASK_SIZE_MAX &&
	       size <= TASK_SIZE_MAX - at;
}

struct tsr_bo *tsr_bo_create(struct tsr_process *p, u64 va, u64 size,
			     u64 user, u32 flags)
{
	struct tsr_bo *bo;
	int ret = tsr_kind(flags);

	if (ret < 0 || !size || !PAGE_ALIGNED(size) || !tsr_range_ok(va, size))
		return ERR_PTR(-EINVAL);
	if (ret == TSR_USERPTR && !tsr_range_ok(user, size))
		return ERR_PTR(-EINVAL);
	bo = tsr_bo_new(p, va, size, user, flags);
	if (!bo)
		return ERR_PTR(-ENOMEM);
	ret = tsr_bo_init(bo);
	if (!ret)
		ret = xa_alloc(&p->buffers, &bo->id, bo, xa_limit_31b,
			       GFP_KERNEL);
	if (!ret)
		return bo;
	if (bo->kind == TSR_USERPTR)
		tsr_userptr_fini(bo);
	tsr_bo_put(bo);
	return ERR_PTR(ret);
}

struct tsr_bo *tsr_bo_get(struct tsr_process *p, u64 id)
{
	struct tsr_bo *bo;

	if (id > U32_MAX)
		return NULL;
	xa_lock(&p->buffers);
	bo = xa_load(&p->buffers, id);
	if (bo && !kref_get_unless_zero(&bo->ref))
		bo = NULL;
	xa_unlock(&p->buffers);
	return bo;
}

void tsr_bo_destroy(struct tsr_bo *bo)
{
	xa_erase(&bo->process->buffers, bo->id);
	tsr_bo_unmap(bo);
	if (bo->kind == TSR_USERPTR)
		tsr_userptr_fini(bo);
	else if (bo->kind == TSR_GTT)	/* others may have it longer */
		tsr_bo_dma_unmap(bo);
	tsr_bo_put(bo);
}

void tsr_bo_destroy_all(struct tsr_process *p)
{
	struct tsr_bo *bo;
	unsigned long id;

	xa_for_each(&p->buffers, id, bo)
		tsr_bo_destroy(bo);
}
