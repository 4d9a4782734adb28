"""The stage: a chequered floor or a terrain, and lit bodies on it with their shadows, drawn into an image.

Depth is real: a foot under the floor disappears into it, a hand behind the chest is hidden. A stage has its
own buffers, so that several threads can draw at once, each on its own stage.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Float32, Int

from footfall.picture.camera import Camera
from footfall.picture.landscape import Landscape
from footfall.picture.marks import Mark
from footfall.picture.raster import SMOOTHING, draw_triangles, lay_glass, lay_tiles, reduce, shaded_pixels
from footfall.picture.solids import Solids

PAPER = np.array([0.965, 0.965, 0.955])
TILES = (np.array([0.905, 0.905, 0.890]), np.array([0.865, 0.865, 0.850]))
TILE = 0.5  # m
SHADOW = 0.72
LIGHT = np.array([0.25, 1.0, 0.15])  # towards the lamp, per metre of height
RELIEF = 0.16  # by how much more light the higher ground has
CLEAR = 2e-3  # over the ground a place looks for the lamp
NEARER = 0.05  # m by which marks come forward, so that they win against the ground they lie on ...
LATER = 1e-4  # m, ... and each later mark against the ones before
FLUSH = 5e-3  # m by which solids come forward, where a side lies in the side of a terrain
GLASS = 0.42  # share of a solid where it stands before something that is to be seen

NO_IMAGE = np.zeros((0, 0, 3), dtype=np.float32)
NO_COLOURS = np.zeros((0, 3), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class Layer:
    """Triangles as a camera sees them; cameras that look the same way at the same scale can share them."""

    pixels: Float[np.ndarray, "v 3"]
    colours: Float32[np.ndarray, "v 3"]
    triangles: Int[np.ndarray, "t 3"]
    centre: Float[np.ndarray, "3"]  # of the camera
    closed: bool = False  # triangles turn outwards round a body: those that turn away are hidden
    flat: bool = False  # lies on what is there and hides nothing that is drawn later


def _draw(
    pixels: Float[np.ndarray, "v 3"],
    colours: Float32[np.ndarray, "v 3"],
    triangles: Int[np.ndarray, "t 3"],
    depth: Float[np.ndarray, "h w"],
    image: Float32[np.ndarray, "h w 3"] = NO_IMAGE,
    *,
    closed: bool = False,
) -> None:
    faces = np.ascontiguousarray(triangles, dtype=np.int64)
    draw_triangles(np.ascontiguousarray(pixels), np.ascontiguousarray(colours), faces, closed, depth, image)


class Stage:
    """One picture in the making. `size` is in shown pixels; everything is drawn finer and reduced."""

    def __init__(self, camera: Camera, floor: float | None):
        self.camera = camera.enlarged(SMOOTHING)
        w, h = self.camera.size
        self.image = np.empty((h, w, 3), dtype=np.float32)
        self.depth = np.empty((h, w))
        self.floor = floor
        self._land: tuple[Landscape, Layer, Layer] | None = None  # what is walked on, then its walls
        self._spare: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None  # buffers for glass
        self._clear()

    def move(self, centre: Float[np.ndarray, "3"]) -> None:
        """Starts another picture of the same ground, with the camera looking at another point."""
        self.camera = replace(self.camera, centre=centre)
        self._clear()

    def _clear(self) -> None:
        """Leaves nothing but the floor, or the land."""
        floor = self.floor if abs(self.camera.forward[1]) > 1e-3 else None  # edge on there is none
        colour = PAPER if floor is None else TILES[0]
        self.image[:] = np.tile(colour.astype(np.float32), (self.camera.size[0], 1))  # by rows: quicker
        self.depth[:] = np.inf
        if floor is not None:
            self.depth[:] = self.camera.depths_of_level(floor)[:, None]
            self._lay_tiles(TILES[1] / TILES[0])
        if self._land:
            _, walked, walls = self._land
            self.draw(walked)
            self._lay_tiles(np.repeat(TILES[1][0] / TILES[0][0], 3))
            self.draw(walls)

    def _lay_tiles(self, light: Float[np.ndarray, "3"]) -> None:
        lay_tiles(self.camera.pixel_rays() / TILE, light.astype(np.float32), self.depth, self.image)

    def land(self, land: Landscape) -> None:
        """The triangles of a terrain: chequered where one can walk, plain walls between."""
        span = max(float(np.ptp(land.extent[:, 1])), 0.5)
        tint = 1.0 + RELIEF * np.clip((land.corners[..., 1] - land.extent[:, 1].mean()) / span, -1.0, 1.0)
        colours = np.clip(self._lit(land.normals, land.colours)[:, None] * tint[..., None], 0.0, 1.0)
        walked, walls = (
            self._layer(land.corners[own], colours[own].reshape(-1, 3))
            for own in (~land.is_wall, land.is_wall)
        )
        self._land = land, walked, walls
        self._clear()

    def draw(self, layer: Layer) -> Layer:
        """Triangles where the camera sees them now; nearer wins. Returns them, to be drawn again."""
        w, h = self.camera.size
        pixels = layer.pixels + (self.camera.project(layer.centre) - [0.5 * w, 0.5 * h, 0.0])
        first = last = 0
        if layer.flat and len(pixels):
            first, last = np.clip([pixels[:, 1].min() - 1.0, pixels[:, 1].max() + 1.0], 0, h).astype(int)
        kept = self.depth[first:last].copy()
        _draw(pixels, layer.colours, layer.triangles, self.depth, self.image, closed=layer.closed)
        self.depth[first:last] = kept
        return layer

    def _layer(
        self,
        vertices: Float[np.ndarray, "*n 3"],
        colours: Float[np.ndarray, "v 3"],
        triangles: Int[np.ndarray, "t 3"] | None = None,
        closed: bool = False,
    ) -> Layer:
        """Without triangles, vertices are the corners of one after the other."""
        pixels = self.camera.project(vertices.reshape(-1, 3))
        faces = np.arange(len(pixels)).reshape(-1, 3) if triangles is None else triangles
        return Layer(pixels, colours.astype(np.float32), faces, self.camera.centre, closed=closed)

    def marks(self, marks: Sequence[Mark]) -> Layer:
        """Flat marks on the ground, later over earlier. They hide no body: draw them before bodies."""
        shapes = [replace(mark, width=SMOOTHING * mark.width).shape(self.camera) for mark in marks]
        counts = np.array([len(pixels) for pixels, _ in shapes], dtype=int)
        first = np.cumsum(counts) - counts
        pixels = np.concatenate([np.zeros((0, 3)), *(pixels for pixels, _ in shapes)])
        pixels[:, 2] -= np.repeat(NEARER + LATER * np.arange(len(marks)), counts)
        colours = np.repeat(np.array([mark.colour for mark in marks]).reshape(-1, 3), counts, axis=0)
        triangles = [faces + start for (_, faces), start in zip(shapes, first, strict=True)]
        faces = np.concatenate([np.zeros((0, 3), dtype=int), *triangles])
        return self.draw(Layer(pixels, colours.astype(np.float32), faces, self.camera.centre, flat=True))

    def shadows(
        self,
        bodies: Float[np.ndarray, "*n v 3"],
        triangles: Int[np.ndarray, "t 3"],
        *,
        closed: bool = False,
    ) -> None:
        """Darkens the ground in the shade of bodies, unless other ground stands in its light.

        Bodies slide along the light onto one level; a picture of them there keeps the highest. Each pixel of
        the ground slides onto it too and compares heights. Draw all shadows before the bodies.
        """
        grounds = self._land[0].corners[..., 1] if self._land else np.array([self.floor], dtype=float)
        low, high = grounds.min(), grounds.max()
        if not bodies.size or np.isnan(low):
            return
        level, vertices, size = 0.5 * (low + high), bodies.reshape(-1, 3), np.array(self.camera.size)
        pixels = self.camera.project(vertices - (vertices[:, 1:2] - level) * LIGHT)
        slide = (self.camera.project(LIGHT) - self.camera.project(np.zeros(3)))[:2]
        reach = 0.5 * (high - low) * np.abs(slide)  # ground slides at most so far
        first = np.floor(np.maximum(pixels[:, :2].min(axis=0), -reach)).astype(int)
        last = np.ceil(np.minimum(pixels[:, :2].max(axis=0), size + reach)).astype(int)
        if (last <= first).any():
            return
        part = np.clip([first - np.ceil(reach), last + np.ceil(reach)], 0, size).astype(int)
        pixels[:, :2] -= first
        pixels[:, 2] = level - vertices[:, 1] + CLEAR
        tops = np.full((last - first)[::-1], np.inf)
        own = np.arange(0, len(vertices), bodies.shape[-2])[:, None, None]
        faces = (triangles + own).reshape(-1, 3)
        _draw(pixels, NO_COLOURS, faces, tops, closed=closed and self.camera.forward[1] < 0.0)
        rays = self.camera.pixel_rays()
        rise = rays[:, 1] - [level, 0.0, 0.0, 0.0]
        dark = shaded_pixels(rise, slide, part, first, tops, self.depth)
        if self._land:
            down, across = np.divmod(dark, size[0])
            far = self.depth.reshape(-1)[dark]
            places = np.stack([np.ones(len(dark)), across, down, far], axis=1) @ rays
            dark = dark[~self._land[0].tree.rays(places + CLEAR * LIGHT, LIGHT[None]).hit]
        self.image.reshape(-1, 3)[dark] *= SHADOW

    def body(
        self,
        vertices: Float[np.ndarray, "v 3"],
        normals: Float[np.ndarray, "v 3"],
        colours: Float[np.ndarray, "v 3"],
        triangles: Int[np.ndarray, "t 3"],
        *,
        closed: bool = False,
    ) -> Layer:
        """A lit body; of a closed one, whose triangles turn outwards, half of them need no drawing."""
        return self.draw(self._layer(vertices, self._lit(normals, colours), triangles, closed))

    @contextmanager
    def behind(self, solids: Solids) -> Iterator[None]:
        """Bodies and marks drawn meanwhile are seen through solids; the ground behind them is not."""
        if not len(solids):
            yield
            return
        if self._spare is None:
            self._spare = np.empty_like(self.image), np.empty_like(self.image), np.empty_like(self.depth)
        bare, glass, front = self._spare
        bare[:] = self.image
        yield
        front[:] = np.inf
        layer = self._layer(solids.corners, np.repeat(self._lit(solids.normals, solids.colours), 3, axis=0))
        _draw(layer.pixels - [0.0, 0.0, FLUSH], layer.colours, layer.triangles, front, glass)
        lay_glass(bare, glass, front, GLASS, self.depth, self.image)

    def cover(
        self, corners: Float[np.ndarray, "triangles 3 3"], colour: Float[np.ndarray, "3"], share: float
    ) -> None:
        """Paints all that triangles hide with one colour, or with a share of it, whatever lies over them."""
        depth = np.full_like(self.depth, np.inf)
        layer = self._layer(corners, NO_COLOURS)
        _draw(layer.pixels, NO_COLOURS, layer.triangles, depth)
        hidden = np.isfinite(depth)
        self.image[hidden] += np.float32(share) * (colour.astype(np.float32) - self.image[hidden])

    def solid_shadows(self, solids: Solids) -> None:
        """Of obstacles on the ground; draw them before all that stands on it."""
        corners = solids.corners.reshape(-1, 3)
        self.shadows(corners, np.arange(len(corners)).reshape(-1, 3))

    def _lit(
        self, normals: Float[np.ndarray, "v 3"], colours: Float[np.ndarray, "v 3"]
    ) -> Float[np.ndarray, "v 3"]:
        """A lamp over the camera's left shoulder, sky from above, and a darker rim that parts the limbs."""
        key = 0.6 * -self.camera.forward - 0.45 * self.camera.right + 0.75 * self.camera.up
        key = key / np.linalg.norm(key)
        facing = np.abs(normals @ self.camera.forward)
        light = 0.56 + 0.50 * np.clip(normals @ key, 0, None) + 0.10 * normals[:, 1]
        return np.clip(colours * (light * (0.72 + 0.28 * facing))[:, None], 0, 1)

    def finished(self) -> Float32[np.ndarray, "h w 3"]:
        """The picture in shown pixels, values 0 to 1."""
        h, w = self.depth.shape
        shown = np.empty((h // SMOOTHING, w // SMOOTHING, 3), dtype=np.float32)
        reduce(self.image, shown)
        return shown
