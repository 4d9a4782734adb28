"""A sample and the loop that was made of it, side by side: [rings] figure 7.

Left the sample, a figure at each of its strikes; right the loop played twice, which goes on where the sample
ends. Feet that come down higher than the first stand on stones, for the ground is not known.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from jaxtyping import Float, Int

from footfall.analysis.contacts import detect_contacts
from footfall.analysis.plants import detect_plants
from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.models.ring.looping import loop_of
from footfall.picture.camera import Camera
from footfall.picture.figures import Cast, heading_of, spread
from footfall.picture.footprints import Footprint
from footfall.picture.page import WIDE, require_pyplot, save_page
from footfall.picture.strip import GAP
from footfall.picture.tracks import Tracks

if TYPE_CHECKING:
    from matplotlib.figure import Figure

VIEW = "three-quarter"
WIDTH = 1700  # pixels of both pictures together
MARGIN = 0.12  # m about what is shown
TITLE, UNDER = 0.36, 0.32  # inches over and under the pictures
APART = 0.01  # of the page between them
CYCLES = 2
NEAREST = 0.3  # m along the picture: nearer figures hide each other


def draw_loop(sample: Motion, path: str | PathLike[str], *, title: str = "") -> None:
    """A sample of three steps and its loop, written as the file's ending says."""
    save_page(loop_page(sample, title=title), Path(path))


def loop_page(sample: Motion, *, title: str = "", view: str = VIEW) -> Figure:
    if not isinstance(sample, Motion):
        raise RequestError(f"a loop is drawn of a motion, not of {type(sample).__name__}")
    plt = require_pyplot()
    loop = loop_of(sample)
    scenes = _scenes([sample, loop.cycles(CYCLES)], view)
    wide = sum(scene.camera.size[0] for scene in scenes)
    tall = WIDE * (1.0 - APART) * scenes[0].camera.size[1] / wide
    total = tall + TITLE + UNDER
    page = plt.figure(figsize=(WIDE, total), facecolor="white")
    words = (
        f"(a) the sample: {sample.seconds:.2f} s",
        f"(b) its loop of {loop.seconds:.2f} s, played {'twice' if CYCLES == 2 else f'{CYCLES} times'}",
    )
    left = 0.0
    for scene, told in zip(scenes, words, strict=True):
        share = (1.0 - APART) * scene.camera.size[0] / wide
        axes = page.add_axes((left, UNDER / total, share, tall / total))
        head = f"{title}. {told}" if title and left == 0.0 else told
        page.text(left + 0.006, 1.0 - 0.23 / total, head, fontsize=11, weight="bold")
        _draw(axes, scene)
        left += share + APART
    return page


@dataclass(frozen=True, eq=False)
class _Scene:
    """The figure at its strikes; where these are too near, moved apart with the prints it stands on."""

    motion: Motion
    tracks: Tracks
    frames: Int[np.ndarray, "strikes"]
    vertices: Float[np.ndarray, "strikes vertices 3"]
    normals: Float[np.ndarray, "strikes vertices 3"]
    shifts: Float[np.ndarray, "strikes 3"]
    camera: Camera

    @classmethod
    def of(cls, motion: Motion, view: str) -> _Scene:
        camera, frames = Camera.looking(view, heading_of(motion)), strikes_of(motion)
        vertices, normals = Cast.of(motion).bodies(frames)
        still = np.zeros((len(frames), 3))
        return cls(motion, Tracks.of(motion), frames, vertices, normals, still, camera)

    def spread(self, gap: float) -> _Scene:
        """With figures at least so many metres apart."""
        shifts = spread(self.vertices, self.motion.root[self.frames], self.camera, gap)
        return replace(self, vertices=self.vertices + shifts[:, None], shifts=shifts)

    @property
    def held(self) -> Float[np.ndarray, "n 3"]:
        prints = [self.tracks.extent(found) + shift for found, shift in self._under()]
        return np.concatenate([self.vertices.reshape(-1, 3), *(prints or [self.tracks.extent()])])

    def _under(self) -> list[tuple[tuple[Footprint, ...], Float[np.ndarray, "3"]]]:
        """Which prints go with which figure; none where figures are where they were."""
        if not self.shifts.any():
            return []
        at = self.tracks.stood_on
        return [(at(int(f)), shift) for f, shift in zip(self.frames, self.shifts, strict=True)]

    def framed(self, scale: float) -> _Scene:
        return replace(self, camera=self.camera.framing(self.held, scale=scale, margin=MARGIN))

    def as_tall_as(self, pixels: int) -> _Scene:
        return replace(self, camera=replace(self.camera, size=(self.camera.size[0], pixels)))

    @property
    def wide(self) -> float:
        """m across the picture."""
        return float(np.ptp(self.held @ self.camera.right)) + 2.0 * MARGIN

    def image(self) -> Float[np.ndarray, "h w 3"]:
        cast, stage = Cast.of(self.motion), self.tracks.stage(self.camera)
        cast.draw_shadows(stage, self.vertices)
        for prints, shift in self._under():
            self.tracks.draw_prints(stage, prints, shift)
        if not self.shifts.any():
            self.tracks.draw(stage)
        cast.draw(stage, self.vertices, self.normals)
        return stage.finished()

    def labels(self) -> list[tuple[float, str]]:
        """Pixels from the left, and words."""
        places = self.camera.project(self.motion.root[self.frames] + self.shifts)[:, 0]
        return [
            (float(x), f"strike {k + 1}\n{frame / self.motion.fps:.2f} s")
            for k, (x, frame) in enumerate(zip(places, self.frames, strict=True))
        ]


def _scenes(motions: list[Motion], view: str) -> list[_Scene]:
    """One scale and one height for all; figures are moved apart in all of them, or in none."""
    scenes = [_Scene.of(motion, view) for motion in motions]
    if any(scene.spread(NEAREST).shifts.any() for scene in scenes):
        scenes = [scene.spread(GAP) for scene in scenes]
    framed = [scene.framed(WIDTH / sum(each.wide for each in scenes)) for scene in scenes]
    tallest = max(scene.camera.size[1] for scene in framed)
    return [scene.as_tall_as(tallest) for scene in framed]


def strikes_of(motion: Motion) -> Int[np.ndarray, "strikes"]:
    """Frames at which feet have come down; the first where none does."""
    contacts = detect_contacts(motion) if motion.contacts is None else motion.contacts
    found = sorted({plant.start for plant in detect_plants(motion, contacts) if plant.start > 0})
    return np.array(found or [0])


def _draw(axes: Any, scene: _Scene) -> None:
    axes.imshow(np.clip(scene.image(), 0.0, 1.0), aspect="auto", interpolation="antialiased")
    axes.autoscale(False)
    axes.axis("off")
    for x, words in scene.labels():
        axes.annotate(
            words, (x, 0.0), (0, -3), ("data", "axes fraction"), "offset points", fontsize=8, ha="center",
            va="top", color="0.3", annotation_clip=False,
        )  # fmt: skip
