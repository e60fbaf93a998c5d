/*
 * What the fuzz targets share. A target is one function that is given bytes:
 * libFuzzer's main calls it with inputs that it makes up (scripts/fuzz), and
 * replay.c with files and with small changes of them (every build's check).
 * A rule that is broken ends the process with abort().
 */
#ifndef TESTS_FUZZ_TARGET_H
#define TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

/** The rule that a target checks. */
#define FUZZ_RULE(condition, ...)                                              \
    do {                                                                       \
        if (!(condition)) {                                                    \
            fprintf(stderr, "%s:%d: not so: %s ", __FILE__, __LINE__, #condition); \
            fprintf(stderr, __VA_ARGS__);                                      \
            fputc('\n', stderr);                                               \
            abort();                                                           \
        }                                                                      \
    } while (0)

/** A copy of the input as a C string, for what takes texts. free(). */
char *fuzz_text(const uint8_t *data, size_t n_bytes);

/**
 * Whether a target is to try all it has on an input. Unless set, it may choose a
 * part by what the input is: a fuzzer then tries more inputs in the same time.
 */
extern int fuzz_is_thorough;

/* ---- limits.c ---- */

/** From now on one allocation above @most_bytes, or all of them above @most_total, breaks a rule. */
void fuzz_limit_memory(size_t most_bytes, size_t most_total);
void fuzz_unlimit_memory(void);

/* ---- streams.c ---- */

/** What is written to a checked stream has to be. */
enum fuzz_form {
    FUZZ_TEXT,        /* UTF-8 with no control character but the line end */
    FUZZ_COLOUR_TEXT, /* likewise, and colours */
    FUZZ_JSON,        /* one well-formed value */
    FUZZ_CSV          /* records of as many fields as the first one */
};

/** A stream that keeps nothing; closing it checks that what was written is complete, if anything was. */
FILE *fuzz_stream(enum fuzz_form form);

#endif
