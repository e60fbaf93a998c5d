/*
 * What can observe: the library's host ranges, its Profiler, a preloaded shim.
 */
#include "config.h"

#include "measure/measure.h"

#include <string.h>
#include <swprof/swprof.h>

/* ---- Host ranges --------------------------------------------------------------------- */

static enum sw_status check_host_ranges(void)
{
    if (!sw_host_range_compiled())
        return sw_error_set(SW_NOT_IMPLEMENTED_ERROR, "cannot activate profiling in a profiling-disabled build");
    return SW_OK;
}

/* ---- The Profiler, one for each round -------------------------------------------------- */

static enum sw_status begin_profiler(void *context)
{
    struct sw_profiler **profiler = context;
    enum sw_status status = sw_profiler_new(NULL, profiler);

    return status == SW_OK ? sw_profiler_enter(*profiler) : status;
}

static enum sw_status end_profiler(void *context)
{
    struct sw_profiler **profiler = context;
    enum sw_status status = sw_profiler_exit(*profiler);

    sw_profiler_free(*profiler);
    *profiler = NULL;
    return status;
}

static const struct sw_bench_observer *profiler_observer(void)
{
    static struct sw_profiler *profiler;
    static const struct sw_bench_observer observer = { begin_profiler, end_profiler, &profiler };

    return &observer;
}

static enum sw_status check_profiler(void)
{
    const struct sw_bench_observer *observer = profiler_observer();
    enum sw_status status = observer->begin(observer->context);

    return status == SW_OK ? observer->end(observer->context) : status;
}

/* ---- The shim ----------------------------------------------------------------------------- */

static enum sw_status shim_status(int status)
{
    return status == SWPROF_OK ? SW_OK : sw_error_set(SW_RUNTIME_ERROR, "%s", swprof_status_text(status));
}

static enum sw_status begin_shim(void *context)
{
    (void)context;
    return shim_status(swprof_enable(NULL));
}

static enum sw_status end_shim(void *context)
{
    (void)context;
    return shim_status(swprof_disable());
}

static const struct sw_bench_observer *shim_observer(void)
{
    static const struct sw_bench_observer observer = { begin_shim, end_shim, NULL };

    return &observer;
}

/* A shim that has begun with its program is off from here on. */
static enum sw_status check_shim(void)
{
    if (!swprof_is_loaded())
        return sw_error_set(SW_RUNTIME_ERROR, "no shim is loaded: start with swprof-run or LD_PRELOAD=libswprof.so");
    swprof_disable();
    enum sw_status status = begin_shim(NULL);
    return status == SW_OK ? end_shim(NULL) : status;
}

/* ---- All of them ---------------------------------------------------------------------------- */

static const struct bench_observer observers[] = {
    { "host-ranges", check_host_ranges, sw_bench_host_ranges },
    { "profiler", check_profiler, profiler_observer },
    { "shim", check_shim, shim_observer },
};

const struct bench_observer *observer_find(const char *name)
{
    for (size_t i = 0; i < sizeof observers / sizeof *observers; i++)
        if (strcmp(observers[i].name, name) == 0)
            return &observers[i];
    return NULL;
}
