// SPDX-License-Identifier: GPL-2.0
/* Queues that have stopped: what is told to the process. */
#include "tessera_amdgpu.h"

struct tsr_fault_record {
	u32 status, cause, vmid, error;
	u64 address, pc;
};

/* The record of the queue in @slot, and room for the next first fault. */
static void tsr_fault_read(struct tsr_device *t, u32 slot,
			   struct tsr_fault_record *r)
{
	spin_lock(&t->reg_lock);
	tsr_write32(t, TESSERA_REG_QUEUE_SELECT, slot);
	r->status = tsr_read32(t, TESSERA_REG_QUEUE_FAULT_STATUS);
	r->address = tsr_read64(t, TESSERA_REG_QUEUE_FAULT_ADDR);
	r->pc = tsr_read64(t, TESSERA_REG_QUEUE_FAULT_PC);
	r->error = tsr_read32(t, TESSERA_REG_QUEUE_ERROR);
	tsr_write32(t, TESSERA_REG_FAULT_STATUS,
		    TESSERA_FAULT_STATUS_VALID_MASK);
	spin_unlock(&t->reg_lock);
	r->cause = (r->status & TESSERA_QUEUE_FAULT_STATUS_CAUSE_MASK) >>
		   TESSERA_QUEUE_FAULT_STATUS_CAUSE_SHIFT;
	r->vmid = (r->status & TESSERA_QUEUE_FAULT_STATUS_VMID_MASK) >>
		  TESSERA_QUEUE_FAULT_STATUS_VMID_SHIFT;
}

/*
 * Runtime 5.2 listens to the memory event only, so that tells of it too, as KFD
 * has it do when a GPU is reset.
 */
void tsr_fault_lost(struct tsr_process *p)
{
	struct kfd_hsa_hw_exception_data hw = {
		.reset_type = KFD_HW_EXCEPTION_PER_ENGINE_RESET,
		.reset_cause = KFD_HW_EXCEPTION_GPU_HANG,
		.gpu_id = p->t->gpu_id,
	};
	struct kfd_hsa_memory_exception_data memory = {
		.failure.imprecise = 1,
		.gpu_id = p->t->gpu_id,
		.ErrorType = KFD_MEM_ERR_GPU_HANG,
	};

	tsr_event_hw_exception(p, &hw);
	tsr_event_memory_fault(p, &memory);
}

/*
 * Memory faults go to the runtime's memory event, which prints the address.
 * Of all others it reads in the queue's inactive signal, so nothing is left
 * to do but for a hang that the device has ended.
 */
static void tsr_fault_tell(struct tsr_process *p,
			   const struct tsr_fault_record *r)
{
	struct kfd_hsa_memory_exception_data memory = {
		.failure.NotPresent = r->cause != TESSERA_FAULT_READ_ONLY &&
				      r->cause != TESSERA_FAULT_NO_EXECUTE,
		.failure.ReadOnly = r->cause == TESSERA_FAULT_READ_ONLY,
		.failure.NoExecute = r->cause == TESSERA_FAULT_NO_EXECUTE,
		.va = r->address,
		.gpu_id = p->t->gpu_id,
	};

	if (r->error & TESSERA_QERR_MEMORY_FAULT)
		tsr_event_memory_fault(p, &memory);
	else if (r->cause == TESSERA_FAULT_HANG)
		tsr_fault_lost(p);
}

void tsr_fault(struct tsr_device *t, u32 vmid, u32 slot)
{
	struct tsr_process *p = tsr_process_of_vmid(t, vmid);
	struct tsr_fault_record r;

	tsr_fault_read(t, slot, &r);
	atomic_long_inc(&t->count.faults);
	if (p && r.status & TESSERA_QUEUE_FAULT_STATUS_VALID_MASK &&
	    r.vmid == vmid) {
		dev_info_ratelimited(&t->pdev->dev,
			"process %d: queue %u stopped, cause %u, address %#llx, PC %#llx, error bits %#x\n",
			p->pid, slot, r.cause, r.address, r.pc, r.error);
		tsr_fault_tell(p, &r);
	}
	if (p)
		tsr_process_put(p);
}
