/*
 * Reaching and running a graph. Neither recurses: entries are found breadth
 * first, and run when every execution that used their tensor has run.
 */
#include "config.h"

#include "autograd/tape.h"

#include "autograd/grads/grads.h"
#include "base/alloc.h"
#include "carrier/carrier.h"

void sw__tape_clear(struct sw__tape *tape)
{
    for (size_t i = 0; i < tape->n; i++) {
        sw_tensor_unref(tape->entries[i].tensor);
        sw__free(tape->entries[i].cotangent);
    }
    sw__free(tape->entries);
    sw__free(tape->slots);
}

/* ---- Finding entries ------------------------------------------------------------------- */

static size_t first_slot(const struct sw__tape *tape, const struct sw_tensor *tensor)
{
    return (size_t)(((uint64_t)(uintptr_t)tensor * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (tape->n_slots - 1);
}

/* The slot that holds the tensor, or the free one where it would stand. */
static size_t *slot_of(const struct sw__tape *tape, const struct sw_tensor *tensor)
{
    size_t slot = first_slot(tape, tensor);

    while (tape->slots[slot] != 0 && tape->entries[tape->slots[slot] - 1].tensor != tensor)
        slot = (slot + 1) & (tape->n_slots - 1);
    return &tape->slots[slot];
}

struct sw__entry *sw__tape_find(const struct sw__tape *tape, const struct sw_tensor *tensor)
{
    size_t number = tape->n > 0 ? *slot_of(tape, tensor) : 0;

    return number > 0 ? &tape->entries[number - 1] : NULL;
}

static enum sw_status grow(struct sw__tape *tape)
{
    const size_t capacity = tape->capacity > 0 ? 2 * tape->capacity : 32;
    struct sw__entry *entries = sw__realloc(tape->entries, capacity * sizeof *entries);

    if (entries == NULL)
        return SW_MEMORY_ERROR;
    tape->entries = entries;
    size_t *slots = sw__alloc_zero(2 * capacity * sizeof *slots);
    if (slots == NULL)
        return SW_MEMORY_ERROR;
    sw__free(tape->slots);
    tape->slots = slots;
    tape->n_slots = 2 * capacity;
    tape->capacity = capacity;
    for (size_t i = 0; i < tape->n; i++)
        *slot_of(tape, entries[i].tensor) = i + 1;
    return SW_OK;
}

/* The entry of a tensor, new or not. */
static enum sw_status add(struct sw__tape *tape, const struct sw_tensor *tensor, struct sw__entry **ret_entry)
{
    if (tape->n == tape->capacity)
        SW__TRY(grow(tape));
    size_t *slot = slot_of(tape, tensor);
    if (*slot == 0) {
        tape->entries[tape->n] = (struct sw__entry){ .tensor = sw_tensor_ref(tensor) };
        *slot = ++tape->n;
    }
    *ret_entry = &tape->entries[*slot - 1];
    return SW_OK;
}

/* ---- Reaching ---------------------------------------------------------------------------- */

static enum sw_status check_node(const struct sw__node *node)
{
    if (node->is_freed)
        return sw_error_set(SW_RUNTIME_ERROR, "this graph was freed by an earlier backward pass; retain it there");
    for (size_t i = 0; i < node->saved.n_operands; i++) {
        const struct sw_operand *operand = &node->saved.operands[i];

        if (operand->kind == SW_OPERAND_TENSOR && operand->as.tensor->carrier->version != node->saved.versions[i])
            return sw_error_set(SW_RUNTIME_ERROR, "operand %zu of an operation of class %s was written after it ran", i,
                                node->saved.operation->operation_class->head.qualified_name);
    }
    return SW_OK;
}

enum sw_status sw__tape_reach(struct sw__tape *tape, const struct sw_tensor *output)
{
    struct sw__entry *entry = NULL;

    SW__TRY(add(tape, output, &entry));
    for (size_t i = 0; i < tape->n; i++) {
        const struct sw__node *node = tape->entries[i].tensor->grad->node;

        if (node == NULL)
            continue;
        SW__TRY(check_node(node));
        for (size_t k = 0; k < node->saved.n_operands; k++) {
            if (!node->saved.takes_part[k])
                continue;
            SW__TRY(add(tape, node->saved.operands[k].as.tensor, &entry));
            entry->n_pending++;
        }
    }
    return SW_OK;
}

/* ---- Running ------------------------------------------------------------------------------ */

void sw__entry_add(struct sw__entry *entry, float *cotangent)
{
    const int64_t n = entry->tensor->layout->size;

    if (entry->cotangent == NULL) {
        entry->cotangent = cotangent;
        return;
    }
    for (int64_t i = 0; i < n; i++)
        entry->cotangent[i] += cotangent[i];
    sw__free(cotangent);
}

/* Entries that wait for nothing, as numbers plus 1; 0 ends the list. */
struct ready {
    size_t first;
};

static void add_ready(struct sw__tape *tape, struct ready *ready, struct sw__entry *entry)
{
    entry->next_ready = ready->first;
    ready->first = (size_t)(entry - tape->entries) + 1;
}

static enum sw_status contribute(struct sw__tape *tape, const struct sw__step *step, size_t operand,
                                 struct ready *ready)
{
    struct sw__entry *to = sw__tape_find(tape, step->operands[operand].as.tensor);
    float *cotangent = NULL;

    SW__TRY(sw__step_run(step, operand, &cotangent));
    sw__entry_add(to, cotangent);
    if (--to->n_pending == 0)
        add_ready(tape, ready, to);
    return SW_OK;
}

static enum sw_status run_node(struct sw__tape *tape, struct sw__entry *entry, struct ready *ready)
{
    const struct sw__saved *saved = &entry->tensor->grad->node->saved;
    struct sw__step step;

    SW__TRY(sw__step_of(saved, entry->tensor->layout, entry->cotangent, &step));
    for (size_t i = 0; i < saved->n_operands; i++)
        if (saved->takes_part[i])
            SW__TRY(contribute(tape, &step, i, ready));
    if (!entry->is_kept)
        sw__free(sw__take(entry->cotangent));
    return SW_OK;
}

enum sw_status sw__tape_run(struct sw__tape *tape)
{
    struct ready ready = { 0 };

    add_ready(tape, &ready, &tape->entries[0]);
    while (ready.first != 0) {
        struct sw__entry *entry = &tape->entries[ready.first - 1];

        ready.first = entry->next_ready;
        if (entry->tensor->grad->node != NULL)
            SW__TRY(run_node(tape, entry, &ready));
    }
    return SW_OK;
}

void sw__tape_free_graph(struct sw__tape *tape)
{
    for (size_t i = 0; i < tape->n; i++)
        if (tape->entries[i].tensor->grad->node != NULL)
            sw__node_free(tape->entries[i].tensor->grad->node);
}
