/*
 * What the program says of itself: ranges, steps, phases, metadata. It arrives
 * whether a round is open or not, so that levels, steps and phases are what they
 * are; it is recorded while one is. And ranges of the library, where asked for.
 */
#include "config.h"

#include <strideweave/hooks.h>

#include "record/text.h"
#include "shim/memory.h"
#include "shim/notes.h"
#include "shim/ready.h"
#include "shim/rounds.h"
#include "shim/schedule.h"
#include "shim/series.h"
#include "shim/shim.h"
#include "shim/slow.h"
#include "shim/thread.h"

static int speaks_our_abi(const struct sw_hook_library *library)
{
    return SW_HOOKS_ABI_MAJOR(library->abi) == SW_HOOKS_ABI_MAJOR(SW_HOOKS_ABI);
}

static int is_known(const struct sw_hook_range *range)
{
    return speaks_our_abi(range->library) && SW_HOOK_HAS(range, struct sw_hook_range, before);
}

/* ---- What is of the process, noted on the thread where it begins ------------------------------- */

/* What was noted in one round may end in another one, or in none; and on a thread that was never seen before. */
static struct thread *thread_to_end(uintptr_t stack)
{
    return ready_thread() != NULL ? notes_resume(stack) : notes_begin(stack);
}

/* What lasts in this capture ends. */
static void end_lasting(struct thread *thread, struct notes_open *lasting, uint64_t now)
{
    struct capture *capture = thread->capture;
    struct notes_open open;
    struct slow slow;

    slow_begin(&slow);
    slow_lock(&capture->lock);
    open = *lasting;
    lasting->slot = NULL;
    if (open.slot != NULL && open.chunk->generation == open.generation) {
        notes_complete(thread, &open, now, 0);
        open.slot = NULL;
    }
    slow_unlock(&capture->lock);
    slow_end(&slow);
    if (open.slot != NULL) /* a ring has dropped it */
        notes_complete(thread, &open, now, 0);
}

/* When it ended will not be known: it stays open. */
static void forget_lasting(struct capture *capture, struct notes_open *lasting)
{
    struct slow slow;

    slow_begin(&slow);
    slow_lock(&capture->lock);
    lasting->slot = NULL;
    slow_unlock(&capture->lock);
    slow_end(&slow);
}

static void begin_lasting(struct thread *thread, struct notes_open *lasting, struct notes_open *open, uint64_t now)
{
    struct capture *capture = thread->capture;
    struct slow slow;

    open->note.start = now;
    open->note.depth = (uint16_t)thread->frames.depth;
    notes_put_open(thread, open);
    slow_begin(&slow);
    slow_lock(&capture->lock);
    *lasting = *open;
    slow_unlock(&capture->lock);
    slow_end(&slow);
}

/* ---- The phase ------------------------------------------------------------------------------------ */

/* Guarded by the capture's lock. Noted with what comes next, where nothing is recorded now, or a fork came between. */
static char phase_name[SERIES_TEXT_BYTES + 8]; /* longer ones are cut between characters when stored */
static uint32_t has_phase; /* atomic, relaxed */

static __attribute__((noinline)) void begin_phase(struct thread *thread)
{
    struct notes_open open = {.note = {.kind = SWPROF_NOTE_PHASE}};
    struct capture *capture = thread->capture;
    struct slow slow;
    uint32_t is_noted;

    slow_begin(&slow);
    slow_lock(&capture->lock);
    is_noted = capture->phase_is_noted;
    if (!is_noted) {
        __atomic_store_n(&capture->phase_is_noted, 1, __ATOMIC_RELAXED);
        open.note.name = series_made_up_text(capture, phase_name);
    }
    slow_unlock(&capture->lock);
    slow_end(&slow);
    if (is_noted)
        return; /* by another thread, just now */
    if (open.note.name == 0)
        notes_lose(thread);
    else
        begin_lasting(thread, &capture->phase, &open, thread_stamp(thread, thread_now()));
}

static inline void note_phase(struct thread *thread)
{
    if (UNLIKELY(__atomic_load_n(&has_phase, __ATOMIC_RELAXED) &&
                 !__atomic_load_n(&thread->capture->phase_is_noted, __ATOMIC_RELAXED)))
        begin_phase(thread);
}

static void set_phase(const char *name)
{
    struct capture *capture = capture_get();
    struct sw__text text;
    struct slow slow;

    if (capture == NULL)
        return;
    slow_begin(&slow);
    slow_lock(&capture->lock);
    text = sw__text_in(phase_name, sizeof phase_name);
    sw__text_add(&text, name != NULL ? name : "");
    __atomic_store_n(&capture->phase_is_noted, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&has_phase, name != NULL, __ATOMIC_RELAXED);
    slow_unlock(&capture->lock);
    slow_end(&slow);
}

static void change_phase(const char *name, uintptr_t stack)
{
    uint64_t now = thread_now();
    struct thread *thread = thread_to_end(stack);

    if (thread != NULL) {
        if (thread->capture->phase.slot != NULL)
            end_lasting(thread, &thread->capture->phase, thread_stamp(thread, now));
        notes_end(thread, now);
    } else if (capture_get() != NULL) {
        forget_lasting(capture_get(), &capture_get()->phase);
    }
    set_phase(name);
    thread = notes_begin(stack);
    if (thread == NULL)
        return;
    note_phase(thread);
    notes_end(thread, __atomic_load_n(&thread->last, __ATOMIC_RELAXED));
}

/* ---- Ranges ------------------------------------------------------------------------------------ */

static int has_room_for_open(struct notes *notes)
{
    struct slow slow;

    if (LIKELY(notes->open != NULL))
        return notes->n_open < NOTES_MOST_OPEN;
    slow_begin(&slow);
    notes->open = memory_reserve(NOTES_MOST_OPEN * sizeof *notes->open);
    slow_end(&slow);
    return notes->open != NULL;
}

/* What is still open at this level, or a higher one, ended while nothing was recorded: when is not known. */
static void forget_ended(struct notes *notes, uint32_t level)
{
    while (notes->n_open > 0 && notes->open[notes->n_open - 1].note.extra >= level)
        notes->n_open--;
}

static void push(struct thread *thread, const struct sw_hook_range *range)
{
    struct notes *notes = &thread->notes;
    uint32_t name = notes_name(thread, range->name);
    struct notes_open *open;

    note_phase(thread);
    forget_ended(notes, range->level);
    if (name == 0)
        return;
    if (!has_room_for_open(notes)) {
        notes_lose(thread);
        return;
    }
    if (notes_room(thread) == NULL)
        return;
    open = &notes->open[notes->n_open];
    open->note.extra = range->level;
    open->note.name = name;
    open->note.value = 0;
    open->note.depth = (uint16_t)thread->frames.depth;
    open->note.kind = SWPROF_NOTE_RANGE;
    open->note.start = thread_stamp(thread, thread_now());
    notes_put_open(thread, open);
    notes->n_open++;
}

static void pop(struct thread *thread, uint32_t level, uint64_t now)
{
    struct notes *notes = &thread->notes;

    while (notes->n_open > 0 && notes->open[notes->n_open - 1].note.extra >= level) {
        struct notes_open *open = &notes->open[--notes->n_open];

        notes_complete(thread, open, now, open->note.extra > level ? SWPROF_NOTE_HEALED : 0);
    }
}

/* ---- Steps ---------------------------------------------------------------------------------------- */

/* The one before the first that was noted is as old as the round. */
static void note_first_step(struct thread *thread, uint64_t number, uint64_t now)
{
    struct swprof_note *slot = notes_room(thread);
    uint64_t begin = rounds_begin_ticks(thread->capture, now);

    if (slot == NULL)
        return;
    *slot = (struct swprof_note){
        .start = begin, .value = now > begin ? now - begin : 0, .extra = number, .kind = SWPROF_NOTE_STEP};
    notes_put(thread, slot);
}

static void end_step(const struct sw_hook_range *range, uintptr_t stack, uint64_t now)
{
    struct thread *thread = thread_to_end(stack);
    struct capture *capture = capture_get();

    if (thread == NULL) {
        if (capture != NULL)
            forget_lasting(capture, &capture->step);
        return;
    }
    now = thread_stamp(thread, now);
    if (thread->capture->step.slot != NULL)
        end_lasting(thread, &thread->capture->step, now);
    else if (range->before != SW_HOOK_NO_STEP && (shim_ways() & SHIM_RECORDING) != 0 &&
             !__atomic_load_n(&thread->capture->step_has_begun, __ATOMIC_RELAXED))
        note_first_step(thread, range->before, now);
    notes_end(thread, now);
}

static void begin_step(const struct sw_hook_range *range, uintptr_t stack)
{
    struct notes_open open = {.note = {.extra = range->step, .kind = SWPROF_NOTE_STEP}};
    struct thread *thread = notes_begin(stack);
    struct capture *capture = capture_get();
    uint64_t now;

    /* One that finds no room counts as lost once, and is not taken for one that began before the round. */
    if (capture != NULL)
        __atomic_store_n(&capture->step_has_begun, (shim_ways() & SHIM_RECORDING) != 0, __ATOMIC_RELAXED);
    if (thread == NULL)
        return;
    note_phase(thread);
    now = thread_stamp(thread, thread_now());
    begin_lasting(thread, &thread->capture->step, &open, now);
    notes_end(thread, now);
}

/* The round of the step that ends has all of it, that of the next one nothing of it. */
static void step(const struct sw_hook_range *range, uintptr_t stack)
{
    end_step(range, stack, thread_now());
    if (range->before != SW_HOOK_NO_STEP)
        schedule_step();
    begin_step(range, stack);
}

/* ---- Metadata ------------------------------------------------------------------------------------- */

static int find_value(struct thread *thread, const struct sw_hook_note *note, uint64_t *value)
{
    if (note->kind == SW_HOOK_NOTE_TEXT) {
        *value = notes_name(thread, note->text);
        return *value != 0;
    }
    sw__copy(value, &note->number, sizeof *value);
    return 1;
}

static void put_metadata(const struct sw_hook_note *note, uintptr_t stack)
{
    struct thread *thread = notes_begin(stack);
    struct swprof_note *slot;
    uint64_t value;
    uint32_t name;

    if (thread == NULL)
        return;
    name = notes_name(thread, note->name);
    if (name != 0 && find_value(thread, note, &value) && (slot = notes_room(thread)) != NULL) {
        *slot = (struct swprof_note){
            .start = thread_stamp(thread, thread_now()),
            .value = value,
            .name = name,
            .depth = (uint16_t)thread->frames.depth,
            .kind = note->kind == SW_HOOK_NOTE_TEXT ? SWPROF_NOTE_TEXT : SWPROF_NOTE_NUMBER,
        };
        notes_put(thread, slot);
    }
    notes_end(thread, __atomic_load_n(&thread->last, __ATOMIC_RELAXED));
}

/* ---- Ranges of the library -------------------------------------------------------------------------- */

static uint64_t own_token(void)
{
    return (uint64_t)(uintptr_t)&shim;
}

/* Which thread and which moment is all there is to know at first. */
static void enter_host(struct sw_hook_range *range, uintptr_t stack)
{
    struct thread *thread = notes_begin(stack);

    if (thread == NULL)
        return;
    range->flags |= SW_HOOK_RANGE_RECORDED;
    range->tool_token = own_token();
    range->step = thread_stamp(thread, thread_now());
    notes_end(thread, range->step);
}

/* Noted when it ends: one that was jumped out of is not there. */
static void leave_host(const struct sw_hook_range *range, uintptr_t stack)
{
    uint64_t now = thread_now();
    struct thread *thread = notes_resume(stack);
    struct swprof_note *slot;
    uint32_t name;

    if (thread == NULL)
        return;
    now = thread_stamp(thread, now);
    name = notes_name(thread, range->name);
    if (name != 0 && (slot = notes_room(thread)) != NULL) {
        *slot = (struct swprof_note){
            .start = range->step,
            .value = now > range->step ? now - range->step : 0,
            .name = name,
            .depth = (uint16_t)thread->frames.depth,
            .kind = SWPROF_NOTE_HOST_RANGE,
        };
        notes_put(thread, slot);
    }
    notes_end(thread, now);
}

/* ---- The hooks ------------------------------------------------------------------------------------ */

static void enter(const struct sw_hook_range *range, uintptr_t stack)
{
    struct thread *thread = notes_begin(stack);

    if (thread == NULL)
        return;
    push(thread, range);
    notes_end(thread, __atomic_load_n(&thread->last, __ATOMIC_RELAXED));
}

static void leave(const struct sw_hook_range *range, uintptr_t stack)
{
    uint64_t now = thread_now();
    struct thread *thread = notes_resume(stack);

    if (thread == NULL)
        return;
    if (thread->notes.n_open > 0)
        pop(thread, range->level, thread_stamp(thread, now));
    notes_end(thread, now);
}

SW_API void sw_hook_range_enter(struct sw_hook_range *range)
{
    uintptr_t stack = (uintptr_t)__builtin_frame_address(0);

    if (is_known(range) && !(range->flags & SW_HOOK_RANGE_RECORDED)) {
        if (range->flags & SW_HOOK_RANGE_USER)
            enter(range, stack);
        else if (range->flags & SW_HOOK_RANGE_STEP)
            step(range, stack);
        else if (range->flags & SW_HOOK_RANGE_HOST)
            enter_host(range, stack);
    }
    sw_hook_pass_range_enter(range, shim.next_range_enter);
}

SW_API void sw_hook_range_exit(struct sw_hook_range *range)
{
    uintptr_t stack = (uintptr_t)__builtin_frame_address(0);

    if (is_known(range) && (range->flags & SW_HOOK_RANGE_USER))
        leave(range, stack);
    else if (is_known(range) && (range->flags & SW_HOOK_RANGE_HOST) && range->tool_token == own_token())
        leave_host(range, stack);
    sw_hook_pass_range_exit(range, shim.next_range_exit);
}

SW_API void sw_hook_note(const struct sw_hook_note *note)
{
    uintptr_t stack = (uintptr_t)__builtin_frame_address(0);

    if (speaks_our_abi(note->library)) {
        if (note->kind == SW_HOOK_NOTE_PHASE)
            change_phase(note->name, stack);
        else if (note->kind == SW_HOOK_NOTE_TEXT || note->kind == SW_HOOK_NOTE_NUMBER)
            put_metadata(note, stack);
    }
    sw_hook_pass_note(note, shim.next_note);
}
