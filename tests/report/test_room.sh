#!/bin/bash
# Where there is no room for a report, or too little: the program is as it was,
# and what is missing is said. Needs root for mounts and groups of its own; what
# the sandbox does not allow is passed over, with the reason.
. "${abs_top_srcdir:?}/tests/report/common.sh" || exit 99
caller=$abs_top_builddir/tests/shim/fake_caller
shim=$abs_top_builddir/preload/.libs/libswprof.so
n_done=0

skip() {
    printf 'passed over: %s\n' "$*" >&2
}

# under COMMAND...: run it with the shim preloaded; status, output and signals as ever.
cat >"$folder/under" <<END
#!/bin/bash
LD_PRELOAD="${LD_PRELOAD:-} $shim" "$caller" "\$@" >"$folder/out" 2>"$folder/err"
status=\$?
[ \$status -eq 0 ] || echo "status \$status of fake_caller \$*" >>"$folder/wrong"
[ ! -s "$folder/err" ] || cat "$folder/err" >>"$folder/wrong"
: >"$folder/ran"
END
chmod +x "$folder/under"

nothing_wrong() { # WHERE
    [ -e "$folder/ran" ] || fail "$1: the program did not run"
    [ ! -s "$folder/wrong" ] || fail "$1: $(cat "$folder/wrong")"
    rm -f "$folder/ran" "$folder/wrong"
    n_done=$((n_done + 1))
}

# accounted N FILE: events, sums and losses of the report are N operations in all, each in one of them.
accounted() {
    local events summed lost
    "$report" -f json "$2" >"$folder/json" 2>"$folder/err" || { fail "$2: $(cat "$folder/err")"; return; }
    events=$(awk -F'[:,] *' '/"calls":/ && /^    "calls"/ { print $2 }' "$folder/json")
    summed=$(awk -F'[:,] *' '/"summed_operations"/ { print $2 }' "$folder/json")
    lost=$(awk -F'[:,] *' '/"lost_events"/ { print $2 }' "$folder/json")
    # In a full report what is in sums is among the lost events.
    [ $((events - summed + lost)) -eq "$1" ] || fail "$2: $events calls, $summed of them summed, $lost lost, of $1"
}

mounted() { # SCRIPT: in a mount namespace of its own
    unshare -m --propagation private bash -c "$1" >>"$folder/log" 2>&1
}

mount_tests() {
    mounted "mount -t tmpfs none /mnt" || { skip 'no mounts here'; return; }

    mounted "mount -t tmpfs none /dev; cd /; '$folder/under' count 1000"
    nothing_wrong '/dev/shm absent'

    mounted "mount -t tmpfs -o size=1m none /dev/shm; '$folder/under' count 200000
             cp /dev/shm/swprof-* '$folder/tiny'"
    nothing_wrong '/dev/shm of 1 MiB'
    accounted 200000 "$folder/tiny"

    mounted "mount -t tmpfs -o size=1m none /dev/shm; dd if=/dev/zero of=/dev/shm/all bs=4k
             '$folder/under' count 1000; ls /dev/shm >'$folder/left'"
    nothing_wrong '/dev/shm full'
    [ "$(cat "$folder/left")" = all ] || fail "left in a full /dev/shm: $(cat "$folder/left")"

    # Space goes while the program runs: it stops growing, and what it has stays readable.
    mounted "mount -t tmpfs -o size=8m none /dev/shm
             (while ! ls /dev/shm/swprof-* >/dev/null 2>&1; do :; done; dd if=/dev/zero of=/dev/shm/all bs=4k) &
             '$folder/under' threads 300000; wait; cp /dev/shm/swprof-* '$folder/squeezed'"
    nothing_wrong '/dev/shm filled by others'
    accounted 1200000 "$folder/squeezed"

    mounted "mount -t tmpfs -o ro none /dev/shm; '$folder/under' count 1000"
    nothing_wrong '/dev/shm read-only'

    mounted "mount -t tmpfs -o size=64k none /mnt; SWPROF_OUTPUT=/mnt/report '$folder/under' count 1000
             ls /mnt >'$folder/left'"
    nothing_wrong 'a disk of 64 KiB'
    [ ! -s "$folder/left" ] || fail "left on a disk too small: $(cat "$folder/left")"

    mounted "mount -t tmpfs -o size=512k none /mnt; SWPROF_OUTPUT=/mnt/report '$folder/under' count 100000
             cp /mnt/report '$folder/disk'"
    nothing_wrong 'a disk of 512 KiB'
    accounted 100000 "$folder/disk"
}

# The group's limit is looked at before growing: a quarter of what is left.
group_tests() {
    local group
    if [ -w /sys/fs/cgroup/memory ] && mkdir "/sys/fs/cgroup/memory/swprof-test-$$" 2>/dev/null; then
        group=/sys/fs/cgroup/memory/swprof-test-$$
        echo 67108864 2>/dev/null >$group/memory.limit_in_bytes || { rmdir $group; skip 'no limit for a group'; return; }
    elif [ -w /sys/fs/cgroup/cgroup.procs ] && mkdir "/sys/fs/cgroup/swprof-test-$$" 2>/dev/null; then
        group=/sys/fs/cgroup/swprof-test-$$
        echo 67108864 2>/dev/null >$group/memory.max || { rmdir $group; skip 'no limit for a group'; return; }
    else
        skip 'no memory group of our own'
        return
    fi
    SWPROF_OUTPUT=/dev/shm/swprof-test-$$ bash -c "echo \$\$ >$group/cgroup.procs && '$folder/under' threads 300000" \
        2>>"$folder/log"
    if [ -e "$folder/ran" ]; then
        nothing_wrong 'a group of 64 MiB'
    else
        skip 'no process may join a group of our own'
    fi
    if [ -e /dev/shm/swprof-test-$$ ]; then
        accounted 1200000 /dev/shm/swprof-test-$$
        [ "$(stat -c %s /dev/shm/swprof-test-$$)" -le 16777216 ] || fail 'a quarter of 64 MiB was exceeded'
    fi
    rm -f /dev/shm/swprof-test-$$
    rmdir "$group" 2>/dev/null
}

# Limits that a shell can set: nobody gets their signals.
limit_tests() {
    mkdir "$folder/reports"
    export SWPROF_OUTPUT=$folder/reports/report
    (ulimit -f 1; "$folder/under" count 1000)
    nothing_wrong 'files of 1 KiB'
    [ -z "$(ls "$folder/reports")" ] || fail 'a report in a file of 1 KiB'
    (ulimit -f 200; "$folder/under" count 100000)
    nothing_wrong 'files of 200 KiB'
    accounted 100000 "$folder/reports/report"
    rm -f "$folder/reports"/*

    # A sanitizer's runtime takes terabytes of address space for itself.
    case ${LD_PRELOAD:-} in
    *san.so*) skip 'address space under a sanitizer' ;;
    *)
        (ulimit -v 65536; "$folder/under" count 1000000)
        nothing_wrong 'an address space of 64 MiB'
        [ ! -e "$folder/reports/report" ] || accounted 1000000 "$folder/reports/report"
        ;;
    esac
    unset SWPROF_OUTPUT
}

limit_tests
if [ "$(id -u)" -eq 0 ] && command -v unshare >/dev/null; then
    mount_tests
    group_tests
else
    skip 'mounts and groups: not root'
fi
printf '%s situations tried\n' "$n_done" >&2
finish
