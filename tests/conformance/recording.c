/*
 * What the library's own Profiler saw of a stretch of the driver, in the form
 * of a case's "events".
 */
#include "config.h"

#include <stdio.h>

#include "conformance.h"

enum sw_status recording_begin(struct trial *trial, struct sw_profiler **ret_profiler)
{
    struct sw_profiler_options options = SW_PROFILER_OPTIONS_INIT;
    struct sw_profiler *profiler = NULL;
    enum sw_status status;

    options.record_shapes = 1;
    TRY(sw_profiler_new(&options, &profiler));
    profiler = trial_profiler(trial, profiler);
    status = sw_profiler_enter(profiler);
    if (status == SW_NOT_IMPLEMENTED_ERROR)
        trial_skip(trial, "the library was built without profiling");
    if (status == SW_OK)
        *ret_profiler = profiler;
    return status;
}

static json_t *show_shapes(const struct sw_input_shapes *shapes)
{
    json_t *list = json_array();

    for (size_t i = 0; shapes != NULL && i < shapes->n_inputs; i++)
        json_array_append_new(list, shapes->shapes[i] != NULL ? show_tree(shapes->shapes[i]) : json_null());
    return list;
}

static json_t *show_event(const struct sw_profiler_event *event)
{
    json_t *parent = event->has_parent ? json_integer((json_int_t)event->parent_id) : json_null();

    return json_pack("{s:I,s:o,s:s,s:s,s:b,s:o}", "id", (json_int_t)event->id, "parent", parent, "name", event->name,
                     "carrier", event->carrier_type->qualified_name, "ok", (int)event->succeeded, "shapes",
                     show_shapes(event->input_shapes));
}

enum sw_status recording_end(struct trial *trial, struct sw_profiler *profiler, json_t **ret_events)
{
    const struct sw_profiler_event *events = NULL;
    json_t *list = trial_json(trial, json_array());
    size_t n = 0;

    TRY(sw_profiler_exit(profiler));
    TRY(sw_profiler_events(profiler, &events, &n));
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, show_event(&events[i]));
    *ret_events = list;
    return SW_OK;
}
