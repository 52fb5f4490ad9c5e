// SPDX-License-Identifier: GPL-2.0
/*
 * The life of a device.  It may be unplugged, or unbound, while processes use
 * it.  Whoever is going to touch it enters first, which fails from then on;
 * struct tsr_device itself goes with the last process that has used it.
 */
#include <linux/slab.h>
#include <linux/srcu.h>
#include "tessera_amdgpu.h"

DEFINE_STATIC_SRCU(unplug_srcu);
static DEFINE_MUTEX(gpu_lock);
static struct tsr_device *gpu;	/* the one that is served; has a reference */

struct tsr_device *tsr_device_new(struct pci_dev *pdev)
{
	struct tsr_device *t;

	mutex_lock(&gpu_lock);
	t = gpu ? ERR_PTR(-EBUSY) : kzalloc(sizeof(*t), GFP_KERNEL);
	if (!t)
		t = ERR_PTR(-ENOMEM);
	if (!IS_ERR(t)) {
		kref_init(&t->ref);
		t->pdev = pdev;
		spin_lock_init(&t->reg_lock);
		spin_lock_init(&t->vmid_lock);
		mutex_init(&t->slot_lock);
		mutex_init(&t->cmd.lock);
		init_waitqueue_head(&t->cmd.wait);
		gpu = t;
	}
	mutex_unlock(&gpu_lock);
	return t;
}

/* May run in a context that must not sleep. */
static void tsr_device_free(struct kref *ref)
{
	struct tsr_device *t = container_of(ref, struct tsr_device, ref);

	tsr_vram_fini(t);
	kfree(t);
}

void tsr_device_put(struct tsr_device *t)
{
	kref_put(&t->ref, tsr_device_free);
}

void tsr_device_publish(struct tsr_device *t)
{
	mutex_lock(&gpu_lock);
	t->public = true;
	mutex_unlock(&gpu_lock);
}

struct tsr_device *tsr_device_find(void)
{
	struct tsr_device *t;

	mutex_lock(&gpu_lock);
	t = gpu && gpu->public ? gpu : NULL;
	if (t)
		kref_get(&t->ref);
	mutex_unlock(&gpu_lock);
	return t;
}

void tsr_device_unplug(struct tsr_device *t)
{
	mutex_lock(&gpu_lock);
	gpu = NULL;
	mutex_unlock(&gpu_lock);
	WRITE_ONCE(t->gone, true);
	tsr_cmd_done(t);	/* nobody waits for an answer any more */
	synchronize_srcu(&unplug_srcu);
}

bool tsr_enter(struct tsr_device *t, int *token)
{
	*token = srcu_read_lock(&unplug_srcu);
	if (!READ_ONCE(t->gone)) {
		__release(&unplug_srcu);	/* sparse counts within functions */
		return true;
	}
	srcu_read_unlock(&unplug_srcu, *token);
	return false;
}

void tsr_leave(int token)
{
	__acquire(&unplug_srcu);
	srcu_read_unlock(&unplug_srcu, token);
}
