"""Heights of blocks under prints, compiled: each place asks only the blocks of its own cell of the ground."""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel

_ROW = "Array(float64, 1, 'C', readonly=True)"
_WHOLE = "Array(int64, 1, 'C', readonly=True)"
_TABLE = "Array(float64, 2, 'C', readonly=True)"
# of a block: its place, sine and cosine of its heading, its half width
PX, PY, PZ, SIN, COS, WIDE, COLUMNS = range(7)


@kernel()
def cell_number(column, row):  # type: ignore[no-untyped-def]
    """One number for a cell of the ground."""
    return column * 2_097_152 + row


@kernel(f"void({_ROW}, {_ROW}, {_ROW}, {_TABLE}, {_WHOLE}, {_WHOLE}, {_WHOLE}, {_ROW}, float64[::1])")
def put_heights(x, z, start, blocks, cells, offsets, members, sizes, out):  # type: ignore[no-untyped-def]
    """The highest block's; under a sole that lies there no higher than the sole.

    `sizes`: of a cell; from a print to its block's end behind and ahead, to its sole's, half a foot's width.
    """
    cell, behind, ahead, heel, tip, foot = sizes
    for i in range(x.size):
        top, lain_in = -np.inf, np.inf
        number = cell_number(np.int64(np.floor(x[i] / cell)), np.int64(np.floor(z[i] / cell)))
        at = np.searchsorted(cells, number)
        if at < cells.size and cells[at] == number:
            for k in members[offsets[at] : offsets[at + 1]]:
                block = blocks[k]
                dx, dz = x[i] - block[PX], z[i] - block[PZ]
                along, aside = dx * block[SIN] + dz * block[COS], abs(dx * block[COS] - dz * block[SIN])
                if not (aside < block[WIDE] and -behind < along < ahead and block[PY] <= start[i]):
                    continue
                top = max(top, block[PY])
                if aside < foot and -heel < along < tip:
                    lain_in = min(lain_in, block[PY])
        out[i] = min(top, lain_in)
