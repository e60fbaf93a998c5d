/*
 * The names that the rows of an event list refer to: each text, class, list of
 * shapes and stack once. Shared by a list and the averages made of it.
 */
#ifndef ANALYZE_EVENT_NAMES_H
#define ANALYZE_EVENT_NAMES_H

#include <strideweave/event_list.h>

#include "analyze/index_table.h"

/** The classes of one dispatch, as rows show them. address NULL and serial 0: none. */
struct sw__event_classes {
    struct sw_class_snapshot carrier;
    struct sw_class_snapshot implementation;
};

struct sw__event_names {
    uint32_t n_refs;
    struct sw__analyze_names names;     /* of the arrays below */
    struct sw__analyze_dispatch *dispatches;
    struct sw__event_classes **classes; /* one per dispatch; rows that were given out point to it */
    struct sw__analyze_shapes *shapes;
    struct sw_input_shapes **trees;     /* one per shape list; likewise */
    struct sw__analyze_stack *stacks;
    char **texts;
    size_t n_texts;
    struct sw__index_table dispatch_table, shape_table, stack_table, text_table;
};

SW_NODISCARD enum sw_status sw__event_names_new(struct sw__event_names **ret_names);
struct sw__event_names *sw__event_names_ref(struct sw__event_names *names);
/** Give back a reference. NULL is accepted. */
void sw__event_names_unref(struct sw__event_names *names);

/*
 * The index of what an event has, which is copied at first sight. Classes,
 * shapes and stacks may be NULL or empty: the texts of such classes are "", and
 * the index of such shapes and stacks is SW__ANALYZE_NONE.
 */
SW_NODISCARD enum sw_status sw__event_names_dispatch(struct sw__event_names *names, const char *name,
                                                     const struct sw_class_snapshot *carrier,
                                                     const struct sw_class_snapshot *implementation,
                                                     uint32_t *ret_index);
SW_NODISCARD enum sw_status sw__event_names_shapes(struct sw__event_names *names, const struct sw_input_shapes *shapes,
                                                   uint32_t *ret_index);
SW_NODISCARD enum sw_status sw__event_names_stack(struct sw__event_names *names, const char *const *entries,
                                                  size_t n_entries, uint32_t *ret_index);

SW__DEFINE_CLEANUP(event_names, struct sw__event_names, sw__event_names_unref)
#define SW__OWNED_EVENT_NAMES SW__CLEANUP(sw__cleanup_event_names)

#endif
