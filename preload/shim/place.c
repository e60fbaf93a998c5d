/*
 * Naming and opening of the report's file.
 */
#define _GNU_SOURCE 1 /* O_TMPFILE, O_PATH */
#include "config.h"

#include "shim/place.h"

#include <errno.h>
#include <sys/stat.h>

#include <swprof/format.h>

#include "record/sys.h"
#include "record/text.h"

#define DEFAULT_DIRECTORY "/dev/shm/"
#define MOST_TRIES 1000

/* Characters that a file name of ours may have; others become underscores. */
static int is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-' || c == '+';
}

static void add_plain(struct sw__text *to, const char *text)
{
    for (; *text != '\0'; text++)
        sw__text_add_bytes(to, is_plain(*text) ? text : "_", 1);
}

static void add_default_name(struct sw__text *to, const struct process *process)
{
    sw__text_add(to, "swprof-");
    sw__text_add_number(to, process->uid);
    sw__text_add(to, "-");
    add_plain(to, process->program);
    sw__text_add(to, "-");
    sw__text_add_number(to, (uint64_t)process->pid);
    sw__text_add(to, "-");
    sw__text_add_number(to, process->start_time);
    sw__text_add(to, "-");
    sw__text_add_number(to, process->pid_namespace);
}

static void add_expanded(struct sw__text *to, const struct settings *settings, const struct process *process)
{
    for (const char *at = settings->output; *at != '\0'; at++) {
        if (*at != '%') {
            sw__text_add_bytes(to, at, 1);
            continue;
        }
        switch (*++at) {
        case 'p':
            sw__text_add_number(to, (uint64_t)process->pid);
            break;
        case 'n':
            add_plain(to, process->program);
            break;
        case 'h':
            add_plain(to, process->host);
            break;
        case 'r':
            sw__text_add_number(to, settings->rank < 0 ? 0 : (uint64_t)settings->rank);
            break;
        case 't':
            sw__text_add_number(to, process->start_time);
            break;
        default:
            sw__text_add_bytes(to, at, 1);
        }
    }
}

static int is_directory(const char *path)
{
    struct stat status;

    return syscall(SYS_newfstatat, AT_FDCWD, path, &status, 0) == 0 && S_ISDIR(status.st_mode);
}

/* An empty file for the owner alone, whatever the umask says. */
static int private_file(int file)
{
    if (file >= 0)
        syscall(SYS_fchmod, file, 0600);
    return file;
}

static int open_in(const struct place *place, const char *name, int flags)
{
    return (int)syscall(SYS_openat, place->directory, name, flags | O_CLOEXEC, 0600);
}

static int create_named(const struct place *place)
{
    return private_file(open_in(place, place->name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW));
}

/* Where the kernel shows an open file. */
struct link_text {
    char text[64];
};

static struct link_text link_to(int file)
{
    struct link_text link;
    struct sw__text text = sw__text_in(link.text, sizeof link.text);

    sw__text_add(&text, "/proc/self/fd/");
    sw__text_add_number(&text, (uint64_t)file);
    return link;
}

/* A nameless file can be named only where there is a /proc. */
static int can_be_named(int file)
{
    struct stat status;

    return syscall(SYS_newfstatat, AT_FDCWD, link_to(file).text, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

static int create_nameless(const struct place *place)
{
    int file = private_file(open_in(place, ".", O_RDWR | O_TMPFILE));

    if (file >= 0 && !can_be_named(file)) {
        sw__sys_close(file);
        return -1;
    }
    return file;
}

/* Give a nameless file its name: never over another. */
static int name_it(const struct place *place, int file)
{
    return syscall(SYS_linkat, AT_FDCWD, link_to(file).text, place->directory, place->name, AT_SYMLINK_FOLLOW) == 0
               ? file
               : -1;
}

enum standing { FOREIGN, ABANDONED, IN_USE };

/* Whether the program of a report may still run. In another PID namespace numbers tell nothing. */
static int may_run(const struct process *process, const struct swprof_header *header)
{
    if (header->state == SWPROF_REPORT_FROZEN)
        return 0;
    if (!process->sees_others || (header->pid_namespace != 0 && header->pid_namespace != process->pid_namespace))
        return 1;
    return header->pid > 0 && process_start_time(header->pid) == header->start_time;
}

static int is_ours(const struct process *process, const struct swprof_header *header)
{
    return header->pid == process->pid && header->start_time == process->start_time &&
           (header->pid_namespace == 0 || header->pid_namespace == process->pid_namespace);
}

/* What stands at a name that exists. */
static enum standing look_at(const struct place *place, struct swprof_header *header)
{
    const struct process *process = place->process;
    struct stat status;
    enum standing standing = FOREIGN;
    int file = open_in(place, place->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);

    if (file < 0)
        return FOREIGN;
    if (syscall(SYS_fstat, file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == process->uid &&
        sw__sys_read(file, header, sizeof *header) == (long)sizeof *header &&
        sw__same(header->magic, SWPROF_MAGIC, SWPROF_MAGIC_BYTES))
        standing = is_ours(process, header) || may_run(process, header) ? IN_USE : ABANDONED;
    sw__sys_close(file);
    return standing;
}

static void compose(struct place *place)
{
    struct sw__text name = sw__text_in(place->path, place->room);

    place->chosen = place->settings->output[0] != '\0';
    if (place->chosen)
        add_expanded(&name, place->settings, place->process);
    else
        sw__text_add(&name, DEFAULT_DIRECTORY);
    if (place->chosen && !name.cut && is_directory(place->path)) {
        if (name.used != 0 && place->path[name.used - 1] != '/')
            sw__text_add(&name, "/");
        place->chosen = 0;
    }
    if (!place->chosen)
        add_default_name(&name, place->process);
    place->stem = name.cut ? 0 : name.used;
}

/* The name itself, or "name.number". */
static int use_number(struct place *place, uint64_t number)
{
    struct sw__text name = {place->path, place->room, place->stem, 0};

    place->path[place->stem] = '\0';
    if (number != 0) {
        sw__text_add(&name, ".");
        sw__text_add_number(&name, number);
    }
    return !name.cut;
}

/* One try to have @file (nameless) or a new file under the current name. */
static int attempt(const struct place *place, int file)
{
    return place->nameless ? name_it(place, file) : create_named(place);
}

/* Find a name that is free, or whose bearer may go. A descriptor, or -1 with errno set. */
static int settle(struct place *place, int file, struct scratch *scratch)
{
    for (uint64_t i = 0; i < MOST_TRIES && use_number(place, i); i++) {
        enum standing standing;
        int got = attempt(place, file);

        if (got >= 0 || errno != EEXIST)
            return got;
        standing = look_at(place, (struct swprof_header *)(void *)scratch->bytes);
        if (standing == FOREIGN && place->chosen)
            break;
        if (standing == ABANDONED && place->chosen && syscall(SYS_unlinkat, place->directory, place->name, 0) == 0 &&
            (got = attempt(place, file)) >= 0)
            return got;
    }
    errno = EEXIST;
    return -1;
}

/*
 * The directory is opened once, and everything is done in it: a path that is
 * made to lead elsewhere meanwhile changes nothing.
 */
static int open_directory(struct place *place)
{
    size_t slash = 0;
    char kept;

    for (size_t i = 0; place->path[i] != '\0'; i++)
        if (place->path[i] == '/')
            slash = i;
    place->name = place->path + slash + 1;
    kept = place->path[slash + 1];
    place->path[slash + 1] = '\0';
    place->directory = sw__sys_open(place->path, O_PATH | O_DIRECTORY, 0);
    place->path[slash + 1] = kept;
    return place->directory >= 0;
}

int place_open(struct place *place, struct scratch *scratch)
{
    int file;

    compose(place);
    if (place->stem == 0) {
        errno = ENAMETOOLONG;
        return -1;
    }
    if (!open_directory(place))
        return -1;
    file = create_nameless(place);
    place->nameless = file >= 0;
    if (!place->nameless)
        file = settle(place, -1, scratch);
    if (file < 0)
        place_close(place);
    return file;
}

int place_show(struct place *place, int file, struct scratch *scratch)
{
    return !place->nameless || settle(place, file, scratch) >= 0 ? 0 : errno;
}

void place_give_up(const struct place *place)
{
    if (!place->nameless)
        syscall(SYS_unlinkat, place->directory, place->name, 0);
}

void place_close(struct place *place)
{
    int error = errno;

    sw__sys_close(place->directory);
    place->directory = -1;
    errno = error;
}
