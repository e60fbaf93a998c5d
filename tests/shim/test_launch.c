/*
 * What the shim tells a launcher through the descriptor that it is given.
 */
#define _GNU_SOURCE 1 /* memfd_create */
#include "config.h"

#include <swprof/launch.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check_main.h"
#include "shim/run.h"

/* As swprof-run does it. */
static struct swprof_launch *make_launch(int seals, int *file)
{
    struct swprof_launch *launch;

    *file = memfd_create("launch", MFD_ALLOW_SEALING);
    ck_assert_int_ge(*file, 0);
    ck_assert_int_eq(ftruncate(*file, SWPROF_LAUNCH_BYTES), 0);
    ck_assert_int_eq(fcntl(*file, F_ADD_SEALS, seals), 0);
    launch = mmap(NULL, SWPROF_LAUNCH_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, *file, 0);
    ck_assert(launch != MAP_FAILED);
    memcpy(launch->magic, SWPROF_LAUNCH_MAGIC, SWPROF_LAUNCH_MAGIC_BYTES);
    launch->version = SWPROF_LAUNCH_VERSION;
    launch->struct_bytes = sizeof *launch;
    return launch;
}

static struct swprof_launch *launch_program(const char *settings, const char *arguments, struct run *run)
{
    int file;
    struct swprof_launch *launch = make_launch(F_SEAL_SHRINK | F_SEAL_GROW, &file);
    char all[256];

    snprintf(all, sizeof all, SWPROF_LAUNCH_VARIABLE "=%d %s", file, settings);
    run_begin(run);
    run_program(run, all, arguments);
    close(file);
    return launch;
}

START_TEST(a_recording_process_names_its_report)
{
    struct run run;
    struct swprof_launch *launch = launch_program("", "count 10", &run);

    ck_assert_uint_eq(launch->n_loaded, 1);
    ck_assert_uint_eq(launch->n_ended, 1);
    ck_assert_uint_eq(launch->n_without_library, 0);
    ck_assert_uint_eq(launch->n_recorded, 1);
    ck_assert_uint_eq(launch->n_slots, 1);
    ck_assert_int_eq(launch->slots[0].pid, run.pid);
    ck_assert_uint_eq(launch->slots[0].flags, SWPROF_LAUNCH_HOOKED | SWPROF_LAUNCH_RECORDED | SWPROF_LAUNCH_FROZEN);
    ck_assert_int_eq(strncmp(launch->slots[0].report, run.directory, strlen(run.directory)), 0);
    ck_assert_int_eq(access(launch->slots[0].report, R_OK), 0);
    run_end(&run);
}
END_TEST

START_TEST(a_forked_child_has_a_slot_of_its_own)
{
    struct run run;
    struct swprof_launch *launch = launch_program("", "fork 10", &run);

    ck_assert_uint_eq(launch->n_loaded, 1);
    ck_assert_uint_eq(launch->n_recorded, 2);
    ck_assert_uint_eq(launch->n_slots, 2);
    ck_assert_int_ne(launch->slots[0].pid, launch->slots[1].pid);
    ck_assert_str_ne(launch->slots[0].report, launch->slots[1].report);
    run_end(&run);
}
END_TEST

START_TEST(a_process_without_the_library_only_counts)
{
    struct run run;
    struct swprof_launch *launch = launch_program("", "nothing", &run);

    ck_assert_uint_eq(launch->n_loaded, 1);
    ck_assert_uint_eq(launch->n_without_library, 1);
    ck_assert_uint_eq(launch->n_slots, 0);
    ck_assert_uint_eq(launch->flags, 0);
    run_end(&run);
}
END_TEST

START_TEST(a_report_that_failed_says_why)
{
    struct run run;
    struct swprof_launch *launch = launch_program("SWPROF_OUTPUT=/nonexistent/x SWPROF_BUFFER=?", "count 10", &run);

    ck_assert_uint_eq(launch->n_recorded, 0);
    ck_assert_uint_eq(launch->slots[0].flags, SWPROF_LAUNCH_HOOKED | SWPROF_LAUNCH_REPORT_FAILED);
    ck_assert_int_eq(launch->slots[0].error, 2); /* ENOENT */
    ck_assert_str_eq(launch->slots[0].report, "/nonexistent/x");
    ck_assert_uint_ne(launch->flags & SWPROF_LAUNCH_BAD_SETTING, 0);
    ck_assert_str_eq(launch->bad_settings, "SWPROF_BUFFER");
    run_end(&run);
}
END_TEST

START_TEST(memory_that_could_shrink_is_not_used)
{
    struct run run;
    int file;
    struct swprof_launch *launch = make_launch(F_SEAL_GROW, &file);
    char settings[64];

    snprintf(settings, sizeof settings, SWPROF_LAUNCH_VARIABLE "=%d", file);
    run_begin(&run);
    run_program(&run, settings, "count 10");
    ck_assert_int_eq(run.status, 0);
    ck_assert_uint_eq(launch->n_loaded, 0);
    run_end(&run);
}
END_TEST

CHECK_MAIN("launch", a_recording_process_names_its_report, a_forked_child_has_a_slot_of_its_own,
           a_process_without_the_library_only_counts, a_report_that_failed_says_why,
           memory_that_could_shrink_is_not_used)
