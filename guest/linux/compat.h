/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Everything that differs between the kernels this driver is built for (6.1
 * and later).  No other file tests versions.
 */
#ifndef TSR_COMPAT_H
#define TSR_COMPAT_H

#include <linux/device.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/version.h>

/* 6.4: class_create() has no owner any more. */
static inline struct class *tsr_class_create(const char *name)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
	return class_create(name);
#else
	return class_create(THIS_MODULE, name);
#endif
}

/* 6.2: the devnode call-back takes a const device. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
#define TSR_DEVNODE_DEVICE const struct device
#else
#define TSR_DEVNODE_DEVICE struct device
#endif

/* 6.12: files whose offsets may be anything say so; DRM wants it. */
#ifdef FOP_UNSIGNED_OFFSET
#define TSR_UNSIGNED_OFFSETS .fop_flags = FOP_UNSIGNED_OFFSET,
#else
#define TSR_UNSIGNED_OFFSETS
#endif

/* 6.14: DRM's drivers have no date any more. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 14, 0)
#define TSR_DRM_DATE
#else
#define TSR_DRM_DATE .date = "0",
#endif

/* 6.3: vm_flags may only be changed by functions. */
static inline void tsr_vm_flags_set(struct vm_area_struct *vma,
				    unsigned long flags)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	vm_flags_set(vma, flags);
#else
	vma->vm_flags |= flags;
#endif
}

static inline void tsr_vm_flags_clear(struct vm_area_struct *vma,
				      unsigned long flags)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	vm_flags_clear(vma, flags);
#else
	vma->vm_flags &= ~flags;
#endif
}

/* 6.5: the vmas argument is gone. */
static inline long tsr_pin_remote(struct mm_struct *mm, unsigned long start,
				  unsigned long count, unsigned int flags,
				  struct page **pages)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 5, 0)
	return pin_user_pages_remote(mm, start, count, flags, pages, NULL);
#else
	return pin_user_pages_remote(mm, start, count, flags, pages, NULL,
				     NULL);
#endif
}

#endif
