// SPDX-License-Identifier: GPL-2.0
/*
 * The render node in kernels without DRM, as Debian's cloud kernel is: a plain
 * character device, with the numbers, the place in sysfs and the two ioctls by
 * which libdrm knows one.
 */
#include <linux/cdev.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/uaccess.h>
#include <uapi/drm/amdgpu_drm.h>
#include "tessera_amdgpu.h"

#define DRM_MAJOR 226
#define RENDER_MINOR 128

static struct class *render_class;
static struct cdev *render_cdev;
static const dev_t render_dev = MKDEV(DRM_MAJOR, RENDER_MINOR);

/* As much of a text as there is room for, and how long it is. */
static int tsr_put_text(char __user *to, __kernel_size_t *room,
			const char *text)
{
	size_t length = strlen(text), n = min_t(size_t, length, *room);

	*room = length;
	return to && copy_to_user(to, text, n) ? -EFAULT : 0;
}

static int tsr_version(struct drm_version __user *user)
{
	struct drm_version v;
	int ret;

	if (copy_from_user(&v, user, sizeof(v)))
		return -EFAULT;
	v.version_major = TSR_RENDER_MAJOR_VERSION;
	v.version_minor = TSR_RENDER_MINOR_VERSION;
	v.version_patchlevel = 0;
	ret = tsr_put_text(v.name, &v.name_len, TSR_RENDER_NAME);
	if (!ret)
		ret = tsr_put_text(v.date, &v.date_len, "0");
	if (!ret)
		ret = tsr_put_text(v.desc, &v.desc_len, TSR_RENDER_DESC);
	if (!ret && copy_to_user(user, &v, sizeof(v)))
		ret = -EFAULT;
	return ret;
}

static long tsr_render_ioctl(struct file *file, unsigned int cmd,
			     unsigned long arg)
{
	struct drm_amdgpu_info info;

	switch (cmd) {
	case DRM_IOCTL_VERSION:
		return tsr_version((void __user *)arg);
	case DRM_IOCTL_AMDGPU_INFO:
		if (copy_from_user(&info, (void __user *)arg, sizeof(info)))
			return -EFAULT;
		return tsr_render_info(&info);
	default:
		return -EINVAL;
	}
}

static const struct file_operations render_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = tsr_render_ioctl,
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
	return kasprintf(GFP_KERNEL, "dri/renderD%d", RENDER_MINOR);
}

/* libdrm looks for the folder "drm" of the class in that of the PCI function. */
static int tsr_render_node(struct tsr_device *t)
{
	struct device *dev;

	render_class = tsr_class_create("drm");
	if (IS_ERR(render_class))
		return PTR_ERR(render_class);
	render_class->devnode = tsr_render_devnode;
	dev = device_create(render_class, &t->pdev->dev, render_dev, NULL,
			    "renderD%d", RENDER_MINOR);
	if (IS_ERR(dev))
		class_destroy(render_class);
	return PTR_ERR_OR_ZERO(dev);
}

/* Allocated, since a file may be open longer than the device is there. */
static int tsr_render_cdev(void)
{
	int ret;

	render_cdev = cdev_alloc();
	if (!render_cdev)
		return -ENOMEM;
	render_cdev->ops = &render_fops;
	render_cdev->owner = THIS_MODULE;
	ret = cdev_add(render_cdev, render_dev, 1);
	if (ret)
		kobject_put(&render_cdev->kobj);
	return ret;
}

int tsr_render_init(struct tsr_device *t)
{
	int ret;

	ret = register_chrdev_region(render_dev, 1, TSR_NAME);
	if (ret) {
		dev_err(&t->pdev->dev,
			"the numbers of /dev/dri/renderD%d are taken\n",
			RENDER_MINOR);
		return ret;
	}
	ret = tsr_render_cdev();
	if (ret)
		goto no_cdev;
	ret = tsr_render_node(t);
	if (ret)
		goto no_node;
	t->render_minor = RENDER_MINOR;
	return 0;

no_node:
	cdev_del(render_cdev);
no_cdev:
	unregister_chrdev_region(render_dev, 1);
	return ret;
}

void tsr_render_fini(void)
{
	device_destroy(render_class, render_dev);
	class_destroy(render_class);
	cdev_del(render_cdev);
	unregister_chrdev_region(render_dev, 1);
}
