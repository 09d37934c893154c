"""What a strength level plays, as docs/levels.md says, out of the bundles of a net and of its small net.

    python level.py BUNDLE SMALL LEVEL SEED mahbusa:O22o:0.0:w:64:0.0.0 ...
"""

import json
import math
import sys

from best_move import fitting, metadata, opened, told, worths
from plays import Position, plays, read, written

ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


def uniform(text):
    """A number between 0 and 1 that follows from a text: FNV-1a, then the finaliser of SplitMix64."""
    z = 0xCBF29CE484222325
    for byte in text.encode("ascii"):
        z = (z ^ byte) * 0x100000001B3 % 2**64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    z = z ^ z >> 31
    return ((z >> 12) + 0.5) / 2**52


def deeper(model, rules, play):
    """What a play is worth two plies deep: the mean over all rolls of the reply that is best for the other side, by the net."""
    if play.points is not None:
        return float(play.points)
    replies = [plays(Position(rules, play.board, roll)) for roll in ROLLS]
    worth = iter(worths(model, sum(replies, [])))
    best = [max(next(worth) for _ in of_roll) for of_roll in replies]
    return -sum(most * (1 if high == low else 2) for (high, low), most in zip(ROLLS, best)) / 36


def considered(model, position, ply):
    """The plays that are looked at so many plies deep, and what they seem to be worth, the best first; of equal ones the first in wire order."""
    legal = plays(position)
    worth = dict(enumerate(worths(model, legal)))
    order = sorted(worth, key=lambda i: -worth[i])
    if ply == 2:
        near = sum(w >= worth[order[0]] - 0.15 for w in worth.values())
        worth = {i: deeper(model, position.rules, legal[i]) for i in sorted(order[:max(5, min(near, 20))])}
        order = sorted(worth, key=lambda i: -worth[i])
    return [(legal[i], worth[i]) for i in order]


def chosen(model, level, seed, position):
    """The play that a level takes: an entry of `levels` in levels.json, with the model of the net that it asks."""
    if level["ply"] > 2:
        raise ValueError(f"level {level['level']} looks {level['ply']} plies ahead: expected 1 or 2")
    position = fitting(model, read(position))
    pairs = considered(model, position, level["ply"])
    best, most = pairs[0]
    if level["noise"] == 0 or best.points is not None:
        return best
    # As if the side that plays were White.
    before = written(position, "w")

    def doubted(pair):
        play, worth = pair
        after = written(Position(position.rules, play.board), "b")
        return worth - level["noise"] * math.log(-math.log(uniform(f"{seed} {before} {after}")))

    return max((pair for pair in pairs if pair[1] >= most - level["cap"]), key=doubted)[0]


if __name__ == "__main__":
    with told():
        if len(sys.argv) < 6:
            raise ValueError(__doc__)
        full, small, number, seed, *positions = sys.argv[1:]
        if not seed.isdecimal():
            raise ValueError(f"seed {seed}: expected a whole number")
        with open(f"{full}/levels.json", encoding="utf-8") as file:
            known = json.load(file)
        levels = {str(level["level"]): level for level in known["levels"]}
        if number not in levels:
            raise ValueError(f"level {number}: expected one of {', '.join(levels)}")
        level = levels[number]
        bundle = full if level["net"] == "full" else small
        model = opened(bundle)
        if metadata(model)["sha256"] != known[level["net"]]:
            raise ValueError(f"{bundle}: this is not the {level['net']} net of {full}/levels.json")
        for position in positions:
            print(f"{position}  {chosen(model, level, int(seed), position).text}")
