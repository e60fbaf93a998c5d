/*
 * Storage of operands and results, from the boundary to the notes.
 */
#include "config.h"

#include "shim/flows.h"

#include "record/at_load.h"
#include "shim/memory.h"
#include "shim/storage.h"
#include "shim/thread.h"

SW__AT_LOAD void flows_load(void)
{
    /* A summary has no operations that notes could be of. */
    if (shim.settings.flows && shim.settings.policy != SWPROF_POLICY_SUMMARY)
        shim.ways |= SHIM_FLOWS;
}

void flows_start(struct thread_flows *flows)
{
    if ((shim_ways() & SHIM_FLOWS) != 0 && flows->inputs == NULL)
        flows->inputs = memory_reserve(FLOWS_MOST_OPEN * sizeof *flows->inputs);
    flows->n_inputs = 0;
}

static int knows_storage(const struct sw_hook_compute *call)
{
    return SW_HOOK_HAS(call->library, struct sw_hook_library, storage_number) && call->library->storage_number != NULL;
}

static uint64_t storage_of(const struct sw_hook_compute *call, const struct sw_tensor *tensor)
{
    uint64_t number = call->library->storage_number(tensor);

    return number != 0 ? storage_key(call->library, number) : 0;
}

static void keep(struct thread *thread, uint64_t storage, uint32_t position, uint32_t depth)
{
    struct thread_flows *flows = &thread->flows;

    if (flows->inputs == NULL || flows->n_inputs == FLOWS_MOST_OPEN) {
        notes_lose(thread);
        return;
    }
    flows->inputs[flows->n_inputs++] = (struct flow_input){storage, position, depth};
}

/* What is left of operations whose ends went unnoticed. */
static void forget(struct thread_flows *flows, uint32_t depth)
{
    while (flows->n_inputs > 0 && flows->inputs[flows->n_inputs - 1].depth >= depth)
        flows->n_inputs--;
}

void flows_enter(struct thread *thread, const struct sw_hook_compute *call, uint32_t depth)
{
    forget(&thread->flows, depth);
    if (!knows_storage(call))
        return;
    for (uint32_t i = 0; i < call->n_operands; i++) {
        const struct sw_tensor *tensor = sw_hook_operand_tensor(call, i);
        uint64_t storage = tensor != NULL ? storage_of(call, tensor) : 0;

        if (storage != 0)
            keep(thread, storage, i, depth);
    }
}

void flows_leave(struct thread *thread, const struct sw_hook_compute *call)
{
    thread->flows.result = 0;
    if ((call->flags & SW_HOOK_SUCCEEDED) != 0 && SW_HOOK_HAS(call, struct sw_hook_compute, result) &&
        call->result != NULL && knows_storage(call))
        thread->flows.result = storage_of(call, call->result);
}

static void put(struct thread *thread, const struct swprof_note *note)
{
    struct swprof_note *slot = notes_room(thread);

    if (slot == NULL)
        return;
    *slot = *note;
    notes_put(thread, slot);
}

void flows_put(struct thread *thread, const struct swprof_frame *frame, uint32_t depth, uint64_t end)
{
    struct thread_flows *flows = &thread->flows;
    struct swprof_note note = {.start = frame->start, .kind = SWPROF_NOTE_INPUT, .depth = (uint16_t)depth};
    uint64_t result = flows->result;
    uint32_t first;

    flows->result = 0;
    forget(flows, depth + 1);
    for (first = flows->n_inputs; first > 0 && flows->inputs[first - 1].depth == depth; first--)
        ;
    /* Operations that are only added up from here on, or that were left before the clock was read, are no events. */
    for (uint32_t i = first; i < flows->n_inputs && thread->mode != THREAD_AGGREGATES && note.start != 0; i++) {
        note.value = flows->inputs[i].storage;
        note.extra = flows->inputs[i].position;
        put(thread, &note);
    }
    flows->n_inputs = first;
    /* Of those added up as well: who takes what they made would else seem to have it from an older one. */
    if (result == 0)
        return;
    note.kind = SWPROF_NOTE_OUTPUT;
    note.value = result;
    note.extra = end;
    put(thread, &note);
}
