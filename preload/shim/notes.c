/*
 * Chunks of notes and names in them: the slow side of notes.h.
 */
#include "config.h"

#include "shim/notes.h"

#include "record/text.h"
#include "shim/memory.h"
#include "shim/ready.h"
#include "shim/ring.h"
#include "shim/series.h"
#include "shim/shim.h"
#include "shim/slow.h"
#include "shim/thread.h"

/* The largest chunk is one step of making present. */
#define MOST_DOUBLINGS 4
/* Losses after which room is asked for again: for want of space, and in a ring, where rounds begin. */
#define RETRY_LOSSES 4096
#define RETRY_RING_LOSSES 256

/* ---- The thread ------------------------------------------------------------------------------ */

static void lose_for(struct thread *thread)
{
    struct capture *capture = capture_get();

    if (thread != NULL)
        notes_lose(thread);
    else if (capture != NULL && __atomic_load_n(&capture->state, __ATOMIC_ACQUIRE) == CAPTURE_READY)
        __atomic_fetch_add(&capture->report.header->lost_notes, 1, __ATOMIC_RELAXED);
}

static struct thread *occupy(struct thread *thread, uintptr_t stack)
{
    if (thread->busy != 0 && ready_is_at_work(thread, stack)) {
        lose_for(thread);
        return NULL;
    }
    thread->busy = stack;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return thread;
}

struct thread *notes_begin(uintptr_t stack)
{
    struct thread *thread;

    if ((UNLIKELY(__atomic_load_n(&shim.loaded, __ATOMIC_ACQUIRE) != SHIM_LOADED) && !shim_load()) || shim.inert)
        return NULL;
    __atomic_store_n(&shim.hooked, 1, __ATOMIC_RELAXED);
    if ((shim_ways() & SHIM_RECORDING) == 0)
        return NULL;
    thread = ready_thread();
    if (thread == NULL && (thread = ready_start()) == NULL) {
        lose_for(NULL);
        return NULL;
    }
    return occupy(thread, stack);
}

struct thread *notes_resume(uintptr_t stack)
{
    struct thread *thread = ready_thread();

    return thread != NULL ? occupy(thread, stack) : NULL;
}

void notes_end(struct thread *thread, uint64_t now)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&thread->busy, 0, __ATOMIC_RELEASE);
    if (UNLIKELY(thread->after != 0))
        thread_after(thread, now);
}

void notes_lose(struct thread *thread)
{
    thread->report->lost_notes++;
}

/* ---- Chunks ---------------------------------------------------------------------------------- */

static struct swprof_note *notes_of(struct swprof_block *chunk)
{
    return (struct swprof_note *)(void *)(chunk + 1);
}

/* The slots before @end are whole. */
static void publish(struct swprof_block *chunk, const struct swprof_note *end)
{
    __atomic_store_n(&chunk->published, (uint64_t)((const char *)end - (const char *)notes_of(chunk)), __ATOMIC_RELEASE);
}

static struct swprof_note *end_of(struct swprof_block *chunk)
{
    return notes_of(chunk) + (report_block_bytes(chunk) - sizeof *chunk) / sizeof(struct swprof_note);
}

void notes_inherit(struct notes *notes, const struct notes *former)
{
    if (former->chunk == NULL)
        return;
    notes->chunk = former->chunk;
    notes->cursor = notes->limit = former->cursor;
    notes->used = former->used;
    notes->is_heir = 1;
}

/* The mark of the new owner, when there is room for it and a note. */
static int go_on(struct thread *thread)
{
    struct notes *notes = &thread->notes;
    struct swprof_block *chunk = notes->chunk;

    notes->is_heir = 0;
    if (end_of(chunk) - notes->cursor < 2)
        return 0;
    notes->limit = end_of(chunk);
    __atomic_store_n(&chunk->n_owners, chunk->n_owners + 1, __ATOMIC_RELEASE);
    *notes->cursor++ = (struct swprof_note){.start = thread->number, .kind = SWPROF_NOTE_OWNER};
    notes->n_chunks = 1;
    publish(chunk, notes->cursor);
    return 1;
}

/* What a ring drops is counted first: killed in between, a note may be there and count as lost. */
static void empty(struct thread *thread, struct swprof_block *chunk)
{
    uint64_t n_notes = chunk->published / sizeof(struct swprof_note) - chunk->n_owners;

    __atomic_fetch_add(&thread->capture->report.header->lost_notes, n_notes, __ATOMIC_RELAXED);
    __atomic_store_n(&chunk->generation, chunk->generation + 1, __ATOMIC_RELEASE);
    report_store_fence();
    chunk->published = 0;
    chunk->n_owners = 0;
    chunk->thread = thread->number;
    chunk->first_id = thread->notes.n_chunks;
    sw__clock_anchor(shim.clock, &chunk->anchor);
    __atomic_store_n(&chunk->generation, chunk->generation + 1, __ATOMIC_RELEASE);
}

/* For the holder of the lock. */
static struct swprof_block *next_chunk(struct thread *thread, enum swprof_lost *reason)
{
    struct capture *capture = thread->capture;
    struct notes *notes = &thread->notes;
    uint64_t share = capture->report.header->cap_bytes / (shim.settings.policy == SWPROF_POLICY_STOP ? 2 : 4);
    struct swprof_block form = {.type = SWPROF_BLOCK_NOTES, .thread = thread->number, .first_id = notes->n_chunks};
    struct swprof_block *chunk = NULL;

    form.pages = 1u << (notes->n_chunks < MOST_DOUBLINGS ? notes->n_chunks : MOST_DOUBLINGS);
    for (; chunk == NULL && form.pages > 0; form.pages /= 2) {
        if (capture->report.note_bytes + report_block_bytes(&form) > share)
            continue;
        chunk = report_block(&capture->report, &form, &capture->scratch, reason);
    }
    if (chunk != NULL) {
        if (shim.settings.policy == SWPROF_POLICY_RING)
            ring_add(capture, &notes->used, chunk, thread->report);
        return chunk;
    }
    if (shim.settings.policy == SWPROF_POLICY_RING && (chunk = ring_take(capture, &notes->used)) != NULL)
        empty(thread, chunk);
    return chunk;
}

static int new_chunk(struct thread *thread)
{
    struct capture *capture = thread->capture;
    struct notes *notes = &thread->notes;
    enum swprof_lost reason = SWPROF_LOST_FULL;
    struct swprof_block *chunk = NULL;
    uint64_t begin = thread_now();
    struct slow slow;

    slow_begin(&slow);
    slow_lock(&capture->lock);
    if (notes->n_chunks != UINT32_MAX && (!capture->frozen || (thread->after & THREAD_LATE)))
        chunk = next_chunk(thread, &reason);
    if (chunk != NULL) {
        notes->chunk = chunk;
        notes->cursor = notes_of(chunk);
        notes->limit = end_of(chunk);
        notes->n_chunks++;
    }
    slow_unlock(&capture->lock);
    slow_end(&slow);
    thread_account(thread, begin);
    thread_put_tool(thread);
    notes->refused = chunk != NULL ? 0 : 1 + (uint32_t)reason;
    return chunk != NULL;
}

/* Whether there is any use in asking for room now. */
static int may_ask(struct notes *notes)
{
    if (notes->refused == 0)
        return 1;
    if (shim.settings.policy == SWPROF_POLICY_RING)
        return ++notes->retry % RETRY_RING_LOSSES == 0;
    return notes->refused != 1 + SWPROF_LOST_FULL && ++notes->retry % RETRY_LOSSES == 0;
}

static __attribute__((noinline)) int make_room(struct thread *thread)
{
    struct notes *notes = &thread->notes;

    if (notes->is_heir && go_on(thread))
        return 1;
    if (may_ask(notes) && new_chunk(thread))
        return 1;
    notes_lose(thread);
    return 0;
}

struct swprof_note *notes_room(struct thread *thread)
{
    struct notes *notes = &thread->notes;

    return LIKELY(notes->cursor < notes->limit) || make_room(thread) ? notes->cursor : NULL;
}

void notes_put(struct thread *thread, struct swprof_note *slot)
{
    thread->notes.cursor = slot + 1;
    publish(thread->notes.chunk, slot + 1);
    thread->report->n_notes++;
}

/* ---- Notes that are completed later ------------------------------------------------------------ */

static void put(struct thread *thread, const struct swprof_note *note)
{
    struct swprof_note *slot = notes_room(thread);

    if (slot == NULL)
        return;
    *slot = *note;
    notes_put(thread, slot);
}

void notes_put_open(struct thread *thread, struct notes_open *open)
{
    struct swprof_note *slot = notes_room(thread);

    open->slot = slot;
    open->note.flags = SWPROF_NOTE_OPEN;
    if (slot == NULL)
        return;
    open->chunk = thread->notes.chunk;
    open->generation = open->chunk->generation;
    *slot = open->note;
    notes_put(thread, slot);
}

void notes_complete(struct thread *thread, struct notes_open *open, uint64_t end, uint32_t flags)
{
    open->note.value = end > open->note.start ? end - open->note.start : 0;
    open->note.flags = (uint8_t)flags;
    if (open->slot == NULL)
        return; /* it has been counted */
    if (LIKELY(open->chunk->generation == open->generation)) {
        open->slot->value = open->note.value;
        __atomic_store_n(&open->slot->flags, open->note.flags, __ATOMIC_RELEASE);
    } else {
        /* It was counted as dropped, and is now appended, or counted as lost. */
        __atomic_fetch_sub(&thread->capture->report.header->lost_notes, 1, __ATOMIC_RELAXED);
        put(thread, &open->note);
    }
}

/* ---- Names ------------------------------------------------------------------------------------- */

/* A guess is confirmed; what is long, and was cut, is looked up. */
static int is_name(const struct capture *capture, uint32_t reference, const char *text)
{
    const struct swprof_string *string = report_address(&capture->report, reference);

    return sw__same(string->text, text, string->bytes) && text[string->bytes] == '\0';
}

static __attribute__((noinline)) uint32_t name_seldom_seen(struct thread *thread, const char *text)
{
    struct capture *capture = thread->capture;
    uint32_t reference = series_find_text(capture, text);
    struct slow slow;
    uint64_t begin;

    if (LIKELY(reference != 0))
        return reference;
    begin = thread_now();
    slow_begin(&slow);
    slow_lock(&capture->lock);
    reference = series_made_up_text(capture, text);
    slow_unlock(&capture->lock);
    slow_end(&slow);
    thread_account(thread, begin);
    thread_put_tool(thread);
    return reference;
}

uint32_t notes_name(struct thread *thread, const char *text)
{
    uint32_t *seen = &thread->notes.names_seen[((uintptr_t)text ^ (uintptr_t)text >> 5) % NOTES_NAMES];

    if (UNLIKELY(*seen == 0 || !is_name(thread->capture, *seen, text)))
        *seen = name_seldom_seen(thread, text);
    if (UNLIKELY(*seen == 0))
        notes_lose(thread);
    return *seen;
}
