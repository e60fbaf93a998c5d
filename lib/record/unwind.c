/*
 * The cache of steps, the modules, and the walk over the stack.
 */
#include "config.h"

#include "record/unwind.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>

#include "record/sys.h"
#include "record/text.h"
#include "record/unwind_step.h"

/* Code addresses that are known: a power of two of slots, at most half of them taken. */
#define N_SLOTS (UINT32_C(1) << 17)
#define MOST_STEPS (N_SLOTS / 2)
/* Of a module's beginning, to notice another one at its place: headers and, most often, the build id. */
#define BEGINNING_BYTES 1024

/* Written once, under the lock, before it can be found. */
struct known_step {
    uintptr_t address;
    uint64_t frame;
    struct unwind_step step;
};

struct module {
    struct sw__unwind_module public;
    uint32_t is_permanent;
    uint32_t is_hidden;  /* atomic */
    uint32_t is_gone;    /* something else was seen at its place; atomic */
    uint8_t beginning[BEGINNING_BYTES];
};

static struct {
    uint32_t *slots;  /* 1 + index of a step, stored with release order; 0: free */
    struct known_step *steps;
    uint32_t n_steps;
    struct module *modules;
    uint32_t n_modules; /* atomic, stored with release order */
    uint32_t state;     /* enum sw__unwind_state */
    uint32_t lock;      /* of those who write; see take() */
} unwinder;

enum sw__unwind_state sw__unwind_load(sw__unwind_reserve *reserve)
{
    enum sw__unwind_state state;

    if (unwinder.state != SW__UNWIND_OFF)
        return (enum sw__unwind_state)unwinder.state;
    unwinder.slots = reserve(N_SLOTS * sizeof *unwinder.slots);
    unwinder.steps = reserve(MOST_STEPS * sizeof *unwinder.steps);
    unwinder.modules = reserve(SW__UNWIND_MOST_MODULES * sizeof *unwinder.modules);
    state = unwinder.slots != NULL && unwinder.steps != NULL && unwinder.modules != NULL ? unwind_step_load()
                                                                                         : SW__UNWIND_NO_SUPPORT;
    __atomic_store_n(&unwinder.state, state, __ATOMIC_RELEASE);
    return state;
}

uint32_t sw__unwind_n_modules(void)
{
    return __atomic_load_n(&unwinder.n_modules, __ATOMIC_ACQUIRE);
}

const struct sw__unwind_module *sw__unwind_module(uint32_t number)
{
    return &unwinder.modules[number].public;
}

/* ---- The lock ------------------------------------------------------------------------------- */

#define WAITED_FOR (UINT32_C(1) << 31)

/* In a handler that interrupts the holder nobody may wait for it. A filter that answers system calls by SIGSYS is let through. */
static uint64_t block_signals(void)
{
    const uint64_t all = ~(UINT64_C(1) << (SIGSYS - 1));
    uint64_t before = 0;

    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, &before, sizeof all);
    return before;
}

/*
 * Holds the process's number. In a child that was forked while another thread
 * held it that thread is not there, and libunwind may be half-way: then nothing
 * new is learned, and what is known still serves.
 */
static int take(uint64_t *ret_signals)
{
    uint32_t own = (uint32_t)syscall(SYS_getpid), seen = 0;

    *ret_signals = block_signals();
    while (!__atomic_compare_exchange_n(&unwinder.lock, &seen, own, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        if ((seen & ~WAITED_FOR) != own) {
            syscall(SYS_rt_sigprocmask, SIG_SETMASK, ret_signals, NULL, sizeof *ret_signals);
            return 0;
        }
        if ((seen & WAITED_FOR) || __atomic_compare_exchange_n(&unwinder.lock, &seen, own | WAITED_FOR, 0,
                                                               __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            syscall(SYS_futex, &unwinder.lock, FUTEX_WAIT_PRIVATE, own | WAITED_FOR, NULL, NULL, 0);
        seen = 0;
    }
    return 1;
}

static void give(const uint64_t *signals)
{
    if (__atomic_exchange_n(&unwinder.lock, 0, __ATOMIC_RELEASE) & WAITED_FOR)
        syscall(SYS_futex, &unwinder.lock, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, signals, NULL, sizeof *signals);
}

/* ---- Modules, for the holder of the lock ------------------------------------------------------ */

static void name_module(struct sw__unwind_module *module, const char *name)
{
    struct sw__text path = sw__text_in(module->path, sizeof module->path);

    if (name[0] == '\0') {
        long n = syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", module->path, sizeof module->path - 1);

        module->path[n > 0 ? n : 0] = '\0';
        return;
    }
    if (name[0] != '/' && sw__text_bytes(name) > 1 && sw__same(name, "./", 2))
        name += 2;
    /* A relative name was looked up where the program stood then: mostly that is here. */
    if (name[0] != '/' && syscall(SYS_getcwd, module->path, sizeof module->path) > 0) {
        path.used = sw__text_bytes(module->path);
        sw__text_add(&path, "/");
    }
    sw__text_add(&path, name);
}

static int is_same(const struct module *module, const struct unwind_object *object)
{
    return !module->is_gone && module->public.low == object->low && module->public.high == object->high &&
           module->public.bias == object->bias &&
           sw__same(module->beginning, (const void *)object->low, BEGINNING_BYTES); /* NOLINT: an address */
}

/* Number of the module at a place, made when it is new; what overlaps it is gone. Most: there is no more room. */
static uint32_t number_of(const struct unwind_object *object)
{
    uint32_t n = unwinder.n_modules;
    struct module *module;

    for (uint32_t i = 0; i < n; i++) {
        if (is_same(&unwinder.modules[i], object))
            return i;
        if (unwinder.modules[i].public.low < object->high && object->low < unwinder.modules[i].public.high)
            __atomic_store_n(&unwinder.modules[i].is_gone, 1, __ATOMIC_RELAXED);
    }
    if (n == SW__UNWIND_MOST_MODULES)
        return n;
    module = &unwinder.modules[n];
    module->public.low = object->low;
    module->public.high = object->high;
    module->public.bias = object->bias;
    module->public.build_id_bytes = unwind_build_id(object, module->public.build_id);
    module->is_permanent = (uint32_t)object->is_permanent;
    name_module(&module->public, object->name);
    sw__copy(module->beginning, (const void *)object->low, BEGINNING_BYTES); /* NOLINT */
    __atomic_store_n(&unwinder.n_modules, n + 1, __ATOMIC_RELEASE);
    return n;
}

void sw__unwind_hide(const void *address)
{
    struct unwind_object object;
    int saved_errno = errno;
    uint64_t signals;
    uint32_t number;

    if (unwinder.state == SW__UNWIND_READY && unwind_find_object((uintptr_t)address, &object) &&
        !object.is_program && take(&signals)) {
        number = number_of(&object);
        if (number < SW__UNWIND_MOST_MODULES)
            __atomic_store_n(&unwinder.modules[number].is_hidden, 1, __ATOMIC_RELAXED);
        give(&signals);
    }
    errno = saved_errno;
}

/* ---- Steps ---------------------------------------------------------------------------------- */

static inline uint32_t slot_of(uintptr_t address)
{
    return (uint32_t)((address * UINT64_C(0x9e3779b97f4a7c15)) >> 40) & (N_SLOTS - 1);
}

static inline struct module *module_of(const struct known_step *known)
{
    return &unwinder.modules[sw__unwind_module_of(known->frame)];
}

/* What is known of an address; NULL: nothing. */
static inline const struct known_step *find(uintptr_t address)
{
    for (uint32_t slot = slot_of(address);; slot = (slot + 1) & (N_SLOTS - 1)) {
        uint32_t index = __atomic_load_n(&unwinder.slots[slot], __ATOMIC_ACQUIRE);
        const struct known_step *known;

        if (index == 0)
            return NULL;
        known = &unwinder.steps[index - 1];
        if (known->address == address && !__atomic_load_n(&module_of(known)->is_gone, __ATOMIC_RELAXED))
            return known;
    }
}

/* For the holder of the lock. */
static const struct known_step *learn_locked(uintptr_t address, const struct unwind_object *object)
{
    uint32_t number = number_of(object), slot = slot_of(address);
    const struct known_step *known = find(address);
    struct known_step *made;

    if (known != NULL)
        return known;
    if (number == SW__UNWIND_MOST_MODULES || unwinder.n_steps == MOST_STEPS)
        return NULL;
    made = &unwinder.steps[unwinder.n_steps];
    made->address = address;
    made->frame = (uint64_t)number << SW__UNWIND_OFFSET_BITS |
                  ((address - object->bias) & ((UINT64_C(1) << SW__UNWIND_OFFSET_BITS) - 1));
    unwind_step_find(address, object, &made->step);
    while (unwinder.slots[slot] != 0)
        slot = (slot + 1) & (N_SLOTS - 1);
    unwinder.n_steps++;
    __atomic_store_n(&unwinder.slots[slot], unwinder.n_steps, __ATOMIC_RELEASE);
    return made;
}

static __attribute__((noinline)) const struct known_step *learn(uintptr_t address)
{
    const struct known_step *known = NULL;
    struct unwind_object object;
    int saved_errno = errno;
    uint64_t signals;

    if (unwind_find_object(address, &object) && take(&signals)) {
        known = learn_locked(address, &object);
        give(&signals);
    }
    errno = saved_errno;
    return known;
}

/* ---- The walk ------------------------------------------------------------------------------- */

/* Where words of the stack may be read. */
struct range {
    uintptr_t low;
    uintptr_t high;  /* of what surely is there; low == high: ask the kernel for each word */
    struct sw__stack *own;
    struct sw__alternate alternate;
    int knows_alternate;
};

static int is_in_alternate(const struct range *range, uintptr_t address)
{
    return range->alternate.in_use && address >= range->alternate.low && address < range->alternate.high;
}

/* Pages below the address may not be there yet: a stack grows. */
static __attribute__((noinline)) void choose_range(struct range *range, uintptr_t address)
{
    int saved_errno = errno;

    range->low = range->high = 0;
    if (range->own->high == 0 && range->own->low == 0)
        sw__stack_learn(range->own);
    if (sw__stack_has(range->own, address)) {
        range->high = range->own->high;
    } else {
        if (!range->knows_alternate)
            sw__alternate_now(&range->alternate);
        range->knows_alternate = 1;
        range->high = is_in_alternate(range, address) ? range->alternate.high : 0;
    }
    if (range->high != 0)
        range->low = address & ~UINT64_C(4095);
    errno = saved_errno;
}

/* Of a stack that the program made itself nobody knows the bounds. */
static int read_by_kernel(uintptr_t address, uint64_t *ret_word)
{
    struct {
        void *bytes;
        size_t n_bytes;
    } to = {ret_word, sizeof *ret_word}, from = {(void *)address, sizeof *ret_word}; /* NOLINT: an address */
    int saved_errno = errno;
    long got = syscall(SYS_process_vm_readv, syscall(SYS_getpid), &to, 1L, &from, 1L, 0L);

    errno = saved_errno;
    return got == (long)sizeof *ret_word;
}

static inline __attribute__((no_sanitize("address", "thread"))) int read_word(struct range *range, uintptr_t address,
                                                                              uint64_t *ret_word)
{
    if (__builtin_expect(address - range->low >= range->high - range->low, 0)) {
        choose_range(range, address);
        if (range->high == 0)
            return read_by_kernel(address, ret_word);
    }
    if (__builtin_expect(address % sizeof *ret_word != 0 || range->high - address < sizeof *ret_word, 0))
        return 0;
    *ret_word = *(const volatile uint64_t *)address; /* NOLINT */
    return 1;
}

/* Registers of a frame. */
struct registers {
    uintptr_t ip; /* as it is looked up */
    uintptr_t sp;
    uintptr_t bp;
};

static inline uintptr_t address_of(const struct unwind_place *place, const struct registers *registers, uint64_t saved)
{
    uintptr_t base = place->base == UNWIND_SP ? registers->sp : place->base == UNWIND_BP ? registers->bp : saved;

    return base + (uintptr_t)(intptr_t)place->offset;
}

/* To the caller. 0 when what is there cannot be a frame. */
static inline int go_on(const struct unwind_step *step, struct range *range, struct registers *registers)
{
    struct registers caller = {.bp = registers->bp};
    uint64_t saved = 0;

    if (__builtin_expect(step->sp.base == UNWIND_SAVED || step->ip.base == UNWIND_SAVED, 0) &&
        !read_word(range, address_of(&step->saved, registers, 0), &saved))
        return 0;
    caller.sp = address_of(&step->sp, registers, saved);
    if (!read_word(range, address_of(&step->ip, registers, saved), &caller.ip))
        return 0;
    if (!step->keeps_bp && !read_word(range, address_of(&step->bp, registers, saved), &caller.bp))
        return 0;
    if (step->kind == UNWIND_SIGNAL) {
        *registers = caller;
        return 1;
    }
    if (caller.sp <= registers->sp || caller.ip == 0)
        return 0;
    caller.ip--; /* into the call */
    *registers = caller;
    return 1;
}

/* What the walk remembers. */
struct walk {
    struct range range;
    struct registers registers;
    uint32_t checked; /* 1 + the module that was found to be in its place last */
    uint32_t learned; /* SW__UNWIND_LEARNED once something was */
};

/* Another module may have been loaded where one was unloaded. One that has a frame on the stack stays. */
static __attribute__((noinline)) int is_in_place(const struct module *module, uintptr_t address)
{
    return unwind_object_is(address, module->public.low, module->public.high) &&
           sw__same(module->beginning, (const void *)module->public.low, BEGINNING_BYTES); /* NOLINT: an address */
}

static __attribute__((noinline)) const struct known_step *learn_now(struct walk *walk)
{
    const struct known_step *known = learn(walk->registers.ip);

    walk->learned |= known != NULL ? SW__UNWIND_LEARNED : 0;
    return known;
}

/* The step of the frame; NULL when its code is in no module. */
static inline const struct known_step *step_of(struct walk *walk)
{
    const struct known_step *known = find(walk->registers.ip);
    const struct module *module;
    uint32_t number;

    if (__builtin_expect(known == NULL, 0))
        return learn_now(walk);
    number = sw__unwind_module_of(known->frame);
    module = &unwinder.modules[number];
    if (module->is_permanent || walk->checked == 1 + number)
        return known;
    walk->checked = 1 + number;
    return is_in_place(module, walk->registers.ip) ? known : learn_now(walk);
}

static uint32_t run(struct walk *walk, uint64_t *frames, uint32_t room, uint32_t *ret_flags)
{
    uint32_t n = 0, is_inside = 1;

    *ret_flags = SW__UNWIND_LOST;
    for (;;) {
        const struct known_step *known = step_of(walk);

        if (known == NULL)
            return n;
        if (is_inside)
            is_inside = __atomic_load_n(&module_of(known)->is_hidden, __ATOMIC_RELAXED);
        if (!is_inside) {
            if (n == room) {
                *ret_flags = SW__UNWIND_CUT;
                return n;
            }
            frames[n++] = known->frame;
        }
        if (known->step.kind == UNWIND_LAST)
            *ret_flags = 0;
        if (known->step.kind >= UNWIND_LAST || !go_on(&known->step, &walk->range, &walk->registers))
            return n;
    }
}

__attribute__((noinline)) uint32_t sw__unwind_trace(struct sw__stack *own, uint64_t *frames, uint32_t room,
                                                    uint32_t *ret_flags)
{
    struct walk walk = {.range = {.own = own}};

    *ret_flags = 0;
    if (__atomic_load_n(&unwinder.state, __ATOMIC_ACQUIRE) != SW__UNWIND_READY)
        return 0;
#ifdef __x86_64__
    __asm__("lea (%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2"
            : "=r"(walk.registers.ip), "=r"(walk.registers.sp), "=r"(walk.registers.bp));
#endif
    uint32_t n = run(&walk, frames, room, ret_flags);

    *ret_flags |= walk.learned;
    return n;
}
