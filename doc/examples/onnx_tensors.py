#!/usr/bin/env python3
"""Take the Float32 constants out of an ONNX model.

    onnx_tensors.py [--prefix PREFIX] [--list] MODEL [OUTPUT]

Initializers and the tensors of Constant nodes, also of graphs inside of If, Loop
and Scan nodes, are written as a file of named tensors (weights.h). The name of
a constant is that of the value that the graph knows it by. With --prefix only
those are taken whose name begins so, under the rest of their name. --list says
what there is instead.

ONNX is encoded as protocol buffers; the few messages and fields that matter
here are read without a library. Extents are written in the order that counts
the first one fastest, so (128,129,3) of ONNX becomes 3 129 128.
"""
import argparse
import math
import sys

# Field numbers of onnx.proto: MESSAGE = {what: number}.
MODEL = {"graph": 7}
GRAPH = {"node": 1, "initializer": 5}
NODE = {"output": 2, "op_type": 4, "attribute": 5}
ATTRIBUTE = {"name": 1, "tensor": 5, "graph": 6, "graphs": 11}
TENSOR = {"dims": 1, "data_type": 2, "float_data": 4, "name": 8, "raw_data": 9, "data_location": 14}
FLOAT = 1
EXTERNAL = 1


class Damaged(Exception):
    """The file is not what it should be."""


def varint(data, at):
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise Damaged("a number is cut off")
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at


def fields(data):
    """{number: [value...]} of a message; a value is an integer or bytes."""
    found = {}
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        wire = key & 7
        if wire == 0:
            value, at = varint(data, at)
        elif wire in (1, 2, 5):
            n, at = varint(data, at) if wire == 2 else ({1: 8, 5: 4}[wire], at)
            if n > len(data) - at:
                raise Damaged("a field is cut off")
            value = data[at:at + n]
            at += n
        else:
            raise Damaged(f"there is no wire type {wire}")
        found.setdefault(key >> 3, []).append(value)
    return found


def first(message, number, default):
    return message.get(number, [default])[0]


def integers(values):
    """A repeated integer, packed or not."""
    for value in values:
        if isinstance(value, int):
            yield value
            continue
        at = 0
        while at < len(value):
            number, at = varint(value, at)
            yield number


def read_tensor(data):
    """(its own name, extents, bytes), or None for what is not Float32."""
    tensor = fields(data)
    if first(tensor, TENSOR["data_type"], 0) != FLOAT:
        return None
    name = first(tensor, TENSOR["name"], b"").decode()
    if first(tensor, TENSOR["data_location"], 0) == EXTERNAL:
        raise Damaged(f"the elements of {name} are in another file")
    extents = list(integers(tensor.get(TENSOR["dims"], [])))
    elements = first(tensor, TENSOR["raw_data"], b"") or b"".join(tensor.get(TENSOR["float_data"], []))
    if len(elements) != 4 * math.prod(extents):
        raise Damaged(f"{name} of {extents} has {len(elements)} bytes")
    return name, extents, elements


def constants(graph):
    """(name, extents, bytes) of every Float32 constant, also in inner graphs."""
    graph = fields(graph)
    for data in graph.get(GRAPH["initializer"], []):
        tensor = read_tensor(data)
        if tensor:
            yield tensor
    for data in graph.get(GRAPH["node"], []):
        node = fields(data)
        is_constant = first(node, NODE["op_type"], b"") == b"Constant"
        for attribute in map(fields, node.get(NODE["attribute"], [])):
            for inner in attribute.get(ATTRIBUTE["graph"], []) + attribute.get(ATTRIBUTE["graphs"], []):
                yield from constants(inner)
            if is_constant and first(attribute, ATTRIBUTE["name"], b"") == b"value":
                tensor = read_tensor(first(attribute, ATTRIBUTE["tensor"], b""))
                if tensor:
                    yield node[NODE["output"]][0].decode(), *tensor[1:]


def named(model, prefix):
    """The constants whose name begins so, each name once."""
    graphs = fields(model).get(MODEL["graph"])
    if not graphs or not isinstance(graphs[0], bytes):
        raise Damaged("this is no ONNX model")
    seen = set()
    for name, extents, elements in constants(graphs[0]):
        if not name.startswith(prefix):
            continue
        name = name[len(prefix):]
        if not name or any(c.isspace() for c in name):
            raise Damaged(f"the name \"{name}\" cannot be written")
        if name in seen:
            raise Damaged(f"there are two constants {name}")
        seen.add(name)
        yield name, extents, elements


def write(tensors, file):
    file.write(b"named tensors 1\n")
    for name, extents, elements in tensors:
        file.write(" ".join([name, *map(str, reversed(extents or [1]))]).encode() + b"\n" + elements)


def main():
    parser = argparse.ArgumentParser(description="Take the Float32 constants out of an ONNX model.")
    parser.add_argument("--prefix", default="", help="only names that begin so, without it")
    parser.add_argument("--list", action="store_true", help="say what there is, write nothing")
    parser.add_argument("model")
    parser.add_argument("output", nargs="?")
    arguments = parser.parse_args()
    if not arguments.list and not arguments.output:
        parser.error("an output is wanted, or --list")
    try:
        with open(arguments.model, "rb") as file:
            tensors = list(named(file.read(), arguments.prefix))
        if arguments.list:
            for name, extents, _ in tensors:
                print(name, "x".join(map(str, extents)) or "scalar")
        elif not tensors:
            raise Damaged(f"no constant has a name that begins with \"{arguments.prefix}\"")
        else:
            with open(arguments.output, "wb") as file:
                write(tensors, file)
    except (Damaged, OSError, UnicodeDecodeError) as error:
        print(f"onnx_tensors.py: {arguments.model}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
