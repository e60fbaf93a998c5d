/*
 * Members of one record: what is missing or of another type is noted once, and
 * the record is refused for it.
 */
#ifndef REPORT_RUNTIME_FIELDS_H
#define REPORT_RUNTIME_FIELDS_H

#include "report/runtime.h"

#ifdef HAVE_JANSSON

#include "report/runtime_json.h"

struct runtime_fields {
    const json_t *object;
    struct runtime_trace *trace;
    enum report_outcome outcome; /* SYSTEM: no memory */
    char fault[96];              /* "": none so far */
};

/** A kept text that has to be there. */
const char *fields_need_text(struct runtime_fields *fields, const char *key);
/** A kept text; NULL when it is absent or null. */
const char *fields_find_text(struct runtime_fields *fields, const char *key);
/** A number that has to be there; 0 when @is_optional and absent. */
uint64_t fields_count(struct runtime_fields *fields, const char *key, int is_optional);
struct sw__trace_count fields_find_count(struct runtime_fields *fields, const char *key);
double fields_need_real(struct runtime_fields *fields, const char *key);
/** Whether there is one. */
int fields_find_real(struct runtime_fields *fields, const char *key, double *ret_real);
int fields_need_flag(struct runtime_fields *fields, const char *key);
/** Kept texts, none when absent; sw__free() the list. */
const char **fields_texts(struct runtime_fields *fields, const char *key, size_t *ret_n);
/** Numbers that have to be there; sw__free(). */
uint64_t *fields_need_counts(struct runtime_fields *fields, const char *key, size_t *ret_n);
/** Note what is wrong with a member. */
void fields_fault(struct runtime_fields *fields, const char *key, const char *what);

#endif

#endif
