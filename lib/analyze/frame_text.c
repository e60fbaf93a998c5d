/*
 * From what is known of a frame to its text.
 */
#include "config.h"

#include "analyze/frame_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyze/demangle.h"
#include "analyze/visible.h"

const char *sw__file_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

static enum sw_status put_place(struct sw__builder *text, const struct sw__frame *frame)
{
    if (frame->source == NULL || frame->line <= 0)
        return sw__builder_string(text, sw__file_name(frame->path));
    SW__TRY(sw__builder_string(text, frame->source));
    SW__TRY(sw__builder_string(text, "("));
    SW__TRY(sw__builder_integer(text, frame->line));
    return sw__builder_string(text, ")");
}

static enum sw_status put_function(struct sw__builder *text, const struct sw__frame *frame)
{
    SW__TRY(put_place(text, frame));
    SW__TRY(sw__builder_string(text, ": "));
    return sw__demangle(text, frame->function);
}

static enum sw_status put_offset(struct sw__builder *text, const struct sw__frame *frame)
{
    char offset[32];

    snprintf(offset, sizeof offset, "+%#" PRIx64, frame->address);
    SW__TRY(sw__builder_string(text, frame->path[0] != '\0' ? sw__file_name(frame->path) : "(unknown)"));
    return sw__builder_string(text, offset);
}

enum sw_status sw__frame_text(struct sw__builder *text, const struct sw__frame *frame)
{
    struct sw__builder raw SW__OWNED_BUILDER = { NULL, 0, 0 };

    SW__TRY(frame->function != NULL ? put_function(&raw, frame) : put_offset(&raw, frame));
    return sw__visible(text, raw.bytes);
}
