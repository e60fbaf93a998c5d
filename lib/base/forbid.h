/*
 * Memory that nobody may touch for now, in the eyes of AddressSanitizer and
 * memcheck: what lies beside an array, and what waits to be used again.
 * Nothing happens without either.
 */
#ifndef BASE_FORBID_H
#define BASE_FORBID_H

#include <stddef.h>

void sw__memory_forbid(const void *address, size_t bytes);
/** What the bytes hold afterwards is nobody's: memcheck tells those who read them before they are written. */
void sw__memory_allow(const void *address, size_t bytes);

#endif
