/*
 * The process-wide registry of moves, keyed by the exact pair of classes.
 */
#include "config.h"

#include "base/alloc.h"
#include "base/lock.h"
#include "carrier/dense.h"
#include "carrier/file_backed.h"
#include "hierarchy/move.h"

struct row {
    struct row *next;
    const struct sw_carrier_class *source_class;
    const struct sw_carrier_class *destination_class;
    const struct sw_move_class *move_class;
    int is_static;
};

/* What is registered from the start. */
static struct row to_memory = { NULL, &sw__file_backed_class, &sw__cpu_class, &sw__move_to_memory, 1 };
static struct row to_file = { &to_memory, &sw__cpu_class, &sw__file_backed_class, &sw__move_to_file, 1 };

static struct row *rows = &to_file; /* under SW__LOCK_MOVES, like what it leads to */

/* The link that leads to the row of a pair; the last, empty one when there is none. */
static struct row **find(const struct sw_carrier_class *source_class, const struct sw_carrier_class *destination_class)
{
    struct row **link = &rows;

    while (*link != NULL &&
           ((*link)->source_class != source_class || (*link)->destination_class != destination_class))
        link = &(*link)->next;
    return link;
}

static enum sw_status check_move_class(const struct sw_move_class *move_class)
{
    if (move_class == NULL || move_class->head.kind != SW_KIND_MOVE_CLASS)
        return sw_error_set(SW_TYPE_ERROR, "not a move class");
    if (move_class->head.struct_bytes < sizeof *move_class)
        return sw_error_set(SW_TYPE_ERROR, "a move class has %zu bytes, not %u", sizeof *move_class,
                            (unsigned)move_class->head.struct_bytes);
    if (move_class->head.module == NULL || move_class->head.qualified_name == NULL || move_class->copy == NULL)
        return sw_error_set(SW_VALUE_ERROR, "a move class needs its names and copy");
    return SW_OK;
}

enum sw_status sw_move_register(struct sw_carrier_class *source_class, struct sw_carrier_class *destination_class,
                                const struct sw_move_class *move_class)
{
    struct row *row SW__OWNED = NULL;

    SW__TRY(sw__carrier_class_check(source_class));
    SW__TRY(sw__carrier_class_check(destination_class));
    SW__TRY(check_move_class(move_class));
    row = sw__alloc(sizeof *row);
    if (row == NULL)
        return SW_MEMORY_ERROR;
    *row = (struct row){ NULL, source_class, destination_class, move_class, 0 };
    SW__HOLD(SW__LOCK_MOVES);
    struct row **link = find(source_class, destination_class);
    if (*link != NULL)
        return sw_error_set(SW_VALUE_ERROR, "the move from %s to %s is registered already",
                            source_class->head.qualified_name, destination_class->head.qualified_name);
    *link = sw__take(row);
    return SW_OK;
}

enum sw_status sw_move_unregister(struct sw_carrier_class *source_class, struct sw_carrier_class *destination_class)
{
    SW__TRY(sw__carrier_class_check(source_class));
    SW__TRY(sw__carrier_class_check(destination_class));
    SW__HOLD(SW__LOCK_MOVES);
    struct row **link = find(source_class, destination_class);
    if (*link == NULL)
        return sw_error_set(SW_VALUE_ERROR, "no move from %s to %s is registered", source_class->head.qualified_name,
                            destination_class->head.qualified_name);
    struct row *row = *link;
    *link = row->next;
    if (!row->is_static)
        sw__free(row);
    return SW_OK;
}

static const struct sw_move_class *move_of(const struct sw_carrier_class *source_class,
                                           const struct sw_carrier_class *destination_class)
{
    SW__HOLD(SW__LOCK_MOVES);
    const struct row *row = *find(source_class, destination_class);
    return row != NULL ? row->move_class : &sw__move_elements;
}

enum sw_status sw__move_resolve(const struct sw_carrier_class *source_class,
                                const struct sw_carrier_class *destination_class,
                                const struct sw_move_class **ret_move_class)
{
    const struct sw_move_class *found = move_of(source_class, destination_class);

    if ((found->source_class != NULL && found->source_class != source_class) ||
        (found->destination_class != NULL && found->destination_class != destination_class))
        return sw_error_set(SW_TYPE_ERROR, "the move %s is registered from %s to %s, for which it is not written",
                            found->head.qualified_name, source_class->head.qualified_name,
                            destination_class->head.qualified_name);
    *ret_move_class = found;
    return SW_OK;
}
