/*
 * Replaying storage records. A release counts only where what it gives back was
 * seen to be made, so figures never fall below what there was.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* qsort_r */

#include "report/storage_history.h"

#include <stdlib.h>

#include "analyze/index_table.h"
#include "base/alloc.h"
#include "base/checked.h"

/* A carrier that has had storage: one at a time. */
struct owner {
    uint64_t carrier;
    size_t made; /* the record of the storage that it has, or NOTHING */
};
#define NOTHING SIZE_MAX

struct replay {
    const struct storage *storage;
    struct storage_history *history;
    struct sw__index_table table; /* carrier -> owner */
    struct owner *owners;         /* room for as many as there are records */
    size_t n_owners;
};

static void replay_clear(struct replay *replay)
{
    sw__index_table_clear(&replay->table);
    sw__free(replay->owners);
}

static int by_time(const void *a, const void *b, void *context)
{
    const struct storage *storage = context;
    const struct storage_step *left = a, *right = b;
    const struct storage_record *x = &storage->records[left->record], *y = &storage->records[right->record];

    if (x->ns != y->ns)
        return x->ns < y->ns ? -1 : 1;
    return (left->record > right->record) - (left->record < right->record);
}

static enum report_outcome put_in_order(const struct storage *storage, struct storage_history *history)
{
    history->steps = sw__alloc_zero(storage->n_records * sizeof *history->steps);
    history->classes = sw__alloc_zero(storage->classes.n_texts * sizeof *history->classes);
    if (history->steps == NULL || history->classes == NULL)
        return REPORT_SYSTEM;
    history->n_steps = storage->n_records;
    for (size_t i = 0; i < history->n_steps; i++)
        history->steps[i].record = i;
    for (size_t i = 0; i < storage->classes.n_texts; i++)
        history->classes[i].peak = SIZE_MAX;
    history->all.peak = SIZE_MAX;
    if (history->n_steps > 1)
        qsort_r(history->steps, history->n_steps, sizeof *history->steps, by_time, (void *)(uintptr_t)storage);
    return REPORT_OK;
}

/* ---- Accounts --------------------------------------------------------------------------- */

static void count_alloc(struct storage_account *account, uint64_t bytes, size_t step)
{
    sw__add_saturating(&account->current_bytes, bytes);
    sw__add_saturating(&account->sums.allocated, bytes);
    account->n_current++;
    account->n_allocated++;
    if (account->current_bytes > account->peak_bytes || account->peak == SIZE_MAX) {
        account->peak_bytes = account->current_bytes;
        account->peak = step;
    }
}

static void count_free(struct storage_account *account, uint64_t bytes)
{
    account->current_bytes -= account->current_bytes > bytes ? bytes : account->current_bytes;
    sw__add_saturating(&account->sums.released, bytes);
    account->n_current--;
    account->n_released++;
}

/* ---- Owners ----------------------------------------------------------------------------- */

/* The owner of a number; a new one that has nothing where there is none. */
static enum report_outcome find_owner(struct replay *replay, uint64_t carrier, struct owner **ret_owner)
{
    uint64_t hash = sw__hash_number(SW__HASH_BEGIN, carrier);
    struct sw__index_probe probe = sw__index_probe(&replay->table, hash);
    uint32_t place;

    while ((place = sw__index_next(&probe)) != SW__ANALYZE_NONE)
        if (replay->owners[place].carrier == carrier)
            break;
    if (place == SW__ANALYZE_NONE) {
        place = (uint32_t)replay->n_owners++;
        replay->owners[place] = (struct owner){ carrier, NOTHING };
        REPORT_TRY(report_status(sw__index_put(&replay->table, hash, place)));
    }
    *ret_owner = &replay->owners[place];
    return REPORT_OK;
}

/* What an owner has is no more. */
static void give_back(struct replay *replay, struct owner *owner)
{
    const struct storage_record *made = &replay->storage->records[owner->made];

    count_free(&replay->history->classes[made->class_index], made->bytes);
    count_free(&replay->history->all, made->bytes);
    owner->made = NOTHING;
}

/* ---- Steps ------------------------------------------------------------------------------ */

static enum report_outcome play_alloc(struct replay *replay, const struct storage_record *record, size_t index)
{
    struct storage_history *history = replay->history;
    struct owner *owner = NULL;

    REPORT_TRY(find_owner(replay, record->carrier, &owner));
    if (owner->made != NOTHING)
        give_back(replay, owner); /* that was not recorded: no round was open, or there was no room */
    owner->made = history->steps[index].record;
    history->steps[index].is_counted = 1;
    count_alloc(&history->classes[record->class_index], record->bytes, index);
    count_alloc(&history->all, record->bytes, index);
    return REPORT_OK;
}

static enum report_outcome play_free(struct replay *replay, const struct storage_record *record, size_t index)
{
    struct storage_history *history = replay->history;
    struct owner *owner = NULL;

    REPORT_TRY(find_owner(replay, record->carrier, &owner));
    if (owner->made == NOTHING) {
        history->classes[record->class_index].n_unknown++;
        history->all.n_unknown++;
        return REPORT_OK;
    }
    history->steps[index].is_counted = 1;
    give_back(replay, owner);
    return REPORT_OK;
}

static enum report_outcome play(struct replay *replay, size_t index)
{
    struct storage_history *history = replay->history;
    struct storage_step *step = &history->steps[index];
    const struct storage_record *record = &replay->storage->records[step->record];
    struct storage_account *account = &history->classes[record->class_index];

    if (record->kind == STORAGE_ALLOC) {
        REPORT_TRY(play_alloc(replay, record, index));
    } else if (record->kind == STORAGE_FREE) {
        REPORT_TRY(play_free(replay, record, index));
    } else {
        account->n_refused++;
        history->all.n_refused++;
    }
    step->class_bytes = account->current_bytes;
    step->current_bytes = history->all.current_bytes;
    return REPORT_OK;
}

static int by_key(const void *a, const void *b)
{
    const struct storage_remainder *left = a, *right = b;

    if (left->class_index != right->class_index)
        return left->class_index < right->class_index ? -1 : 1;
    if (left->dispatch != right->dispatch)
        return left->dispatch < right->dispatch ? -1 : 1;
    return (left->first_ns > right->first_ns) - (left->first_ns < right->first_ns);
}

static int by_bytes(const void *a, const void *b)
{
    const struct storage_remainder *left = a, *right = b;

    if (left->bytes != right->bytes)
        return left->bytes > right->bytes ? -1 : 1;
    return by_key(a, b);
}

/* What owners still have, one by one, sorted, and equal ones as one. */
static enum report_outcome find_remainders(const struct replay *replay)
{
    struct storage_history *history = replay->history;
    struct storage_remainder *remainders = sw__alloc(replay->n_owners * sizeof *remainders);
    size_t n = 0, n_joined = 0;

    if (remainders == NULL)
        return REPORT_SYSTEM;
    history->remainders = remainders;
    for (size_t i = 0; i < replay->n_owners; i++) {
        const size_t record = replay->owners[i].made;
        if (record == NOTHING)
            continue;
        const struct storage_record *made = &replay->storage->records[record];
        remainders[n++] = (struct storage_remainder){ made->class_index, made->dispatch, made->bytes, 1, made->ns };
    }
    if (n > 1)
        qsort(remainders, n, sizeof *remainders, by_key);
    for (size_t i = 0; i < n; i++) {
        struct storage_remainder *last = n_joined > 0 ? &remainders[n_joined - 1] : NULL;
        if (last == NULL || last->class_index != remainders[i].class_index || last->dispatch != remainders[i].dispatch) {
            remainders[n_joined++] = remainders[i];
            continue;
        }
        sw__add_saturating(&last->bytes, remainders[i].bytes);
        last->n++;
    }
    if (n_joined > 1)
        qsort(remainders, n_joined, sizeof *remainders, by_bytes);
    history->n_remainders = n_joined;
    return REPORT_OK;
}

enum report_outcome storage_history_build(const struct storage *storage, struct storage_history *ret_history)
{
    struct storage_history history REPORT_OWNED_STORAGE_HISTORY = { .steps = NULL };
    struct replay replay SW__CLEANUP(replay_clear) = { .storage = storage, .history = &history };

    if (storage->n_records >= SW__ANALYZE_NONE)
        return report_fail(REPORT_SYSTEM, "more storage records than can be numbered");
    REPORT_TRY(put_in_order(storage, &history));
    replay.owners = sw__alloc(storage->n_records * sizeof *replay.owners);
    if (replay.owners == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < history.n_steps; i++)
        REPORT_TRY(play(&replay, i));
    REPORT_TRY(find_remainders(&replay));
    *ret_history = history;
    history = (struct storage_history){ .steps = NULL };
    return REPORT_OK;
}

void storage_history_clear(struct storage_history *history)
{
    sw__free(history->steps);
    sw__free(history->classes);
    sw__free(history->remainders);
    *history = (struct storage_history){ .steps = NULL };
}
