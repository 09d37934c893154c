#!/usr/bin/env python3
"""Check that every strength level of a net plays in the Python example what it plays in the program.

    tests/runtimes/check_levels.py MAHBUSA NAME BUNDLE SMALL EXAMPLES >CASES

EXAMPLES is the folder with level.py. Writes what was to be played, an object a line, for check_levels.mjs.
"""

import json
import subprocess
import sys
from pathlib import Path

SEED = 7


def contact(position):
    """Whether the side to roll has so many checkers outside that the program cannot look the end up in its table, which a bundle does not have."""
    return sum(n for n in position.board.points[6:] if n > 0) >= 5


def main():
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    mahbusa, name, full, small, examples = sys.argv[1:]
    sys.path.insert(0, examples)
    from best_move import opened
    from level import chosen
    from plays import read

    ask = lambda *arguments, given="": subprocess.run(
        [mahbusa, *arguments], check=True, input=given, stdout=subprocess.PIPE, text=True
    ).stdout.splitlines()
    positions = [line for line in ask("positions", name, "--count", "40", "--seed", "3") if contact(read(line))]
    models = {"full": opened(full), "small": opened(small)}
    levels = json.loads((Path(full) / "levels.json").read_text(encoding="utf-8"))["levels"]
    checked = 0
    for level in levels:
        # Looking two plies deep takes a second in Python.
        some = positions if level["ply"] == 1 else positions[:4]
        answers = ask("analyze", "--model", name, "--level", str(level["level"]), "--seed", str(SEED), "--json", given="\n".join(some))
        for position, answer in zip(some, answers, strict=True):
            expected = json.loads(answer)["chosen"]
            found = chosen(models[level["net"]], level, SEED, position).text
            assert found == expected, f"level {level['level']} in {position}: found {found}, expected {expected}"
            print(json.dumps({"level": level["level"], "seed": SEED, "position": position, "chosen": expected}))
            checked += 1
    assert len(levels) == 6 and len(positions) >= 20
    print(f"Python example: {checked} plays of the levels of {name} are those of the program", file=sys.stderr)


main()
