/*
 * Values of settings as people write them: for the shim, which reads them from
 * the environment, and for swprof-run, which refuses them before it starts.
 * Without the C library, like all that the shim uses.
 */
#ifndef RECORD_VALUES_H
#define RECORD_VALUES_H

#include <stddef.h>
#include <stdint.h>

struct swprof_schedule;

/** Bounds of a report's size. */
#define SW__LEAST_BUFFER_BYTES (UINT64_C(64) << 10)
#define SW__MOST_BUFFER_BYTES (UINT64_C(1) << 35) /* references count units of 8 bytes in 32 bits */

/** A word and what it stands for. */
struct sw__word {
    const char *text;
    int32_t value;
};

/* Each returns 0 for what it does not understand, and then leaves @value alone. */

/** One of some words. */
int sw__value_word(const char *text, const struct sw__word *words, size_t n_words, int32_t *value);
/** Bytes of a report: "64M", "1MiB", "1000000"; K, M and G are powers of 1024, with or without "iB" or "B". */
int sw__value_buffer(const char *text, uint64_t *value);
/** A name of enum swprof_policy. */
int sw__value_policy(const char *text, uint32_t *value);
/** A name of enum swprof_clock. */
int sw__value_clock(const char *text, uint32_t *value);
/** Most that a part of a schedule may be, so that sums of them are small numbers. */
#define SW__MOST_STEPS (UINT64_C(1) << 40)

/**
 * A schedule (swprof/swprof.h): "wait=1,warmup=1,active=3,repeat=2,skip_first=10", in any order, each at most once;
 * what is left out is 0, but for `active`, which has to be there and above 0.
 */
int sw__value_schedule(const char *text, struct swprof_schedule *value);
/** Frames of a call stack: a number from 1 (more than are kept counts as the most), or 0 for "off". */
int sw__value_stack(const char *text, uint32_t *value);
/** A signal that nothing but a user or a program sends: by name with or without "SIG"; a real-time one by number. */
int sw__value_signal(const char *text, int32_t *value);

#endif
