/*
 * "module.Name" of the classes of an operation.
 */
#include "config.h"

#include "report/names.h"

static enum sw_status join(struct sw__builder *text, const char *module, const char *name)
{
    text->n_bytes = 0;
    SW__TRY(sw__builder_string(text, module));
    SW__TRY(sw__builder_string(text, module[0] != '\0' ? "." : ""));
    return sw__builder_string(text, name);
}

enum sw_status names_make(struct class_names *names, const struct sw__analyze_dispatch *dispatch)
{
    SW__TRY(join(&names->carrier, dispatch->carrier_module, dispatch->carrier_name));
    return join(&names->implementation, dispatch->implementation_module, dispatch->implementation_name);
}

const char *names_text(const struct sw__builder *name)
{
    return name->n_bytes != 0 ? name->bytes : "";
}

void names_clear(struct class_names *names)
{
    sw__builder_clear(&names->carrier);
    sw__builder_clear(&names->implementation);
}
