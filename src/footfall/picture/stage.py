"""The stage: a chequered floor or a terrain, and lit bodies on it with their shadows, drawn into an image.

Depth is real: a foot under the floor disappears into it, a hand behind the chest is hidden.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from jaxtyping import Float, Int

from footfall.picture.camera import Camera
from footfall.picture.landscape import Landscape
from footfall.picture.marks import Mark
from footfall.picture.solids import Solids
from footfall.world.box_tree import BoxTree

PAPER = np.array([0.965, 0.965, 0.955])
TILES = (np.array([0.905, 0.905, 0.890]), np.array([0.865, 0.865, 0.850]))
TILE = 0.5  # m
SHADOW = 0.72
LIGHT = np.array([0.25, 1.0, 0.15])  # towards the lamp
SMOOTHING = 2  # pixels drawn for one shown, in each direction
RELIEF = 0.16  # by how much more light the higher ground has
CLEAR = 2e-3  # over the ground a place looks for the lamp
NEARER = 0.05  # m by which marks come forward, so that they win against the ground they lie on ...
LATER = 1e-4  # m, ... and each later mark against the ones before
FLUSH = 5e-3  # m by which solids come forward, where a side lies in the side of a terrain
GLASS = 0.42  # share of a solid where it stands before something that is to be seen


class Stage:
    """One picture in the making. `size` is in shown pixels; everything is drawn finer and reduced."""

    def __init__(self, camera: Camera, floor: float | None):
        self.camera = camera.enlarged(SMOOTHING)
        w, h = self.camera.size
        self.image = np.tile(PAPER.astype(np.float32), (h, w, 1))
        self.depth = np.full((h, w), np.inf)
        self.floor = floor
        self.ground: BoxTree | None = None  # the triangles of a terrain
        if floor is not None and abs(self.camera.forward[1]) > 1e-3:
            self._lay_floor(floor)

    def _lay_floor(self, height: float) -> None:
        points, depth = self.camera.pixels_on_plane(height)
        odd = (np.floor(points[..., 0] / TILE) + np.floor(points[..., 2] / TILE)) % 2 == 1
        self.image[:] = np.where(odd[..., None], TILES[1], TILES[0])
        self.depth[:] = depth

    def land(self, land: Landscape) -> None:
        """The triangles of a terrain: chequered where one can walk, plain walls between."""
        self.ground = BoxTree.over(land.corners)
        heights = land.corners[..., 1]
        span = max(float(np.ptp(land.extent[:, 1])), 0.5)
        tint = 1.0 + RELIEF * np.clip((heights - land.extent[:, 1].mean()) / span, -1.0, 1.0)
        for walls in (False, True):
            own = np.flatnonzero(land.is_wall == walls)
            lit = self._lit(land.normals[own], land.colours[own])
            colours = np.clip(lit[:, None] * tint[own, :, None], 0.0, 1.0)
            corners = land.corners[own].reshape(-1, 3)
            self._draw(corners, colours.reshape(-1, 3), _one_by_one(len(own)), self.depth, self.image)
            if not walls:
                seen = np.isfinite(self.depth)
                places = self.camera.places(self.depth)[seen]
                odd = (np.floor(places[:, 0] / TILE) + np.floor(places[:, 2] / TILE)) % 2 == 1
                self.image[seen] *= np.where(odd, TILES[1][0] / TILES[0][0], 1.0)[:, None].astype(np.float32)

    def shadows_on_land(self, bodies: Float[np.ndarray, "n v 3"], triangles: Int[np.ndarray, "t 3"]) -> None:
        """Darkens the ground that lies in the shade of bodies, unless it lies in its own."""
        if self.ground is None:
            return
        seen = np.flatnonzero(np.isfinite(self.depth))
        places = self.camera.places(self.depth).reshape(-1, 3)[seen] + CLEAR * LIGHT
        shade = BoxTree.over(bodies[:, triangles].reshape(-1, 3, 3)).rays(places, LIGHT[None])
        dark = np.flatnonzero(shade.hit)
        lit = ~self.ground.rays(places[dark], LIGHT[None]).hit
        self.image.reshape(-1, 3)[seen[dark[lit]]] *= SHADOW

    def marks(self, marks: Sequence[Mark]) -> None:
        """Flat marks on the ground, later over earlier. They hide no body: draw them before bodies."""
        kept = self.depth.copy()
        for order, mark in enumerate(marks):
            finer = Mark(mark.points, mark.colour, SMOOTHING * mark.width, mark.closed)
            pixels, triangles = finer.shape(self.camera)
            pixels[:, 2] -= NEARER + order * LATER
            colours = np.tile(np.array(mark.colour), (len(pixels), 1))
            self._draw_pixels(pixels, colours, triangles, self.depth, self.image)
        self.depth[:] = kept

    def shadow(self, vertices: Float[np.ndarray, "v 3"], triangles: Int[np.ndarray, "t 3"]) -> None:
        """Darkens the floor under a body, as seen from the lamp. Draw all shadows before the bodies."""
        if self.floor is None:
            return
        drop = (vertices[:, 1] - self.floor) / LIGHT[1]
        flat = vertices - np.maximum(drop, 0.0)[:, None] * LIGHT
        flat[:, 1] = self.floor
        mask = np.zeros_like(self.image)
        nearer = np.full_like(self.depth, np.inf)
        self._draw(flat, np.ones((len(flat), 3)), triangles, nearer, mask)
        self.image[mask[..., 0] > 0.5] *= SHADOW

    def body(
        self,
        vertices: Float[np.ndarray, "v 3"],
        normals: Float[np.ndarray, "v 3"],
        colours: Float[np.ndarray, "v 3"],
        triangles: Int[np.ndarray, "t 3"],
    ) -> None:
        self._draw(vertices, self._lit(normals, colours), triangles, self.depth, self.image)

    @contextmanager
    def behind(self, solids: Solids) -> Iterator[None]:
        """Bodies and marks drawn meanwhile are seen through solids; the ground behind them is not."""
        bare = self.image.copy()
        yield
        if not len(solids):
            return
        image, depth = np.zeros_like(self.image), np.full_like(self.depth, np.inf)
        colours = np.repeat(self._lit(solids.normals, solids.colours), 3, axis=0)
        self._draw(solids.corners.reshape(-1, 3), colours, _one_by_one(len(solids)), depth, image)
        before = depth - FLUSH < self.depth
        share = np.where((self.image != bare).any(axis=-1), np.float32(GLASS), np.float32(1.0))[before, None]
        self.image[before] += share * (image[before] - self.image[before])
        self.depth[before] = depth[before]

    def cover(
        self, corners: Float[np.ndarray, "triangles 3 3"], colour: Float[np.ndarray, "3"], share: float
    ) -> None:
        """Paints all that triangles hide with one colour, or with a share of it, whatever lies over them."""
        mask, depth = np.zeros_like(self.image), np.full_like(self.depth, np.inf)
        ones = np.ones((3 * len(corners), 3))
        self._draw(corners.reshape(-1, 3), ones, _one_by_one(len(corners)), depth, mask)
        hidden = mask[..., 0] > 0.5
        self.image[hidden] += np.float32(share) * (colour.astype(np.float32) - self.image[hidden])

    def solid_shadows(self, solids: Solids) -> None:
        """Of obstacles on the ground; draw them before all that stands on it."""
        if len(solids) and self.floor is None:
            self.shadows_on_land(solids.corners.reshape(1, -1, 3), _one_by_one(len(solids)))
        elif len(solids):
            self.shadow(solids.corners.reshape(-1, 3), _one_by_one(len(solids)))

    def _lit(
        self, normals: Float[np.ndarray, "v 3"], colours: Float[np.ndarray, "v 3"]
    ) -> Float[np.ndarray, "v 3"]:
        """A lamp over the camera's left shoulder, sky from above, and a darker rim that parts the limbs."""
        key = 0.6 * -self.camera.forward - 0.45 * self.camera.right + 0.75 * self.camera.up
        key = key / np.linalg.norm(key)
        facing = np.abs(normals @ self.camera.forward)
        light = 0.56 + 0.50 * np.clip(normals @ key, 0, None) + 0.10 * normals[:, 1]
        return np.clip(colours * (light * (0.72 + 0.28 * facing))[:, None], 0, 1)

    def _draw(
        self,
        vertices: Float[np.ndarray, "v 3"],
        colours: Float[np.ndarray, "v 3"],
        triangles: Int[np.ndarray, "t 3"],
        depth: Float[np.ndarray, "h w"],
        image: Float[np.ndarray, "h w 3"],
    ) -> None:
        self._draw_pixels(self.camera.project(vertices), colours, triangles, depth, image)

    def _draw_pixels(
        self,
        pixels: Float[np.ndarray, "v 3"],
        colours: Float[np.ndarray, "v 3"],
        triangles: Int[np.ndarray, "t 3"],
        depth: Float[np.ndarray, "h w"],
        image: Float[np.ndarray, "h w 3"],
    ) -> None:
        from footfall.picture.raster_kernel import draw

        draw(
            np.ascontiguousarray(pixels),
            np.ascontiguousarray(colours, dtype=np.float32),
            np.ascontiguousarray(triangles, dtype=np.int64),
            depth,
            image,
        )

    def finished(self) -> Float[np.ndarray, "h w 3"]:
        """The picture in shown pixels, values 0 to 1."""
        h, w = self.depth.shape
        n = SMOOTHING
        return self.image.reshape(h // n, n, w // n, n, 3).mean(axis=(1, 3))


def _one_by_one(count: int) -> Int[np.ndarray, "t 3"]:
    """Triangles that share no corners."""
    return np.arange(3 * count).reshape(-1, 3)
