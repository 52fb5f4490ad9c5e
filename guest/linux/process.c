// SPDX-License-Identifier: GPL-2.0
/*
 * Processes.  State belongs to an address space, not to a file: ROCm opens
 * /dev/kfd several times.  It lives from the first open until the address
 * space goes, whatever files are open then.
 */
#include <linux/hashtable.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include "tessera_amdgpu.h"

static DEFINE_HASHTABLE(processes, 6);
static DEFINE_SPINLOCK(processes_lock);
static DEFINE_MUTEX(open_lock);
static struct workqueue_struct *release_queue;

struct tsr_process *tsr_process_find(struct mm_struct *mm)
{
	struct tsr_process *p, *found = NULL;

	spin_lock(&processes_lock);
	hash_for_each_possible(processes, p, link, (unsigned long)mm) {
		if (p->mm == mm) {
			kref_get(&p->ref);
			found = p;
			break;
		}
	}
	spin_unlock(&processes_lock);
	return found;
}

struct tsr_process *tsr_process_of_vmid(struct tsr_device *t, u32 vmid)
{
	struct tsr_process *p;

	if (vmid >= TESSERA_VMIDS)
		return NULL;
	spin_lock(&t->vmid_lock);
	p = t->vmids[vmid];
	if (p)
		kref_get(&p->ref);
	spin_unlock(&t->vmid_lock);
	return p;
}

static void tsr_process_free(struct kref *ref)
{
	struct tsr_process *p = container_of(ref, struct tsr_process, ref);

	idr_destroy(&p->events);
	xa_destroy(&p->buffers);
	tsr_device_put(p->t);
	kvfree(p);
}

void tsr_process_put(struct tsr_process *p)
{
	kref_put(&p->ref, tsr_process_free);
}

/*
 * The address space is gone and so are its threads.  Waves are killed first:
 * after that nothing reaches the memory that is given back.
 */
static void tsr_process_end(struct work_struct *work)
{
	struct tsr_process *p = container_of(work, struct tsr_process,
					     release);

	cancel_work_sync(&p->restore);
	mutex_lock(&p->lock);
	tsr_queue_destroy_all(p);
	tsr_event_destroy_all(p);
	tsr_bo_destroy_all(p);
	tsr_vm_fini(&p->vm);
	mutex_unlock(&p->lock);
	atomic_long_dec(&p->t->count.processes);
	mmu_notifier_put(&p->notifier);
	module_put(THIS_MODULE);
}

static void tsr_notifier_release(struct mmu_notifier *notifier,
				 struct mm_struct *mm)
{
	struct tsr_process *p = container_of(notifier, struct tsr_process,
					     notifier);

	WRITE_ONCE(p->dying, true);
	spin_lock(&processes_lock);
	hash_del(&p->link);
	spin_unlock(&processes_lock);
	queue_work(release_queue, &p->release);
}

static void tsr_notifier_free(struct mmu_notifier *notifier)
{
	tsr_process_put(container_of(notifier, struct tsr_process, notifier));
}

static const struct mmu_notifier_ops tsr_notifier_ops = {
	.release = tsr_notifier_release,
	.free_notifier = tsr_notifier_free,
};

static struct tsr_process *tsr_process_new(struct tsr_device *t)
{
	struct tsr_process *p = kvzalloc(sizeof(*p), GFP_KERNEL_ACCOUNT);

	if (!p)
		return NULL;
	kref_init(&p->ref);
	kref_get(&t->ref);
	p->t = t;
	p->mm = current->mm;
	p->pid = task_tgid_nr(current);
	mutex_init(&p->lock);
	mutex_init(&p->vm.lock);
	mutex_init(&p->queue_lock);
	xa_init_flags(&p->buffers, XA_FLAGS_ALLOC1);
	idr_init(&p->events);
	spin_lock_init(&p->event_lock);
	init_waitqueue_head(&p->event_wait);
	INIT_WORK(&p->restore, tsr_userptr_restore);
	INIT_WORK(&p->release, tsr_process_end);
	p->notifier.ops = &tsr_notifier_ops;
	return p;
}

static struct tsr_process *tsr_process_start(struct tsr_device *t)
{
	struct tsr_process *p = tsr_process_new(t);
	int ret;

	if (!p)
		return ERR_PTR(-ENOMEM);
	ret = mmu_notifier_register(&p->notifier, p->mm);
	if (ret) {
		tsr_process_put(p);
		return ERR_PTR(ret);
	}
	__module_get(THIS_MODULE);
	atomic_long_inc(&t->count.processes);
	kref_get(&p->ref);	/* the caller's; the notifier has the first */
	spin_lock(&processes_lock);
	hash_add(processes, &p->link, (unsigned long)p->mm);
	spin_unlock(&processes_lock);
	return p;
}

struct tsr_process *tsr_process_open(struct tsr_device *t)
{
	struct tsr_process *p;

	mutex_lock(&open_lock);
	p = tsr_process_find(current->mm);
	if (!p)
		p = READ_ONCE(t->gone) ? ERR_PTR(-ENODEV) :
		    tsr_process_start(t);
	mutex_unlock(&open_lock);
	if (!IS_ERR(p) && p->t != t) {	/* of one that was unplugged */
		tsr_process_put(p);
		p = ERR_PTR(-ENODEV);
	}
	return p;
}

/* ---- when the device goes ---- */

static struct tsr_process *tsr_process_to_strip(struct tsr_device *t,
						struct mm_struct **mm)
{
	struct tsr_process *p, *found = NULL;
	int bucket;

	spin_lock(&processes_lock);
	hash_for_each(processes, bucket, p, link) {
		if (p->t != t || p->stripped)
			continue;
		p->stripped = true;
		kref_get(&p->ref);
		*mm = mmget_not_zero(p->mm) ? p->mm : NULL;
		found = p;
		break;
	}
	spin_unlock(&processes_lock);
	return found;
}

/* Events stay: by them it is told, and it may go on to wait. */
static void tsr_process_strip(struct tsr_process *p)
{
	mutex_lock(&p->lock);
	tsr_queue_destroy_all(p);
	tsr_bo_destroy_all(p);
	tsr_vm_fini(&p->vm);
	mutex_unlock(&p->lock);
	tsr_fault_lost(p);
}

void tsr_process_strip_all(struct tsr_device *t)
{
	struct tsr_process *p;
	struct mm_struct *mm;

	/* Whoever was about to open has done so, or is going to fail. */
	mutex_lock(&open_lock);
	mutex_unlock(&open_lock);
	while ((p = tsr_process_to_strip(t, &mm))) {
		if (mm)
			tsr_mmap_revoke(mm);
		tsr_process_strip(p);
		if (mm)
			mmput(mm);
		tsr_process_put(p);
	}
	flush_workqueue(release_queue);
}

int tsr_process_acquire_vm(struct tsr_process *p)
{
	lockdep_assert_held(&p->lock);
	return p->vm.vmid ? 0 : tsr_vm_init(&p->vm, p);
}

int tsr_process_init(void)
{
	release_queue = alloc_workqueue("tessera_release", WQ_UNBOUND, 0);
	return release_queue ? 0 : -ENOMEM;
}

/* Whoever is left is about to return from our code. */
void tsr_process_fini(void)
{
	destroy_workqueue(release_queue);
	mmu_notifier_synchronize();
}
