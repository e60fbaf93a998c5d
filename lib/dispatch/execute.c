/*
 * The execution of an operation. Start reading here: one call is five steps,
 * and step 4 is the computation boundary, the unit of everything that a
 * profile shows.
 */
#include "config.h"

#include "base/hooks.h"
#include "base/range.h"
#include "dispatch/operation.h"
#include "dispatch/recording.h"
#include "tensor/tensor.h"

__thread struct sw__thread sw__thread;

uint64_t sw_boundary_count(void)
{
    return sw__thread.n_boundaries;
}

/** One execution, as its parts pass it on. */
struct execution {
    struct sw_operation *operation;
    const struct sw_operand *operands;
    size_t n_operands;
    const struct sw_execution_options *options;
};

/* The computation, and the check that it produced a tensor. */
static enum sw_status compute(const struct execution *execution, struct sw_tensor **ret_tensor)
{
    struct sw_tensor *result = NULL;
    enum sw_status status = execution->operation->operation_class->compute(
        execution->operation, execution->operands, execution->n_operands, execution->options, &result);

    if (__builtin_expect(status != SW_OK, 0))
        return status;
    if (__builtin_expect(!sw__is_tensor(result), 0))
        return sw_error_set(SW_TYPE_ERROR, "operation class %s returned something that is not a tensor",
                            execution->operation->operation_class->head.qualified_name);
    *ret_tensor = result;
    return SW_OK;
}

#if SW_ENABLE_PROFILING
/* A cleanup, so that the boundary also ends when an exception or a cancellation leaves the computation. */
static void call_exit_hook(struct sw_hook_compute *call)
{
    sw__hooks.compute_exit(call);
}

static __attribute__((noinline)) enum sw_status compute_between_hooks(const struct execution *execution,
                                                                      struct sw_tensor **ret_tensor)
{
    struct sw_hook_compute call SW__CLEANUP(call_exit_hook) = {
        .struct_bytes = sizeof call,
        .flags = sw__thread.session != NULL ? SW_HOOK_DEFAULT_WANTED : 0,
        .library = &sw__hook_library,
        .dispatch = execution->operation->dispatch,
        .operands = execution->operands,
        .n_operands = (uint32_t)execution->n_operands,
        .operand_bytes = sizeof *execution->operands,
    };

    sw__hooks.compute_enter(&call);
    enum sw_status status = compute(execution, ret_tensor);
    if (status == SW_OK) {
        call.flags |= SW_HOOK_SUCCEEDED;
        call.result = *ret_tensor;
    }
    return status;
}

static inline int is_observed(void)
{
    return sw__hook_is_wanted(SW_HOOK_WANT_COMPUTE) || sw__thread.session != NULL;
}
#else
static inline int is_observed(void)
{
    return 0;
}

static enum sw_status compute_between_hooks(const struct execution *execution, struct sw_tensor **ret_tensor)
{
    return compute(execution, ret_tensor);
}
#endif

/* The computation boundary. An operation that was not dispatched crosses none. */
static enum sw_status cross_boundary(const struct execution *execution, struct sw_tensor **ret_tensor)
{
    struct sw__range range __attribute__((cleanup(sw__range_end)));
    sw__range_begin(&range, SW_HOST_RANGE_OPERATOR_INVOKE);

    if (execution->operation->dispatch == NULL)
        return compute(execution, ret_tensor);
    sw__thread.n_boundaries++;
    if (__builtin_expect(is_observed(), 0))
        return compute_between_hooks(execution, ret_tensor);
    return compute(execution, ret_tensor);
}

static enum sw_status check(const struct execution *execution)
{
    struct sw__range range __attribute__((cleanup(sw__range_end)));
    sw__range_begin(&range, SW_HOST_RANGE_OPERATOR_PREFLIGHT);

    SW__TRY(sw__operation_check(execution->operation));
    SW__TRY(sw__options_check(execution->operation, execution->options));
    SW__TRY(sw__preflight(execution->operation, execution->operands, execution->n_operands));
    return sw__use(execution->operation);
}

enum sw_status sw_operation_forward_lowered(struct sw_operation *operation, const struct sw_operand *operands,
                                            size_t n_operands, const struct sw_execution_options *options,
                                            struct sw_tensor **ret_tensor)
{
    const struct execution execution = {operation, operands, n_operands, options};

    SW__TRY(check(&execution));
    return cross_boundary(&execution, ret_tensor);
}

enum sw_status sw_operation_forward(struct sw_operation *operation, const struct sw_operand *operands,
                                    size_t n_operands, const struct sw_execution_options *options,
                                    struct sw_tensor **ret_tensor)
{
    struct sw__range range __attribute__((cleanup(sw__range_end)));
    sw__range_begin(&range, SW_HOST_RANGE_OPERATOR_CALL);

    if (__builtin_expect(__atomic_load_n(&sw__is_differentiating, __ATOMIC_RELAXED), 0))
        return sw__forward_recording(operation, operands, n_operands, options, ret_tensor);
    return sw_operation_forward_lowered(operation, operands, n_operands, options, ret_tensor);
}
