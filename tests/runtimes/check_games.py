#!/usr/bin/env python3
"""Check the arrays of self-play games: NumPy reads them, and every board has its checkers.

    tests/runtimes/check_games.py GAMES.npz
"""

import json
import sys

import numpy


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with numpy.load(sys.argv[1]) as file:
        about = json.loads(file["about"].item())
        data = {name: file[name] for name in file.files if name != "about"}
    rows = len(data["game"])
    widths = {"points": 24, "pins": 24, "off": 2, "dice": 2, "outcome": None, "value": 5, "game": None, "ply": None}
    for name, width in widths.items():
        assert data[name].shape == ((rows, width) if width else (rows,)), name
    assert data["points"].dtype == numpy.int8 and data["value"].dtype == numpy.float32
    for sign, side in ((1, 0), (-1, 1)):
        free = numpy.maximum(sign * data["points"], 0).sum(axis=1)
        assert (free + (data["pins"] == sign).sum(axis=1) + data["off"][:, side] == 15).all()
    assert set(data["game"]) == set(range(about["games"]))
    assert numpy.abs(data["value"].sum(axis=1) - 1).max() < 1e-5
    # The sides alternate: what one wins the other loses.
    same = data["game"][1:] == data["game"][:-1]
    assert (data["outcome"][1:] + data["outcome"][:-1] == 4)[same].all()
    assert (data["ply"][1:] - data["ply"][:-1] == 1)[same].all() and (data["ply"][1:] == 0)[~same].all()
    print(f"numpy {numpy.__version__}: {about['games']} games, {rows} turns, {about['rules']}")


main()
