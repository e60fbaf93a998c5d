/*
 * Creating the report, handing out its blocks, freezing it.
 */
#include "config.h"

#include "shim/report.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>

#include "record/clock.h"
#include "record/sys.h"
#include "record/text.h"
#include "shim/memory.h"
#include "shim/place.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

#define LEAST_BYTES (UINT64_C(64) << 10)
/* The limits are looked at again after so much was handed out. */
#define LOOK_BYTES (UINT64_C(256) << 10)
/* A ring gives all that there is to events, but for this part. */
#define RING_NOTES_PART 16
/* A 32nd of the cap is kept for what must have room to the end, a 16th of a larger one. */
#define LEAST_RESERVE_BYTES (UINT64_C(16) << 10)
#define RESERVE_MORE_BYTES (UINT64_C(16) << 20)

/* Kernels before 5.14: let the kernel itself write to each page; it gets EFAULT where we would get SIGBUS. */
static int touch_by_kernel(char *page)
{
    if (syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, page, sizeof(uint64_t)) != 0)
        return 0;
    sw__zero(page, sizeof(uint64_t));
    return 1;
}

int report_populate(void *memory, uint64_t n_bytes)
{
    if (sw__sys_advise(memory, n_bytes, MADV_POPULATE_WRITE) == 0)
        return 1;
    if (errno != EINVAL)
        return 0;
    for (uint64_t at = 0; at < n_bytes; at += SWPROF_BLOCK_ALIGN)
        if (!touch_by_kernel((char *)memory + at))
            return 0;
    return 1;
}

static uint64_t least_of(uint64_t left, uint64_t right)
{
    return left < right ? left : right;
}

/* A limit on file sizes sends a signal along with its error; nobody is to see it. */
static int set_size(int file, uint64_t n_bytes)
{
    const struct timespec at_once = {0, 0};
    const uint64_t size_signal = UINT64_C(1) << (SIGXFSZ - 1);

    if (syscall(SYS_ftruncate, file, n_bytes) == 0)
        return 0;
    int error = errno;
    if (error == EFBIG)
        syscall(SYS_rt_sigtimedwait, &size_signal, NULL, &at_once, sizeof size_signal);
    return error;
}

/* Map as much as the address space has room for, halving from @cap. */
static int map_file(struct report *report, int file, uint64_t cap, uint64_t *mapped)
{
    for (; cap >= LEAST_BYTES; cap = cap / 2 & ~(uint64_t)(SWPROF_BLOCK_ALIGN - 1)) {
        void *memory = memory_map(cap, MAP_SHARED | MAP_NORESERVE, file);

        if (memory != NULL) {
            /* A child has no way to write here, and a core dump no use for it. */
            sw__sys_advise(memory, cap, MADV_DONTFORK);
            sw__sys_advise(memory, cap, MADV_DONTDUMP);
            report->header = memory;
            *mapped = cap;
            return 0;
        }
        /* EAGAIN: more than may be locked, where all is. */
        if (errno != ENOMEM && errno != EAGAIN)
            break;
    }
    return errno != 0 ? errno : ENOMEM;
}

static int map_new_file(struct report *report, const struct report_facts *facts, int file, struct scratch *scratch)
{
    struct stat status;
    uint64_t cap = least_of(facts->settings->buffer_bytes, limits_file_bytes());
    int error;

    limits_find(&report->limits, report->path, scratch);
    cap = least_of(cap, limits_spare(&report->limits, scratch));
    cap &= ~(uint64_t)(SWPROF_BLOCK_ALIGN - 1);
    if (cap < LEAST_BYTES)
        return ENOSPC;
    if (syscall(SYS_fstat, file, &status) != 0)
        return errno;
    report->device = status.st_dev;
    report->inode = status.st_ino;
    error = set_size(file, cap);
    if (error == 0)
        error = map_file(report, file, cap, &cap);
    if (error == 0 && !report_populate(report->header, SWPROF_HEADER_BYTES)) {
        sw__sys_unmap(report->header, cap);
        report->header = NULL;
        error = ENOSPC;
    }
    if (error != 0)
        return error;
    report->header->cap_bytes = cap;
    report->reserve_bytes = cap / (cap < RESERVE_MORE_BYTES ? 32 : 16) & ~(uint64_t)(SWPROF_BLOCK_ALIGN - 1);
    if (report->reserve_bytes < LEAST_RESERVE_BYTES)
        report->reserve_bytes = LEAST_RESERVE_BYTES;
    if (facts->settings->policy == SWPROF_POLICY_RING)
        report->notes_reserve_bytes = cap / RING_NOTES_PART & ~(uint64_t)(SWPROF_BLOCK_ALIGN - 1);
    return 0;
}

static void fill_text(char *field, size_t room, const char *from)
{
    struct sw__text text = sw__text_in(field, room);

    sw__text_add(&text, from);
}

/* What a reader has to know for each policy. */
static const uint64_t features[] = {
    [SWPROF_POLICY_STOP] = SWPROF_FEATURE_THREADS,
    [SWPROF_POLICY_RING] = SWPROF_FEATURE_THREADS | SWPROF_FEATURE_RING,
    [SWPROF_POLICY_SUMMARY] = SWPROF_FEATURE_THREADS | SWPROF_FEATURE_SUMMARY,
};

static void fill_header(struct swprof_header *header, const struct report_facts *facts)
{
    const struct process *process = facts->process;

    header->byte_order = SWPROF_BYTE_ORDER;
    header->major = SWPROF_MAJOR;
    header->minor = SWPROF_MINOR;
    header->header_bytes = SWPROF_HEADER_BYTES;
    header->state = SWPROF_REPORT_RECORDING;
    header->policy = facts->settings->policy;
    header->incompatible = features[facts->settings->policy];
    header->used_bytes = SWPROF_HEADER_BYTES;
    header->pid = process->pid;
    header->uid = process->uid;
    header->start_time = process->start_time;
    header->pid_namespace = process->pid_namespace;
    header->clock = facts->clock;
    header->rank = facts->settings->rank;
    header->first = facts->first;
    header->realtime_ns = facts->realtime_ns;
    header->stack_depth = facts->settings->stack;
    header->stacks = facts->stacks;
    header->shapes_requested = facts->settings->shapes != 0;
    sw__clock_anchor(facts->clock, &header->last);
    fill_text(header->program, sizeof header->program, process->program);
    fill_text(header->host, sizeof header->host, process->host);
    fill_text(header->executable, sizeof header->executable, process->executable);
    fill_text(header->command_line, sizeof header->command_line, process->command_line);
    fill_text(header->carriers, sizeof header->carriers, facts->settings->carriers);
    /* Until the magic stands there this is no report. */
    uint64_t magic;
    sw__copy(&magic, SWPROF_MAGIC, sizeof magic);
    __atomic_store_n((uint64_t *)(void *)header->magic, magic, __ATOMIC_RELEASE);
}

int report_create(struct report *report, const struct report_facts *facts, struct scratch *scratch)
{
    struct place place = {.settings = facts->settings,
                          .process = facts->process,
                          .path = report->path,
                          .room = sizeof report->path};
    int file = place_open(&place, scratch);
    int error;

    if (file < 0)
        return errno;
    report->clock = facts->clock;
    error = map_new_file(report, facts, file, scratch);
    if (error == 0) {
        fill_header(report->header, facts);
        error = place_show(&place, file, scratch);
        if (error != 0)
            sw__sys_unmap(report->header, report->header->cap_bytes);
    }
    if (error != 0)
        place_give_up(&place);
    place_close(&place);
    sw__sys_close(file);
    return error;
}

void report_discard(struct report *report)
{
    struct stat status;

    /* Not what else may stand there by now. */
    if (syscall(SYS_newfstatat, AT_FDCWD, report->path, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        status.st_dev == report->device && status.st_ino == report->inode)
        syscall(SYS_unlinkat, AT_FDCWD, report->path, 0);
    sw__sys_unmap(report->header, report->header->cap_bytes);
    report->header = NULL;
}

/* What may grow without end leaves room for names, threads and aggregates; and events, which a ring never ends, for shapes and stacks. */
static uint64_t reserved_from(const struct report *report, uint32_t type)
{
    if (type == SWPROF_BLOCK_SHAPES || type == SWPROF_BLOCK_STACKS)
        return report->reserve_bytes / 2;
    if (type == SWPROF_BLOCK_NOTES)
        return report->reserve_bytes;
    if (type == SWPROF_BLOCK_EVENTS)
        return report->reserve_bytes +
               (report->note_bytes < report->notes_reserve_bytes ? report->notes_reserve_bytes - report->note_bytes : 0);
    return 0;
}

/* Whether a block of so many bytes may be taken now. */
static int may_grow(struct report *report, uint32_t type, uint64_t n_bytes, struct scratch *scratch,
                    enum swprof_lost *reason)
{
    struct swprof_header *header = report->header;
    uint64_t with_reserve = n_bytes + reserved_from(report, type);

    *reason = SWPROF_LOST_FULL;
    if (with_reserve > header->cap_bytes || header->used_bytes > header->cap_bytes - with_reserve)
        return 0;
    if (header->used_bytes + n_bytes - report->looked_at < LOOK_BYTES)
        return 1;
    *reason = SWPROF_LOST_SPACE;
    if (with_reserve > limits_spare(&report->limits, scratch))
        return 0;
    report->looked_at = header->used_bytes;
    return 1;
}

static void set_last_anchor(struct swprof_header *header, const struct swprof_anchor *now)
{
    __atomic_store_n(&header->anchor_sequence, header->anchor_sequence + 1, __ATOMIC_RELAXED);
    /* Release: whoever sees one of these sees the odd number before it. */
    __atomic_store_n(&header->last.ticks, now->ticks, __ATOMIC_RELEASE);
    __atomic_store_n(&header->last.monotonic_ns, now->monotonic_ns, __ATOMIC_RELEASE);
    __atomic_store_n(&header->anchor_sequence, header->anchor_sequence + 1, __ATOMIC_RELEASE);
}

struct swprof_block *report_block(struct report *report, const struct swprof_block *form, struct scratch *scratch,
                                  enum swprof_lost *reason)
{
    struct swprof_header *header = report->header;
    uint64_t n_bytes = report_block_bytes(form);
    struct swprof_block *block;
    struct swprof_anchor now;

    if (!may_grow(report, form->type, n_bytes, scratch, reason))
        return NULL;
    block = (struct swprof_block *)(void *)((char *)header + header->used_bytes);
    *reason = SWPROF_LOST_SPACE;
    if (!report_populate(block, least_of(n_bytes, REPORT_POPULATE_BYTES)))
        return NULL;
    if (form->type == SWPROF_BLOCK_NOTES)
        report->note_bytes += n_bytes;
    block->thread = form->thread;
    block->first_id = form->first_id;
    sw__clock_anchor(report->clock, &now);
    block->anchor = now;
    __atomic_store_n(&header->used_bytes, header->used_bytes + n_bytes, __ATOMIC_RELEASE);
    /* The two halves of the first word in one store. */
    uint64_t word;
    sw__copy(&word, form, sizeof word);
    __atomic_store_n((uint64_t *)(void *)block, word, __ATOMIC_RELEASE);
    set_last_anchor(header, &now);
    return block;
}

void report_renew_anchor(struct report *report)
{
    struct swprof_anchor now;

    sw__clock_anchor(report->clock, &now);
    set_last_anchor(report->header, &now);
}

/* Best effort: where the file cannot be reached any more it stays sparse. */
static void trim(struct report *report)
{
    struct stat status;
    int file = sw__sys_open(report->path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);

    if (file < 0)
        return;
    if (syscall(SYS_fstat, file, &status) == 0 && status.st_dev == report->device && status.st_ino == report->inode) {
        /* From here on nothing can be handed out. */
        report->header->cap_bytes = report->header->used_bytes;
        set_size(file, report->header->used_bytes);
    }
    sw__sys_close(file);
}

void report_freeze(struct report *report)
{
    report_renew_anchor(report);
    trim(report);
    __atomic_store_n(&report->header->state, SWPROF_REPORT_FROZEN, __ATOMIC_RELEASE);
}

void report_thaw(struct report *report)
{
    __atomic_store_n(&report->header->state, SWPROF_REPORT_RECORDING, __ATOMIC_RELEASE);
}
