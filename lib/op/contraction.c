/*
 * The compiler of contractions. Names are numbered through both operands; a
 * name that both have is known by its number in the first one, its twin.
 */
#include "config.h"

#include "op/contraction.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "layout/layout.h"
#include "op/reference.h"

void sw__contraction_clear(struct sw__contraction *contraction)
{
    for (size_t side = 0; side < 2; side++) {
        sw_tree_unref(contraction->selection[side]);
        sw_tree_unref(contraction->output[side]);
    }
    sw_tree_unref(contraction->result_selection);
    sw_tree_unref(contraction->result_output);
    sw__free(contraction->shared);
}

#define NO_TWIN SIZE_MAX

struct compiler {
    struct sw__command command;
    size_t n_lhs;    /* names of the first operand; those of the second follow */
    size_t *twins;   /* per name: the same symbol's number in the other operand, or NO_TWIN */
    int64_t *places; /* per name: its number in the result that is rearranged last */
    int64_t *nodes;  /* of a tree that is being made */
    size_t n_nodes;
};

static void compiler_clear(struct compiler *compiler)
{
    sw__command_clear(&compiler->command);
    sw__free(compiler->twins);
    sw__free(compiler->places);
    sw__free(compiler->nodes);
}

/* ---- What the names are -------------------------------------------------------------- */

static int is_symbol(const struct compiler *compiler, size_t name)
{
    return compiler->command.names[name].length != 0;
}

static int is_shared(const struct compiler *compiler, size_t name)
{
    return compiler->twins[name] != NO_TWIN;
}

static int is_free(const struct compiler *compiler, size_t name)
{
    return is_symbol(compiler, name) && !is_shared(compiler, name);
}

/* The output names a shared symbol by its first place. */
static int is_placed(const struct compiler *compiler, size_t name)
{
    const struct sw__name *names = compiler->command.names;

    return names[name].is_placed || (is_shared(compiler, name) && names[compiler->twins[name]].is_placed);
}

static int same_symbol(const struct sw__command *command, size_t a, size_t b)
{
    const struct sw__name *x = &command->names[a], *y = &command->names[b];

    return x->length != 0 && x->length == y->length &&
           memcmp(command->scanner.text + x->begin, command->scanner.text + y->begin, x->length) == 0;
}

static void find_twins(struct compiler *compiler)
{
    const size_t n_names = compiler->command.n_names;

    for (size_t i = 0; i < n_names; i++)
        compiler->twins[i] = NO_TWIN;
    for (size_t i = 0; i < compiler->n_lhs; i++)
        for (size_t k = compiler->n_lhs; k < n_names; k++)
            if (same_symbol(&compiler->command, i, k)) {
                compiler->twins[i] = k;
                compiler->twins[k] = i;
            }
}

static enum sw_status refuse_unplaced(const struct sw__command *command, const struct sw__name *name)
{
    char text[96];

    snprintf(text, sizeof text, "the output lacks '%.*s', a symbol of one operand alone",
             (int)(name->length < 40 ? name->length : 40), command->scanner.text + name->begin);
    return sw__command_refuse(command, text);
}

/* The list of shared symbols, and whether one of them is a batch symbol. */
static enum sw_status classify(const struct compiler *compiler, struct sw__contraction *contraction)
{
    const struct sw__command *command = &compiler->command;

    contraction->shared = sw__alloc(command->n_names * sizeof *contraction->shared);
    if (contraction->shared == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < command->n_names; i++) {
        if (is_free(compiler, i) && !is_placed(compiler, i))
            return refuse_unplaced(command, &command->names[i]);
        if (!is_shared(compiler, i) || i >= compiler->n_lhs)
            continue;
        contraction->shared[contraction->n_shared++] =
            (struct sw__shared){ { i, compiler->twins[i] - compiler->n_lhs } };
        contraction->is_elementwise |= is_placed(compiler, i);
        contraction->is_summed |= !is_placed(compiler, i);
    }
    if (contraction->n_shared == 0)
        return sw__command_refuse(command, "the operands share no symbol");
    contraction->is_summed &= contraction->is_elementwise;
    return SW_OK;
}

/* ---- Trees ------------------------------------------------------------------------------ */

static void put(struct compiler *compiler, int64_t node)
{
    compiler->nodes[compiler->n_nodes++] = node;
}

static enum sw_status finish_tree(struct compiler *compiler, struct sw_tree **ret_tree)
{
    const size_t n_nodes = compiler->n_nodes;

    compiler->n_nodes = 0;
    return sw_tree_new(compiler->nodes, n_nodes, ret_tree);
}

/* From node @begin on one mode: alone as it stands, several as a group, none as a 1. */
static void close_mode(struct compiler *compiler, size_t begin)
{
    const size_t n = compiler->n_nodes - begin;

    if (n == 1)
        return;
    if (n == 0) {
        put(compiler, SW_TREE_ANY);
        return;
    }
    memmove(compiler->nodes + begin + 1, compiler->nodes + begin, n * sizeof *compiler->nodes);
    compiler->nodes[begin] = SW_TREE_NESTED(n);
    compiler->n_nodes++;
}

/* The output with the numbers of names replaced by those of the result's parts. */
static void put_output(struct compiler *compiler)
{
    const struct sw__command *command = &compiler->command;

    for (size_t i = 0; i < command->n_nodes; i++) {
        const int64_t node = command->nodes[i];
        put(compiler, SW_TREE_IS_NESTED(node) || node == SW_TREE_ANY ? node : compiler->places[node]);
    }
}

/* ---- Without batch symbols: a matmul ---------------------------------------------------- */

/* (free symbols, shared symbols in the order of the first operand). */
static enum sw_status matmul_factor(struct compiler *compiler, const struct sw__contraction *contraction, size_t side,
                                    struct sw_tree **ret_output)
{
    const size_t first = side == 0 ? 0 : compiler->n_lhs;
    const size_t end = side == 0 ? compiler->n_lhs : compiler->command.n_names;

    for (size_t i = first; i < end; i++)
        if (is_free(compiler, i))
            put(compiler, (int64_t)(i - first));
    close_mode(compiler, 0);
    const size_t begin = compiler->n_nodes;
    for (size_t i = 0; i < contraction->n_shared; i++)
        put(compiler, (int64_t)contraction->shared[i].leaves[side]);
    close_mode(compiler, begin);
    return finish_tree(compiler, ret_output);
}

/* The product's modes hold the free symbols of one operand each. */
static enum sw_status matmul_result(struct compiler *compiler, struct sw__contraction *contraction)
{
    int64_t place = 0;
    const size_t ends[] = { compiler->n_lhs, compiler->command.n_names };
    size_t name = 0;

    for (size_t side = 0; side < 2; side++) {
        const size_t begin = compiler->n_nodes;
        for (; name < ends[side]; name++) {
            if (!is_free(compiler, name))
                continue;
            compiler->places[name] = place++;
            put(compiler, SW_TREE_ANY);
        }
        /* A mode without symbols is a leaf of extent 1: a part that nothing names. */
        if (compiler->n_nodes == begin)
            place++;
        close_mode(compiler, begin);
    }
    SW__TRY(finish_tree(compiler, &contraction->result_selection));
    put_output(compiler);
    return finish_tree(compiler, &contraction->result_output);
}

/* ---- With batch symbols: an elementwise product, and a sum -------------------------------- */

/* Numbers of the union: the symbols of the first operand, then the others of the second. */
static int64_t number_union(struct compiler *compiler)
{
    int64_t n = 0;

    for (size_t i = 0; i < compiler->command.n_names; i++) {
        if (!is_symbol(compiler, i))
            continue;
        const int is_again = is_shared(compiler, i) && i >= compiler->n_lhs;
        compiler->places[i] = is_again ? compiler->places[compiler->twins[i]] : n++;
    }
    return n;
}

/* One mode per symbol of the union; a 1 for what the operand lacks. */
static enum sw_status union_factor(struct compiler *compiler, int64_t n_union, size_t side, struct sw_tree **ret_output)
{
    const size_t first = side == 0 ? 0 : compiler->n_lhs;
    const size_t end = side == 0 ? compiler->n_lhs : compiler->command.n_names;

    for (int64_t i = 0; i < n_union; i++)
        put(compiler, SW_TREE_ANY);
    for (size_t i = first; i < end; i++)
        if (is_symbol(compiler, i))
            compiler->nodes[compiler->places[i]] = (int64_t)(i - first);
    return finish_tree(compiler, ret_output);
}

static enum sw_status union_result(struct compiler *compiler, int64_t n_union, size_t n_modes,
                                   struct sw__contraction *contraction)
{
    for (int64_t i = 0; i < n_union; i++)
        put(compiler, SW_TREE_ANY);
    SW__TRY(finish_tree(compiler, &contraction->result_selection));
    if (contraction->is_summed)
        put(compiler, SW_TREE_NESTED(n_modes));
    put_output(compiler);
    if (contraction->is_summed) {
        const size_t begin = compiler->n_nodes;
        for (size_t i = 0; i < compiler->n_lhs; i++)
            if (is_shared(compiler, i) && !is_placed(compiler, i))
                put(compiler, compiler->places[i]);
        close_mode(compiler, begin);
    }
    return finish_tree(compiler, &contraction->result_output);
}

/* ---- The compiler -------------------------------------------------------------------------- */

static enum sw_status read_sides(struct compiler *compiler, const char *text, struct sw__contraction *contraction,
                                 size_t *ret_n_modes)
{
    struct sw__command *command = &compiler->command;

    SW__TRY(sw__command_begin(command, text));
    SW__TRY(sw__command_input(command, SW__TOKEN_COMMA, &contraction->selection[0]));
    compiler->n_lhs = command->n_names;
    SW__TRY(sw__command_input(command, SW__TOKEN_ARROW, &contraction->selection[1]));
    SW__TRY(sw__command_output(command, ret_n_modes));
    /* A tree has the nodes of the output, or one per name, and three more for modes that are made. */
    compiler->twins = sw__alloc(command->n_names * sizeof *compiler->twins);
    compiler->places = sw__alloc_zero(command->n_names * sizeof *compiler->places);
    compiler->nodes = sw__alloc((command->n_nodes + command->n_names + 3) * sizeof *compiler->nodes);
    if (compiler->twins == NULL || compiler->places == NULL || compiler->nodes == NULL)
        return SW_MEMORY_ERROR;
    find_twins(compiler);
    return SW_OK;
}

enum sw_status sw__contraction_compile(const char *text, struct sw__contraction *contraction)
{
    struct compiler compiler SW__CLEANUP(compiler_clear) = { .twins = NULL };
    size_t n_modes = 0;

    SW__TRY(read_sides(&compiler, text, contraction, &n_modes));
    SW__TRY(classify(&compiler, contraction));
    if (contraction->is_elementwise) {
        const int64_t n_union = number_union(&compiler);
        for (size_t side = 0; side < 2; side++)
            SW__TRY(union_factor(&compiler, n_union, side, &contraction->output[side]));
        return union_result(&compiler, n_union, n_modes, contraction);
    }
    for (size_t side = 0; side < 2; side++)
        SW__TRY(matmul_factor(&compiler, contraction, side, &contraction->output[side]));
    return matmul_result(&compiler, contraction);
}
