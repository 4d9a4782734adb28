"""A picture of a terrain alone: from the side and from above, with the footprints of a plan on it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from jaxtyping import Float

from footfall.actor.humanoid import humanoid
from footfall.picture.camera import Camera
from footfall.picture.footprints import planned_footprints
from footfall.picture.landscape import Landscape
from footfall.picture.marks import Mark
from footfall.picture.page import WIDE, new_page, save_page
from footfall.picture.stage import Stage
from footfall.world.foot_plan import FootPlan
from footfall.world.mesh import MeshTerrain

VIEWS = ("three-quarter", "map")
TALLEST = 0.6  # of the width
PRINT_WIDTH = 1.6  # pixels


def draw_terrain(
    terrain: MeshTerrain, view: str, *, plan: FootPlan | None = None, width: int = 1500
) -> Float[np.ndarray, "h w 3"]:
    """All of a terrain from one side."""
    land = Landscape.whole(terrain)
    low, high = terrain.bounds
    heading = 0.0 if high[2] - low[2] >= high[0] - low[0] else 0.5 * np.pi
    camera = Camera.looking(view, heading)
    corners = np.array(
        [[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    )
    framed = camera.framing(corners, width=width)
    if framed.size[1] > TALLEST * width:
        framed = camera.framing(corners, scale=framed.scale * TALLEST * width / framed.size[1])
    stage = Stage(framed, None)
    stage.land(land)
    if plan is not None:
        marks = [
            m for p in planned_footprints(humanoid(), plan) for m in p.laid(land.drape(p.outline)).marks()
        ]
        stage.marks([Mark(m.points, m.colour, PRINT_WIDTH, m.closed) for m in marks])
    return stage.finished()


def save_terrain_picture(
    terrain: MeshTerrain, path: Path, *, plan: FootPlan | None = None, title: str = ""
) -> None:
    """The views under each other, as PNG or whatever matplotlib can write by the file's ending."""
    images = [draw_terrain(terrain, view, plan=plan) for view in VIEWS]
    inches = [image.shape[0] / image.shape[1] * WIDE for image in images]
    total = sum(inches) + 0.4 + 0.1 * len(images)
    figure = new_page(WIDE, total)
    figure.text(0.008, (total - 0.26) / total, title, fontsize=12)
    top = total - 0.4
    for image, tall in zip(images, inches, strict=True):
        axes = figure.add_axes((0.005, (top - tall) / total, 0.99, tall / total))
        axes.imshow(np.clip(image, 0, 1), aspect="auto", interpolation="antialiased")
        axes.axis("off")
        top -= tall + 0.1
    save_page(figure, path)
