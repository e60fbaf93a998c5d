/*
 * The environment: values that are understood, and values that are refused.
 */
#define _GNU_SOURCE 1 /* environ */
#include "config.h"

#include "shim/settings.c"

#include <string.h>

#include "check_main.h"

static struct settings settings;

static uint64_t buffer_for(const char *text)
{
    setenv("SWPROF_BUFFER", text, 1);
    settings_read(&settings);
    unsetenv("SWPROF_BUFFER");
    return settings.buffer_bytes;
}

START_TEST(the_defaults_hold_in_an_empty_environment)
{
    clearenv();
    settings_read(&settings);
    ck_assert_str_eq(settings.output, "");
    ck_assert_str_eq(settings.carriers, "");
    ck_assert_uint_eq(settings.buffer_bytes, 268435456);
    ck_assert_int_eq(settings.start, 1);
    ck_assert_int_eq(settings.shapes, 0);
    ck_assert_uint_eq(settings.stack, 0);
    ck_assert_int_eq(settings.signal, 0);
    ck_assert_int_eq(settings.verbose, 0);
    ck_assert_int_eq(settings.rank, -1);
    ck_assert_int_eq(settings.status_file, -1);
    ck_assert_uint_eq(settings.clock, 0);
    ck_assert_str_eq(settings.bad, "");
}
END_TEST

START_TEST(sizes_have_binary_units)
{
    ck_assert_uint_eq(buffer_for("64M"), 67108864);
    ck_assert_uint_eq(buffer_for("1MiB"), 1048576);
    ck_assert_uint_eq(buffer_for("1000000"), 1000000);
    ck_assert_uint_eq(buffer_for("64k"), 65536);
    ck_assert_uint_eq(buffer_for("2G"), 2147483648);
    ck_assert_str_eq(settings.bad, "");
}
END_TEST

START_TEST(policies_have_names)
{
    static const char *const texts[] = {"stop", "ring", "summary"};
    static const uint32_t policies[] = {SWPROF_POLICY_STOP, SWPROF_POLICY_RING, SWPROF_POLICY_SUMMARY};

    for (size_t i = 0; i < 3; i++) {
        setenv("SWPROF_FULL", texts[i], 1);
        settings_read(&settings);
        ck_assert_uint_eq(settings.policy, policies[i]);
        ck_assert_str_eq(settings.bad, "");
    }
    setenv("SWPROF_FULL", "Ring", 1);
    settings_read(&settings);
    ck_assert_uint_eq(settings.policy, SWPROF_POLICY_STOP);
    ck_assert_str_eq(settings.bad, "SWPROF_FULL");
    unsetenv("SWPROF_FULL");
}
END_TEST

static int schedule_for(const char *text)
{
    setenv("SWPROF_SCHEDULE", text, 1);
    settings_read(&settings);
    unsetenv("SWPROF_SCHEDULE");
    return settings.bad[0] == '\0';
}

START_TEST(schedules_have_their_parts_in_any_order)
{
    ck_assert_int_eq(schedule_for("skip_first=10,wait=1,active=3,warmup=2,repeat=4"), 1);
    ck_assert_uint_eq(settings.schedule.skip_first, 10);
    ck_assert_uint_eq(settings.schedule.wait, 1);
    ck_assert_uint_eq(settings.schedule.warmup, 2);
    ck_assert_uint_eq(settings.schedule.active, 3);
    ck_assert_uint_eq(settings.schedule.repeat, 4);
    ck_assert_int_eq(schedule_for("active=1"), 1);
    ck_assert_uint_eq(settings.schedule.repeat, 0);
}
END_TEST

START_TEST(schedules_that_record_nothing_or_say_it_twice_are_refused)
{
    static const char *const texts[] = {"wait=1", "active=0", "active=1,active=2", "active=1,", ",active=1", "active",
                                        "active=", "active=-1", "active= 1", "Active=1", "active=1;wait=1", "=",
                                        "active=1,skip=1", "active=1099511627777", "active=99999999999999999999"};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ck_assert_msg(!schedule_for(texts[i]), "%s", texts[i]);
        ck_assert_str_eq(settings.bad, "SWPROF_SCHEDULE");
        ck_assert_uint_eq(settings.schedule.active, 0);
    }
}
END_TEST

START_TEST(depths_of_stacks_are_numbers_and_more_than_are_kept_is_the_most)
{
    static const char *const texts[] = {"32", "1", "off", "0", "1024", "99999"};
    static const uint32_t depths[] = {32, 1, 0, 0, 1024, 1024};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        setenv("SWPROF_STACK", texts[i], 1);
        settings_read(&settings);
        ck_assert_uint_eq(settings.stack, depths[i]);
        ck_assert_str_eq(settings.bad, "");
    }
    setenv("SWPROF_STACK", "-1", 1);
    settings_read(&settings);
    ck_assert_uint_eq(settings.stack, 0);
    ck_assert_str_eq(settings.bad, "SWPROF_STACK");
    unsetenv("SWPROF_STACK");
}
END_TEST

START_TEST(sizes_that_make_no_sense_are_refused)
{
    static const char *const texts[] = {"M", "-1M", "1.5M", "1MM", "63K", "33G", "99999999999999999999", "18014398509481985K"};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ck_assert_uint_eq(buffer_for(texts[i]), 268435456);
        ck_assert_str_eq(settings.bad, "SWPROF_BUFFER");
    }
}
END_TEST

START_TEST(all_that_is_not_understood_is_named)
{
    clearenv();
    setenv("SWPROF_FULL", "loop", 1);
    setenv("SWPROF_BUFFER", "1T", 1);
    setenv("SWPROF_SHAPES", "maybe", 1);
    setenv("SLURM_PROCID", "first", 1);
    settings_read(&settings);
    ck_assert_str_eq(settings.bad, "SWPROF_BUFFER, SWPROF_FULL, SWPROF_SHAPES");
    clearenv();
}
END_TEST

START_TEST(switches_know_their_words_only)
{
    setenv("SWPROF_START", "off", 1);
    setenv("SWPROF_SHAPES", "1", 1);
    setenv("SWPROF_VERBOSE", "loud", 1);
    settings_read(&settings);
    ck_assert_int_eq(settings.start, 0);
    ck_assert_int_eq(settings.shapes, 1);
    ck_assert_int_eq(settings.verbose, 0);
    ck_assert_str_eq(settings.bad, "SWPROF_VERBOSE");
    clearenv();
}
END_TEST

static int32_t signal_for(const char *text)
{
    clearenv();
    setenv("SWPROF_SIGNAL", text, 1);
    settings_read(&settings);
    return settings.signal;
}

START_TEST(signals_have_names_or_are_real_time_ones)
{
    static const char *const refused[] = {"KILL", "SIG", "usr1", "10", "33", "65", "34x", "-34", "USR3"};

    ck_assert_int_eq(signal_for("USR1"), 10);
    ck_assert_int_eq(signal_for("SIGUSR2"), 12);
    ck_assert_int_eq(signal_for("HUP"), 1);
    ck_assert_int_eq(signal_for("34"), 34);
    ck_assert_int_eq(signal_for("64"), 64);
    ck_assert_str_eq(settings.bad, "");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        ck_assert_int_eq(signal_for(refused[i]), 0);
        ck_assert_str_eq(settings.bad, "SWPROF_SIGNAL");
    }
    clearenv();
}
END_TEST

START_TEST(relative_outputs_become_absolute_at_once)
{
    ck_assert_int_eq(chdir("/usr"), 0);
    setenv("SWPROF_OUTPUT", "a/%n-%p", 1);
    settings_read(&settings);
    ck_assert_str_eq(settings.output, "/usr/a/%n-%p");
    setenv("SWPROF_OUTPUT", "/x/%q", 1);
    settings_read(&settings);
    ck_assert_str_eq(settings.output, "");
    ck_assert_str_eq(settings.bad, "SWPROF_OUTPUT");
    clearenv();
}
END_TEST

START_TEST(an_output_longer_than_a_path_is_refused)
{
    char path[5000];

    memset(path, 'x', sizeof path);
    path[0] = '/';
    path[sizeof path - 1] = '\0';
    setenv("SWPROF_OUTPUT", path, 1);
    settings_read(&settings);
    ck_assert_str_eq(settings.output, "");
    ck_assert_str_eq(settings.bad, "SWPROF_OUTPUT");
    clearenv();
}
END_TEST

START_TEST(the_rank_comes_from_the_first_launcher_that_set_one)
{
    setenv("SLURM_PROCID", "5", 1);
    setenv("PMI_RANK", "3", 1);
    settings_read(&settings);
    ck_assert_int_eq(settings.rank, 3);
    setenv("PMI_RANK", "", 1);
    settings_read(&settings);
    ck_assert_int_eq(settings.rank, 5);
    setenv("SLURM_PROCID", "five", 1);
    settings_read(&settings);
    ck_assert_int_eq(settings.rank, -1);
    ck_assert_str_eq(settings.bad, "");
    clearenv();
}
END_TEST

START_TEST(names_count_when_they_are_whole_and_the_first_time)
{
    char *entries[] = {"SWPROF_SHAPES2=1", "SWPROF_SHAPE=1", "XSWPROF_MEMORY=1", "SWPROF_FLOWS", "", "=", "=SWPROF_RANGES=1", "\x93WPROF_MEMORY=1", "\xff=1",
                       "SWPROF_BUFFER=64M", "SWPROF_BUFFER=1M", "SWPROF_OUTPUT=/a=b", "SWPROF_STARTED=0", NULL};

    environ = entries;
    settings_read(&settings);
    environ = NULL;
    ck_assert_int_eq(settings.shapes, 0);
    ck_assert_int_eq(settings.memory, 0);
    ck_assert_int_eq(settings.flows, 0);
    ck_assert_int_eq(settings.ranges, 0);
    ck_assert_int_eq(settings.start, 1);
    ck_assert_uint_eq(settings.buffer_bytes, 67108864);
    ck_assert_str_eq(settings.output, "/a=b");
    ck_assert_str_eq(settings.bad, "");
}
END_TEST

START_TEST(carriers_are_selected_by_name_or_qualified_name)
{
    ck_assert_int_eq(settings_select("", "strideweave", "Generic"), 1);
    ck_assert_int_eq(settings_select("Generic", "strideweave", "Generic"), 1);
    ck_assert_int_eq(settings_select("Cpu, strideweave.Generic", "strideweave", "Generic"), 1);
    ck_assert_int_eq(settings_select("other.Generic", "strideweave", "Generic"), 0);
    ck_assert_int_eq(settings_select("Gen", "strideweave", "Generic"), 0);
    ck_assert_int_eq(settings_select("Generic2,GenericX", "strideweave", "Generic"), 0);
    ck_assert_int_eq(settings_select(",", "strideweave", "Generic"), 0);
}
END_TEST

CHECK_MAIN("settings", the_defaults_hold_in_an_empty_environment, sizes_have_binary_units, policies_have_names,
           sizes_that_make_no_sense_are_refused, schedules_have_their_parts_in_any_order,
           schedules_that_record_nothing_or_say_it_twice_are_refused,
           depths_of_stacks_are_numbers_and_more_than_are_kept_is_the_most, all_that_is_not_understood_is_named, switches_know_their_words_only,
           signals_have_names_or_are_real_time_ones, relative_outputs_become_absolute_at_once,
           an_output_longer_than_a_path_is_refused, the_rank_comes_from_the_first_launcher_that_set_one,
           names_count_when_they_are_whole_and_the_first_time, carriers_are_selected_by_name_or_qualified_name)
