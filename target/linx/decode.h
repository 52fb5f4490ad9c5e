/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decoder, disassembler and assembler of LinxISA. */
#ifndef LINX_DECODE_H
#define LINX_DECODE_H

#include <glib.h>
#include "target/linx/inst.h"

enum {
    LINX_MAX_BYTES = 8,  /* of an instruction */
    LINX_TEXT_MAX = 256, /* characters that a disassembled one surely fits */
};

/* The bytes of an instruction that begins with the 16 bits @parcel: 2 to 8. */
unsigned linx_length(uint16_t parcel);

/*
 * Decode the instruction at @bytes, of which @count may be read.  False if it
 * is none: it is cut short, no encoding has these bits, or a register, a type
 * or a modifier is reserved.  @out->size then still is what to step over, 0
 * if @count is too small.  What a header word says is not judged here.
 */
bool linx_decode(const uint8_t *bytes, size_t count, LinxInst *out);

/*
 * Put @inst together: the reverse of linx_decode().  Returns its bytes; fields
 * that do not fit are cut.
 */
unsigned linx_encode(const LinxInst *inst, uint8_t bytes[LINX_MAX_BYTES]);

/*
 * Write @inst as text that linx_assemble() takes; at most @size bytes with the
 * ending NUL.  Returns the length of the whole text, as snprintf() does.
 */
size_t linx_disassemble(const LinxInst *inst, char *text, size_t size);

/*
 * Where a label is: *@distance becomes its address minus that of the
 * instruction at hand, in bytes.  False if there is no such label.
 */
typedef bool LinxLabelFn(void *opaque, const char *label, int64_t *distance);

#define LINX_ASM_ERROR (linx_asm_error_quark())
GQuark linx_asm_error_quark(void);

/*
 * Read one instruction from @text, as docs/linx-blocks.md tells.  @label may be
 * NULL if there are no labels.  False and @error, one line, if it is none.
 */
bool linx_assemble(const char *text, LinxLabelFn *label, void *opaque,
                   LinxInst *out, GError **error);

#endif
