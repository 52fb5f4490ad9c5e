; SPDX-License-Identifier: GPL-2.0-or-later
; A kernel that goes through PAGES pages of code and executes little in each.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx900"
    .amdhsa_code_object_version 5

    .text
    .globl pages
    .p2align 12
    .type pages,@function
pages:
    .rept PAGES
    s_branch 1023
    .fill 1023, 4, 0xbf800000
    .endr
    s_endpgm
.Lend:
    .size pages, .Lend-pages

    .rodata
    .p2align 6
    .amdhsa_kernel pages
        .amdhsa_next_free_vgpr 1
        .amdhsa_next_free_sgpr 1
    .end_amdhsa_kernel

    .amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.kernels:
  - .name: pages
    .symbol: pages.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 1
    .vgpr_count: 1
    .max_flat_workgroup_size: 64
    .args: []
...
    .end_amdgpu_metadata
