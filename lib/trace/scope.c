/*
 * An operation that is a scope. Whatever fails is passed over: the way out of
 * a scope has nobody to tell.
 */
#include "config.h"

#include <strideweave/trace_session.h>

void sw_trace_scope_begin(struct sw_trace_session *session, const char *static_id, const char *op,
                          const char *const *inputs, size_t n_inputs, struct sw_trace_scope *ret_scope)
{
    ret_scope->session = NULL;
    if (session != NULL && sw_trace_session_begin(session, static_id, op, inputs, n_inputs, &ret_scope->id) == SW_OK)
        ret_scope->session = session;
}

void sw_trace_scope_end(struct sw_trace_scope *scope)
{
    if (scope->session != NULL)
        (void)sw_trace_session_end(scope->session, scope->id.text, NULL, NULL);
    scope->session = NULL;
}
