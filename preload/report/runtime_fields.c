/*
 * Members of records, by their types.
 */
#include "config.h"

#include "report/runtime_fields.h"

#ifdef HAVE_JANSSON

#include <stdio.h>

#include "base/alloc.h"

void fields_fault(struct runtime_fields *fields, const char *key, const char *what)
{
    if (fields->fault[0] == '\0')
        snprintf(fields->fault, sizeof fields->fault, "%s %s", key, what);
}

static const char *keep(struct runtime_fields *fields, const char *text)
{
    const char *kept = NULL;

    if (sw__texts_put(&fields->trace->texts, text, &kept, NULL) != SW_OK)
        fields->outcome = REPORT_SYSTEM;
    return kept;
}

/* A member that is there and not null. */
static const json_t *find(struct runtime_fields *fields, const char *key)
{
    const json_t *json = json_object_get(fields->object, key);

    return json_is_null(json) ? NULL : json;
}

static const json_t *need(struct runtime_fields *fields, const char *key)
{
    const json_t *json = json_object_get(fields->object, key);

    if (json == NULL)
        fields_fault(fields, key, "is missing");
    return json;
}

static const char *text_of(struct runtime_fields *fields, const char *key, const json_t *json)
{
    const char *text = runtime_json_text(json);

    if (text == NULL)
        fields_fault(fields, key, "is no text");
    return text != NULL ? keep(fields, text) : NULL;
}

const char *fields_need_text(struct runtime_fields *fields, const char *key)
{
    const json_t *json = need(fields, key);

    return json != NULL ? text_of(fields, key, json) : NULL;
}

const char *fields_find_text(struct runtime_fields *fields, const char *key)
{
    const json_t *json = find(fields, key);

    return json != NULL ? text_of(fields, key, json) : NULL;
}

static uint64_t count_of(struct runtime_fields *fields, const char *key, const json_t *json)
{
    uint64_t count = 0;

    if (!runtime_json_count(json, &count))
        fields_fault(fields, key, "is no whole number from 0 that 64 bits hold");
    return count;
}

uint64_t fields_count(struct runtime_fields *fields, const char *key, int is_optional)
{
    const json_t *json = is_optional ? json_object_get(fields->object, key) : need(fields, key);

    return json != NULL ? count_of(fields, key, json) : 0;
}

struct sw__trace_count fields_find_count(struct runtime_fields *fields, const char *key)
{
    const json_t *json = find(fields, key);

    return json != NULL ? SW__TRACE_COUNT(count_of(fields, key, json)) : (struct sw__trace_count){ 0, 0 };
}

static double real_of(struct runtime_fields *fields, const char *key, const json_t *json)
{
    double real = 0;

    if (!runtime_json_real(json, &real))
        fields_fault(fields, key, "is no number");
    return real;
}

double fields_need_real(struct runtime_fields *fields, const char *key)
{
    const json_t *json = need(fields, key);

    return json != NULL ? real_of(fields, key, json) : 0;
}

int fields_find_real(struct runtime_fields *fields, const char *key, double *ret_real)
{
    const json_t *json = find(fields, key);

    if (json != NULL)
        *ret_real = real_of(fields, key, json);
    return json != NULL;
}

int fields_need_flag(struct runtime_fields *fields, const char *key)
{
    const json_t *json = need(fields, key);

    if (json != NULL && !json_is_boolean(json))
        fields_fault(fields, key, "is neither true nor false");
    return json_is_true(json);
}

/* Memory for the members of a list; NULL when there is none, or no list. */
static void *list_of(struct runtime_fields *fields, const char *key, const json_t *json, size_t each)
{
    void *items = NULL;

    if (!json_is_array(json))
        fields_fault(fields, key, "is no list");
    else if (json_array_size(json) > 0 && (items = sw__alloc(json_array_size(json) * each)) == NULL)
        fields->outcome = REPORT_SYSTEM;
    return items;
}

const char **fields_texts(struct runtime_fields *fields, const char *key, size_t *ret_n)
{
    const json_t *json = json_object_get(fields->object, key);
    const char **texts = json != NULL ? list_of(fields, key, json, sizeof *texts) : NULL;

    *ret_n = texts != NULL ? json_array_size(json) : 0;
    for (size_t i = 0; i < *ret_n; i++)
        texts[i] = text_of(fields, key, json_array_get(json, i));
    return texts;
}

uint64_t *fields_need_counts(struct runtime_fields *fields, const char *key, size_t *ret_n)
{
    const json_t *json = need(fields, key);
    uint64_t *counts = json != NULL ? list_of(fields, key, json, sizeof *counts) : NULL;

    *ret_n = counts != NULL ? json_array_size(json) : 0;
    for (size_t i = 0; i < *ret_n; i++)
        counts[i] = count_of(fields, key, json_array_get(json, i));
    return counts;
}

#endif
