/*
 * swprof_enable() and its kin, and the hook through which they arrive when a
 * program calls libstrideweave's definitions of them.
 */
#define _GNU_SOURCE 1 /* RTLD_DEFAULT */
#include "config.h"

#include "shim/control.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

#include <swprof/shim.h>

#include "record/control_status.h"
#include "record/text.h"
#include "shim/hooks.h"
#include "shim/rounds.h"
#include "shim/schedule.h"
#include "shim/shim.h"

const uint32_t swprof_shim_abi = SW_HOOKS_ABI;

typedef const struct sw_hook_library *library_info_fn(void);

static const struct sw_hook_library *library_info(void)
{
    void *found = dlsym(RTLD_DEFAULT, "sw_hook_library_info");
    library_info_fn *info;

    if (found == NULL)
        return NULL;
    sw__copy(&info, &found, sizeof info);
    return info();
}

int control_library_seen(void)
{
    return __atomic_load_n(&shim.hooked, __ATOMIC_RELAXED) || library_info() != NULL;
}

int control_library_status(void)
{
    const struct sw_hook_library *library = library_info();

    if (library != NULL && SW_HOOKS_ABI_MAJOR(library->abi) != SW_HOOKS_ABI_MAJOR(SW_HOOKS_ABI))
        return SWPROF_ABI_MISMATCH;
    /* Another tool may come first and pass calls on: then we have been called. */
    if (library == NULL || __atomic_load_n(&shim.hooked, __ATOMIC_RELAXED) ||
        library->bound->compute_enter == own_compute_enter)
        return SWPROF_OK;
    return SWPROF_HOOKS_ELSEWHERE;
}

static int status_now(void)
{
    if (!shim_load())
        return SWPROF_NO_SHIM;
    return shim.inert ? SWPROF_INERT : control_library_status();
}

/* As they are now: what callers of an earlier version do not have is left out. */
static int read_options(const struct swprof_options *from, struct swprof_options *to)
{
    static const struct swprof_options defaults = SWPROF_OPTIONS_INIT;
    const uint32_t first_bytes = offsetof(struct swprof_options, schedule);
    uint32_t n_bytes;

    *to = defaults;
    if (from == NULL)
        return 1;
    n_bytes = from->struct_bytes;
    if (n_bytes < first_bytes)
        return 0;
    sw__copy(to, from, n_bytes < sizeof *to ? first_bytes : sizeof *to);
    return to->shapes >= -1 && to->shapes <= 1 && (to->schedule == NULL || schedule_is_valid(to->schedule));
}

static int enable(const void *argument)
{
    struct swprof_options options;
    int status = status_now();

    if (status != SWPROF_OK)
        return status;
    if (!read_options(argument, &options))
        return SWPROF_INVALID_OPTIONS;
    return options.schedule != NULL ? schedule_begin(&options) : rounds_begin(&options);
}

static int disable(const void *argument)
{
    int status = status_now();

    (void)argument;
    if (status != SWPROF_OK)
        return status;
    if (schedule_end()) {
        rounds_end();
        return SWPROF_OK;
    }
    return rounds_end();
}

static int query(const void *argument)
{
    (void)argument;
    return status_now();
}

static int answer(uint32_t verb, const void *argument)
{
    static int (*const verbs[])(const void *) = {
        [SW_HOOK_CONTROL_QUERY] = query,
        [SW_HOOK_CONTROL_ENABLE] = enable,
        [SW_HOOK_CONTROL_DISABLE] = disable,
    };
    int saved_errno = errno;
    int status = verb < sizeof verbs / sizeof *verbs ? verbs[verb](argument) : SWPROF_INVALID_OPTIONS;

    errno = saved_errno;
    return status;
}

SW_API int sw_hook_control(struct sw_hook_control *control)
{
    int status = answer(control->verb, control->argument);
    const struct sw_hook_library *library = control->library;
    sw_hook_control_fn *next = shim.next_control;

    /* A second tool behind us opens and closes its rounds with ours. */
    if (next != NULL && library != NULL && next != library->own->control)
        next(control);
    return status;
}

int own_control(struct sw_hook_control *control) __attribute__((alias("sw_hook_control")));

static int ask(enum sw_hook_control_verb verb, const void *argument)
{
    struct sw_hook_control control = {(uint32_t)sizeof control, verb, library_info(), argument};

    return own_control(&control);
}

SW_API int swprof_enable(const struct swprof_options *options)
{
    return ask(SW_HOOK_CONTROL_ENABLE, options);
}

SW_API int swprof_disable(void)
{
    return ask(SW_HOOK_CONTROL_DISABLE, NULL);
}

SW_API int swprof_is_loaded(void)
{
    return ask(SW_HOOK_CONTROL_QUERY, NULL) == SWPROF_OK;
}

SW_API const char *swprof_status_text(int status)
{
    return sw__control_status_text(status);
}
