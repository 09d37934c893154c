#!/usr/bin/env python3
"""Check the Python example against a bundle: positions, legal plays and best plays must be those of golden.jsonl.

    tests/runtimes/check_examples.py BUNDLE EXAMPLES

EXAMPLES is the folder with plays.py and best_move.py.
"""

import json
import sys
from pathlib import Path

import onnxruntime


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    bundle, examples = map(Path, sys.argv[1:])
    sys.path.insert(0, str(examples))
    from best_move import metadata, ranked
    from level import uniform
    from plays import Board, Position, plays, read, written

    # The test vector of docs/levels.md.
    text = "2 mahbusa:M1A1A16aam:0.0:w:31:0.0.0 mahbusa:L2BA16aam:0.0:b:-:0.0.0"
    assert uniform(text) == 0.7660006291181373

    board_of = lambda raw: Board(*(tuple(raw[name]) for name in Board._fields))
    golden = [json.loads(line) for line in (bundle / "golden.jsonl").read_text(encoding="utf-8").splitlines()]
    model = onnxruntime.InferenceSession(bundle / "model.onnx", providers=["CPUExecutionProvider"])
    positions = turns = 0
    largest = 0.0
    for line in golden:
        position = read(line["position"])
        assert position.board == board_of(line["board"]), line["position"]
        turn = line["position"].split(":")[3]
        assert written(position, turn) == line["position"]
        positions += 1
        if "plays" not in line:
            continue
        legal = plays(position)
        found = {(play.text, play.board, play.points) for play in legal}
        expected = {(play["play"], board_of(play["board"]), play["points"]) for play in line["plays"]}
        assert found == expected and len(legal) == len(expected), line["position"]
        other = "b" if turn == "w" else "w"
        texts = {written(Position(position.rules, play.board), other) for play in legal}
        assert texts == {play["position"] for play in line["plays"]}, line["position"]
        turns += 1
        # Some stand there for the other game too, which the net does not know.
        if position.rules != metadata(model)["rules"]:
            continue
        best, worth = ranked(model, line["position"])[0]
        equity = {play["play"]: play["equity"] for play in line["plays"]}
        # Of two plays that are worth nearly the same, either may come first.
        assert max(equity.values()) - equity[best.text] <= 1e-5, line["position"]
        largest = max(largest, abs(worth - equity[best.text]))
    assert turns >= 200
    print(f"Python example: {positions} positions read, plays and best play right in {turns} turns, largest difference {largest:.1e}")
    if not largest <= 1e-5:
        sys.exit(f"{bundle}: the largest difference is above 1e-5")


main()
