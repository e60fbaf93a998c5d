/*
 * Random Chrome traces: make_trace SEED [FAULT] writes a good one, or one that a
 * fault was planted in; make_trace --many N FOLDER writes those of the seeds 1 to N
 * there; make_trace --faults lists "FAULT RULE", the rule being
 * the one that is broken. Nothing of the reader is used.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_EVENTS 4096

struct event {
    char phase[8]; /* "" leaves it out */
    const char *category;
    const char *name; /* NULL: none */
    int pid, tid;     /* -1: none */
    int64_t ts, dur;  /* ns */
    const char *raw_ts, *raw_dur; /* instead of the numbers; "": none */
    int id, parent;   /* 0: none */
    int64_t self;
    int up;           /* the event around it; -1: none */
    int link;         /* id of a flow or an asynchronous slice */
    int correlation;
    const char *args; /* instead of what follows from the others */
    int is_gone;
};

static struct event events[MOST_EVENTS];
static int n_events;
static uint64_t state;
static int next_id = 1;

static uint64_t any(uint64_t n)
{
    uint64_t z = (state += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (z ^ z >> 31) % n;
}

static struct event *add(const char *phase, const char *category, const char *name, int pid, int tid, int64_t ts)
{
    struct event *event = &events[n_events++];

    *event = (struct event){ .category = category, .name = name, .pid = pid, .tid = tid, .ts = ts, .up = -1 };
    strcpy(event->phase, phase);
    return event;
}

/* A slice and what is inside of it. */
static void grow(int pid, int tid, int64_t ts, int64_t dur, int up, int depth)
{
    static const char *const names[] = { "matmul", "add", "relu", "conv", "quote\\\"d" };
    int me = n_events;
    struct event *event = add("X", "cpu_op", names[any(5)], pid, tid, ts);
    int64_t at = ts, end = ts + dur;

    event->dur = event->self = dur;
    event->id = next_id++;
    event->up = up;
    event->parent = up >= 0 ? events[up].id : 0;
    while (depth < 4 && any(3) != 0 && end - at > 200) {
        int64_t gap = (int64_t)any((uint64_t)(end - at) / 4 + 1);
        int64_t child = 100 + (int64_t)any((uint64_t)(end - at) / 3 + 1);
        if (at + gap + child > end)
            break;
        grow(pid, tid, at + gap, child, me, depth + 1);
        events[me].self -= child;
        at += gap + child;
    }
}

static void make_good(void)
{
    int n_processes = 1 + (int)any(2), link = 1;

    for (int pid = 100; pid < 100 + n_processes; pid++) {
        for (int tid = 1; tid <= 3; tid++) {
            int64_t at = (int64_t)any(1000);
            for (int i = 0; i < 12; i++) {
                int64_t dur = 2000 + (int64_t)any(20000);
                grow(pid, tid, at, dur, -1, i < 2 ? 0 : (int)any(3));
                at += dur + (any(4) == 0 ? 0 : (int64_t)any(500)); /* neighbours may touch */
            }
        }
        struct event *begin = NULL;
        for (int i = 0; i < 5; i++) {
            add("B", "user", "outer", pid, 9, i * 1000);
            add("B", "user", "inner", pid, 9, i * 1000 + 100);
            add("E", "user", "inner", pid, 9, i * 1000 + 400);
            add("E", "user", NULL, pid, 9, i * 1000 + 900);
            begin = add("b", "session", "round", pid, 0, i * 50);
            begin->link = 1000 + pid * 10 + i;
            add("e", "session", "round", pid, 0, i * 50 + 4000)->link = begin->link;
            add("C", "memory", "bytes", pid, 0, i * 700)->args = "{\"allocated\":4096,\"peak\":8192.5}";
            add("i", "user", "mark", pid, 9, i * 700);
        }
        int64_t at = 0;
        for (int i = 0; i < 8; i++) { /* launches and kernels of a stream, touching or apart */
            int64_t dur = 100 + (int64_t)any(3000);
            add("X", "cuda_runtime", "launch", pid, 20, at)->dur = 50;
            events[n_events - 1].correlation = pid * 100 + i + 1;
            at += 50 + (int64_t)any(40);
            add("X", i % 4 == 3 ? "gpu_memcpy" : "kernel", "gemm", pid, 30, at)->dur = dur;
            events[n_events - 1].correlation = pid * 100 + i + 1;
            at += dur;
        }
    }
    int n_slices = n_events;
    for (int i = 0; i < 6; i++) { /* flows between slices of operations */
        const struct event *from = &events[any((uint64_t)n_slices)], *to = &events[any((uint64_t)n_slices)];
        if (from->id == 0 || to->id == 0 || from->ts + from->dur / 2 > to->ts + to->dur / 2)
            continue;
        add("s", "flow", "tensor", from->pid, from->tid, from->ts + from->dur / 2)->link = link;
        add("f", "flow", "tensor", to->pid, to->tid, to->ts + to->dur / 2)->link = link++;
    }
}

/* The first event that fits, from a random place on. */
typedef int fits(const struct event *event);

static struct event *find(fits *fit)
{
    int from = (int)any((uint64_t)n_events);

    for (int i = 0; i < n_events; i++)
        if (fit(&events[(from + i) % n_events]))
            return &events[(from + i) % n_events];
    abort();
}

static int is_operation(const struct event *event)
{
    return event->id != 0;
}

static int is_child(const struct event *event)
{
    return event->up >= 0;
}

static int is_grandchild(const struct event *event)
{
    return event->up >= 0 && events[event->up].up >= 0;
}

static int is_kernel(const struct event *event)
{
    return strcmp(event->category, "kernel") == 0;
}

static int is_counter(const struct event *event)
{
    return event->phase[0] == 'C';
}

static int is_inner_begin(const struct event *event)
{
    return event->phase[0] == 'B' && strcmp(event->name, "inner") == 0;
}

static int is_inner_end(const struct event *event)
{
    return event->phase[0] == 'E' && event->name != NULL;
}

static int is_last_end(const struct event *event)
{
    return event->phase[0] == 'E' && event->name == NULL && event->ts == 4900;
}

static int is_asynchronous_begin(const struct event *event)
{
    return event->phase[0] == 'b';
}

static int is_asynchronous_end(const struct event *event)
{
    return event->phase[0] == 'e';
}

static struct event *add_flow(const char *phase, const struct event *slice, int64_t ts)
{
    struct event *flow = add(phase, "flow", "planted", slice->pid, slice->tid, ts);

    flow->link = 77777;
    return flow;
}

/* ---- Faults: each is planted in one place ------------------------------------------------------- */

static void cross_parent(void)
{
    struct event *event = find(is_child);
    struct event *around = &events[event->up];

    event->ts = around->ts + around->dur - event->dur / 2 - 1;
}

static void cross_neighbour(void)
{
    struct event *event = find(is_operation);
    struct event *planted = add("X", "cpu_op", "planted", event->pid, event->tid, event->ts - 1);

    planted->dur = 1 + event->dur / 2;
}

static void negative_duration(void) { find(is_operation)->raw_dur = "-1"; }
static void text_for_time(void) { find(is_operation)->raw_ts = "\"12\""; }
static void no_duration(void) { find(is_operation)->raw_dur = ""; }
static void no_time(void) { find(is_counter)->raw_ts = ""; }
static void flag_for_time(void) { find(is_operation)->raw_ts = "true"; }
static void endless_time(void) { find(is_operation)->raw_ts = "1e300"; }
static void no_name(void) { find(is_operation)->name = NULL; }
static void wrong_phase(void) { strcpy(find(is_operation)->phase, "x"); }
static void long_phase(void) { strcpy(find(is_operation)->phase, "XX"); }
static void no_phase(void) { find(is_operation)->phase[0] = '\0'; }
static void no_process(void) { find(is_operation)->pid = -1; }
static void no_thread(void) { find(is_operation)->tid = -1; }

static void same_id(void)
{
    struct event *event = find(is_child);

    event->id = events[event->up].id;
}

static void unknown_parent(void) { find(is_child)->parent = 999999; }
static void grandparent(void)
{
    struct event *event = find(is_grandchild);

    event->parent = events[event->up].parent;
}
static void no_parent(void) { find(is_child)->parent = 0; }
static void child_of_nothing(void)
{
    struct event *event = find(is_child);

    events[event->up].parent = event->id;
}
static void self_too_long(void) { find(is_operation)->self += 1000; }
static void self_too_short(void) { find(is_child)->self -= 50; }
static void self_endless(void) { find(is_child)->self = INT64_MAX; }
static void endless_slice(void)
{
    struct event *event = find(is_operation);

    event->raw_ts = event->raw_dur = "8e15";
}
static void self_negative(void) { find(is_operation)->self = -5; }
static void beginning_alone(void) { find(is_inner_end)->is_gone = find(is_last_end)->is_gone = 1; }
static void end_alone(void) { find(is_inner_begin)->is_gone = 1; }
static void end_of_another(void) { find(is_inner_end)->name = "other"; }
static void asynchronous_beginning_alone(void) { find(is_asynchronous_end)->is_gone = 1; }
static void asynchronous_end_alone(void) { find(is_asynchronous_begin)->is_gone = 1; }
static void asynchronous_backwards(void) { find(is_asynchronous_end)->ts = -5; }
static void flow_without_end(void)
{
    const struct event *event = find(is_operation);

    add_flow("s", event, event->ts);
}
static void flow_without_beginning(void)
{
    const struct event *event = find(is_operation);

    add_flow("f", event, event->ts);
}
static void flow_backwards(void)
{
    const struct event *event = find(is_operation);

    add_flow("f", event, event->ts);
    add_flow("s", event, event->ts + event->dur);
}
static void flow_from_nowhere(void)
{
    const struct event *event = find(is_operation);

    add_flow("s", event, -100);
    add_flow("f", event, event->ts + 1);
}
static void text_in_counter(void) { find(is_counter)->args = "{\"allocated\":\"many\"}"; }
static void empty_counter(void) { find(is_counter)->args = "{}"; }
static void kernels_overlap(void)
{
    const struct event *event = find(is_kernel);

    add("X", "kernel", "planted", event->pid, event->tid, event->ts + 1)->dur = 10;
}
static void kernel_of_no_time(void) { find(is_kernel)->dur = 0; }
static void kernel_of_hours(void)
{
    const struct event *event = find(is_kernel);

    add("X", "kernel", "planted", event->pid, 31, event->ts)->dur = INT64_C(3600000000000);
}
static void kernel_before_launch(void)
{
    const struct event *event = find(is_kernel);
    struct event *planted = add("X", "kernel", "planted", event->pid, 31, -1000);

    planted->dur = 10;
    planted->correlation = event->correlation;
}

static const struct {
    const char *name;
    const char *rule;
    void (*plant)(void);
} faults[] = {
    { "cross-parent", "overlap", cross_parent },
    { "cross-neighbour", "overlap", cross_neighbour },
    { "negative-duration", "time", negative_duration },
    { "text-for-time", "time", text_for_time },
    { "no-duration", "time", no_duration },
    { "no-time", "time", no_time },
    { "flag-for-time", "time", flag_for_time },
    { "endless-time", "time", endless_time },
    { "no-name", "event", no_name },
    { "wrong-phase", "event", wrong_phase },
    { "long-phase", "event", long_phase },
    { "no-phase", "event", no_phase },
    { "no-process", "lane", no_process },
    { "no-thread", "lane", no_thread },
    { "same-id", "id", same_id },
    { "unknown-parent", "parent", unknown_parent },
    { "grandparent", "parent", grandparent },
    { "no-parent", "parent", no_parent },
    { "child-of-nothing", "parent", child_of_nothing },
    { "self-too-long", "self", self_too_long },
    { "self-too-short", "self", self_too_short },
    { "self-endless", "self", self_endless },
    { "endless-slice", "time", endless_slice },
    { "self-negative", "self", self_negative },
    { "beginning-alone", "pair", beginning_alone },
    { "end-alone", "pair", end_alone },
    { "end-of-another", "pair", end_of_another },
    { "asynchronous-beginning-alone", "pair", asynchronous_beginning_alone },
    { "asynchronous-end-alone", "pair", asynchronous_end_alone },
    { "asynchronous-backwards", "pair", asynchronous_backwards },
    { "flow-without-end", "flow", flow_without_end },
    { "flow-without-beginning", "flow", flow_without_beginning },
    { "flow-backwards", "flow", flow_backwards },
    { "flow-from-nowhere", "flow", flow_from_nowhere },
    { "text-in-counter", "counter", text_in_counter },
    { "empty-counter", "counter", empty_counter },
    { "kernels-overlap", "device", kernels_overlap },
    { "kernel-of-no-time", "device", kernel_of_no_time },
    { "kernel-of-hours", "device", kernel_of_hours },
    { "kernel-before-launch", "cause", kernel_before_launch },
};
#define N_FAULTS (sizeof faults / sizeof *faults)

/* ---- Text --------------------------------------------------------------------------------------- */

static void put_time(const char *key, int64_t ns, const char *raw)
{
    if (raw == NULL)
        printf(",\"%s\":%s%" PRId64 ".%03" PRId64, key, ns < 0 ? "-" : "", (ns < 0 ? -ns : ns) / 1000,
               (ns < 0 ? -ns : ns) % 1000);
    else if (raw[0] != '\0')
        printf(",\"%s\":%s", key, raw);
}

static void put_arguments(const struct event *event)
{
    if (event->args != NULL)
        printf(",\"args\":%s", event->args);
    else if (event->correlation != 0)
        printf(",\"args\":{\"correlation\":%d}", event->correlation);
    else if (event->id != 0 && event->parent != 0)
        printf(",\"args\":{\"External id\":%d,\"Parent id\":%d,\"self_ns\":%" PRId64 "}", event->id, event->parent,
               event->self);
    else if (event->id != 0)
        printf(",\"args\":{\"External id\":%d,\"self_ns\":%" PRId64 "}", event->id, event->self);
}

static void put_event(const struct event *event)
{
    printf("{\"cat\":\"%s\"", event->category);
    if (event->phase[0] != '\0')
        printf(",\"ph\":\"%s\"", event->phase);
    if (event->name != NULL)
        printf(",\"name\":\"%s\"", event->name);
    if (event->pid >= 0)
        printf(",\"pid\":%d", event->pid);
    if (event->tid >= 0)
        printf(",\"tid\":%d", event->tid);
    put_time("ts", event->ts, event->raw_ts);
    if (event->phase[0] == 'X' || event->raw_dur != NULL)
        put_time("dur", event->dur, event->raw_dur);
    if (event->link != 0)
        printf(",\"id\":%d", event->link);
    if (event->phase[0] == 'f')
        printf(",\"bp\":\"e\"");
    put_arguments(event);
    printf("}");
}

/* In a random order: a trace need not be sorted. Of one thread's beginnings and ends equal times keep theirs. */
static void put_all(void)
{
    static int order[MOST_EVENTS];
    const char *between = "";

    for (int i = 0; i < n_events; i++)
        order[i] = i;
    for (int i = n_events - 1; i > 0; i--) {
        int other = (int)any((uint64_t)i + 1), held = order[i];
        order[i] = order[other];
        order[other] = held;
    }
    printf("{\"otherData\":{\"lost_events\":0},\"traceEvents\":[");
    for (int i = 0; i < n_events; i++) {
        if (events[order[i]].is_gone)
            continue;
        printf("%s\n", between);
        put_event(&events[order[i]]);
        between = ",";
    }
    printf("\n]}\n");
}

static void make(uint64_t seed, const char *fault)
{
    n_events = 0;
    next_id = 1;
    state = seed * 7919;
    make_good();
    for (size_t i = 0; fault != NULL && i < N_FAULTS; i++)
        if (strcmp(faults[i].name, fault) == 0)
            faults[i].plant();
    put_all();
}

static int make_many(int n, const char *folder)
{
    char path[4096];

    for (int seed = 1; seed <= n; seed++) {
        snprintf(path, sizeof path, "%s/%d.json", folder, seed);
        if (freopen(path, "w", stdout) == NULL)
            return 1;
        make((uint64_t)seed, NULL);
    }
    return 0;
}

int main(int n_arguments, char **arguments)
{
    if (n_arguments == 4 && strcmp(arguments[1], "--many") == 0)
        return make_many(atoi(arguments[2]), arguments[3]);
    if (n_arguments == 2 && strcmp(arguments[1], "--faults") == 0) {
        for (size_t i = 0; i < N_FAULTS; i++)
            printf("%s %s\n", faults[i].name, faults[i].rule);
        return 0;
    }
    if (n_arguments < 2)
        return 2;
    make(strtoull(arguments[1], NULL, 10), n_arguments > 2 ? arguments[2] : NULL);
    return 0;
}
