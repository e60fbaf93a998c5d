/*
 * What the tests of operations share: tensors from their slots, and results
 * compared by layout and by bits, not-a-numbers being alike.
 */
#ifndef TESTS_OP_OP_TEST_H
#define TESTS_OP_OP_TEST_H

#include <math.h>
#include <string.h>

#include <strideweave/strideweave.h>

#include "check_main.h"

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

#define assert_status(call, expected)                                                                          \
    do {                                                                                                       \
        enum sw_status assert_got = (call);                                                                    \
        ck_assert_msg(assert_got == (expected), "%s: %s (%s), expected %s", #call, sw_status_name(assert_got), \
                      sw_error_message(), sw_status_name(expected));                                           \
    } while (0)
#define assert_ok(call) assert_status(call, SW_OK)

/** Runs the statement behind it once for Generic and once for CPU carriers, as @carrier_class. */
#define FOR_BOTH(carrier_class)                                                                           \
    for (struct sw_carrier_class * classes_[] = { sw_generic_class(), sw_cpu_class() }, **at_ = classes_, \
                                   *carrier_class = *at_;                                                 \
         at_ < classes_ + 2; carrier_class = ++at_ < classes_ + 2 ? *at_ : NULL)

static inline struct sw_carrier *carrier_of(struct sw_carrier_class *carrier_class, enum sw_dtype dtype,
                                            const double *values, size_t n)
{
    struct sw_carrier *carrier;

    if (carrier_class == sw_cpu_class()) {
        struct sw_cpu_options options = SW_CPU_OPTIONS_INIT;
        options.dtype = (int32_t)dtype;
        assert_ok(sw_cpu_new(n, &options, &carrier));
    } else {
        struct sw_generic_options options = SW_GENERIC_OPTIONS_INIT;
        options.dtype = (int32_t)dtype;
        assert_ok(sw_generic_new(NULL, n, &options, &carrier));
    }
    for (size_t i = 0; i < n; i++) {
        struct sw_scalar scalar = { .kind = SW_SCALAR_FLOATING };
        scalar.as.floating = values[i];
        if (dtype == SW_INT32) {
            scalar.kind = SW_SCALAR_INTEGER;
            scalar.as.integer = (int64_t)values[i];
        } else if (dtype == SW_BOOL) {
            scalar.kind = SW_SCALAR_BOOLEAN;
            scalar.as.boolean = values[i] != 0;
        }
        assert_ok(sw_carrier_set(carrier, (int64_t)i, &scalar));
    }
    return carrier;
}

/** A tensor at @offset of a carrier whose slots hold @values. */
static inline struct sw_tensor *tensor_at(struct sw_carrier_class *carrier_class, enum sw_dtype dtype,
                                          const char *layout_text, int64_t offset, const double *values, size_t n)
{
    struct sw_carrier *carrier = carrier_of(carrier_class, dtype, values, n);
    struct sw_layout *layout;
    struct sw_tensor *tensor;

    assert_ok(sw_layout_parse(layout_text, &layout));
    assert_ok(sw_tensor_new(carrier, offset, layout, &tensor));
    sw_layout_unref(layout);
    sw_carrier_unref(carrier);
    return tensor;
}

#define SLOTS(...) ((const double[]){ __VA_ARGS__ }), (sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double))
#define F32(carrier_class, layout, ...) tensor_at(carrier_class, SW_FLOAT32, layout, 0, SLOTS(__VA_ARGS__))
#define I32(carrier_class, layout, ...) tensor_at(carrier_class, SW_INT32, layout, 0, SLOTS(__VA_ARGS__))
#define BOOL(carrier_class, layout, ...) tensor_at(carrier_class, SW_BOOL, layout, 0, SLOTS(__VA_ARGS__))

static inline void assert_layout(const struct sw_tensor *tensor, const char *expected)
{
    char *text;

    assert_ok(sw_layout_format(sw_tensor_layout(tensor), &text));
    ck_assert_str_eq(text, expected);
    sw_free(text);
}

static inline double value_at(const struct sw_tensor *tensor, int64_t ordinal)
{
    struct sw_scalar scalar;

    assert_ok(sw_tensor_get_ordinal(tensor, ordinal, &scalar));
    if (scalar.kind == SW_SCALAR_FLOATING)
        return scalar.as.floating;
    return scalar.kind == SW_SCALAR_INTEGER ? (double)scalar.as.integer : (double)scalar.as.boolean;
}

static inline int same_value(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

/** Checks layout, dtype and values (Float32 ones rounded to binary32), and gives the tensor back. */
static inline void assert_tensor(struct sw_tensor *tensor, enum sw_dtype dtype, const char *layout,
                                 const double *values, size_t n)
{
    ck_assert_int_eq((int)sw_tensor_dtype(tensor), (int)dtype);
    assert_layout(tensor, layout);
    ck_assert_int_eq(sw_tensor_size(tensor), (int64_t)n);
    for (size_t i = 0; i < n; i++) {
        double expected = dtype == SW_FLOAT32 ? (double)(float)values[i] : values[i];
        double got = value_at(tensor, (int64_t)i);
        ck_assert_msg(same_value(got, expected), "element %zu is %.9g, expected %.9g", i, got, expected);
    }
    sw_tensor_unref(tensor);
}

#define assert_f32(tensor, layout, ...) assert_tensor(tensor, SW_FLOAT32, layout, SLOTS(__VA_ARGS__))
#define assert_i32(tensor, layout, ...) assert_tensor(tensor, SW_INT32, layout, SLOTS(__VA_ARGS__))
#define assert_bool(tensor, layout, ...) assert_tensor(tensor, SW_BOOL, layout, SLOTS(__VA_ARGS__))

static inline struct sw_tree *tree_of(const char *text)
{
    struct sw_tree *tree;

    assert_ok(sw_tree_parse(text, &tree));
    return tree;
}

/** Dispatches @name on the first tensor's carrier and executes it. */
static inline enum sw_status forward(const char *name, struct sw_carrier *carrier, const struct sw_operand *operands,
                                     size_t n, struct sw_tensor **ret_tensor)
{
    struct sw_operation *operation;

    assert_ok(sw_carrier_dispatch(carrier, name, &operation));
    enum sw_status status = sw_operation_forward(operation, operands, n, NULL, ret_tensor);
    sw_operation_unref(operation);
    return status;
}

#endif
