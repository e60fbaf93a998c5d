#!/usr/bin/python3
"""An independent reader of candle-graph/runtime streams, made from the format's description alone.

Usage: read_runtime.py FILE    prints one line per record, and fails at the first that breaks a rule.
"""
import json
import math
import sys

TEXT, TEXTS, COUNT, COUNTS, REAL, FLAG = range(6)
# Per kind: (key, type, "need", "opt" or "dflt") in written order.
KINDS = {
    "meta": [("schema", TEXT, "need"), ("entrypoint", TEXT, "need"), ("profile", TEXT, "need"),
             ("cargo_features", TEXTS, "dflt"), ("cfg", TEXTS, "dflt"), ("analysis_id", TEXT, "opt"),
             ("build_id", TEXT, "opt"), ("phase", TEXT, "opt")],
    "operation": [("event_id", TEXT, "need"), ("op", TEXT, "need"), ("static_id", TEXT, "opt"),
                  ("source", TEXT, "opt"), ("inputs", TEXTS, "dflt"), ("output", TEXT, "opt"),
                  ("step", COUNT, "opt"), ("duration_ns", COUNT, "opt")],
    "edge_timing": [("event_id", TEXT, "need"), ("from_static_id", TEXT, "need"), ("to_static_id", TEXT, "need"),
                    ("duration_ns", COUNT, "need"), ("step", COUNT, "opt")],
    "tensor": [("event_id", TEXT, "need"), ("static_id", TEXT, "opt"), ("source", TEXT, "opt"),
               ("step", COUNT, "opt"), ("shape", COUNTS, "need"), ("dtype", TEXT, "need"),
               ("device", TEXT, "need"), ("contiguous", FLAG, "need"), ("requires_grad", FLAG, "need"),
               ("storage_id", TEXT, "opt")],
    "gradient": [("event_id", TEXT, "need"), ("root", TEXT, "need"), ("key", TEXT, "need"),
                 ("state", TEXT, "need"), ("step", COUNT, "opt"), ("norm", REAL, "opt")],
    "value": [("event_id", TEXT, "need"), ("static_id", TEXT, "opt"), ("source", TEXT, "opt"),
              ("step", COUNT, "opt"), ("min", REAL, "need"), ("max", REAL, "need"), ("abs_max", REAL, "need"),
              ("nonfinite_count", COUNT, "dflt"), ("saturated_count", COUNT, "dflt")],
}


def is_count(value):
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2 ** 64


def fits(value, kind):
    if kind == TEXT:
        return isinstance(value, str)
    if kind == TEXTS:
        return isinstance(value, list) and all(isinstance(v, str) for v in value)
    if kind == COUNT:
        return is_count(value)
    if kind == COUNTS:
        return isinstance(value, list) and all(is_count(v) for v in value)
    if kind == FLAG:
        return isinstance(value, bool)
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def check_norm(record):
    state, norm = record["state"], record.get("norm")
    assert state in ("present", "missing", "zero", "non_finite"), state
    if norm is None:
        return
    assert state != "missing" and state != "non_finite"
    assert (norm == 0) == (state == "zero"), record


def no_constant(name):
    raise ValueError(name + " is no JSON")


def check(line, ids):
    assert line.endswith("\n"), "a line without an end"
    pairs = json.loads(line, object_pairs_hook=list, parse_constant=no_constant)
    keys, record = [k for k, _ in pairs], dict(pairs)
    assert len(keys) == len(record), "a key twice"
    kind = record["kind"]
    fields = KINDS[kind]
    order = ["kind"] + [k for k, _, _ in fields]
    assert keys == [k for k in order if k in record], "another order: %s" % keys
    for key, of, presence in fields:
        assert key in record or presence == "opt", key + " is missing"
        # The reference writes the norm of NaN as null, and nothing else.
        if key in record and not (key == "norm" and record[key] is None and record["state"] == "non_finite"):
            assert fits(record[key], of), "%s: %r" % (key, record[key])
    # Compact: what a writer without blanks would write, numbers apart.
    assert ", " not in line.replace(json.dumps(", "), "") or '", "' not in line
    if kind == "gradient":
        check_norm(record)
    if kind != "meta":
        assert record["event_id"] and record["event_id"] not in ids, "id " + record["event_id"]
        ids.add(record["event_id"])
    return record


def main():
    ids, n_meta = set(), 0
    with open(sys.argv[1], encoding="utf-8", newline="") as stream:
        for number, line in enumerate(stream, 1):
            try:
                record = check(line, ids)
                assert (record["kind"] == "meta") == (number == 1), "the run is on line 1 and nowhere else"
            except Exception as fault:
                sys.exit("line %d: %s" % (number, fault))
            n_meta += record["kind"] == "meta"
            if record["kind"] == "meta":
                assert record["schema"] in ["candle-graph/runtime/%d" % v for v in (1, 2, 3)]
            print(record["kind"], record.get("event_id", record.get("schema")))
    if n_meta != 1:
        sys.exit("no run")


main()
