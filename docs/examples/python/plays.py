"""The rules of Mahbusa (Plakoto) and Tapa for a front end: positions as text, and the legal plays of a roll.

Plain Python, no dependencies. A board is what model.onnx takes, as the side to roll sees it: `points` (free checkers, mine positive; index 0
is my 1-point), `pins` (1 where a checker of mine is trapped, -1 where one of theirs is) and `off` (borne off, mine and theirs).
"""

import re
from typing import NamedTuple


FORM = re.compile(
    r"((?:mahbusa|plakoto|tapa)(?:,checkers=(?:[1-9]|1[0-4]))?):((?:[1-9]\d?|[A-Oa-o]~?)+):(\d+)\.(\d+):([wb]):(-|[1-6]{2}):\d+\.\d+\.\d+",
    re.ASCII,
)


class Board(NamedTuple):
    points: tuple
    pins: tuple
    off: tuple


class Position(NamedTuple):
    rules: str  # "mahbusa" (also called Plakoto) or "tapa"; with fewer checkers such as "tapa,checkers=3"
    board: Board
    dice: tuple = ()  # two, the higher first; none before the roll

    @property
    def mother(self):
        """Whether pinning the mother wins."""
        return not self.rules.startswith("tapa")

    @property
    def checkers(self):
        """Checkers of each side."""
        return int(self.rules.partition("checkers=")[2] or 15)


class Play(NamedTuple):
    text: str  # "24/18 24/20"; "-" where nothing can be played
    board: Board  # after the play, seen by the side now to roll
    points: int | None  # what the side that played has won, if the game is over


def mirrored(board):
    """The same board, seen by the other side."""
    points, pins, off = board
    return Board(tuple(-n for n in reversed(points)), tuple(-pin for pin in reversed(pins)), off[::-1])


def read(text):
    """A position as text (PPN), such as `mahbusa:J5C4A~6A4n:0.0:b:31:0.0.0`, seen by the side in turn."""
    wrong = ValueError(f"`{text[:100]}` is no position: expected rules:board:off:turn:dice:match, as docs/notation.md describes it")
    form = FORM.fullmatch(text)
    if not form:
        raise wrong
    rules, board, *off, turn, dice = form.groups()
    points, pins = [], []  # from White's 24-point down
    for run, letter, pin in re.findall(r"(\d+)|([A-Oa-o])(~?)", board):
        if run:
            points += [0] * int(run)
            pins += [0] * int(run)
        else:
            white = letter.isupper()
            count = ord(letter.upper()) - ord("A") + 1
            points.append(count if white else -count)
            pins.append((-1 if white else 1) if pin else 0)
    white = Board(tuple(points[::-1]), tuple(pins[::-1]), tuple(map(int, off)))
    dice = () if dice == "-" else tuple(map(int, dice))
    position = Position(rules, white if turn == "w" else mirrored(white), dice)
    sides = [sum(n for n in side.points if n > 0) + side.pins.count(1) + side.off[0] for side in (white, mirrored(white))]
    if len(points) != 24 or sides != [position.checkers] * 2 or dice != tuple(sorted(dice, reverse=True)):
        raise wrong
    return position


def written(position, turn):
    """A position as text, in a single game, if this side, "w" or "b", is in turn."""
    points, pins, off = position.board if turn == "w" else mirrored(position.board)
    board, run = "", 0
    for n, pin in zip(reversed(points), reversed(pins)):
        if n == 0:
            run += 1
            continue
        letter = chr(ord("A" if n > 0 else "a") + abs(n) - 1)
        board += (str(run) if run else "") + letter + ("~" if pin else "")
        run = 0
    board += str(run) if run else ""
    dice = "".join(map(str, position.dice)) or "-"
    return f"{position.rules}:{board}:{off[0]}.{off[1]}:{turn}:{dice}:0.0.0"


def can_step(board, place, die):
    """Whether a free checker of mine may go from this index by this die."""
    points, pins, _ = board
    if points[place] <= 0:
        return False
    to = place - die
    if to >= 0:
        # Two or more of theirs close a point, and so does one that pins a checker of mine.
        return points[to] > -1 or points[to] == -1 and pins[to] != 1
    if 1 in pins or any(n > 0 for n in points[6:]):
        return False
    return to == -1 or all(n <= 0 for n in points[place + 1:])


def stepped(board, place, die):
    """The board after that step."""
    points, pins, off = list(board.points), list(board.pins), board.off
    points[place] -= 1
    if points[place] == 0 and pins[place] == -1:
        points[place], pins[place] = -1, 0  # their checker is free again
    to = place - die
    if to < 0:
        off = (off[0] + 1, off[1])
    elif points[to] == -1:
        points[to], pins[to] = 1, -1  # their checker is trapped
    else:
        points[to] += 1
    return Board(tuple(points), tuple(pins), off)


def score(board, mother, checkers):
    """The points of the side that has just stepped if the game is over, else None."""
    points, pins, off = board
    if pins[0] == -1:  # their last checker on their start is trapped
        if pins[23] == 1:
            return 0
        if mother and points[23] <= 0:
            return 2
    if off[0] == checkers:
        return 1 if off[1] else 2
    return None


def plays(position):
    """All legal plays of a position with dice, one for each board that can be reached, in wire order."""
    if len(position.dice) != 2:
        raise ValueError("expected a position with dice, such as 64 in its fifth field")
    if score(mirrored(position.board), position.mother, position.checkers) is not None:
        raise ValueError("expected a position whose game goes on: this one is over")
    start, (high, low) = position.board, position.dice
    orders = [(high,) * 4] if high == low else [(high, low), (low, high)]
    found = []  # dice used, the first die, steps, board, points
    for order in orders:
        reached = {start: ()}
        for used, die in enumerate(order, 1):
            following = {}
            for board, steps in reached.items():
                for place in range(24):
                    if not can_step(board, place, die):
                        continue
                    after = stepped(board, place, die)
                    # Higher points first, then lower ones that are reached: the order in which plays are written and listed.
                    way = steps + ((-(place + 1), max(place + 1 - die, 0)),)
                    points = score(after, position.mother, position.checkers)
                    if points is not None:
                        found.append((len(order), order[0], way, after, points))  # ends the turn, and counts as all dice
                    elif after not in following or way < following[after]:
                        following[after] = way
            reached = following
            found += [(used, order[0], way, board, None) for board, way in reached.items()]
    if not found:
        return [Play("-", mirrored(start), None)]
    # As many dice as possible; of two different ones of which only one can be used, the higher.
    most = max(used for used, *_ in found)
    found = [one for one in found if one[0] == most]
    if most == 1 and high != low:
        die = max(one[1] for one in found)
        found = [one for one in found if one[1] == die]
    ways = {}
    for _, _, way, board, points in found:
        if board not in ways or way < ways[board][0]:
            ways[board] = (way, points)
    text = lambda way: " ".join(f"{-start}/{to or 'off'}" for start, to in way)
    by_way = sorted((way, board, points) for board, (way, points) in ways.items())
    return [Play(text(way), mirrored(board), points) for way, board, points in by_way]
