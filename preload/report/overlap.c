/*
 * Treatments of overlaps, as trace analyzers offer them. A slice conflicts when
 * it begins inside of one that is still open and does not end inside of it.
 */
#include "config.h"

#include "report/overlap.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[N_OVERLAP_MODES] = {
#define OVERLAP_MODE(enumerator, name, treat, done) [OVERLAP_##enumerator] = name,
#include "report/overlap_mode.def"
#undef OVERLAP_MODE
};

int overlap_mode_find(const char *name, enum overlap_mode *ret_mode)
{
    for (int mode = OVERLAP_FAULT + 1; mode < N_OVERLAP_MODES; mode++) {
        if (strcmp(names[mode], name) == 0) {
            *ret_mode = (enum overlap_mode)mode;
            return 1;
        }
    }
    return 0;
}

#ifdef HAVE_JANSSON

#include "base/alloc.h"

/* Passes after which what is shifted is left to the check: a slice that begins later may overlap another. */
#define MOST_PASSES 8

/* Slices of one thread that are open and nested, outermost first: their ends decrease. */
struct open_slices {
    struct trace_event **events; /* room for all */
    size_t n_events;
};

struct treatment {
    struct check *check;
    struct trace *trace;
    struct trace_event **slices; /* by thread, beginning and length */
    size_t n_slices;
    struct open_slices lanes[1 + OVERLAP_MOST_LANES]; /* of the thread, and those beside it */
    json_int_t threads[OVERLAP_MOST_LANES]; /* their numbers; 0: not used yet */
    json_t *list;                /* of the document's events */
    json_t *added;               /* events that come to it */
    unsigned char *is_dropped;   /* per event of the document */
    json_int_t largest_tid;
    size_t n_ids;
    size_t n_treated;
};

static void treatment_clear(struct treatment *treatment)
{
    for (size_t i = 0; i < 1 + OVERLAP_MOST_LANES; i++)
        sw__free(treatment->lanes[i].events);
    sw__free(treatment->slices);
    sw__free(treatment->is_dropped);
    json_decref(treatment->added);
}

/* ---- Conflicts --------------------------------------------------------------------------------------- */

/* By thread, then by beginning, the longest first. */
static int by_extent(const void *a, const void *b)
{
    const struct trace_event *left = *(const struct trace_event *const *)a;
    const struct trace_event *right = *(const struct trace_event *const *)b;

    if (left->lane != right->lane)
        return left->lane < right->lane ? -1 : 1;
    if (left->begin_ns != right->begin_ns)
        return left->begin_ns < right->begin_ns ? -1 : 1;
    if (left->end_ns != right->end_ns)
        return left->end_ns > right->end_ns ? -1 : 1;
    return left->index < right->index ? -1 : 1;
}

static void close_ended(struct open_slices *open, int64_t now_ns)
{
    while (open->n_events > 0 && open->events[open->n_events - 1]->end_ns <= now_ns)
        open->n_events--;
}

/* The outermost open slice that ends inside of a slice; NULL when the slice is apart from all, or nested. */
static const struct trace_event *find_conflict(const struct treatment *treatment, const struct open_slices *open,
                                               const struct trace_event *slice)
{
    int64_t slack_ns = treatment->trace->slack_ns;
    size_t low = 0, high = open->n_events;

    while (low < high) { /* those from @high on end before the slice does */
        size_t middle = low + (high - low) / 2;
        if (open->events[middle]->end_ns + slack_ns < slice->end_ns)
            high = middle;
        else
            low = middle + 1;
    }
    /* What ends no later than a rounding after the beginning has ended. */
    if (high == open->n_events || open->events[high]->end_ns <= slice->begin_ns + slack_ns)
        return NULL;
    return open->events[high];
}

/* ---- Treatments: 1 when the slice is no fault any more, 0 when it stays one, -1 without memory ------------ */

typedef int treat_slice(struct treatment *treatment, struct trace_event *slice, const struct trace_event *other);

static int put_member(json_t *object, const char *key, json_t *value)
{
    return object != NULL && json_object_set_new(object, key, value) == 0;
}

/* The number of a thread beside the one that is looked at: above all of the file. */
static int name_lane(struct treatment *treatment, size_t lane, const struct trace_event *slice)
{
    json_t *pid = json_object_get(slice->json, "pid");

    if (treatment->threads[lane] != 0)
        return 1;
    treatment->threads[lane] = ++treatment->largest_tid;
    json_t *name = json_pack("{s:s, s:s, s:O*, s:I, s:{s:s}}", "ph", "M", "name", "thread_name", "pid", pid, "tid",
                             treatment->largest_tid, "args", "name", "overlapping");
    return name != NULL && json_array_append_new(treatment->added, name) == 0;
}

static int treat_tid(struct treatment *treatment, struct trace_event *slice, const struct trace_event *other)
{
    (void)other;
    for (size_t i = 0; i < OVERLAP_MOST_LANES; i++) {
        struct open_slices *lane = &treatment->lanes[1 + i];
        close_ended(lane, slice->begin_ns);
        if (find_conflict(treatment, lane, slice) != NULL)
            continue;
        if (!name_lane(treatment, i, slice) ||
            !put_member(slice->json, "tid", json_integer(treatment->threads[i])))
            return -1;
        lane->events[lane->n_events++] = slice;
        return 1;
    }
    return 0;
}

static int treat_drop(struct treatment *treatment, struct trace_event *slice, const struct trace_event *other)
{
    (void)other;
    treatment->is_dropped[slice->index] = 1;
    return 1;
}

/* A beginning and an end that are joined by an id of their own. */
static int treat_async(struct treatment *treatment, struct trace_event *slice, const struct trace_event *other)
{
    const char *category = slice->category[0] != '\0' ? slice->category : "overlap";
    json_t *end = json_pack("{s:s, s:s, s:s, s:O*, s:O*}", "ph", "e", "name", slice->name, "cat", category, "pid",
                            json_object_get(slice->json, "pid"), "tid", json_object_get(slice->json, "tid"));
    char id[48];

    (void)other;
    snprintf(id, sizeof id, "overlap-%zu", ++treatment->n_ids);
    if (end == NULL || json_array_append_new(treatment->added, end) != 0 ||
        !put_member(end, "ts", json_real((double)slice->end_ns / 1000)) || !put_member(end, "id", json_string(id)) ||
        !put_member(slice->json, "cat", json_string(category)) || !put_member(slice->json, "id", json_string(id)) ||
        !put_member(slice->json, "ph", json_string("b")))
        return -1;
    return json_object_del(slice->json, "dur") == 0 ? 1 : -1;
}

/* The check finds it, as a note. */
static int treat_warn(struct treatment *treatment, struct trace_event *slice, const struct trace_event *other)
{
    (void)treatment;
    (void)slice;
    (void)other;
    return 0;
}

/* The times as they were, once: a slice may be shifted again. */
static int keep_times(const struct trace_event *slice)
{
    json_t *arguments = json_object_get(slice->json, "args");

    if (!json_is_object(arguments)) {
        arguments = json_object();
        if (!put_member(slice->json, "args", arguments))
            return 0;
    }
    return json_object_get(arguments, "orig_ts") != NULL ||
           (json_object_set(arguments, "orig_ts", json_object_get(slice->json, "ts")) == 0 &&
            json_object_set(arguments, "orig_dur", json_object_get(slice->json, "dur")) == 0);
}

/* Behind what it overlaps, by 1.5 ns rounded up; its end stays, so that nothing behind it has to move. */
static int treat_shift(struct treatment *treatment, struct trace_event *slice, const struct trace_event *other)
{
    int64_t begin_ns = other->end_ns + 2;

    (void)treatment;
    if (begin_ns - slice->begin_ns > OVERLAP_MOST_SHIFT_NS || begin_ns > slice->end_ns)
        return 0;
    slice->begin_ns = begin_ns;
    return keep_times(slice) && put_member(slice->json, "ts", json_real((double)begin_ns / 1000)) &&
                   put_member(slice->json, "dur", json_real((double)(slice->end_ns - begin_ns) / 1000))
               ? 1
               : -1;
}

static const struct {
    treat_slice *treat;
    const char *done;
} modes[N_OVERLAP_MODES] = {
#define OVERLAP_MODE(enumerator, name, treat, done) [OVERLAP_##enumerator] = { treat, done },
#include "report/overlap_mode.def"
#undef OVERLAP_MODE
};

/* ---- The pass ---------------------------------------------------------------------------------------------- */

static enum report_outcome collect(struct treatment *treatment)
{
    struct trace *trace = treatment->trace;
    size_t n_pointers = trace->n_events + 1;

    treatment->list = json_is_array(trace->document) ? trace->document : json_object_get(trace->document, "traceEvents");
    treatment->added = json_array();
    treatment->slices = sw__alloc(n_pointers * sizeof *treatment->slices);
    treatment->is_dropped = sw__alloc_zero(json_array_size(treatment->list) + 1);
    if (treatment->added == NULL || treatment->slices == NULL || treatment->is_dropped == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < 1 + OVERLAP_MOST_LANES; i++) {
        treatment->lanes[i].events = sw__alloc(n_pointers * sizeof *treatment->lanes[i].events);
        if (treatment->lanes[i].events == NULL)
            return REPORT_SYSTEM;
    }
    for (size_t i = 0; i < trace->n_events; i++) {
        json_int_t tid = json_integer_value(json_object_get(trace->events[i].json, "tid"));
        if (tid > treatment->largest_tid && tid < INT32_MAX)
            treatment->largest_tid = tid;
        if (trace->events[i].phase == 'X' && trace_is_host(&trace->events[i]))
            treatment->slices[treatment->n_slices++] = &trace->events[i];
    }
    return REPORT_OK;
}

static void begin_thread(struct treatment *treatment)
{
    for (size_t i = 0; i < 1 + OVERLAP_MOST_LANES; i++)
        treatment->lanes[i].n_events = 0;
    memset(treatment->threads, 0, sizeof treatment->threads);
}

/* One slice: it is nested or apart, or is treated, or stays a fault. */
static enum report_outcome pass_slice(struct treatment *treatment, struct trace_event *slice, enum overlap_mode mode)
{
    struct open_slices *open = &treatment->lanes[0];

    close_ended(open, slice->begin_ns);
    const struct trace_event *other = find_conflict(treatment, open, slice);
    if (other == NULL) {
        open->events[open->n_events++] = slice;
        return REPORT_OK;
    }
    int treated = modes[mode].treat(treatment, slice, other);
    if (treated > 0)
        check_find(treatment->check, CHECK_TREATED, slice->index, "%s overlaps %s, which began before it: %s",
                   slice->name, other->name, modes[mode].done);
    treatment->n_treated += treated > 0;
    return treated < 0 ? REPORT_SYSTEM : REPORT_OK;
}

static enum report_outcome pass(struct treatment *treatment, enum overlap_mode mode)
{
    treatment->n_treated = 0;
    if (treatment->n_slices > 1)
        qsort(treatment->slices, treatment->n_slices, sizeof *treatment->slices, by_extent);
    for (size_t i = 0; i < treatment->n_slices; i++) {
        if (i == 0 || treatment->slices[i]->lane != treatment->slices[i - 1]->lane)
            begin_thread(treatment);
        REPORT_TRY(pass_slice(treatment, treatment->slices[i], mode));
    }
    return REPORT_OK;
}

/* The document's list: without what was dropped, and with what came up. */
static enum report_outcome rebuild(struct treatment *treatment)
{
    json_t *kept = json_array();
    int failed = kept == NULL;

    for (size_t i = 0; !failed && i < json_array_size(treatment->list); i++)
        if (!treatment->is_dropped[i])
            failed = json_array_append(kept, json_array_get(treatment->list, i)) != 0;
    failed = failed || json_array_extend(kept, treatment->added) != 0 || json_array_clear(treatment->list) != 0 ||
             json_array_extend(treatment->list, kept) != 0;
    json_decref(kept);
    return failed ? REPORT_SYSTEM : REPORT_OK;
}

enum report_outcome overlap_treat(struct check *check, struct trace *trace, enum overlap_mode mode)
{
    struct treatment treatment SW__CLEANUP(treatment_clear) = { .check = check, .trace = trace };

    if (modes[mode].treat == NULL || trace->n_events == 0)
        return REPORT_OK;
    REPORT_TRY(collect(&treatment));
    for (int i = 0; i < (mode == OVERLAP_SHIFT ? MOST_PASSES : 1); i++) {
        REPORT_TRY(pass(&treatment, mode));
        if (treatment.n_treated == 0)
            break;
    }
    return rebuild(&treatment);
}

#endif
