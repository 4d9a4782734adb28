"""Poses side by side, each with what stands about it: moments of a motion that stays in one place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
from footfall.picture.page import new_page, save_page
from footfall.picture.strip import draw_row
from footfall.picture.tracks import Tracks
from footfall.world.obstacle import Obstacle
from footfall.world.shapes.placed import Placed

WIDE = 420  # pixels of one panel
INCHES = 2.6


@dataclass(frozen=True, eq=False)
class Panel:
    """One pose, the things about it, and what is said of it."""

    pose: Pose
    things: Sequence[Obstacle | Placed] = ()
    title: str = ""


def save_poses(
    skeleton: Skeleton, panels: Sequence[Panel], path: Path, *, view: str = "side", columns: int = 6
) -> None:
    """A picture with one panel a pose."""
    images = [_drawn(skeleton, panel, view) for panel in panels]
    rows = -(-len(images) // columns)
    tall = max(image.shape[0] / image.shape[1] for image in images)
    figure = new_page(INCHES * columns, (INCHES * tall + 0.25) * rows)
    axes = figure.subplots(rows, columns, squeeze=False)
    for one in axes.flat:
        one.axis("off")
    for one, image, panel in zip(axes.flat, images, panels, strict=False):
        one.imshow(np.clip(image, 0, 1))
        one.set_title(panel.title, fontsize=9)
    figure.subplots_adjust(0.0, 0.0, 1.0, 0.94, 0.02, 0.08)
    save_page(figure, path)


def _drawn(skeleton: Skeleton, panel: Panel, view: str) -> np.ndarray:
    """A figure that stands still for three frames."""
    root, rotations = (
        np.repeat(np.asarray(a)[None], 3, axis=0) for a in (panel.pose.root, panel.pose.rotations)
    )
    stands = np.ones((3, 2), dtype=bool)
    still = Motion(skeleton, root, rotations, 60.0, contacts=Contacts(stands, stands))
    tracks = Tracks.of(still, None, None, panel.things, 0.0)
    return draw_row(still, view, figures=1, width=WIDE, tracks=tracks).image
