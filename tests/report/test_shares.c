/*
 * A large report shows the same on any number of processors: rows, totals, and
 * what of it is damaged. One processor reads all of it in one go.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* memfd_create, cpu_set_t, pthread_setattr_default_np */

#include <string.h>

#include "check_main.h"
#include "report/collect.h"
#include "report/segments.h"

#include "open_made.h"
#include "processors.h"

#define CHUNK_PAGES 64
#define N_GROUPS 1500 /* of a chunk, each of 6 events and at most 8 slots: more is not in its pages */
#define END_TICKS UINT64_C(1000000000000)

/* Two shares are cut in the first thread; of three, the last begins with the third. */
static const uint32_t n_chunks[] = { 13, 3, 6 };
#define N_RECORDED (sizeof n_chunks / sizeof *n_chunks)

static const struct report_filter everything;
static const int some_processors[] = { 2, 3, 0 };
#define N_SOME (sizeof some_processors / sizeof *some_processors)

struct names {
    uint32_t outer, inner, other;
    uint32_t shapes[3];
};

static struct names make_names(struct made_report *made)
{
    static const int64_t a[] = { 2, 2, 3, 2, 3, 5 }, b[] = { 1, 7 };
    struct names names = { make_dispatch(made, "matmul", "Evictable", 2), make_dispatch(made, "matmul", "Generic", 1),
                           make_dispatch(made, "add", "Generic", 1), { 0 } };

    names.shapes[1] = make_shapes(made, 2, a, 6);
    names.shapes[2] = make_shapes(made, 1, b, 2);
    return names;
}

/*
 * Three deep and wide now and then, many equally long, some hidden or failed, the outer one later at its end than what
 * was recorded behind it. In @floor 1 nothing is outermost: there is no place to cut at.
 */
static void make_group(struct made_report *made, const struct names *names, size_t chunk, unsigned i, uint64_t *now,
                       uint16_t floor)
{
    uint64_t wide = i % 11 == 3 ? SWPROF_EVENT_WIDE_DURATION + i : 0;
    uint8_t hidden = i % 4 == 0 ? SWPROF_EVENT_HIDDEN : 0;

    make_event(made, chunk, *now + 20, 10, names->inner, (uint16_t)(floor + 2), i % 5 != 0, names->shapes[i % 3]);
    make_event(made, chunk, *now + 40, 10 + i % 7, names->other, (uint16_t)(floor + 2), 1, names->shapes[i % 2]);
    make_event(made, chunk, *now + 10, 60, names->outer, (uint16_t)(floor + 1), 1, names->shapes[i % 3]);
    make_event(made, chunk, *now + 80, 5, names->inner, (uint16_t)(floor + 1), (uint8_t)(1 | hidden), 0);
    make_event(made, chunk, *now, 100 + wide, names->outer, floor, 1, names->shapes[i % 3]);
    make_event(made, chunk, *now + 60, i % 3 == 0 ? 20 : 35, names->other, floor, 1, 0);
    *now += 150 + wide;
}

static void make_events(struct made_report *made, const struct names *names, uint32_t thread, uint16_t floor)
{
    uint64_t now = 2000 + thread;

    for (uint32_t number = 0; number < n_chunks[thread]; number++) {
        size_t chunk = make_chunk(made, thread, number, CHUNK_PAGES);
        for (unsigned i = 0; i < N_GROUPS; i++)
            make_group(made, names, chunk, i + number, &now, floor);
    }
}

/* Four threads: of the third, one operation is open; the second has nothing outermost; the last has no events. */
static struct made_report make_large(void)
{
    struct made_report made = make_report();
    struct names names = make_names(&made);

    make_session(&made, 1000, END_TICKS, "");
    for (uint32_t thread = 0; thread <= N_RECORDED; thread++) {
        size_t record = make_thread(&made, thread, 100 + thread, 1000, END_TICKS);
        if (thread == 2) {
            made_thread(&made, record)->state = SWPROF_THREAD_LIVE;
            made_thread(&made, record)->depth = 1;
            made_frames(&made, record)[0] = (struct swprof_frame){ .start = END_TICKS - 5000, .dispatch = names.outer };
        }
        if (thread < N_RECORDED)
            make_events(&made, &names, thread, thread == 1);
    }
    made_header(&made)->last = (struct swprof_anchor){ END_TICKS, (int64_t)END_TICKS };
    made_header(&made)->cost_inside = 3;
    made_header(&made)->cost_outside = 4;
    return made;
}

struct answer {
    enum report_outcome outcome;
    struct sw__aggregates *rows;
    struct report_totals totals;
    char sentence[512];
};

static struct answer ask(const struct report *report, const struct report_filter *filter, int processors)
{
    struct answer answer = { .rows = NULL };

    n_processors = processors;
    answer.outcome = report_aggregate_wanted(report, filter, SW__GROUP_BY_SHAPES, SW__WANT_PERCENTILES | SW__WANT_FLOPS,
                                             &answer.rows, &answer.totals);
    if (answer.outcome != REPORT_OK)
        snprintf(answer.sentence, sizeof answer.sentence, "%s", sw_error_message());
    return answer;
}

static void check_same_row(const struct sw__aggregate *a, const struct sw__aggregate *b)
{
    ck_assert_ptr_eq(a->dispatch, b->dispatch);
    ck_assert_str_eq(a->shape_text, b->shape_text);
    ck_assert_uint_eq(a->count, b->count);
    ck_assert_uint_eq(a->failures, b->failures);
    ck_assert_uint_eq(a->n_children, b->n_children);
    ck_assert_int_eq(a->total_ns, b->total_ns);
    ck_assert_int_eq(a->self_total_ns, b->self_total_ns);
    ck_assert_int_eq(a->min_ns, b->min_ns);
    ck_assert_int_eq(a->max_ns, b->max_ns);
    ck_assert_int_eq(a->max_start_ns, b->max_start_ns);
    ck_assert_int_eq(a->first, b->first);
    ck_assert_uint_eq(a->first_flags, b->first_flags);
    ck_assert_int_eq(a->saturated, b->saturated);
    ck_assert_int_eq(a->flops, b->flops);
    ck_assert_int_eq(a->flops_ns, b->flops_ns);
    ck_assert_uint_eq(a->n_measured, b->n_measured);
    ck_assert_mem_eq(a->percentiles_ns, b->percentiles_ns, sizeof a->percentiles_ns);
}

static void check_same_totals(const struct report_totals *a, const struct report_totals *b)
{
    ck_assert_uint_eq(a->n_events, b->n_events);
    ck_assert_uint_eq(a->n_failures, b->n_failures);
    ck_assert_uint_eq(a->n_unfinished, b->n_unfinished);
    ck_assert_uint_eq(a->n_hidden, b->n_hidden);
    ck_assert_uint_eq(a->n_anomalies, b->n_anomalies);
    ck_assert_uint_eq(a->n_disordered, b->n_disordered);
    ck_assert_uint_eq(a->n_clamped, b->n_clamped);
    ck_assert_uint_eq(a->n_threads, b->n_threads);
    ck_assert_int_eq(a->alive_ns, b->alive_ns);
    ck_assert_int_eq(a->inside_ns, b->inside_ns);
    ck_assert_int_eq(a->self_ns, b->self_ns);
    ck_assert_int_eq(a->tool_ns, b->tool_ns);
    ck_assert_int_eq(a->saturated, b->saturated);
}

static void check_same(const struct answer *expected, const struct answer *got)
{
    ck_assert_int_eq(got->outcome, expected->outcome);
    ck_assert_str_eq(got->sentence, expected->sentence);
    if (expected->outcome != REPORT_OK)
        return;
    ck_assert_uint_eq(got->rows->n_rows, expected->rows->n_rows);
    for (size_t i = 0; i < got->rows->n_rows; i++)
        check_same_row(&expected->rows->rows[i], &got->rows->rows[i]);
    check_same_totals(&expected->totals, &got->totals);
}

/* One processor against several; gives back what they say. */
static enum report_outcome check_all(const struct report *report, const struct report_filter *filter)
{
    struct answer expected = ask(report, filter, 1);

    for (size_t i = 0; i < N_SOME; i++) {
        struct answer got = ask(report, filter, some_processors[i]);
        check_same(&expected, &got);
        sw__aggregates_free(got.rows);
    }
    sw__aggregates_free(expected.rows);
    return expected.outcome;
}

START_TEST(several_processors_show_what_one_shows)
{
    struct made_report made = make_large();
    struct report *report REPORT_OWNED = opened(&made);

    ck_assert_uint_eq(report->n_threads, N_RECORDED + 1);
    const struct report_filter filters[] = {
        everything,
        { .thread = &report->threads[0] },
        { .thread = &report->threads[1] },
        { .session = &report->sessions[0] },
        { .carriers = "Evictable" },
        { .is_compensated = 1 },
    };
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        ck_assert_int_eq(check_all(report, &filters[i]), REPORT_OK);
}
END_TEST

START_TEST(threads_that_cannot_be_created_do_not_change_what_is_shown)
{
    struct made_report made = make_large();
    struct report *report REPORT_OWNED = opened(&made);

    refuse_threads();
    ck_assert_int_eq(check_all(report, &everything), REPORT_OK);
}
END_TEST

/* An event of a chunk of a thread in the file: what is in that slot, or behind its extension there. */
static struct swprof_event *slot_of(struct made_report *made, uint32_t thread, uint32_t number, size_t slot)
{
    for (size_t at = 0; at < made->n_bytes; at += SWPROF_BLOCK_ALIGN) {
        struct swprof_block *block = made_block(made, at);
        if (at >= made->sessions && block->type == SWPROF_BLOCK_EVENTS && block->pages == CHUNK_PAGES &&
            block->thread == thread && block->first_id == number) {
            struct swprof_event *event = (struct swprof_event *)(void *)(block + 1) + slot;
            return event + ((event->flags & SWPROF_EVENT_EXTENSION) != 0);
        }
    }
    ck_abort_msg("no chunk %u of thread %u", (unsigned)number, (unsigned)thread);
    return NULL;
}

/* The first thread is passed first, and of a thread the last chunk. */
START_TEST(of_several_damages_the_same_is_told)
{
    static const struct {
        uint32_t thread, number;
        size_t slot;
    } places[] = { { 2, 0, 5 }, { 2, 5, 4000 }, { 1, 2, 100 }, { 0, 2, 3 }, { 0, 12, 8000 } };
    struct made_report made = make_large();
    char before[512] = "";

    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct made_report copy = made;

        slot_of(&made, places[i].thread, places[i].number, places[i].slot)->flags |= SWPROF_EVENT_EXTENSION;
        copy.bytes = malloc(made.n_bytes);
        ck_assert_ptr_nonnull(copy.bytes);
        memcpy(copy.bytes, made.bytes, made.n_bytes);
        struct report *report REPORT_OWNED = opened(&copy);
        ck_assert_int_eq(check_all(report, &everything), REPORT_DAMAGED);
        ck_assert_str_ne(sw_error_message(), before); /* each stands before those that were there */
        snprintf(before, sizeof before, "%s", sw_error_message());
    }
    made_free(&made);
}
END_TEST

/* Each recorded operation is in one segment, and a segment begins where nothing is open. */
START_TEST(segments_are_whole_and_about_equal)
{
    struct made_report made = make_large();
    struct report *report REPORT_OWNED = opened(&made);

    for (size_t n_shares = 1; n_shares <= 8; n_shares++) {
        struct report_segments segments SW__CLEANUP(segments_clear) = { .segments = NULL };

        ck_assert_int_eq(segments_cut(report, &everything, NULL, n_shares, &segments), REPORT_OK);
        ck_assert_uint_eq(segments.n_shares, n_shares);
        for (size_t i = 0; i < segments.n_segments; i++) {
            const struct report_segment *segment = &segments.segments[i], *next = segment + 1;
            ck_assert_uint_lt(segment->share, n_shares);
            ck_assert_int_eq(segment->has_since, i + 1 < segments.n_segments && next->thread == segment->thread);
            if (!segment->has_since)
                continue;
            ck_assert_int_eq(next->has_until, 1);
            ck_assert_uint_eq(next->until.chunk, segment->since.chunk);
            ck_assert_uint_eq(next->until.n_slots, segment->since.n_slots);
            ck_assert_uint_eq(next->share, segment->share + 1);
            ck_assert_uint_ne(segment->thread->number, 1); /* where nothing is outermost */
        }
    }
}
END_TEST

CHECK_MAIN("report/shares", several_processors_show_what_one_shows,
           threads_that_cannot_be_created_do_not_change_what_is_shown, of_several_damages_the_same_is_told,
           segments_are_whole_and_about_equal)
