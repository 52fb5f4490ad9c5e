// SPDX-License-Identifier: GPL-2.0
/* Commands to the device, one at a time. */
#include <linux/dma-mapping.h>
#include "tessera_amdgpu.h"

#define CMD_SECONDS 10

struct tsr_cmd_memory {
	TesseraCommand command;
	u64 fence, pad[7];
	TesseraQueue queue;
};

int tsr_cmd_init(struct tsr_device *t)
{
	t->cmd.memory = dma_alloc_coherent(&t->pdev->dev,
					   sizeof(*t->cmd.memory),
					   &t->cmd.dma, GFP_KERNEL);
	return t->cmd.memory ? 0 : -ENOMEM;
}

void tsr_cmd_fini(struct tsr_device *t)
{
	dma_free_coherent(&t->pdev->dev, sizeof(*t->cmd.memory),
			  t->cmd.memory, t->cmd.dma);
}

void tsr_cmd_done(struct tsr_device *t)
{
	wake_up_all(&t->cmd.wait);
}

static bool tsr_fence_reached(struct tsr_cmd *cmd)
{
	return smp_load_acquire(&cmd->memory->fence) == cmd->fence;
}

static bool tsr_cmd_over(struct tsr_device *t)
{
	return READ_ONCE(t->gone) || tsr_fence_reached(&t->cmd);
}

/* Looks ten times a second all the same: an interrupt may have been lost. */
static int tsr_cmd_wait(struct tsr_device *t)
{
	int i;

	for (i = 0; i < CMD_SECONDS * 10; i++) {
		if (wait_event_timeout(t->cmd.wait, tsr_cmd_over(t), HZ / 10))
			return READ_ONCE(t->gone) ? -ENODEV : 0;
	}
	return -ETIMEDOUT;
}

static int tsr_result(u32 result)
{
	switch (result) {
	case TESSERA_RESULT_OK:
		return 0;
	case TESSERA_RESULT_BUSY:
	case TESSERA_RESULT_BAD_STATE:
	case TESSERA_RESULT_CANCELLED:
		return -EBUSY;
	case TESSERA_RESULT_BAD_DESCRIPTOR:
	case TESSERA_RESULT_BAD_RING:
		return -EINVAL;
	default:
		return -EIO;
	}
}

static int tsr_command_locked(struct tsr_device *t, u32 op, u32 slot,
			      u32 flags, const TesseraQueue *queue)
{
	struct tsr_cmd_memory *m = t->cmd.memory;
	int ret;

	t->cmd.fence++;
	if (queue)
		m->queue = *queue;
	m->command = (TesseraCommand){
		.size = sizeof(TesseraCommand),
		.version = TESSERA_ABI_VERSION,
		.op = op,
		.slot = slot,
		.flags = flags,
		.descriptor = !queue ? 0 :
			t->cmd.dma + offsetof(struct tsr_cmd_memory, queue),
		.fence_addr = t->cmd.dma +
			      offsetof(struct tsr_cmd_memory, fence),
		.fence_value = t->cmd.fence,
	};
	atomic_long_inc(&t->count.commands);
	tsr_write64(t, TESSERA_REG_CMD_ADDR, t->cmd.dma);
	ret = tsr_cmd_wait(t);
	if (!ret)
		ret = tsr_result(READ_ONCE(m->command.result));
	if (ret)
		dev_dbg(&t->pdev->dev, "command %u on queue %u: result %u\n",
			op, slot, m->command.result);
	return ret;
}

int tsr_command(struct tsr_device *t, u32 op, u32 slot, u32 flags,
		const TesseraQueue *queue)
{
	int ret, token;

	if (!tsr_enter(t, &token))
		return -ENODEV;
	mutex_lock(&t->cmd.lock);
	ret = tsr_command_locked(t, op, slot, flags, queue);
	mutex_unlock(&t->cmd.lock);
	tsr_leave(token);
	if (ret == -ETIMEDOUT)
		dev_err(&t->pdev->dev, "command %u on queue %u: no answer\n",
			op, slot);
	return ret;
}
