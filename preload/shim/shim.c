/*
 * Loading: settings, clock, the next tools in line.
 */
#include "config.h"

#include "shim/shim.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/auxv.h>

#include "record/at_load.h"
#include "record/clock.h"
#include "record/sys.h"
#include "record/text.h"
#include "shim/launch.h"
#include "shim/memory.h"
#include "shim/next.h"
#include "shim/rounds.h"
#include "shim/settle.h"
#include "shim/stacks.h"
#include "shim/thread.h"
#include "shim/toggle.h"

struct shim shim;

static const struct next_function next_functions[] = {
    {"sw_hook_compute_enter", &shim.next_enter},
    {"sw_hook_compute_exit", &shim.next_exit},
    {"sw_hook_control", &shim.next_control},
    {"sw_hook_session_frozen", &shim.next_session},
    {"sw_hook_note", &shim.next_note},
    {"sw_hook_range_enter", &shim.next_range_enter},
    {"sw_hook_range_exit", &shim.next_range_exit},
    {"sw_hook_storage_alloc", &shim.next_storage_alloc},
    {"sw_hook_storage_free", &shim.next_storage_free},
};

#define N_NEXT (sizeof next_functions / sizeof *next_functions)

_Static_assert(N_NEXT <= NEXT_MOST, "all are looked for at once");

SW__AT_LOAD static void load(void)
{
    next_find(next_functions, N_NEXT);
    shim.pid = (int32_t)syscall(SYS_getpid);
    shim.inert = getauxval(AT_SECURE) != 0;
    settings_read(&shim.settings);
    if (shim.inert) {
        rounds_stay_inert();
        return;
    }
    if (shim.settings.carriers[0] != '\0')
        shim.ways |= SHIM_FILTERED;
    shim.clock = sw__clock_presume(shim.settings.clock);
    sw__clock_anchor(shim.clock, &shim.first);
    shim.realtime_ns = sw__clock_realtime_ns();
    memory_load();
    thread_load();
    stacks_load();
    flows_load();
    settle_load();
    launch_load();
    rounds_load();
    toggle_load();
    if (shim.settings.bad[0] != '\0')
        shim_say("not understood, so the default is used: ", shim.settings.bad, NULL);
}

void shim_confirm_clock(void)
{
    static int is_confirmed;
    uint32_t clock;

    if (is_confirmed)
        return;
    is_confirmed = 1;
    clock = sw__clock_choose(shim.settings.clock);
    if (clock == shim.clock)
        return;
    __atomic_store_n(&shim.clock, clock, __ATOMIC_RELAXED);
    shim.first.ticks = (uint64_t)shim.first.monotonic_ns;
    rounds_change_clock();
}

SW__AT_LOAD int shim_load(void)
{
    uint32_t untouched = SHIM_UNTOUCHED;
    int saved_errno = errno;

    if (__atomic_compare_exchange_n(&shim.loaded, &untouched, SHIM_LOADING, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        load();
        __atomic_store_n(&shim.loaded, SHIM_LOADED, __ATOMIC_RELEASE);
        errno = saved_errno;
    }
    return __atomic_load_n(&shim.loaded, __ATOMIC_ACQUIRE) == SHIM_LOADED;
}

void shim_say(const char *part, ...)
{
    char line[1024];
    struct sw__text text = sw__text_in(line, sizeof line - 1);
    va_list parts;

    if (!shim.settings.verbose)
        return;
    sw__text_add(&text, "swprof: ");
    va_start(parts, part);
    for (; part != NULL; part = va_arg(parts, const char *))
        sw__text_add(&text, part);
    va_end(parts);
    line[text.used] = '\n';
    syscall(SYS_write, 2, line, text.used + 1);
}

struct number_text shim_number(uint64_t number)
{
    struct number_text result;
    struct sw__text text = sw__text_in(result.text, sizeof result.text);

    sw__text_add_number(&text, number);
    return result;
}
