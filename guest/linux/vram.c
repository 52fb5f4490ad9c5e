// SPDX-License-Identifier: GPL-2.0
/*
 * Device memory, in pages of 4 KiB.  A buffer is one piece where there is room
 * for one, otherwise several.
 */
#include <linux/genalloc.h>
#include <linux/slab.h>
#include "tessera_amdgpu.h"

/*
 * The pool takes address 0 for failure, so pages have the addresses that
 * VMID 0 sees them at.
 */
#define POOL_BASE TESSERA_VRAM_WINDOW

int tsr_vram_init(struct tsr_device *t)
{
	int ret;

	t->pool = gen_pool_create(PAGE_SHIFT, -1);
	if (!t->pool)
		return -ENOMEM;
	ret = gen_pool_add(t->pool, POOL_BASE, t->vram_size, -1);
	if (ret)
		tsr_vram_fini(t);
	return ret;
}

void tsr_vram_fini(struct tsr_device *t)
{
	if (t->pool)
		gen_pool_destroy(t->pool);
	t->pool = NULL;
}

u64 tsr_vram_available(struct tsr_device *t)
{
	return gen_pool_avail(t->pool);
}

/* Aligned so that pages of 2 MiB fit, where one does. */
static u64 tsr_vram_take(struct tsr_device *t, u64 size)
{
	struct genpool_data_align align = {
		.align = size >= TESSERA_PT_HUGE_PAGE ?
			 TESSERA_PT_HUGE_PAGE : PAGE_SIZE,
	};
	unsigned long at = gen_pool_alloc_algo(t->pool, size,
					       gen_pool_first_fit_align,
					       &align);

	return at ? at - POOL_BASE : U64_MAX;
}

static int tsr_add_extent(struct tsr_device *t, u64 size,
			  struct list_head *extents)
{
	struct tsr_extent *extent = kmalloc(sizeof(*extent), GFP_KERNEL);

	if (!extent)
		return -ENOMEM;
	extent->size = size;
	extent->offset = tsr_vram_take(t, size);
	if (extent->offset == U64_MAX) {
		kfree(extent);
		return -ENOSPC;
	}
	memset_io(t->vram + extent->offset, 0, size);
	atomic_long_add(size, &t->count.vram_bytes);
	list_add_tail(&extent->link, extents);
	return 0;
}

int tsr_vram_alloc(struct tsr_device *t, u64 size, struct list_head *extents)
{
	u64 piece = size;
	int ret = 0;

	if (size > tsr_vram_available(t))
		return -ENOMEM;
	while (size && !ret) {
		piece = min(piece, size);
		ret = tsr_add_extent(t, piece, extents);
		if (!ret) {
			size -= piece;
		} else if (ret == -ENOSPC && piece > PAGE_SIZE) {
			piece = rounddown_pow_of_two(piece - 1);
			ret = 0;
		}
		cond_resched();
	}
	if (!ret)
		return 0;
	tsr_vram_free(t, extents);
	return -ENOMEM;
}

void tsr_vram_free(struct tsr_device *t, struct list_head *extents)
{
	struct tsr_extent *extent, *next;

	list_for_each_entry_safe(extent, next, extents, link) {
		gen_pool_free(t->pool, POOL_BASE + extent->offset,
			      extent->size);
		atomic_long_sub(extent->size, &t->count.vram_bytes);
		list_del(&extent->link);
		kfree(extent);
	}
}

u64 tsr_vram_alloc_page(struct tsr_device *t)
{
	u64 offset = tsr_vram_take(t, PAGE_SIZE);

	if (offset != U64_MAX) {
		memset_io(t->vram + offset, 0, PAGE_SIZE);
		atomic_long_add(PAGE_SIZE, &t->count.table_bytes);
	}
	return offset;
}

void tsr_vram_free_page(struct tsr_device *t, u64 offset)
{
	gen_pool_free(t->pool, POOL_BASE + offset, PAGE_SIZE);
	atomic_long_sub(PAGE_SIZE, &t->count.table_bytes);
}
