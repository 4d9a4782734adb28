"""The compiled reader of OBJ text: one pass over the bytes.

Numbers are exact: a decimal below 2^53 with a power of ten within 22 is one rounding away from its double
(Clinger 1990); one with up to 19 digits is divided with the remainder carried along (Dekker 1971), and left
to Python's `float` where that cannot decide.
"""

from __future__ import annotations

import numpy as np

from footfall.formats.obj_statements import (
    BAD_INDEX,
    BAD_NUMBER,
    FEW_CORNERS,
    FEW_NUMBERS,
    FINE,
    TOO_FAR_BACK,
    ZERO_INDEX,
)
from footfall.geometry.kernel_cache import kernel

POWERS = 10.0 ** np.arange(23)
SPLITTER = 134217729.0  # 2^27 + 1 cuts a double into halves
CLEAR = 2.0**-46  # of a remainder: more than its rounding errors
SURE = 9007199254740992  # 2^53
HUGE = 1 << 40  # no index is larger
SPACE, LINE, HASH, SLASH, ZERO, NINE = 32, 10, 35, 47, 48, 57
TEXT = "Array(uint8, 1, 'C', readonly=True)"


@kernel("boolean(uint8)")
def _blank(c):  # type: ignore[no-untyped-def]
    """Blanks within a line; also a carriage return."""
    return c == SPACE or (9 <= c <= 13 and c != LINE)


@kernel(f"int64({TEXT}, int64)")
def _word(text, i):  # type: ignore[no-untyped-def]
    """Where the line's next word starts, or -1 where the line or what is no comment of it ends."""
    while i < text.size and _blank(text[i]):
        i += 1
    return -1 if i >= text.size or text[i] == LINE or text[i] == HASH else i


@kernel("float64(uint64, float64)")
def _divided(mantissa, power):  # type: ignore[no-untyped-def]
    """Mantissa over power, rightly rounded, or nan where that is too close to call; both exact."""
    high = np.float64(mantissa)
    low = (
        np.float64(mantissa - np.uint64(high))
        if np.uint64(high) <= mantissa
        else -np.float64(np.uint64(high) - mantissa)
    )
    guess = high / power
    a, b = SPLITTER * guess, SPLITTER * power
    a, b = a - (a - guess), b - (b - power)
    c, d = guess - a, power - b
    product = guess * power
    error = ((a * b - product) + a * d + c * b) + c * d
    rest = (((high - product) - error) + low) / power
    up, down = guess + rest * (1.0 + CLEAR), guess + rest * (1.0 - CLEAR)
    return up if up == down else np.nan


@kernel(f"Tuple((float64, int64, boolean))({TEXT}, int64, float64[::1])")
def _number(text, i, powers):  # type: ignore[no-untyped-def]
    """The number that starts here (nan: ask `float`), where it ends, and whether it is one."""
    size = text.size
    negative = text[i] == 45
    if negative or text[i] == 43:
        i += 1
    mantissa, digits, scale, seen, point = np.uint64(0), 0, 0, False, False
    while i < size:
        c = text[i]
        if ZERO <= c <= NINE:
            mantissa = mantissa * np.uint64(10) + np.uint64(c - ZERO)
            digits += 1 if mantissa > 0 or digits > 0 else 0  # a 20th digit may wrap to 0
            scale -= point
            seen = True
        elif c == 46 and not point:
            point = True
        else:
            break
        i += 1
    if seen and i < size and (text[i] == 101 or text[i] == 69):
        i += 1
        minus = i < size and text[i] == 45
        if i < size and (text[i] == 45 or text[i] == 43):
            i += 1
        power, seen = 0, False
        while i < size and ZERO <= text[i] <= NINE:
            power = min(power * 10 + (text[i] - ZERO), 9999)
            seen = True
            i += 1
        scale += -power if minus else power
    if not seen or (i < size and not _blank(text[i]) and text[i] != LINE):
        return 0.0, i, False
    if digits > 19 or scale < -22 or scale > 22 or (scale > 0 and mantissa > np.uint64(SURE)):
        return np.nan, i, True
    if scale > 0:
        value = np.float64(mantissa) * powers[scale]
    elif mantissa > np.uint64(SURE):
        value = _divided(mantissa, powers[-scale])
    else:
        value = np.float64(mantissa) / powers[-scale]
    return -value if negative else value, i, True


@kernel(f"Tuple((int64, int64, boolean))({TEXT}, int64)")
def _index(text, i):  # type: ignore[no-untyped-def]
    """The whole number that opens a corner, where the corner's word ends, and whether it is one."""
    size = text.size
    negative = text[i] == 45
    if negative or text[i] == 43:
        i += 1
    value, seen = 0, False
    while i < size and ZERO <= text[i] <= NINE:
        value = min(value * 10 + (text[i] - ZERO), HUGE)
        seen = True
        i += 1
    fine = seen and (i >= size or text[i] == SLASH or text[i] == LINE or _blank(text[i]))
    while i < size and text[i] != LINE and not _blank(text[i]):
        i += 1
    return -value if negative else value, i, fine


@kernel(["float64[::1](float64[::1], int64)", "int64[::1](int64[::1], int64)"])
def _roomy(array, needed):  # type: ignore[no-untyped-def]
    """The array with room for so many, twice as long where it must grow."""
    if needed <= array.size:
        return array
    larger = np.empty(max(2 * array.size, needed), dtype=array.dtype)
    larger[: array.size] = array
    return larger


@kernel(f"boolean({TEXT}, int64, int64)")
def _is_usemtl(text, start, end):  # type: ignore[no-untyped-def]
    name, same = (117, 115, 101, 109, 116, 108), end - start == 6
    for k in range(6 if same else 0):
        same &= text[start + k] == name[k]
    return same


@kernel(
    f"Tuple((float64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1]))"
    f"({TEXT}, float64[::1])"
)
def parse(text, powers):  # type: ignore[no-untyped-def]
    """Vertices, corners, the faces' sizes and materials, names, numbers left to `float`, and the outcome.

    Names and what is left are pairs: start and end in the text; place in the vertices and start. The outcome
    is what is wrong and where, then the largest index and where it stands.
    """
    guess = text.size // 32 + 16
    vertices, corners = np.empty(guess), np.empty(guess, dtype=np.int64)
    sizes, kinds = np.empty(guess // 3 + 1, dtype=np.int64), np.empty(guess // 3 + 1, dtype=np.int64)
    names, left = np.empty(16, dtype=np.int64), np.empty(16, dtype=np.int64)
    values, count, faces, named, unsure = 0, 0, 0, 0, 0
    largest, largest_at, wrong, wrong_at = -1, 0, FINE, 0
    i, size = 0, text.size
    while i < size and wrong == FINE:
        start = _word(text, i)
        if start >= 0:
            end = start
            while end < size and text[end] != LINE and not _blank(text[end]):
                end += 1
            i = end
            if end - start == 1 and text[start] == 118:  # v
                vertices = _roomy(vertices, values + 3)
                for _ in range(3):
                    at = _word(text, i)
                    if at < 0:
                        wrong, wrong_at = FEW_NUMBERS, start
                        break
                    value, i, fine = _number(text, at, powers)
                    if not fine:
                        wrong, wrong_at = BAD_NUMBER, at
                        break
                    if np.isnan(value):
                        left = _roomy(left, unsure + 2)
                        left[unsure], left[unsure + 1] = values, at
                        unsure += 2
                    vertices[values] = value
                    values += 1
            elif end - start == 1 and text[start] == 102:  # f
                first = count
                at = _word(text, i)
                while at >= 0:
                    index, i, fine = _index(text, at)
                    if not fine or index == 0:
                        wrong, wrong_at = ZERO_INDEX if fine else BAD_INDEX, at
                        break
                    index = index - 1 if index > 0 else values // 3 + index
                    if index < 0:
                        wrong, wrong_at = TOO_FAR_BACK, at
                        break
                    if index > largest:
                        largest, largest_at = index, at
                    corners = _roomy(corners, count + 1)
                    corners[count] = index
                    count += 1
                    at = _word(text, i)
                if wrong == FINE and count - first < 3:
                    wrong, wrong_at = FEW_CORNERS, start
                sizes, kinds = _roomy(sizes, faces + 1), _roomy(kinds, faces + 1)
                sizes[faces], kinds[faces] = count - first, named // 2
                faces += 1
            elif _is_usemtl(text, start, end):
                while end < size and text[end] != LINE:
                    end += 1
                names = _roomy(names, named + 2)
                names[named], names[named + 1] = i, end
                named += 2
        while i < size and text[i] != LINE:
            i += 1
        i += 1
    outcome = np.array([wrong, wrong_at, largest, largest_at])
    return (
        vertices[:values],
        corners[:count],
        sizes[:faces],
        kinds[:faces],
        names[:named],
        left[:unsure],
        outcome,
    )
