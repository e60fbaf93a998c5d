/*
 * Texts of the control statuses, from the one table.
 */
#include "config.h"

#include "record/control_status.h"

#include <swprof/swprof.h>

const char *sw__control_status_text(int status)
{
    switch (status) {
#define SWPROF_STATUS(enumerator, number, text) \
    case SWPROF_##enumerator:                   \
        return text;
#include <swprof/status.def>
#undef SWPROF_STATUS
    }
    return "unknown status";
}
