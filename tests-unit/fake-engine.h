/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An engine that executes nothing: tests say when and how a dispatch ends.
 * There is one at a time.
 */
#ifndef FAKE_ENGINE_H
#define FAKE_ENGINE_H

#include "target/engine/engine.h"

/* From here on dispatches end by themselves, at once (or wait for a test). */
void fake_engine_auto(bool automatic);

/* Dispatches submitted so far. */
unsigned fake_engine_submitted(void);

/* Of those, how many are not over. */
unsigned fake_engine_running(void);

/* Is the @n-th suspended, and how many are neither that nor over? */
bool fake_engine_suspended(unsigned n);
unsigned fake_engine_active(void);

/* The @n-th dispatch (from 0) as it was submitted; waits for it. */
EngineDispatch fake_engine_dispatch(unsigned n);

/* Let the @n-th dispatch end. */
void fake_engine_finish(unsigned n);
void fake_engine_fault(unsigned n, const EngineFault *fault);

/* Have the @n-th dispatch, which is running, do something. */
void fake_engine_message(unsigned n, uint32_t data);
TesseraFaultCause fake_engine_store(unsigned n, uint64_t va, uint64_t value);
/* The same, without telling yet that memory has been written. */
TesseraFaultCause fake_engine_store_quietly(unsigned n, uint64_t va,
                                            uint64_t value);

/* Forget the dispatches, which must all be over. */
void fake_engine_again(void);

/* What the next kernels ask for. */
void fake_isa_vgprs(unsigned vgprs);

/* What the device gave the engine: its owner's operations, among others. */
const EngineConfig *fake_engine_config(void);

/* Times that engine_forget() was called. */
unsigned fake_engine_forgotten(void);

#endif
