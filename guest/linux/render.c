// SPDX-License-Identifier: GPL-2.0
/*
 * The render node, /dev/dri/renderD128: through it buffers are mapped, ROCm
 * names an address space by it, and libdrm asks it what it is.  What it answers
 * is here; render-drm.c and render-plain.c make the file, with DRM's core and
 * without.
 */
#include <linux/uaccess.h>
#include <uapi/drm/amdgpu_drm.h>
#include "tessera_amdgpu.h"

#define FAMILY_AI 141	/* that of gfx9: no registers of older ones are read */
#define CLOCK_KHZ 100000
#define ENGINE_KHZ 1000000
#define REGISTERS_MAX 128u
/* Where the address space of a 47-bit CPU ends. */
#define VA_OFFSET (2ull << 20)
#define VA_MAX (1ull << 47)

static int tsr_reply(const struct drm_amdgpu_info *info, const void *data,
		     size_t size)
{
	size = min_t(size_t, size, info->return_size);
	return copy_to_user(u64_to_user_ptr(info->return_pointer), data,
			    size) ? -EFAULT : 0;
}

static int tsr_accel_working(struct tsr_device *t,
			     const struct drm_amdgpu_info *info)
{
	u32 yes = 1;

	return tsr_reply(info, &yes, sizeof(yes));
}

static int tsr_dev_info(struct tsr_device *t,
			const struct drm_amdgpu_info *info)
{
	struct drm_amdgpu_info_device reply = {
		.device_id = t->pdev->device,
		.pci_rev = t->pdev->revision,
		.family = FAMILY_AI,
		.num_shader_engines = 1,
		.num_shader_arrays_per_engine = 1,
		.gpu_counter_freq = CLOCK_KHZ,
		.max_engine_clock = ENGINE_KHZ,
		.max_memory_clock = ENGINE_KHZ,
		.cu_active_number = t->cu_count,
		.num_cu_per_sh = t->cu_count,
		.virtual_address_offset = VA_OFFSET,
		.virtual_address_max = VA_MAX,
		.virtual_address_alignment = PAGE_SIZE,
		.gart_page_size = PAGE_SIZE,
		.wave_front_size = t->wave_size,
	};

	return tsr_reply(info, &reply, sizeof(reply));
}

/* All registers of this kind tell of tiled pictures, which there are not. */
static int tsr_read_mmr(struct tsr_device *t,
			const struct drm_amdgpu_info *info)
{
	u32 zeros[REGISTERS_MAX] = { 0 };

	if (info->read_mmr_reg.count > REGISTERS_MAX)
		return -EINVAL;
	return tsr_reply(info, zeros,
			 info->read_mmr_reg.count * sizeof(*zeros));
}

int tsr_render_info(const struct drm_amdgpu_info *info)
{
	static const struct {
		u32 query;
		int (*call)(struct tsr_device *t,
			    const struct drm_amdgpu_info *info);
	} queries[] = {
		{ AMDGPU_INFO_ACCEL_WORKING, tsr_accel_working },
		{ AMDGPU_INFO_DEV_INFO, tsr_dev_info },
		{ AMDGPU_INFO_READ_MMR_REG, tsr_read_mmr },
	};
	struct tsr_device *t = tsr_device_find();
	int i, ret = -EINVAL;

	if (!t)
		return -ENODEV;
	for (i = 0; i < ARRAY_SIZE(queries); i++) {
		if (queries[i].query == info->query)
			ret = queries[i].call(t, info);
	}
	tsr_device_put(t);
	return ret;
}
