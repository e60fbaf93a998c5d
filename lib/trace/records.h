/*
 * The records of runtime traces (candle-graph/runtime/1 to 3), and how each is
 * written: members in the order of the format, what is absent left out.
 */
#ifndef TRACE_RECORDS_H
#define TRACE_RECORDS_H

#include "analyze/builder.h"

#define SW__TRACE_SCHEMA "candle-graph/runtime/3"

/** A number that may be absent. */
struct sw__trace_count {
    uint64_t value;
    int is_there;
};
#define SW__TRACE_COUNT(number) ((struct sw__trace_count){ (number), 1 })

/** Texts that may be absent are NULL. */
struct sw__trace_run {
    const char *schema;
    const char *entrypoint;
    const char *profile;
    const char *const *features;
    size_t n_features;
    const char *const *cfg;
    size_t n_cfg;
    const char *analysis_id;
    const char *build_id;
    const char *phase;
};

struct sw__trace_operation {
    const char *event_id;
    const char *op;
    const char *static_id;
    const char *source;
    const char *const *inputs;
    size_t n_inputs;
    const char *output;
    struct sw__trace_count step;
    struct sw__trace_count duration_ns;
};

struct sw__trace_edge {
    const char *event_id;
    const char *from;
    const char *to;
    uint64_t duration_ns;
    struct sw__trace_count step;
};

struct sw__trace_tensor {
    const char *event_id;
    const char *static_id;
    const char *source;
    struct sw__trace_count step;
    const uint64_t *shape;
    size_t rank;
    const char *dtype;
    const char *device;
    int is_contiguous;
    int requires_grad;
    const char *storage_id;
};

struct sw__trace_gradient {
    const char *event_id;
    const char *root;
    const char *key;
    int state; /* enum sw_trace_gradient_state */
    struct sw__trace_count step;
    double norm;
    int has_norm;
};

struct sw__trace_value {
    const char *event_id;
    const char *static_id;
    const char *source;
    struct sw__trace_count step;
    double min;
    double max;
    double abs_max;
    uint64_t n_nonfinite;
    uint64_t n_saturated;
};

/** Where a record stands: a line of a stream has its kind, a member of a document has its array. */
enum sw__trace_form {
    SW__TRACE_LINE = 0,  /* {"kind":...}\n */
    SW__TRACE_MEMBER = 1 /* {...} */
};

SW_NODISCARD enum sw_status sw__trace_put_run(struct sw__builder *text, const struct sw__trace_run *run,
                                              enum sw__trace_form form);
SW_NODISCARD enum sw_status sw__trace_put_operation(struct sw__builder *text,
                                                    const struct sw__trace_operation *operation,
                                                    enum sw__trace_form form);
SW_NODISCARD enum sw_status sw__trace_put_edge(struct sw__builder *text, const struct sw__trace_edge *edge,
                                               enum sw__trace_form form);
SW_NODISCARD enum sw_status sw__trace_put_tensor(struct sw__builder *text, const struct sw__trace_tensor *tensor,
                                                 enum sw__trace_form form);
SW_NODISCARD enum sw_status sw__trace_put_gradient(struct sw__builder *text,
                                                   const struct sw__trace_gradient *gradient,
                                                   enum sw__trace_form form);
SW_NODISCARD enum sw_status sw__trace_put_value(struct sw__builder *text, const struct sw__trace_value *value,
                                                enum sw__trace_form form);

/** "present", "missing", "zero" or "non_finite"; NULL for another number. */
const char *sw__trace_state_name(int state);
/** The number of a name; -1 for none. */
int sw__trace_state_find(const char *name);
/** What is wrong with a gradient's norm; NULL when nothing is. */
const char *sw__trace_gradient_fault(const struct sw__trace_gradient *gradient);

#endif
