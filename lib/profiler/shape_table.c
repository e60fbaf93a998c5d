/*
 * Shape lists by content. Trees carry the hash of their content, so a list that
 * was seen before costs one probe and no copy.
 */
#include "config.h"

#include "profiler/shape_table.h"

#include <strideweave/tree.h>

#include "base/alloc.h"

static uint64_t hash_of(const struct sw_hook_compute *call)
{
    uint64_t hash = call->n_operands;

    for (uint32_t i = 0; i < call->n_operands; i++) {
        const struct sw_tree *shape = sw_hook_operand_shape(call, i);

        hash = (hash ^ (shape != NULL ? shape->hash : 1)) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return hash;
}

static int is_same(const struct sw__shape_list *list, const struct sw_hook_compute *call)
{
    if (list->n_inputs != call->n_operands)
        return 0;
    for (uint32_t i = 0; i < call->n_operands; i++) {
        const struct sw_tree *shape = sw_hook_operand_shape(call, i);

        if (shape == list->shapes[i])
            continue;
        if (shape == NULL || list->shapes[i] == NULL || !sw_tree_equal(shape, list->shapes[i]))
            return 0;
    }
    return 1;
}

static void put(struct sw__shape_table *table, uint32_t index)
{
    uint32_t slot = (uint32_t)table->lists[index]->hash & (table->n_slots - 1);

    while (table->slots[slot] != 0)
        slot = (slot + 1) & (table->n_slots - 1);
    table->slots[slot] = index + 1;
}

static int grow(struct sw__shape_table *table)
{
    uint32_t room = table->room != 0 ? table->room * 2 : 32;
    struct sw__shape_list **lists = sw__realloc(table->lists, room * sizeof *lists);

    if (lists == NULL)
        return 0;
    table->lists = lists;
    uint32_t *slots = sw__alloc_zero(2 * (size_t)room * sizeof *slots);
    if (slots == NULL)
        return 0;
    sw__free(table->slots);
    table->slots = slots;
    table->n_slots = 2 * room;
    table->room = room;
    for (uint32_t i = 0; i < table->n; i++)
        put(table, i);
    return 1;
}

static int add(struct sw__shape_table *table, const struct sw_hook_compute *call, uint64_t hash, uint32_t *ret_index)
{
    struct sw__shape_list *list;

    if (table->n == table->room && !grow(table))
        return 0;
    list = sw__alloc(sizeof *list + call->n_operands * sizeof list->shapes[0]);
    if (list == NULL)
        return 0;
    list->hash = hash;
    list->n_inputs = call->n_operands;
    for (uint32_t i = 0; i < call->n_operands; i++)
        list->shapes[i] = sw_tree_ref(sw_hook_operand_shape(call, i));
    table->lists[table->n] = list;
    put(table, table->n);
    *ret_index = table->n++;
    return 1;
}

int sw__shape_table_find(struct sw__shape_table *table, const struct sw_hook_compute *call, uint32_t *ret_index)
{
    uint64_t hash = hash_of(call);

    if (table->n_slots != 0) {
        uint32_t slot = (uint32_t)hash & (table->n_slots - 1);

        for (; table->slots[slot] != 0; slot = (slot + 1) & (table->n_slots - 1)) {
            uint32_t index = table->slots[slot] - 1;

            if (table->lists[index]->hash == hash && is_same(table->lists[index], call)) {
                *ret_index = index;
                return 1;
            }
        }
    }
    return add(table, call, hash, ret_index);
}

void sw__shape_table_clear(struct sw__shape_table *table)
{
    for (uint32_t i = 0; i < table->n; i++) {
        for (size_t k = 0; k < table->lists[i]->n_inputs; k++)
            sw_tree_unref(table->lists[i]->shapes[k]);
        sw__free(table->lists[i]);
    }
    sw__free(table->lists);
    sw__free(table->slots);
    *table = (struct sw__shape_table){0};
}
