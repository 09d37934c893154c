#!/usr/bin/env python3
"""Check a bundle as a stranger would: with ONNX, ONNX Runtime, NumPy and the files of the bundle, nothing else.

    tests/runtimes/check.py BUNDLE

Prints the largest difference to golden.jsonl and fails above 1e-5.
"""

import json
import re
import struct
import sys
from pathlib import Path

import numpy
import onnx
import onnxruntime

TOLERANCE = 1e-5
LOGIT_TOLERANCE = 1e-4  # they are larger numbers


def check_model(path):
    """The checker and the shape inference of ONNX; the model."""
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    inferred = onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
    known = {value.name for value in inferred.graph.value_info} | {value.name for value in inferred.graph.output}
    missing = {name for node in inferred.graph.node for name in node.output} - known
    assert not missing, f"no shape was found for {sorted(missing)}"
    assert model.opset_import[0].version <= 15 and len(model.opset_import) == 1
    shapes = {
        value.name: [axis.dim_param or axis.dim_value for axis in value.type.tensor_type.shape.dim]
        for value in [*model.graph.input, *model.graph.output]
    }
    assert shapes == {"points": ["N", 24], "pins": ["N", 24], "off": ["N", 2], "outcomes": ["N", 5], "equity": ["N"]}, shapes
    return model


def arrays(boards):
    return {name: numpy.array([board[name] for board in boards], numpy.float32) for name in ("points", "pins", "off")}


def run(model, boards, outputs, batch):
    """What the model makes of boards, so many at a time."""
    parts = [model.run(outputs, arrays(boards[at:at + batch])) for at in range(0, len(boards), batch)]
    return [numpy.concatenate(column) for column in zip(*parts)]


def check_runtime(path, golden):
    """ONNX Runtime, one board at a time and 64 at a time; afterstates too."""
    model = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    boards = [line["board"] for line in golden]
    outcomes = [line["outcomes"] for line in golden]
    equities = [line["equity"] for line in golden]
    for line in golden:
        for play in line.get("plays", []):
            if play["points"] is None:
                boards.append(play["board"])
                # What is good for the side that has played is bad for the one to roll.
                outcomes.append(play["outcomes"][::-1])
                equities.append(-play["equity"])
    largest = 0.0
    for batch in (1, 64):
        found = run(model, boards, ["outcomes", "equity"], batch)
        differences = [numpy.abs(found[0] - outcomes).max(), numpy.abs(found[1] - equities).max()]
        print(f"onnxruntime {onnxruntime.__version__}, batch {batch}: {len(boards)} boards, largest difference "
              f"{differences[0]:.1e} in outcomes, {differences[1]:.1e} in equity")
        largest = max(largest, *differences)
    return largest


def check_inside(model, golden):
    """The encoding and the logits inside the graph, which become outputs for this."""
    for name, width in (("features", 379), ("logits", 5)):
        model.graph.output.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["N", width]))
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    features, logits = run(session, [line["board"] for line in golden], ["features", "logits"], 64)
    largest = numpy.abs(features - [line["features"] for line in golden]).max()
    print(f"inputs of the net in the graph: largest difference {largest:.1e}")
    in_logits = numpy.abs(logits - [line["logits"] for line in golden]).max()
    print(f"logits in the graph: largest difference {in_logits:.1e}")
    return max(largest, in_logits * TOLERANCE / LOGIT_TOLERANCE)


def check_formulas(path, golden):
    """encoding.md: its formulas, run as they stand there."""
    text = path.read_text(encoding="utf-8")
    functions = re.search(r"```python\n(.*?)```", text, re.DOTALL)[1]
    rows = re.findall(r"^\| (\d+) \| `([^`]+)` \| (\S+) \| (\S+) \|", text, re.MULTILINE)
    assert [int(number) for number, *_ in rows] == list(range(379))
    compiled = [(compile(formula, f"input {number}", "eval"), float(low), float(high)) for number, formula, low, high in rows]
    largest = 0.0
    for line in golden[::4]:
        scope = dict(line["board"])
        exec(functions, scope)
        for number, ((formula, low, high), expected) in enumerate(zip(compiled, line["features"])):
            value = eval(formula, scope)
            assert low <= value <= high + 1e-6, f"input {number} is {value}"
            largest = max(largest, abs(value - expected))
    print(f"formulas of encoding.md: largest difference {largest:.1e}")
    return largest


def check_tensors(path, golden, activation):
    """model.safetensors: the layers, computed out of it."""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length])
    metadata = header.pop("__metadata__")
    assert metadata["activation"] == activation
    tensor = {}
    for name, entry in header.items():
        start, end = entry["data_offsets"]
        tensor[name] = numpy.frombuffer(data[8 + length:][start:end], "<f4").reshape(entry["shape"])
    units = numpy.maximum(numpy.array([line["features"] for line in golden], numpy.float32) @ tensor["w1"] + tensor["b1"], 0)
    if activation == "squared":
        units = units * units
    if "w2" in tensor:
        units = numpy.maximum(units @ tensor["w2"].T + tensor["b2"], 0)
    logits = units @ tensor["w3"].T + tensor["b3"]
    largest = numpy.abs(logits - [line["logits"] for line in golden]).max()
    print(f"logits out of model.safetensors: largest difference {largest:.1e}")
    return largest * TOLERANCE / LOGIT_TOLERANCE


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    bundle = Path(sys.argv[1])
    golden = [json.loads(line) for line in (bundle / "golden.jsonl").read_text(encoding="utf-8").splitlines()]
    manifest = json.loads((bundle / "manifest.json").read_text(encoding="utf-8"))
    assert len(golden) >= 500 and sum("plays" in line for line in golden) >= 200
    model = check_model(bundle / "model.onnx")
    metadata = {entry.key: entry.value for entry in model.metadata_props}
    assert metadata["sha256"] == manifest["net"]["sha256"] and metadata["rules"] == manifest["rules"]
    largest = max(
        check_runtime(bundle / "model.onnx", golden),
        check_inside(model, golden),
        check_formulas(bundle / "encoding.md", golden),
        check_tensors(bundle / "model.safetensors", golden, manifest["net"]["activation"]),
    )
    if not largest <= TOLERANCE:
        sys.exit(f"{bundle}: the largest difference is above {TOLERANCE}")


main()
