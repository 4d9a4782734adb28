"""Triangles into pixels with a depth buffer, compiled."""

from __future__ import annotations

import numpy as np

from footfall.geometry.kernel_cache import kernel


@kernel("void(float64[:, ::1], float32[:, ::1], int64[:, ::1], float64[:, ::1], float32[:, :, ::1])")
def draw(points, colours, triangles, depth, image):  # type: ignore[no-untyped-def]
    """Draws triangles (pixel x, pixel y, depth) with colours blended over their corners; nearer wins."""
    height, width = depth.shape
    for t in range(triangles.shape[0]):
        a, b, c = triangles[t]
        ax, ay, bx, by, cx, cy = (
            points[a, 0],
            points[a, 1],
            points[b, 0],
            points[b, 1],
            points[c, 0],
            points[c, 1],
        )
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        if area == 0.0 or not np.isfinite(area):
            continue
        x0 = max(int(np.floor(min(ax, bx, cx) - 0.5)), 0)
        x1 = min(int(np.ceil(max(ax, bx, cx) - 0.5)), width - 1)
        y0 = max(int(np.floor(min(ay, by, cy) - 0.5)), 0)
        y1 = min(int(np.ceil(max(ay, by, cy) - 0.5)), height - 1)
        inverse = 1.0 / area
        for y in range(y0, y1 + 1):
            py = y + 0.5
            for x in range(x0, x1 + 1):
                px = x + 0.5
                # shares of the three corners at this pixel
                u = ((bx - px) * (cy - py) - (cx - px) * (by - py)) * inverse
                v = ((cx - px) * (ay - py) - (ax - px) * (cy - py)) * inverse
                w = 1.0 - u - v
                if u < 0.0 or v < 0.0 or w < 0.0:
                    continue
                z = u * points[a, 2] + v * points[b, 2] + w * points[c, 2]
                if z < depth[y, x]:
                    depth[y, x] = z
                    for k in range(3):
                        image[y, x, k] = u * colours[a, k] + v * colours[b, k] + w * colours[c, k]
