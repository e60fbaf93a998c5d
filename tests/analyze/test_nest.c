/*
 * Parents and self times from depths.
 */
#include "config.h"

#include "analyze/analyze.h"
#include "check_main.h"

#define MAX_EVENTS 4096

struct taken {
    struct sw__analyze_event events[MAX_EVENTS]; /* by serial */
    size_t n_events;
};

static enum sw_status take(void *context, const struct sw__analyze_event *events, const uint32_t *serials, size_t n)
{
    struct taken *taken = context;

    for (size_t i = 0; i < n; i++) {
        ck_assert_uint_lt(serials[i], MAX_EVENTS);
        taken->events[serials[i]] = events[i];
    }
    taken->n_events += n;
    return SW_OK;
}

static uint64_t nest_pieces(struct taken *taken, const struct sw__nest_operation *operations, size_t n, size_t n_piece)
{
    struct sw__nest *nest SW__OWNED_NEST = NULL;

    taken->n_events = 0;
    ck_assert_int_eq(sw__nest_new(7, 0, take, taken, &nest), SW_OK);
    for (size_t i = 0; i < n; i += n_piece)
        ck_assert_int_eq(sw__nest_push(nest, &operations[i], n - i < n_piece ? n - i : n_piece), SW_OK);
    ck_assert_int_eq(sw__nest_finish(nest), SW_OK);
    ck_assert_uint_eq(taken->n_events, n);
    return sw__nest_anomalies(nest);
}

/* Field by field: what is between them nobody sets. */
static void check_same(const struct sw__analyze_event *a, const struct sw__analyze_event *b)
{
    ck_assert_int_eq(a->start_ns, b->start_ns);
    ck_assert_int_eq(a->duration_ns, b->duration_ns);
    ck_assert_int_eq(a->self_ns, b->self_ns);
    ck_assert_uint_eq(a->parent, b->parent);
    ck_assert_uint_eq(a->dispatch, b->dispatch);
    ck_assert_uint_eq(a->shapes, b->shapes);
    ck_assert_uint_eq(a->thread, b->thread);
    ck_assert_uint_eq(a->flags, b->flags);
    ck_assert_uint_eq(a->n_children, b->n_children);
    ck_assert_uint_eq(a->n_inside, b->n_inside);
    ck_assert_uint_eq(a->stack, b->stack);
}

/* Operations in the reverse order of their ends; in which pieces they come makes no difference. */
static uint64_t nest(struct taken *taken, const struct sw__nest_operation *operations, size_t n)
{
    static struct taken one_by_one;
    uint64_t n_anomalies = nest_pieces(&one_by_one, operations, n, 1);

    for (size_t n_piece = 2; n_piece <= n; n_piece++) {
        ck_assert_uint_eq(nest_pieces(taken, operations, n, n_piece), n_anomalies);
        for (size_t i = 0; i < n; i++)
            check_same(&taken->events[i], &one_by_one.events[i]);
    }
    *taken = one_by_one;
    return n_anomalies;
}

static int64_t sum_of_self(const struct taken *taken)
{
    int64_t sum = 0;

    for (size_t i = 0; i < taken->n_events; i++)
        sum += taken->events[i].self_ns;
    return sum;
}

static struct taken taken;

START_TEST(children_are_counted_without_theirs)
{
    const struct sw__nest_operation operations[] = {
        { .start_ns = 0, .end_ns = 100, .depth = 0 },
        { .start_ns = 70, .end_ns = 90, .depth = 1, .flags = SW__ANALYZE_HIDDEN },
        { .start_ns = 10, .end_ns = 60, .depth = 1 },
        { .start_ns = 20, .end_ns = 50, .depth = 2 },
    };

    ck_assert_uint_eq(nest(&taken, operations, 4), 0);
    ck_assert_uint_eq(taken.events[0].n_children, 2);
    ck_assert_uint_eq(taken.events[1].n_children, 0);
    ck_assert_uint_eq(taken.events[2].n_children, 1);
    ck_assert_uint_eq(taken.events[3].n_children, 0);
}
END_TEST

START_TEST(grandchild_is_excluded_exactly_once)
{
    const struct sw__nest_operation operations[] = {
        { .start_ns = 0, .end_ns = 100, .depth = 0 },
        { .start_ns = 10, .end_ns = 90, .depth = 1 },
        { .start_ns = 20, .end_ns = 50, .depth = 2 },
    };

    ck_assert_uint_eq(nest(&taken, operations, 3), 0);
    ck_assert_int_eq(taken.events[0].self_ns, 20);
    ck_assert_int_eq(taken.events[1].self_ns, 50);
    ck_assert_int_eq(taken.events[2].self_ns, 30);
    ck_assert_uint_eq(taken.events[0].parent, SW__ANALYZE_NONE);
    ck_assert_uint_eq(taken.events[1].parent, 0);
    ck_assert_uint_eq(taken.events[2].parent, 1);
    ck_assert_uint_eq(taken.events[2].thread, 7);
}
END_TEST

START_TEST(self_times_of_a_thread_sum_to_its_roots)
{
    const struct sw__nest_operation operations[] = {
        { .start_ns = 200, .end_ns = 300, .depth = 0 },
        { .start_ns = 250, .end_ns = 290, .depth = 1 },
        { .start_ns = 210, .end_ns = 240, .depth = 1 },
        { .start_ns = 0, .end_ns = 100, .depth = 0 },
        { .start_ns = 50, .end_ns = 100, .depth = 1 },
        { .start_ns = 50, .end_ns = 100, .depth = 2 },
    };

    ck_assert_uint_eq(nest(&taken, operations, 6), 0);
    ck_assert_int_eq(sum_of_self(&taken), 200);
    ck_assert_int_eq(taken.events[0].self_ns, 30);
    ck_assert_int_eq(taken.events[3].self_ns, 50);
    ck_assert_int_eq(taken.events[4].self_ns, 0);
    ck_assert(taken.events[0].flags & SW__ANALYZE_ROOT);
    ck_assert(!(taken.events[1].flags & SW__ANALYZE_ROOT));
}
END_TEST

START_TEST(child_of_a_lost_parent_goes_to_the_next_one_that_encloses_it)
{
    const struct sw__nest_operation operations[] = {
        { .start_ns = 0, .end_ns = 100, .depth = 0 },
        { .start_ns = 60, .end_ns = 90, .depth = 1 },
        { .start_ns = 20, .end_ns = 30, .depth = 2 }, /* its parent at depth 1 was not recorded */
    };

    ck_assert_uint_eq(nest(&taken, operations, 3), 0);
    ck_assert_uint_eq(taken.events[2].parent, 0);
    ck_assert_int_eq(taken.events[0].self_ns, 60);
    ck_assert_int_eq(taken.events[1].self_ns, 30);
}
END_TEST

START_TEST(operation_that_nothing_encloses_is_a_root_whatever_its_depth)
{
    const struct sw__nest_operation operations[] = {
        { .start_ns = 60, .end_ns = 90, .depth = 0 },
        { .start_ns = 20, .end_ns = 30, .depth = 5 },
    };

    ck_assert_uint_eq(nest(&taken, operations, 2), 0);
    ck_assert_uint_eq(taken.events[1].parent, SW__ANALYZE_NONE);
    ck_assert(taken.events[1].flags & SW__ANALYZE_ROOT);
    ck_assert_int_eq(taken.events[0].self_ns, 30);
}
END_TEST

/* A coarse clock: the first ends at the stamp at which both begin. */
START_TEST(siblings_that_begin_at_one_stamp_stay_siblings)
{
    const struct sw__nest_operation operations[] = {
        { .start_ns = 100, .end_ns = 200, .depth = 0 },
        { .start_ns = 100, .end_ns = 100, .depth = 0 },
    };

    ck_assert_uint_eq(nest(&taken, operations, 2), 0);
    ck_assert_uint_eq(taken.events[1].parent, SW__ANALYZE_NONE);
}
END_TEST

START_TEST(hidden_operation_takes_time_and_is_nobodys_parent)
{
    const struct sw__nest_operation operations[] = {
        { .start_ns = 0, .end_ns = 100, .depth = 0 },
        { .start_ns = 10, .end_ns = 60, .depth = 1, .flags = SW__ANALYZE_HIDDEN },
        { .start_ns = 20, .end_ns = 50, .depth = 2 },
    };

    ck_assert_uint_eq(nest(&taken, operations, 3), 0);
    ck_assert_int_eq(taken.events[0].self_ns, 50);
    ck_assert_uint_eq(taken.events[2].parent, 0);
    ck_assert_int_eq(taken.events[2].self_ns, 30);
    ck_assert(!(taken.events[2].flags & SW__ANALYZE_ROOT));
}
END_TEST

START_TEST(under_a_hidden_root_there_is_no_parent_and_no_second_root)
{
    const struct sw__nest_operation operations[] = {
        { .start_ns = 0, .end_ns = 100, .depth = 0, .flags = SW__ANALYZE_HIDDEN },
        { .start_ns = 20, .end_ns = 50, .depth = 1 },
    };

    ck_assert_uint_eq(nest(&taken, operations, 2), 0);
    ck_assert_uint_eq(taken.events[1].parent, SW__ANALYZE_NONE);
    ck_assert(!(taken.events[1].flags & SW__ANALYZE_ROOT));
}
END_TEST

START_TEST(empty_children_leave_their_parent_everything)
{
    struct sw__nest_operation operations[1001];

    operations[0] = (struct sw__nest_operation){ .start_ns = 0, .end_ns = 5000 };
    for (int64_t i = 1; i <= 1000; i++)
        operations[i] = (struct sw__nest_operation){ .start_ns = 4000 - i, .end_ns = 4000 - i, .depth = 1 };
    ck_assert_uint_eq(nest(&taken, operations, 1001), 0);
    ck_assert_int_eq(taken.events[0].self_ns, 5000);
    ck_assert_uint_eq(taken.events[1000].parent, 0);
}
END_TEST

START_TEST(child_longer_than_its_parent_is_an_anomaly_and_not_negative)
{
    const struct sw__nest_operation operations[] = {
        { .start_ns = 50, .end_ns = 60, .depth = 0 },
        { .start_ns = 50, .end_ns = 100, .depth = 1 },
        { .start_ns = 40, .end_ns = 30, .depth = 1 },
    };

    ck_assert_uint_eq(nest(&taken, operations, 3), 2);
    ck_assert_int_eq(taken.events[0].self_ns, 0);
    ck_assert_int_eq(taken.events[1].self_ns, 50);
    ck_assert_int_eq(taken.events[2].duration_ns, 0);
}
END_TEST

START_TEST(extreme_stamps_saturate)
{
    const struct sw__nest_operation operations[] = {
        { .start_ns = INT64_MIN, .end_ns = INT64_MAX, .depth = 0 },
        { .start_ns = INT64_MIN, .end_ns = INT64_MAX, .depth = 1 },
    };

    nest(&taken, operations, 2);
    ck_assert_int_eq(taken.events[0].duration_ns, INT64_MAX);
    ck_assert_int_eq(taken.events[0].self_ns, 0);
}
END_TEST

/* 1000 long, of which 600 are known to have been nested: of these 100 are there. Another of 500 has all it had. */
START_TEST(nested_time_that_is_known_and_not_there_counts)
{
    static const struct sw__nest_operation operations[] = {
        { .start_ns = 3000, .end_ns = 3100, .depth = 0, .nested_ns = 30 },
        { .start_ns = 2000, .end_ns = 2500, .depth = 0, .nested_ns = 200 },
        { .start_ns = 2100, .end_ns = 2301, .depth = 1 },
        { .start_ns = 0, .end_ns = 1000, .depth = 0, .nested_ns = 600 },
        { .start_ns = 800, .end_ns = 900, .depth = 1 },
    };

    ck_assert_uint_eq(nest(&taken, operations, 5), 0);
    ck_assert_int_eq(sum_of_self(&taken), 70 + 299 + 201 + 400 + 100);
}
END_TEST

static uint32_t order[16];
static size_t n_order;

static enum sw_status note_enter(void *context, const struct sw__analyze_event *event, uint32_t serial)
{
    (void)context;
    (void)event;
    order[n_order++] = serial;
    return SW_OK;
}

static enum sw_status note_leave(void *context, const struct sw__analyze_event *events, const uint32_t *serials,
                                 size_t n_events)
{
    (void)context;
    (void)events;
    for (size_t i = 0; i < n_events; i++)
        order[n_order++] = 100 + serials[i];
    return SW_OK;
}

START_TEST(entering_and_leaving_nest_as_the_operations_do)
{
    const struct sw__nest_operation operations[] = {
        { .start_ns = 100, .end_ns = 190, .depth = 0 },
        { .start_ns = 150, .end_ns = 180, .depth = 1 },
        { .start_ns = 110, .end_ns = 140, .depth = 1 },
        { .start_ns = 0, .end_ns = 90, .depth = 0 },
    };
    const uint32_t expected[] = { 0, 1, 101, 2, 102, 100, 3, 103 };
    struct sw__nest *nest SW__OWNED_NEST = NULL;

    n_order = 0;
    ck_assert_int_eq(sw__nest_new(7, 0, note_leave, NULL, &nest), SW_OK);
    sw__nest_on_enter(nest, note_enter);
    ck_assert_int_eq(sw__nest_push(nest, operations, 4), SW_OK);
    ck_assert_int_eq(sw__nest_finish(nest), SW_OK);
    ck_assert_uint_eq(n_order, 8);
    ck_assert_mem_eq(order, expected, sizeof expected);
}
END_TEST

CHECK_MAIN("nest", children_are_counted_without_theirs, grandchild_is_excluded_exactly_once,
           entering_and_leaving_nest_as_the_operations_do,
           nested_time_that_is_known_and_not_there_counts, self_times_of_a_thread_sum_to_its_roots,
           child_of_a_lost_parent_goes_to_the_next_one_that_encloses_it,
           operation_that_nothing_encloses_is_a_root_whatever_its_depth,
           siblings_that_begin_at_one_stamp_stay_siblings, hidden_operation_takes_time_and_is_nobodys_parent,
           under_a_hidden_root_there_is_no_parent_and_no_second_root,
           empty_children_leave_their_parent_everything,
           child_longer_than_its_parent_is_an_anomaly_and_not_negative, extreme_stamps_saturate)
