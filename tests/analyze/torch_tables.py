"""Random event lists with the tables that PyTorch 1.13's profiler prints of them.

    torch_tables.py N SEED [new] [small]    N cases, in the form that print_tables reads

new:   the same source with what later versions changed: "KB" for "Kb", whole
       stacks, one unit for all times.
small: only cases that are worth keeping in a file.

Times are whole numbers of 125 ns: their sums in microseconds are exact in
doubles, so that the order of additions does not matter.
"""
import random
import sys
import types

from torch.autograd import profiler_util

NAMES = ["add", "matmul", "aten::conv2d", "relu", "größe", "漢字", "a name with blanks", '"quoted" \\ name',
         "n" * 51, "m" * 52, "o" * 53, "p" * 60, "q", "é" * 58, "broadcast_to", "ProfilerStep*"]
FRAMES = ["model.c:12 forward", "main.c:3 main", "x", "lib/a very long path/" + "d" * 70 + "/file.c:1000 function",
          "s" * 71, "t" * 72, "t" * 75, "t" * 76, "ü" * 90, "conv.c(4): run"]
SHAPES = [None, [], [[]], [[64, 64], [64, 64]], [[2, 3], []], [[1, 3, 224, 224], [64, 3, 7, 7], [64], [], []],
          [[10]], [[1], [2], [3], [4], [5], [6], [7], [8], [9], [10], [11], [12], [13], [14], [15], [16], [17]]]
SORTS = ["cpu_time", "cpu_time_total", "self_cpu_time_total", "cpu_memory_usage", "self_cpu_memory_usage", "count",
         "key", "node_id", "cuda_time", "cuda_time_total", "self_cuda_time_total", "cuda_memory_usage",
         "self_cuda_memory_usage"]
BYTES = [0, 1, 1023, 1024, -1024, 1536, -135 * 1024 - 143, 1 << 20, (1 << 20) - 1, 3 << 19, 1 << 30, -5 << 30, 7]


SMALL = 2400


def newer_source():
    """The module as later versions have it; `unit` of it is the time_unit of the table."""
    changes = [("' b'", "' B'"), ("} Kb'", "} KB'"), ("} Mb'", "} MB'"), ("} Gb'", "} GB'"),
               ("MAX_STACK_ENTRY = 5", "MAX_STACK_ENTRY = 1 << 30"),
               ("    if time_us >= US_IN_SECOND:", """    if unit is not None:
        return '{:.3f}{}'.format(time_us / {'s': US_IN_SECOND, 'ms': US_IN_MS, 'us': 1}[unit], unit)
    if time_us >= US_IN_SECOND:""")]
    with open(profiler_util.__file__) as file:
        source = file.read()
    for old, new in changes:
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    module = types.ModuleType("newer_profiler_util")
    exec(source, module.__dict__)
    module.unit = None
    return module


class Case:
    def __init__(self, chance, torch, is_new):
        self.chance = chance
        self.torch, self.is_new = torch, is_new
        self.memory = chance.random() < 0.4
        extra = chance.choice(["", "", "stack", "flops"])  # not both: PyTorch exchanges the two columns then
        self.has_stack, self.flops = extra == "stack", extra == "flops"
        self.names = chance.sample(NAMES, chance.randint(1, 6))
        self.scale = 8 * 10 ** chance.choice([0, 0, 1, 2, 4, 6])
        self.nodes = chance.random() < 0.15
        self.events = []
        for _ in range(chance.randint(1, 4)):
            self.fill(chance.randint(1, 3), chance.randint(0, 50) * self.scale, chance.randint(0, 90) * self.scale, 0)
        if chance.random() < 0.3:
            chance.shuffle(self.events)

    def fill(self, thread, start, duration, depth):
        """An event of [start, start + duration], and others inside it, beside it or across its end."""
        chance = self.chance
        self.events.append({
            "thread": thread,
            "node": thread % 3 - 1 if self.nodes else -1,
            "start": start,
            "duration": duration,
            "async": chance.random() < 0.08,
            "bytes": chance.choice(BYTES) if self.memory else 0,
            "flops": chance.choice([0, 1, 999, 1000, 10 ** chance.randint(0, 17), 524288]) if self.flops else 0,
            "shapes": chance.choice(SHAPES),
            "stack": chance.choices(FRAMES, k=chance.randint(0, 8)) if self.has_stack else [],
            "name": chance.choice(self.names),
        })
        for _ in range(chance.choice([0, 1, 1, 2, 3]) if depth < 4 else 0):
            if len(self.events) >= 12:
                break
            inside = start + int(duration * chance.random())
            kind = chance.random()
            if kind < 0.6:
                self.fill(thread, inside, int((start + duration - inside) * chance.random()), depth + 1)
            elif kind < 0.75:
                self.fill(thread, start, duration, depth + 1)  # the same interval
            elif kind < 0.85:
                self.fill(thread, inside, 0, depth + 1)
            else:
                self.fill(thread, inside, duration, depth + 1)  # over its end

    def options(self):
        chance = self.chance
        self.averages = chance.random() < 0.75
        self.by_shapes = chance.random() < 0.5
        self.stack_n = chance.choice([0, 1, 2, 5, 8]) if self.has_stack else 0
        self.sort = chance.choice([None] * 6 + SORTS + (["flops"] if self.flops else []))
        self.rows = chance.choice([100, 100, 100, -1, 0, 1, 2, 5])
        self.name_width = chance.choice([55, 55, 55, None, 3, 4, 7, 12, 30, 80])
        self.shapes_width = chance.choice([80, 80, 80, None, 1, 5, 20, 40])
        self.source_width = chance.choice([75, 75, 75, None, 1, 3, 4, 20, 40])
        self.top_level = chance.random() < 0.25
        self.header = chance.choice([None, None, None, "A header", "größer"])
        self.unit = chance.choice([None, "s", "ms", "us"]) if self.is_new else None

    def torch_list(self):
        events = [self.torch.FunctionEvent(i, e["name"], e["thread"], e["start"] / 8, (e["start"] + e["duration"]) / 8,
                                           input_shapes=e["shapes"], stack=list(e["stack"]), cpu_memory_usage=e["bytes"],
                                           is_async=e["async"], node_id=e["node"], flops=e["flops"])
                  for i, e in enumerate(self.events)]
        events = self.torch.EventList(events, use_cuda=False, profile_memory=self.memory, with_flops=self.flops)
        events._build_tree()
        if self.averages:
            events = events.key_averages(group_by_input_shapes=self.by_shapes, group_by_stack_n=self.stack_n)
        return events

    def torch_table(self):
        self.torch.unit = self.unit
        return self.torch_list().table(
            sort_by=self.sort, row_limit=self.rows, max_src_column_width=self.source_width,
            max_name_column_width=self.name_width, max_shapes_column_width=self.shapes_width, header=self.header,
            top_level_events_only=self.top_level)

    def lines(self):
        yield fields("list", self.memory, self.flops)
        for e in self.events:
            yield fields("event", e["thread"], e["node"] if e["node"] != -1 else None, e["start"] * 125,
                         e["duration"] * 125, e["async"], e["bytes"], e["flops"], shapes(e["shapes"]),
                         "|".join(e["stack"]) or None, e["name"])
        if self.averages:
            yield fields("averages", self.by_shapes, 0, 0, self.stack_n)
        yield fields("table", "new" if self.is_new else "torch", self.sort, self.rows, self.name_width, self.shapes_width, self.source_width,
                     self.top_level, self.unit, self.header)


def shapes(inputs):
    if inputs is None:
        return None
    return " ".join("(%s)" % ",".join(map(str, one)) if one else "." for one in inputs) or "[]"


def fields(*values):
    texts = ["-" if value is None else str(int(value)) if isinstance(value, bool) else str(value) for value in values]
    return "\t".join(texts) + "\n"


def main():
    n, seed, words = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    is_new = "new" in words
    torch = newer_source() if is_new else profiler_util
    chance = random.Random(seed)
    while n > 0:
        case = Case(chance, torch, is_new)
        case.options()
        try:
            text = "".join(case.lines()) + case.torch_table() + "end\n"
        except AssertionError:
            continue  # a share of nothing: there PyTorch has no table
        if "small" not in words or len(text) < SMALL:
            sys.stdout.write(text)
            n -= 1


main()
