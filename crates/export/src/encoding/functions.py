def mirrored(points, pins):
    return [-n for n in reversed(points)], [-pin for pin in reversed(pins)]

def pips(points, pins):
    return sum(p * (max(points[p - 1], 0) + (pins[p - 1] == 1)) for p in range(1, 25))

def rearmost(points, pins):
    return max((p for p in range(1, 25) if points[p - 1] > 0 or pins[p - 1] == 1), default=0)

def may_bear_off(points, pins):
    return 1 not in pins and all(n <= 0 for n in points[6:])

def longest_run(points, pins):
    closed = [n >= 2 or n == 1 and pin == -1 for n, pin in zip(points, pins)]
    return max(k for k in range(8) if any(all(closed[p:p + k]) for p in range(25 - k)))

def pin_chance(points, pins, targets=range(1, 25)):
    free = lambda p: p <= 24 and points[p - 1] > 0
    blot = lambda p: p <= 24 and points[p - 1] == -1 and pins[p - 1] != 1
    open = lambda p: p <= 24 and (points[p - 1] >= 0 or blot(p))

    def reached(p, a, b):
        if a == b:
            return any(free(p + k * a) and all(open(p + j * a) for j in range(1, k)) for k in range(1, 5))
        return free(p + a) or free(p + b) or free(p + a + b) and (open(p + a) or open(p + b))

    throws = [(a, b) for a in range(1, 7) for b in range(1, 7)]
    return sum(any(blot(p) and reached(p, a, b) for p in targets) for a, b in throws) / 36

me, them = (points, pins), mirrored(points, pins)
