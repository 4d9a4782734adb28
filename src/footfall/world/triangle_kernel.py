"""One triangle and a point, compiled."""

from __future__ import annotations

from footfall.geometry.kernel_cache import kernel


@kernel(
    "UniTuple(float64, 3)(Array(float64, 3, 'C', readonly=True), int64, int64, float64, float64, float64)"
)
def closest_on_triangle(blocks, block, t, x, y, z):  # type: ignore[no-untyped-def]
    """The nearest point of triangle `t` of a block (see `box_lanes`): a corner, on an edge, or inside.

    Which of them is told by signs of products (Ericson 2005, 5.1.5).
    """
    ax, ay, az = blocks[block, 0, t], blocks[block, 1, t], blocks[block, 2, t]
    ux, uy, uz = blocks[block, 3, t] - ax, blocks[block, 4, t] - ay, blocks[block, 5, t] - az
    vx, vy, vz = blocks[block, 6, t] - ax, blocks[block, 7, t] - ay, blocks[block, 8, t] - az
    px, py, pz = x - ax, y - ay, z - az
    d1, d2 = ux * px + uy * py + uz * pz, vx * px + vy * py + vz * pz
    if d1 <= 0.0 and d2 <= 0.0:
        return ax, ay, az
    px, py, pz = x - blocks[block, 3, t], y - blocks[block, 4, t], z - blocks[block, 5, t]
    d3, d4 = ux * px + uy * py + uz * pz, vx * px + vy * py + vz * pz
    if d3 >= 0.0 and d4 <= d3:
        return blocks[block, 3, t], blocks[block, 4, t], blocks[block, 5, t]
    c = d1 * d4 - d3 * d2
    if c <= 0.0 and d1 >= 0.0 and d3 <= 0.0 and d1 > d3:
        s = d1 / (d1 - d3)
        return ax + s * ux, ay + s * uy, az + s * uz
    px, py, pz = x - blocks[block, 6, t], y - blocks[block, 7, t], z - blocks[block, 8, t]
    d5, d6 = ux * px + uy * py + uz * pz, vx * px + vy * py + vz * pz
    if d6 >= 0.0 and d5 <= d6:
        return blocks[block, 6, t], blocks[block, 7, t], blocks[block, 8, t]
    b = d5 * d2 - d1 * d6
    if b <= 0.0 and d2 >= 0.0 and d6 <= 0.0 and d2 > d6:
        s = d2 / (d2 - d6)
        return ax + s * vx, ay + s * vy, az + s * vz
    a = d3 * d6 - d5 * d4
    if a <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0 and (d4 - d3) + (d5 - d6) > 0.0:
        s = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        return (
            blocks[block, 3, t] + s * (blocks[block, 6, t] - blocks[block, 3, t]),
            blocks[block, 4, t] + s * (blocks[block, 7, t] - blocks[block, 4, t]),
            blocks[block, 5, t] + s * (blocks[block, 8, t] - blocks[block, 5, t]),
        )
    whole = a + b + c
    if whole == 0.0:  # so far away that rounding has eaten the triangle
        return ax, ay, az
    s, r = b / whole, c / whole
    return ax + ux * s + vx * r, ay + uy * s + vy * r, az + uz * s + vz * r
