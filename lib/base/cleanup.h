/*
 * Owning locals: they are given back on every way out of a scope, also when a
 * C++ exception or a thread cancellation passes (all of lib/ is compiled with
 * -fexceptions). Constructors hand over with sw__take().
 */
#ifndef BASE_CLEANUP_H
#define BASE_CLEANUP_H

#include <stddef.h>

/** A local whose value is passed to @function (a pointer to it) at the end of its scope. */
#define SW__CLEANUP(function) __attribute__((cleanup(function)))

/** Define sw__cleanup_<name>() for a pointer type with a destructor that accepts NULL. */
#define SW__DEFINE_CLEANUP(name, type, destructor)        \
    static inline void sw__cleanup_##name(type **pointer) \
    {                                                     \
        if (*pointer != NULL)                             \
            destructor(*pointer);                         \
    }

/** The value of an owning local, which then owns nothing. */
#define sw__take(pointer)                     \
    ({                                        \
        __typeof__(pointer) sw__taken = (pointer); \
        (pointer) = NULL;                     \
        sw__taken;                            \
    })

/** Return the status of a call that failed. */
#define SW__TRY(call)                             \
    do {                                          \
        enum sw_status sw__status = (call);       \
        if (__builtin_expect(sw__status != 0, 0)) \
            return sw__status;                    \
    } while (0)

#endif
