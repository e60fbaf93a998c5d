/*
 * JSON texts (RFC 8259, section 7).
 */
#include "config.h"

#include "report/json_text.h"

#include <stdio.h>

enum sw_status json_put_string(struct sw__builder *text, const char *from)
{
    static const char names[] = { ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f',
                                  ['\r'] = 'r', ['"'] = '"',  ['\\'] = '\\' };

    SW__TRY(sw__builder_string(text, "\""));
    for (const char *plain = from;; from++) {
        unsigned char c = (unsigned char)*from;
        char escape[8] = { '\\', c < sizeof names ? names[c] : '\0', '\0' };
        if (escape[1] == '\0' && c >= 0x20 && c != 0x7f)
            continue;
        SW__TRY(sw__builder_append(text, plain, (size_t)(from - plain)));
        if (c == '\0')
            break;
        if (escape[1] == '\0')
            snprintf(escape, sizeof escape, "\\u%04x", c);
        SW__TRY(sw__builder_string(text, escape));
        plain = from + 1;
    }
    return sw__builder_string(text, "\"");
}
