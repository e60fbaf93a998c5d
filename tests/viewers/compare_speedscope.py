"""Whether a viewer shows what the report holds.

    compare_speedscope.py SAVED TABLE EVENTS

SAVED: what speedscope saved; TABLE: `table --format json`; EVENTS: `export
jsonl`. Nesting and names have to be equal on every thread, times to a
nanosecond a slice: the viewer reckons in microseconds of binary64.
"""

import collections
import json
import re
import sys

ROUNDING_NS = 1
# The recorder's own time: a slice, so that it is nobody's self time, but no operation.
RECORDER = "(recorder)"
# The argument that operations have, and the recorder, and nothing else.
ID = '"External id"'


def fail(sentence):
    sys.exit(sentence)


def slices_of(saved, profile):
    """The operations of a thread in the order of their starts; times in ns."""
    unit = {"nanoseconds": 1, "microseconds": 1e3, "milliseconds": 1e6}[profile["unit"]]
    # A frame's name is that of the slice, followed by its arguments.
    frames = [re.split(r" (?=\{)", frame["name"], maxsplit=1) for frame in saved["shared"]["frames"]]
    slices, open_ones = [], []
    for event in profile["events"]:
        name, arguments = (frames[event["frame"]] + [""])[:2]
        if event["type"] == "O":
            entry = {"name": name, "frame": event["frame"], "is_operation": ID in arguments and name != RECORDER}
            entry.update(depth=sum(one["is_operation"] for one in open_ones), start=event["at"] * unit, children=0)
            slices.append(entry)
            open_ones.append(entry)
            continue
        entry = open_ones.pop()
        if entry["frame"] != event["frame"]:
            fail(f"{profile['name']}: {entry['name']} is closed by another slice")
        entry["duration"] = event["at"] * unit - entry["start"]
        # Ranges of the program are between operations, and take nothing of their self times.
        around = next((one for one in reversed(open_ones) if one["is_operation"]), None)
        if around is not None and (entry["is_operation"] or entry["name"] == RECORDER):
            around["children"] += entry["duration"]
    if open_ones:
        fail(f"{profile['name']}: {len(open_ones)} slices are never closed")
    return [entry for entry in slices if entry["is_operation"]]


def depth_of(events):
    """Depths by parent ids; a parent stands before its children."""
    depths = {}
    for event in events:
        depths[event["id"]] = 0 if event["parent_id"] is None else depths[event["parent_id"]] + 1
    return depths


def main():
    saved, table = (json.load(open(path)) for path in sys.argv[1:3])
    events = [json.loads(line) for line in open(sys.argv[3])]
    events = sorted((event for event in events if event["id"] is not None), key=lambda event: event["id"])
    depths = depth_of(events)
    by_thread = collections.defaultdict(list)
    for event in events:
        by_thread[event["thread_id"]].append((event["start_ns"], depths[event["id"]], event["name"]))
    shown = {}
    totals = collections.defaultdict(lambda: [0, 0.0, 0.0])
    for profile in saved["profiles"]:
        slices = slices_of(saved, profile)
        thread = int(re.search(r"tid (\d+)", profile["name"]).group(1))
        shown[thread] = [(entry["depth"], entry["name"]) for entry in slices]
        for entry in slices:
            total = totals[entry["name"]]
            total[0] += 1
            total[1] += entry["duration"]
            total[2] += entry["duration"] - entry["children"]
    for thread, expected in by_thread.items():
        if shown.get(thread) != [(depth, name) for _, depth, name in sorted(expected)]:
            fail(f"thread {thread} is nested otherwise")
    if sum(map(len, shown.values())) != len(events):
        fail(f"{sum(map(len, shown.values()))} slices are shown, {len(events)} were recorded")
    expected = collections.defaultdict(lambda: [0, 0, 0])
    for row in table["rows"]:
        for place, key in enumerate(("calls", "total_ns", "self_ns")):
            expected[row["name"]][place] += row[key]
    if set(expected) != set(totals):
        fail(f"other names: {set(expected) ^ set(totals)}")
    for name, (calls, total, own) in expected.items():
        seen = totals[name]
        # A slice's self time is rounded with each of its children.
        if seen[0] != calls or abs(seen[1] - total) > calls * ROUNDING_NS or abs(seen[2] - own) > len(events) * ROUNDING_NS:
            fail(f"{name}: {seen} is shown, {[calls, total, own]} was recorded")
    print(f"{len(events)} slices of {len(by_thread)} threads, {len(expected)} names")


main()
