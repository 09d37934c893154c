"""Rank the legal plays of positions by a net, with ONNX Runtime and nothing else of Mahbusa but a bundle.

    python best_move.py BUNDLE mahbusa:O22o:0.0:w:64:0.0.0 ...
"""

import sys
from contextlib import contextmanager

import numpy
import onnxruntime

from plays import Position, plays, read


def opened(bundle):
    """The model of a bundle."""
    path = f"{bundle}/model.onnx"
    try:
        model = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    except Exception as error:  # what ONNX Runtime raises has no class of its own
        raise ValueError(f"{path}: {error}") from None
    if "rules" not in metadata(model):
        raise ValueError(f"{path}: expected the model of a bundle, which says what game it knows")
    return model


def metadata(model):
    """What a model says of itself, such as `rules`, the game that it knows, and `sha256` of the net."""
    return model.get_modelmeta().custom_metadata_map


def fitting(model, position):
    """This position, if it is one of the game that the model knows."""
    rules = metadata(model)["rules"]
    known = Position(rules, position.board)
    if (known.mother, known.checkers) != (position.mother, position.checkers):
        raise ValueError(f"the net was trained on {rules}, not on {position.rules}")
    return position


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
    legal = plays(fitting(model, read(position)))
    return sorted(zip(legal, worths(model, legal)), key=lambda pair: -pair[1])


@contextmanager
def told():
    """Says in a sentence what was given wrongly, and ends the program with exit code 2."""
    try:
        yield
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    with told():
        if len(sys.argv) < 3:
            raise ValueError(__doc__)
        bundle, *positions = sys.argv[1:]
        model = opened(bundle)
        for position in positions:
            play, worth = ranked(model, position)[0]
            print(f"{position}  {play.text}  {worth:+.4f}")
