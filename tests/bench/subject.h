/*
 * An operation that does nothing, on a carrier class that stores nothing: what
 * is left is the boundary.
 */
#ifndef TESTS_BENCH_SUBJECT_H
#define TESTS_BENCH_SUBJECT_H

#include <strideweave/strideweave.h>

struct bench_subject {
    struct sw_tensor *tensor;
    struct sw_operation *operation;
};

void bench_subject_make(struct bench_subject *subject);
void bench_subject_drop(struct bench_subject *subject);

/** A bench_body: execute the operation @n times; @context is the subject. */
void bench_subject_execute(void *context, size_t n);

#endif
