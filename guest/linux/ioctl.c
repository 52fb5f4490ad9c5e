// SPDX-License-Identifier: GPL-2.0
/* /dev/kfd: the table of ioctls.  Those that are not in it are refused. */
#include <linux/compat.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include "tessera_amdgpu.h"

/*
 * Runtime 6.1 wants 1.9 at least.  From 1.14 on it relies on the age of
 * events, which is not there.
 */
#define KFD_MAJOR 1
#define KFD_MINOR 9

#define ARGS_MAX 128

/* Flat apertures, as VM_SH_MEM_BASES has them after reset; 4 GiB each. */
#define LDS_BASE (1ull << 48)
#define SCRATCH_BASE (2ull << 48)
#define APERTURE_LAST 0xffffffffull
#define GPUVM_BASE (16ull << 20)
#define GPUVM_LAST ((1ull << 47) - 1)

static bool tsr_gpu_ok(struct tsr_process *p, u32 gpu_id)
{
	return gpu_id == p->t->gpu_id;
}

static int tsr_get_version(struct tsr_process *p, void *data)
{
	struct kfd_ioctl_get_version_args *args = data;

	args->major_version = KFD_MAJOR;
	args->minor_version = KFD_MINOR;
	return 0;
}

static int tsr_create_queue(struct tsr_process *p, void *data)
{
	return tsr_queue_create(p, data);
}

static int tsr_destroy_queue(struct tsr_process *p, void *data)
{
	struct kfd_ioctl_destroy_queue_args *args = data;

	return tsr_queue_destroy(p, args->queue_id);
}

static int tsr_update_queue(struct tsr_process *p, void *data)
{
	return tsr_queue_update(p, data);
}

static int tsr_set_cu_mask(struct tsr_process *p, void *data)
{
	struct kfd_ioctl_set_cu_mask_args *args = data;
	u32 words[2] = { 0 };

	/* Bits of compute units that there are not mean nothing. */
	if (!args->num_cu_mask || args->num_cu_mask % 32)
		return -EINVAL;
	if (copy_from_user(words, u64_to_user_ptr(args->cu_mask_ptr),
			   min_t(size_t, sizeof(words),
				 args->num_cu_mask / BITS_PER_BYTE)))
		return -EFAULT;
	return tsr_queue_set_cu_mask(p, args->queue_id,
				     words[0] | (u64)words[1] << 32);
}

/* All memory is coherent, whatever is asked for. */
static int tsr_set_memory_policy(struct tsr_process *p, void *data)
{
	struct kfd_ioctl_set_memory_policy_args *args = data;

	return tsr_gpu_ok(p, args->gpu_id) ? 0 : -EINVAL;
}

static int tsr_get_clock_counters(struct tsr_process *p, void *data)
{
	struct kfd_ioctl_get_clock_counters_args *args = data;

	args->gpu_clock_counter = tsr_gpu_ok(p, args->gpu_id) ?
		tsr_read64(p->t, TESSERA_REG_CLOCK) : 0;
	args->cpu_clock_counter = ktime_get_raw_ns();
	args->system_clock_counter = ktime_get_boottime_ns();
	args->system_clock_freq = NSEC_PER_SEC;
	return 0;
}

static int tsr_create_event(struct tsr_process *p, void *data)
{
	int ret;

	mutex_lock(&p->lock);
	ret = tsr_event_create(p, data);
	mutex_unlock(&p->lock);
	return ret;
}

static int tsr_destroy_event(struct tsr_process *p, void *data)
{
	struct kfd_ioctl_destroy_event_args *args = data;

	return tsr_event_destroy(p, args->event_id);
}

static int tsr_set_event(struct tsr_process *p, void *data)
{
	struct kfd_ioctl_set_event_args *args = data;

	return tsr_event_set(p, args->event_id, true);
}

static int tsr_reset_event(struct tsr_process *p, void *data)
{
	struct kfd_ioctl_reset_event_args *args = data;

	return tsr_event_set(p, args->event_id, false);
}

static int tsr_wait_events(struct tsr_process *p, void *data)
{
	return tsr_event_wait(p, data);
}

/* The device reads scratch from the queue: there is nothing to set. */
static int tsr_set_scratch(struct tsr_process *p, void *data)
{
	struct kfd_ioctl_set_scratch_backing_va_args *args = data;

	return tsr_gpu_ok(p, args->gpu_id) ? 0 : -EINVAL;
}

/* There are no tiled pictures, so there are no modes to tell of. */
static int tsr_get_tile_config(struct tsr_process *p, void *data)
{
	struct kfd_ioctl_get_tile_config_args *args = data;

	if (!tsr_gpu_ok(p, args->gpu_id))
		return -EINVAL;
	args->num_tile_configs = 0;
	args->num_macro_tile_configs = 0;
	args->gb_addr_config = 0;
	args->num_banks = 0;
	args->num_ranks = 0;
	return 0;
}

/*
 * The runtime's handler is accepted and never entered: it is made to be called
 * by one of Linux's, and what it would report the device reports by itself, in
 * the inactive signal of the queue.
 */
static int tsr_set_trap_handler(struct tsr_process *p, void *data)
{
	struct kfd_ioctl_set_trap_handler_args *args = data;

	return tsr_gpu_ok(p, args->gpu_id) && p->vm.vmid ? 0 : -EINVAL;
}

static void tsr_fill_apertures(struct tsr_device *t,
			       struct kfd_process_device_apertures *a)
{
	*a = (struct kfd_process_device_apertures){
		.lds_base = LDS_BASE,
		.lds_limit = LDS_BASE | APERTURE_LAST,
		.scratch_base = SCRATCH_BASE,
		.scratch_limit = SCRATCH_BASE | APERTURE_LAST,
		.gpuvm_base = GPUVM_BASE,
		.gpuvm_limit = GPUVM_LAST,
		.gpu_id = t->gpu_id,
	};
}

static int tsr_get_apertures(struct tsr_process *p, void *data)
{
	struct kfd_ioctl_get_process_apertures_new_args *args = data;
	struct kfd_process_device_apertures a;

	if (!args->num_of_nodes) {	/* asks how many there are */
		args->num_of_nodes = 1;
		return 0;
	}
	tsr_fill_apertures(p->t, &a);
	args->num_of_nodes = 1;
	if (copy_to_user(u64_to_user_ptr(args->kfd_process_device_apertures_ptr),
			 &a, sizeof(a)))
		return -EFAULT;
	return 0;
}

static int tsr_acquire_vm(struct tsr_process *p, void *data)
{
	struct kfd_ioctl_acquire_vm_args *args = data;
	struct file *file = fget(args->drm_fd);
	int ret = -EINVAL;

	if (!file)
		return -EINVAL;
	if (tsr_gpu_ok(p, args->gpu_id) && tsr_is_render_file(file)) {
		mutex_lock(&p->lock);
		ret = tsr_process_acquire_vm(p);
		mutex_unlock(&p->lock);
	}
	fput(file);
	return ret;
}

/* Faults cannot be retried: the mode is off, and may be asked for. */
static int tsr_set_xnack_mode(struct tsr_process *p, void *data)
{
	struct kfd_ioctl_set_xnack_mode_args *args = data;

	if (args->xnack_enabled > 0)
		return -EPERM;
	args->xnack_enabled = 0;
	return 0;
}

static int tsr_available_memory(struct tsr_process *p, void *data)
{
	struct kfd_ioctl_get_available_memory_args *args = data;

	if (!tsr_gpu_ok(p, args->gpu_id))
		return -EINVAL;
	args->available = tsr_vram_available(p->t);
	return 0;
}

struct tsr_ioctl {
	unsigned int cmd;
	int (*call)(struct tsr_process *p, void *data);
	bool always;	/* also when the device is gone */
};

#define IOCTL(name, function) \
	[_IOC_NR(AMDKFD_IOC_##name)] = { AMDKFD_IOC_##name, function, false }
#define ALWAYS(name, function) \
	[_IOC_NR(AMDKFD_IOC_##name)] = { AMDKFD_IOC_##name, function, true }

static const struct tsr_ioctl ioctls[] = {
	ALWAYS(GET_VERSION, tsr_get_version),
	IOCTL(CREATE_QUEUE, tsr_create_queue),
	IOCTL(DESTROY_QUEUE, tsr_destroy_queue),
	IOCTL(SET_MEMORY_POLICY, tsr_set_memory_policy),
	IOCTL(GET_CLOCK_COUNTERS, tsr_get_clock_counters),
	IOCTL(UPDATE_QUEUE, tsr_update_queue),
	ALWAYS(CREATE_EVENT, tsr_create_event),
	ALWAYS(DESTROY_EVENT, tsr_destroy_event),
	ALWAYS(SET_EVENT, tsr_set_event),
	ALWAYS(RESET_EVENT, tsr_reset_event),
	ALWAYS(WAIT_EVENTS, tsr_wait_events),
	IOCTL(SET_SCRATCH_BACKING_VA, tsr_set_scratch),
	IOCTL(GET_TILE_CONFIG, tsr_get_tile_config),
	IOCTL(SET_TRAP_HANDLER, tsr_set_trap_handler),
	IOCTL(GET_PROCESS_APERTURES_NEW, tsr_get_apertures),
	IOCTL(ACQUIRE_VM, tsr_acquire_vm),
	IOCTL(ALLOC_MEMORY_OF_GPU, tsr_ioctl_alloc),
	IOCTL(FREE_MEMORY_OF_GPU, tsr_ioctl_free),
	IOCTL(MAP_MEMORY_TO_GPU, tsr_ioctl_map),
	IOCTL(UNMAP_MEMORY_FROM_GPU, tsr_ioctl_unmap),
	IOCTL(SET_CU_MASK, tsr_set_cu_mask),
	IOCTL(SET_XNACK_MODE, tsr_set_xnack_mode),
	IOCTL(AVAILABLE_MEMORY, tsr_available_memory),
};

static int tsr_call_inside(struct tsr_process *p,
			   const struct tsr_ioctl *ioctl, void *data)
{
	int ret, token;

	if (ioctl->always)
		return ioctl->call(p, data);
	if (!tsr_enter(p->t, &token))
		return -ENODEV;
	ret = ioctl->call(p, data);
	tsr_leave(token);
	return ret;
}

/* Older and newer programs have shorter and longer structures. */
static long tsr_call(struct tsr_process *p, const struct tsr_ioctl *ioctl,
		     unsigned int cmd, void __user *user)
{
	u8 data[ARGS_MAX] __aligned(8) = { 0 };
	size_t size = min(_IOC_SIZE(cmd), _IOC_SIZE(ioctl->cmd));
	long ret;

	if (ioctl->cmd & IOC_IN && copy_from_user(data, user, size))
		return -EFAULT;
	ret = tsr_call_inside(p, ioctl, data);
	dev_dbg(&p->t->pdev->dev, "ioctl %#x: %ld\n", _IOC_NR(cmd), ret);
	if (ioctl->cmd & IOC_OUT && copy_to_user(user, data, size))
		return -EFAULT;
	return ret;
}

static long tsr_kfd_ioctl(struct file *file, unsigned int cmd,
			  unsigned long arg)
{
	struct tsr_process *p = file->private_data;
	unsigned int nr = _IOC_NR(cmd);

	/* A file that was inherited by fork() is the parent's. */
	if (p->mm != current->mm)
		return -EBADF;
	if (_IOC_TYPE(cmd) != AMDKFD_IOCTL_BASE || nr >= ARRAY_SIZE(ioctls) ||
	    !ioctls[nr].call) {
		dev_dbg(&p->t->pdev->dev, "ioctl %#x is refused\n", cmd);
		return -EINVAL;
	}
	BUILD_BUG_ON(sizeof(struct kfd_ioctl_create_queue_args) > ARGS_MAX);
	return tsr_call(p, &ioctls[nr], cmd, (void __user *)arg);
}

static int tsr_kfd_open(struct inode *inode, struct file *file)
{
	struct tsr_device *t;
	struct tsr_process *p;

	if (in_compat_syscall())
		return -EPERM;
	t = tsr_device_find();
	if (!t)
		return -ENODEV;
	p = tsr_process_open(t);
	tsr_device_put(t);
	if (IS_ERR(p))
		return PTR_ERR(p);
	file->private_data = p;
	return 0;
}

static int tsr_kfd_release(struct inode *inode, struct file *file)
{
	tsr_process_put(file->private_data);
	return 0;
}

const struct file_operations tsr_kfd_fops = {
	.owner = THIS_MODULE,
	.open = tsr_kfd_open,
	.release = tsr_kfd_release,
	.unlocked_ioctl = tsr_kfd_ioctl,
	.mmap = tsr_mmap,
	.llseek = noop_llseek,
};
