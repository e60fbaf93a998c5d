"""The flows of a Chrome trace, read by its rules alone: "1 2 0" as the program of flows.c prints them.

Usage: read_flows.py TRACE [chain]
Operations are counted as they begin; those inside of others go by their parents' numbers, behind "inside".
With "chain" nothing is printed: every flow must go from one operation to the next, and all but the first have one.
"""
import json
import sys


def load(path):
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    events = document["traceEvents"] if isinstance(document, dict) else document
    slices = [event for event in events if event["ph"] == "X" and event.get("cat", "cpu_op") == "cpu_op"]
    return events, sorted(slices, key=lambda event: (event["ts"], -event["dur"]))


def parents(slices):
    """The nearest slice around each, by times alone."""
    around, of = {}, {}
    for number, event in enumerate(slices):
        open_ones = around.setdefault(event["tid"], [])
        while open_ones and slices[open_ones[-1]]["ts"] + slices[open_ones[-1]]["dur"] <= event["ts"]:
            open_ones.pop()
        of[number] = open_ones[-1] if open_ones else None
        open_ones.append(number)
    return of


def innermost(slices, by_thread, end):
    """The slice that a flow's end lies in: of those around it the one that began last."""
    found = [number for number in by_thread[end["tid"]]
             if slices[number]["ts"] <= end["ts"] <= slices[number]["ts"] + slices[number]["dur"]]
    assert found, "no slice around %r" % end
    return found[-1]


def ends_of(events):
    starts = {event["id"]: event for event in events if event["ph"] == "s"}
    ends = {event["id"]: event for event in events if event["ph"] == "f"}
    assert len(starts) == sum(event["ph"] == "s" for event in events), "an id twice"
    assert starts.keys() == ends.keys(), "flows without both ends"
    for number, start in starts.items():
        assert isinstance(number, int) and ends[number]["bp"] == "e" and start["cat"] == ends[number]["cat"]
        assert start["ts"] <= ends[number]["ts"], "backwards"
    return [(starts[number], ends[number]) for number in sorted(starts)]


def main():
    events, slices = load(sys.argv[1])
    pairs = ends_of(events)
    if len(sys.argv) > 2:
        by_start = {event["ts"]: number for number, event in enumerate(slices)}
        numbers = [by_start[end["ts"]] for _, end in pairs]
        for start, end in pairs:
            before = slices[by_start[end["ts"]] - 1]
            assert before["ts"] <= start["ts"] <= before["ts"] + before["dur"], (start, end)
        assert len(set(numbers)) == len(numbers), "an operation has two producers"
        if numbers:
            assert max(numbers) == len(slices) - 1, "the latest has no producer"
            assert len(numbers) == max(numbers) - min(numbers) + 1, "flows are missing in between"
        print(len(slices), len(pairs))
        return
    outer = parents(slices)
    by_thread = {}
    for number, event in enumerate(slices):
        by_thread.setdefault(event["tid"], []).append(number)
    place = {number: n + 1 for n, number in enumerate(n for n in range(len(slices)) if outer[n] is None)}
    for start, end in pairs:
        source, target = innermost(slices, by_thread, start), innermost(slices, by_thread, end)
        position = end["args"].get("position", "?")
        # A flow's beginning in the last moment of an operation may lie in what ran inside of it until then.
        if outer[target] is None:
            source = source if outer[source] is None else outer[source]
            print(place[source], place[target], position)
        else:
            print("inside", place[outer[source]], place[outer[target]], position)


main()
