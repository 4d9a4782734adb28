"""A moving picture: the figure from one side, the camera beside it, as a GIF in real time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from jaxtyping import Float, UInt8

from footfall.errors import MissingExtra
from footfall.figure.motion import Motion
from footfall.figure.resample import resample
from footfall.formats.save import written_whole
from footfall.picture.camera import Camera
from footfall.picture.figures import Cast, heading_of
from footfall.picture.tracks import Tracks
from footfall.world.foot_plan import FootPlan
from footfall.world.obstacle import Obstacle
from footfall.world.shapes.placed import Placed
from footfall.world.terrain import Ground

RATE = 12.5  # pictures a second; GIF counts in hundredths of a second, so this is exact
COLOURS = 64


def draw_clip(
    motion: Motion,
    *,
    view: str = "three-quarter",
    height: int = 320,
    plan: FootPlan | None = None,
    terrain: Ground | None = None,
    obstacles: Sequence[Obstacle | Placed] = (),
    clock: float = 0.0,
) -> list[UInt8[np.ndarray, "h w 3"]]:
    """One image per 8/100 s, all of one size, the figure in the middle.

    `clock` is what the courses of obstacles call the time of the first frame.
    """
    rate = min(RATE, motion.fps)
    cast = Cast.of(resample(motion, rate))
    moved = cast.motion
    tracks = Tracks.of(motion, plan, terrain, obstacles, clock)
    camera = Camera.looking(view, heading_of(moved))
    vertices, normals = cast.bodies(np.arange(len(moved)))
    centres = _smooth_path(moved.root)
    extent = camera.extremes(vertices - centres[:, None])
    framed = camera.framing(extent, width=1000)
    framed = camera.framing(extent, scale=framed.scale * height / framed.size[1])
    stage = tracks.stage(framed)
    prints = tracks.draw_prints(stage, tracks.prints)
    images = []
    for frame, seconds in enumerate(np.arange(len(moved)) / rate):
        stage.move(framed.centre + centres[frame])
        solids = tracks.solids(motion.fps * np.array([seconds]))
        stage.solid_shadows(solids)
        cast.draw_shadows(stage, vertices[frame])
        with stage.behind(solids):
            for layer in prints:
                stage.draw(layer)
            cast.draw(stage, vertices[frame : frame + 1], normals[frame : frame + 1])
        images.append((np.clip(stage.finished(), 0, 1) * 255).round().astype(np.uint8))
    return images


def _smooth_path(root: Float[np.ndarray, "frames 3"]) -> Float[np.ndarray, "frames 3"]:
    """The camera follows the figure over the ground without its bobbing."""
    count = min(9, len(root))
    padded = np.concatenate([np.repeat(root[:1], count // 2, 0), root, np.repeat(root[-1:], count // 2, 0)])
    kernel = np.ones(count) / count
    path = np.stack(
        [
            np.convolve(padded[:, k], kernel, mode="same")[count // 2 : count // 2 + len(root)]
            for k in range(3)
        ],
        1,
    )
    path[:, 1] = root[:, 1].mean()
    return path


def save_clip(
    motion: Motion,
    path: Path,
    *,
    view: str = "three-quarter",
    height: int = 320,
    plan: FootPlan | None = None,
    terrain: Ground | None = None,
    obstacles: Sequence[Obstacle | Placed] = (),
    clock: float = 0.0,
) -> None:
    try:
        from PIL import Image
    except ImportError:
        raise MissingExtra("drawing pictures", "plot") from None
    rate = min(RATE, motion.fps)
    drawn = draw_clip(
        motion, view=view, height=height, plan=plan, terrain=terrain, obstacles=obstacles, clock=clock
    )
    images = [Image.fromarray(image) for image in drawn]
    palette = images[len(images) // 2].quantize(COLOURS)
    frames = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    with written_whole(path) as file:
        frames[0].save(
            file, format="GIF", save_all=True, append_images=frames[1:], duration=round(1000 / rate), loop=0
        )
