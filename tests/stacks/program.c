/*
 * Operations in places whose stacks are known: each function that calls one has
 * its line marked, and the test looks for the number of that line.
 */
#define _GNU_SOURCE 1
#include <strideweave/strideweave.h>

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEPT __attribute__((noinline, noclone))

static struct sw_tensor *tensor;

/* Keeps calls from being the last thing in their function. */
#define STAY() __asm__ volatile("" ::: "memory")

KEPT void operate(void)
{
    struct sw_tensor *out = NULL;

    if (sw_neg(tensor, &out) != SW_OK) /* LINE operate */
        abort();
    sw_tensor_unref(out);
}

static inline __attribute__((always_inline)) void inlined(void)
{
    operate(); /* LINE inlined */
    STAY();
}

KEPT void outer(void)
{
    inlined(); /* LINE outer */
    STAY();
}

KEPT void aligned(void)
{
    char room[64] __attribute__((aligned(64)));

    __asm__ volatile("" ::"r"(room) : "memory");
    operate(); /* LINE aligned */
    __asm__ volatile("" ::"r"(room) : "memory");
}

KEPT void recurse(int n)
{
    if (n == 0)
        operate();
    else
        recurse(n - 1); /* LINE recurse */
    STAY();
}

static void handle(int number)
{
    (void)number;
    operate(); /* LINE handle */
    STAY();
}

KEPT void interrupted(void)
{
    raise(SIGUSR1); /* LINE interrupted */
    STAY();
}

static void on_signal(int flags)
{
    struct sigaction action = {.sa_handler = handle, .sa_flags = flags};

    sigaction(SIGUSR1, &action, NULL);
    interrupted();
}

static void on_own_stack(void)
{
    stack_t stack = {.ss_size = 65536, .ss_sp = malloc(65536)};

    sigaltstack(&stack, NULL);
    on_signal(SA_ONSTACK);
}

/* An operation while the allocator's own lock is held: a second call from within would wait for ever. */
static int inside_malloc = -1;
extern void *__libc_malloc(size_t n_bytes);

KEPT void *allocate(size_t n_bytes)
{
    if (inside_malloc > 0) {
        inside_malloc = 0;
        operate(); /* LINE allocate */
        inside_malloc = 1;
    }
    return __libc_malloc(n_bytes);
}

void *malloc(size_t n_bytes)
{
    return allocate(n_bytes);
}

static void in_malloc(void)
{
    void *volatile memory;

    inside_malloc = 1;
    memory = malloc(100); /* LINE in_malloc */
    inside_malloc = 0;
    free(memory);
}

static void in_plugin(const char *path)
{
    void *plugin = dlopen(path, RTLD_NOW);
    void (*run)(void (*call)(void));

    if (plugin == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
    *(void **)&run = dlsym(plugin, "plugin_run");
    run(operate); /* LINE in_plugin */
    dlclose(plugin);
}

static void in_child(void)
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        outer();
        exit(0);
    }
    waitpid(child, &status, 0);
    outer();
}

int main(int n_arguments, char **arguments)
{
    static const int64_t extents[] = {4};
    static const float values[] = {1, 2, 3, 4};
    const char *what = n_arguments > 1 ? arguments[1] : "";
    struct sw_tree *shape = NULL;

    if (sw_tree_flat(extents, 1, &shape) != SW_OK ||
        sw_tensor_from_f32(sw_cpu_class(), values, shape, &tensor) != SW_OK)
        return 2;
    sw_tree_unref(shape);
    if (strcmp(what, "simple") == 0)
        outer();
    else if (strcmp(what, "aligned") == 0)
        aligned();
    else if (strcmp(what, "deep") == 0)
        recurse(500);
    else if (strcmp(what, "signal") == 0)
        on_signal(0);
    else if (strcmp(what, "own-stack") == 0)
        on_own_stack();
    else if (strcmp(what, "malloc") == 0)
        in_malloc();
    else if (strcmp(what, "fork") == 0)
        in_child();
    else if (strcmp(what, "killed") == 0) {
        outer();
        raise(SIGKILL);
    } else {
        for (int i = 1; i < n_arguments; i++)
            in_plugin(arguments[i]);
    }
    sw_tensor_unref(tensor);
    return 0;
}
