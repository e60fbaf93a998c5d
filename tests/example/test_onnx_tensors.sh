#!/bin/bash
# The extractor finds the Float32 constants of an ONNX model wherever they are,
# and says of a damaged one that it is.
# shellcheck source=tests/example/common.sh
. "$abs_top_srcdir/tests/example/common.sh" || exit 99

extractor=$abs_top_srcdir/doc/examples/onnx_tensors.py
command -v python3 >/dev/null || skip "no python3"

# A model with an initializer, a Constant, and a Constant in a branch of an If in a branch of an If; beside them
# what is to be passed over. Field numbers are those of onnx.proto.
python - "$work" <<'END' || exit 99
import struct, sys

def varint(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])

def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value

def tensor(name, dims, values, form, data_type=1):
    packed = b"".join(map(varint, dims))
    if form == "raw":
        return field(1, packed) + field(2, data_type) + field(8, name) + field(9, struct.pack(f"<{len(values)}f", *values))
    if form == "packed":
        return field(1, packed) + field(2, data_type) + field(4, struct.pack(f"<{len(values)}f", *values)) + field(8, name)
    singly = b"".join(varint(4 << 3 | 5) + struct.pack("<f", value) for value in values)
    return b"".join(field(1, dim) for dim in dims) + field(2, data_type) + singly + field(8, name)

def constant(output, data):
    return field(1, field(2, output) + field(4, "Constant") + field(5, field(1, "value") + field(5, data) + field(20, 4)))

def branch(*nodes):
    return field(1, field(1, "c") + field(2, "y") + field(4, "If") + b"".join(
        field(5, field(1, f"branch{i}") + field(6, node) + field(20, 5)) for i, node in enumerate(nodes)))

inner = branch(constant("deep.c", tensor("ignored", [3], [4, 5, 6], "singly")))
graph = (branch(constant("then.b", tensor("b", [2, 1], [7, -8], "packed")), inner)
         + constant("integers", tensor("i", [1], [1], "raw", data_type=7))
         + constant("scalar", tensor("s", [], [0.5], "raw"))
         + field(5, tensor("deep.a", [2, 3], [0, 1, 2, 10, 11, 12], "raw")))
model = field(1, 8) + field(2, "a test") + field(7, graph)
folder = sys.argv[1]
open(folder + "/model", "wb").write(model)

def named(*tensors):
    return b"named tensors 1\n" + b"".join(
        line.encode() + b"\n" + struct.pack(f"<{len(values)}f", *values) for line, values in tensors)
a, b, c, s = ("a 3 2", [0, 1, 2, 10, 11, 12]), ("then.b 1 2", [7, -8]), ("c 3", [4, 5, 6]), ("scalar 1", [0.5])
open(folder + "/all.expected", "wb").write(named(("deep." + a[0], a[1]), b, ("deep." + c[0], c[1]), s))
open(folder + "/deep.expected", "wb").write(named(a, c))

twice = field(7, constant("x", tensor("x", [1], [1], "raw")) * 2)
open(folder + "/twice", "wb").write(twice)
elsewhere = field(7, field(5, field(1, 1) + field(2, 1) + field(8, "w") + field(14, 1)))
open(folder + "/elsewhere", "wb").write(elsewhere)
short = field(7, field(5, tensor("w", [3], [1, 2], "raw")))
open(folder + "/short", "wb").write(short)

# Every beginning of the model: an error in one sentence, or a shorter model.
import contextlib, importlib.util, io, os
spec = importlib.util.spec_from_file_location("onnx_tensors", os.environ["abs_top_srcdir"] + "/doc/examples/onnx_tensors.py")
extractor = importlib.util.module_from_spec(spec)
spec.loader.exec_module(extractor)
for n in range(len(model)):
    open(folder + "/cut", "wb").write(model[:n])
    sys.argv = ["onnx_tensors.py", folder + "/cut", folder + "/cut.out"]
    with contextlib.redirect_stderr(io.StringIO()) as said:
        status = extractor.main()
    assert (status, len(said.getvalue().splitlines())) in ((0, 0), (1, 1)), (n, status, said.getvalue())
END

python "$extractor" "$work/model" "$work/all" || fail "all: status $?"
cmp "$work/all.expected" "$work/all" || fail "all: not what is in the model"
python "$extractor" --prefix deep. "$work/model" "$work/deep" || fail "deep: status $?"
cmp "$work/deep.expected" "$work/deep" || fail "deep: not what has this prefix"
python "$extractor" --list "$work/model" >"$work/list" || fail "--list: status $?"
printf 'deep.a 2x3\nthen.b 2x1\ndeep.c 3\nscalar scalar\n' | cmp - "$work/list" || fail "--list: another list"

refused() { # WORDS ARGUMENT...: status 1 and a line with the words
    words=$1
    shift
    python "$extractor" "$@" "$work/out" >"$work/said" 2>&1
    [ $? -eq 1 ] || fail "$words: another status than 1"
    [ "$(wc -l <"$work/said")" -eq 1 ] || fail "$words: one line expected: $(cat "$work/said")"
    grep -q "$words" "$work/said" || fail "'$words' expected, not: $(cat "$work/said")"
    [ -e "$work/out" ] && fail "$words: an output was made"
}
refused 'No such file' "$work/nowhere"
refused 'two constants x' "$work/twice"
refused 'in another file' "$work/elsewhere"
refused 'w of \[3\] has 8 bytes' "$work/short"
refused 'begins with "nothing"' --prefix nothing "$work/model"
exit "$failed"
