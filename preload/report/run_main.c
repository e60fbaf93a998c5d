/*
 * swprof-run: the steps, and the exit status, which is the program's.
 */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "report/run.h"
#include "report/say.h"

static void complain(void)
{
    say("swprof-run", "%s", sw_error_message());
}

/*
 * The shim that belongs to this executable: in the folder of the build, or
 * where it was installed, or there relative to where the executable was moved.
 */
static enum report_outcome find_shim(char *ret_path, size_t n_bytes)
{
    static const char *const beside[] = { "/.libs/libswprof.so", "/libswprof.so", "/../lib/libswprof.so" };
    char executable[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", executable, sizeof executable - 1);

    executable[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(executable, '/');
    for (size_t i = 0; slash != NULL && i < sizeof beside / sizeof *beside; i++) {
        int length = snprintf(ret_path, n_bytes, "%.*s%s", (int)(slash - executable), executable, beside[i]);
        if (length > 0 && (size_t)length < n_bytes && access(ret_path, R_OK) == 0)
            return REPORT_OK;
    }
    int length = snprintf(ret_path, n_bytes, "%s", SWPROF_LIBDIR "/libswprof.so");
    if (length > 0 && (size_t)length < n_bytes && access(ret_path, R_OK) == 0)
        return REPORT_OK;
    return report_fail(REPORT_SYSTEM, "%s: the library is not there, nor beside this program", ret_path);
}

/* The same end as the program's: its status, or its signal without a second core file. */
static int end_like(const struct run_result *result)
{
    struct rlimit no_core = { 0, 0 };

    if (WIFEXITED(result->wait_status))
        return WEXITSTATUS(result->wait_status);
    int number = WTERMSIG(result->wait_status);
    setrlimit(RLIMIT_CORE, &no_core);
    signal(number, SIG_DFL);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
    raise(number);
    return 128 + number;
}

static int could_not_start(const char *program, int error)
{
    say("swprof-run", "%s: cannot be run: %s", program, strerror(error));
    return error == ENOENT ? RUN_NOT_FOUND : RUN_NOT_EXECUTABLE;
}

static enum report_outcome prepare(const char *path, struct run_status *status)
{
    char shim[PATH_MAX];
    struct elf_facts program;

    REPORT_TRY(find_shim(shim, sizeof shim));
    elf_examine(path, &program);
    REPORT_TRY(run_set_preload(shim, &program));
    return run_status_open(status);
}

static int run(const struct run_options *options)
{
    static struct swprof_launch launch;
    struct run_status status SW__CLEANUP(run_status_close) = { .descriptor = -1 };
    struct run_result result;
    char *path SW__OWNED = run_find_program(options->command[0]);

    if (path == NULL)
        return could_not_start(options->command[0], ENOENT);
    if (prepare(path, &status) != REPORT_OK || run_program(path, options->command, &result) != REPORT_OK) {
        complain();
        return RUN_FAILED;
    }
    if (result.exec_error != 0)
        return could_not_start(path, result.exec_error);
    run_status_read(&status, &launch);
    if (run_account(options, path, &result, &launch) != REPORT_OK)
        complain(); /* the program's status stays: it did its work */
    return end_like(&result);
}

int main(int n_arguments, char **arguments)
{
    struct run_options options;

    if (run_options_parse(n_arguments, arguments, &options) != REPORT_OK) {
        complain();
        return RUN_FAILED;
    }
    if (options.wants_help)
        run_options_print();
    else if (options.wants_version)
        printf("swprof-run %s\n", PACKAGE_VERSION);
    else
        return run(&options);
    return fflush(stdout) == 0 ? 0 : RUN_FAILED;
}
