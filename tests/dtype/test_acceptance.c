/*
 * The whole acceptance matrix: every operation against every arrangement of
 * Float32, Int32, Bool, other dtypes and numbers. The table is stated here once
 * more, by groups of operations, as the semantics state it.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "check_main.h"
#include "dtype/policy.h"

/*
 * Operands in letters: F, I, B tensors as they are, i an Int32 tensor that is
 * converted to Float32; w a number rounded to Float32, n an integer taken as
 * Int32, u one from 0 to 2^31-1. Where two rows fit the first one counts.
 */
static const struct group {
    const char *operands;
    enum sw__compute compute;
    enum sw__accumulation accumulation;
    enum sw_dtype output;
    const char *operations; /* between blanks */
} groups[] = {
    { "F", SW__COMPUTE_BINARY32, SW__ACCUMULATE_NONE, SW_FLOAT32,
      " neg abs sign recip sqrt rsqrt exp exp2 log log2 sin cos erf floor ceil round relu sigmoid tanh gelu silu "
      "softplus elu leaky_relu _sort_values _topk_values " },
    { "i", SW__COMPUTE_BINARY32, SW__ACCUMULATE_NONE, SW_FLOAT32,
      " exp sigmoid tanh gelu silu softplus elu leaky_relu " },
    { "I", SW__COMPUTE_INT32, SW__ACCUMULATE_NONE, SW_INT32, " relu " },
    { "FF", SW__COMPUTE_BINARY32, SW__ACCUMULATE_NONE, SW_FLOAT32,
      " add sub mul elementwise_mul div pow maximum minimum rem " },
    { "Fi", SW__COMPUTE_BINARY32, SW__ACCUMULATE_NONE, SW_FLOAT32, " add sub mul elementwise_mul div pow " },
    { "iF", SW__COMPUTE_BINARY32, SW__ACCUMULATE_NONE, SW_FLOAT32, " add sub mul elementwise_mul div pow " },
    { "II", SW__COMPUTE_INT32_CHECKED, SW__ACCUMULATE_NONE, SW_INT32, " add sub mul elementwise_mul " },
    { "ii", SW__COMPUTE_BINARY32, SW__ACCUMULATE_NONE, SW_FLOAT32, " div pow " },
    { "Fw", SW__COMPUTE_BINARY32, SW__ACCUMULATE_NONE, SW_FLOAT32, " mul pow " },
    { "In", SW__COMPUTE_INT32_CHECKED, SW__ACCUMULATE_NONE, SW_INT32, " mul " },
    { "Iu", SW__COMPUTE_INT32_CHECKED, SW__ACCUMULATE_NONE, SW_INT32, " pow " },
    { "iw", SW__COMPUTE_BINARY32, SW__ACCUMULATE_NONE, SW_FLOAT32, " mul pow " },
    { "wF", SW__COMPUTE_BINARY32, SW__ACCUMULATE_NONE, SW_FLOAT32, " pow " },
    { "wi", SW__COMPUTE_BINARY32, SW__ACCUMULATE_NONE, SW_FLOAT32, " pow " },
    { "FF", SW__COMPUTE_BINARY32, SW__ACCUMULATE_NONE, SW_BOOL, " eq ne lt le " },
    { "F", SW__COMPUTE_BINARY32, SW__ACCUMULATE_NONE, SW_BOOL, " logical_not " },
    { "BFF", SW__COMPUTE_BINARY32, SW__ACCUMULATE_NONE, SW_FLOAT32, " select " },
    { "FFF", SW__COMPUTE_BINARY32, SW__ACCUMULATE_NONE, SW_FLOAT32, " clamp " },
    { "FFw", SW__COMPUTE_BINARY32, SW__ACCUMULATE_NONE, SW_FLOAT32, " clamp " },
    { "FwF", SW__COMPUTE_BINARY32, SW__ACCUMULATE_NONE, SW_FLOAT32, " clamp " },
    { "Fww", SW__COMPUTE_BINARY32, SW__ACCUMULATE_NONE, SW_FLOAT32, " clamp " },
    { "FI", SW__COMPUTE_BINARY32, SW__ACCUMULATE_NONE, SW_FLOAT32, " gather " },
    { "FIF", SW__COMPUTE_BINARY32, SW__ACCUMULATE_NONE, SW_FLOAT32, " scatter " },
    { "FIF", SW__COMPUTE_BINARY32, SW__ACCUMULATE_SEQUENTIAL, SW_FLOAT32, " scatter_add " },
    { "F", SW__COMPUTE_BINARY32, SW__ACCUMULATE_NONE, SW_INT32, " _sort_indices _topk_indices " },
    { "F", SW__COMPUTE_BINARY32, SW__ACCUMULATE_FLOATING, SW_FLOAT32, " reduce_sum " },
    { "I", SW__COMPUTE_INT32_CHECKED, SW__ACCUMULATE_EXACT_INTEGER, SW_INT32, " reduce_sum " },
    { "FF", SW__COMPUTE_BINARY32, SW__ACCUMULATE_FLOATING, SW_FLOAT32, " matmul " },
    { "Fi", SW__COMPUTE_BINARY32, SW__ACCUMULATE_FLOATING, SW_FLOAT32, " matmul " },
    { "iF", SW__COMPUTE_BINARY32, SW__ACCUMULATE_FLOATING, SW_FLOAT32, " matmul " },
    { "II", SW__COMPUTE_INT32, SW__ACCUMULATE_EXACT_INTEGER, SW_INT32, " matmul " },
    { "F", SW__COMPUTE_BINARY32, SW__ACCUMULATE_SEQUENTIAL_PRODUCT, SW_FLOAT32, " reduce_prod " },
    { "F", SW__COMPUTE_BINARY32, SW__ACCUMULATE_MAXIMUM, SW_FLOAT32, " reduce_max " },
    { "F", SW__COMPUTE_BINARY32, SW__ACCUMULATE_MINIMUM, SW_FLOAT32, " reduce_min " },
    { "F", SW__COMPUTE_BINARY32, SW__ACCUMULATE_ARGMAX, SW_INT32, " argmax " },
    { "F", SW__COMPUTE_BINARY32, SW__ACCUMULATE_ARGMIN, SW_INT32, " argmin " },
    { "F", SW__COMPUTE_BINARY32, SW__ACCUMULATE_SEQUENTIAL, SW_FLOAT32, " cumsum " },
    { "FF", SW__COMPUTE_BINARY32, SW__ACCUMULATE_SEQUENTIAL, SW_FLOAT32, " conv_general " },
};

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

/* What stands at an operand's place. */
static const struct kind {
    enum sw_dtype dtype;
    struct sw_scalar scalar; /* kind 0: a tensor */
    const char *fits;        /* letters of operands that take it */
} kinds[] = {
    { SW_FLOAT32, { .kind = 0 }, "F" },
    { SW_INT32, { .kind = 0 }, "Ii" },
    { SW_BOOL, { .kind = 0 }, "B" },
    { SW_FLOAT64, { .kind = 0 }, "" },
    { SW_E4M3, { .kind = 0 }, "" },
    { SW_MXFP4, { .kind = 0 }, "" },
    { SW_DTYPE_NONE, { .kind = SW_SCALAR_INTEGER, .as.integer = INT32_MAX }, "wnu" },
    { SW_DTYPE_NONE, { .kind = SW_SCALAR_INTEGER, .as.integer = -1 }, "wn" },
    { SW_DTYPE_NONE, { .kind = SW_SCALAR_INTEGER, .as.integer = INT64_C(1) << 31 }, "wn" },
    { SW_DTYPE_NONE, { .kind = SW_SCALAR_INTEGER, .as.integer = -(INT64_C(1) << 40) }, "wn" },
    { SW_DTYPE_NONE, { .kind = SW_SCALAR_FLOATING, .as.floating = 2.5 }, "w" },
    { SW_DTYPE_NONE, { .kind = SW_SCALAR_BOOLEAN, .as.boolean = 1 }, "w" },
};

static int is_scalar(const struct kind *kind)
{
    return kind->scalar.kind != 0;
}

static int is_scalar_letter(char letter)
{
    return strchr("wnu", letter) != NULL;
}

static int has(const struct group *group, const char *operation)
{
    char word[32];

    snprintf(word, sizeof word, " %s ", operation);
    return strstr(group->operations, word) != NULL;
}

static int fits(const struct group *group, const struct kind *const *given, size_t n)
{
    if (strlen(group->operands) != n)
        return 0;
    for (size_t i = 0; i < n; i++)
        if (strchr(given[i]->fits, group->operands[i]) == NULL)
            return 0;
    return 1;
}

static int same_arrangement(const struct group *group, const struct kind *const *given, size_t n)
{
    if (strlen(group->operands) != n)
        return 0;
    for (size_t i = 0; i < n; i++)
        if (is_scalar(given[i]) != is_scalar_letter(group->operands[i]))
            return 0;
    return 1;
}

/* Bool somewhere that no overload of the operation has it, or a dtype that nothing computes with. */
static int is_unimplemented(const char *operation, const struct kind *kind, size_t position)
{
    if (is_scalar(kind) || kind->dtype == SW_FLOAT32 || kind->dtype == SW_INT32)
        return 0;
    for (size_t i = 0; i < N_OF(groups); i++)
        if (kind->dtype == SW_BOOL && has(&groups[i], operation) && strlen(groups[i].operands) > position &&
            groups[i].operands[position] == 'B')
            return 0;
    return 1;
}

static enum sw_status refusal(const char *operation, const struct kind *const *given, size_t n)
{
    int is_arranged = 0;

    for (size_t i = 0; i < N_OF(groups); i++)
        is_arranged |= has(&groups[i], operation) && same_arrangement(&groups[i], given, n);
    if (!is_arranged)
        return SW_TYPE_ERROR;
    for (size_t i = 0; i < n; i++)
        if (is_unimplemented(operation, given[i], i))
            return SW_NOT_IMPLEMENTED_ERROR;
    return SW_TYPE_ERROR;
}

static enum sw_dtype converted(char letter)
{
    return strchr("Fiw", letter) != NULL ? SW_FLOAT32 : letter == 'B' ? SW_BOOL : SW_INT32;
}

static int is_too_large(const struct group *group, const struct kind *const *given)
{
    for (size_t i = 0; group->operands[i] != '\0'; i++)
        if (group->operands[i] == 'n' &&
            (given[i]->scalar.as.integer > INT32_MAX || given[i]->scalar.as.integer < INT32_MIN))
            return 1;
    return 0;
}

/* NULL when all is as it should be, else what is not. */
static const char *compare(const struct group *group, const struct sw__plan *plan)
{
    const enum sw_dtype accumulator =
        group->accumulation == SW__ACCUMULATE_FLOATING ? SW_FLOAT32 : SW_DTYPE_NONE;

    if (plan->compute != group->compute || plan->accumulation != group->accumulation)
        return "another way to compute";
    if (plan->output != group->output || plan->accumulator != accumulator)
        return "another dtype of the result or the accumulator";
    for (size_t i = 0; i < plan->n_operands; i++)
        if (plan->convert_to[i] != converted(group->operands[i]))
            return "another conversion";
    return NULL;
}

static void check(const char *operation, const struct kind *const *given, size_t n)
{
    struct sw__policy_operand operands[4];
    const struct group *group = NULL;
    struct sw__plan plan;
    const char *fault = NULL;

    for (size_t i = 0; i < N_OF(groups) && group == NULL; i++)
        if (has(&groups[i], operation) && fits(&groups[i], given, n))
            group = &groups[i];
    for (size_t i = 0; i < n; i++)
        operands[i] = (struct sw__policy_operand){ given[i]->dtype, is_scalar(given[i]) ? &given[i]->scalar : NULL };
    const enum sw_status expected = group == NULL                 ? refusal(operation, given, n)
                                    : is_too_large(group, given) ? SW_OVERFLOW_ERROR
                                                                  : SW_OK;
    const enum sw_status came = sw__policy_plan(operation, operands, n, SW_DTYPE_NONE, &plan);
    if (came != expected)
        fault = sw_status_name(came);
    else if (came == SW_OK)
        fault = compare(group, &plan);
    if (fault != NULL)
        ck_abort_msg("%s of %zu operands, the last of fit \"%s\": %s", operation, n, given[n - 1]->fits, fault);
}

static void check_all(const char *operation)
{
    const struct kind *given[3];

    for (size_t i = 0; i < N_OF(kinds); i++) {
        given[0] = &kinds[i];
        check(operation, given, 1);
        for (size_t j = 0; j < N_OF(kinds); j++) {
            given[1] = &kinds[j];
            check(operation, given, 2);
            for (size_t k = 0; k < N_OF(kinds); k++) {
                given[2] = &kinds[k];
                check(operation, given, 3);
            }
        }
    }
}

START_TEST(every_operation_accepts_what_the_table_says_and_refuses_the_rest)
{
    size_t n_operations = 0;

    for (size_t i = 0; i < N_OF(groups); i++) {
        char words[256], *rest = words, *operation;
        snprintf(words, sizeof words, "%s", groups[i].operations);
        while ((operation = strtok_r(rest, " ", &rest)) != NULL) {
            int is_first = 1;
            for (size_t k = 0; k < i; k++)
                is_first &= !has(&groups[k], operation);
            if (is_first)
                check_all(operation);
            n_operations += (size_t)is_first;
        }
    }
    ck_assert_uint_eq(n_operations, 56);
}
END_TEST

CHECK_MAIN("acceptance", every_operation_accepts_what_the_table_says_and_refuses_the_rest)
