/*
 * The bounds of a thread's stack, from the kernel's list of mappings: the C
 * library's pthread_getattr_np() allocates, which a signal handler must not.
 */
#include "config.h"

#include "record/stack.h"

#include <pthread.h>
#include <signal.h>

#include "record/sys.h"
#include "record/text.h"

/* An address that surely lies in the stack: the environment of the main thread, else the thread's descriptor. */
extern void *__libc_stack_end __attribute__((weak));

static uintptr_t landmark(void)
{
    if (syscall(SYS_gettid) == syscall(SYS_getpid) && &__libc_stack_end != NULL)
        return (uintptr_t)__libc_stack_end;
    return (uintptr_t)pthread_self();
}

static int hex(const char **at, uintptr_t *number)
{
    const char *from = *at;

    for (*number = 0;; ++*at) {
        char c = **at;
        int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;

        if (digit < 0)
            return *at != from;
        *number = *number * 16 + (uintptr_t)digit;
    }
}

/* "low-high rest of line": whether the mapping holds @address; then also the bounds. */
static int line_has(const char *line, uintptr_t address, struct sw__stack *stack)
{
    uintptr_t low, high;

    if (!hex(&line, &low) || *line++ != '-' || !hex(&line, &high) || address < low || address >= high)
        return 0;
    stack->low = low;
    stack->high = high;
    return 1;
}

static int find_mapping(int maps, uintptr_t address, struct sw__stack *stack)
{
    char buffer[1024];
    char line[64];
    size_t used = 0;
    long got;

    while ((got = sw__sys_read(maps, buffer, sizeof buffer)) > 0)
        for (long i = 0; i < got; i++) {
            if (buffer[i] != '\n') {
                if (used < sizeof line - 1)
                    line[used++] = buffer[i];
                continue;
            }
            line[used] = '\0';
            used = 0;
            if (line_has(line, address, stack))
                return 1;
        }
    return 0;
}

void sw__stack_learn(struct sw__stack *stack)
{
    uintptr_t address = landmark();
    int maps;

    if (stack->high != 0 || stack->low != 0)
        return;
    stack->low = UINTPTR_MAX;
    maps = sw__sys_open("/proc/thread-self/maps", O_RDONLY, 0);
    if (maps < 0)
        return;
    if (find_mapping(maps, address, stack)) {
        /* The main thread's mapping still grows downwards; a thread's ends where its descriptor begins. */
        if (address == (uintptr_t)pthread_self())
            stack->high = address;
        else
            stack->low = stack->high > (UINT64_C(1) << 30) ? stack->high - (UINT64_C(1) << 30) : 0;
    }
    sw__sys_close(maps);
}

void sw__alternate_now(struct sw__alternate *alternate)
{
    stack_t state = {0};

    *alternate = (struct sw__alternate){0, 0, 0};
    if (syscall(SYS_sigaltstack, NULL, &state) != 0 || (state.ss_flags & SS_DISABLE) != 0)
        return;
    alternate->low = (uintptr_t)state.ss_sp;
    alternate->high = alternate->low + state.ss_size;
    alternate->in_use = (state.ss_flags & SS_ONSTACK) != 0;
}
