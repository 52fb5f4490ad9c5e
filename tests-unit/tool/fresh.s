; SPDX-License-Identifier: GPL-2.0-or-later
; A kernel that tells what its waves begin with, and leaves all of it changed.
    .amdgcn_target "amdgcn-amd-amdhsa--gfx900"
    .amdhsa_code_object_version 5

; Four dwords a work-item: the bits that are set in registers which nobody has
; written, MODE, the work-item's dword of local memory, and its id.
    .text
    .globl fresh
    .p2align 8
    .type fresh,@function
fresh:
    s_getreg_b32 s5, hwreg(HW_REG_MODE)
    s_or_b32 s6, s6, s7
    s_or_b32 s6, s6, s40
    s_or_b32 s6, s6, s95
    s_or_b32 s6, s6, vcc_lo
    s_or_b32 s6, s6, vcc_hi
    s_load_dwordx2 s[8:9], s[0:1], 0x0
    v_or3_b32 v1, v1, v2, v3
    v_or3_b32 v1, v1, v7, s6
    v_or3_b32 v4, v1, v8, v15
    s_mov_b32 m0, -1
    v_lshlrev_b32_e32 v9, 2, v0
    ds_read_b32 v6, v9
    v_lshl_add_u32 v10, s2, 7, v0
    v_lshlrev_b32_e32 v10, 4, v10
    v_mov_b32_e32 v5, s5
    v_mov_b32_e32 v7, v0
    s_waitcnt lgkmcnt(0)
    v_mov_b32_e32 v11, s9
    v_add_co_u32_e32 v10, vcc, s8, v10
    v_addc_co_u32_e32 v11, vcc, 0, v11, vcc
    global_store_dwordx4 v[10:11], v[4:7], off
    s_mov_b32 s6, -1
    s_mov_b64 s[40:41], -1
    s_mov_b32 s95, -1
    s_mov_b64 vcc, -1
    v_mov_b32_e32 v0, -1
    v_mov_b32_e32 v1, -1
    v_mov_b32_e32 v2, -1
    v_mov_b32_e32 v3, -1
    v_mov_b32_e32 v7, -1
    v_mov_b32_e32 v8, -1
    v_mov_b32_e32 v15, -1
    ds_write_b32 v9, v1
    v_add_f32_e32 v1, 1.0, v0
    s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0x0f
    v_add_f32_e32 v1, 1.0, v0
    s_mov_b64 exec, 5
    s_waitcnt vmcnt(0) lgkmcnt(0)
    s_endpgm
.Lend:
    .size fresh, .Lend-fresh

    .rodata
    .p2align 6
    .amdhsa_kernel fresh
        .amdhsa_next_free_vgpr 16
        .amdhsa_next_free_sgpr 96
        .amdhsa_user_sgpr_kernarg_segment_ptr 1
        .amdhsa_kernarg_size 8
        .amdhsa_group_segment_fixed_size 512
    .end_amdhsa_kernel

    .amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.kernels:
  - .name: fresh
    .symbol: fresh.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 512
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 96
    .vgpr_count: 16
    .max_flat_workgroup_size: 128
    .args:
      - { .name: out, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global }
...
    .end_amdgpu_metadata
