/*
 * A program that knows where its tensors go: chains, views, both operands the
 * same, an address that is used again, another thread, an Evictable that moves. It
 * prints its own account of flows, kept by hand: "1 2 0" says that operation 2
 * took at position 0 what operation 1 had made, operations counted as they begin;
 * and behind "inside" the same of what ran inside of them, on the primary tiers.
 *
 *     flows         all of that
 *     flows loop N  a chain of N operations, with no account
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <strideweave/strideweave.h>

#define MOST_STORAGES 64

/* Who made what lies on a carrier, as long as that lives. */
static struct {
    const struct sw_carrier *carrier;
    int operation;
} makers[MOST_STORAGES];
static size_t n_makers;
static int n_operations;

static void check(enum sw_status status)
{
    if (status == SW_OK)
        return;
    fprintf(stderr, "%s\n", sw_error_message());
    exit(1);
}

static int maker_of(const struct sw_carrier *carrier)
{
    for (size_t i = n_makers; i-- > 0;)
        if (makers[i].carrier == carrier)
            return makers[i].operation;
    return 0;
}

static void begin(void)
{
    n_operations++;
}

static void took(const char *where, const struct sw_carrier *carrier, int position)
{
    int maker = maker_of(carrier);

    if (maker != 0)
        printf("%s%d %d %d\n", where, maker, n_operations, position);
}

static void made(const struct sw_carrier *carrier)
{
    makers[n_makers].carrier = carrier;
    makers[n_makers++].operation = n_operations;
}

static void give_back(struct sw_tensor *tensor)
{
    const struct sw_carrier *carrier = sw_tensor_carrier(tensor);

    for (size_t i = 0; i < n_makers; i++)
        if (makers[i].carrier == carrier)
            makers[i].carrier = NULL;
    sw_tensor_unref(tensor);
}

static struct sw_tensor *new_tensor(void)
{
    struct sw_tree *shape;
    struct sw_tensor *tensor;

    check(sw_tree_flat((const int64_t[]){ 8, 8 }, 2, &shape));
    check(sw_tensor_zeros(sw_cpu_class(), SW_FLOAT32, shape, &tensor));
    sw_tree_unref(shape);
    return tensor;
}

static struct sw_tensor *add(const struct sw_tensor *left, const struct sw_tensor *right)
{
    struct sw_tensor *sum;

    begin();
    took("", sw_tensor_carrier(left), 0);
    took("", sw_tensor_carrier(right), 1);
    check(sw_add(left, right, &sum));
    made(sw_tensor_carrier(sum));
    return sum;
}

static struct sw_tensor *turn(const struct sw_tensor *tensor)
{
    struct sw_tensor *view;

    begin();
    took("", sw_tensor_carrier(tensor), 0);
    check(sw_permute(tensor, (const int64_t[]){ 1, 0 }, 2, &view));
    made(sw_tensor_carrier(view));
    return view;
}

static void *add_to_itself(void *tensor)
{
    return add(tensor, tensor);
}

static void chain(void)
{
    struct sw_tensor *a = new_tensor(), *b = new_tensor();
    struct sw_tensor *sum = add(a, b);
    struct sw_tensor *view = turn(sum);     /* the view's maker is the view's operation, of the sum, too */
    struct sw_tensor *both = add(sum, view);
    struct sw_tensor *twice = add(both, both);
    void *elsewhere = NULL;
    pthread_t thread;

    give_back(a);
    a = new_tensor(); /* it may lie where the other one lay, and nobody has made it */
    struct sw_tensor *last = add(a, twice);
    if (pthread_create(&thread, NULL, add_to_itself, last) != 0)
        exit(2);
    pthread_join(thread, &elsewhere);
    give_back(add(elsewhere, b));
    give_back(elsewhere);
    give_back(last);
    give_back(twice);
    give_back(both);
    sw_tensor_unref(view);
    give_back(sum);
    give_back(a);
    give_back(b);
}

static struct sw_tensor *new_evictable(void)
{
    struct sw_carrier *primary, *secondary, *evictable;
    struct sw_tensor *like = new_tensor(), *tensor;

    check(sw_cpu_new(64, NULL, &primary));
    check(sw_cpu_new(64, NULL, &secondary));
    check(sw_evictable_new(primary, secondary, &evictable));
    check(sw_tensor_new(evictable, 0, sw_tensor_layout(like), &tensor));
    sw_tensor_unref(like);
    sw_carrier_unref(primary);
    sw_carrier_unref(secondary);
    sw_carrier_unref(evictable);
    return tensor;
}

/* Its own operation, and the one of the primary tiers inside of that. */
static struct sw_tensor *add_evictable(const struct sw_tensor *left, const struct sw_tensor *right)
{
    const struct sw_carrier *inner_left = sw_evictable_primary(sw_tensor_carrier(left));
    const struct sw_carrier *inner_right = sw_evictable_primary(sw_tensor_carrier(right));
    struct sw_tensor *sum;

    begin();
    took("", sw_tensor_carrier(left), 0);
    took("", sw_tensor_carrier(right), 1);
    took("inside ", inner_left, 0);
    took("inside ", inner_right, 1);
    check(sw_add(left, right, &sum));
    made(sw_tensor_carrier(sum));
    made(sw_evictable_primary(sw_tensor_carrier(sum)));
    return sum;
}

static void evict(void)
{
    struct sw_tensor *a = new_evictable(), *sum = add_evictable(a, a), *other = add_evictable(a, sum);
    struct sw_carrier *evictable = sw_tensor_carrier(sum);
    struct sw_tensor *last;

    for (size_t i = 0; i < n_makers; i++)
        if (makers[i].carrier == sw_evictable_primary(evictable))
            makers[i].carrier = NULL; /* it will be another one */
    check(sw_evictable_evict(evictable));
    check(sw_evictable_promote(evictable));
    last = add_evictable(sum, other);
    sw_tensor_unref(last);
    sw_tensor_unref(other);
    sw_tensor_unref(sum);
    sw_tensor_unref(a);
}

static void loop(long n)
{
    struct sw_tensor *b = new_tensor(), *sum = new_tensor(), *next;

    for (long i = 0; i < n; i++) {
        check(sw_add(sum, b, &next));
        sw_tensor_unref(sum);
        sum = next;
    }
    sw_tensor_unref(sum);
    sw_tensor_unref(b);
}

int main(int n_arguments, char **arguments)
{
    if (n_arguments > 2 && strcmp(arguments[1], "loop") == 0) {
        loop(strtol(arguments[2], NULL, 10));
        return 0;
    }
    chain();
    evict();
    return 0;
}
