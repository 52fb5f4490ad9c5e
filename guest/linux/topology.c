// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/kfd and, below its device in sysfs, the topology that ROCm reads: node
 * 0 is the CPU, node 1 the GPU.  "nodes" must hold nothing but the numbered
 * folders.
 */
#include <linux/cpumask.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/kobject.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sysfs.h>
#include "tessera_amdgpu.h"

#define LDS_KIB 64
#define SCRATCH_SLOTS 32
#define L1_KIB 16
#define MHZ 1000
/* capability: type of doorbells, bits 13:12 */
#define CAP_DOORBELLS_64BIT (2 << 12)

enum { HEAP_SYSTEM = 0, HEAP_VRAM_PUBLIC = 1 };
#define LINK_PCIE 2

static struct tsr_device *gpu;

static ssize_t generation_id_show(struct kobject *kobj,
				  struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "1\n");
}

static ssize_t system_properties_show(struct kobject *kobj,
				      struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "platform_oem 0\nplatform_id 0\n"
			       "platform_rev 0\n");
}

static ssize_t cpu_id_show(struct kobject *kobj, struct kobj_attribute *attr,
			   char *buf)
{
	return sysfs_emit(buf, "0\n");
}

static ssize_t gpu_id_show(struct kobject *kobj, struct kobj_attribute *attr,
			   char *buf)
{
	return sysfs_emit(buf, "%u\n", gpu->gpu_id);
}

static ssize_t cpu_show(struct kobject *kobj, struct kobj_attribute *attr,
			char *buf)
{
	return sysfs_emit(buf, "cpu_cores_count %u\nsimd_count 0\n"
			       "mem_banks_count 1\ncaches_count 0\n"
			       "io_links_count 1\np2p_links_count 0\n"
			       "cpu_core_id_base 0\nmax_engine_clk_ccompute %u\n",
			  num_online_cpus(), 1000);
}

/* RDNA's compute units have two SIMDs, of 16 waves; gfx9's four, of 10. */
static bool is_rdna(void)
{
	return gpu->isa >= 100000;
}

static int gpu_shape(char *buf, int at)
{
	unsigned int simds = is_rdna() ? 2 : 4;

	return sysfs_emit_at(buf, at,
			     "cpu_cores_count 0\nsimd_count %u\n"
			     "mem_banks_count 1\ncaches_count 1\n"
			     "io_links_count 1\np2p_links_count 0\n"
			     "simd_id_base 0\nmax_waves_per_simd %u\n"
			     "lds_size_in_kb %u\ngds_size_in_kb 0\nnum_gws 0\n"
			     "wave_front_size %u\narray_count 1\n"
			     "simd_arrays_per_engine 1\n"
			     "cu_per_simd_array %u\nsimd_per_cu %u\n"
			     "max_slots_scratch_cu %u\n",
			     gpu->cu_count * simds, is_rdna() ? 16 : 10,
			     LDS_KIB, gpu->wave_size, gpu->cu_count,
			     simds, SCRATCH_SLOTS);
}

static int gpu_identity(char *buf, int at)
{
	struct pci_dev *pdev = gpu->pdev;

	return sysfs_emit_at(buf, at,
			     "gfx_target_version %u\nvendor_id %u\n"
			     "device_id %u\nlocation_id %u\ndomain %d\n"
			     "drm_render_minor %u\nhive_id 0\n"
			     "num_sdma_engines 0\nnum_sdma_xgmi_engines 0\n"
			     "num_sdma_queues_per_engine 0\n"
			     "num_cp_queues %u\nnum_xcc 1\n"
			     "max_engine_clk_fcompute %u\n"
			     "local_mem_size %llu\nfw_version 1\n"
			     "sdma_fw_version 0\ncapability %u\n"
			     "debug_prop 0\nunique_id %u\n",
			     gpu->isa, pdev->vendor, pdev->device,
			     pci_dev_id(pdev), pci_domain_nr(pdev->bus),
			     gpu->render_minor, TESSERA_QUEUES, MHZ,
			     gpu->vram_size, CAP_DOORBELLS_64BIT, gpu->gpu_id);
}

static ssize_t gpu_show(struct kobject *kobj, struct kobj_attribute *attr,
			char *buf)
{
	int at = gpu_shape(buf, 0);

	return at + gpu_identity(buf, at);
}

static ssize_t bank_show(char *buf, u32 heap, u64 size)
{
	return sysfs_emit(buf, "heap_type %u\nsize_in_bytes %llu\nflags 0\n"
			       "width 64\nmem_clk_max %u\n",
			  heap, size, MHZ);
}

static ssize_t cpu_bank_show(struct kobject *kobj, struct kobj_attribute *attr,
			     char *buf)
{
	return bank_show(buf, HEAP_SYSTEM, (u64)totalram_pages() << PAGE_SHIFT);
}

static ssize_t gpu_bank_show(struct kobject *kobj, struct kobj_attribute *attr,
			     char *buf)
{
	return bank_show(buf, HEAP_VRAM_PUBLIC, gpu->vram_size);
}

static ssize_t gpu_cache_show(struct kobject *kobj,
			      struct kobj_attribute *attr, char *buf)
{
	/* type: data, for SIMDs */
	return sysfs_emit(buf, "processor_id_low 0\nlevel 1\nsize %u\n"
			       "cache_line_size 64\ncache_lines_per_tag 1\n"
			       "association 64\nlatency 1\ntype 9\n"
			       "sibling_map 1\n", L1_KIB);
}

static ssize_t link_show(char *buf, u32 from, u32 to)
{
	return sysfs_emit(buf, "type %u\nversion_major 0\nversion_minor 0\n"
			       "node_from %u\nnode_to %u\nweight 20\n"
			       "min_latency 0\nmax_latency 0\n"
			       "min_bandwidth 0\nmax_bandwidth 0\n"
			       "recommended_transfer_size 0\nflags 1\n",
			  LINK_PCIE, from, to);
}

static ssize_t cpu_link_show(struct kobject *kobj, struct kobj_attribute *attr,
			     char *buf)
{
	return link_show(buf, 0, 1);
}

static ssize_t gpu_link_show(struct kobject *kobj, struct kobj_attribute *attr,
			     char *buf)
{
	return link_show(buf, 1, 0);
}

/*
 * The folders, each after the one that it lies in, and up to two files in
 * each.
 */
enum { TOPOLOGY, NODES, CPU, CPU_BANKS, CPU_BANK, CPU_LINKS, CPU_LINK, GPU,
       GPU_BANKS, GPU_BANK, GPU_CACHES, GPU_CACHE, GPU_LINKS, GPU_LINK,
       FOLDERS };

#define FILE(name, show) \
	(&(struct kobj_attribute)__ATTR(name, 0444, show, NULL))

static const struct {
	int parent;
	const char *name;
	struct kobj_attribute *files[2];
} folders[FOLDERS] = {
	[TOPOLOGY] = { -1, "topology", {
		FILE(generation_id, generation_id_show),
		FILE(system_properties, system_properties_show) } },
	[NODES] = { TOPOLOGY, "nodes" },
	[CPU] = { NODES, "0", {
		FILE(gpu_id, cpu_id_show), FILE(properties, cpu_show) } },
	[CPU_BANKS] = { CPU, "mem_banks" },
	[CPU_BANK] = { CPU_BANKS, "0", { FILE(properties, cpu_bank_show) } },
	[CPU_LINKS] = { CPU, "io_links" },
	[CPU_LINK] = { CPU_LINKS, "0", { FILE(properties, cpu_link_show) } },
	[GPU] = { NODES, "1", {
		FILE(gpu_id, gpu_id_show), FILE(properties, gpu_show) } },
	[GPU_BANKS] = { GPU, "mem_banks" },
	[GPU_BANK] = { GPU_BANKS, "0", { FILE(properties, gpu_bank_show) } },
	[GPU_CACHES] = { GPU, "caches" },
	[GPU_CACHE] = { GPU_CACHES, "0", { FILE(properties, gpu_cache_show) } },
	[GPU_LINKS] = { GPU, "io_links" },
	[GPU_LINK] = { GPU_LINKS, "0", { FILE(properties, gpu_link_show) } },
};

static struct kobject *made[FOLDERS];

static int tsr_make_folder(struct device *dev, int i)
{
	struct kobject *parent = folders[i].parent < 0 ?
		&dev->kobj : made[folders[i].parent];
	unsigned int f;
	int ret = 0;

	made[i] = kobject_create_and_add(folders[i].name, parent);
	if (!made[i])
		return -ENOMEM;
	for (f = 0; f < ARRAY_SIZE(folders[i].files) && !ret; f++) {
		if (folders[i].files[f])
			ret = sysfs_create_file(made[i],
						&folders[i].files[f]->attr);
	}
	return ret;
}

int tsr_topology_init(struct device *dev, struct tsr_device *t)
{
	int i, ret = 0;

	gpu = t;
	for (i = 0; i < FOLDERS && !ret; i++)
		ret = tsr_make_folder(dev, i);
	if (ret)
		tsr_topology_fini();
	return ret;
}

void tsr_topology_fini(void)
{
	int i;

	for (i = FOLDERS - 1; i >= 0; i--) {
		kobject_put(made[i]);
		made[i] = NULL;
	}
}

/* ---- /dev/kfd ---- */

static struct class *kfd_class;
static int kfd_major;

static char *tsr_kfd_devnode(TSR_DEVNODE_DEVICE *dev, umode_t *mode)
{
	if (mode)
		*mode = 0666;
	return NULL;
}

static int tsr_kfd_device(struct tsr_device *t)
{
	struct device *dev;
	int ret;

	kfd_class = tsr_class_create("kfd");
	if (IS_ERR(kfd_class))
		return PTR_ERR(kfd_class);
	kfd_class->devnode = tsr_kfd_devnode;
	dev = device_create(kfd_class, NULL, MKDEV(kfd_major, 0), NULL, "kfd");
	ret = PTR_ERR_OR_ZERO(dev);
	if (!ret)
		ret = tsr_topology_init(dev, t);
	if (!ret)
		return 0;
	if (!IS_ERR(dev))
		device_destroy(kfd_class, MKDEV(kfd_major, 0));
	class_destroy(kfd_class);
	return ret;
}

int tsr_kfd_init(struct tsr_device *t)
{
	int ret;

	kfd_major = register_chrdev(0, "kfd", &tsr_kfd_fops);
	if (kfd_major < 0)
		return kfd_major;
	ret = tsr_kfd_device(t);
	if (ret)
		unregister_chrdev(kfd_major, "kfd");
	return ret;
}

void tsr_kfd_fini(void)
{
	tsr_topology_fini();
	device_destroy(kfd_class, MKDEV(kfd_major, 0));
	class_destroy(kfd_class);
	unregister_chrdev(kfd_major, "kfd");
}
