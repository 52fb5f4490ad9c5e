// SPDX-License-Identifier: GPL-2.0
/*
 * The render node, /dev/dri/renderD128: through it buffers are mapped, and
 * ROCm names an address space by it.  A plain character device: Debian's cloud
 * kernel has no DRM.  Its ioctls are refused, which costs no more than the
 * marketing name.
 */
#include <linux/cdev.h>
#include <linux/fs.h>
#include <linux/module.h>
#include "tessera_amdgpu.h"

#define DRM_MAJOR 226

static struct class *render_class;
static struct cdev render_cdev;
static const dev_t render_dev = MKDEV(DRM_MAJOR, TSR_RENDER_MINOR);

static const struct file_operations render_fops = {
	.owner = THIS_MODULE,
	.mmap = tsr_mmap,
	.llseek = noop_llseek,
};

bool tsr_is_render_file(const struct file *file)
{
	return file->f_op == &render_fops;
}

static char *tsr_render_devnode(TSR_DEVNODE_DEVICE *dev, umode_t *mode)
{
	if (mode)
		*mode = 0666;
	return kasprintf(GFP_KERNEL, "dri/renderD%d", TSR_RENDER_MINOR);
}

static int tsr_render_node(void)
{
	struct device *dev;

	render_class = tsr_class_create("tessera_render");
	if (IS_ERR(render_class))
		return PTR_ERR(render_class);
	render_class->devnode = tsr_render_devnode;
	dev = device_create(render_class, NULL, render_dev, NULL, "renderD%d",
			    TSR_RENDER_MINOR);
	if (IS_ERR(dev))
		class_destroy(render_class);
	return PTR_ERR_OR_ZERO(dev);
}

int tsr_render_init(void)
{
	int ret;

	ret = register_chrdev_region(render_dev, 1, TSR_NAME);
	if (ret) {
		pr_err(TSR_NAME ": the numbers of /dev/dri/renderD%d are taken\n",
		       TSR_RENDER_MINOR);
		return ret;
	}
	cdev_init(&render_cdev, &render_fops);
	render_cdev.owner = THIS_MODULE;
	ret = cdev_add(&render_cdev, render_dev, 1);
	if (ret)
		goto no_cdev;
	ret = tsr_render_node();
	if (!ret)
		return 0;
	cdev_del(&render_cdev);
no_cdev:
	unregister_chrdev_region(render_dev, 1);
	return ret;
}

void tsr_render_fini(void)
{
	device_destroy(render_class, render_dev);
	class_destroy(render_class);
	cdev_del(&render_cdev);
	unregister_chrdev_region(render_dev, 1);
}
