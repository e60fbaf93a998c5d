/*
 * Flows of reports made by hand: who the producer is, whose event is missing,
 * what is damaged. Counted by hand.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* memfd_create */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_main.h"
#include "report/collect.h"
#include "report/export.h"
#include "report/flows.h"
#include "report/run_steps.h"

#include "open_made.h"

/* A report whose operations are written together with what they took and made. */
struct scene {
    struct made_report made;
    uint32_t dispatch;
    size_t events[2]; /* chunks, by thread */
    size_t notes[2];
};

/* Recorded in two rounds, or in one from the beginning to the end. */
static struct scene begin_in_rounds(uint64_t first_end, uint64_t second_begin)
{
    struct scene scene = { .made = make_report() };

    scene.dispatch = make_dispatch(&scene.made, "add", "Generic", 1);
    make_session(&scene.made, 1000, first_end, "");
    if (second_begin != 0)
        make_session(&scene.made, second_begin, 11000, "");
    for (uint32_t i = 0; i < 2; i++) {
        make_thread(&scene.made, i, 100 + i, 1000, 11000);
        scene.events[i] = make_chunk(&scene.made, i, 0, 1);
        scene.notes[i] = make_note_chunk(&scene.made, i, 0);
    }
    return scene;
}

static struct scene begin(void)
{
    return begin_in_rounds(11000, 0);
}

static void note(struct scene *scene, uint32_t thread, uint8_t kind, uint64_t start, uint16_t depth, uint64_t storage,
                 uint64_t extra)
{
    make_note(&scene->made, scene->notes[thread],
              &(struct swprof_note){ .start = start, .value = storage, .extra = extra, .depth = depth, .kind = kind });
}

/* From @start to @end: takes a storage and makes one; 0: none. */
static void notes_of(struct scene *scene, uint32_t thread, uint64_t start, uint64_t end, uint16_t depth, uint64_t takes,
                     uint64_t makes)
{
    if (takes != 0)
        note(scene, thread, SWPROF_NOTE_INPUT, start, depth, takes, 0);
    if (makes != 0)
        note(scene, thread, SWPROF_NOTE_OUTPUT, start, depth, makes, end);
}

static void operation(struct scene *scene, uint32_t thread, uint64_t start, uint64_t end, uint16_t depth,
                      uint64_t takes, uint64_t makes)
{
    make_event(&scene->made, scene->events[thread], start, end - start, scene->dispatch, depth,
               SWPROF_EVENT_SUCCEEDED, 0);
    notes_of(scene, thread, start, end, depth, takes, makes);
}

static enum sw_status see(void *context, const struct sw__analyze_event *event, uint32_t serial)
{
    (void)serial;
    flows_see(context, event);
    return SW_OK;
}

static enum sw_status print(void *context, const struct flow *flow)
{
    char *text = context;
    size_t used = strlen(text);

    ck_assert_uint_lt(used, 900);
    sprintf(text + used, "%" PRIu64 ">%" PRIu64 " ", flow->from->start_ticks, flow->to->start_ticks);
    return SW_OK;
}

/* "2000>3000 ": the starts of both ends of each flow. */
static void expect(struct scene *scene, const struct report_filter *filter, const char *expected)
{
    static const struct report_filter everything = { .thread = NULL };
    struct report *report REPORT_OWNED = opened(&scene->made);
    struct flows flows REPORT_OWNED_FLOWS = { .operations = NULL };
    struct report_totals totals;
    char text[1024] = "";

    ck_assert_int_eq(flows_read(report, &flows), REPORT_OK);
    ck_assert_int_eq(report_each_event(report, filter != NULL ? filter : &everything, see, &flows, &totals), REPORT_OK);
    ck_assert_int_eq(flows_each(&flows, print, text), SW_OK);
    ck_assert_str_eq(text, expected);
}

START_TEST(the_latest_that_ended_before_is_the_producer)
{
    struct scene scene = begin();

    operation(&scene, 0, 2000, 2500, 0, 0, 7);
    operation(&scene, 0, 3000, 3500, 0, 7, 7); /* a view: made again */
    operation(&scene, 0, 4000, 4500, 0, 7, 8);
    operation(&scene, 0, 5000, 5500, 0, 9, 0); /* nobody made that */
    expect(&scene, NULL, "2000>3000 3000>4000 ");
}
END_TEST

START_TEST(threads_are_joined_by_time)
{
    struct scene scene = begin();

    operation(&scene, 0, 2000, 6000, 0, 0, 7); /* ends while the other runs */
    operation(&scene, 1, 1500, 1900, 0, 0, 7);
    operation(&scene, 1, 3000, 3500, 0, 7, 0);
    operation(&scene, 0, 7000, 7500, 0, 7, 0);
    expect(&scene, NULL, "2000>7000 1500>3000 ");
}
END_TEST

/* Their parent ends later with the same result, and so is what was last. */
START_TEST(operations_inside_of_others_have_their_own)
{
    struct scene scene = begin();

    operation(&scene, 0, 1500, 1600, 0, 0, 1);
    operation(&scene, 0, 2100, 2200, 1, 1, 2);
    operation(&scene, 0, 2300, 2400, 1, 2, 3);
    operation(&scene, 0, 2000, 2500, 0, 1, 3);
    operation(&scene, 0, 3000, 3500, 0, 3, 0);
    expect(&scene, NULL, "1500>2100 2100>2300 1500>2000 2000>3000 ");
}
END_TEST

START_TEST(an_operation_has_no_producer_in_itself)
{
    struct scene scene = begin();

    operation(&scene, 0, 2000, 2000, 1, 0, 7); /* of no time at all, inside of what takes its result */
    operation(&scene, 0, 2000, 2500, 0, 7, 7);
    operation(&scene, 0, 3000, 3000, 0, 7, 7);
    expect(&scene, NULL, "2000>3000 ");
}
END_TEST

START_TEST(what_an_operation_made_inside_of_itself_hides_nothing_older)
{
    struct scene scene = begin();

    operation(&scene, 0, 1500, 1600, 0, 0, 7);
    operation(&scene, 0, 2000, 2000, 2, 0, 7);
    operation(&scene, 0, 2000, 2000, 1, 0, 7);
    operation(&scene, 0, 2000, 2500, 0, 7, 0);
    expect(&scene, NULL, "1500>2000 ");
}
END_TEST

/* Between rounds nobody looks, and what is taken may have been made there. */
START_TEST(nothing_is_joined_across_a_gap_between_rounds)
{
    struct scene scene = begin_in_rounds(4000, 6000);

    operation(&scene, 0, 2000, 2500, 0, 0, 7);
    operation(&scene, 0, 3000, 3500, 0, 7, 0);
    operation(&scene, 1, 3600, 6500, 0, 7, 0); /* began when all was known */
    operation(&scene, 0, 5000, 6500, 0, 7, 0); /* began when nobody looked */
    operation(&scene, 0, 7000, 7500, 0, 7, 7);
    operation(&scene, 0, 8000, 8500, 0, 7, 0);
    expect(&scene, NULL, "2000>3000 7000>8000 2000>3600 ");
}
END_TEST

START_TEST(what_ends_in_the_tick_of_a_beginning_is_before_it)
{
    struct scene scene = begin();

    operation(&scene, 0, 2000, 2500, 0, 0, 7);
    operation(&scene, 0, 2500, 3000, 0, 7, 0);
    operation(&scene, 1, 2500, 3000, 0, 7, 0);
    expect(&scene, NULL, "2000>2500 2000>2500 ");
}
END_TEST

/* Not the next older one: that did not make what was taken. */
START_TEST(a_producer_without_an_event_is_none)
{
    struct scene scene = begin();

    operation(&scene, 0, 2000, 2500, 0, 0, 7);
    notes_of(&scene, 0, 3000, 3500, 0, 7, 7);
    operation(&scene, 0, 4000, 4500, 0, 7, 7);
    operation(&scene, 0, 5000, 5500, 0, 7, 7);
    expect(&scene, NULL, "4000>5000 ");
}
END_TEST

START_TEST(what_is_left_out_is_no_end)
{
    struct scene scene = begin();
    uint32_t other = make_dispatch(&scene.made, "mul", "CPU", 2);
    const struct report_filter filter = { .carriers = "Generic" };

    operation(&scene, 0, 2000, 2500, 0, 0, 7);
    make_event(&scene.made, scene.events[0], 3000, 500, other, 0, SWPROF_EVENT_SUCCEEDED, 0);
    notes_of(&scene, 0, 3000, 3500, 0, 7, 8);
    operation(&scene, 0, 4000, 4500, 0, 8, 9);
    operation(&scene, 0, 5000, 5500, 0, 9, 0);
    expect(&scene, &filter, "4000>5000 ");
}
END_TEST

/* A report is not believed: ends before starts, everything in one tick, one operation over and over. */
START_TEST(contradictions_make_no_flow_that_runs_backwards)
{
    struct scene scene = begin();

    operation(&scene, 0, 5000, 6000, 0, 0, 1);
    note(&scene, 0, SWPROF_NOTE_OUTPUT, 5000, 0, 2, 4000); /* ends before it began */
    operation(&scene, 1, 4500, 4600, 0, 2, 0);
    for (uint64_t i = 0; i < 20; i++) {
        note(&scene, 0, SWPROF_NOTE_INPUT, 5000, 0, 1, UINT64_MAX);
        note(&scene, 0, SWPROF_NOTE_OUTPUT, 5000, 0, UINT64_MAX, UINT64_MAX);
    }
    expect(&scene, NULL, "");
}
END_TEST

/* Each would else be written with all that they took. */
START_TEST(events_that_cannot_be_told_apart_are_written_with_their_inputs_once)
{
    static const struct report_filter everything = { .thread = NULL };
    struct scene scene = begin();
    struct export_written written;
    size_t n_bytes = 0, n_inputs = 0, n_lines = 0;
    char *text = NULL;

    for (int i = 0; i < 20; i++)
        make_event(&scene.made, scene.events[0], 2000, 500, scene.dispatch, 0, SWPROF_EVENT_SUCCEEDED, 0);
    for (int i = 0; i < 30; i++)
        notes_of(&scene, 0, 2000, 2500, 0, 77, 0);
    struct report *report REPORT_OWNED = opened(&scene.made);
    FILE *stream = open_memstream(&text, &n_bytes);
    ck_assert_int_eq(export_write(report, &everything, export_find("runtime"), 0, NULL, stream, &written), REPORT_OK);
    fclose(stream);
    for (const char *at = text; (at = strstr(at, "storage:77")) != NULL; at++)
        n_inputs++;
    for (const char *at = text; (at = strstr(at, "\"operation\"")) != NULL; at++)
        n_lines++;
    free(text);
    ck_assert_uint_eq(n_lines, 20);
    ck_assert_uint_eq(n_inputs, 30);
}
END_TEST

START_TEST(names_tell_libraries_apart)
{
    char name[FLOWS_NAME_BYTES];

    flows_name(7, name);
    ck_assert_str_eq(name, "storage:7");
    flows_name(UINT64_C(1) << 48 | 7, name);
    ck_assert_str_eq(name, "storage:1:7");
    flows_name(UINT64_MAX, name);
    ck_assert_str_eq(name, "storage:65535:281474976710655");
}
END_TEST

static void interval(struct scene *scene, uint8_t kind, uint64_t start, uint64_t end, const char *name, uint64_t extra)
{
    make_note(&scene->made, scene->notes[0],
              &(struct swprof_note){ .start = start, .value = end - start, .extra = extra, .kind = kind,
                                     .name = name != NULL ? make_string(&scene->made, name, strlen(name)) : 0 });
}

START_TEST(steps_are_found_by_time_and_one_phase_by_its_name)
{
    struct scene scene = begin();

    interval(&scene, SWPROF_NOTE_PHASE, 1000, 5000, "Training", 0);
    interval(&scene, SWPROF_NOTE_STEP, 4000, 5000, NULL, 8);
    interval(&scene, SWPROF_NOTE_STEP, 2000, 3000, NULL, 7);
    struct report *report REPORT_OWNED = opened(&scene.made);
    struct run_steps steps REPORT_OWNED_RUN_STEPS = { .steps = NULL };
    ck_assert_int_eq(run_steps_read(report, &steps), REPORT_OK);
    ck_assert_str_eq(steps.phase, "train");
    ck_assert_ptr_null(run_steps_at(&steps, 1999));
    ck_assert_uint_eq(run_steps_at(&steps, 2000)->number, 7);
    ck_assert_ptr_null(run_steps_at(&steps, 3000));
    ck_assert_uint_eq(run_steps_at(&steps, 4999)->number, 8);
    ck_assert_ptr_null(run_steps_at(&steps, 5000));
}
END_TEST

START_TEST(several_phases_are_none)
{
    struct scene scene = begin();

    interval(&scene, SWPROF_NOTE_PHASE, 1000, 5000, "train", 0);
    interval(&scene, SWPROF_NOTE_PHASE, 6000, 7000, "eval", 0);
    interval(&scene, SWPROF_NOTE_PHASE, 8000, 9000, "eval", 0);
    struct report *report REPORT_OWNED = opened(&scene.made);
    struct run_steps steps REPORT_OWNED_RUN_STEPS = { .steps = NULL };
    ck_assert_int_eq(run_steps_read(report, &steps), REPORT_OK);
    ck_assert_ptr_null(steps.phase);
    ck_assert_ptr_null(run_steps_at(&steps, 2000));
}
END_TEST

CHECK_MAIN("flows", the_latest_that_ended_before_is_the_producer,
           threads_are_joined_by_time,
           operations_inside_of_others_have_their_own,
           an_operation_has_no_producer_in_itself,
           what_an_operation_made_inside_of_itself_hides_nothing_older,
           nothing_is_joined_across_a_gap_between_rounds,
           what_ends_in_the_tick_of_a_beginning_is_before_it,
           a_producer_without_an_event_is_none,
           what_is_left_out_is_no_end,
           contradictions_make_no_flow_that_runs_backwards,
           events_that_cannot_be_told_apart_are_written_with_their_inputs_once,
           names_tell_libraries_apart,
           steps_are_found_by_time_and_one_phase_by_its_name,
           several_phases_are_none)
