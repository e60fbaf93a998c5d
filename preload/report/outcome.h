/*
 * Outcomes: how a call of the reader ended. The sentence that goes with one
 * that is not OK is in sw_error_message().
 */
#ifndef REPORT_OUTCOME_H
#define REPORT_OUTCOME_H

#include <strideweave/status.h>

enum report_outcome {
#define REPORT_OUTCOME(enumerator, exit_status, name) REPORT_##enumerator = exit_status,
#include "report/outcome.def"
#undef REPORT_OUTCOME
};

/** Record a sentence and give the outcome: return report_fail(REPORT_DAMAGED, "..."). */
#define report_fail(outcome, ...) ((void)sw_error_set(SW_VALUE_ERROR, __VA_ARGS__), (outcome))

/** Return the outcome of a call that did not end well. */
#define REPORT_TRY(call)                               \
    do {                                               \
        enum report_outcome report_outcome_ = (call);  \
        if (report_outcome_ != REPORT_OK)              \
            return report_outcome_;                    \
    } while (0)

/** The outcome of a call of the library that has recorded its own sentence. */
static inline enum report_outcome report_status(enum sw_status status)
{
    return status == SW_OK ? REPORT_OK : REPORT_SYSTEM;
}

#endif
