// SPDX-License-Identifier: GPL-2.0
/* The render node in kernels with DRM, whose core has the numbers. */
#include <drm/drm_device.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_ioctl.h>
#include <linux/module.h>
#include <uapi/drm/amdgpu_drm.h>
#include "tessera_amdgpu.h"

static struct drm_device *drm;

static int tsr_drm_info(struct drm_device *dev, void *data,
			struct drm_file *file)
{
	return tsr_render_info(data);
}

static const struct drm_ioctl_desc tsr_drm_ioctls[] = {
	DRM_IOCTL_DEF_DRV(AMDGPU_INFO, tsr_drm_info, DRM_RENDER_ALLOW),
};

static const struct file_operations tsr_drm_fops = {
	.owner = THIS_MODULE,
	.open = drm_open,
	.release = drm_release,
	.unlocked_ioctl = drm_ioctl,
	.mmap = tsr_mmap,
	.llseek = noop_llseek,
	TSR_UNSIGNED_OFFSETS
};

/* No buffers, no modes: those who look for a screen find none. */
static const struct drm_driver tsr_drm_driver = {
	.driver_features = DRIVER_RENDER,
	.fops = &tsr_drm_fops,
	.ioctls = tsr_drm_ioctls,
	.num_ioctls = ARRAY_SIZE(tsr_drm_ioctls),
	.name = TSR_RENDER_NAME,
	.desc = TSR_RENDER_DESC,
	.major = TSR_RENDER_MAJOR_VERSION,
	.minor = TSR_RENDER_MINOR_VERSION,
	TSR_DRM_DATE
};

bool tsr_is_render_file(const struct file *file)
{
	return file->f_op == &tsr_drm_fops;
}

int tsr_render_init(struct tsr_device *t)
{
	int ret;

	drm = drm_dev_alloc(&tsr_drm_driver, &t->pdev->dev);
	if (IS_ERR(drm))
		return PTR_ERR(drm);
	ret = drm_dev_register(drm, 0);
	if (ret) {
		drm_dev_put(drm);
		return ret;
	}
	t->render_minor = drm->render->index;
	return 0;
}

void tsr_render_fini(void)
{
	drm_dev_unplug(drm);
	drm_dev_put(drm);
}
