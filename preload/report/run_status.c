/*
 * The memory through which the shim tells what became of it. It is a file
 * without a name, so nothing is left behind however the run ends.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* memfd_create */

#include "report/run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Above what programs expect for the files they open themselves. */
#define HIGH_DESCRIPTOR 900

/* A high number, so that the program's own numbers stay what they were. Inherited by the program. */
static int move_up(int descriptor)
{
    struct rlimit limit;
    int lowest = HIGH_DESCRIPTOR;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur <= (rlim_t)lowest)
        lowest = limit.rlim_cur > 3 ? (int)limit.rlim_cur - 1 : 3;
    int moved = fcntl(descriptor, F_DUPFD, lowest);
    if (moved < 0)
        return fcntl(descriptor, F_SETFD, 0) == 0 ? descriptor : -1;
    close(descriptor);
    return moved;
}

static enum report_outcome failed(void)
{
    return report_fail(REPORT_SYSTEM, "memory to share with the program cannot be had: %s", strerror(errno));
}

static enum report_outcome map_status(struct run_status *status)
{
    char number[16];

    status->descriptor = memfd_create("swprof-run", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (status->descriptor < 0 || ftruncate(status->descriptor, SWPROF_LAUNCH_BYTES) != 0 ||
        fcntl(status->descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0)
        return failed();
    void *memory = mmap(NULL, SWPROF_LAUNCH_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, status->descriptor, 0);
    if (memory == MAP_FAILED)
        return failed();
    status->launch = memory;
    memcpy(status->launch->magic, SWPROF_LAUNCH_MAGIC, SWPROF_LAUNCH_MAGIC_BYTES);
    status->launch->version = SWPROF_LAUNCH_VERSION;
    status->launch->struct_bytes = sizeof *status->launch;
    status->descriptor = move_up(status->descriptor);
    if (status->descriptor < 0)
        return failed();
    snprintf(number, sizeof number, "%d", status->descriptor);
    return setenv(SWPROF_LAUNCH_VARIABLE, number, 1) == 0 ? REPORT_OK : failed();
}

enum report_outcome run_status_open(struct run_status *ret_status)
{
    struct run_status status = { .descriptor = -1 };
    enum report_outcome outcome = map_status(&status);

    if (outcome != REPORT_OK) {
        run_status_close(&status);
        return outcome;
    }
    *ret_status = status;
    return REPORT_OK;
}

void run_status_close(struct run_status *status)
{
    if (status->launch != NULL)
        munmap(status->launch, SWPROF_LAUNCH_BYTES);
    if (status->descriptor >= 0)
        close(status->descriptor);
    *status = (struct run_status){ .descriptor = -1 };
}

/* Children of the program may still write: a slot counts when its pid, which is stored last, is there. */
void run_status_read(const struct run_status *status, struct swprof_launch *ret_launch)
{
    const struct swprof_launch *launch = status->launch;
    uint32_t n_slots = __atomic_load_n(&launch->n_slots, __ATOMIC_ACQUIRE);

    if (n_slots > SWPROF_LAUNCH_SLOTS)
        n_slots = SWPROF_LAUNCH_SLOTS;
    memcpy(ret_launch, launch, offsetof(struct swprof_launch, slots));
    memset(ret_launch->slots, 0, sizeof ret_launch->slots);
    for (uint32_t i = 0; i < n_slots; i++) {
        struct swprof_launch_slot *slot = &ret_launch->slots[i];
        if (__atomic_load_n(&launch->slots[i].pid, __ATOMIC_ACQUIRE) == 0)
            continue;
        memcpy(slot, &launch->slots[i], sizeof *slot);
        slot->report[sizeof slot->report - 1] = '\0';
    }
    ret_launch->bad_settings[sizeof ret_launch->bad_settings - 1] = '\0';
}
