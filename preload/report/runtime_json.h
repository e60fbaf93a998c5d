/*
 * JSON values with all numbers of 64 bits without a sign, which the parser does
 * not have by itself.
 */
#ifndef REPORT_RUNTIME_JSON_H
#define REPORT_RUNTIME_JSON_H

#ifdef HAVE_JANSSON

#include <jansson.h>
#include <stdint.h>

/** The value that the text is; NULL, with a sentence in @error, when it is none. */
json_t *runtime_json_load(const char *bytes, size_t n_bytes, json_error_t *error);
/** A text, which has no NUL; NULL for what is none. */
const char *runtime_json_text(const json_t *json);
/** A whole number from 0; 0 for what is none. */
int runtime_json_count(const json_t *json, uint64_t *ret_count);
/** A number; 0 for what is none. */
int runtime_json_real(const json_t *json, double *ret_real);

#endif

#endif
