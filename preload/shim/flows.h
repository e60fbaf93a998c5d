/*
 * Which storage operations take and which their results have (SWPROF_FLOWS):
 * notes behind each operation. That they are wanted takes every boundary off the
 * usual way; who does not ask for them pays nothing.
 *
 * Operands can be looked at when a boundary is entered only, and are noted when it
 * is left: outside of the time that is measured, and with its start known.
 */
#ifndef SHIM_FLOWS_H
#define SHIM_FLOWS_H

#include <strideweave/hooks.h>
#include <swprof/format.h>

struct thread;

/** Tensors that the open operations of a thread may have taken together; more are lost notes. */
#define FLOWS_MOST_OPEN 4096

/** A tensor that an open operation took. */
struct flow_input {
    uint64_t storage;
    uint32_t position;
    uint32_t depth; /* operations around the one that took it */
};

/** What a thread needs for flows. */
struct thread_flows {
    struct flow_input *inputs; /* FLOWS_MOST_OPEN, those of the outermost operation first; NULL: there is no room */
    uint32_t n_inputs;
    uint64_t result;           /* storage of the result of the operation that ends now; 0: none */
};

/** Once, when the shim is loaded. */
void flows_load(void);

/** Make room for a thread's flows, where they are recorded. */
void flows_start(struct thread_flows *flows);

/** Keep what the operation takes that was entered at @depth. */
void flows_enter(struct thread *thread, const struct sw_hook_compute *call, uint32_t depth);

/** The operation that is left has this result. */
void flows_leave(struct thread *thread, const struct sw_hook_compute *call);

/** Append the notes of an operation that has ended at @end; @frame and @depth are its own. */
void flows_put(struct thread *thread, const struct swprof_frame *frame, uint32_t depth, uint64_t end);

#endif
