// SPDX-License-Identifier: GPL-2.0
/*
 * Events: what threads of a process sleep on.  A signal event has a slot in
 * the event page, which the process allocates; the device stores the event's
 * number there before it interrupts, and the slot goes back to all ones when
 * that has been seen.
 */
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include "tessera_amdgpu.h"

#define EVENTS_MAX (2 * KFD_SIGNAL_EVENT_LIMIT)
#define EVENT_PAGE_BYTES (KFD_SIGNAL_EVENT_LIMIT * sizeof(u64))
#define EVENT_PAGE_OFFSET (2ull << 62)
#define SLOT_EMPTY U64_MAX
#define FOREVER 0xffffffffu

union tsr_event_data {
	struct kfd_hsa_memory_exception_data memory;
	struct kfd_hsa_hw_exception_data hw;
};

struct tsr_event {
	u32 id, type;
	bool signaled, auto_reset;
	union tsr_event_data data;
	struct list_head waiters;
};

/* One event that a thread waits for. */
struct tsr_waiter {
	struct list_head link;
	struct tsr_event *event;	/* NULL: destroyed meanwhile */
	bool activated;
};

static bool tsr_is_signal(const struct tsr_event *ev)
{
	return ev->type == KFD_IOC_EVENT_SIGNAL ||
	       ev->type == KFD_IOC_EVENT_DEBUG_EVENT;
}

/* ---- setting, with event_lock held ---- */

/* All who wait now are woken, also by an event that resets itself. */
static void tsr_set(struct tsr_process *p, struct tsr_event *ev)
{
	struct tsr_waiter *waiter;

	ev->signaled = !ev->auto_reset || list_empty(&ev->waiters);
	list_for_each_entry(waiter, &ev->waiters, link)
		waiter->activated = true;
	wake_up_all(&p->event_wait);
}

static void tsr_look_at_slot(struct tsr_process *p, struct tsr_event *ev)
{
	if (!p->event_page || !tsr_is_signal(ev) ||
	    READ_ONCE(p->event_page[ev->id]) == SLOT_EMPTY)
		return;
	WRITE_ONCE(p->event_page[ev->id], SLOT_EMPTY);
	tsr_set(p, ev);
}

static void tsr_scan(struct tsr_process *p)
{
	struct tsr_event *ev;
	int id;

	idr_for_each_entry(&p->events, ev, id)
		tsr_look_at_slot(p, ev);
}

void tsr_event_interrupt(struct tsr_process *p, u32 id)
{
	struct tsr_event *ev;

	spin_lock(&p->event_lock);
	ev = idr_find(&p->events, id);
	if (ev)
		tsr_look_at_slot(p, ev);
	else	/* of a shader that says nothing useful in M0 */
		tsr_scan(p);
	spin_unlock(&p->event_lock);
}

void tsr_event_scan(struct tsr_process *p)
{
	spin_lock(&p->event_lock);
	tsr_scan(p);
	spin_unlock(&p->event_lock);
}

/* True if there was an event of this type to set. */
static bool tsr_set_type(struct tsr_process *p, u32 type,
			 const union tsr_event_data *data)
{
	struct tsr_event *ev;
	bool found = false;
	int id;

	spin_lock(&p->event_lock);
	idr_for_each_entry(&p->events, ev, id) {
		if (ev->type != type)
			continue;
		ev->data = *data;
		tsr_set(p, ev);
		found = true;
	}
	spin_unlock(&p->event_lock);
	return found;
}

bool tsr_event_memory_fault(struct tsr_process *p,
			    const struct kfd_hsa_memory_exception_data *data)
{
	return tsr_set_type(p, KFD_IOC_EVENT_MEMORY,
			    &(union tsr_event_data){ .memory = *data });
}

bool tsr_event_hw_exception(struct tsr_process *p,
			    const struct kfd_hsa_hw_exception_data *data)
{
	return tsr_set_type(p, KFD_IOC_EVENT_HW_EXCEPTION,
			    &(union tsr_event_data){ .hw = *data });
}

int tsr_event_set(struct tsr_process *p, u32 id, bool signaled)
{
	struct tsr_event *ev;

	spin_lock(&p->event_lock);
	ev = idr_find(&p->events, id);
	if (ev && !signaled)
		ev->signaled = false;
	else if (ev && tsr_is_signal(ev))
		tsr_set(p, ev);
	else
		ev = NULL;
	spin_unlock(&p->event_lock);
	return ev ? 0 : -EINVAL;
}

/* ---- coming and going ---- */

/* With p->lock held: takes the buffer that the process offers as its page. */
static int tsr_set_page(struct tsr_process *p, u64 handle)
{
	struct tsr_bo *bo;
	u64 *page;

	if (p->event_page)
		return 0;
	bo = tsr_bo_get(p, handle);
	if (!bo)
		return -EINVAL;
	if (bo->kind != TSR_GTT || bo->size < EVENT_PAGE_BYTES) {
		tsr_bo_put(bo);
		return -EINVAL;
	}
	page = vmap(bo->pages, bo->npages, VM_MAP, PAGE_KERNEL);
	if (!page) {
		tsr_bo_put(bo);
		return -ENOMEM;
	}
	memset(page, 0xff, EVENT_PAGE_BYTES);
	p->event_bo = bo;
	spin_lock(&p->event_lock);
	p->event_page = page;
	spin_unlock(&p->event_lock);
	return 0;
}

/* Signal events have numbers below the limit: that of their slot. */
static int tsr_add(struct tsr_process *p, struct tsr_event *ev)
{
	bool is_signal = tsr_is_signal(ev);
	int id;

	idr_preload(GFP_KERNEL);
	spin_lock(&p->event_lock);
	id = idr_alloc(&p->events, ev,
		       is_signal ? 1 : KFD_SIGNAL_EVENT_LIMIT,
		       is_signal ? KFD_SIGNAL_EVENT_LIMIT : EVENTS_MAX,
		       GFP_NOWAIT);
	if (id >= 0) {
		ev->id = id;
		if (is_signal)
			WRITE_ONCE(p->event_page[id], SLOT_EMPTY);
	}
	spin_unlock(&p->event_lock);
	idr_preload_end();
	return id < 0 ? id : 0;
}

int tsr_event_create(struct tsr_process *p,
		     struct kfd_ioctl_create_event_args *args)
{
	struct tsr_event *ev;
	int ret = 0;

	if (args->event_page_offset)
		ret = tsr_set_page(p, args->event_page_offset);
	if (ret)
		return ret;
	ev = kzalloc(sizeof(*ev), GFP_KERNEL_ACCOUNT);
	if (!ev)
		return -ENOMEM;
	ev->type = args->event_type;
	ev->auto_reset = args->auto_reset;
	INIT_LIST_HEAD(&ev->waiters);
	ret = tsr_is_signal(ev) && !p->event_page ? -EINVAL : tsr_add(p, ev);
	if (ret) {
		kfree(ev);
		return ret;
	}
	atomic_long_inc(&p->t->count.events);
	args->event_id = ev->id;
	args->event_trigger_data = ev->id;
	if (tsr_is_signal(ev)) {
		/* Only if this is not 0 the thunk gives the signal a mailbox. */
		args->event_page_offset = EVENT_PAGE_OFFSET;
		args->event_slot_index = ev->id;
	}
	return 0;
}

/* With event_lock held.  Who waits for it is told that it is no more. */
static void tsr_remove(struct tsr_process *p, struct tsr_event *ev)
{
	struct tsr_waiter *waiter, *next;

	list_for_each_entry_safe(waiter, next, &ev->waiters, link) {
		waiter->event = NULL;
		list_del_init(&waiter->link);
	}
	wake_up_all(&p->event_wait);
	idr_remove(&p->events, ev->id);
	atomic_long_dec(&p->t->count.events);
	kfree(ev);
}

int tsr_event_destroy(struct tsr_process *p, u32 id)
{
	struct tsr_event *ev;

	spin_lock(&p->event_lock);
	ev = idr_find(&p->events, id);
	if (ev)
		tsr_remove(p, ev);
	spin_unlock(&p->event_lock);
	return ev ? 0 : -EINVAL;
}

void tsr_event_destroy_all(struct tsr_process *p)
{
	u64 *page = p->event_page;
	struct tsr_event *ev;
	int id;

	spin_lock(&p->event_lock);
	idr_for_each_entry(&p->events, ev, id)
		tsr_remove(p, ev);
	p->event_page = NULL;
	spin_unlock(&p->event_lock);
	if (page)
		vunmap(page);
	if (p->event_bo)
		tsr_bo_put(p->event_bo);
	p->event_bo = NULL;
}

/* ---- waiting ---- */

struct tsr_wait {
	struct tsr_process *p;
	struct tsr_waiter *waiters;
	u32 count;
	bool all;
};

/* With event_lock held. */
static int tsr_join(struct tsr_wait *w, u32 index, u32 id)
{
	struct tsr_waiter *waiter = &w->waiters[index];
	struct tsr_event *ev = idr_find(&w->p->events, id);

	if (!ev)
		return -EINVAL;
	waiter->event = ev;
	waiter->activated = ev->signaled;
	if (ev->auto_reset)
		ev->signaled = false;
	list_add_tail(&waiter->link, &ev->waiters);
	return 0;
}

static int tsr_join_all(struct tsr_wait *w,
			const struct kfd_event_data __user *user)
{
	u32 i, id;
	int ret = 0;

	for (i = 0; i < w->count; i++)
		INIT_LIST_HEAD(&w->waiters[i].link);
	for (i = 0; i < w->count && !ret; i++) {
		if (get_user(id, &user[i].event_id))
			return -EFAULT;
		spin_lock(&w->p->event_lock);
		ret = tsr_join(w, i, id);
		spin_unlock(&w->p->event_lock);
	}
	return ret;
}

/* @again: the call is going to be repeated, and must find what it found. */
static void tsr_leave_all(struct tsr_wait *w, bool again)
{
	u32 i;

	spin_lock(&w->p->event_lock);
	for (i = 0; i < w->count; i++) {
		struct tsr_waiter *waiter = &w->waiters[i];

		list_del_init(&waiter->link);
		if (again && waiter->event && waiter->activated &&
		    waiter->event->auto_reset)
			tsr_set(w->p, waiter->event);
	}
	spin_unlock(&w->p->event_lock);
}

/* A KFD_IOC_WAIT_RESULT_; TIMEOUT stands for not yet. */
static u32 tsr_outcome(struct tsr_wait *w)
{
	u32 i, activated = 0, gone = 0;

	spin_lock(&w->p->event_lock);
	for (i = 0; i < w->count; i++) {
		activated += w->waiters[i].activated;
		gone += !w->waiters[i].event;
	}
	spin_unlock(&w->p->event_lock);
	if (gone)
		return KFD_IOC_WAIT_RESULT_FAIL;
	if (w->all ? activated == w->count : activated)
		return KFD_IOC_WAIT_RESULT_COMPLETE;
	return KFD_IOC_WAIT_RESULT_TIMEOUT;
}

/* Faults tell their circumstances. */
static int tsr_copy_data(struct tsr_wait *w, struct kfd_event_data __user *user)
{
	u32 i;

	for (i = 0; i < w->count; i++) {
		union tsr_event_data data;
		bool has_data;

		spin_lock(&w->p->event_lock);
		has_data = w->waiters[i].activated && w->waiters[i].event &&
			   !tsr_is_signal(w->waiters[i].event);
		if (has_data)
			data = w->waiters[i].event->data;
		spin_unlock(&w->p->event_lock);
		if (has_data && copy_to_user(&user[i], &data, sizeof(data)))
			return -EFAULT;
	}
	return 0;
}

static long tsr_jiffies(u32 ms)
{
	if (ms == FOREVER)
		return MAX_SCHEDULE_TIMEOUT;
	/* Not rounded to 0, and not to the longest that a long can hold. */
	return ms ? min(msecs_to_jiffies(min_t(u32, ms, INT_MAX)) + 1,
			(unsigned long)MAX_SCHEDULE_TIMEOUT - 1) : 0;
}

/* 0, or -ERESTARTSYS with the time that is left in args. */
static int tsr_sleep(struct tsr_wait *w,
		     struct kfd_ioctl_wait_events_args *args)
{
	long left = tsr_jiffies(args->timeout);
	u32 result;

	if (left)
		left = wait_event_interruptible_timeout(w->p->event_wait,
			(result = tsr_outcome(w)) !=
				KFD_IOC_WAIT_RESULT_TIMEOUT, left);
	args->wait_result = tsr_outcome(w);
	if (left != -ERESTARTSYS)
		return 0;
	if (args->wait_result != KFD_IOC_WAIT_RESULT_TIMEOUT)
		return 0;
	return -ERESTARTSYS;
}

static int tsr_wait(struct tsr_wait *w,
		    struct kfd_ioctl_wait_events_args *args)
{
	struct kfd_event_data __user *user = u64_to_user_ptr(args->events_ptr);
	unsigned long start = jiffies;
	int ret;

	args->wait_result = KFD_IOC_WAIT_RESULT_FAIL;
	ret = tsr_join_all(w, user);
	if (!ret)
		ret = tsr_sleep(w, args);
	if (ret == -ERESTARTSYS && args->timeout != FOREVER)
		args->timeout -= min(args->timeout,
				     jiffies_to_msecs(jiffies - start));
	if (!ret && args->wait_result == KFD_IOC_WAIT_RESULT_COMPLETE)
		ret = tsr_copy_data(w, user);
	if (!ret && args->wait_result == KFD_IOC_WAIT_RESULT_FAIL)
		ret = -EIO;
	tsr_leave_all(w, ret == -ERESTARTSYS);
	return ret;
}

int tsr_event_wait(struct tsr_process *p,
		   struct kfd_ioctl_wait_events_args *args)
{
	struct tsr_wait w = {
		.p = p,
		.count = args->num_events,
		.all = args->wait_for_all,
	};
	int ret;

	if (!w.count || w.count > EVENTS_MAX)
		return -EINVAL;
	w.waiters = kvcalloc(w.count, sizeof(*w.waiters), GFP_KERNEL_ACCOUNT);
	if (!w.waiters)
		return -ENOMEM;
	ret = tsr_wait(&w, args);
	kvfree(w.waiters);
	return ret;
}
