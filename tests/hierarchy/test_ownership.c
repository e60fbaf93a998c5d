/*
 * Ownership: tokens, scopes, and what is refused to everybody but the owner.
 */
#include "config.h"

#include <pthread.h>

#include "check_main.h"
#include "parts.h"

/* ---- Claiming and relinquishing ----------------------------------------------------- */

START_TEST(a_claim_gives_a_token_that_no_other_claim_has)
{
    struct sw_carrier *a = GENERIC(1), *b = GENERIC(2);
    uint64_t first = 0, second = 0, again = 0;

    OK(sw_carrier_claim(a, &first));
    OK(sw_carrier_claim(b, &second));
    ck_assert_uint_ne(first, 0);
    ck_assert_uint_ne(second, 0);
    ck_assert_uint_ne(first, second);
    ck_assert_int_eq(sw_carrier_is_owned(a), 1);
    OK(sw_carrier_relinquish(a, first));
    ck_assert_int_eq(sw_carrier_is_owned(a), 0);
    OK(sw_carrier_claim(a, &again));
    ck_assert_uint_ne(again, first);
    OK(sw_carrier_relinquish(a, again));
    OK(sw_carrier_relinquish(b, second));
    sw_carrier_unref(a);
    sw_carrier_unref(b);
}
END_TEST

START_TEST(what_is_released_or_owned_cannot_be_claimed)
{
    struct sw_carrier *carrier = GENERIC(1), *released = GENERIC(1);
    uint64_t token = 0, other = 7;

    OK(sw_carrier_claim(carrier, &token));
    FAILS(sw_carrier_claim(carrier, &other), SW_RUNTIME_ERROR);
    OK(sw_carrier_release(released));
    FAILS(sw_carrier_claim(released, &other), SW_RUNTIME_ERROR);
    FAILS(sw_carrier_claim(NULL, &other), SW_TYPE_ERROR);
    FAILS(sw_carrier_claim(parts_no_carrier(), &other), SW_TYPE_ERROR);
    ck_assert_uint_eq(other, 7);
    OK(sw_carrier_relinquish(carrier, token));
    sw_carrier_unref(carrier);
    sw_carrier_unref(released);
}
END_TEST

START_TEST(only_the_owners_token_relinquishes)
{
    struct sw_carrier *carrier = GENERIC(1);
    uint64_t token = 0;

    FAILS(sw_carrier_relinquish(carrier, 0), SW_RUNTIME_ERROR);
    OK(sw_carrier_claim(carrier, &token));
    FAILS(sw_carrier_relinquish(carrier, token + 1), SW_RUNTIME_ERROR);
    FAILS(sw_carrier_relinquish(carrier, 0), SW_RUNTIME_ERROR);
    FAILS(sw_carrier_relinquish(parts_no_carrier(), token), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_carrier_is_owned(carrier), 1);
    OK(sw_carrier_relinquish(carrier, token));
    FAILS(sw_carrier_relinquish(carrier, token), SW_RUNTIME_ERROR);
    sw_carrier_unref(carrier);
}
END_TEST

START_TEST(nobody_relinquishes_inside_of_a_scope)
{
    struct sw_carrier *carrier = GENERIC(1);
    uint64_t token = 0;

    OK(sw_carrier_claim(carrier, &token));
    OK(sw_carrier_begin_owner_access(carrier, token));
    FAILS(sw_carrier_relinquish(carrier, token), SW_RUNTIME_ERROR);
    OK(sw_carrier_end_owner_access(carrier, token));
    OK(sw_carrier_relinquish(carrier, token));
    sw_carrier_unref(carrier);
}
END_TEST

START_TEST(a_released_carrier_is_relinquished_as_any_other)
{
    struct sw_carrier *carrier = GENERIC(1);
    uint64_t token = 0;

    OK(sw_carrier_claim(carrier, &token));
    OK(sw_carrier_begin_owner_access(carrier, token));
    OK(sw_carrier_release(carrier));
    OK(sw_carrier_end_owner_access(carrier, token));
    ck_assert_int_eq(sw_carrier_is_owned(carrier), 1);
    OK(sw_carrier_relinquish(carrier, token));
    ck_assert_int_eq(sw_carrier_is_owned(carrier), 0);
    sw_carrier_unref(carrier);
}
END_TEST

/* ---- What an alias may do --------------------------------------------------------------- */

START_TEST(an_alias_of_an_owned_carrier_only_reads)
{
    struct sw_carrier *carrier = GENERIC(1, 2), *destination = GENERIC(0, 0);
    struct sw_tensor *tensor = parts_tensor(carrier, 0, "2:1"), *moved = NULL;
    uint64_t token = 0;

    OK(sw_carrier_claim(carrier, &token));
    EXPECT(carrier, 1, 2);
    ck_assert_int_eq(sw_carrier_is_mutable(carrier), 0);
    ck_assert_int_eq(sw_tensor_is_mutable(tensor), 0);
    FAILS(parts_set(carrier, 0, 5), SW_RUNTIME_ERROR);
    FAILS(sw_carrier_scatter(carrier, tensor, tensor, sw_tensor_layout(tensor), 0), SW_RUNTIME_ERROR);
    FAILS(sw_carrier_bump_version(carrier), SW_RUNTIME_ERROR);
    FAILS(sw_move(tensor, destination, &moved), SW_RUNTIME_ERROR);
    FAILS(sw_carrier_release(carrier), SW_RUNTIME_ERROR);
    ck_assert_ptr_null(moved);
    ck_assert_uint_eq(sw_carrier_version(carrier), 0);
    EXPECT(carrier, 1, 2);
    OK(sw_carrier_relinquish(carrier, token));
    ck_assert_int_eq(sw_carrier_is_mutable(carrier), 1);
    OK(parts_set(carrier, 0, 5));
    sw_tensor_unref(tensor);
    sw_carrier_unref(carrier);
    sw_carrier_unref(destination);
}
END_TEST

START_TEST(inside_of_a_scope_the_owners_thread_may_do_everything)
{
    struct sw_carrier *carrier = GENERIC(1, 2), *destination = GENERIC(0, 0);
    struct sw_tensor *tensor = parts_tensor(carrier, 0, "2:1"), *moved = NULL;
    uint64_t token = 0;

    OK(sw_carrier_claim(carrier, &token));
    OK(sw_carrier_begin_owner_access(carrier, token));
    ck_assert_int_eq(sw_carrier_is_mutable(carrier), 1);
    OK(parts_set(carrier, 0, 5));
    OK(sw_carrier_scatter(carrier, tensor, tensor, sw_tensor_layout(tensor), 0));
    OK(sw_carrier_bump_version(carrier));
    ck_assert_uint_eq(sw_carrier_version(carrier), 3);
    OK(sw_move(tensor, destination, &moved));
    ck_assert_int_eq(sw_carrier_is_released(carrier), 1);
    OK(sw_carrier_release(carrier));
    OK(sw_carrier_end_owner_access(carrier, token));
    OK(sw_carrier_relinquish(carrier, token));
    EXPECT(destination, 5, 2);
    sw_tensor_unref(moved);
    sw_tensor_unref(tensor);
    sw_carrier_unref(carrier);
    sw_carrier_unref(destination);
}
END_TEST

START_TEST(a_scope_does_not_make_immutable_storage_mutable)
{
    struct sw_carrier *carrier = IMMUTABLE(1);
    uint64_t token = 0;

    OK(sw_carrier_claim(carrier, &token));
    OK(sw_carrier_begin_owner_access(carrier, token));
    ck_assert_int_eq(sw_carrier_is_mutable(carrier), 0);
    FAILS(parts_set(carrier, 0, 5), SW_RUNTIME_ERROR);
    OK(sw_carrier_end_owner_access(carrier, token));
    OK(sw_carrier_relinquish(carrier, token));
    sw_carrier_unref(carrier);
}
END_TEST

/* ---- Scopes ------------------------------------------------------------------------------- */

START_TEST(scopes_nest_and_the_outermost_end_closes)
{
    struct sw_carrier *carrier = GENERIC(1);
    uint64_t token = 0;

    OK(sw_carrier_claim(carrier, &token));
    OK(sw_carrier_begin_owner_access(carrier, token));
    OK(sw_carrier_begin_owner_access(carrier, token));
    OK(sw_carrier_end_owner_access(carrier, token));
    ck_assert_int_eq(sw_carrier_is_mutable(carrier), 1);
    OK(sw_carrier_end_owner_access(carrier, token));
    ck_assert_int_eq(sw_carrier_is_mutable(carrier), 0);
    FAILS(sw_carrier_end_owner_access(carrier, token), SW_RUNTIME_ERROR);
    OK(sw_carrier_relinquish(carrier, token));
    sw_carrier_unref(carrier);
}
END_TEST

START_TEST(a_scope_needs_the_owners_token)
{
    struct sw_carrier *carrier = GENERIC(1);
    uint64_t token = 0;

    FAILS(sw_carrier_begin_owner_access(carrier, 0), SW_RUNTIME_ERROR);
    OK(sw_carrier_claim(carrier, &token));
    FAILS(sw_carrier_begin_owner_access(carrier, token + 1), SW_RUNTIME_ERROR);
    FAILS(sw_carrier_begin_owner_access(parts_no_carrier(), token), SW_TYPE_ERROR);
    OK(sw_carrier_begin_owner_access(carrier, token));
    FAILS(sw_carrier_end_owner_access(carrier, token + 1), SW_RUNTIME_ERROR);
    FAILS(sw_carrier_end_owner_access(parts_no_carrier(), token), SW_TYPE_ERROR);
    OK(sw_carrier_end_owner_access(carrier, token));
    OK(sw_carrier_relinquish(carrier, token));
    sw_carrier_unref(carrier);
}
END_TEST

struct visit {
    struct sw_carrier *carrier;
    uint64_t token;
    enum sw_status begin, end, relinquish, set;
    int is_mutable;
};

static void *visit(void *argument)
{
    struct visit *visit = argument;

    visit->is_mutable = sw_carrier_is_mutable(visit->carrier);
    visit->set = parts_set(visit->carrier, 0, 9);
    visit->begin = sw_carrier_begin_owner_access(visit->carrier, visit->token);
    visit->end = sw_carrier_end_owner_access(visit->carrier, visit->token);
    visit->relinquish = sw_carrier_relinquish(visit->carrier, visit->token);
    return NULL;
}

START_TEST(a_scope_is_bound_to_its_thread)
{
    struct visit other = { .carrier = GENERIC(1) };
    pthread_t thread;

    OK(sw_carrier_claim(other.carrier, &other.token));
    OK(sw_carrier_begin_owner_access(other.carrier, other.token));
    ck_assert_int_eq(pthread_create(&thread, NULL, visit, &other), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert_int_eq(other.is_mutable, 0);
    FAILS(other.set, SW_RUNTIME_ERROR);
    FAILS(other.begin, SW_RUNTIME_ERROR);
    FAILS(other.end, SW_RUNTIME_ERROR);
    FAILS(other.relinquish, SW_RUNTIME_ERROR);
    ck_assert_int_eq(sw_carrier_is_mutable(other.carrier), 1);
    OK(sw_carrier_end_owner_access(other.carrier, other.token));

    ck_assert_int_eq(pthread_create(&thread, NULL, visit, &other), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    OK(other.begin);
    OK(other.end);
    OK(other.relinquish);
    EXPECT(other.carrier, 1);
    sw_carrier_unref(other.carrier);
}
END_TEST

#define N_CLAIMERS 4
#define N_ROUNDS 200

struct race {
    struct sw_carrier *carrier;
    pthread_barrier_t barrier;
    int n_claimed; /* atomic */
    int n_in_all;  /* atomic */
};

static void *claim_repeatedly(void *argument)
{
    struct race *race = argument;
    uint64_t token = 0;

    for (int round = 0; round < N_ROUNDS; round++) {
        pthread_barrier_wait(&race->barrier);
        int won = sw_carrier_claim(race->carrier, &token) == SW_OK;
        __atomic_fetch_add(&race->n_in_all, won, __ATOMIC_RELAXED);
        pthread_barrier_wait(&race->barrier);
        if (won && sw_carrier_relinquish(race->carrier, token) == SW_OK)
            __atomic_fetch_add(&race->n_claimed, 1, __ATOMIC_RELAXED);
    }
    return NULL;
}

START_TEST(of_several_claims_at_once_one_succeeds)
{
    struct race race = { .carrier = GENERIC(1) };
    pthread_t threads[N_CLAIMERS];

    ck_assert_int_eq(pthread_barrier_init(&race.barrier, NULL, N_CLAIMERS), 0);
    for (size_t i = 0; i < N_CLAIMERS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, claim_repeatedly, &race), 0);
    for (size_t i = 0; i < N_CLAIMERS; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    ck_assert_int_eq(race.n_in_all, N_ROUNDS);
    ck_assert_int_eq(race.n_claimed, N_ROUNDS);
    pthread_barrier_destroy(&race.barrier);
    sw_carrier_unref(race.carrier);
}
END_TEST

/* ---- Owners that are owned --------------------------------------------------------------------- */

START_TEST(ownership_composes)
{
    struct sw_carrier *carrier = parts_evictable(GENERIC(1), GENERIC(0));
    uint64_t token = 0;

    OK(sw_carrier_claim(carrier, &token));
    ck_assert_int_eq(sw_carrier_is_mutable(carrier), 0);
    FAILS(parts_set(carrier, 0, 5), SW_RUNTIME_ERROR);
    FAILS(sw_carrier_release(carrier), SW_RUNTIME_ERROR);
    OK(sw_carrier_begin_owner_access(carrier, token));
    OK(parts_set(carrier, 0, 5));
    OK(sw_carrier_end_owner_access(carrier, token));
    EXPECT(carrier, 5);
    OK(sw_carrier_relinquish(carrier, token));
    sw_carrier_unref(carrier);
}
END_TEST

CHECK_MAIN("ownership", a_claim_gives_a_token_that_no_other_claim_has, what_is_released_or_owned_cannot_be_claimed,
           only_the_owners_token_relinquishes, nobody_relinquishes_inside_of_a_scope,
           a_released_carrier_is_relinquished_as_any_other, an_alias_of_an_owned_carrier_only_reads,
           inside_of_a_scope_the_owners_thread_may_do_everything, a_scope_does_not_make_immutable_storage_mutable,
           scopes_nest_and_the_outermost_end_closes, a_scope_needs_the_owners_token, a_scope_is_bound_to_its_thread,
           of_several_claims_at_once_one_succeeds, ownership_composes)
