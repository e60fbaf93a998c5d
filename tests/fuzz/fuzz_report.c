/*
 * A file that may be a report, through everything that the reader makes of
 * one. Besides: no allocation is far larger than the file.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* memfd_create */

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "report/copy.h"
#include "report/events_view.h"
#include "report/ranges_view.h"
#include "report/stack_names.h"
#include "report/table_view.h"
#include "report/tally.h"
#include "report/torch_view.h"
#include "target.h"

/* Buffers that the reader always has, for instance of pieces of a thread's events. */
#define FIXED_BYTES ((size_t)1 << 20)

struct file {
    int descriptor;
    char path[48];
};

static void make_file(struct file *file)
{
    if (file->path[0] != '\0')
        return;
    file->descriptor = memfd_create("fuzz", MFD_CLOEXEC);
    if (file->descriptor < 0)
        abort();
    snprintf(file->path, sizeof file->path, "/proc/self/fd/%d", file->descriptor);
}

static void fill(const struct file *file, const uint8_t *data, size_t n_bytes)
{
    if (ftruncate(file->descriptor, 0) != 0 || ftruncate(file->descriptor, (off_t)n_bytes) != 0 ||
        pwrite(file->descriptor, data, n_bytes, 0) != (ssize_t)n_bytes)
        abort();
}

/* One sentence for whoever gave the file. */
static void check_refusal(enum report_outcome outcome)
{
    const char *message = sw_error_message();

    FUZZ_RULE(outcome == REPORT_NOT_A_REPORT || outcome == REPORT_NEWER || outcome == REPORT_DAMAGED,
              "outcome %d: %s", (int)outcome, message);
    FUZZ_RULE(message[0] != '\0' && strchr(message, '\n') == NULL, "the sentence '%s'", message);
}

static const struct form {
    enum fuzz_form form;
    write_document *write; /* NULL: the specification's table */
    size_t columns;
} forms[] = {
    { FUZZ_COLOUR_TEXT, format_text, 80 }, { FUZZ_TEXT, format_text, 0 }, { FUZZ_CSV, format_csv, 0 },
    { FUZZ_JSON, format_json, 0 },         { FUZZ_TEXT, NULL, 0 },
};
#define N_FORMS (sizeof forms / sizeof *forms)

static struct screen screen_for(const struct form *form)
{
    return (struct screen){
        .stream = fuzz_stream(form->form),
        .columns = form->columns,
        .has_colour = form->form == FUZZ_COLOUR_TEXT,
        .unit = DISPLAY_AUTO,
    };
}

/* Flags of enum sw__want: every combination, by and by. */
static unsigned wants_of(size_t choice)
{
    return (unsigned)(choice % (2 * SW__WANT_MEMORY));
}

static void print_table(const struct report *report, const struct report_filter *filter, const struct form *form,
                        enum sw__grouping grouping, size_t choice)
{
    struct table_view view = { SW__COLUMN_INPUT_SHAPES, SW__DESCENDING, grouping, SW_NO_LIMIT, wants_of(choice), 1,
                               report->stack_names != NULL };
    struct screen screen = screen_for(form);
    FILE *notes = fuzz_stream(FUZZ_TEXT);
    enum report_outcome outcome = table_view_print(report, filter, &view, &screen, form->write, notes);

    if (outcome != REPORT_OK)
        check_refusal(outcome);
    fclose(screen.stream); /* whole, or nothing was written */
    fclose(notes);
}

static void print_torch(const struct report *report, const struct report_filter *filter, size_t choice)
{
    struct sw_event_table_options options = SW_EVENT_TABLE_OPTIONS_INIT;
    const struct torch_view view = { (enum sw__grouping)(choice % 8), wants_of(choice / 8), choice / 8 % 4, &options };
    struct screen screen = screen_for(&forms[N_FORMS - 1]);
    FILE *notes = fuzz_stream(FUZZ_TEXT);

    options.style = choice / 8 % 2 != 0 ? SW_EVENT_TABLE_TORCH_NEW : SW_EVENT_TABLE_TORCH;
    options.row_limit = SW_NO_LIMIT;
    enum report_outcome outcome = torch_view_print(report, filter, &view, &screen, notes);
    if (outcome != REPORT_OK)
        check_refusal(outcome);
    fclose(screen.stream);
    fclose(notes);
}

static void print_events(const struct report *report, const struct report_filter *filter, const struct form *form,
                         size_t choice)
{
    const struct events_view view = { SW_NO_LIMIT, wants_of(choice) };
    struct screen screen = screen_for(form);
    enum report_outcome outcome = events_view_print(report, filter, &view, &screen, form->write);

    if (outcome != REPORT_OK)
        check_refusal(outcome);
    fclose(screen.stream);
}

static void print_ranges(const struct report *report, const struct report_filter *filter, const struct form *form)
{
    struct screen screen = screen_for(form);
    enum report_outcome outcome = ranges_view_print(report, filter, SW_NO_LIMIT, &screen, form->write);

    if (outcome != REPORT_OK)
        check_refusal(outcome);
    fclose(screen.stream);
}

/* In all forms, or in the one that @choice says. */
static void print_all(const struct report *report, const struct report_filter *filter, size_t choice)
{
    for (size_t i = 0; i < N_FORMS; i++) {
        if (!fuzz_is_thorough && choice % N_FORMS != i)
            continue;
        print_table(report, filter, &forms[i], i % 2 != 0 ? SW__GROUP_BY_SHAPES : SW__GROUP_BY_CARRIER, choice);
        if (forms[i].write == NULL)
            continue;
        print_events(report, filter, &forms[i], choice);
        print_ranges(report, filter, &forms[i]);
    }
    print_torch(report, filter, choice);
}

static enum report_outcome pass_over(void *context, const struct report_note *note)
{
    (void)context;
    FUZZ_RULE(note->start_ticks <= note->end_ticks, "a note that ends before it begins");
    return REPORT_OK;
}

static void read_notes(const struct report *report)
{
    for (size_t i = 0; i < report->n_threads; i++) {
        enum report_outcome outcome = report_each_note(report, &report->threads[i], pass_over, NULL);
        if (outcome != REPORT_OK)
            check_refusal(outcome);
    }
}

/* A copy is a report that shows as much. */
static void check_copy(const struct report *report)
{
    static struct file copied;
    struct report *copy REPORT_OWNED = NULL;

    make_file(&copied);
    fill(&copied, NULL, 0);
    FILE *stream = fdopen(dup(copied.descriptor), "w");
    enum report_outcome outcome = report_copy(report, COPY_LEAVES_HOLES, stream, "copy");
    fclose(stream);
    FUZZ_RULE(outcome == REPORT_OK, "copying: %s", sw_error_message());
    FUZZ_RULE(report_open(copied.path, &copy) == REPORT_OK, "the copy: %s", sw_error_message());
    FUZZ_RULE(copy->n_threads == report->n_threads && copy->names.n_dispatches == report->names.n_dispatches &&
                  copy->n_sessions == report->n_sessions && copy->names.n_shapes == report->names.n_shapes,
              "the copy has less");
}

static void check_tally(struct report *report, const struct report_filter *filter)
{
    struct report_tally *tally REPORT_OWNED_TALLY = NULL;
    struct report_totals first = { 0 }, second = { 0 };

    FUZZ_RULE(tally_new(SW__GROUP_BY_SHAPES, 1, &tally) == REPORT_OK, "a new tally");
    for (int i = 0; i < 2; i++) {
        struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;
        second = first;
        enum report_outcome outcome = tally_update(tally, report, filter, &aggregates, &first);
        if (outcome != REPORT_OK) {
            check_refusal(outcome);
            return;
        }
        FUZZ_RULE(report_refresh(report) == REPORT_OK, "again: %s", sw_error_message());
    }
    FUZZ_RULE(first.n_events == second.n_events && first.self_ns == second.self_ns, "the tally differs");
}

static size_t sum_of(const uint8_t *data, size_t n_bytes)
{
    size_t sum = n_bytes;

    for (size_t i = 0; i < n_bytes; i++)
        sum = sum * 31 + data[i];
    return sum;
}

static void look_at(struct report *report, size_t choice)
{
    const struct report_filter all = { .thread = NULL };
    const struct report_filter part = {
        .thread = report->n_threads > 0 ? &report->threads[0] : NULL,
        .session = report->n_sessions > 0 ? &report->sessions[report->n_sessions - 1] : NULL,
        .carriers = "Generic,strideweave.Evictable,",
    };

    const struct symbols_wanted wanted = { .no_lines = (int)(choice % 2) };

    FUZZ_RULE(report_name_stacks(report, &wanted) == REPORT_OK, "names of frames: %s", sw_error_message());
    print_all(report, &all, choice);
    print_all(report, &part, choice / N_FORMS);
    read_notes(report);
    check_copy(report);
    check_tally(report, &all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    static struct file input;
    struct report *report = NULL;

    make_file(&input);
    fill(&input, data, n_bytes);
    fuzz_limit_memory(2 * n_bytes + FIXED_BYTES, 8 * n_bytes + 4 * FIXED_BYTES);
    enum report_outcome outcome = report_open(input.path, &report);
    if (outcome == REPORT_OK)
        look_at(report, sum_of(data, n_bytes));
    else
        check_refusal(outcome);
    report_close(report);
    fuzz_unlimit_memory();
    return 0;
}
