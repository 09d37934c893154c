"""The best play in each position given, by the C library, without anything to install.

    ctypes_best_move.py LIBRARY MODEL POSITION...
    ctypes_best_move.py target/release/libmahbusa.so net.mnet mahbusa:O22o:0.0:w:64:0.0.0
"""

import sys
from ctypes import CDLL, POINTER, Structure, byref, c_char_p, c_float, c_int8, c_int32, c_size_t, c_uint8, c_uint16
from ctypes import c_uint32, c_void_p, create_string_buffer

MAX_PLAYS, TEXT_SIZE = 3060, 128


# The structs of mahbusa.h, field by field.
class Board(Structure):
    _fields_ = [("points", c_int8 * 24), ("pins", c_int8 * 24), ("off", c_int8 * 2)]


class Position(Structure):
    _fields_ = [
        ("board", Board),
        ("turn", c_uint8),
        ("dice", c_uint8 * 2),
        ("mother", c_uint8),
        ("checkers", c_uint8),
        ("score", c_uint16 * 3),
    ]


class Step(Structure):
    _fields_ = [("source", c_uint8), ("to", c_uint8)]


class Play(Structure):
    _fields_ = [("count", c_uint8), ("steps", Step * 4)]


class LegalPlay(Structure):
    _fields_ = [("play", Play), ("after", Position), ("ending", c_uint8), ("points", c_uint8)]


class RankedPlay(Structure):
    _fields_ = [
        ("legal", LegalPlay),
        ("outcomes", c_float * 5),
        ("equity", c_float),
        ("match_chance", c_float),
        ("ply", c_uint8),
    ]


class Mahbusa:
    """A net, and what it can be asked."""

    def __init__(self, library, path):
        self.library = CDLL(library)
        self.library.mahbusa_last_error.restype = c_char_p
        # ctypes passes whole numbers as C's int: say which are larger.
        self.library.mahbusa_model_open.argtypes = [c_char_p, c_void_p, POINTER(c_void_p)]
        self.library.mahbusa_model_free.argtypes = [c_void_p]
        self.library.mahbusa_position_parse.argtypes = [c_char_p, POINTER(Position)]
        self.library.mahbusa_play_print.argtypes = [
            POINTER(Play), POINTER(Position), c_char_p, c_size_t, POINTER(c_size_t),
        ]
        self.library.mahbusa_rank.argtypes = [
            c_void_p, c_uint32, POINTER(Position), POINTER(RankedPlay), c_size_t, POINTER(c_size_t),
        ]
        self.plays = (RankedPlay * MAX_PLAYS)()
        self.model = c_void_p()
        self.call("model_open", path.encode(), None, byref(self.model))

    def call(self, name, *arguments):
        function = getattr(self.library, "mahbusa_" + name)
        function.restype = c_int32
        if function(*arguments) != 0:
            raise RuntimeError(self.library.mahbusa_last_error().decode())

    def close(self):
        self.call("model_free", self.model)

    def best(self, text, ply=1):
        """The best play and its equity."""
        position, count, play = Position(), c_size_t(), create_string_buffer(TEXT_SIZE)
        self.call("position_parse", text.encode(), byref(position))
        self.call("rank", self.model, ply, byref(position), self.plays, MAX_PLAYS, byref(count))
        best = self.plays[0]
        self.call("play_print", byref(best.legal.play), None, play, TEXT_SIZE, None)
        return play.value.decode(), best.equity


if __name__ == "__main__":
    try:
        if len(sys.argv) < 4:
            raise RuntimeError(__doc__)
        engine = Mahbusa(sys.argv[1], sys.argv[2])
        for text in sys.argv[3:]:
            play, equity = engine.best(text)
            print(f"{play} {equity:+.3f}")
        engine.close()
    except (OSError, RuntimeError) as error:
        print(error, file=sys.stderr)
        sys.exit(2)
