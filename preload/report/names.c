/*
 * "module.Name" for every class in a report, made once.
 */
#include "config.h"

#include "report/names.h"

#include "analyze/builder.h"
#include "base/alloc.h"

static enum sw_status join(const char *module, const char *name, char **ret_text)
{
    struct sw__builder text SW__OWNED_BUILDER = { 0 };

    SW__TRY(sw__builder_string(&text, module));
    SW__TRY(sw__builder_string(&text, module[0] != '\0' ? "." : ""));
    SW__TRY(sw__builder_string(&text, name));
    return sw__builder_take(&text, ret_text);
}

enum sw_status names_join(const struct report *report, struct joined_names *ret_names)
{
    struct joined_names names REPORT_OWNED_NAMES = { NULL, NULL, 0 };
    size_t n = report->names.n_dispatches;

    names.carriers = sw__alloc_zero(n * sizeof *names.carriers);
    names.implementations = sw__alloc_zero(n * sizeof *names.implementations);
    if (names.carriers == NULL || names.implementations == NULL)
        return SW_MEMORY_ERROR;
    names.n_dispatches = n;
    for (size_t i = 0; i < n; i++) {
        const struct sw__analyze_dispatch *dispatch = &report->dispatches[i];
        SW__TRY(join(dispatch->carrier_module, dispatch->carrier_name, &names.carriers[i]));
        SW__TRY(join(dispatch->implementation_module, dispatch->implementation_name, &names.implementations[i]));
    }
    *ret_names = names;
    names = (struct joined_names){ NULL, NULL, 0 };
    return SW_OK;
}

void names_clear(struct joined_names *names)
{
    for (size_t i = 0; i < names->n_dispatches; i++) {
        sw__free(names->carriers[i]);
        sw__free(names->implementations[i]);
    }
    sw__free(names->carriers);
    sw__free(names->implementations);
    *names = (struct joined_names){ NULL, NULL, 0 };
}
