/*
 * Looking at the recorded process from outside, without touching it.
 */
#include "config.h"

#include <stdint.h>

#include "report/process.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * State letter, number of threads (field 20) and start time (field 22) behind
 * the command name, which may hold blanks and parentheses.
 */
static int parse_stat(const char *line, char *ret_state, uint64_t *ret_n_threads, uint64_t *ret_start_time)
{
    const char *field = strrchr(line, ')');

    if (field == NULL || field[1] != ' ' || field[2] == '\0')
        return 0;
    field += 2;
    *ret_state = field[0]; /* field 3 */
    for (int number = 3; number < 22; number++) {
        field = strchr(field, ' ');
        if (field == NULL)
            return 0;
        field++;
        if (number + 1 == 20)
            *ret_n_threads = strtoull(field, NULL, 10);
    }
    *ret_start_time = strtoull(field, NULL, 10);
    return 1;
}

int process_is_alive(int32_t pid, uint64_t start_time)
{
    char path[64], line[2048], state = '\0';
    uint64_t found = 0, n_threads = 0;

    if (pid <= 0)
        return 0;
    snprintf(path, sizeof path, "/proc/%" PRId32 "/stat", pid);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return 0;
    size_t n = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[n] = '\0';
    if (!parse_stat(line, &state, &n_threads, &found))
        return 0;
    /*
     * A zombie runs no more: it ended and was not yet waited for. But a main
     * thread that ended alone looks like one as long as others go on.
     */
    return found == start_time && ((state != 'Z' && state != 'X') || n_threads > 1);
}

/* /proc may have been mounted in another namespace than we are in. */
static int proc_is_ours(void)
{
    char number[32];
    ssize_t n = readlink("/proc/self", number, sizeof number - 1);

    number[n > 0 ? n : 0] = '\0';
    return strtoll(number, NULL, 10) == getpid();
}

int process_is_in_reach(uint64_t pid_namespace)
{
    struct stat ours;

    if (pid_namespace == 0)
        return 1;
    return stat("/proc/self/ns/pid", &ours) == 0 && ours.st_ino == pid_namespace && proc_is_ours();
}

void process_host(char *ret_name, size_t n_bytes)
{
    if (gethostname(ret_name, n_bytes) != 0)
        ret_name[0] = '\0';
    ret_name[n_bytes - 1] = '\0';
}
