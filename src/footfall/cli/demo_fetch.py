"""The demo's errand: a ball fetched from a table and left on another one."""

from __future__ import annotations

import numpy as np

from footfall.world.obstacle import Obstacle
from footfall.world.scene import Scene, SceneObject, Task
from footfall.world.shapes.box import Box
from footfall.world.shapes.cylinder import Cylinder
from footfall.world.shapes.sphere import Sphere


def demo_errand() -> Scene:
    """Round a post to a table, a ball from it, and down on a low one."""
    table = Obstacle(Box(np.array([1.2, 0.75, 0.6])), np.array([0.0, 0.375, 2.4]), name="table")
    low = Obstacle(Box(np.array([0.8, 0.4, 0.5])), np.array([1.9, 0.2, 0.6]), name="low table")
    post = Obstacle(Cylinder(0.2, 1.0), np.array([0.0, 0.5, 1.1]), name="post")
    ball = SceneObject("ball", Sphere(0.045), np.array([-0.25, 0.795, 2.25]))
    tasks = (
        Task("look_at", "ball", {"seconds": 0.6}),
        Task("pick_up", "ball"),
        Task("put_down", (1.75, 0.445, 0.6)),
        Task("go_to", (0.6, 0.0), {"heading": 0.0}),
    )
    return Scene(obstacles=(table, low, post), objects=(ball,), tasks=tasks)
