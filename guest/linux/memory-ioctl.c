// SPDX-License-Identifier: GPL-2.0
/* Ioctls on buffers: allocate, map for the GPU, and back. */
#include <linux/uaccess.h>
#include "tessera_amdgpu.h"

int tsr_ioctl_alloc(struct tsr_process *p, void *data)
{
	struct kfd_ioctl_alloc_memory_of_gpu_args *args = data;
	struct tsr_bo *bo;

	if (args->gpu_id != p->t->gpu_id)
		return -EINVAL;
	mutex_lock(&p->lock);
	bo = !p->vm.vmid ? ERR_PTR(-EINVAL) :
	     tsr_bo_create(p, args->va_addr, args->size, args->mmap_offset,
			   args->flags);
	if (!IS_ERR(bo)) {
		args->handle = bo->id;
		if (bo->kind == TSR_DOORBELL)
			args->mmap_offset = TSR_MMAP_DOORBELL;
		else if (bo->kind != TSR_USERPTR)
			args->mmap_offset = TSR_MMAP_BO(bo->id);
	}
	mutex_unlock(&p->lock);
	return PTR_ERR_OR_ZERO(bo);
}

int tsr_ioctl_free(struct tsr_process *p, void *data)
{
	struct kfd_ioctl_free_memory_of_gpu_args *args = data;
	struct tsr_bo *bo;

	mutex_lock(&p->lock);
	bo = tsr_bo_get(p, args->handle);
	if (bo) {
		tsr_bo_destroy(bo);
		tsr_bo_put(bo);
	}
	mutex_unlock(&p->lock);
	return bo ? 0 : -EINVAL;
}

/* There is one GPU: the list must name it and nothing else. */
static int tsr_check_list(struct tsr_process *p, u64 list, u32 count, u32 done)
{
	u32 gpu_id;

	if (count != 1 || done > count)
		return -EINVAL;
	if (get_user(gpu_id, (u32 __user *)u64_to_user_ptr(list)))
		return -EFAULT;
	return gpu_id == p->t->gpu_id ? 0 : -EINVAL;
}

static int tsr_change_mapping(struct tsr_process *p,
			      struct kfd_ioctl_map_memory_to_gpu_args *args,
			      bool map)
{
	struct tsr_bo *bo;
	int ret = tsr_check_list(p, args->device_ids_array_ptr,
				 args->n_devices, args->n_success);

	if (ret)
		return ret;
	mutex_lock(&p->lock);
	bo = tsr_bo_get(p, args->handle);
	if (!bo) {
		ret = -EINVAL;
	} else {
		if (map)
			ret = tsr_bo_map(bo);
		else
			tsr_bo_unmap(bo);
		tsr_bo_put(bo);
	}
	mutex_unlock(&p->lock);
	if (!ret)
		args->n_success = 1;
	return ret;
}

int tsr_ioctl_map(struct tsr_process *p, void *data)
{
	return tsr_change_mapping(p, data, true);
}

int tsr_ioctl_unmap(struct tsr_process *p, void *data)
{
	/* The arguments are laid out alike. */
	BUILD_BUG_ON(sizeof(struct kfd_ioctl_map_memory_to_gpu_args) !=
		     sizeof(struct kfd_ioctl_unmap_memory_from_gpu_args));
	return tsr_change_mapping(p, data, false);
}
