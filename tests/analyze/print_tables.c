/*
 * print_tables < FILE: a file of event lists and their tables with the tables
 * made anew, through the public calls alone. One case is
 *
 *     list <memory> <flops>
 *     event <thread> <node> <start ns> <duration ns> <async> <bytes> <flops> <shapes> <stack> <name>
 *     ...
 *     averages <shapes> <overload> <carrier> <stack n>        (or not: a table of the events)
 *     table <style> <sort> <rows> <name width> <shapes width> <source width> <top level> <unit> <header>
 *     the table
 *     end
 *
 * with tabs between fields. "-" is none, and no limit. Shapes are trees with
 * blanks between, "." for what is no tensor, "[]" for no inputs at all; frames of
 * stacks are separated by "|". A name may be "carrier/operation class/name".
 */
#include "config.h"

#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <strideweave/event_list.h>
#include <strideweave/tree.h>

#define MOST_PARTS 64

static void check(enum sw_status status)
{
    if (status == SW_OK)
        return;
    fprintf(stderr, "print_tables: %s: %s\n", sw_status_name(status), sw_error_message());
    exit(1);
}

/* Cut a text at a separator; the number of parts. */
static size_t cut(char *text, const char *separator, char **parts, size_t n_most)
{
    size_t n = 0;

    for (char *next = text; next != NULL && n < n_most;) {
        parts[n++] = next;
        next = n < n_most ? strstr(next, separator) : NULL;
        if (next != NULL)
            *next++ = '\0';
    }
    return n;
}

static char *text_or_none(char *field)
{
    return strcmp(field, "-") == 0 ? NULL : field;
}

static int64_t number(const char *field)
{
    return strcmp(field, "-") == 0 ? SW_NO_LIMIT : strtoll(field, NULL, 10);
}

static struct sw_event_list *new_list(char **fields)
{
    struct sw_event_list_options options = SW_EVENT_LIST_OPTIONS_INIT;
    struct sw_event_list *list = NULL;

    options.profile_memory = atoi(fields[1]);
    options.with_flops = atoi(fields[2]);
    check(sw_event_list_new(&options, &list));
    return list;
}

/* "carrier/class/name"; what is not there is none. */
static void set_names(struct sw_function_event *event, struct sw_class_snapshot *classes, char *field)
{
    char *parts[3];

    event->name = field;
    if (cut(field, "/", parts, 3) != 3)
        return;
    classes[0] = (struct sw_class_snapshot){ .module = "module", .qualified_name = parts[0] };
    classes[1] = (struct sw_class_snapshot){ .module = "module", .qualified_name = parts[1] };
    event->name = parts[2];
    event->carrier_type = &classes[0];
    event->implementation_type = &classes[1];
}

static size_t parse_shapes(char *field, struct sw_tree **trees)
{
    char *parts[MOST_PARTS];
    size_t n = strcmp(field, "[]") == 0 ? 0 : cut(field, " ", parts, MOST_PARTS);

    for (size_t i = 0; i < n; i++) {
        trees[i] = NULL;
        if (strcmp(parts[i], ".") != 0)
            check(sw_tree_parse(parts[i], &trees[i]));
    }
    return n;
}

static void append(struct sw_event_list *list, char **fields)
{
    struct sw_function_event event = SW_FUNCTION_EVENT_INIT;
    struct sw_class_snapshot classes[2];
    struct sw_tree *trees[MOST_PARTS];
    struct sw_input_shapes shapes = { 0, (const struct sw_tree *const *)trees };
    char *stack[MOST_PARTS];

    event.thread_id = number(fields[1]);
    event.node_id = strcmp(fields[2], "-") == 0 ? -1 : number(fields[2]);
    event.start_time_ns = number(fields[3]);
    event.cpu_time_total_ns = number(fields[4]);
    event.is_async = atoi(fields[5]);
    event.cpu_memory_bytes = number(fields[6]);
    event.flops = number(fields[7]);
    if (text_or_none(fields[8]) != NULL) {
        shapes.n_inputs = parse_shapes(fields[8], trees);
        event.input_shapes = &shapes;
    }
    if (text_or_none(fields[9]) != NULL) {
        event.n_stack = cut(fields[9], "|", stack, MOST_PARTS);
        event.stack = (const char *const *)stack;
    }
    set_names(&event, classes, fields[10]);
    check(sw_event_list_append(list, &event));
    for (size_t i = 0; i < shapes.n_inputs; i++)
        sw_tree_unref(trees[i]);
}

static struct sw_event_list *averages_of(struct sw_event_list *list, char **fields)
{
    struct sw_event_averages_options options = SW_EVENT_AVERAGES_OPTIONS_INIT;
    struct sw_event_list *averages = NULL;

    options.group_by_input_shapes = atoi(fields[1]);
    options.group_by_overload_name = atoi(fields[2]);
    options.group_by_carrier = atoi(fields[3]);
    options.group_by_stack_n = number(fields[4]);
    check(sw_event_list_build_tree(list));
    check(sw_event_list_key_averages(list, &options, &averages));
    sw_event_list_free(list);
    return averages;
}

static void print_table(const struct sw_event_list *list, char **fields)
{
    struct sw_event_table_options options = SW_EVENT_TABLE_OPTIONS_INIT;
    char *text = NULL;

    options.style = strcmp(fields[1], "new") == 0 ? SW_EVENT_TABLE_TORCH_NEW : SW_EVENT_TABLE_TORCH;
    options.sort_by = text_or_none(fields[2]);
    options.row_limit = number(fields[3]);
    options.max_name_column_width = number(fields[4]);
    options.max_shapes_column_width = number(fields[5]);
    options.max_src_column_width = number(fields[6]);
    options.top_level_events_only = atoi(fields[7]);
    options.time_unit = text_or_none(fields[8]);
    options.header = text_or_none(fields[9]);
    check(sw_event_list_table(list, &options, &text));
    fputs(text, stdout);
    sw_free(text);
}

struct reading {
    struct sw_event_list *list;
    int is_built; /* the tree, if there is to be one */
    int skips;    /* the old table */
};

static void take(struct reading *reading, char *line)
{
    char *fields[12];
    size_t n = cut(line, "\t", fields, 12);

    if (strcmp(fields[0], "list") == 0 && n == 3)
        *reading = (struct reading){ .list = new_list(fields) };
    else if (strcmp(fields[0], "event") == 0 && n == 11)
        append(reading->list, fields);
    else if (strcmp(fields[0], "averages") == 0 && n == 5) {
        reading->list = averages_of(reading->list, fields);
        reading->is_built = 1;
    } else if (strcmp(fields[0], "table") == 0 && n == 10) {
        if (!reading->is_built)
            check(sw_event_list_build_tree(reading->list));
        print_table(reading->list, fields);
        sw_event_list_free(reading->list);
        *reading = (struct reading){ .skips = 1 };
    } else {
        fprintf(stderr, "print_tables: not understood: %s\n", line);
        exit(1);
    }
}

int main(void)
{
    struct reading reading = { .list = NULL };
    char *line = NULL;
    size_t room = 0;

    setlocale(LC_ALL, "");
    while (getline(&line, &room, stdin) > 0) {
        int is_end = strcmp(line, "end\n") == 0;
        if (reading.skips && !is_end)
            continue;
        fputs(line, stdout);
        line[strcspn(line, "\n")] = '\0';
        if (is_end)
            reading.skips = 0;
        else if (line[0] != '#')
            take(&reading, line);
    }
    free(line);
    return 0;
}
