/*
 * When the system refuses: a full disk, a limit, a file that is gone, cut or
 * no file any more. Every call on a FileBacked carrier then says OSError in a
 * sentence, no signal comes, outputs and values stay, nothing is left over, and
 * once the fault is mended the same call works.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* unshare */

#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/inject.h"
#include "op/op_test.h"

/* Much beside what Check writes into a file of its own: the limit of file sizes concerns that, too. */
#define N_SLOTS 3000

static char place[] = "/tmp/sw-file-faults-XXXXXX";

static struct sw_carrier *files;  /* N_SLOTS values, the ordinals */
static struct sw_tensor *in_file; /* all of them */

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

static int n_files(void)
{
    char directory[256];

    snprintf(directory, sizeof directory, "%s", sw_file_backed_path(files));
    *strrchr(directory, '/') = '\0';
    return n_entries(directory);
}

static struct sw_tensor *all_of(struct sw_carrier *carrier)
{
    const int64_t n = N_SLOTS;
    struct sw_layout *layout;
    struct sw_tensor *tensor;

    assert_ok(sw_layout_column_major(&n, 1, &layout));
    assert_ok(sw_tensor_new(carrier, 0, layout, &tensor));
    sw_layout_unref(layout);
    return tensor;
}

/* Past the library, which writes such a tensor slot by slot. */
static void write_ordinals(void)
{
    FILE *file = fopen(sw_file_backed_path(files), "r+b");
    float values[N_SLOTS];

    for (int i = 0; i < N_SLOTS; i++)
        values[i] = (float)i;
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(values, sizeof *values, N_SLOTS, file), N_SLOTS);
    ck_assert_int_eq(fclose(file), 0);
}

static void begin(void)
{
    struct sw_carrier *empty;

    assert_ok(sw_file_backed_new(NULL, &empty));
    assert_ok(sw_carrier_allocate_like(empty, N_SLOTS, 1, SW_FLOAT32, 0, &files));
    sw_carrier_unref(empty);
    in_file = all_of(files);
    write_ordinals();
}

static void end(void)
{
    sw_tensor_unref(in_file);
    sw_carrier_unref(files);
}

/* ---- Calls: outputs are checked by whoever makes them ------------------------------------------------- */

static enum sw_status read_slot(void)
{
    struct sw_scalar value = { .kind = SW_SCALAR_INTEGER, .as.integer = 4711 };
    enum sw_status status = sw_carrier_get(files, N_SLOTS - 1, &value);

    ck_assert(status == SW_OK ? value.as.floating == N_SLOTS - 1 : value.as.integer == 4711);
    return status;
}

static enum sw_status read_all(void)
{
    float values[N_SLOTS] = { 0 };
    enum sw_status status = sw_tensor_read_f32(in_file, values, N_SLOTS);

    ck_assert(status != SW_OK || values[N_SLOTS - 1] == N_SLOTS - 1);
    return status;
}

/* The value that is there. */
static enum sw_status write_slot(void)
{
    struct sw_scalar value = { .kind = SW_SCALAR_FLOATING, .as.floating = N_SLOTS - 1 };

    return sw_carrier_set(files, N_SLOTS - 1, &value);
}

static enum sw_status write_all(void)
{
    float values[N_SLOTS];

    for (int i = 0; i < N_SLOTS; i++)
        values[i] = (float)i;
    return sw_tensor_write_f32(in_file, values, N_SLOTS);
}

static enum sw_status make_file(void)
{
    struct sw_carrier *made = NULL;
    enum sw_status status = sw_file_backed_new(NULL, &made);

    ck_assert((status == SW_OK) == (made != NULL));
    sw_carrier_unref(made);
    return status;
}

static enum sw_status allocate(void)
{
    struct sw_carrier *made = NULL;
    enum sw_status status = sw_carrier_allocate_like(files, N_SLOTS, 1, SW_FLOAT32, 0, &made);

    ck_assert((status == SW_OK) == (made != NULL));
    sw_carrier_unref(made);
    return status;
}

/* As many slots, the first of them 5. */
static struct sw_carrier *in_host_memory(void)
{
    struct sw_carrier *empty = carrier_of(sw_cpu_class(), SW_FLOAT32, NULL, 0), *carrier;
    const struct sw_scalar five = { .kind = SW_SCALAR_FLOATING, .as.floating = 5 };

    assert_ok(sw_carrier_allocate_like(empty, N_SLOTS, 1, SW_FLOAT32, 0, &carrier));
    assert_ok(sw_carrier_set(carrier, 0, &five));
    sw_carrier_unref(empty);
    return carrier;
}

/* From host memory; a move that fails keeps its source. */
static enum sw_status move_to_file(void)
{
    struct sw_carrier *carrier = in_host_memory(), *destination = NULL;
    struct sw_tensor *source = all_of(carrier), *moved = NULL;
    enum sw_status status = sw_file_backed_new(NULL, &destination);

    if (status == SW_OK)
        status = sw_move(source, destination, &moved);
    ck_assert((status == SW_OK) == (moved != NULL));
    if (status != SW_OK)
        ck_assert_double_eq(value_at(source, 0), 5);
    sw_tensor_unref(moved);
    sw_carrier_unref(destination);
    sw_tensor_unref(source);
    sw_carrier_unref(carrier);
    return status;
}

/* There and back again: an eviction that fails leaves the values where they were. */
static enum sw_status evict(void)
{
    struct sw_carrier *primary = in_host_memory();
    struct sw_carrier *secondary = NULL, *carrier = NULL;
    struct sw_scalar value;
    enum sw_status status = sw_file_backed_new(NULL, &secondary);

    if (status == SW_OK) {
        assert_ok(sw_evictable_new(primary, secondary, &carrier));
        status = sw_evictable_evict(carrier);
        ck_assert_int_eq(sw_evictable_is_evicted(carrier), status == SW_OK);
        if (status == SW_OK)
            assert_ok(sw_evictable_promote(carrier));
        assert_ok(sw_carrier_get(carrier, 0, &value));
        ck_assert_double_eq(value.as.floating, 5);
    }
    sw_carrier_unref(carrier);
    sw_carrier_unref(secondary);
    sw_carrier_unref(primary);
    return status;
}

/* ---- Faults: what is done to the file or the process, and mended ---------------------------------------- */

static void limit_to(__rlimit_resource_t resource, rlim_t current)
{
    struct rlimit limit;

    ck_assert_int_eq(getrlimit(resource, &limit), 0);
    limit.rlim_cur = current == RLIM_INFINITY ? limit.rlim_max : current;
    ck_assert_int_eq(setrlimit(resource, &limit), 0);
}

static void take_descriptors(void)
{
    limit_to(RLIMIT_NOFILE, 0);
}

static void give_descriptors(void)
{
    limit_to(RLIMIT_NOFILE, 256);
}

static void limit_files(void)
{
    limit_to(RLIMIT_FSIZE, N_SLOTS * 3);
}

static void unlimit_files(void)
{
    limit_to(RLIMIT_FSIZE, RLIM_INFINITY);
}

static char kept_aside[300];

static void remove_file(void)
{
    snprintf(kept_aside, sizeof kept_aside, "%s/aside", place);
    ck_assert_int_eq(rename(sw_file_backed_path(files), kept_aside), 0);
}

static void restore_file(void)
{
    ck_assert_int_eq(rename(kept_aside, sw_file_backed_path(files)), 0);
}

/* Opening it for reading works, reading does not. */
static void replace_by_directory(void)
{
    remove_file();
    ck_assert_int_eq(mkdir(sw_file_backed_path(files), 0700), 0);
}

static void restore_from_directory(void)
{
    ck_assert_int_eq(rmdir(sw_file_backed_path(files)), 0);
    restore_file();
}

static void cut_file(void)
{
    ck_assert_int_eq(truncate(sw_file_backed_path(files), 4), 0);
}

static void lengthen_file(void)
{
    ck_assert_int_eq(truncate(sw_file_backed_path(files), N_SLOTS * 4), 0);
    write_ordinals();
}

enum kind { READS, WRITES, MAKES, MAKES_EMPTY };

static const struct call {
    const char *name;
    enum sw_status (*make)(void);
    enum kind kind;
} calls[] = {
#define CALL(name, kind) { #name, name, kind }
    CALL(read_slot, READS),    CALL(read_all, READS),      CALL(write_slot, WRITES), CALL(write_all, WRITES),
    CALL(allocate, MAKES),     CALL(move_to_file, MAKES),  CALL(evict, MAKES),       CALL(make_file, MAKES_EMPTY),
#undef CALL
};

#define FAILS(kind) (1u << (kind))

static const struct fault {
    const char *name;
    void (*begin)(void);
    void (*end)(void);
    unsigned fails; /* bits by kind of call */
} faults[] = {
    { "no descriptors", take_descriptors, give_descriptors,
      FAILS(READS) | FAILS(WRITES) | FAILS(MAKES) | FAILS(MAKES_EMPTY) },
    { "a limit of file sizes", limit_files, unlimit_files, FAILS(WRITES) | FAILS(MAKES) },
    { "a removed file", remove_file, restore_file, FAILS(READS) | FAILS(WRITES) },
    { "a directory instead", replace_by_directory, restore_from_directory, FAILS(READS) | FAILS(WRITES) },
    { "a cut file", cut_file, lengthen_file, FAILS(READS) | FAILS(WRITES) },
};

static void check_call(const struct fault *fault, const struct call *call)
{
    const int fails = (fault->fails & FAILS(call->kind)) != 0;
    const int before = n_files();
#ifdef SW_FAILURE_INJECTION
    const uint64_t n_live = sw__inject_n_live();
#endif

    fault->begin();
    const enum sw_status status = call->make();
    const char *message = sw_error_message();
    fault->end();
    ck_assert_msg(status == (fails ? SW_OS_ERROR : SW_OK), "%s with %s: %s (%s)", call->name, fault->name,
                  sw_status_name(status), message);
    ck_assert_msg(!fails || strlen(message) > 10, "%s with %s: \"%s\"", call->name, fault->name, message);
    ck_assert_msg(n_files() == before, "%s with %s leaves files", call->name, fault->name);
#ifdef SW_FAILURE_INJECTION
    ck_assert_msg(sw__inject_n_live() == n_live, "%s with %s leaves memory", call->name, fault->name);
#endif
    ck_assert_msg(call->make() == SW_OK, "%s after %s: %s", call->name, fault->name, sw_error_message());
    ck_assert_msg(read_all() == SW_OK, "%s", sw_error_message());
}

START_TEST(what_the_system_refuses_is_an_error_of_the_system)
{
    const struct call *call = &calls[(size_t)_i % N_OF(calls)];
    struct sw_carrier *none = NULL;

    begin();
    /* The first makes what stays: names, the text of an error. */
    assert_ok(call->make());
    assert_status(sw_carrier_allocate_like(files, -1, 1, SW_FLOAT32, 0, &none), SW_VALUE_ERROR);
    check_call(&faults[(size_t)_i / N_OF(calls)], call);
    end();
}
END_TEST

/* ---- A disk that is full ------------------------------------------------------------------------------------ */

/* One of 64 KiB, of this process alone; 0 where that is not permitted. */
static int has_small_disk(void)
{
    if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
        return 0;
    return mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("small", place, "tmpfs", 0, "size=64k") == 0;
}

static void on_small_disk(void)
{
    struct sw_carrier *empty, *kept, *more = NULL;
    struct sw_scalar value;

    assert_ok(sw_file_backed_new(NULL, &empty));
    assert_ok(sw_carrier_allocate_like(empty, 10000, 1, SW_FLOAT32, 0, &kept));
    const struct sw_scalar seven = { .kind = SW_SCALAR_FLOATING, .as.floating = 7 };
    assert_ok(sw_carrier_set(kept, 9999, &seven));
    files = kept;
    const int before = n_files();
    assert_status(sw_carrier_allocate_like(empty, 10000, 1, SW_FLOAT32, 0, &more), SW_OS_ERROR);
    ck_assert_ptr_nonnull(strstr(sw_error_message(), "no room"));
    ck_assert_ptr_null(more);
    ck_assert_int_eq(n_files(), before);
    /* What was given is there to be written, and what is given back is there for others. */
    assert_ok(sw_carrier_set(kept, 0, &seven));
    assert_ok(sw_carrier_get(kept, 9999, &value));
    ck_assert_double_eq(value.as.floating, 7);
    assert_ok(sw_carrier_release(kept));
    assert_ok(sw_carrier_allocate_like(empty, 10000, 1, SW_FLOAT32, 0, &more));
    sw_carrier_unref(more);
    sw_carrier_unref(kept);
    sw_carrier_unref(empty);
}

START_TEST(a_full_disk_refuses_new_slots_and_keeps_those_that_are_there)
{
    if (has_small_disk())
        on_small_disk();
    else
        puts("no full disk: a file system cannot be mounted here");
}
END_TEST

int main(void)
{
    const TTest *const disk[] = { a_full_disk_refuses_new_slots_and_keeps_those_that_are_there };

    if (mkdtemp(place) == NULL || setenv("TMPDIR", place, 1) != 0)
        return EXIT_FAILURE;
    int failed = check_main_each("file_faults", what_the_system_refuses_is_an_error_of_the_system,
                                 N_OF(faults) * N_OF(calls));
    failed |= check_main("full disk", disk, 1);
    /* Refused when anything is left in it. */
    if (rmdir(place) != 0)
        failed = EXIT_FAILURE;
    return failed;
}
