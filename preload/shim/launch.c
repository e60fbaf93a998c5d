/*
 * The structure shared with swprof-run: mapped once, written with atomic
 * operations, never read for decisions.
 */
#include "config.h"

#include "shim/launch.h"

#include <sys/stat.h>

#include "record/at_load.h"
#include "record/sys.h"
#include "record/text.h"
#include "shim/control.h"
#include "shim/rounds.h"
#include "shim/shim.h"

_Static_assert(sizeof(struct swprof_launch) <= SWPROF_LAUNCH_BYTES, "the launcher's memory holds the structure");

#ifndef F_GET_SEALS
#define F_GET_SEALS 1034
#define F_SEAL_SHRINK 2
#endif

/* The slot of this process, and which process that is: a forked child takes its own. */
static struct swprof_launch_slot *slot;
static int32_t slot_pid;

/* A file that cannot shrink under us, of the right size and content. */
static int is_launcher(int file)
{
    struct stat status;
    long seals = syscall(SYS_fcntl, file, F_GET_SEALS);

    if (seals < 0 || (seals & F_SEAL_SHRINK) == 0 || syscall(SYS_fstat, file, &status) != 0 ||
        status.st_size < SWPROF_LAUNCH_BYTES)
        return 0;
    return 1;
}

SW__AT_LOAD void launch_load(void)
{
    int file = shim.settings.status_file;
    struct swprof_launch *launch;

    if (file < 0 || !is_launcher(file))
        return;
    launch = sw__sys_map(SWPROF_LAUNCH_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file);
    if (launch == NULL)
        return;
    if (!sw__same(launch->magic, SWPROF_LAUNCH_MAGIC, SWPROF_LAUNCH_MAGIC_BYTES) ||
        launch->version != SWPROF_LAUNCH_VERSION || launch->struct_bytes != sizeof *launch) {
        sw__sys_unmap(launch, SWPROF_LAUNCH_BYTES);
        return;
    }
    shim.launch = launch;
    __atomic_fetch_add(&launch->n_loaded, 1, __ATOMIC_RELAXED);
    if (shim.settings.bad[0] != '\0') {
        struct sw__text name = sw__text_in(launch->bad_settings, sizeof launch->bad_settings);

        sw__text_add(&name, shim.settings.bad);
        __atomic_fetch_or(&launch->flags, SWPROF_LAUNCH_BAD_SETTING, __ATOMIC_RELAXED);
    }
}

static struct swprof_launch_slot *take_slot(void)
{
    struct swprof_launch *launch = shim.launch;
    int32_t pid = (int32_t)syscall(SYS_getpid);
    uint32_t at;

    if (slot != NULL && slot_pid == pid)
        return slot;
    slot_pid = pid;
    at = __atomic_fetch_add(&launch->n_slots, 1, __ATOMIC_RELAXED);
    slot = at < SWPROF_LAUNCH_SLOTS ? &launch->slots[at] : NULL;
    if (slot != NULL)
        slot->start_time = process_start_time(pid);
    return slot;
}

/* Flags of this process, and with them of all; the slot is ready from then on. */
static void tell(uint32_t flags, struct swprof_launch_slot *of)
{
    __atomic_fetch_or(&shim.launch->flags, flags, __ATOMIC_RELAXED);
    if (of == NULL)
        return;
    __atomic_fetch_or(&of->flags, flags, __ATOMIC_RELAXED);
    __atomic_store_n(&of->pid, slot_pid, __ATOMIC_RELEASE);
}

void launch_tell_report(const struct capture *capture)
{
    uint32_t flags = SWPROF_LAUNCH_HOOKED;
    struct swprof_launch_slot *of;

    if (shim.launch == NULL)
        return;
    of = take_slot();
    if (of != NULL) {
        struct sw__text path = sw__text_in(of->report, sizeof of->report);

        sw__text_add(&path, capture->report.path);
        of->error = capture->error;
        flags |= path.cut ? SWPROF_LAUNCH_PATH_CUT : 0;
    }
    if (capture->error != 0) {
        tell(flags | SWPROF_LAUNCH_REPORT_FAILED, of);
        return;
    }
    __atomic_fetch_add(&shim.launch->n_recorded, 1, __ATOMIC_RELAXED);
    tell(flags | SWPROF_LAUNCH_RECORDED, of);
}

void launch_tell_frozen(void)
{
    if (shim.launch != NULL)
        tell(SWPROF_LAUNCH_FROZEN, take_slot());
}

/* What the loaded library looks like to one whose hooks were not called. */
static uint32_t trouble(int status)
{
    if (status == SWPROF_HOOKS_ELSEWHERE)
        return SWPROF_LAUNCH_HOOKS_ELSEWHERE;
    return status == SWPROF_ABI_MISMATCH ? SWPROF_LAUNCH_ABI_MISMATCH : 0;
}

SW__AT_LOAD void launch_tell_end(void)
{
    uint32_t flags;

    /* A forked child was not counted among the loaded ones, nor is it among the ended. */
    if (shim.launch == NULL || shim.pid != (int32_t)syscall(SYS_getpid))
        return;
    flags = trouble(control_library_status());
    if (!rounds_any() && control_library_seen())
        flags |= SWPROF_LAUNCH_PAUSED;
    if (flags != 0)
        tell(flags, take_slot());
    if (!control_library_seen())
        __atomic_fetch_add(&shim.launch->n_without_library, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&shim.launch->n_ended, 1, __ATOMIC_RELAXED);
}
