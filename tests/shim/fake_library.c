/*
 * The stand-in library. Hooks are found by dlsym(): an executable's own weak
 * definitions would come before those of a preloaded object.
 */
#define _GNU_SOURCE 1 /* RTLD_DEFAULT */
#include "config.h"

#include "shim/fake_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int fake_profiler;
uint64_t fake_defaults_entered;
uint64_t fake_defaults_left;
uint32_t fake_abi = SW_HOOKS_ABI;
sw_hook_control_fn *fake_control;

static sw_hook_compute_fn *hook_enter;
static sw_hook_compute_fn *hook_exit;
static sw_hook_range_fn *hook_range_enter;
static sw_hook_range_fn *hook_range_exit;
static uint64_t *wanted;

static void default_enter(struct sw_hook_compute *call)
{
    (void)call;
    fake_defaults_entered++;
}

static void default_exit(struct sw_hook_compute *call)
{
    (void)call;
    fake_defaults_left++;
}

static const struct sw_hook_table defaults = {
    .struct_bytes = sizeof defaults, .compute_enter = default_enter, .compute_exit = default_exit};

struct fake_tensor {
    struct sw_tensor_head head;
    uint64_t storage;
};

static uint64_t storage_number(const struct sw_tensor *tensor)
{
    return ((const struct fake_tensor *)(const void *)tensor)->storage;
}

static struct sw_hook_library library = {
    .struct_bytes = sizeof library, .version = "fake", .bound = &defaults, .defaults = &defaults, .own = &defaults,
    .storage_number = storage_number};
static uint32_t call_bytes = sizeof(struct sw_hook_compute);

static struct sw_class_head generic = {SW_KIND_CARRIER_CLASS, sizeof generic, 1, "strideweave", "Generic"};
static struct sw_class_head cpu = {SW_KIND_CARRIER_CLASS, sizeof cpu, 2, "strideweave", "Cpu"};
static struct sw_class_head operation = {SW_KIND_OPERATION_CLASS, sizeof operation, 3, "strideweave", "Operation"};
static struct sw_hook_dispatch dispatches[FAKE_DISPATCHES];
static char names[FAKE_DISPATCHES][8];

static void find(const char *name, void *pointer)
{
    void *found = dlsym(RTLD_DEFAULT, name);

    memcpy(pointer, &found, sizeof found);
}

static void make_dispatch(uint32_t id)
{
    const struct sw_class_head *carrier = id < FAKE_DISPATCHES / 2 ? &generic : &cpu;

    snprintf(names[id], sizeof names[id], "op%u", id);
    dispatches[id] = (struct sw_hook_dispatch){
        .struct_bytes = sizeof dispatches[id],
        .id = id,
        .name = names[id],
        .carrier_module = carrier->module,
        .carrier_name = carrier->qualified_name,
        .implementation_module = operation.module,
        .implementation_name = operation.qualified_name,
        .carrier_class = carrier,
        .implementation_class = &operation,
        .carrier_serial = carrier->serial,
        .implementation_serial = operation.serial,
    };
}

void fake_name(uint32_t id, const char *name)
{
    dispatches[id].name = name;
}

void fake_load(void)
{
    find("sw_hook_compute_enter", &hook_enter);
    find("sw_hook_compute_exit", &hook_exit);
    find("sw_hook_control", &fake_control);
    find("sw_hook_range_enter", &hook_range_enter);
    find("sw_hook_range_exit", &hook_range_exit);
    find("sw_hooks_wanted", &wanted);
    library.abi = fake_abi;
    for (uint32_t id = 0; id < FAKE_DISPATCHES; id++)
        make_dispatch(id);
}

static void prepare(struct sw_hook_compute *call, uint32_t id)
{
    memset(call, 0, sizeof *call);
    call->struct_bytes = call_bytes;
    call->flags = fake_profiler ? SW_HOOK_DEFAULT_WANTED : 0;
    call->library = &library;
    call->dispatch = &dispatches[id];
    call->operand_bytes = sizeof(struct sw_operand);
}

static int is_wanted(void)
{
    uint64_t kinds = wanted != NULL ? __atomic_load_n(wanted, __ATOMIC_RELAXED) : 0;

    return hook_enter != NULL && (fake_profiler || (kinds & SW_HOOK_WANT_MASK(SW_HOOK_WANT_COMPUTE)) != 0);
}

static void pass_range(sw_hook_range_fn *hook, uint32_t flags, struct sw_hook_range range)
{
    range.struct_bytes = sizeof range;
    range.flags = flags;
    range.library = &library;
    if (hook != NULL && wanted != NULL && (*wanted & SW_HOOK_WANT_MASK(SW_HOOK_WANT_NOTE)) != 0)
        hook(&range);
}

void fake_host_begin(struct sw_hook_range *range, const char *name)
{
    *range = (struct sw_hook_range){
        .struct_bytes = sizeof *range, .flags = SW_HOOK_RANGE_HOST, .library = &library, .name = name};
    if (hook_range_enter == NULL || wanted == NULL || (*wanted & SW_HOOK_WANT_MASK(SW_HOOK_WANT_RANGE)) == 0)
        range->struct_bytes = 0;
    else
        hook_range_enter(range);
}

void fake_host_end(struct sw_hook_range *range)
{
    if (range->struct_bytes != 0)
        hook_range_exit(range);
}

void fake_range_push(const char *name, uint32_t level)
{
    pass_range(hook_range_enter, SW_HOOK_RANGE_USER, (struct sw_hook_range){.name = name, .level = level});
}

void fake_range_pop(uint32_t level)
{
    pass_range(hook_range_exit, SW_HOOK_RANGE_USER, (struct sw_hook_range){.level = level});
}

void fake_step(uint64_t step, uint64_t before)
{
    pass_range(hook_range_enter, SW_HOOK_RANGE_STEP, (struct sw_hook_range){.step = step, .before = before});
}

static void finish(struct sw_hook_compute *call, int succeeded)
{
    call->operands = NULL;
    call->flags |= succeeded ? SW_HOOK_SUCCEEDED : 0;
    hook_exit(call);
}

__attribute__((noinline)) static void boundary(struct sw_hook_compute *call, fake_body *body, void *argument)
{
    int entered = is_wanted();
    int succeeded;

    if (entered)
        hook_enter(call);
    succeeded = body == NULL || body(argument);
    if (entered)
        finish(call, succeeded);
}

__attribute__((noinline)) void fake_operation(uint32_t id, fake_body *body, void *argument)
{
    struct sw_hook_compute call;

    prepare(&call, id);
    boundary(&call, body, argument);
}

static const struct sw_tensor *fake_tensor(struct fake_tensor *tensor, uint64_t storage)
{
    static const struct sw_tree shape = {SW_KIND_TREE, 1, 0, 0, 0, 1, 0};

    *tensor = (struct fake_tensor){{SW_KIND_TENSOR, 1, &shape}, storage};
    return (const struct sw_tensor *)(const void *)tensor;
}

__attribute__((noinline)) void fake_operation_with_tensors(uint32_t id, uint32_t n, const uint64_t *storages,
                                                           uint64_t result, fake_body *body, void *argument)
{
    struct fake_tensor tensors[9];
    struct sw_operand operands[8] = {{0}};
    struct sw_hook_compute call;
    int entered = is_wanted();
    int succeeded;

    prepare(&call, id);
    for (uint32_t i = 0; i < n && i < 8; i++) {
        operands[i].kind = storages[i] == FAKE_NUMBER ? SW_OPERAND_INTEGER : SW_OPERAND_TENSOR;
        if (storages[i] != FAKE_NUMBER)
            operands[i].as.tensor = fake_tensor(&tensors[i], storages[i]);
    }
    call.operands = operands;
    call.n_operands = n;
    if (entered)
        hook_enter(&call);
    succeeded = body == NULL || body(argument);
    if (!entered)
        return;
    if (succeeded && result != 0)
        call.result = fake_tensor(&tensors[8], result);
    finish(&call, succeeded);
}

void fake_before_flows(void)
{
    library.struct_bytes = offsetof(struct sw_hook_library, storage_number);
    call_bytes = offsetof(struct sw_hook_compute, result);
}

void fake_operation_with_shapes(uint32_t id, uint32_t n, const int64_t *extents)
{
    char memory[8][sizeof(struct sw_tree) + sizeof(int64_t)] __attribute__((aligned(8)));
    struct sw_tensor_head tensors[8];
    struct sw_operand operands[8] = {{0}};
    struct sw_hook_compute call;

    prepare(&call, id);
    for (uint32_t i = 0; i < n && i < 8; i++) {
        if (extents[i] < 0)
            continue;
        struct sw_tree *tree = (struct sw_tree *)(void *)memory[i];
        *tree = (struct sw_tree){SW_KIND_TREE, 1, 1, 1, 1, 1, (uint64_t)extents[i]};
        tree->nodes[0] = extents[i];
        tensors[i] = (struct sw_tensor_head){SW_KIND_TENSOR, 1, tree};
        operands[i].kind = SW_OPERAND_TENSOR;
        operands[i].as.tensor = (const struct sw_tensor *)(const void *)&tensors[i];
    }
    call.operands = operands;
    call.n_operands = n;
    boundary(&call, NULL, NULL);
}

void fake_begin(struct sw_hook_compute *call, uint32_t id)
{
    prepare(call, id);
    if (hook_enter != NULL)
        hook_enter(call);
}

void fake_end(struct sw_hook_compute *call, int succeeded)
{
    if (hook_exit != NULL)
        finish(call, succeeded);
}
