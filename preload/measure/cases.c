/*
 * The built-in cases: small operations on the CPU carrier, of which the host's
 * part is most. Elements are small integers, so every result is exact.
 */
#include "config.h"

#include "measure/measure.h"

#include <stdlib.h>
#include <string.h>

static enum sw_status multiply(const struct sw_tensor *a, const struct sw_tensor *b, struct sw_tensor **ret_tensor)
{
    return sw_matmul(a, b, NULL, ret_tensor);
}

static void add_plainly(const struct builtin *builtin, const float *a, const float *b, float *result)
{
    for (int64_t i = 0; i < builtin->result[0] * builtin->result[1]; i++)
        result[i] = a[i] + b[i];
}

/* Second modes are contracted; the first mode is the fastest. */
static void multiply_plainly(const struct builtin *builtin, const float *a, const float *b, float *result)
{
    const int64_t m = builtin->a[0], n = builtin->b[0], k = builtin->a[1];

    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            float sum = 0;
            for (int64_t l = 0; l < k; l++)
                sum += a[i + m * l] * b[j + n * l];
            result[i + m * j] = sum;
        }
}

static const struct builtin builtins[] = {
    { "add", "float32 (13,4) + (13,4)", sw_add, add_plainly, 1, { 13, 4 }, { 13, 4 }, { 13, 4 } },
    { "gemm", "4 x float32 (48,64) x (64,6)", multiply, multiply_plainly, 4, { 48, 64 }, { 6, 64 }, { 48, 6 } },
};
#define N_BUILTINS (sizeof builtins / sizeof *builtins)

size_t builtin_count(void)
{
    return N_BUILTINS;
}

const struct builtin *builtin_at(size_t index)
{
    return &builtins[index];
}

static const struct builtin *find(const char *name)
{
    for (size_t i = 0; i < N_BUILTINS; i++)
        if (strcmp(builtins[i].name, name) == 0)
            return &builtins[i];
    return NULL;
}

enum bench_outcome builtin_check_names(const struct options *options)
{
    for (int i = 0; i < options->n_names; i++)
        if (find(options->names[i]) == NULL)
            return bench_fail(BENCH_USAGE, "no case is called %s; see swprof-bench list", options->names[i]);
    return BENCH_OK;
}

int builtin_select(const struct options *options, size_t index, const struct builtin **ret_builtin)
{
    if (options->n_names != 0) {
        *ret_builtin = index < (size_t)options->n_names ? find(options->names[index]) : NULL;
        return *ret_builtin != NULL;
    }
    *ret_builtin = index < N_BUILTINS ? &builtins[index] : NULL;
    return *ret_builtin != NULL;
}

/* ---- Subjects ------------------------------------------------------------------------------- */

static size_t elements(const int64_t extents[2])
{
    return (size_t)(extents[0] * extents[1]);
}

static enum sw_status no_memory(void)
{
    return sw_error_set(SW_MEMORY_ERROR, "no memory for the operands");
}

static enum sw_status make_operands(const struct builtin *builtin, const int64_t extents[2], int factor,
                                    float **ret_values, struct sw_tensor **tensors)
{
    const size_t each = elements(extents), n = each * builtin->n_operations;
    struct sw_tree *shape = NULL;
    float *values = malloc(n * sizeof *values);

    if (values == NULL)
        return no_memory();
    *ret_values = values;
    for (size_t i = 0; i < n; i++)
        values[i] = (float)((int)(i * (size_t)factor % 7) - 3);
    enum sw_status status = sw_tree_flat(extents, 2, &shape);
    for (size_t i = 0; status == SW_OK && i < builtin->n_operations; i++)
        status = sw_tensor_from_f32(sw_cpu_class(), values + i * each, shape, &tensors[i]);
    sw_tree_unref(shape);
    return status;
}

enum sw_status subject_open(const struct builtin *builtin, struct subject *subject)
{
    memset(subject, 0, sizeof *subject);
    subject->builtin = builtin;
    enum sw_status status = make_operands(builtin, builtin->a, 3, &subject->values[0], subject->a);
    if (status == SW_OK)
        status = make_operands(builtin, builtin->b, 5, &subject->values[1], subject->b);
    if (status == SW_OK) {
        subject->expected = malloc(elements(builtin->result) * builtin->n_operations * sizeof *subject->expected);
        status = subject->expected != NULL ? subject_reference(subject) : no_memory();
    }
    if (status != SW_OK)
        subject_close(subject);
    return status;
}

void subject_close(struct subject *subject)
{
    for (size_t i = 0; i < MOST_OPERATIONS; i++) {
        sw_tensor_unref(subject->a[i]);
        sw_tensor_unref(subject->b[i]);
        sw_tensor_unref(subject->results[i]);
    }
    free(subject->values[0]);
    free(subject->values[1]);
    free(subject->expected);
}

enum sw_status subject_call(void *context)
{
    struct subject *subject = context;

    for (size_t i = 0; i < subject->builtin->n_operations; i++) {
        struct sw_tensor *result = NULL;
        enum sw_status status = subject->builtin->operation(subject->a[i], subject->b[i], &result);
        if (status != SW_OK)
            return status;
        sw_tensor_unref(subject->results[i]);
        subject->results[i] = result;
    }
    return SW_OK;
}

enum sw_status subject_reference(void *context)
{
    const struct subject *subject = context;
    const struct builtin *builtin = subject->builtin;

    for (size_t i = 0; i < builtin->n_operations; i++)
        builtin->reference(builtin, subject->values[0] + i * elements(builtin->a),
                           subject->values[1] + i * elements(builtin->b),
                           subject->expected + i * elements(builtin->result));
    return SW_OK;
}

enum sw_status subject_check(void *context)
{
    const struct subject *subject = context;
    const struct builtin *builtin = subject->builtin;
    const size_t n = elements(builtin->result);
    enum sw_status status = SW_OK;
    float *found = malloc(n * sizeof *found);

    if (found == NULL)
        return no_memory();
    for (size_t i = 0; status == SW_OK && i < builtin->n_operations; i++) {
        status = sw_tensor_read_f32(subject->results[i], found, n);
        for (size_t j = 0; status == SW_OK && j < n; j++)
            if (found[j] != subject->expected[i * n + j])
                status = sw_error_set(SW_VALUE_ERROR, "%s: element %zu of result %zu is %g, not %g", builtin->name, j,
                                      i, (double)found[j], (double)subject->expected[i * n + j]);
    }
    free(found);
    return status;
}
