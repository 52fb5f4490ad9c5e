// SPDX-License-Identifier: GPL-2.0
/*
 * A process's queues: each has a slot and a doorbell of the device.  Its number
 * in the process is that of the doorbell.
 */
#include <linux/slab.h>
#include "tessera_amdgpu.h"

#define RING_PACKETS_MIN 4u
#define RING_PACKETS_MAX (1u << 20)

struct tsr_queue {
	u32 slot;
	bool frozen;	/* since the process is evicted */
	TesseraQueue descriptor;
};

/* The number of a slot that no queue has, or -ENOSPC. */
static int tsr_take_slot(struct tsr_device *t)
{
	unsigned long slot;

	mutex_lock(&t->slot_lock);
	slot = find_first_zero_bit(t->slots, TESSERA_QUEUES);
	if (slot < TESSERA_QUEUES)
		set_bit(slot, t->slots);
	mutex_unlock(&t->slot_lock);
	return slot < TESSERA_QUEUES ? slot : -ENOSPC;
}

static void tsr_give_slot(struct tsr_device *t, u32 slot)
{
	mutex_lock(&t->slot_lock);
	clear_bit(slot, t->slots);
	mutex_unlock(&t->slot_lock);
}

static bool tsr_ring_ok(u32 bytes)
{
	u32 packets = bytes / AQL_PACKET_SIZE;

	return is_power_of_2(bytes) && packets >= RING_PACKETS_MIN &&
	       packets <= RING_PACKETS_MAX;
}

/* A queue without a ring, or with 0 per cent of the device, does nothing. */
static void tsr_set_active(TesseraQueue *descriptor, u32 percentage)
{
	if (percentage)
		descriptor->flags &= ~TESSERA_QUEUE_INACTIVE;
	else
		descriptor->flags |= TESSERA_QUEUE_INACTIVE;
}

static bool tsr_share_ok(u32 percentage, u32 priority)
{
	return percentage <= KFD_MAX_QUEUE_PERCENTAGE &&
	       priority <= KFD_MAX_QUEUE_PRIORITY;
}

/* SDMA queues are refused: the runtime copies with shaders then. */
static int tsr_check_create(struct tsr_process *p,
			    const struct kfd_ioctl_create_queue_args *args)
{
	if (!p->vm.vmid || args->gpu_id != p->t->gpu_id ||
	    args->queue_type != KFD_IOC_QUEUE_TYPE_COMPUTE_AQL ||
	    !tsr_ring_ok(args->ring_size) ||
	    !tsr_share_ok(args->queue_percentage, args->queue_priority))
		return -EINVAL;
	return 0;
}

static void tsr_describe(struct tsr_process *p, struct tsr_queue *q,
			 const struct kfd_ioctl_create_queue_args *args,
			 u32 doorbell)
{
	q->descriptor = (TesseraQueue){
		.size = sizeof(TesseraQueue),
		.version = TESSERA_ABI_VERSION,
		.vmid = p->vm.vmid,
		.doorbell = doorbell,
		.ring = args->ring_base_address,
		.ring_packets = args->ring_size / AQL_PACKET_SIZE,
		.priority = args->queue_priority,
		.read_index_addr = args->read_pointer_address,
		.write_index_addr = args->write_pointer_address,
		.eop_addr = args->eop_buffer_address,
		.save_addr = args->ctx_save_restore_address,
		.save_size = args->ctx_save_restore_size,
	};
	tsr_set_active(&q->descriptor, args->queue_percentage);
}

static int tsr_queue_map(struct tsr_process *p, struct tsr_queue *q)
{
	int ret;

	ret = tsr_command(p->t, TESSERA_CMD_MAP, q->slot, 0, &q->descriptor);
	if (!ret && p->evicted)
		q->frozen = !tsr_command(p->t, TESSERA_CMD_FREEZE, q->slot, 0,
					 NULL);
	return ret;
}

/* With queue_lock held. */
static int tsr_queue_place(struct tsr_process *p, struct tsr_queue *q,
			   struct kfd_ioctl_create_queue_args *args)
{
	unsigned long id = find_first_zero_bit(p->doorbells,
					       TESSERA_SLICE_DOORBELLS);
	int ret, slot;

	if (id >= TESSERA_SLICE_DOORBELLS)
		return -ENOSPC;
	slot = tsr_take_slot(p->t);
	if (slot < 0)
		return slot;
	q->slot = slot;
	tsr_describe(p, q, args, id);
	ret = tsr_queue_map(p, q);
	if (ret) {
		tsr_give_slot(p->t, slot);
		return ret;
	}
	set_bit(id, p->doorbells);
	p->queues[id] = q;
	args->queue_id = id;
	args->doorbell_offset = TSR_MMAP_DOORBELL | id * sizeof(u64);
	atomic_long_inc(&p->t->count.queues);
	return 0;
}

int tsr_queue_create(struct tsr_process *p,
		     struct kfd_ioctl_create_queue_args *args)
{
	struct tsr_queue *q;
	int ret = tsr_check_create(p, args);

	if (ret)
		return ret;
	q = kzalloc(sizeof(*q), GFP_KERNEL_ACCOUNT);
	if (!q)
		return -ENOMEM;
	mutex_lock(&p->queue_lock);
	ret = tsr_queue_place(p, q, args);
	mutex_unlock(&p->queue_lock);
	if (ret)
		kfree(q);
	return ret;
}

/* With queue_lock held: that with this number, or NULL. */
static struct tsr_queue *tsr_queue_find(struct tsr_process *p, u32 id)
{
	return id < TESSERA_SLICE_DOORBELLS ? p->queues[id] : NULL;
}

/* With queue_lock held.  The new state counts only if the device takes it. */
static int tsr_queue_change(struct tsr_process *p, struct tsr_queue *q,
			    const TesseraQueue *descriptor)
{
	int ret = tsr_command(p->t, TESSERA_CMD_UPDATE, q->slot, 0, descriptor);

	if (!ret)
		q->descriptor = *descriptor;
	return ret;
}

int tsr_queue_update(struct tsr_process *p,
		     const struct kfd_ioctl_update_queue_args *args)
{
	TesseraQueue descriptor;
	struct tsr_queue *q;
	int ret = -EINVAL;

	if (!tsr_share_ok(args->queue_percentage, args->queue_priority) ||
	    (args->ring_base_address && !tsr_ring_ok(args->ring_size)))
		return -EINVAL;
	mutex_lock(&p->queue_lock);
	q = tsr_queue_find(p, args->queue_id);
	if (q) {
		descriptor = q->descriptor;
		descriptor.priority = args->queue_priority;
		if (args->ring_base_address) {
			descriptor.ring = args->ring_base_address;
			descriptor.ring_packets = args->ring_size /
						  AQL_PACKET_SIZE;
		}
		tsr_set_active(&descriptor, args->ring_base_address ?
			       args->queue_percentage : 0);
		ret = tsr_queue_change(p, q, &descriptor);
	}
	mutex_unlock(&p->queue_lock);
	return ret;
}

int tsr_queue_set_cu_mask(struct tsr_process *p, u32 id, u64 mask)
{
	TesseraQueue descriptor;
	struct tsr_queue *q;
	int ret = -EINVAL;

	mutex_lock(&p->queue_lock);
	q = tsr_queue_find(p, id);
	if (q) {
		descriptor = q->descriptor;
		descriptor.cu_mask = mask;
		ret = tsr_queue_change(p, q, &descriptor);
	}
	mutex_unlock(&p->queue_lock);
	return ret;
}

/*
 * Waves that still run are ended: whoever destroys a queue wants no results,
 * and a shader that never ends must not hold the process up.
 */
static void tsr_queue_end(struct tsr_process *p, struct tsr_queue *q)
{
	int ret = tsr_command(p->t, TESSERA_CMD_KILL, q->slot, 0, NULL);

	atomic_long_dec(&p->t->count.queues);
	p->queues[q->descriptor.doorbell] = NULL;
	clear_bit(q->descriptor.doorbell, p->doorbells);
	if (ret && ret != -ENODEV)
		/* The slot may be in use for ever: nobody gets it. */
		dev_err(&p->t->pdev->dev, "queue %u cannot be killed\n",
			q->slot);
	else
		tsr_give_slot(p->t, q->slot);
	kfree(q);
}

int tsr_queue_destroy(struct tsr_process *p, u32 id)
{
	struct tsr_queue *q;

	mutex_lock(&p->queue_lock);
	q = tsr_queue_find(p, id);
	if (q)
		tsr_queue_end(p, q);
	mutex_unlock(&p->queue_lock);
	return q ? 0 : -EINVAL;
}

void tsr_queue_destroy_all(struct tsr_process *p)
{
	unsigned long id;

	mutex_lock(&p->queue_lock);
	for_each_set_bit(id, p->doorbells, TESSERA_SLICE_DOORBELLS)
		tsr_queue_end(p, p->queues[id]);
	mutex_unlock(&p->queue_lock);
}

void tsr_queue_evict_all(struct tsr_process *p)
{
	unsigned long id;

	lockdep_assert_held(&p->queue_lock);
	if (p->evicted)
		return;
	for_each_set_bit(id, p->doorbells, TESSERA_SLICE_DOORBELLS) {
		struct tsr_queue *q = p->queues[id];

		q->frozen = !tsr_command(p->t, TESSERA_CMD_FREEZE, q->slot, 0,
					 NULL);
	}
	p->evicted = true;
}

/* RESUME would have a queue that a fault has stopped try again. */
static bool tsr_queue_stopped(struct tsr_device *t, u32 slot)
{
	bool stopped;
	int token;

	if (!tsr_enter(t, &token))
		return true;
	spin_lock(&t->reg_lock);
	tsr_write32(t, TESSERA_REG_QUEUE_SELECT, slot);
	stopped = tsr_read32(t, TESSERA_REG_QUEUE_ERROR);
	spin_unlock(&t->reg_lock);
	tsr_leave(token);
	return stopped;
}

void tsr_queue_restore_all(struct tsr_process *p)
{
	unsigned long id;

	lockdep_assert_held(&p->queue_lock);
	p->evicted = false;
	for_each_set_bit(id, p->doorbells, TESSERA_SLICE_DOORBELLS) {
		struct tsr_queue *q = p->queues[id];

		if (q->frozen && !tsr_queue_stopped(p->t, q->slot))
			tsr_command(p->t, TESSERA_CMD_RESUME, q->slot, 0,
				    NULL);
		q->frozen = false;
	}
}
