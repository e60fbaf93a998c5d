#!/bin/bash
# Hooks are weak in the library, strong in the shim, and open to the linker.
. "$(dirname "$0")/common.sh"

listed=$(sed -n 's/^ *\(sw_hook[a-z_]*\);$/\1/p' "$abs_top_srcdir/lib/hooks.list" | LC_ALL=C sort -u)
same "lib/hooks.list and SW_HOOKS of hooks.h differ" "$(hooks)" "$listed"

# kind LIBRARY SYMBOL: nm's letter.
kind() {
    $NM -D --defined-only "$1" | awk -v name="$2" '{ sub(/@.*/, "", $3) } $3 == name { print $2 }'
}

for hook in $listed; do
    # The shim need not have all of them; test_exports.sh knows which it must have.
    case $(kind "$shim" "$hook") in
    '' | T | D | B) ;;
    *) fail "$hook is '$(kind "$shim" "$hook")' in libswprof.so, not T, D or B" ;;
    esac
    # Link-time optimisation makes all symbols strong; the loader does not mind.
    case " ${CFLAGS-} ${LDFLAGS-} " in *\ -flto*) continue ;; esac
    case $(kind "$library" "$hook") in
    W | V) ;;
    *) fail "$hook is '$(kind "$library" "$hook")' in libstrideweave.so, not weak" ;;
    esac
done
