/*
 * What a viewer asks of a Chrome trace, read with a JSON parser that knows
 * nothing of the writer: slices of a thread nest, parents enclose their
 * children, self times are what is left. Prints "SLICES slices, THREADS threads"
 * or the first thing that is wrong.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct slice {
    const char *name;
    long long pid, tid, id, parent; /* 0: none */
    long long begin, end, self;     /* ns */
    long long children;
};

static _Noreturn void wrong(const char *what, const char *name)
{
    printf("wrong: %s: %s\n", what, name);
    exit(1);
}

/* Microseconds with three decimals: jansson keeps them as doubles, exact enough below 2^53 ns. */
static long long ns_of(json_t *number, const char *name)
{
    if (!json_is_number(number))
        wrong("no time", name);
    double ns = json_number_value(number) * 1000;
    return (long long)(ns < 0 ? ns - 0.5 : ns + 0.5);
}

static struct slice slice_of(json_t *event)
{
    json_t *args = json_object_get(event, "args");
    struct slice slice = {
        .name = json_string_value(json_object_get(event, "name")),
        .pid = json_integer_value(json_object_get(event, "pid")),
        .tid = json_integer_value(json_object_get(event, "tid")),
        .id = json_integer_value(json_object_get(args, "External id")),
        .parent = json_integer_value(json_object_get(args, "Parent id")),
        .self = json_integer_value(json_object_get(args, "self_ns")),
    };

    if (slice.name == NULL)
        wrong("a slice without a name", "");
    slice.begin = ns_of(json_object_get(event, "ts"), slice.name);
    slice.end = slice.begin + ns_of(json_object_get(event, "dur"), slice.name);
    return slice;
}

static int by_place(const void *a, const void *b)
{
    const struct slice *left = a, *right = b;

    if (left->pid != right->pid)
        return left->pid < right->pid ? -1 : 1;
    if (left->tid != right->tid)
        return left->tid < right->tid ? -1 : 1;
    if (left->begin != right->begin)
        return left->begin < right->begin ? -1 : 1;
    return (left->end < right->end) - (left->end > right->end);
}

/* With a stack of what is open, as a viewer draws it. */
static size_t check_nesting(struct slice *slices, size_t n)
{
    size_t *open = malloc((n + 1) * sizeof *open), n_open = 0, n_threads = 0;

    for (size_t i = 0; i < n; i++) {
        struct slice *slice = &slices[i];
        if (i == 0 || slice->tid != slice[-1].tid || slice->pid != slice[-1].pid) {
            n_open = 0;
            n_threads++;
        }
        while (n_open > 0 && slices[open[n_open - 1]].end <= slice->begin)
            n_open--;
        struct slice *parent = n_open > 0 ? &slices[open[n_open - 1]] : NULL;
        if (parent != NULL && slice->end > parent->end)
            wrong("a slice that crosses another", slice->name);
        if (slice->parent != (parent != NULL ? parent->id : 0))
            wrong("a slice whose parent is not the one around it", slice->name);
        if (parent != NULL)
            parent->children += slice->end - slice->begin;
        open[n_open++] = i;
    }
    free(open);
    return n_threads;
}

static void check_self(const struct slice *slices, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (slices[i].self != slices[i].end - slices[i].begin - slices[i].children)
            wrong("a self time that is not what is left", slices[i].name);
}

int main(int n_arguments, char **arguments)
{
    json_error_t error;
    json_t *root = n_arguments == 2 ? json_load_file(arguments[1], JSON_REJECT_DUPLICATES, &error) : NULL, *event = NULL;
    size_t n = 0, i = 0;

    if (root == NULL)
        wrong("not JSON", n_arguments == 2 ? error.text : "one file is expected");
    json_t *events = json_is_array(root) ? root : json_object_get(root, "traceEvents");
    struct slice *slices = calloc(json_array_size(events) + 1, sizeof *slices);
    json_array_foreach(events, i, event)
        if (strcmp(json_string_value(json_object_get(event, "ph")), "X") == 0)
            slices[n++] = slice_of(event);
    qsort(slices, n, sizeof *slices, by_place);
    if (json_is_array(root)) {
        printf("%zu slices\n", n);
        return 0;
    }
    size_t n_threads = check_nesting(slices, n);
    check_self(slices, n);
    printf("%zu slices, %zu threads\n", n, n_threads);
    free(slices);
    json_decref(root);
    return 0;
}
