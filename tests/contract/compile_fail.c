/*
 * Mistakes that the compiler must refuse, one per number; 0 has none of them.
 */
#include <strideweave/strideweave.h>

enum sw_status mistakes(struct sw_tensor *a, struct sw_tensor *b, struct sw_tensor **out);
enum sw_status construct(const struct sw_class_snapshot *type, struct sw_profiler_event **event,
                         struct sw_profiler_aggregate **aggregate);

/* Every value of an event and of an aggregate has to be given. */
enum sw_status construct(const struct sw_class_snapshot *type, struct sw_profiler_event **event,
                         struct sw_profiler_aggregate **aggregate)
{
#if MISTAKE == 8 /* an event without a thread */
    return sw_profiler_event_new(0, NULL, "add", type, type, NULL, 10, 5, 5, 1, event);
#elif MISTAKE == 9 /* an aggregate without a maximum */
    return sw_profiler_aggregate_new("add", type, NULL, 2, 10, 10, 5.0, 5, aggregate);
#endif
    enum sw_status status = sw_profiler_event_new(0, NULL, "add", type, type, NULL, 10, 5, 5, 7, 1, event);

    return status != SW_OK ? status : sw_profiler_aggregate_new("add", type, NULL, 2, 10, 10, 5.0, 5, 5, aggregate);
}

enum sw_status mistakes(struct sw_tensor *a, struct sw_tensor *b, struct sw_tensor **out)
{
    struct sw_cpu_options options = SW_CPU_OPTIONS_INIT;
    struct sw_execution_options execution = SW_EXECUTION_OPTIONS_INIT("matmul");

    options.immutable = 1;
#if MISTAKE == 1 /* an operand too few */
    return sw_add(a, out);
#elif MISTAKE == 2 /* an operand too many */
    return sw_add(a, b, b, out);
#elif MISTAKE == 3 /* an option that does not exist, by assignment */
    options.colour = 1;
#elif MISTAKE == 4 /* and by initialisation */
    struct sw_generic_options unknown = { .colour = 1 };
    (void)unknown;
#elif MISTAKE == 5 /* objects are opaque */
    return a->offset == 0 ? SW_OK : SW_VALUE_ERROR;
#elif MISTAKE == 6 /* an operand record is not a tensor */
    return sw_neg(sw_operand_tensor(a), out);
#elif MISTAKE == 7 /* options are passed by address */
    return sw_matmul(a, b, execution, out);
#endif
    (void)options;
    return sw_matmul(a, b, &execution, out);
}
