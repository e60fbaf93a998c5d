/*
 * Control calls as a program makes them through libstrideweave.
 */
#include "config.h"

#include <stdio.h>

#include <swprof/swprof.h>

#include "shim/fake_library.h"

static int control(uint32_t verb, const void *argument)
{
    struct sw_hook_control call = {sizeof call, verb, NULL, argument};

    return fake_control == NULL ? SWPROF_NO_SHIM : fake_control(&call);
}

int fake_rounds(fake_body *work)
{
    struct swprof_options first = SWPROF_OPTIONS_INIT;
    struct swprof_options wrong = {.struct_bytes = 0};

    first.label = "first";
    first.shapes = 1;
    work(NULL);
    printf("%d", control(SW_HOOK_CONTROL_DISABLE, NULL));
    work(NULL);
    printf(" %d", control(SW_HOOK_CONTROL_DISABLE, NULL));
    printf(" %d", control(SW_HOOK_CONTROL_ENABLE, &wrong));
    printf(" %d", control(SW_HOOK_CONTROL_ENABLE, &first));
    printf(" %d", control(SW_HOOK_CONTROL_ENABLE, NULL));
    work(NULL);
    printf(" %d", control(SW_HOOK_CONTROL_DISABLE, NULL));
    work(NULL);
    printf(" %d", control(SW_HOOK_CONTROL_ENABLE, NULL));
    work(NULL);
    printf(" %d", control(99, NULL));
    printf(" %d\n", control(SW_HOOK_CONTROL_QUERY, NULL));
    return 0;
}
