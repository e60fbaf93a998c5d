/*
 * What the tests of graphs share: leaves, results of calls, and giving back.
 */
#ifndef TESTS_AUTOGRAD_GRAPH_H
#define TESTS_AUTOGRAD_GRAPH_H

#include "op/op_test.h"

static inline struct sw_tensor *leaf(struct sw_tensor *tensor)
{
    assert_ok(sw_tensor_set_requires_grad(tensor, 1));
    return tensor;
}

/* The result of a call that gives one. */
#define OF(function, ...)                          \
    ({                                             \
        struct sw_tensor *of_;                     \
        assert_ok(function(__VA_ARGS__, &of_));    \
        of_;                                       \
    })

static inline void drop(struct sw_tensor *a, struct sw_tensor *b, struct sw_tensor *c)
{
    sw_tensor_unref(a);
    sw_tensor_unref(b);
    sw_tensor_unref(c);
}

static inline void assert_no_grad(const struct sw_tensor *tensor)
{
    ck_assert_ptr_null(sw_tensor_grad(tensor));
}

#endif
