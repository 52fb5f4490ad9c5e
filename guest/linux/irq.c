// SPDX-License-Identifier: GPL-2.0
/* The interrupt ring: MSI-X vector 0 and the entries that it tells of. */
#include <linux/dma-mapping.h>
#include <linux/interrupt.h>
#include "tessera_amdgpu.h"

#define IH_LOG2 12
#define IH_BYTES (sizeof(TesseraIhEntry) << IH_LOG2)

static void tsr_entry(struct tsr_device *t, const TesseraIhEntry *entry)
{
	struct tsr_process *p;

	switch (entry->source) {
	case TESSERA_IH_COMMAND:
		tsr_cmd_done(t);
		break;
	case TESSERA_IH_SIGNAL:
	case TESSERA_IH_SHADER:
		p = tsr_process_of_vmid(t, entry->vmid);
		if (p) {
			tsr_event_interrupt(p, entry->data);
			tsr_process_put(p);
		}
		break;
	case TESSERA_IH_FAULT:
		tsr_fault(t, entry->vmid, entry->queue);
		break;
	default:	/* QUEUE_ERROR says nothing that FAULT did not */
		break;
	}
}

/* Entries were dropped: whatever they were about is looked at. */
static void tsr_overflow(struct tsr_device *t)
{
	u32 vmid;

	tsr_write32(t, TESSERA_REG_IH_STATUS, TESSERA_IH_STATUS_OVERFLOW_MASK);
	tsr_cmd_done(t);
	for (vmid = 1; vmid < TESSERA_VMIDS; vmid++) {
		struct tsr_process *p = tsr_process_of_vmid(t, vmid);

		if (p) {
			tsr_event_scan(p);
			tsr_process_put(p);
		}
	}
}

static irqreturn_t tsr_irq(int irq, void *data)
{
	return IRQ_WAKE_THREAD;
}

static irqreturn_t tsr_irq_thread(int irq, void *data)
{
	struct tsr_device *t = data;
	struct tsr_ih *ih = &t->ih;

	atomic_long_inc(&t->count.interrupts);
	while (ih->rptr != smp_load_acquire(ih->wptr)) {
		TesseraIhEntry entry = ih->ring[ih->rptr % (1 << IH_LOG2)];

		tsr_write32(t, TESSERA_REG_IH_RPTR, ++ih->rptr);
		tsr_entry(t, &entry);
	}
	if (tsr_read32(t, TESSERA_REG_IH_STATUS) &
	    TESSERA_IH_STATUS_OVERFLOW_MASK)
		tsr_overflow(t);
	return IRQ_HANDLED;
}

static void tsr_ih_start(struct tsr_device *t)
{
	tsr_write32(t, TESSERA_REG_IH_RPTR, 0);
	tsr_write64(t, TESSERA_REG_IH_BASE, t->ih.ring_dma);
	tsr_write64(t, TESSERA_REG_IH_WPTR_ADDR, t->ih.wptr_dma);
	tsr_write32(t, TESSERA_REG_IH_CONTROL,
		    TESSERA_IH_CONTROL_ENABLE_MASK |
		    IH_LOG2 << TESSERA_IH_CONTROL_SIZE_LOG2_SHIFT);
}

int tsr_irq_init(struct tsr_device *t)
{
	struct device *dev = &t->pdev->dev;
	int ret;

	t->ih.ring = dmam_alloc_coherent(dev, IH_BYTES, &t->ih.ring_dma,
					 GFP_KERNEL);
	t->ih.wptr = dmam_alloc_coherent(dev, sizeof(*t->ih.wptr),
					 &t->ih.wptr_dma, GFP_KERNEL);
	if (!t->ih.ring || !t->ih.wptr)
		return -ENOMEM;
	ret = pci_alloc_irq_vectors(t->pdev, 1, 1, PCI_IRQ_MSIX);
	if (ret < 0)
		return ret;
	ret = request_threaded_irq(pci_irq_vector(t->pdev, 0), tsr_irq,
				   tsr_irq_thread, 0, TSR_NAME, t);
	if (ret) {
		pci_free_irq_vectors(t->pdev);
		return ret;
	}
	tsr_ih_start(t);
	return 0;
}

void tsr_irq_fini(struct tsr_device *t)
{
	free_irq(pci_irq_vector(t->pdev, 0), t);
	pci_free_irq_vectors(t->pdev);
}
