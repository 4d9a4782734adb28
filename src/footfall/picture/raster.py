"""The compiled part of drawing: triangles into pixels with a depth buffer, tiles, shadows, glass, reduction.

Images are (height, width, 3) in single precision, values 0 to 1; depths are metres, infinite where nothing is
drawn. Pixel (0, 0) has its middle at (0.5, 0.5). Kernels run without the interpreter's lock.
"""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel

IMAGE, DEPTH = "float32[:, :, ::1]", "float64[:, ::1]"
SMOOTHING = 2  # pixels drawn for one shown, in each direction
EDGE = 1e-9  # share of a corner by which a pixel may lie outside, so that neighbours leave no crack


@kernel()
def _clipped(low, high, first, rise, run):  # type: ignore[no-untyped-def]
    """The part of an interval in which first + rise * x is not negative; run is 1 / rise."""
    if rise > 0.0:
        return max(low, -first * run), high
    if rise < 0.0:
        return low, min(high, -first * run)
    return low, high if first >= 0.0 else -np.inf


@kernel(
    f"void(float64[:, ::1], float32[:, ::1], int64[:, ::1], boolean, {DEPTH}, {IMAGE})",
)
def draw_triangles(points, colours, triangles, front, depth, image):  # type: ignore[no-untyped-def]
    """Draws triangles (pixel x, pixel y, depth) with colours blended over their corners; nearer wins.

    `front` leaves out triangles that turn their back: of a closed body they are hidden. An image without
    rows is not drawn into: then only the depth is kept.
    """
    height, width = depth.shape
    coloured = image.shape[0] > 0
    for t in range(triangles.shape[0]):
        a, b, c = triangles[t]
        ax, ay, az = points[a, 0], points[a, 1], points[a, 2]
        bx, by, bz = points[b, 0] - ax, points[b, 1] - ay, points[b, 2] - az
        cx, cy, cz = points[c, 0] - ax, points[c, 1] - ay, points[c, 2] - az
        area = bx * cy - cx * by
        if area == 0.0 or not np.isfinite(area) or (front and area > 0.0):
            continue
        left, right = max(ax + min(0.0, bx, cx), 0.0), min(ax + max(0.0, bx, cx), width + 0.0)
        top, bottom = max(ay + min(0.0, by, cy), 0.0), min(ay + max(0.0, by, cy), height + 0.0)
        y0, y1 = int(np.ceil(top - 0.5)), min(int(np.floor(bottom - 0.5)), height - 1)
        if left >= right or y0 > y1:
            continue
        inverse = 1.0 / area
        # shares of the corners at a pixel, relative to the first corner; they change evenly along a row
        rise_b, rise_c = cy * inverse, -by * inverse
        rise_a = -(rise_b + rise_c)
        run_a, run_b, run_c = 1.0 / rise_a, 1.0 / rise_b, 1.0 / rise_c
        rise_z = rise_b * bz + rise_c * cz
        for y in range(y0, y1 + 1):
            down = y + 0.5 - ay
            first_b, first_c = -cx * down * inverse, bx * down * inverse
            first_a = 1.0 - first_b - first_c
            low, high = _clipped(left - ax, right - ax, first_a + EDGE, rise_a, run_a)
            low, high = _clipped(low, high, first_b + EDGE, rise_b, run_b)
            low, high = _clipped(low, high, first_c + EDGE, rise_c, run_c)
            if not low <= high:
                continue
            z = az + first_b * bz + first_c * cz
            x0, x1 = int(np.ceil(low + ax - 0.5)), min(int(np.floor(high + ax - 0.5)), width - 1)
            for x in range(x0, x1 + 1):
                along = x + 0.5 - ax
                here = z + along * rise_z
                if here < depth[y, x]:
                    depth[y, x] = here
                    if coloured:
                        u, v, w = first_a + along * rise_a, first_b + along * rise_b, first_c + along * rise_c
                        for k in range(3):
                            image[y, x, k] = u * colours[a, k] + v * colours[b, k] + w * colours[c, k]


@kernel(f"void(float64[:, ::1], float32[::1], {DEPTH}, {IMAGE})")
def lay_tiles(rays, light, depth, image):  # type: ignore[no-untyped-def]
    """Multiplies every second square of the ground, in the plan, by a light.

    `rays` are `Camera.pixel_rays` in lengths of a tile.
    """
    for y in range(depth.shape[0]):
        for x in range(depth.shape[1]):
            far = depth[y, x]
            if far < np.inf:
                ahead = rays[0, 0] + x * rays[1, 0] + y * rays[2, 0] + far * rays[3, 0]
                aside = rays[0, 2] + x * rays[1, 2] + y * rays[2, 2] + far * rays[3, 2]
                if (int(np.floor(ahead)) + int(np.floor(aside))) & 1:
                    for k in range(3):
                        image[y, x, k] *= light[k]


@kernel(
    f"int64[::1](float64[::1], float64[::1], int64[:, ::1], int64[::1], {DEPTH}, {DEPTH})",
)
def shaded_pixels(rise, slide, part, first, tops, depth):  # type: ignore[no-untyped-def]
    """Flat indices of pixels whose ground lies under something that stands in the light.

    `tops` is a picture of what stands there after it was slid along the light onto one level, with minus its
    height over that level as depth; `first` is the pixel of its upper left. A pixel's ground slides there
    too, by `slide` pixels per metre over the level; it lies the sum of `rise` times (1, x, y, depth) over it.
    Only pixels from part[0] up to part[1] are looked at.
    """
    (x0, y0), (x1, y1) = part
    found = np.empty(max((x1 - x0) * (y1 - y0), 0), dtype=np.int64)
    count = 0
    for y in range(y0, y1):
        for x in range(x0, x1):
            far = depth[y, x]
            if far < np.inf:
                over = rise[0] + x * rise[1] + y * rise[2] + far * rise[3]
                i = int(np.floor(y + 0.5 - over * slide[1])) - first[1]
                j = int(np.floor(x + 0.5 - over * slide[0])) - first[0]
                if 0 <= i < tops.shape[0] and 0 <= j < tops.shape[1] and tops[i, j] < -over:
                    found[count] = y * depth.shape[1] + x
                    count += 1
    return found[:count].copy()


@kernel(f"void({IMAGE}, {IMAGE}, {DEPTH}, float32, {DEPTH}, {IMAGE})")
def lay_glass(bare, glass, front, share, depth, image):  # type: ignore[no-untyped-def]
    """Lays what stands in front over an image: a share of it where the image is not bare, else all of it."""
    for y in range(depth.shape[0]):
        for x in range(depth.shape[1]):
            if front[y, x] < depth[y, x]:
                depth[y, x] = front[y, x]
                changed = False
                for k in range(3):
                    changed = changed or image[y, x, k] != bare[y, x, k]
                part = share if changed else np.float32(1.0)
                for k in range(3):
                    image[y, x, k] += part * (glass[y, x, k] - image[y, x, k])


@kernel(f"void({IMAGE}, {IMAGE})")
def reduce(image, reduced):  # type: ignore[no-untyped-def]
    """The means of squares of SMOOTHING pixels a side."""
    part = np.float32(1.0 / (SMOOTHING * SMOOTHING))
    for y in range(reduced.shape[0]):
        for x in range(reduced.shape[1]):
            for k in range(3):
                total = np.float32(0.0)
                for i in range(SMOOTHING):
                    for j in range(SMOOTHING):
                        total += image[y * SMOOTHING + i, x * SMOOTHING + j, k]
                reduced[y, x, k] = total * part
