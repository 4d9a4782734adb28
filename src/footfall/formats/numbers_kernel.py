"""The compiled reader of numbers, exact where a double can be made by one rounding, else Python's own.

A decimal with up to 19 digits whose mantissa is below 2^53 and whose power of ten is within 22 is one
correctly rounded multiplication or division away from its double (Clinger 1990). Others are rare and are
left to `float`.
"""

from __future__ import annotations

import re

import numpy as np
from jaxtyping import Float

from footfall.geometry.kernel_cache import kernel

WORD = re.compile(rb"\S+")
POWERS = 10.0 ** np.arange(23)
BAD = -1


@kernel("int64(Array(uint8, 1, 'C', readonly=True), float64[::1], float64[::1], int64[::1])")
def _parse(text, powers, out, leftover):  # type: ignore[no-untyped-def]
    """Fills `out`; word starts that need `float` go to `leftover` as pairs (index in out, byte)."""
    size, i, count, left = text.size, 0, 0, 0
    while i < size:
        c = text[i]
        if c == 32 or c == 10 or c == 13 or c == 9 or c == 11 or c == 12:
            i += 1
            continue
        start = i
        negative = c == 45
        if negative or c == 43:
            i += 1
        mantissa, digits, scale, seen = np.uint64(0), 0, 0, False
        while i < size and 48 <= text[i] <= 57:
            mantissa = mantissa * np.uint64(10) + np.uint64(text[i] - 48)
            digits += 1 if mantissa > 0 or digits > 0 else 0  # a 20th digit may wrap to 0
            seen = True
            i += 1
        if i < size and text[i] == 46:
            i += 1
            while i < size and 48 <= text[i] <= 57:
                mantissa = mantissa * np.uint64(10) + np.uint64(text[i] - 48)
                digits += 1 if mantissa > 0 or digits > 0 else 0
                scale -= 1
                seen = True
                i += 1
        if not seen:
            return -1
        if i < size and (text[i] == 101 or text[i] == 69):
            i += 1
            minus = i < size and text[i] == 45
            if i < size and (text[i] == 45 or text[i] == 43):
                i += 1
            power, power_digits = 0, 0
            while i < size and 48 <= text[i] <= 57:
                power = min(power * 10 + (text[i] - 48), 9999)
                power_digits += 1
                i += 1
            if power_digits == 0:
                return -1
            scale += -power if minus else power
        if i < size and text[i] > 32:
            return -1
        if digits > 19 or mantissa > np.uint64(9007199254740992) or scale < -22 or scale > 22:
            leftover[2 * left] = count
            leftover[2 * left + 1] = start
            left += 1
            value = 0.0
        elif scale < 0:
            value = np.float64(mantissa) / powers[-scale]
        else:
            value = np.float64(mantissa) * powers[scale]
        out[count] = -value if negative else value
        count += 1
    leftover[leftover.size - 1] = left
    return count


def parse(text: bytes) -> Float[np.ndarray, "numbers"] | None:
    """All numbers of a text, or None where a word is no number."""
    room = len(text) // 2 + 1
    out = np.empty(room)
    leftover = np.empty(2 * room + 1, dtype=np.int64)
    count = _parse(np.frombuffer(text, dtype=np.uint8), POWERS, out, leftover)
    if count == BAD:
        return None
    for index, start in leftover[: 2 * leftover[-1]].reshape(-1, 2):
        word = WORD.match(text, start)
        out[index] = float(word.group()) if word else 0.0
    return out[:count].copy()
