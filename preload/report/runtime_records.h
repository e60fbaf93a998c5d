/*
 * From JSON objects to records of a trace.
 */
#ifndef REPORT_RUNTIME_RECORDS_H
#define REPORT_RUNTIME_RECORDS_H

#include "report/runtime_fields.h"

#ifdef HAVE_JANSSON

/** DAMAGED with a sentence: where, and what is wrong with what was written there. */
enum report_outcome runtime_fail(const struct runtime_trace *trace, const struct runtime_place *place,
                                 const char *format, ...) SW_PRINTF(3, 4);
/** The same for what does not have the form of a record. */
enum report_outcome runtime_fail_parse(const struct runtime_trace *trace, const struct runtime_place *place,
                                       const char *format, ...) SW_PRINTF(3, 4);

/** Take the run's metadata; @schema as it stands beside it. */
SW_NODISCARD enum report_outcome runtime_take_run(struct runtime_trace *trace, const struct runtime_place *place,
                                                  const json_t *object, const json_t *schema);
/** Take one line of a stream, whatever its kind. */
SW_NODISCARD enum report_outcome runtime_take_line(struct runtime_trace *trace, const struct runtime_place *place,
                                                   const json_t *object);
/** Take the arrays of a document. */
SW_NODISCARD enum report_outcome runtime_take_arrays(struct runtime_trace *trace, const json_t *document);

#endif

#endif
