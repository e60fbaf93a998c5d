/*
 * Contractions: what a command compiles to, what is none, and what comes out.
 */
#include "config.h"

#include "op/contraction.h"

#include "op_test.h"

static void assert_text(const struct sw_tree *tree, const char *expected)
{
    char *text;

    assert_ok(sw_tree_format(tree, &text));
    ck_assert_str_eq(text, expected);
    sw_free(text);
}

START_TEST(without_batch_symbols_the_factors_have_two_modes)
{
    struct sw__contraction contraction = { .shared = NULL };

    assert_ok(sw__contraction_compile("a (b c) 1 d, c e b f -> f (a e) d 1", &contraction));
    ck_assert(!contraction.is_elementwise && !contraction.is_summed);
    ck_assert_uint_eq(contraction.n_shared, 2);
    assert_text(contraction.selection[0], "(*,(*,*),*,*)");
    assert_text(contraction.selection[1], "(*,*,*,*)");
    assert_text(contraction.output[0], "((0,4),(1,2))");
    assert_text(contraction.output[1], "((1,3),(2,0))");
    assert_text(contraction.result_selection, "((*,*),(*,*))");
    assert_text(contraction.result_output, "(3,(0,2),1,*)");
    sw__contraction_clear(&contraction);
}
END_TEST

START_TEST(a_side_without_symbols_of_its_own_gets_a_one)
{
    struct sw__contraction contraction = { .shared = NULL };

    assert_ok(sw__contraction_compile("k, j k -> j", &contraction));
    assert_text(contraction.output[0], "(*,0)");
    assert_text(contraction.output[1], "(0,1)");
    assert_text(contraction.result_selection, "(*,*)");
    assert_text(contraction.result_output, "(1)");
    sw__contraction_clear(&contraction);
}
END_TEST

START_TEST(with_batch_symbols_the_factors_have_a_mode_per_symbol)
{
    struct sw__contraction contraction = { .shared = NULL };

    assert_ok(sw__contraction_compile("b i k, j k b -> (j b) i", &contraction));
    ck_assert(contraction.is_elementwise && contraction.is_summed);
    assert_text(contraction.output[0], "(0,1,2,*)");
    assert_text(contraction.output[1], "(2,*,1,0)");
    assert_text(contraction.result_selection, "(*,*,*,*)");
    assert_text(contraction.result_output, "(((3,0),1),2)");
    sw__contraction_clear(&contraction);
    struct sw__contraction kept = { .shared = NULL };
    assert_ok(sw__contraction_compile("b i, b j -> b i j", &kept));
    ck_assert(kept.is_elementwise && !kept.is_summed);
    assert_text(kept.result_output, "(0,1,2)");
    sw__contraction_clear(&kept);
}
END_TEST

START_TEST(text_that_is_no_contraction_is_refused)
{
    static const char *const texts[] = {
        "",           "a",           "a -> a",          "a b -> a, b",   "a, a, a -> a",    "a, -> a",     ", a -> a",
        "a, a ->",    "a, a a -> a", "a b, b c -> a",   "a, b -> a b",   "a, a -> a a",     "a, a -> b",   "a b, a -> ",
        "(a, a) -> a", "a b, a (b -> a", "1, 1 -> 1",   "a, a -> (a",    "a; a -> a",       "a, a - > a",
    };

    for (size_t i = 0; i < N_OF(texts); i++) {
        struct sw__contraction contraction = { .shared = NULL };
        ck_assert_msg(sw__contraction_compile(texts[i], &contraction) == SW_VALUE_ERROR, "\"%s\"", texts[i]);
        sw__contraction_clear(&contraction);
    }
    struct sw__contraction contraction = { .shared = NULL };
    assert_status(sw__contraction_compile(NULL, &contraction), SW_TYPE_ERROR);
}
END_TEST

START_TEST(a_refusal_names_the_symbol_that_the_output_lacks)
{
    struct sw__contraction contraction = { .shared = NULL };

    ck_assert_int_eq(sw__contraction_compile("a key, row key -> a", &contraction), SW_VALUE_ERROR);
    ck_assert_msg(strstr(sw_error_message(), "lacks 'row'") != NULL, "%s", sw_error_message());
    sw__contraction_clear(&contraction);
}
END_TEST

START_TEST(results_are_sums_of_products)
{
    FOR_BOTH(on) {
        struct sw_tensor *a = F32(on, "(2,3):(1,2)", 1, 2, 3, 4, 5, 6), *b = F32(on, "(3,2):(1,3)", 1, 2, 3, 4, 5, 6);
        struct sw_tensor *v = F32(on, "(3):(1)", 1, 10, 100), *out;
        assert_ok(sw_einsum(a, b, "i k, k j -> i j", &out));
        assert_f32(out, "(2,2):(1,2)", 22, 28, 49, 64);
        assert_ok(sw_einsum(a, b, "i k, k j -> j i", &out));
        assert_f32(out, "(2,2):(2,1)", 22, 49, 28, 64);
        assert_ok(sw_einsum(a, v, "i k, k -> i", &out));
        assert_f32(out, "(2):(1)", 531, 642);
        assert_ok(sw_einsum(v, v, "k, k -> 1", &out));
        assert_f32(out, "(1):(0)", 10101);
        assert_ok(sw_einsum(a, a, "i k, i k -> k", &out));
        assert_f32(out, "(3):(1)", 5, 25, 61);
        assert_ok(sw_einsum(a, v, "i k, k -> k i", &out));
        assert_f32(out, "(3,2):(2,1)", 1, 30, 500, 2, 40, 600);
        assert_ok(sw_einsum(a, a, "i k, i k -> 1 k i 1", &out));
        assert_f32(out, "(1,3,2,1):(0,2,1,0)", 1, 9, 25, 4, 16, 36);
        sw_tensor_unref(a);
        sw_tensor_unref(b);
        sw_tensor_unref(v);
    }
}
END_TEST

START_TEST(modes_may_be_nested_and_pair_by_ordinal)
{
    FOR_BOTH(on) {
        struct sw_tensor *a = F32(on, "((2,2),3):((1,2),4)", 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), *out;
        struct sw_tensor *b = F32(on, "(4):(1)", 1, 10, 100, 1000);
        assert_ok(sw_einsum(a, b, "k i, k -> i", &out));
        assert_f32(out, "(3):(1)", 3210, 7654, 12098);
        struct sw_tensor *c = F32(on, "(3):(1)", 1, 10, 100);
        assert_ok(sw_einsum(a, c, "(p q) k, k -> q p", &out));
        assert_f32(out, "(2,2):(2,1)", 840, 1062, 951, 1173);
        assert_ok(sw_einsum(c, a, "k, n k -> n", &out));
        assert_f32(out, "((2,2)):((1,2))", 840, 951, 1062, 1173);
        sw_tensor_unref(a);
        sw_tensor_unref(b);
        sw_tensor_unref(c);
    }
}
END_TEST

START_TEST(integers_are_contracted_exactly)
{
    FOR_BOTH(on) {
        struct sw_tensor *a = I32(on, "(2):(1)", 2147483647, 2147483647), *b = I32(on, "(2):(1)", 1, -1), *out = NULL;
        assert_ok(sw_einsum(a, b, "k, k -> 1", &out));
        assert_i32(out, "(1):(0)", 0);
        out = NULL;
        assert_status(sw_einsum(a, a, "k, k -> 1", &out), SW_OVERFLOW_ERROR);
        ck_assert_ptr_null(out);
        sw_tensor_unref(a);
        sw_tensor_unref(b);
    }
}
END_TEST

START_TEST(what_can_be_known_before_is_refused_before_any_boundary)
{
    struct sw_tensor *a = F32(sw_cpu_class(), "(2,3):(1,2)", 1, 2, 3, 4, 5, 6), *out = NULL;
    struct sw_tensor *other = F32(sw_generic_class(), "(2,3):(1,2)", 1, 2, 3, 4, 5, 6);
    uint64_t before = sw_boundary_count();

    assert_status(sw_einsum(a, a, NULL, &out), SW_TYPE_ERROR);
    assert_status(sw_einsum(a, NULL, "i k, j k -> i j", &out), SW_TYPE_ERROR);
    assert_status(sw_einsum(a, other, "i k, j k -> i j", &out), SW_TYPE_ERROR);
    assert_status(sw_einsum(a, a, "i k, k j -> i j", &out), SW_VALUE_ERROR);
    assert_status(sw_einsum(a, a, "i k, k -> i", &out), SW_VALUE_ERROR);
    assert_status(sw_einsum(a, a, "(i k) l, l k -> i", &out), SW_VALUE_ERROR);
    ck_assert_uint_eq(sw_boundary_count() - before, 0);
    ck_assert_ptr_null(out);
    sw_tensor_unref(a);
    sw_tensor_unref(other);
}
END_TEST

CHECK_MAIN("contractions", without_batch_symbols_the_factors_have_two_modes,
           a_side_without_symbols_of_its_own_gets_a_one, with_batch_symbols_the_factors_have_a_mode_per_symbol,
           text_that_is_no_contraction_is_refused, a_refusal_names_the_symbol_that_the_output_lacks,
           results_are_sums_of_products, modes_may_be_nested_and_pair_by_ordinal, integers_are_contracted_exactly,
           what_can_be_known_before_is_refused_before_any_boundary)
