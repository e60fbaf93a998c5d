/*
 * FileBacked carriers: slots in a file, where the file is, and when it is gone.
 */
#include "config.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "carrier/carrier.h"
#include "carrier/scalars.h"
#include "check_main.h"

#define OK(call) ck_assert_msg((call) == SW_OK, "%s: %s", #call, sw_error_message())

/* A directory for the files of one test. */
static char place[] = "/tmp/sw-file-backed-XXXXXX";
static pid_t place_owner; /* the process that made it; 0: none */

static void begin(void)
{
    strcpy(place + sizeof place - 7, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(place));
    setenv("TMPDIR", place, 1);
    place_owner = getpid();
}

/* After the library has removed its directory in it: destructors without a number run first. */
static void __attribute__((destructor(101))) remove_place(void)
{
    if (place_owner == getpid())
        rmdir(place);
}

static int n_entries(const char *path)
{
    DIR *stream = opendir(path);
    int n = -2; /* "." and ".." */

    ck_assert_ptr_nonnull(stream);
    while (readdir(stream) != NULL)
        n++;
    closedir(stream);
    return n;
}

static int exists(const char *path)
{
    struct stat about;

    return lstat(path, &about) == 0;
}

static struct sw_carrier *with_slots(size_t n, enum sw_dtype dtype)
{
    struct sw_carrier *prototype SW__OWNED_CARRIER = NULL;
    struct sw_carrier *made = NULL;

    OK(sw_file_backed_new(NULL, &prototype));
    OK(sw_carrier_allocate_like(prototype, (int64_t)n, 1, dtype, 0, &made));
    return made;
}

static double slot(const struct sw_carrier *carrier, int64_t at)
{
    struct sw_scalar value;

    OK(sw_carrier_get(carrier, at, &value));
    return value.kind == SW_SCALAR_INTEGER ? (double)value.as.integer : value.as.floating;
}

/* What a child does; 0 is success. It is run in a process of its own, and killed afterwards when @dies. */
static void in_child(int (*function)(void), int dies)
{
    pid_t child = fork();
    int status;

    if (child == 0) {
        int failed = function();
        if (dies && !failed)
            raise(SIGKILL);
        exit(failed);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    if (dies)
        ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    else
        ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

START_TEST(a_new_carrier_has_no_slots_and_an_empty_private_file)
{
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;
    struct stat about;

    begin();
    OK(sw_file_backed_new(NULL, &carrier));
    ck_assert_uint_eq(sw_carrier_size(carrier), 0);
    ck_assert_int_eq(sw_carrier_dtype(carrier), SW_FLOAT32);
    ck_assert(sw_carrier_is_mutable(carrier));
    ck_assert_ptr_eq(sw_carrier_class_of(carrier), sw_file_backed_class());
    ck_assert_int_eq(stat(sw_file_backed_path(carrier), &about), 0);
    ck_assert_int_eq(about.st_size, 0);
    ck_assert_int_eq(about.st_mode & 0777, 0600);
    ck_assert_ptr_null(sw_cpu_pointer(carrier));
}
END_TEST

START_TEST(slots_are_native_values_and_zero_at_first)
{
    struct sw_carrier *carrier SW__OWNED_CARRIER = with_slots(3, SW_INT32);
    int32_t stored[4];

    OK(sw_carrier_set(carrier, 1, INTEGER(-7)));
    ck_assert_uint_eq(sw_carrier_version(carrier), 1);
    ck_assert_double_eq(slot(carrier, 0), 0);
    ck_assert_double_eq(slot(carrier, 1), -7);
    FILE *file = fopen(sw_file_backed_path(carrier), "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fread(stored, sizeof *stored, 4, file), 3);
    fclose(file);
    ck_assert_int_eq(stored[0], 0);
    ck_assert_int_eq(stored[1], -7);
    ck_assert_int_eq(stored[2], 0);
}
END_TEST

START_TEST(values_are_normalised_and_refused_as_elsewhere)
{
    struct sw_scalar values[] = { floating(0.1), { 0 }, floating(3.0) };
    struct sw_carrier *integers SW__OWNED_CARRIER = with_slots(1, SW_INT32);
    struct sw_carrier *made SW__OWNED_CARRIER = NULL;

    OK(sw_carrier_new_like(integers, values, 3, 1, SW_FLOAT32, &made));
    ck_assert_double_eq(slot(made, 0), 0.100000001490116119384765625);
    ck_assert_double_eq(slot(made, 1), 0);
    ck_assert_double_eq(slot(made, 2), 3);
    ck_assert_int_eq(sw_carrier_set(integers, 0, FLOATING(1)), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_carrier_set(integers, 0, BOOLEAN(1)), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_carrier_set(integers, 0, INTEGER(INT64_C(1) << 31)), SW_OVERFLOW_ERROR);
    ck_assert_int_eq(sw_carrier_set(integers, 1, INTEGER(1)), SW_INDEX_ERROR);
    ck_assert_uint_eq(sw_carrier_version(integers), 0);
    ck_assert_double_eq(slot(integers, 0), 0);
}
END_TEST

START_TEST(float32_and_int32_are_what_it_stores)
{
    struct sw_file_backed_options options = SW_FILE_BACKED_OPTIONS_INIT;
    struct sw_carrier *carrier SW__OWNED_CARRIER = with_slots(0, SW_INT32);
    struct sw_carrier *made = NULL;
    int supported;

    options.dtype = SW_BOOL;
    ck_assert_int_eq(sw_file_backed_new(&options, &made), SW_VALUE_ERROR);
    options.dtype = SW_FLOAT64;
    ck_assert_int_eq(sw_file_backed_new(&options, &made), SW_VALUE_ERROR);
    options.dtype = SW_DTYPE_NONE;
    ck_assert_int_eq(sw_file_backed_new(&options, &made), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_carrier_allocate_like(carrier, 1, 1, SW_BOOL, 0, &made), SW_VALUE_ERROR);
    OK(sw_carrier_supports_dtype(carrier, SW_BOOL, &supported));
    ck_assert_int_eq(supported, 0);
    OK(sw_carrier_supports_dtype(carrier, SW_FLOAT32, &supported));
    ck_assert_int_eq(supported, 1);
    ck_assert_ptr_null(made);
}
END_TEST

START_TEST(names_are_plain_and_used_once)
{
    static const char *const refused[] = { "a/b", "/a", "", ".", "..", "lock" };
    struct sw_file_backed_options options = SW_FILE_BACKED_OPTIONS_INIT;
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;
    struct sw_carrier *second = NULL;
    char too_long[300];

    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        options.filename = refused[i];
        ck_assert_msg(sw_file_backed_new(&options, &second) == SW_VALUE_ERROR, "\"%s\"", refused[i]);
    }
    memset(too_long, 'x', sizeof too_long - 1);
    too_long[sizeof too_long - 1] = '\0';
    options.filename = too_long;
    ck_assert_int_eq(sw_file_backed_new(&options, &second), SW_VALUE_ERROR);
    options.filename = "weights";
    OK(sw_file_backed_new(&options, &carrier));
    ck_assert_str_eq(strrchr(sw_file_backed_path(carrier), '/'), "/weights");
    ck_assert_int_eq(sw_file_backed_new(&options, &second), SW_VALUE_ERROR);
    ck_assert_ptr_null(second);
    ck_assert(exists(sw_file_backed_path(carrier)));
    OK(sw_carrier_release(carrier));
    OK(sw_file_backed_new(&options, &second));
    sw_carrier_unref(second);
}
END_TEST

START_TEST(it_computes_and_scatters_nothing)
{
    struct sw_carrier *carrier SW__OWNED_CARRIER = with_slots(2, SW_FLOAT32);
    struct sw_operation *operation = NULL;

    ck_assert_int_eq(sw_carrier_dispatch(carrier, "add", &operation), SW_NOT_IMPLEMENTED_ERROR);
    ck_assert_int_eq(sw_carrier_dispatch(carrier, "view", &operation), SW_NOT_IMPLEMENTED_ERROR);
    ck_assert_int_eq(sw_carrier_scatter(carrier, NULL, NULL, NULL, 0), SW_NOT_IMPLEMENTED_ERROR);
    ck_assert_ptr_null(operation);
}
END_TEST

START_TEST(an_immutable_one_cannot_be_written_but_released)
{
    struct sw_file_backed_options options = SW_FILE_BACKED_OPTIONS_INIT;
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;

    options.immutable = 1;
    OK(sw_file_backed_new(&options, &carrier));
    ck_assert_int_eq(sw_carrier_set(carrier, 0, FLOATING(1)), SW_RUNTIME_ERROR);
    OK(sw_carrier_release(carrier));
}
END_TEST

START_TEST(release_and_destruction_remove_the_file)
{
    struct sw_carrier *carrier = with_slots(2, SW_FLOAT32), *made = NULL;
    struct sw_scalar value;
    char path[256];

    snprintf(path, sizeof path, "%s", sw_file_backed_path(carrier));
    OK(sw_carrier_release(carrier));
    ck_assert(!exists(path));
    ck_assert_ptr_null(sw_file_backed_path(carrier));
    ck_assert_uint_eq(sw_carrier_size(carrier), 0);
    ck_assert_int_eq(sw_carrier_dtype(carrier), SW_FLOAT32);
    ck_assert_int_eq(sw_carrier_get(carrier, 0, &value), SW_RUNTIME_ERROR);
    OK(sw_carrier_allocate_like(carrier, 1, 1, SW_INT32, 0, &made));
    snprintf(path, sizeof path, "%s", sw_file_backed_path(made));
    ck_assert(exists(path));
    sw_carrier_unref(made);
    ck_assert(!exists(path));
    sw_carrier_unref(carrier);
}
END_TEST

START_TEST(a_file_that_vanished_or_shrank_is_an_error_of_the_system)
{
    struct sw_carrier *carrier SW__OWNED_CARRIER = with_slots(2, SW_FLOAT32);
    struct sw_scalar value = floating(9);

    ck_assert_int_eq(truncate(sw_file_backed_path(carrier), 4), 0);
    OK(sw_carrier_get(carrier, 0, &value));
    ck_assert_int_eq(sw_carrier_get(carrier, 1, &value), SW_OS_ERROR);
    ck_assert_ptr_nonnull(strstr(sw_error_message(), "ends before"));
    ck_assert_int_eq(unlink(sw_file_backed_path(carrier)), 0);
    ck_assert_int_eq(sw_carrier_get(carrier, 0, &value), SW_OS_ERROR);
    ck_assert_int_eq(sw_carrier_set(carrier, 0, FLOATING(1)), SW_OS_ERROR);
    ck_assert_uint_eq(sw_carrier_version(carrier), 0);
    ck_assert_double_eq(value.as.floating, 0);
    OK(sw_carrier_release(carrier));
}
END_TEST

START_TEST(the_limit_of_file_sizes_is_an_error_and_no_signal)
{
    struct sw_carrier *carrier SW__OWNED_CARRIER = with_slots(2, SW_FLOAT32);
    struct sw_carrier *made = NULL;
    struct rlimit limit = { 4096, RLIM_INFINITY };

    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ck_assert_int_eq(sw_carrier_allocate_like(carrier, 1025, 1, SW_FLOAT32, 0, &made), SW_OS_ERROR);
    ck_assert_ptr_null(made);
    OK(sw_carrier_allocate_like(carrier, 1024, 1, SW_FLOAT32, 0, &made));
    limit.rlim_cur = RLIM_INFINITY;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    sw_carrier_unref(made);
}
END_TEST

START_TEST(a_place_without_a_directory_is_an_error)
{
    struct sw_carrier *carrier = NULL;

    setenv("TMPDIR", "/nonexistent/place", 1);
    ck_assert_int_eq(sw_file_backed_new(NULL, &carrier), SW_OS_ERROR);
    ck_assert_ptr_nonnull(strstr(sw_error_message(), "/nonexistent/place"));
    ck_assert_ptr_null(carrier);
}
END_TEST

/* ---- Processes ------------------------------------------------------------------------ */

static struct sw_carrier *kept; /* where a leak detector sees it */

static int make_and_keep(void)
{
    return sw_file_backed_new(NULL, &kept) != SW_OK;
}

START_TEST(exit_removes_the_directory_and_what_is_left_in_it)
{
    begin();
    in_child(make_and_keep, 0);
    ck_assert_int_eq(n_entries(place), 0);
}
END_TEST

START_TEST(the_next_process_removes_what_a_killed_one_left)
{
    begin();
    in_child(make_and_keep, 1);
    ck_assert_int_eq(n_entries(place), 1);
    in_child(make_and_keep, 0);
    ck_assert_int_eq(n_entries(place), 0);
}
END_TEST

START_TEST(the_directory_of_a_living_process_is_left_alone)
{
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;

    begin();
    OK(sw_file_backed_new(NULL, &carrier));
    in_child(make_and_keep, 0);
    ck_assert(exists(sw_file_backed_path(carrier)));
    ck_assert_int_eq(n_entries(place), 1);
}
END_TEST

static struct sw_carrier *inherited;

static int look_at_inherited(void)
{
    struct sw_scalar value;
    int wrong = sw_carrier_get(inherited, 0, &value) != SW_OK || value.as.floating != 5 ||
                sw_carrier_is_mutable(inherited) || sw_carrier_set(inherited, 0, FLOATING(6)) != SW_RUNTIME_ERROR;

    return wrong || sw_carrier_release(inherited) != SW_OK;
}

START_TEST(a_child_reads_what_it_inherits_and_removes_nothing)
{
    begin();
    inherited = with_slots(1, SW_FLOAT32);
    OK(sw_carrier_set(inherited, 0, FLOATING(5)));
    in_child(look_at_inherited, 0);
    ck_assert_double_eq(slot(inherited, 0), 5);
    ck_assert(sw_carrier_is_mutable(inherited));
    sw_carrier_unref(inherited);
}
END_TEST

CHECK_MAIN("file_backed", a_new_carrier_has_no_slots_and_an_empty_private_file,
           slots_are_native_values_and_zero_at_first, values_are_normalised_and_refused_as_elsewhere,
           float32_and_int32_are_what_it_stores, names_are_plain_and_used_once, it_computes_and_scatters_nothing,
           an_immutable_one_cannot_be_written_but_released, release_and_destruction_remove_the_file,
           a_file_that_vanished_or_shrank_is_an_error_of_the_system, the_limit_of_file_sizes_is_an_error_and_no_signal,
           a_place_without_a_directory_is_an_error, exit_removes_the_directory_and_what_is_left_in_it,
           the_next_process_removes_what_a_killed_one_left, the_directory_of_a_living_process_is_left_alone,
           a_child_reads_what_it_inherits_and_removes_nothing)
