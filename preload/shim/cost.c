/*
 * The hooks record for a stand-in of the thread, with a chunk in private memory: always events, whatever the thread
 * itself does, so that what adding up or a full ring takes more is not in it. The least of a few short rounds counts:
 * what it says is true of operations that follow one another, others find the caches colder.
 */
#include "config.h"

#include "shim/cost.h"

#include "shim/hooks.h"
#include "shim/memory.h"
#include "shim/thread.h"

#define N_ROUNDS 4
#define N_OPERATIONS 32
#define N_FRAMES 2
/* With flows: operations that take more than most lose the rest of their notes. */
#define N_NOTES (16 * N_OPERATIONS)

/* All that the hooks write. */
struct dummy {
    struct thread thread;
    struct swprof_thread report;
    struct swprof_frame frames[N_FRAMES];
    struct swprof_block chunk;
    struct swprof_event events[2 * N_OPERATIONS]; /* with call stacks each takes two */
    uint32_t stacks[N_FRAMES];
    struct flow_input inputs[FLOWS_MOST_OPEN];
    struct swprof_block note_chunk;
    struct swprof_note notes[N_NOTES];
};

/* Room for notes of flows, and never any other: that would be in the report. */
static void prepare_flows(struct dummy *dummy)
{
    struct notes *notes = &dummy->thread.notes;

    dummy->thread.flows.inputs = dummy->inputs;
    notes->chunk = &dummy->note_chunk;
    notes->limit = dummy->notes + N_NOTES;
    notes->n_chunks = UINT32_MAX;
    notes->refused = 1 + SWPROF_LOST_FULL;
}

static void prepare(struct dummy *dummy, const struct thread *thread, const struct sw_hook_compute *call)
{
    struct thread *copy = &dummy->thread;

    copy->ready = 1;
    copy->token = thread->token;
    copy->usual_library = copy->library = call->library;
    copy->ids = thread->ids;
    copy->capture = thread->capture;
    copy->tid = thread->tid;
    copy->number = thread->number;
    copy->frames.sink = thread->frames.sink;
    copy->frames.outer = dummy->frames;
    copy->frames.n_outer = N_FRAMES;
    copy->report = &dummy->report;
    copy->chunk = &dummy->chunk;
    copy->limit = dummy->events + 2 * N_OPERATIONS;
    copy->stacks.frames = thread->stacks.frames;
    copy->stacks.references = thread->stacks.frames != NULL ? dummy->stacks : NULL;
    prepare_flows(dummy);
}

/* What takes the place of a result, which is not there yet. */
static const struct sw_tensor *first_tensor(const struct sw_hook_compute *call)
{
    const struct sw_tensor *tensor = NULL;

    for (uint32_t i = 0; i < call->n_operands && tensor == NULL; i++)
        tensor = sw_hook_operand_tensor(call, i);
    return tensor;
}

/* As a library calls the hooks, with its default hook not wanted. */
static __attribute__((noinline)) void pass(const struct sw_hook_compute *like, const struct sw_tensor *result)
{
    struct sw_hook_compute call = {
        .struct_bytes = sizeof call,
        .library = like->library,
        .dispatch = like->dispatch,
        .operands = like->operands,
        .n_operands = like->n_operands,
        .operand_bytes = like->operand_bytes,
    };

    own_compute_enter(&call);
    call.flags |= SW_HOOK_SUCCEEDED;
    call.result = result;
    own_compute_exit(&call);
}

/* What an event of one slot lasted. */
static uint64_t narrow(const struct swprof_event *event)
{
    uint64_t duration = event->word & SWPROF_EVENT_WIDE_DURATION;

    return duration == SWPROF_EVENT_WIDE_DURATION ? 0 : duration;
}

/* Ticks of a round, and in its operations. */
struct round {
    uint64_t all;
    uint64_t inside;
    int n_events;
};

static struct round run(struct dummy *dummy, const struct sw_hook_compute *call)
{
    const struct sw_tensor *result = first_tensor(call);
    struct round round = {0, 0, 0};
    uint64_t begin;

    dummy->thread.cursor = dummy->events;
    dummy->thread.notes.cursor = dummy->notes;
    begin = thread_now();
    for (int i = 0; i < N_OPERATIONS; i++)
        pass(call, result);
    round.all = thread_now() - begin;
    for (const struct swprof_event *event = dummy->events; event < dummy->thread.cursor; event++) {
        const int is_extension = (event->flags & SWPROF_EVENT_EXTENSION) != 0;
        round.inside += is_extension ? event->start : narrow(event);
        round.n_events += !is_extension;
    }
    return round;
}

static void store(struct swprof_header *header, const struct round *best)
{
    uint64_t inside = (best->inside + N_OPERATIONS / 2) / N_OPERATIONS;
    uint64_t all = (best->all + N_OPERATIONS / 2) / N_OPERATIONS;

    __atomic_store_n(&header->cost_outside, all > inside ? all - inside : 0, __ATOMIC_RELAXED);
    __atomic_store_n(&header->cost_inside, inside, __ATOMIC_RELAXED);
}

void cost_measure(const struct thread *thread, const struct sw_hook_compute *call)
{
    struct dummy *dummy = memory_reserve(sizeof *dummy);
    struct thread *self = thread_self;
    struct round best = {UINT64_MAX, 0, 0};

    if (dummy == NULL)
        return;
    prepare(dummy, thread, call);
    thread_self = &dummy->thread;
    for (int i = 0; i < N_ROUNDS; i++) {
        struct round round = run(dummy, call);

        /* Whose every operation has become an event. */
        if (round.n_events == N_OPERATIONS && round.all < best.all)
            best = round;
    }
    thread_self = self;
    if (best.all != UINT64_MAX)
        store(thread->capture->report.header, &best);
    memory_release(dummy, sizeof *dummy);
}
