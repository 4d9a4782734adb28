"""A scene as it was acted: the figure, what stands about, and objects where they are at each time."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from footfall.acting.recording import Track
from footfall.acting.report import ActedScene
from footfall.picture.clip import save_clip
from footfall.picture.strip import save_strip
from footfall.world.obstacle import Course, Obstacle
from footfall.world.plane import FlatTerrain
from footfall.world.scene import Scene

FIGURES = 14
VIEWS = ("three-quarter", "side", "map")


def save_acted(
    scene: Scene, made: ActedScene, path: Path, *, start: float = 0.0, end: float | None = None
) -> None:
    """A strip, or a moving picture where the file's ending is .gif; of a part of it where times are told."""
    ground = FlatTerrain() if scene.terrain is None else scene.terrain
    things = (*scene.obstacles, *(moving(scene, track, made.fps) for track in made.objects))
    shown = made.between(start, end)
    if path.suffix.lower() == ".gif":
        save_clip(shown, path, terrain=ground, obstacles=things, clock=start)
    else:
        save_strip(shown, path, views=VIEWS, figures=FIGURES, terrain=ground, obstacles=things, clock=start)


def moving(scene: Scene, track: Track, fps: float) -> Obstacle:
    """An object as something that goes where it went, in pictures."""
    own = scene.named(track.name)
    times = np.arange(len(track.positions)) / fps
    return Obstacle(own.shape, track.positions[0], track.orientations[0], Course(times, track.positions))
