"""The point of a simplex that is nearest to the origin, compiled.

A simplex is up to four rows of nine numbers: a corner, then the points of the two bodies whose difference the
corner is. The newest is the last, and the nearest point is sought only on faces that have it: the others were
judged in earlier rounds.
"""

from __future__ import annotations

from footfall.geometry.kernel_cache import kernel

# what is divided by nothing is not a number, and no comparison believes it


@kernel()
def _cross(ax, ay, az, bx, by, bz):  # type: ignore[no-untyped-def]
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@kernel("float64(float64[:, ::1], int64, int64)")
def _on_edge(s, n, i):  # type: ignore[no-untyped-def]
    """The share of corner i in the nearest point of the line from corner n; in (0, 1) inside the edge."""
    ax, ay, az = s[i, 0] - s[n, 0], s[i, 1] - s[n, 1], s[i, 2] - s[n, 2]
    square = ax * ax + ay * ay + az * az
    return -(s[n, 0] * ax + s[n, 1] * ay + s[n, 2] * az) / square if square > 0.0 else -1.0


@kernel("UniTuple(float64, 2)(float64[:, ::1], int64, int64, int64, float64, float64, float64)")
def _on_triangle(s, n, i, j, px, py, pz):  # type: ignore[no-untyped-def]
    """The shares of the edges from corner n to corners i and j in what of a vector lies in their plane."""
    ax, ay, az = s[i, 0] - s[n, 0], s[i, 1] - s[n, 1], s[i, 2] - s[n, 2]
    bx, by, bz = s[j, 0] - s[n, 0], s[j, 1] - s[n, 1], s[j, 2] - s[n, 2]
    nx, ny, nz = _cross(ax, ay, az, bx, by, bz)
    square = nx * nx + ny * ny + nz * nz
    if not square > 0.0:
        return -1.0, -1.0
    ux, uy, uz = _cross(px, py, pz, bx, by, bz)
    vx, vy, vz = _cross(ax, ay, az, px, py, pz)
    return (ux * nx + uy * ny + uz * nz) / square, (vx * nx + vy * ny + vz * nz) / square


@kernel("UniTuple(float64, 3)(float64[:, ::1], float64, float64, float64)")
def _in_tetrahedron(s, px, py, pz):  # type: ignore[no-untyped-def]
    """The shares of the edges to corners 0, 1 and 2 in a vector from corner 3."""
    ax, ay, az = s[0, 0] - s[3, 0], s[0, 1] - s[3, 1], s[0, 2] - s[3, 2]
    bx, by, bz = s[1, 0] - s[3, 0], s[1, 1] - s[3, 1], s[1, 2] - s[3, 2]
    cx, cy, cz = s[2, 0] - s[3, 0], s[2, 1] - s[3, 1], s[2, 2] - s[3, 2]
    nx, ny, nz = _cross(bx, by, bz, cx, cy, cz)
    volume = ax * nx + ay * ny + az * nz
    if volume == 0.0:
        return -1.0, -1.0, -1.0
    qx, qy, qz = _cross(px, py, pz, cx, cy, cz)
    rx, ry, rz = _cross(bx, by, bz, px, py, pz)
    return (
        (px * nx + py * ny + pz * nz) / volume,
        (ax * qx + ay * qy + az * qz) / volume,
        (ax * rx + ay * ry + az * rz) / volume,
    )


@kernel()
def _point(s, n, a, b, c, i, j, k):  # type: ignore[no-untyped-def]
    """In which corners i, j and k have shares a, b and c, and n the rest."""
    r = 1.0 - a - b - c
    return (
        a * s[i, 0] + b * s[j, 0] + c * s[k, 0] + r * s[n, 0],
        a * s[i, 1] + b * s[j, 1] + c * s[k, 1] + r * s[n, 1],
        a * s[i, 2] + b * s[j, 2] + c * s[k, 2] + r * s[n, 2],
    )


@kernel()
def _square_of(s, n, a, b, c, i, j, k):  # type: ignore[no-untyped-def]
    x, y, z = _point(s, n, a, b, c, i, j, k)
    return x * x + y * y + z * z


@kernel("Tuple((int64, float64))(float64[:, ::1], int64, float64[::1], float64)")
def reduce_simplex(s, count, shares, square):  # type: ignore[no-untyped-def]
    """Keeps the corners that make the nearest point, with their shares; returns their count and its square.

    Whatever rounding does, the point is one of the simplex: every face proposes one with shares that are no
    less than nothing, and the nearest is taken. Where none is nearer than the root of `square`, nothing is
    changed and the count is 0.
    """
    n = count - 1
    best = s[n, 0] ** 2 + s[n, 1] ** 2 + s[n, 2] ** 2
    i = j = k = n
    a = b = c = 0.0
    for e in range(n):
        t = _on_edge(s, n, e)
        if 0.0 < t < 1.0:
            found = _square_of(s, n, t, 0.0, 0.0, e, n, n)
            if found < best:
                best, i, j, k, a, b, c = found, e, n, n, t, 0.0, 0.0
    for f in range(1, n):
        for e in range(f):
            t, u = _on_triangle(s, n, e, f, -s[n, 0], -s[n, 1], -s[n, 2])
            x, y, z = _point(s, n, t, u, 0.0, e, f, n)
            dt, du = _on_triangle(s, n, e, f, -x, -y, -z)
            t, u = t + dt, u + du
            if t > 0.0 and u > 0.0 and t + u < 1.0:
                found = _square_of(s, n, t, u, 0.0, e, f, n)
                if found < best:
                    best, i, j, k, a, b, c = found, e, f, n, t, u, 0.0
    if n == 3:
        t, u, w = _in_tetrahedron(s, -s[3, 0], -s[3, 1], -s[3, 2])
        # once more for what rounding left: flat ones would miss the origin they hold
        x, y, z = _point(s, n, t, u, w, 0, 1, 2)
        dt, du, dw = _in_tetrahedron(s, -x, -y, -z)
        t, u, w = t + dt, u + du, w + dw
        if t > 0.0 and u > 0.0 and w > 0.0 and t + u + w < 1.0:
            found = _square_of(s, n, t, u, w, 0, 1, 2)
            if found < best:
                best, i, j, k, a, b, c = found, 0, 1, 2, t, u, w
    if not best < square:
        return 0, square
    kept = 0
    for place, share in ((i, a), (j, b), (k, c), (n, 1.0 - a - b - c)):
        if share > 0.0:
            for column in range(9):
                s[kept, column] = s[place, column]
            shares[kept] = share
            kept += 1
    return kept, best
