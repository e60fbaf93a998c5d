/*
 * Reductions as a whole: commands, shapes, every order in which terms are
 * brought in, options, the order of checks.
 */
#include "config.h"

#include "op_test.h"

START_TEST(what_a_command_keeps_is_the_shape_of_the_result)
{
    static double slots[24];

    for (int i = 0; i < 24; i++)
        slots[i] = i;
    FOR_BOTH(on) {
        struct sw_tensor *flat = F32(on, "(2,3):(1,2)", 1, 2, 3, 4, 5, 6), *out;
        struct sw_tensor *nested = tensor_at(on, SW_FLOAT32, "(2,(3,4)):(1,(2,6))", 0, slots, 24);
        assert_ok(sw_reduce_sum(flat, "a b -> a", NULL, &out));
        assert_f32(out, "(2):(1)", 9, 12);
        assert_ok(sw_reduce_sum(flat, "a b -> b", NULL, &out));
        assert_f32(out, "(3):(1)", 3, 7, 11);
        assert_ok(sw_reduce_sum(flat, "a b -> 1", NULL, &out));
        assert_f32(out, "(1):(1)", 21);
        assert_ok(sw_reduce_sum(nested, "a (b c) -> c a", NULL, &out));
        assert_f32(out, "(4,2):(1,4)", 6, 24, 42, 60, 9, 27, 45, 63);
        assert_ok(sw_reduce_prod(flat, "a b -> a", &out));
        assert_f32(out, "(2):(1)", 15, 48);
        assert_ok(sw_reduce_max(flat, "a b -> b", &out));
        assert_f32(out, "(3):(1)", 2, 4, 6);
        assert_ok(sw_reduce_min(flat, "a b -> b", &out));
        assert_f32(out, "(3):(1)", 1, 3, 5);
        assert_ok(sw_argmax(nested, "a b -> a", &out));
        assert_i32(out, "(2):(1)", 11, 11);
        assert_ok(sw_argmin(nested, "a b -> a", &out));
        assert_i32(out, "(2):(1)", 0, 0);
        sw_tensor_unref(flat);
        sw_tensor_unref(nested);
    }
}
END_TEST

/* Few and many outputs, side by side or apart; few and many terms. */
START_TEST(every_layout_is_summed_in_ascending_order)
{
    static const struct {
        const char *layout;
        int64_t kept;
        int64_t folded;
    } cases[] = {
        { "(300,5):(1,300)", 300, 5 },
        { "(300,5):(5,1)", 300, 5 },
        { "(3,1500):(1,3)", 3, 1500 },
        { "(3,1500):(1500,1)", 3, 1500 },
        { "(20,70):(70,1)", 20, 70 },
        { "(20,70):(0,1)", 20, 70 },
        { "(20,70):(1,0)", 20, 70 },
        { "(7,(3,4)):(24,(8,2))", 7, 12 },
        { "((4,5),(3,2)):((30,6),(2,1))", 20, 6 },
        { "(4,9):(1,4)", 4, 9 },
        { "(1,2000):(0,1)", 1, 2000 },
        { "(257,2):(2,1)", 257, 2 },
        { "(2,1100):(1,0)", 2, 1100 },
        { "(5,(2,2,2)):(8,(4,1,2))", 5, 8 },
        { "(600,1):(1,0)", 600, 1 },
    };
    static double slots[4500];
    static float elements[4500];

    for (int i = 0; i < 4500; i++)
        slots[i] = (i * 7919 % 1009) / 64.0 - 3.3;
    FOR_BOTH(on)
    for (size_t c = 0; c < N_OF(cases); c++) {
        const int64_t kept = cases[c].kept, folded = cases[c].folded;
        struct sw_tensor *in = tensor_at(on, SW_FLOAT32, cases[c].layout, 0, slots, 4500), *sum, *best;
        const struct sw_operand operand = sw_operand_tensor(in);
        assert_ok(forward("reduce_sum", sw_tensor_carrier(in), &operand, 1, &sum));
        assert_ok(forward("argmax", sw_tensor_carrier(in), &operand, 1, &best));
        assert_ok(sw_tensor_read_f32(in, elements, (size_t)(kept * folded)));
        for (int64_t i = 0; i < kept; i++) {
            float expected = 0;
            int64_t winner = 0;
            for (int64_t k = 0; k < folded; k++) {
                expected += elements[i + kept * k];
                if (elements[i + kept * k] > elements[i + kept * winner])
                    winner = k;
            }
            ck_assert(value_at(sum, i) == (double)expected);
            ck_assert(value_at(best, i) == (double)winner);
        }
        sw_tensor_unref(sum);
        sw_tensor_unref(best);
        sw_tensor_unref(in);
    }
}
END_TEST

/* The sum of @n terms in groups, as sw_reduce_sum() and doc/kernels.md describe them. */
static float grouped_sum(const float *terms, int64_t step, int64_t n)
{
    float sum = 0;

    for (int64_t first = 0; first < n; first += 1024) {
        const int64_t end = first + 1024 < n ? first + 1024 : n;
        int64_t at = first;
        if (end - first >= 128) {
            float groups[64];
            for (int64_t i = 0; i < 64; i++)
                groups[i] = terms[step * at++];
            for (; at + 64 <= end; at += 64)
                for (int64_t i = 0; i < 64; i++)
                    groups[i] += terms[step * (at + i)];
            for (int64_t half = 32; half > 0; half /= 2)
                for (int64_t i = 0; i < half; i++)
                    groups[i] += groups[i + half];
            sum += groups[0];
        }
        for (; at < end; at++)
            sum += terms[step * at];
    }
    return sum;
}

START_TEST(long_sums_to_few_outputs_are_grouped_on_cpu_whatever_the_layout)
{
    static const struct {
        const char *layout;
        int64_t kept;
        int64_t folded;
        int is_grouped;
    } cases[] = {
        { "(1,5000):(0,1)", 1, 5000, 1 },
        { "(1,5000):(0,2)", 1, 5000, 1 },
        { "(3,4096):(1,3)", 3, 4096, 1 },
        { "(3,4096):(4096,1)", 3, 4096, 1 },
        { "(2,4161):(1,2)", 2, 4161, 1 },
        { "(2,4161):(4161,1)", 2, 4161, 1 },
        { "(2,(57,73)):(1,(146,2))", 2, 4161, 1 },
        { "(3,4095):(4095,1)", 3, 4095, 0 },
        { "(4,4096):(4096,1)", 4, 4096, 0 },
    };
    static double slots[4 * 4096];
    static float elements[4 * 4096];

    for (int i = 0; i < 4 * 4096; i++)
        slots[i] = (i * 7919 % 1009) / 64.0 - 3.3;
    for (size_t c = 0; c < N_OF(cases); c++) {
        const int64_t kept = cases[c].kept, folded = cases[c].folded;
        struct sw_tensor *in = tensor_at(sw_cpu_class(), SW_FLOAT32, cases[c].layout, 0, slots, 4 * 4096), *sum;
        assert_ok(sw_reduce_sum(in, "a b -> a", NULL, &sum));
        assert_ok(sw_tensor_read_f32(in, elements, (size_t)(kept * folded)));
        for (int64_t i = 0; i < kept; i++) {
            float ascending = 0;
            for (int64_t k = 0; k < folded; k++)
                ascending += elements[i + kept * k];
            const float grouped = grouped_sum(elements + i, kept, folded);
            ck_assert(grouped != ascending);
            ck_assert(value_at(sum, i) == (double)(cases[c].is_grouped ? grouped : ascending));
        }
        sw_tensor_unref(sum);
        sw_tensor_unref(in);
    }
}
END_TEST

START_TEST(mode_zero_is_unwrapped)
{
    FOR_BOTH(on) {
        struct sw_tensor *in = F32(on, "((2,1),2):((1,2),2)", 1, 2, 3, 4), *out;
        const struct sw_operand operand = sw_operand_tensor(in);
        assert_ok(forward("reduce_sum", sw_tensor_carrier(in), &operand, 1, &out));
        assert_f32(out, "(2,1):(1,2)", 4, 6);
        sw_tensor_unref(in);
    }
}
END_TEST

START_TEST(options_choose_the_accumulator)
{
    FOR_BOTH(on) {
        struct sw_execution_options options = SW_EXECUTION_OPTIONS_INIT("reduce_sum");
        struct sw_tensor *in = F32(on, "(1,3):(1,1)", 16777216, 1, 1), *ints = I32(on, "(1,2):(1,1)", 1, 2),
                         *out = NULL;
        assert_ok(sw_reduce_sum(in, "a b -> a", &options, &out));
        assert_f32(out, "(1):(1)", 16777216);
        options.accumulator = SW_FLOAT64;
        assert_ok(sw_reduce_sum(in, "a b -> a", &options, &out));
        assert_f32(out, "(1):(1)", 16777218);
        out = NULL;
        /* Refused by the second operation: the rearrangement has run. */
        uint64_t before = sw_boundary_count();
        assert_status(sw_reduce_sum(ints, "a b -> a", &options, &out), SW_TYPE_ERROR);
        ck_assert_uint_eq(sw_boundary_count() - before, 2);
        /* Refused before anything runs. */
        before = sw_boundary_count();
        options.accumulator = SW_INT8;
        assert_status(sw_reduce_sum(in, "a b -> a", &options, &out), SW_NOT_IMPLEMENTED_ERROR);
        options.accumulator = 77;
        assert_status(sw_reduce_sum(in, "a b -> a", &options, &out), SW_TYPE_ERROR);
        ck_assert_uint_eq(sw_boundary_count() - before, 0);
        ck_assert_ptr_null(out);
        sw_tensor_unref(in);
        sw_tensor_unref(ints);
    }
}
END_TEST

START_TEST(int32_sums_overflow_only_at_the_end)
{
    FOR_BOTH(on) {
        struct sw_tensor *in = I32(on, "(2,2):(1,2)", 2147483647, 2147483647, -1, 1), *out = NULL;
        assert_status(sw_reduce_sum(in, "a b -> a", NULL, &out), SW_OVERFLOW_ERROR);
        ck_assert_ptr_null(out);
        struct sw_tensor *back = I32(on, "(1,3):(1,1)", 2147483647, 2147483647, -2147483647);
        assert_ok(sw_reduce_sum(back, "a b -> a", NULL, &out));
        assert_i32(out, "(1):(1)", 2147483647);
        sw_tensor_unref(in);
        sw_tensor_unref(back);
    }
}
END_TEST

START_TEST(a_command_is_compiled_before_anything_runs)
{
    FOR_BOTH(on) {
        struct sw_tensor *in = F32(on, "(2,3):(1,2)", 1, 2, 3, 4, 5, 6), *out = NULL;
        uint64_t before = sw_boundary_count();
        assert_status(sw_reduce_max(in, "a b -> a b", &out), SW_VALUE_ERROR);
        assert_status(sw_reduce_max(in, NULL, &out), SW_TYPE_ERROR);
        assert_status(sw_reduce_max(NULL, "a b -> a", &out), SW_TYPE_ERROR);
        ck_assert_uint_eq(sw_boundary_count() - before, 0);
        assert_status(sw_reduce_max(in, "a (b c) -> a", &out), SW_VALUE_ERROR);
        ck_assert_uint_eq(sw_boundary_count() - before, 1);
        assert_ok(sw_reduce_max(in, "a b -> a", &out));
        ck_assert_uint_eq(sw_boundary_count() - before, 3);
        sw_tensor_unref(out);
        sw_tensor_unref(in);
    }
}
END_TEST

START_TEST(sum_and_mean_reduce_whatever_modes_there_are_to_one_element)
{
    FOR_BOTH(on) {
        struct sw_tensor *in = F32(on, "(2,(2,2)):(1,(2,4))", 1, 2, 3, 4, 5, 6, 7, 8), *out = NULL;
        struct sw_tensor *one = F32(on, "():()", 5), *whole = I32(on, "(3):(0)", 2147483647);
        struct sw_tensor *odd = I32(on, "(2):(1)", 3, 4), *truth = BOOL(on, "(1):(1)", 1);
        uint64_t before = sw_boundary_count();
        assert_ok(sw_sum(in, &out));
        assert_f32(out, "(1):(1)", 36);
        ck_assert_uint_eq(sw_boundary_count() - before, 2);
        before = sw_boundary_count();
        assert_ok(sw_mean(in, &out));
        assert_f32(out, "(1):(1)", 4.5);
        ck_assert_uint_eq(sw_boundary_count() - before, 3);
        assert_ok(sw_sum(one, &out));
        assert_f32(out, "(1):(1)", 5);
        assert_ok(sw_mean(one, &out));
        assert_f32(out, "(1):(1)", 5);
        assert_ok(sw_sum(odd, &out));
        assert_i32(out, "(1):(1)", 7);
        assert_ok(sw_mean(odd, &out));
        assert_f32(out, "(1):(1)", 3.5);
        out = NULL;
        assert_status(sw_mean(whole, &out), SW_OVERFLOW_ERROR);
        assert_status(sw_mean(truth, &out), SW_NOT_IMPLEMENTED_ERROR);
        assert_status(sw_sum(NULL, &out), SW_TYPE_ERROR);
        ck_assert_ptr_null(out);
        sw_tensor_unref(in);
        sw_tensor_unref(one);
        sw_tensor_unref(whole);
        sw_tensor_unref(odd);
        sw_tensor_unref(truth);
    }
}
END_TEST

START_TEST(liveness_comes_before_the_modes_and_those_before_the_dtype)
{
    FOR_BOTH(on) {
        struct sw_tensor *dead = F32(on, "(2):(1)", 1, 2), *flags = BOOL(on, "(2):(1)", 1, 0), *out = NULL;
        struct sw_tensor *matrix = BOOL(on, "(1,2):(1,1)", 1, 0), *ints = I32(on, "(1,2):(1,1)", 1, 2);
        struct sw_operand operand = sw_operand_tensor(dead);
        struct sw_carrier *carrier = sw_tensor_carrier(flags);
        assert_ok(sw_carrier_release(sw_tensor_carrier(dead)));
        assert_status(forward("reduce_sum", carrier, &operand, 1, &out), SW_RUNTIME_ERROR);
        operand = sw_operand_tensor(flags);
        assert_status(forward("reduce_sum", carrier, &operand, 1, &out), SW_VALUE_ERROR);
        operand = sw_operand_tensor(matrix);
        assert_status(forward("reduce_sum", carrier, &operand, 1, &out), SW_NOT_IMPLEMENTED_ERROR);
        operand = sw_operand_tensor(ints);
        assert_status(forward("reduce_max", carrier, &operand, 1, &out), SW_TYPE_ERROR);
        operand = sw_operand_integer(3);
        assert_status(forward("reduce_sum", carrier, &operand, 1, &out), SW_TYPE_ERROR);
        sw_tensor_unref(dead);
        sw_tensor_unref(flags);
        sw_tensor_unref(matrix);
        sw_tensor_unref(ints);
    }
}
END_TEST

CHECK_MAIN("reduce", what_a_command_keeps_is_the_shape_of_the_result, every_layout_is_summed_in_ascending_order,
           long_sums_to_few_outputs_are_grouped_on_cpu_whatever_the_layout, mode_zero_is_unwrapped,
           options_choose_the_accumulator, int32_sums_overflow_only_at_the_end,
           a_command_is_compiled_before_anything_runs,
           sum_and_mean_reduce_whatever_modes_there_are_to_one_element, liveness_comes_before_the_modes_and_those_before_the_dtype)
