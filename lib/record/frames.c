/*
 * Boundaries that do not nest: which frames were left, and which are a riddle.
 */
#include "config.h"

#include "record/frames.h"

enum relation { ENCLOSES, LEFT, UNCLEAR };

static int in_alternate(const struct sw__alternate *alternate, uintptr_t address)
{
    return address >= alternate->low && address < alternate->high;
}

/* What the top frame is to a boundary that is entered now at @stack. */
static enum relation relate(struct sw__frames *frames, const struct swprof_frame *top, uintptr_t stack, uint64_t token)
{
    struct sw__alternate alternate;
    int both_own;

    /* Two structures in one function's frame are begin and end by hand; the same one again is a new passage. */
    if (top->stack == stack)
        return top->token == token ? LEFT : ENCLOSES;
    sw__stack_learn(&frames->stack);
    both_own = sw__stack_has(&frames->stack, top->stack) && sw__stack_has(&frames->stack, stack);
    if (both_own && stack < top->stack)
        return ENCLOSES;
    sw__alternate_now(&alternate);
    if (in_alternate(&alternate, top->stack))
        return !alternate.in_use || (in_alternate(&alternate, stack) && stack > top->stack) ? LEFT : ENCLOSES;
    if (alternate.in_use && in_alternate(&alternate, stack))
        return ENCLOSES;
    if (both_own)
        return LEFT;
    return stack < top->stack ? ENCLOSES : UNCLEAR;
}

void sw__frames_heal(struct sw__frames *frames, uintptr_t stack, uint64_t token)
{
    while (frames->depth > 0) {
        const struct swprof_frame *top = sw__frames_at(frames, frames->depth - 1);
        enum relation relation = relate(frames, top, stack, token);

        if (relation == UNCLEAR)
            frames->sink->anomaly(frames);
        if (relation != LEFT)
            return;
        frames->depth--;
        frames->sink->left(frames, top, frames->depth);
    }
}

static int find(const struct sw__frames *frames, uint64_t token, uint32_t *index)
{
    for (uint32_t i = frames->depth; i > 0; i--)
        if (sw__frames_at(frames, i - 1)->token == token) {
            *index = i - 1;
            return 1;
        }
    return 0;
}

struct swprof_frame *sw__frames_leave_crossed(struct sw__frames *frames, uintptr_t stack, uint64_t token)
{
    uint32_t index;

    if (!find(frames, token, &index)) {
        frames->sink->anomaly(frames);
        return NULL;
    }
    while (frames->depth > index + 1) {
        const struct swprof_frame *top = sw__frames_at(frames, frames->depth - 1);

        /* A jump past them explains frames below the one that is left, and those of a signal stack out of use. */
        if (relate(frames, top, stack, token) != LEFT)
            frames->sink->anomaly(frames);
        frames->depth--;
        frames->sink->left(frames, top, frames->depth);
    }
    frames->depth--;
    return sw__frames_at(frames, index);
}
