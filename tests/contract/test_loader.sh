#!/bin/bash
# What the libraries promise to whoever loads them: they stay mapped, need
# little thread-local storage, and the shim brings no other library along.
. "$(dirname "$0")/common.sh"
command -v readelf >/dev/null || skip "no readelf"
skip_when_sanitized

for file in "$library" "$shim"; do
    dynamic=$(readelf -dW "$file")
    grep -q 'FLAGS_1.*NODELETE' <<<"$dynamic" || fail "$file may be unloaded (-z nodelete)"
    tls=$(readelf -lW "$file" | awk '$1 == "TLS" { print $6 }')
    [ "$((${tls:-0}))" -le 64 ] || fail "$file has $((tls)) bytes of thread-local storage, more than 64"
    ! readelf -lW "$file" | grep -q 'GNU_STACK.*E ' || fail "$file wants an executable stack"
    ! grep -q '(TEXTREL)' <<<"$dynamic" || fail "$file has text relocations"
done
grep -q 'SONAME.*\[libstrideweave\.so\.0\]' <<<"$(readelf -dW "$library")" || fail "soname of libstrideweave"
grep -q 'SONAME.*\[libswprof\.so\.0\]' <<<"$(readelf -dW "$shim")" || fail "soname of libswprof"
readelf -dW "$shim" | grep -q 'FLAGS.*NOW' || fail "the shim resolves symbols lazily (-z now)"
others=$(readelf -dW "$shim" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
    grep -vE '^(libc|libpthread|libdl|librt|ld-linux[-a-z0-9_]*)\.so' || true)
[ -z "$others" ] || fail "the shim needs more than the C library: $others"
