"""Rank the legal plays of positions by a net, with ONNX Runtime and nothing else of Mahbusa but a bundle.

    python best_move.py BUNDLE mahbusa:O22o:0.0:w:64:0.0.0 ...
"""

import sys

import numpy
import onnxruntime

from plays import plays, read


def opened(bundle):
    """The model of a bundle."""
    return onnxruntime.InferenceSession(f"{bundle}/model.onnx", providers=["CPUExecutionProvider"])


def equities(model, boards):
    """Expected points of the side to roll, for each of these boards."""
    inputs = {name: numpy.array([getattr(board, name) for board in boards], numpy.float32) for name in ("points", "pins", "off")}
    return model.run(["equity"], inputs)[0]


def worths(model, legal):
    """What plays are worth to the side that makes them."""
    # The board after a play is seen by the other side: what is good for it is bad for us. A game that is over is worth its points.
    theirs = equities(model, [play.board for play in legal])
    return [-float(equity) if play.points is None else float(play.points) for play, equity in zip(legal, theirs)]


def ranked(model, position):
    """Legal plays of a position as text with what they are worth to the side that plays, the best first."""
    legal = plays(read(position))
    return sorted(zip(legal, worths(model, legal)), key=lambda pair: -pair[1])


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    bundle, *positions = sys.argv[1:]
    model = opened(bundle)
    for position in positions:
        play, worth = ranked(model, position)[0]
        print(f"{position}  {play.text}  {worth:+.4f}")
