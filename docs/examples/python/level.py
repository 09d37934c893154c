"""What a strength level plays, as docs/levels.md says, out of the bundles of a net and of its small net.

    python level.py BUNDLE SMALL LEVEL SEED mahbusa:O22o:0.0:w:64:0.0.0 ...

For levels that look one ply ahead; the highest looks two.
"""

import json
import math
import sys

import onnxruntime

from best_move import ranked
from plays import Position, read, written


def uniform(text):
    """A number between 0 and 1 that follows from a text: FNV-1a, then the finaliser of SplitMix64."""
    z = 0xCBF29CE484222325
    for byte in text.encode("ascii"):
        z = (z ^ byte) * 0x100000001B3 % 2**64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    z = z ^ z >> 31
    return ((z >> 12) + 0.5) / 2**52


def chosen(model, noise, cap, seed, position):
    """The play that a level takes."""
    plays = ranked(model, position)
    best, most = plays[0]
    if noise == 0 or best.points is not None:
        return best
    # As if the side that plays were White.
    before = written(read(position), "w")

    def doubted(play, worth):
        after = written(Position(read(position).rules, play.board), "b")
        return worth - noise * math.log(-math.log(uniform(f"{seed} {before} {after}")))

    return max((pair for pair in plays if pair[1] >= most - cap), key=lambda pair: doubted(*pair))[0]


if __name__ == "__main__":
    if len(sys.argv) < 6:
        sys.exit(__doc__)
    full, small, number, seed, *positions = sys.argv[1:]
    with open(f"{full}/levels.json", encoding="utf-8") as file:
        level = json.load(file)["levels"][int(number) - 1]
    if level["ply"] != 1:
        sys.exit(f"level {number} looks {level['ply']} plies ahead: expected one that looks 1")
    bundle = full if level["net"] == "full" else small
    model = onnxruntime.InferenceSession(f"{bundle}/model.onnx", providers=["CPUExecutionProvider"])
    for position in positions:
        print(f"{position}  {chosen(model, level['noise'], level['cap'], seed, position).text}")
