/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Linux driver for Tessera with the KFD ABI: what the rooms share.
 *
 * Locks, outermost first:
 *	open_lock (process.c)	making of processes
 *	unplug_srcu (device.c)	read side: tsr_enter(); nests, and may sleep
 *	tsr_process.lock	buffers, vmid; taken by ioctls, may allocate
 *	mmap_lock		so mmap() and page faults take none above
 *	tsr_process.queue_lock	queues; also taken from MMU notifiers
 *	tsr_vm.lock		page tables, state of user buffers; the same
 *	tsr_device.slot_lock	who has which queue slot
 *	tsr_device.cmd.lock	the command in flight; also from MMU notifiers
 *	gpu_lock (device.c)	which device is served; alone
 *	tsr_process.event_lock, tsr_device.vmid_lock, .reg_lock,
 *	processes_lock		spinlocks; none inside of another
 *
 * Why that cannot lock up:
 * - MMU notifiers run inside of memory reclaim, with mmap_lock held or not.  They
 *   take queue_lock, vm.lock and cmd.lock and enter the device; under these
 *   nothing is allocated, no page pinned, no user memory touched.
 * - The end of a command comes from the interrupt thread, which takes spinlocks
 *   only.  So it comes whoever waits for it under cmd.lock, or the wait ends
 *   after CMD_SECONDS, or with the device.
 * - tsr_device_unplug() waits for all who are inside, with none of the locks
 *   above held; those wait for locks whose holders do not wait for it.
 * - mmu_interval_notifier_remove() waits, under tsr_process.lock, for notifiers
 *   that run; they do not take that.  Work items that take it are cancelled and
 *   flushed without it.
 * - No spinlock is taken in hard interrupts: tsr_irq() only wakes the thread.
 */
#ifndef TESSERA_AMDGPU_H
#define TESSERA_AMDGPU_H

#include <linux/idr.h>
#include <linux/io.h>
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mmu_notifier.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <uapi/linux/kfd_ioctl.h>

#include "guest/vm/pages.h"
#include "tessera/abi.h"
#include "tessera/regs.h"

#include "compat.h"

#define TSR_NAME "tessera_amdgpu"

struct drm_amdgpu_info;
struct tsr_process;
struct tsr_queue;

/* What is in use, for debugfs: all are 0 when no process uses the GPU. */
struct tsr_counters {
	atomic_long_t processes, vmids, queues, events, buffers;
	atomic_long_t vram_bytes, table_bytes, gtt_pages, pinned_pages;
	/* These only grow. */
	atomic_long_t interrupts, faults, commands, evictions;
};

struct tsr_ih {
	TesseraIhEntry *ring;
	u32 *wptr;		/* the device's copy of IH_WPTR */
	dma_addr_t ring_dma, wptr_dma;
	u32 rptr;
};

/* The memory through which a command is given, see command.c. */
struct tsr_cmd {
	struct mutex lock;
	struct tsr_cmd_memory *memory;
	dma_addr_t dma;
	u64 fence;
	wait_queue_head_t wait;
};

struct tsr_device {
	struct kref ref;	/* the driver's, and one of each process */
	bool public, gone;	/* see device.c */
	struct pci_dev *pdev;
	void __iomem *regs, *vram, *doorbells;
	phys_addr_t regs_phys, vram_phys, doorbells_phys;
	u64 vram_size;
	u32 cu_count, isa, wave_size, gpu_id, render_minor;
	struct gen_pool *pool;	/* VRAM, at TESSERA_VRAM_WINDOW + offset */
	struct tsr_ih ih;
	struct tsr_cmd cmd;
	spinlock_t reg_lock;	/* QUEUE_SELECT and what it shows */
	spinlock_t vmid_lock;
	struct tsr_process *vmids[TESSERA_VMIDS];
	struct mutex slot_lock;
	DECLARE_BITMAP(slots, TESSERA_QUEUES);
	struct tsr_counters count;
};

static inline u32 tsr_read32(struct tsr_device *t, u32 reg)
{
	return readl(t->regs + reg);
}

static inline u64 tsr_read64(struct tsr_device *t, u32 reg)
{
	return readq(t->regs + reg);
}

static inline void tsr_write32(struct tsr_device *t, u32 reg, u32 value)
{
	writel(value, t->regs + reg);
}

static inline void tsr_write64(struct tsr_device *t, u32 reg, u64 value)
{
	writeq(value, t->regs + reg);
}

/* ---- pci.c ---- */
int tsr_pci_register(void);
void tsr_pci_unregister(void);

/* ---- device.c ---- */
/* An error pointer, with -EBUSY if there is one already. */
struct tsr_device *tsr_device_new(struct pci_dev *pdev);
void tsr_device_put(struct tsr_device *t);
/* From now on it is found. */
void tsr_device_publish(struct tsr_device *t);
/* That which is served, with a reference, or NULL. */
struct tsr_device *tsr_device_find(void);
/* Nobody is inside any more, and nobody gets in. */
void tsr_device_unplug(struct tsr_device *t);
/*
 * Around what touches registers, VRAM or doorbells, so that it is not done to
 * a device that is gone.  May be nested, and may sleep.
 */
bool tsr_enter(struct tsr_device *t, int *token);
void tsr_leave(int token);

/* ---- irq.c: the interrupt ring ---- */
int tsr_irq_init(struct tsr_device *t);
void tsr_irq_fini(struct tsr_device *t);

/* ---- command.c ---- */
int tsr_cmd_init(struct tsr_device *t);
void tsr_cmd_fini(struct tsr_device *t);
/* A command's fence was written: wakes who waits. */
void tsr_cmd_done(struct tsr_device *t);
/*
 * Gives a command and waits for its end.  @queue is its descriptor, or NULL.
 * 0, or -EIO, -EBUSY, -EINVAL, -ETIMEDOUT, -ENODEV.
 */
int tsr_command(struct tsr_device *t, u32 op, u32 slot, u32 flags,
		const TesseraQueue *queue);

/* ---- vram.c: device memory ---- */
struct tsr_extent {
	struct list_head link;
	u64 offset, size;	/* in VRAM */
};

int tsr_vram_init(struct tsr_device *t);
void tsr_vram_fini(struct tsr_device *t);
/* Adds cleared pieces of VRAM to @extents, @size bytes in all. */
int tsr_vram_alloc(struct tsr_device *t, u64 size, struct list_head *extents);
void tsr_vram_free(struct tsr_device *t, struct list_head *extents);
/* One cleared page for a table: its offset, or U64_MAX. */
u64 tsr_vram_alloc_page(struct tsr_device *t);
void tsr_vram_free_page(struct tsr_device *t, u64 offset);
u64 tsr_vram_available(struct tsr_device *t);

/* ---- gpuvm.c: page tables of a VMID ---- */
struct tsr_vm {
	struct tsr_device *t;
	struct mutex lock;
	u32 vmid;		/* 0: none yet */
	PageSpace space;
	unsigned long *tables;	/* bitmap of the pages of VRAM used for them */
};

int tsr_vm_init(struct tsr_vm *vm, struct tsr_process *p);
/* The VMID's queues have been killed. */
void tsr_vm_fini(struct tsr_vm *vm);
/* Both with vm->lock held.  @leaf: address and TESSERA_PT_ bits. */
int tsr_vm_map(struct tsr_vm *vm, u64 va, u64 size, u64 leaf);
void tsr_vm_unmap(struct tsr_vm *vm, u64 va, u64 size);

/* ---- bo.c: buffers ---- */
enum tsr_bo_kind { TSR_VRAM, TSR_GTT, TSR_USERPTR, TSR_DOORBELL };

struct tsr_bo {
	struct kref ref;
	struct tsr_process *process;
	enum tsr_bo_kind kind;
	u32 id;			/* in the process, not 0 */
	u64 va, size;
	u64 leaf;		/* TESSERA_PT_READ, _WRITE, _EXECUTE */
	bool mapped;
	struct list_head extents;	/* TSR_VRAM */
	unsigned long npages;		/* TSR_GTT, TSR_USERPTR */
	struct page **pages;
	dma_addr_t *dma;
	/* TSR_USERPTR; vm.lock covers valid */
	u64 user;
	bool valid;
	bool watched;
	struct mmu_interval_notifier notifier;
};

/*
 * With p->lock held.  @user: address of the process's own memory, if @flags say
 * so.  An error pointer if it cannot be.
 */
struct tsr_bo *tsr_bo_create(struct tsr_process *p, u64 va, u64 size,
			     u64 user, u32 flags);
int tsr_bo_map(struct tsr_bo *bo);
void tsr_bo_unmap(struct tsr_bo *bo);
/* Takes it out of the process; the memory goes with the last reference. */
void tsr_bo_destroy(struct tsr_bo *bo);
void tsr_bo_destroy_all(struct tsr_process *p);

/* That with this id, with a reference, or NULL.  Takes no mutex. */
struct tsr_bo *tsr_bo_get(struct tsr_process *p, u64 id);
void tsr_bo_put(struct tsr_bo *bo);
/* Page @index of it, as the CPU sees it. */
unsigned long tsr_bo_pfn(const struct tsr_bo *bo, unsigned long index);
/* With vm.lock held: enters the buffer's pages into the tables. */
int tsr_bo_map_locked(struct tsr_bo *bo);
/* Bus addresses of bo->pages, and their end. */
int tsr_bo_dma_map(struct tsr_bo *bo);
void tsr_bo_dma_unmap(struct tsr_bo *bo);

/* ---- userptr.c: buffers in the process's own memory ---- */
int tsr_userptr_init(struct tsr_bo *bo);
void tsr_userptr_fini(struct tsr_bo *bo);
/* Pins pages anew that the kernel has taken away, and lets queues go on. */
void tsr_userptr_restore(struct work_struct *work);

/* ---- mmap.c ---- */
/* Offsets for mmap(): a buffer's, and that of the process's doorbells. */
#define TSR_MMAP_BO(id) ((u64)(id) << 36)
#define TSR_MMAP_DOORBELL (3ull << 62)

int tsr_mmap(struct file *file, struct vm_area_struct *vma);
/* Takes from @mm what is mapped of any device: a touch is an error then. */
void tsr_mmap_revoke(struct mm_struct *mm);

/* ---- process.c ---- */
struct tsr_process {
	struct kref ref;
	struct hlist_node link;
	struct mm_struct *mm;
	struct mmu_notifier notifier;
	struct tsr_device *t;
	pid_t pid;
	bool dying;
	bool stripped;		/* what it had of the device is taken away */

	struct mutex lock;
	struct xarray buffers;
	struct tsr_vm vm;

	struct mutex queue_lock;
	struct tsr_queue *queues[TESSERA_SLICE_DOORBELLS];
	DECLARE_BITMAP(doorbells, TESSERA_SLICE_DOORBELLS);
	bool evicted;		/* queues stand still */
	u32 evictions;		/* grows with each that is asked for */
	struct work_struct restore;

	spinlock_t event_lock;
	struct idr events;
	wait_queue_head_t event_wait;
	struct tsr_bo *event_bo;
	u64 *event_page;

	struct work_struct release;
};

int tsr_process_init(void);
void tsr_process_fini(void);
/* That of current->mm, with a reference; made if there is none. */
struct tsr_process *tsr_process_open(struct tsr_device *t);
/* That of @mm, with a reference, or NULL. */
struct tsr_process *tsr_process_find(struct mm_struct *mm);
/* That of @vmid, with a reference, or NULL.  From any context. */
struct tsr_process *tsr_process_of_vmid(struct tsr_device *t, u32 vmid);
void tsr_process_put(struct tsr_process *p);
/* The device is gone: takes all of it from its processes, and tells them. */
void tsr_process_strip_all(struct tsr_device *t);
/* A VMID with page tables, once.  With p->lock held. */
int tsr_process_acquire_vm(struct tsr_process *p);

/* ---- queue.c ---- */
int tsr_queue_create(struct tsr_process *p,
		     struct kfd_ioctl_create_queue_args *args);
int tsr_queue_update(struct tsr_process *p,
		     const struct kfd_ioctl_update_queue_args *args);
int tsr_queue_set_cu_mask(struct tsr_process *p, u32 id, u64 mask);
int tsr_queue_destroy(struct tsr_process *p, u32 id);
void tsr_queue_destroy_all(struct tsr_process *p);
/* The process's waves stand still, and go on.  With queue_lock held. */
void tsr_queue_evict_all(struct tsr_process *p);
void tsr_queue_restore_all(struct tsr_process *p);

/* ---- event.c ---- */
int tsr_event_create(struct tsr_process *p,
		     struct kfd_ioctl_create_event_args *args);
int tsr_event_destroy(struct tsr_process *p, u32 id);
int tsr_event_set(struct tsr_process *p, u32 id, bool signaled);
int tsr_event_wait(struct tsr_process *p,
		   struct kfd_ioctl_wait_events_args *args);
void tsr_event_destroy_all(struct tsr_process *p);
/* A signal's mailbox holds @id. */
void tsr_event_interrupt(struct tsr_process *p, u32 id);
/* Interrupts were lost: looks at all slots. */
void tsr_event_scan(struct tsr_process *p);
bool tsr_event_memory_fault(struct tsr_process *p,
			    const struct kfd_hsa_memory_exception_data *data);
bool tsr_event_hw_exception(struct tsr_process *p,
			    const struct kfd_hsa_hw_exception_data *data);

/* ---- fault.c ---- */
/* The queue in @slot has stopped: tells its process. */
void tsr_fault(struct tsr_device *t, u32 vmid, u32 slot);
/* What the process has waited for is never going to come. */
void tsr_fault_lost(struct tsr_process *p);

/* ---- topology.c: /sys/devices/virtual/kfd/kfd/topology ---- */
int tsr_topology_init(struct device *dev, struct tsr_device *t);
void tsr_topology_fini(void);

/* ---- ioctl.c, memory-ioctl.c: /dev/kfd ---- */
extern const struct file_operations tsr_kfd_fops;

int tsr_kfd_init(struct tsr_device *t);
void tsr_kfd_fini(void);
int tsr_ioctl_alloc(struct tsr_process *p, void *data);
int tsr_ioctl_free(struct tsr_process *p, void *data);
int tsr_ioctl_map(struct tsr_process *p, void *data);
int tsr_ioctl_unmap(struct tsr_process *p, void *data);

/* ---- render.c, render-drm.c or render-plain.c: /dev/dri/renderD128 ---- */
#define TSR_RENDER_NAME "tessera"
#define TSR_RENDER_DESC "Tessera virtual GPU"
/* Of amdgpu in Linux 6.1, whose ioctl is answered; libdrm insists on the 3. */
#define TSR_RENDER_MAJOR_VERSION 3
#define TSR_RENDER_MINOR_VERSION 49

int tsr_render_init(struct tsr_device *t);
void tsr_render_fini(void);
int tsr_render_info(const struct drm_amdgpu_info *info);
bool tsr_is_render_file(const struct file *file);

/* ---- debugfs.c ---- */
void tsr_debugfs_init(struct tsr_device *t);
void tsr_debugfs_fini(void);

#endif
