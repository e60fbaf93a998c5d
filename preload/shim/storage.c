/*
 * Storage of carriers (SWPROF_MEMORY): an instant among the thread's notes for
 * each that is made, given back or refused, inside of the operation that is open
 * on the thread then.
 */
#include "config.h"

#include <strideweave/hooks.h>

#include "record/text.h"
#include "shim/notes.h"
#include "shim/shim.h"
#include "shim/storage.h"
#include "shim/thread.h"

/* Carriers are numbered by their library: which one it is stands above the number. */
#define NUMBER_BITS 48
#define MOST_LIBRARIES 8
#define CLASS_NAME_BYTES 256

static const struct sw_hook_library *libraries[MOST_LIBRARIES]; /* atomic, each written once */

/* The last index is that of all which came when the others were taken. */
static uint64_t library_index(const struct sw_hook_library *library)
{
    uint64_t i = 0;

    for (; i + 1 < MOST_LIBRARIES; i++) {
        const struct sw_hook_library *found = __atomic_load_n(&libraries[i], __ATOMIC_RELAXED);

        if (found == NULL)
            __atomic_compare_exchange_n(&libraries[i], &found, library, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
        if (found == NULL || found == library)
            break;
    }
    return i;
}

uint64_t storage_key(const struct sw_hook_library *library, uint64_t number)
{
    return library_index(library) << NUMBER_BITS | number;
}

static uint32_t class_name(struct thread *thread, const struct sw_class_head *carrier_class)
{
    char buffer[CLASS_NAME_BYTES];
    struct sw__text text = sw__text_in(buffer, sizeof buffer);

    sw__text_add(&text, carrier_class->module);
    sw__text_add(&text, ".");
    sw__text_add(&text, carrier_class->qualified_name);
    return notes_name(thread, buffer);
}

static void put(struct thread *thread, const struct sw_hook_storage *storage, enum swprof_note_kind kind, uint64_t now)
{
    uint32_t name = class_name(thread, storage->carrier_class);
    struct swprof_note *slot = name != 0 ? notes_room(thread) : NULL;

    if (slot == NULL)
        return;
    *slot = (struct swprof_note){
        .start = now,
        .value = storage->bytes,
        .extra = storage_key(storage->library, storage->carrier_number),
        .name = name,
        .depth = (uint16_t)thread->frames.depth,
        .kind = (uint8_t)kind,
        .flags = storage->flags & SW_HOOK_STORAGE_REFUSED ? SWPROF_NOTE_REFUSED : 0,
    };
    notes_put(thread, slot);
}

static void record(const struct sw_hook_storage *storage, enum swprof_note_kind kind, uintptr_t stack)
{
    struct thread *thread;
    uint64_t now;

    if (SW_HOOKS_ABI_MAJOR(storage->library->abi) != SW_HOOKS_ABI_MAJOR(SW_HOOKS_ABI) ||
        !SW_HOOK_HAS(storage, struct sw_hook_storage, carrier_number) || !shim.settings.memory)
        return;
    thread = notes_begin(stack);
    if (thread == NULL)
        return;
    now = thread_stamp(thread, thread_now());
    put(thread, storage, kind, now);
    notes_end(thread, now);
}

SW_API void sw_hook_storage_alloc(const struct sw_hook_storage *storage)
{
    record(storage, SWPROF_NOTE_ALLOC, (uintptr_t)__builtin_frame_address(0));
    sw_hook_pass_storage_alloc(storage, shim.next_storage_alloc);
}

SW_API void sw_hook_storage_free(const struct sw_hook_storage *storage)
{
    record(storage, SWPROF_NOTE_FREE, (uintptr_t)__builtin_frame_address(0));
    sw_hook_pass_storage_free(storage, shim.next_storage_free);
}
