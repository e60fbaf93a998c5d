/*
 * Status codes and the per-thread error text: how every call of the library
 * says what went wrong.
 */
#ifndef STRIDEWEAVE_STATUS_H
#define STRIDEWEAVE_STATUS_H

#include <strideweave/export.h>

SW_BEGIN_DECLS

/** What a call returns. SW_OK is zero; the others mirror the specification's error kinds. */
enum sw_status {
#define SW_STATUS(enumerator, number, name) SW_##enumerator = number,
#include <strideweave/status.def>
#undef SW_STATUS
};

/**
 * sw_status_name - the name of a status, for example "ValueError".
 *
 * Returns a static string; "unknown status" for a number that no row has.
 * Threads: any. Errors: none.
 */
SW_API const char *sw_status_name(enum sw_status status);

/**
 * sw_error_message - the sentence that goes with this thread's last failure.
 *
 * Replaced only by a failing call on the same thread, untouched by success.
 * When one failure caused another the innermost sentence is kept. Never NULL:
 * "" before the first failure, a fixed text when there was no memory for more.
 *
 * Lifetime: until the thread's next failing call or its end.
 */
SW_API const char *sw_error_message(void);

/**
 * sw_error_set - record a failure of code that plugs into the library
 * (kernels, carrier classes).
 *
 * @status  What the caller is about to return.
 * @format  printf-like sentence: what was wrong and what was expected.
 *
 * Returns @status, so that a kernel can end in `return sw_error_set(...)`.
 */
SW_API enum sw_status sw_error_set(enum sw_status status, const char *format, ...) SW_PRINTF(2, 3) SW_COLD;

/**
 * sw_free - give back memory that a call of this library allocated for its
 * caller (texts, arrays). NULL is accepted.
 */
SW_API void sw_free(void *memory);

/** sw_version_string - the version of the library that is loaded, for example "0.1.0". */
SW_API const char *sw_version_string(void);

SW_END_DECLS

#endif
