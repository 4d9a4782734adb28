"""What is true of ground that can be crossed, found out with rays: nothing here knows how it was made."""

from __future__ import annotations

from functools import cache

import numpy as np

from footfall.world.generators.generate import KINDS, generate
from footfall.world.generators.generated import Generated

SEEDS = range(100)
BUILT = [kind for kind in KINDS if kind not in ("flat", "bumps")]
HEEL = 0.06 / 0.27  # of the foot's length behind the subtalar
BENT = 0.005  # m by which smooth ground may leave a plane under a foot
EXACT = 1e-9  # m


@cache
def made(kind: str, seed: int) -> Generated:
    return generate(kind, seed)


def placements(ground: Generated) -> tuple[np.ndarray, np.ndarray]:
    """Positions (n, 3) and headings (n,)."""
    feet = ground.crossing.placements
    return np.stack([p.position for p in feet]), np.array([p.heading for p in feet], dtype=float)


def on_foot(ground: Generated, share_along: np.ndarray, share_left: np.ndarray) -> np.ndarray:
    """Points of the ground under every foot (n, points, 3), at shares of length and width from its middle."""
    position, heading = placements(ground)
    limits = ground.limits
    along = (share_along + 0.5 - HEEL) * limits.foot_length
    left = share_left * limits.foot_width
    sine, cosine = np.sin(heading)[:, None], np.cos(heading)[:, None]
    x = position[:, :1] + along * sine + left * cosine
    z = position[:, 2:] + along * cosine - left * sine
    y = ground.terrain.height(x, z, position[:, 1:2] + 1.0)
    return np.stack([x, y, z], axis=-1)


def off_plane(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How far points (n, points, 3) are from the planes nearest to them at most, and how steep these are."""
    middle = points.mean(axis=1, keepdims=True)
    _, _, axes = np.linalg.svd(points - middle, full_matrices=False)
    normal = axes[:, 2]
    away = np.abs(np.einsum("npk,nk->np", points - middle, normal)).max(axis=1)
    return away, np.arccos(np.clip(np.abs(normal[:, 1]), 0.0, 1.0))


def judge_crossing(ground: Generated) -> None:
    """Limits kept, feet in turn, each on one plane of ground, from the origin to the far landing."""
    limits, kind = ground.limits, ground.kind
    position, heading = placements(ground)
    feet = [p.foot for p in ground.crossing.placements]
    assert feet == (["left", "right"] * len(feet))[: len(feet)]
    x, y, z = position.T
    # side by side about the origin, faced ahead, the left foot to the left
    assert y[:2].tolist() == z[:2].tolist() == heading[:2].tolist() == [0.0, 0.0]
    assert abs(x[0] + x[1]) < EXACT
    assert limits.foot_width < x[0] - x[1] <= min(1.8 * limits.foot_width + EXACT, limits.length)
    steps = np.diff(position[1:], axis=0)
    assert np.abs(steps[:, 1]).max() <= limits.rise + EXACT
    assert np.hypot(steps[:, 0], steps[:, 2]).max() <= limits.length + EXACT
    # the end: feet side by side
    aside = position[-2] - position[-1]
    assert abs(aside @ [np.sin(heading[-1]), 0.0, np.cos(heading[-1])]) < EXACT
    # on the surface
    assert np.abs(ground.terrain.height(x, z, y + 1.0) - y).max() < EXACT
    smooth = kind == "bumps"
    shares = np.linspace(-0.5, 0.5, 3 if smooth else 9), np.linspace(-0.5, 0.5, 3 if smooth else 5)
    along, left = (part.ravel() for part in np.meshgrid(*shares))
    if smooth:  # corners and middle
        chosen = (np.abs(along) == 0.5) & (np.abs(left) == 0.5) | (along == 0.0) & (left == 0.0)
        along, left = along[chosen], left[chosen]
    under = on_foot(ground, along, left)
    assert np.isfinite(under).all()
    away, slope = off_plane(under)
    assert away.max() < (BENT if smooth else EXACT)
    assert slope.max() <= limits.slope + 1e-6
    normal = ground.terrain.normal(x, z, y + 1.0)
    assert np.arccos(np.minimum(normal[:, 1], 1.0)).max() <= limits.slope + 1e-6
    assert (np.hypot(np.diff(x), np.diff(z)) > limits.foot_width).all()  # no foot on another one


def judge_landings(ground: Generated) -> None:
    """Level ground for a metre round the origin, and under and round the last feet."""
    rng = np.random.default_rng(0)
    radius, angle = np.sqrt(rng.uniform(0.0, 1.0, 60)), rng.uniform(0.0, 2.0 * np.pi, 60)
    heights = ground.terrain.height(radius * np.cos(angle), radius * np.sin(angle), 1.0)
    assert np.abs(heights).max() < EXACT
    position, heading = placements(ground)
    middle, ahead = position[-2:].mean(axis=0), np.array([np.sin(heading[-1]), np.cos(heading[-1])])
    along, left = ground.limits.foot_length * radius * np.cos(angle), position[-1] - position[-2]
    x, z = middle[::2, None] + along * ahead[:, None] + left[::2, None] * radius * np.sin(angle)
    assert np.abs(ground.terrain.height(x, z, middle[1] + 1.0) - middle[1]).max() < EXACT


def judge_rays(ground: Generated, places: int = 256) -> int:
    """Where it is walkable a ray from above meets ground, elsewhere none; returns how many were walkable.

    At random places, at the very vertices, and on edges.
    """
    rng = np.random.default_rng(1)
    terrain = ground.terrain
    low, high = terrain.bounds
    x, z = rng.uniform(low[[0, 2]] - 0.2, high[[0, 2]] + 0.2, (places, 2)).T
    corners = terrain.vertices[terrain.triangles]
    if len(corners) > 300:
        corners = rng.choice(corners, 300, replace=False)
    share = rng.uniform(0.0, 1.0, (len(corners), 3, 1))
    on_edges = corners + share * (np.roll(corners, -1, axis=1) - corners)
    middles = 0.5 * (corners + np.roll(corners, -1, axis=1))
    special = np.concatenate([corners.reshape(-1, 3), on_edges.reshape(-1, 3), middles.reshape(-1, 3)])
    for chosen_x, chosen_z in ((x, z), (special[:, 0], special[:, 2])):
        walkable = ground.walkable(chosen_x, chosen_z)
        hit = np.isfinite(terrain.height(chosen_x, chosen_z))
        assert hit[walkable].all()
        # a ray that touches the border only may be either
        inside = walkable | ~hit
        if not inside.all():
            nudged = [
                ground.walkable(chosen_x[~inside] + 1e-9 * dx, chosen_z[~inside] + 1e-9 * dz)
                for dx in (-1, 1)
                for dz in (-1, 1)
            ]
            assert np.any(nudged, axis=0).all()
    return int(ground.walkable(x, z).sum())


def judge_mesh(ground: Generated, *, undersides: bool = False) -> None:
    """No triangle without area; closed but for the bottom, faced outwards: all its volumes are one."""
    terrain = ground.terrain
    corners = terrain.vertices[terrain.triangles]
    vector = 0.5 * np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.linalg.norm(vector, axis=1)
    longest = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=-1).max(axis=1)
    assert (area / longest**2).min() > 1e-10
    steep = vector[:, 1] / area
    assert (steep.min() < -0.99) if undersides else (steep.min() > -1e-9)
    if ground.kind in ("flat", "bumps"):
        assert steep.min() > 0.5
        return
    base = terrain.vertices[terrain.triangles][..., 1].min()
    middle = corners.mean(axis=1) - np.array([0.0, base, 0.0])
    volumes = np.sum(middle * vector, axis=0)  # by each axis, as Gauss has it
    assert volumes.min() > 1.0
    np.testing.assert_allclose(volumes, volumes[0], rtol=1e-9)
    # what goes down to the base stands on the border: there is ground behind it and none before it
    outer = (np.abs(steep) < 1e-9) & (corners[..., 1].min(axis=1) == base)
    beyond = corners[outer].mean(axis=1) + 1e-6 * vector[outer] / area[outer, None]
    within = corners[outer].mean(axis=1) - 1e-6 * vector[outer] / area[outer, None]
    assert np.isneginf(terrain.height(beyond[:, 0], beyond[:, 2])).all()
    assert np.isfinite(terrain.height(within[:, 0], within[:, 2])).all()
