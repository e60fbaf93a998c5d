#!/bin/bash
# The speech detector on the weights of Silero VAD gives the probabilities of
# onnxruntime, and hears a voice where there is one. The model comes from npm:
#
#   SW_VAD_PACKAGE=FILE   the packed package, instead of asking npm for it
#   SW_ONNXRUNTIME=1      run onnxruntime-node too (npm fetches 80 MB), not only
#                         compare with what it said once
# shellcheck source=tests/example/common.sh
. "$abs_top_srcdir/tests/example/common.sh" || exit 99

package=@ricky0123/vad-web@0.0.31
declare -A checksum=(
    [silero_vad_v5]=2623a2953f6ff3d2c1e61740c6cdb7168133479b267dfef114a4a3cc5bdd788f
    [silero_vad_v6]=1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3
)
# Both compute in binary32 and add up in other orders; probabilities have six digits.
tolerance=1e-5

# npm_once SECONDS ARGUMENT...: npm, with everything that it keeps in $work, asking once and not for longer.
npm_once() {
    (cd "$work" && npm_config_cache=$work/npm npm_config_update_notifier=false timeout "$1" \
        npm --fetch-retries=0 --fetch-timeout=30000 "${@:2}" >"$work/npm.log" 2>&1 </dev/null)
}

[ -x "$detector" ] || skip "$detector is not built"
make_inputs
if [ -n "${SW_VAD_PACKAGE:-}" ]; then
    packed=$SW_VAD_PACKAGE
else
    command -v npm >/dev/null || skip "no npm: $package was not fetched"
    npm_once 60 pack "$package" ||
        skip "npm could not fetch $package: $(grep -m 1 -i error "$work/npm.log" || echo 'no answer')"
    packed=$(echo "$work"/*.tgz)
fi
tar -xzf "$packed" -C "$work" package/dist || fail "$packed has no package/dist"

if [ "${SW_ONNXRUNTIME:-0}" != 0 ]; then
    npm_once 600 install --ignore-scripts --no-audit --no-fund --prefix "$work" onnxruntime-node@1.30.0 ||
        skip "npm could not install onnxruntime-node: $(tail -n 1 "$work/npm.log")"
fi

# hears_the_voice FILE: less than a half in the noise, before second 1.5; more in the first half second of the voice.
hears_the_voice() {
    awk '/^ *[0-9.]+  / && $1 < 1.5 { if ($2 > 0.5) early++ }
         /^ *[0-9.]+  / && $1 >= 1.6 && $1 < 2.1 { n++; if ($2 > 0.5) heard++ }
         END { exit !(early == 0 && n > 0 && heard == n) }' "$1"
}

for name in "${!checksum[@]}"; do
    model=$work/package/dist/$name.onnx
    echo "${checksum[$name]}  $model" | sha256sum --check --status || fail "$model is another file than expected"
    python "$abs_top_srcdir/doc/examples/onnx_tensors.py" --prefix If_0_then_branch__Inline_0__ \
        "$model" "$work/$name.weights" || fail "$name: the weights could not be extracted"
    "$detector" "$work/$name.weights" "$work/recording.s16" >"$work/$name.out" || fail "$name: status $?"
    probabilities "$work/$name.out" >"$work/came"
    close_to "$abs_top_srcdir/tests/example/$name.expected" "$work/came" $tolerance ||
        fail "$name: the probabilities are not those that onnxruntime gave"
    hears_the_voice "$work/$name.out" || fail "$name: it does not hear the voice, or hears one in the noise"
    if [ "${SW_ONNXRUNTIME:-0}" != 0 ]; then
        NODE_PATH=$work/node_modules node "$abs_top_srcdir/tests/example/reference_onnxruntime.js" \
            "$model" "$work/recording.s16" >"$work/expected" || fail "onnxruntime failed"
        close_to "$work/expected" "$work/came" $tolerance || fail "$name: the probabilities are not those of onnxruntime"
    fi
done
exit "$failed"
