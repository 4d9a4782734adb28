"""Figures of a motion as bodies on a stage: which frames to show, where, and how they are drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from footfall.errors import RequestError
from footfall.figure.kinematics import attached
from footfall.figure.mannequin import Mannequin, build_mannequin
from footfall.figure.motion import Motion
from footfall.geometry import ground
from footfall.geometry.quaternion import cross
from footfall.picture.camera import Camera
from footfall.picture.stage import Stage


@dataclass(frozen=True, eq=False)
class Cast:
    """A motion with its body: what every picture of it needs."""

    motion: Motion
    mannequin: Mannequin

    @classmethod
    def of(cls, motion: Motion) -> Cast:
        if len(motion) == 0:
            raise RequestError("a motion without frames has nothing to show; render a clip with frames")
        return cls(motion, build_mannequin(motion.skeleton))

    def bodies(
        self, frames: Int[np.ndarray, "n"]
    ) -> tuple[Float[np.ndarray, "n vertices 3"], Float[np.ndarray, "n vertices 3"]]:
        """Vertices and normals of the body in some frames."""
        motion = self.motion
        return self.mannequin.posed(motion.skeleton, motion.positions[frames], motion.orientations[frames])

    def draw_shadows(self, stage: Stage, vertices: Float[np.ndarray, "n vertices 3"]) -> None:
        """On the ground alone: draw them before anything that stands on it."""
        stage.shadows(vertices, self.mannequin.triangles, closed=True)

    def draw(
        self,
        stage: Stage,
        vertices: Float[np.ndarray, "n vertices 3"],
        normals: Float[np.ndarray, "n vertices 3"],
    ) -> None:
        for body, normal in zip(vertices, normals, strict=True):
            stage.body(body, normal, self.mannequin.colours, self.mannequin.triangles, closed=True)


def floor_of(motion: Motion) -> float:
    """The level the soles come down to, else the lowest joints; a low percentile, for captures spike."""
    skeleton = motion.skeleton
    if not skeleton.sides:
        return float(np.percentile(motion.positions[..., 1].min(axis=-1), 2))
    soles = [
        attached(
            motion.positions,
            motion.orientations,
            [skeleton.joint(f"{s}_foot")] * 2,
            np.stack([p.heel, p.ball]),
        )
        for s in skeleton.sides
        for p in [skeleton.foot_points(s)]
    ]
    return float(np.percentile(np.concatenate(soles, axis=-2)[..., 1].min(axis=-1), 5))


def path_heading(path: Float[np.ndarray, "n 3"]) -> float:
    """Along the ground that a path covers most, away from where it starts."""
    away = (path - path.mean(axis=0)) * [1.0, 0.0, 1.0]
    along = np.linalg.svd(away, full_matrices=False)[2][0]
    return float(ground.heading_of(-along if away[0] @ along > 0 else along))


def heading_of(motion: Motion) -> float:
    """Where the figure goes, or where it faces when it stays."""
    travel = motion.root[-1] - motion.root[0]
    if np.linalg.norm(travel[[0, 2]]) > 0.5:
        return float(ground.heading_of(travel))
    skeleton = motion.skeleton
    if skeleton.has("left_thigh", "right_thigh"):
        across = (motion.of("left_thigh") - motion.of("right_thigh")).mean(axis=0)
        return float(ground.heading_of(cross(across, ground.UP)))
    return 0.0


def shown_frames(motion: Motion, count: int) -> Int[np.ndarray, "n"]:
    """Frames spread evenly over the time, the first and the last among them."""
    if count < 1:
        raise RequestError(f"at least one figure must be shown, not {count}")
    return np.unique(np.linspace(0, len(motion) - 1, min(count, len(motion))).round().astype(int))


def spread(
    vertices: Float[np.ndarray, "n vertices 3"], roots: Float[np.ndarray, "n 3"], camera: Camera, gap: float
) -> Float[np.ndarray, "n 3"]:
    """Shifts to the right of the picture that keep figures at least `gap` apart; zero where they are."""
    along = roots @ camera.right
    shifts = np.zeros(len(roots))
    direction = 1.0
    for i in range(1, len(roots)):
        step = along[i] + shifts[i - 1] - (along[i - 1] + shifts[i - 1])
        shifts[i] = shifts[i - 1] + max(gap - direction * step, 0.0) * direction
    return shifts[:, None] * camera.right
