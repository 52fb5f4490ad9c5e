; SPDX-License-Identifier: GPL-2.0-or-later
; A code object written by hand that does not wait for what it loads.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx900"
    .amdhsa_code_object_version 5

; buffer[lane] = value + 1, read too early
    .text
    .globl unwaited
    .p2align 8
    .type unwaited,@function
unwaited:
    s_load_dwordx2 s[2:3], s[0:1], 0x0
    s_load_dword s4, s[0:1], 0x8
    s_waitcnt lgkmcnt(0)
    v_lshlrev_b32 v1, 2, v0
    global_load_dword v2, v1, s[2:3]
    v_add_u32 v3, s4, v2
    s_waitcnt vmcnt(0)
    global_store_dword v1, v3, s[2:3]
    s_endpgm
.Lend:
    .size unwaited, .Lend-unwaited

    .rodata
    .p2align 6
    .amdhsa_kernel unwaited
        .amdhsa_next_free_vgpr 4
        .amdhsa_next_free_sgpr 8
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_kernarg_size 12
    .end_amdhsa_kernel

    .amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.kernels:
  - .name: unwaited
    .symbol: unwaited.kd
    .kernarg_segment_size: 12
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 8
    .vgpr_count: 1
    .max_flat_workgroup_size: 64
    .args:
      - { .name: buffer, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global }
      - { .name: value, .size: 4, .offset: 8, .value_kind: by_value }
...
    .end_amdgpu_metadata
