// SPDX-License-Identifier: GPL-2.0
/*
 * /sys/kernel/debug/tessera/in_use: what processes hold, all 0 when there are
 * none; .../totals: what only grows; .../queues: what the device says of each.
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

static void queue_show(struct seq_file *f, struct tsr_device *t, u32 slot)
{
	u32 state, error, inflight, waits;
	u64 read_index;

	spin_lock(&t->reg_lock);
	tsr_write32(t, TESSERA_REG_QUEUE_SELECT, slot);
	state = tsr_read32(t, TESSERA_REG_QUEUE_STATE);
	error = tsr_read32(t, TESSERA_REG_QUEUE_ERROR);
	read_index = tsr_read64(t, TESSERA_REG_QUEUE_READ_INDEX);
	inflight = tsr_read32(t, TESSERA_REG_QUEUE_INFLIGHT);
	waits = tsr_read32(t, TESSERA_REG_QUEUE_WAITS);
	spin_unlock(&t->reg_lock);
	seq_printf(f, "slot %u state %u error %#x read %llu inflight %u waits %u\n",
		   slot, state, error, read_index, inflight, waits);
}

static int queues_show(struct seq_file *f, void *unused)
{
	struct tsr_device *t = f->private;
	unsigned long slot;

	mutex_lock(&t->slot_lock);
	for_each_set_bit(slot, t->slots, TESSERA_QUEUES)
		queue_show(f, t, slot);
	mutex_unlock(&t->slot_lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(queues);

void tsr_debugfs_init(struct tsr_device *t)
{
	root = debugfs_create_dir("tessera", NULL);
	debugfs_create_file("in_use", 0444, root, t, &in_use_fops);
	debugfs_create_file("queues", 0400, root, t, &queues_fops);
	debugfs_create_file("totals", 0444, root, t, &totals_fops);
}

void tsr_debugfs_fini(void)
{
	debugfs_remove(root);
}
