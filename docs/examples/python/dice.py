"""The dice of a game out of a seed and the number of the game, as every part of Mahbusa throws them; in any language they are a page like this one.

    dice.py SEED GAME TURNS
    dice.py 7 0 3              63 42 63
"""

import sys

MASK = 2**64 - 1
DICE, OPENING = 4, 10  # What random numbers are for.


def finish(z):
    """The finaliser of SplitMix64 (Steele et al. 2014)."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def splitmix(state):
    """The numbers of SplitMix64."""
    while True:
        state = state + 0x9E3779B97F4A7C15 & MASK
        yield finish(state)


def mix(number):
    return next(splitmix(number))


def xoshiro(seed):
    """The upper halves of the numbers of xoshiro256++ (Blackman and Vigna 2019)."""
    numbers = splitmix(seed)
    s = [next(numbers) for _ in range(4)]
    rotate = lambda x, k: (x << k | x >> 64 - k) & MASK
    while True:
        yield (rotate(s[0] + s[3] & MASK, 23) + s[0] & MASK) >> 32
        t = s[1] << 17 & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotate(s[3], 45)


def throws(purpose, seed, game):
    """Both dice of every throw."""
    numbers = xoshiro(mix(mix(mix(purpose) ^ seed) ^ game))
    while True:
        # A number below 36, each equally likely (the method of Canon).
        throw, rest = divmod(next(numbers) * 36, 2**32)
        if rest > 2**32 - 36:
            throw += rest + (next(numbers) * 36 >> 32) >= 2**32
        yield throw // 6 + 1, throw % 6 + 1


def opening(seed, game):
    """White's die and Black's of the throw that says who begins."""
    return next((white, black) for white, black in throws(OPENING, seed, game) if white != black)


def rolls(seed, game):
    """The dice of every turn, the higher first."""
    return ((max(throw), min(throw)) for throw in throws(DICE, seed, game))


def whole(name, text):
    """A number that was typed."""
    if not (text.isascii() and text.isdecimal()) or int(text) > MASK:
        raise ValueError(f"{name} {text[:40]}: expected a whole number in 0..={MASK}")
    return int(text)


if __name__ == "__main__":
    try:
        if len(sys.argv) != 4:
            raise ValueError(__doc__)
        seed, game, turns = map(whole, ("SEED", "GAME", "TURNS"), sys.argv[1:])
    except ValueError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    dice = rolls(seed, game)
    print(*("%d%d" % next(dice) for _ in range(turns)))
