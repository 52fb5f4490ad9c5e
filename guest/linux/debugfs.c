// SPDX-License-Identifier: GPL-2.0
/*
 * /sys/kernel/debug/tessera/in_use: what processes hold, all 0 when there are
 * none; .../totals: what only grows.
 */
#include <linux/debugfs.h>
#include <linux/seq_file.h>
#include "tessera_amdgpu.h"

static struct dentry *root;

static int in_use_show(struct seq_file *f, void *unused)
{
	struct tsr_device *t = f->private;

#define LINE(name) \
	seq_printf(f, #name " %ld\n", atomic_long_read(&t->count.name))
	LINE(processes);
	LINE(vmids);
	LINE(queues);
	LINE(events);
	LINE(buffers);
	LINE(vram_bytes);
	LINE(table_bytes);
	LINE(gtt_pages);
	LINE(pinned_pages);
	seq_printf(f, "slots %d\n", bitmap_weight(t->slots, TESSERA_QUEUES));
	seq_printf(f, "vram_lost %llu\n",
		   t->vram_size - tsr_vram_available(t) -
		   atomic_long_read(&t->count.vram_bytes) -
		   atomic_long_read(&t->count.table_bytes));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(in_use);

static int totals_show(struct seq_file *f, void *unused)
{
	struct tsr_device *t = f->private;

	LINE(interrupts);
	LINE(faults);
	LINE(commands);
	LINE(evictions);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(totals);

void tsr_debugfs_init(struct tsr_device *t)
{
	root = debugfs_create_dir("tessera", NULL);
	debugfs_create_file("in_use", 0444, root, t, &in_use_fops);
	debugfs_create_file("totals", 0444, root, t, &totals_fops);
}

void tsr_debugfs_fini(void)
{
	debugfs_remove(root);
}
