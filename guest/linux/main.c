// SPDX-License-Identifier: GPL-2.0
/* Linux driver for the Tessera GPU with the KFD ABI: the module. */
#include <linux/module.h>
#include "tessera_amdgpu.h"

static int __init tsr_init(void)
{
	int ret;

	ret = tsr_process_init();
	if (ret)
		return ret;
	ret = tsr_pci_register();
	if (ret)
		tsr_process_fini();
	return ret;
}

static void __exit tsr_exit(void)
{
	tsr_pci_unregister();
	tsr_process_fini();
}

module_init(tsr_init);
module_exit(tsr_exit);

MODULE_DESCRIPTION("Tessera virtual GPU with the KFD ABI");
MODULE_AUTHOR("The Tessera project");
MODULE_LICENSE("GPL");
