/*
 * Reading /proc about ourselves.
 */
#include "config.h"

#include "shim/process.h"

#include <sys/utsname.h>

#include "record/sys.h"
#include "record/text.h"

/* The value of a link in /proc; cut to the room. */
static void read_link(const char *path, char *text, size_t room)
{
    long n = syscall(SYS_readlinkat, AT_FDCWD, path, text, room - 1);

    text[n > 0 ? n : 0] = '\0';
}

/* Behind the program's name, which may hold blanks and parentheses, fields count from 3. */
static uint64_t start_time_of(const char *stat)
{
    const char *at = stat;
    uint64_t value = 0;

    for (const char *c = stat; *c != '\0'; c++)
        if (*c == ')')
            at = c + 1;
    for (int field = 3; *at != '\0'; field++) {
        at++;
        if (field == 22)
            return sw__text_number(&at, &value) ? value : 0;
        while (*at != '\0' && *at != ' ')
            at++;
    }
    return 0;
}

uint64_t process_start_time(int32_t pid)
{
    char path[64];
    char stat[1024];
    struct sw__text name = sw__text_in(path, sizeof path);

    sw__text_add(&name, "/proc/");
    sw__text_add_number(&name, (uint64_t)pid);
    sw__text_add(&name, "/stat");
    return sw__sys_read_text(path, stat, sizeof stat) > 0 ? start_time_of(stat) : 0;
}

static uint64_t namespace_of_link(const char *link)
{
    uint64_t inode = 0;

    while (*link != '\0' && *link != '[')
        link++;
    if (*link == '[')
        link++;
    return sw__text_number(&link, &inode) ? inode : 0;
}

static int is_number(const char *text, uint64_t number)
{
    uint64_t value = 0;

    return sw__text_number(&text, &value) && value == number;
}

static void read_program(struct process *process)
{
    const char *name = process->executable;
    char comm[32] = "";

    for (const char *at = name; *at != '\0'; at++)
        if (*at == '/')
            name = at + 1;
    if (*name == '\0') {
        long n = sw__sys_read_text("/proc/self/comm", comm, sizeof comm);

        if (n > 0)
            comm[n - 1] = '\0'; /* the line's end */
        name = comm;
    }
    struct sw__text program = sw__text_in(process->program, sizeof process->program);
    sw__text_add(&program, *name != '\0' ? name : "unknown");
}

static void read_command_line(struct process *process)
{
    char *text = process->command_line;
    long n = sw__sys_read_text("/proc/self/cmdline", text, sizeof process->command_line);

    if (n < 0)
        n = 0;
    while (n > 0 && text[n - 1] == '\0')
        n--;
    for (long i = 0; i < n; i++)
        if (text[i] == '\0')
            text[i] = ' ';
    text[n] = '\0';
}

void process_read(struct process *process, struct scratch *scratch)
{
    char *text = scratch->bytes;
    struct utsname system;

    process->pid = (int32_t)syscall(SYS_getpid);
    process->uid = (uint32_t)syscall(SYS_geteuid);
    process->start_time =
        sw__sys_read_text("/proc/self/stat", text, sizeof scratch->bytes) > 0 ? start_time_of(text) : 0;
    read_link("/proc/self/ns/pid", text, sizeof scratch->bytes);
    process->pid_namespace = namespace_of_link(text);
    read_link("/proc/self", text, sizeof scratch->bytes);
    process->sees_others = is_number(text, (uint64_t)process->pid);
    read_link("/proc/self/exe", process->executable, sizeof process->executable);
    read_program(process);
    read_command_line(process);
    process->host[0] = '\0';
    if (syscall(SYS_uname, &system) == 0) {
        struct sw__text host = sw__text_in(process->host, sizeof process->host);
        sw__text_add(&host, system.nodename);
    }
}
