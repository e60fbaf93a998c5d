/*
 * swprof_enable() and its kin for programs that link with this library only:
 * they go through the control hook, so they reach the shim whatever the link
 * order, and say why when they do not.
 */
#include "config.h"

#include "profiler/control.h"

#include <swprof/shim.h>
#include <swprof/swprof.h>

#include <dlfcn.h>

#include "base/hooks.h"
#include "record/control_status.h"

int sw__control_without_shim(struct sw_hook_control *control)
{
    /* Found when it is in the process but came too late in link order. */
    const uint32_t *shim_abi = dlsym(RTLD_DEFAULT, SWPROF_SHIM_ABI_SYMBOL);

    if (shim_abi == NULL)
        return SWPROF_NO_SHIM;
    if (SW_HOOKS_ABI_MAJOR(*shim_abi) != SW_HOOKS_ABI_MAJOR(control->library->abi))
        return SWPROF_ABI_MISMATCH;
    return SWPROF_HOOKS_ELSEWHERE;
}

#if SW_ENABLE_PROFILING
static int control(enum sw_hook_control_verb verb, const void *argument)
{
    struct sw_hook_control request = {
        .struct_bytes = sizeof request,
        .verb = (uint32_t)verb,
        .library = &sw__hook_library,
        .argument = argument,
    };

    return sw__hooks.control(&request);
}
#else
static int control(enum sw_hook_control_verb verb, const void *argument)
{
    (void)verb;
    (void)argument;
    return SWPROF_NOT_BUILT;
}
#endif

int swprof_enable(const struct swprof_options *options)
{
    return control(SW_HOOK_CONTROL_ENABLE, options);
}

int swprof_disable(void)
{
    return control(SW_HOOK_CONTROL_DISABLE, NULL);
}

int swprof_is_loaded(void)
{
    return control(SW_HOOK_CONTROL_QUERY, NULL) == SWPROF_OK;
}

const char *swprof_status_text(int status)
{
    return sw__control_status_text(status);
}
