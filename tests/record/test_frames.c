/*
 * The stack of open operations: nesting, healing, anomalies.
 */
#include "config.h"

#include "record/frames.h"

#include <signal.h>
#include <stdlib.h>

#include "check_main.h"

#define ROOM 8

static struct swprof_frame outer[ROOM / 2], deep[ROOM / 2];
static uint64_t left_tokens[ROOM];
static uint32_t left_depths[ROOM];
static unsigned n_left, n_anomalies;

static void left(struct sw__frames *frames, const struct swprof_frame *frame, uint32_t depth)
{
    ck_assert_uint_eq(frames->depth, depth);
    left_tokens[n_left] = frame->token;
    left_depths[n_left] = depth;
    n_left++;
}

static void anomaly(struct sw__frames *frames)
{
    (void)frames;
    n_anomalies++;
}

static const struct sw__frames_sink sink = {left, anomaly};

/* A stack from 100000 up to 900000; addresses of the tests are made up. */
static struct sw__frames fresh(void)
{
    n_left = n_anomalies = 0;
    return (struct sw__frames){outer, deep, ROOM / 2, ROOM / 2, 0, &sink, {100000, 900000}};
}

START_TEST(operations_nest_across_both_parts_of_the_room)
{
    struct sw__frames frames = fresh();

    for (uint64_t i = 0; i < ROOM; i++)
        ck_assert_ptr_nonnull(sw__frames_enter(&frames, 500000 - 100 * i, i + 1));
    ck_assert_ptr_null(sw__frames_enter(&frames, 400000, 99));
    for (uint64_t i = ROOM; i-- > 0;) {
        struct swprof_frame *frame = sw__frames_leave(&frames, 500000 - 100 * i, i + 1);

        ck_assert_uint_eq(frame->token, i + 1);
        ck_assert_uint_eq(frames.depth, i);
    }
    ck_assert_uint_eq(n_left + n_anomalies, 0);
}
END_TEST

START_TEST(a_frame_above_the_stack_pointer_was_left)
{
    struct sw__frames frames = fresh();

    sw__frames_enter(&frames, 500000, 1);
    sw__frames_enter(&frames, 400000, 2);
    sw__frames_enter(&frames, 300000, 3);
    sw__frames_enter(&frames, 450000, 4);
    ck_assert_uint_eq(frames.depth, 2);
    ck_assert_uint_eq(n_left, 2);
    ck_assert_uint_eq(left_tokens[0], 3);
    ck_assert_uint_eq(left_depths[0], 2);
    ck_assert_uint_eq(left_tokens[1], 2);
    ck_assert_uint_eq(left_depths[1], 1);
    ck_assert_uint_eq(n_anomalies, 0);
}
END_TEST

START_TEST(the_same_structure_again_is_a_new_passage)
{
    struct sw__frames frames = fresh();

    sw__frames_enter(&frames, 500000, 1);
    sw__frames_enter(&frames, 500000, 1);
    ck_assert_uint_eq(frames.depth, 1);
    ck_assert_uint_eq(n_left, 1);
}
END_TEST

START_TEST(an_exit_ends_what_was_jumped_out_of_inside)
{
    struct sw__frames frames = fresh();

    sw__frames_enter(&frames, 500000, 1);
    sw__frames_enter(&frames, 499000, 2);
    sw__frames_enter(&frames, 498000, 3);
    ck_assert_uint_eq(sw__frames_leave(&frames, 500000, 1)->token, 1);
    ck_assert_uint_eq(frames.depth, 0);
    ck_assert_uint_eq(n_left, 2);
    ck_assert_uint_eq(left_tokens[0], 3);
    ck_assert_uint_eq(n_anomalies, 0);
}
END_TEST

START_TEST(begin_and_end_of_one_function_may_cross_and_are_counted)
{
    struct sw__frames frames = fresh();

    sw__frames_enter(&frames, 500000, 1);
    sw__frames_enter(&frames, 500000, 2);
    ck_assert_uint_eq(n_left, 0);
    ck_assert_ptr_nonnull(sw__frames_leave(&frames, 500000, 1));
    ck_assert_uint_eq(n_left, 1);
    ck_assert_uint_eq(n_anomalies, 1);
    ck_assert_ptr_null(sw__frames_leave(&frames, 500000, 2));
    ck_assert_uint_eq(n_anomalies, 2);
}
END_TEST

START_TEST(an_end_without_a_begin_is_counted)
{
    struct sw__frames frames = fresh();

    ck_assert_ptr_null(sw__frames_leave(&frames, 500000, 1));
    ck_assert_uint_eq(n_anomalies, 1);
}
END_TEST

START_TEST(other_stacks_are_never_judged_by_their_addresses)
{
    struct sw__frames frames = fresh();

    sw__frames_enter(&frames, 500000, 1);
    sw__frames_enter(&frames, 2000000, 2); /* a coroutine above the stack */
    ck_assert_uint_eq(frames.depth, 2);
    ck_assert_uint_eq(n_left, 0);
    ck_assert_uint_eq(n_anomalies, 1);
    sw__frames_enter(&frames, 450000, 3); /* below: nothing says that it does not nest */
    ck_assert_uint_eq(frames.depth, 3);
    ck_assert_uint_eq(n_left, 0);
    ck_assert_uint_eq(n_anomalies, 1);
}
END_TEST

START_TEST(frames_on_the_alternate_stack_were_left_when_it_is_out_of_use)
{
    struct sw__frames frames = fresh();
    stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};

    ck_assert_int_eq(sigaltstack(&stack, NULL), 0);
    frames.stack = (struct sw__stack){100000, 900000};
    sw__frames_enter(&frames, 500000, 1);
    frames.depth = 2; /* what a handler entered on its stack */
    *sw__frames_at(&frames, 1) = (struct swprof_frame){.stack = (uintptr_t)stack.ss_sp + 30000, .token = 2};
    sw__frames_enter(&frames, 400000, 3);
    ck_assert_uint_eq(frames.depth, 2);
    ck_assert_uint_eq(n_left, 1);
    ck_assert_uint_eq(left_tokens[0], 2);
    ck_assert_uint_eq(n_anomalies, 0);
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, NULL);
    free(stack.ss_sp);
}
END_TEST

START_TEST(the_threads_own_stack_is_found)
{
    struct sw__stack stack = {0, 0};
    int here;
    int *elsewhere = malloc(sizeof *elsewhere);

    sw__stack_learn(&stack);
    ck_assert(sw__stack_has(&stack, (uintptr_t)&here));
    ck_assert(!sw__stack_has(&stack, (uintptr_t)elsewhere));
    free(elsewhere);
}
END_TEST

CHECK_MAIN("frames", operations_nest_across_both_parts_of_the_room, a_frame_above_the_stack_pointer_was_left,
           the_same_structure_again_is_a_new_passage, an_exit_ends_what_was_jumped_out_of_inside,
           begin_and_end_of_one_function_may_cross_and_are_counted, an_end_without_a_begin_is_counted,
           other_stacks_are_never_judged_by_their_addresses,
           frames_on_the_alternate_stack_were_left_when_it_is_out_of_use, the_threads_own_stack_is_found)
