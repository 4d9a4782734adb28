"""Tables of numbers as text with nine decimals, all at once: every digit as printf's %.9f has it."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

DECIMALS = 9
SCALE = 10**DECIMALS  # has 21 bits, so that Dekker's product below has no second half of it
SPLIT = 2.0**27 + 1.0  # cuts a double into two halves (Dekker 1971)
LARGEST = 999_999.0  # numbers under it have six digits before the point, also when they are rounded
TRIPLES = np.array([list(f"{k:03d}".encode()) for k in range(1000)], dtype=np.uint8)
# what a number is laid out in before what it does not need is left out
SIGN, WHOLE, POINT, PARTS, END, WIDTH = 0, 1, 7, 8, 17, 18


def decimal_rows(table: Float[np.ndarray, "rows columns"]) -> bytes:
    """One line a row, numbers with spaces between them."""
    if not (np.abs(table) < LARGEST).all():
        row = " ".join(["%.9f"] * table.shape[1]) + "\n"
        return "".join(row % tuple(values) for values in table.tolist()).encode()
    negative, size = np.signbit(table).ravel(), np.abs(table).ravel()
    whole, parts = np.divmod(_scaled(size), SCALE)
    text = np.empty((len(size), WIDTH), dtype=np.uint8)
    text[:, SIGN], text[:, POINT] = ord("-"), ord(".")
    for first, number in ((WHOLE, whole), (PARTS + 3, parts)):
        text[:, first : first + 3] = TRIPLES[number // 1000 % 1000]
        text[:, first + 3 : first + 6] = TRIPLES[number % 1000]
    text[:, PARTS : PARTS + 3] = TRIPLES[parts // 1_000_000]
    ends = text[:, END].reshape(table.shape)
    ends[:], ends[:, -1] = ord(" "), ord("\n")
    kept = np.ones(text.shape, dtype=bool)
    kept[:, SIGN] = negative
    for digit in range(5):
        kept[:, WHOLE + digit] = whole >= 10 ** (5 - digit)
    return text[kept].tobytes()


def _scaled(size: Float[np.ndarray, "n"]) -> np.ndarray:
    """The nearest whole numbers of billionths; of a number right between two, the even one.

    The product is rounded itself, so what it lost tells on which side of the middle it is.
    """
    product = size * SCALE
    high = SPLIT * size - (SPLIT * size - size)
    lost = (high * SCALE - product) + (size - high) * SCALE
    nearest = np.rint(product)
    off = product - nearest
    up, down = (off == 0.5) & (lost > 0.0), (off == -0.5) & (lost < 0.0)
    return nearest.astype(np.int64) + up - down
