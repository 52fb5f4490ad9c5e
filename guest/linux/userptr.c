// SPDX-License-Identifier: GPL-2.0
/*
 * Buffers in the process's own memory.  Its pages are pinned, so they neither
 * move nor are written out.  They can go all the same, if the process unmaps
 * them or discards what is in them: then an MMU notifier stops the process's
 * waves, takes the pages out of the tables, and leaves it to a work item to
 * look what lies there now and to let the waves go on.
 */
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include "tessera_amdgpu.h"

#define PIN_TRIES 5

static void tsr_unpin(struct tsr_bo *bo)
{
	unsigned long n;

	for (n = 0; n < bo->npages && bo->pages[n]; n++)
		;
	if (!n)
		return;
	tsr_bo_dma_unmap(bo);
	unpin_user_pages_dirty_lock(bo->pages, n,
				    bo->leaf & TESSERA_PT_WRITE);
	memset(bo->pages, 0, n * sizeof(*bo->pages));
	atomic_long_sub(n, &bo->process->t->count.pinned_pages);
}

/* Runs for the process in its own ioctls and in the work item. */
static int tsr_pin_all(struct tsr_bo *bo)
{
	unsigned int flags = FOLL_LONGTERM;
	unsigned long done = 0;
	long n = 0;

	if (bo->leaf & TESSERA_PT_WRITE)
		flags |= FOLL_WRITE;
	mmap_read_lock(bo->process->mm);
	while (done < bo->npages) {
		n = tsr_pin_remote(bo->process->mm,
				   bo->user + (done << PAGE_SHIFT),
				   bo->npages - done, flags,
				   bo->pages + done);
		if (n <= 0)
			break;
		atomic_long_add(n, &bo->process->t->count.pinned_pages);
		done += n;
	}
	mmap_read_unlock(bo->process->mm);
	if (done == bo->npages)
		return 0;
	return n ? n : -EFAULT;
}

/* The pages of now, or none if they changed meanwhile (-EAGAIN). */
static int tsr_pin_once(struct tsr_bo *bo)
{
	struct tsr_vm *vm = &bo->process->vm;
	unsigned long seq = mmu_interval_read_begin(&bo->notifier);
	int ret;

	ret = tsr_pin_all(bo);
	if (!ret)
		ret = tsr_bo_dma_map(bo);
	if (!ret) {
		mutex_lock(&vm->lock);
		if (mmu_interval_read_retry(&bo->notifier, seq))
			ret = -EAGAIN;
		else if (bo->mapped)
			ret = tsr_bo_map_locked(bo);
		bo->valid = !ret;
		mutex_unlock(&vm->lock);
	}
	if (ret)
		tsr_unpin(bo);
	return ret;
}

static int tsr_pin(struct tsr_bo *bo)
{
	int ret = -EAGAIN, try;

	for (try = 0; try < PIN_TRIES && ret == -EAGAIN; try++)
		ret = tsr_pin_once(bo);
	return ret;
}

/* The pages stay pinned until they are replaced: no wave can hit others. */
static void tsr_take_away(struct tsr_bo *bo, unsigned long seq)
{
	struct tsr_process *p = bo->process;

	mutex_lock(&p->queue_lock);
	p->evictions++;
	atomic_long_inc(&p->t->count.evictions);
	tsr_queue_evict_all(p);
	mutex_lock(&p->vm.lock);
	mmu_interval_set_seq(&bo->notifier, seq);
	if (bo->mapped && bo->valid)
		tsr_vm_unmap(&p->vm, bo->va, bo->size);
	bo->valid = false;
	mutex_unlock(&p->vm.lock);
	mutex_unlock(&p->queue_lock);
	schedule_work(&p->restore);
}

/*
 * fork() and soft-dirty tracking leave pinned pages where they are, and when
 * the whole address space goes, the process's queues are about to be killed.
 */
static bool tsr_leaves_pages(const struct tsr_bo *bo,
			     const struct mmu_notifier_range *range)
{
	return range->event == MMU_NOTIFY_PROTECTION_PAGE ||
	       range->event == MMU_NOTIFY_SOFT_DIRTY ||
	       range->event == MMU_NOTIFY_RELEASE ||
	       READ_ONCE(bo->process->dying);
}

static bool tsr_invalidate(struct mmu_interval_notifier *notifier,
			   const struct mmu_notifier_range *range,
			   unsigned long seq)
{
	struct tsr_bo *bo = container_of(notifier, struct tsr_bo, notifier);

	if (!mmu_notifier_range_blockable(range))
		return false;
	if (tsr_leaves_pages(bo, range)) {
		mutex_lock(&bo->process->vm.lock);
		mmu_interval_set_seq(notifier, seq);
		mutex_unlock(&bo->process->vm.lock);
	} else {
		tsr_take_away(bo, seq);
	}
	return true;
}

static const struct mmu_interval_notifier_ops tsr_userptr_ops = {
	.invalidate = tsr_invalidate,
};

int tsr_userptr_init(struct tsr_bo *bo)
{
	int ret;

	ret = mmu_interval_notifier_insert(&bo->notifier, bo->process->mm,
					   bo->user, bo->size,
					   &tsr_userptr_ops);
	if (ret)
		return ret;
	bo->watched = true;
	return tsr_pin(bo);
}

void tsr_userptr_fini(struct tsr_bo *bo)
{
	if (bo->watched)
		mmu_interval_notifier_remove(&bo->notifier);
	bo->watched = false;
	if (bo->pages)
		tsr_unpin(bo);
}

/* What cannot be pinned any more stays out of the tables. */
static void tsr_restore_buffers(struct tsr_process *p)
{
	struct tsr_bo *bo;
	unsigned long id;

	xa_for_each(&p->buffers, id, bo) {
		if (bo->kind != TSR_USERPTR || READ_ONCE(bo->valid))
			continue;
		tsr_unpin(bo);
		if (tsr_pin(bo))
			dev_dbg(&p->t->pdev->dev,
				"%d: the memory at %#llx is gone\n", p->pid,
				bo->user);
	}
}

/* If there was another eviction meanwhile, so is another work item. */
static void tsr_restore_queues(struct tsr_process *p, u32 evictions)
{
	mutex_lock(&p->queue_lock);
	if (p->evictions == evictions)
		tsr_queue_restore_all(p);
	mutex_unlock(&p->queue_lock);
}

void tsr_userptr_restore(struct work_struct *work)
{
	struct tsr_process *p = container_of(work, struct tsr_process,
					     restore);
	u32 evictions = READ_ONCE(p->evictions);

	if (!mmget_not_zero(p->mm))
		return;
	mutex_lock(&p->lock);
	tsr_restore_buffers(p);
	mutex_unlock(&p->lock);
	tsr_restore_queues(p, evictions);
	mmput_async(p->mm);
}
