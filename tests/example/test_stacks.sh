#!/bin/bash
# The call stacks of the training example against its source: every entry names the function and the line that call
# the one before it, and the innermost line calls the operation.
# shellcheck source=tests/example/common.sh
. "$abs_top_srcdir/tests/example/common.sh" || exit 99
. "$abs_top_srcdir/tests/configured.sh"
skip_without_profiling
configured HAVE_LIBUNWIND && configured HAVE_LIBDW || skip 'built without libunwind or elfutils'
[ "$(uname -m)" = x86_64 ] || skip 'call stacks are recorded on x86-64'
[ "${SW_SANITIZERS:-no}" = no ] || skip "the sanitizer's own frames stand in the stacks"
ldconfig -p 2>/dev/null | grep -q libunwind-x86_64 || skip 'no libunwind-x86_64.so.8'
[ -x "$example" ] || skip "$example is not built"
[ -r "$data/train-images-idx3-ubyte.gz" ] || skip "no data set in $data (Debian: dataset-fashion-mnist)"
sources=$abs_top_srcdir/doc/examples

export SWPROF_STACK=64
under_shim "$work/train.swprof" "$example" --data "$data" --images 1000 --epochs 1 >"$work/out" || fail 'the example failed'
# Operation, whether it is nested, stack; each once. Without shapes no field has a comma.
"$report" events --stacks -f csv "$work/train.swprof" 2>"$work/notes" | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["id"] != "" && !seen[$at["name"], $at["parent_id"] != "", $at["stack"]]++ {
        printf "%s\t%s\t%s\n", $at["name"], $at["parent_id"] != "" ? "nested" : "outer", $at["stack"] }' >"$work/stacks"
grep -q '\.c([0-9]*): ' "$work/stacks" || skip "the example has no debug information: $(head -n 1 "$work/stacks")"
[ "$(wc -l <"$work/stacks")" -gt 30 ] || fail "only $(wc -l <"$work/stacks") kinds of calls"

# What an entry's line says and which function of the source it is in: looked up once.
declare -A lines functions direct

# enclosing FILE LINE: the function of the source that the line is in.
enclosing() {
    awk -v line="$2" '
        /^[a-z].*[ *][a-z_]+\(/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name); found = name }
        NR == line { print found; exit }' "$1"
}

look_up() { # ENTRY: nothing when it is of no file of the example
    [ -z "${lines[$1]+known}" ] || return 0
    local place=${1%%: *}
    local file=${place%(*} number=${place##*(}
    file=$sources/${file##*/} number=${number%)}
    lines[$1]= functions[$1]=
    [ -f "$file" ] || return 0
    lines[$1]=$(sed -n "${number}p" "$file")
    functions[$1]=$(enclosing "$file" "$number")
}

# Operations that the source calls by their names.
for operation in $(cut -f 1 "$work/stacks" | sort -u); do
    direct[$operation]=$(grep -c "sw_$operation\(_f64\)\?(" "$sources/train_fashion_mnist.c")
done

while IFS=$'\t' read -r operation nesting stack; do
    IFS=';' read -ra entries <<<"$stack"
    called=
    for entry in "${entries[@]}"; do
        look_up "$entry"
        line=${lines[$entry]}
        [ -n "$line" ] || break
        function=${entry##*: }
        [ "${functions[$entry]}" = "$function" ] || fail "$entry: ${functions[$entry]} is there"
        if [ -n "$called" ]; then
            [[ $line == *"$called("* ]] || fail "$entry: no call of $called in '$line'"
        elif [ "$nesting" = outer ] && [ "${direct[$operation]}" -gt 0 ]; then
            [[ $line == *"sw_$operation"* ]] || fail "$entry: no call of $operation in '$line'"
        else
            [[ $line == *sw_* ]] || fail "$entry: no call of the library in '$line'"
        fi
        called=$function
    done
    [ "$called" = main ] || fail "the stack of $operation does not lead to main: $stack"
done <"$work/stacks"
exit "$failed"
