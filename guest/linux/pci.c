// SPDX-License-Identifier: GPL-2.0
/* The PCI function: BARs, bus mastering, and the order of coming and going. */
#include <linux/module.h>
#include "tessera_amdgpu.h"

#define TSR_ISA_GFX900 90000

/* BARs are mapped by pcim_iomap(), so that they go with the device. */
static int tsr_map_bars(struct tsr_device *t)
{
	struct pci_dev *pdev = t->pdev;

	t->regs = pcim_iomap(pdev, TESSERA_BAR_REGS, 0);
	t->doorbells = pcim_iomap(pdev, TESSERA_BAR_DOORBELL, 0);
	t->vram_phys = pci_resource_start(pdev, TESSERA_BAR_VRAM);
	t->vram = devm_ioremap_wc(&pdev->dev, t->vram_phys,
				  pci_resource_len(pdev, TESSERA_BAR_VRAM));
	if (!t->regs || !t->doorbells || !t->vram)
		return -ENOMEM;
	t->regs_phys = pci_resource_start(pdev, TESSERA_BAR_REGS);
	t->doorbells_phys = pci_resource_start(pdev, TESSERA_BAR_DOORBELL);
	return 0;
}

/* Is it the device that this driver was written for? */
static int tsr_identify(struct tsr_device *t)
{
	u32 version = tsr_read32(t, TESSERA_REG_SPEC_VERSION);
	u32 features = tsr_read32(t, TESSERA_REG_FEATURES);

	if (tsr_read32(t, TESSERA_REG_ID) != TESSERA_MAGIC ||
	    version >> TESSERA_SPEC_VERSION_MAJOR_SHIFT !=
	    TESSERA_SPEC_VERSION >> TESSERA_SPEC_VERSION_MAJOR_SHIFT ||
	    !(features & TESSERA_FEATURES_PAGE_TABLES_MASK)) {
		dev_err(&t->pdev->dev, "unknown version %#x of the device\n",
			version);
		return -ENODEV;
	}
	t->isa = tsr_read32(t, TESSERA_REG_ISA);
	if (t->isa != TSR_ISA_GFX900) {
		dev_err(&t->pdev->dev,
			"instruction set %u; this driver knows %u\n",
			t->isa, TSR_ISA_GFX900);
		return -ENODEV;
	}
	t->cu_count = tsr_read32(t, TESSERA_REG_CU_COUNT);
	t->wave_size = tsr_read32(t, TESSERA_REG_WAVE_SIZE);
	t->vram_size = tsr_read64(t, TESSERA_REG_VRAM_SIZE);
	/* Any number but 0 that does not change from boot to boot. */
	t->gpu_id = 0x7e00 | pci_dev_id(t->pdev);
	return 0;
}

static int tsr_enable(struct tsr_device *t)
{
	struct pci_dev *pdev = t->pdev;
	int ret;

	ret = pcim_enable_device(pdev);
	if (ret)
		return ret;
	ret = pci_request_regions(pdev, TSR_NAME);
	if (ret)
		return ret;
	ret = tsr_map_bars(t);
	if (!ret)
		ret = tsr_identify(t);
	if (!ret)
		ret = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(48));
	if (ret)
		return ret;
	pci_set_master(pdev);
	tsr_write32(t, TESSERA_REG_CONTROL, TESSERA_CONTROL_RESET_MASK);
	return 0;
}

/* From here on the device touches no memory any more. */
static void tsr_quiet(struct tsr_device *t)
{
	tsr_write32(t, TESSERA_REG_CONTROL, TESSERA_CONTROL_RESET_MASK);
	pci_clear_master(t->pdev);
}

static int tsr_start(struct tsr_device *t)
{
	int ret;

	ret = tsr_vram_init(t);
	if (ret)
		return ret;
	ret = tsr_cmd_init(t);
	if (ret)
		return ret;
	ret = tsr_irq_init(t);
	if (ret)
		goto no_irq;
	ret = tsr_render_init(t);
	if (ret)
		goto no_render;
	ret = tsr_kfd_init(t);
	if (ret)
		goto no_kfd;
	tsr_device_publish(t);
	tsr_debugfs_init(t);
	return 0;

no_kfd:
	tsr_render_fini();
no_render:
	tsr_quiet(t);
	tsr_irq_fini(t);
no_irq:
	tsr_cmd_fini(t);
	return ret;
}

static int tsr_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct tsr_device *t;
	int ret;

	t = tsr_device_new(pdev);
	if (PTR_ERR_OR_ZERO(t) == -EBUSY)
		dev_err(&pdev->dev, "only the first Tessera GPU is used\n");
	if (IS_ERR(t))
		return PTR_ERR(t);
	pci_set_drvdata(pdev, t);
	ret = tsr_enable(t);
	if (!ret)
		ret = tsr_start(t);
	if (ret) {
		tsr_device_unplug(t);
		tsr_device_put(t);
		return ret;
	}
	dev_info(&pdev->dev, "%llu MiB of VRAM, %u compute units\n",
		 t->vram_size >> 20, t->cu_count);
	return 0;
}

/*
 * There may be processes, if it is the device that goes and not the module.  The
 * files go first, so that nobody comes; then all are out of the device; then
 * they are told.
 */
static void tsr_remove(struct pci_dev *pdev)
{
	struct tsr_device *t = pci_get_drvdata(pdev);

	tsr_debugfs_fini();
	tsr_kfd_fini();
	tsr_render_fini();
	tsr_device_unplug(t);
	tsr_quiet(t);
	tsr_irq_fini(t);
	tsr_process_strip_all(t);
	tsr_cmd_fini(t);
	tsr_device_put(t);
}

static const struct pci_device_id tsr_ids[] = {
	{ PCI_DEVICE(TESSERA_PCI_VENDOR, TESSERA_PCI_DEVICE) },
	{ }
};
MODULE_DEVICE_TABLE(pci, tsr_ids);

static struct pci_driver tsr_pci_driver = {
	.name = TSR_NAME,
	.id_table = tsr_ids,
	.probe = tsr_probe,
	.remove = tsr_remove,
};

int tsr_pci_register(void)
{
	return pci_register_driver(&tsr_pci_driver);
}

void tsr_pci_unregister(void)
{
	pci_unregister_driver(&tsr_pci_driver);
}
