"""Drawing written plainly: a matrix per triangle for shares of corners, rays to all triangles for shadows."""

from __future__ import annotations

import numpy as np

from footfall.picture.camera import Camera

ON_EDGE = 1e-9  # share of a corner within which a pixel may fall either way


def draw_plainly(
    points: np.ndarray, colours: np.ndarray, triangles: np.ndarray, depth: np.ndarray, image: np.ndarray
) -> np.ndarray:
    """Draws into depth and image; returns where a pixel lies on an edge so closely that rounding decides."""
    unsure = np.zeros(depth.shape, dtype=bool)
    y, x = np.mgrid[: depth.shape[0], : depth.shape[1]] + 0.5
    pixels = np.stack([x, y, np.ones_like(x)], axis=-1)
    for corners in triangles:
        system = np.vstack([points[corners, :2].T, np.ones(3)])
        if abs(np.linalg.det(system)) < 1e-12:
            continue
        shares = pixels @ np.linalg.inv(system).T
        unsure |= np.abs(shares.min(axis=-1)) < ON_EDGE
        z = shares @ points[corners, 2]
        nearer = (shares >= 0).all(axis=-1) & (z < depth)
        depth[nearer] = z[nearer]
        image[nearer] = (shares @ colours[corners])[nearer]
    return unsure


def seen_places(camera: Camera, depth: np.ndarray) -> np.ndarray:
    """The world point of every pixel, from the definition of the picture's axes."""
    w, h = camera.size
    y, x = np.mgrid[:h, :w] + 0.5
    right, up = (x - 0.5 * w) / camera.scale, (0.5 * h - y) / camera.scale
    axes = camera.right, camera.up, camera.forward
    return camera.centre + sum(k[..., None] * axis for k, axis in zip((right, up, depth), axes, strict=True))


def in_shade(places: np.ndarray, light: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Whether rays from places along the light meet any triangle (Moeller and Trumbore)."""
    met = np.zeros(places.shape[:-1], dtype=bool)
    for a, b, c in corners:
        normal = np.cross(b - a, c - a)
        facing = normal @ light
        if facing == 0.0:
            continue
        far = (a - places) @ normal / facing
        there = places + far[..., None] * light - a
        v = np.cross(there, c - a) @ normal / (normal @ normal)
        w = np.cross(b - a, there) @ normal / (normal @ normal)
        met |= (far > 0.0) & (v >= 0.0) & (w >= 0.0) & (v + w <= 1.0)
    return met


def chequered(places: np.ndarray, tile: float) -> np.ndarray:
    """Which places lie on the darker tiles."""
    return (np.floor(places[..., 0] / tile) + np.floor(places[..., 2] / tile)) % 2 == 1


def lit_plainly(camera: Camera, normals: np.ndarray, colours: np.ndarray) -> np.ndarray:
    key = -0.6 * camera.forward - 0.45 * camera.right + 0.75 * camera.up
    key = key / np.linalg.norm(key)
    light = np.array([0.56 + 0.5 * max(n @ key, 0.0) + 0.1 * n[1] for n in normals])
    rim = np.array([0.72 + 0.28 * abs(n @ camera.forward) for n in normals])
    return np.clip(colours * (light * rim)[:, None], 0.0, 1.0)
