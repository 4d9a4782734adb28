"""Random foot plans drawn from the distribution of captured steps.

A plan begins in a captured stance. Each next step is one that people took from such a stance: among the steps
of the foot whose turn it is, one of those that began near where the feet stand now is picked, and lands where
it landed then, give or take a centimetre and two degrees. A plan keeps to a kind of step for a while.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float, Int

from footfall.analysis.steps import BACKWARD_BEYOND, CROSSED, FORWARD_WITHIN, Step
from footfall.errors import RequestError
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.world.foot_plan import FEET, FootPlacement, FootPlan

KINDS = ("forward", "backward", "side", "cross", "turning")
TURNING = np.radians(30.0)  # of the swing foot, from print to print
KEPT_FOR = (4, 9)  # steps for which a plan keeps to a kind
ANGLE_WEIGHT = 0.25  # m a radian, [stepping] 6: 1.0 spatial, 0.25 angular
NEAR, WIDER, FARTHEST = (
    0.06,
    1.4,
    0.20,
)  # m: how near stances must be, how much wider next, at most for a kind
ENOUGH = 4  # steps to pick from
LOOKED_AHEAD, EFFORT = 8, 3.0  # steps to one of a kind, and what each costs beside how badly it follows
NOISE = 0.01, np.radians(2.0)  # m, rad: standard deviations
APART = 0.06  # m between prints of the two feet
MIRROR = np.array([-1.0, 1.0, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0])  # of S_high

High = Float[np.ndarray, "steps 10"]


def gathered(steps: Sequence[Step], *, mirrored: bool = True) -> dict[str, High]:
    """S_high of captured steps by swing foot, with the mirror images of the other foot's."""
    own = {foot: np.array([s.high for s in steps if s.foot == foot]).reshape(-1, 10) for foot in FEET}
    if not mirrored:
        return own
    return {foot: np.concatenate([own[foot], own[_other(foot)] * MIRROR]) for foot in FEET}


def random_plans(
    steps_high: Mapping[str, High],
    count: int,
    *,
    steps: int = 24,
    seed: int = 0,
    kinds: Sequence[str] | None = None,
    timed: bool = False,
) -> Iterator[FootPlan]:
    """Plans of so many steps; the k-th depends on the seed and k alone.

    `kinds` are gone through in turn within each plan, such as ("forward", "backward", "forward"); without,
    each plan draws its own as often as people took them. `timed` plans ask for captured swings and stances.
    """
    pools = {foot: _Pool.of(foot, np.asarray(steps_high[foot], dtype=float)) for foot in FEET}
    _check_kinds(pools, kinds)
    efforts = {kind: efforts_to(pools, kind) for kind in (kinds or KINDS)}
    for k in range(count):
        yield _random_plan(pools, efforts, steps, np.random.default_rng([seed, k]), kinds, timed)


def edited(plan: FootPlan, k: int, shift: Sequence[float]) -> FootPlan:
    """The plan with its k-th footprint moved by (x, y, z) metres."""
    moved = replace(plan.placements[k], position=plan.placements[k].position + np.asarray(shift, dtype=float))
    return FootPlan((*plan.placements[:k], moved, *plan.placements[k + 1 :]))


@dataclass(frozen=True, eq=False)
class _Pool:
    """The captured steps of one foot, and which of them are of which kind."""

    foot: str
    high: High
    kinds: Mapping[str, Bool[np.ndarray, "steps"]]

    @classmethod
    def of(cls, foot: str, high: High) -> _Pool:
        apart = np.hypot(high[:, [0, 2]], high[:, [1, 3]]).min(axis=1) >= APART
        high = high[apart]
        return cls(foot, high, kinds_of(high, foot))

    def near(
        self, stance: Float[np.ndarray, "3"], kind: str, efforts: Float[np.ndarray, "steps"]
    ) -> Int[np.ndarray, "found"]:
        """Steps that began in such a stance, of the kind where there are any; else those that lead to it."""
        away = _away(self.high[:, [0, 1, 4]] - stance)
        found = _within(away, self.kinds[kind])
        if len(found):
            return found
        return np.argsort((away / NEAR) ** 2 + efforts, kind="stable")[:2]


def efforts_to(pools: Mapping[str, _Pool], kind: str) -> dict[str, Float[np.ndarray, "steps"]]:
    """What it takes to come from each step to one of a kind: steps between, and how badly they follow.

    A walker who is to go back must stand first, and stands only after a step that closes the feet.
    """
    follow = {
        foot: np.array(
            [(_away(pools[_other(foot)].high[:, [0, 1, 4]] - end) / NEAR) ** 2 for end in _ends(pool.high)]
        )
        for foot, pool in pools.items()
    }
    efforts = {foot: np.where(pool.kinds[kind], 0.0, np.inf) for foot, pool in pools.items()}
    for _ in range(LOOKED_AHEAD):
        efforts = {
            foot: np.minimum(efforts[foot], EFFORT + (follow[foot] + efforts[_other(foot)]).min(axis=1))
            for foot in FEET
        }
    return efforts


def _within(
    away: Float[np.ndarray, "steps"], suitable: Bool[np.ndarray, "steps"]
) -> Int[np.ndarray, "found"]:
    """Suitable steps as near as possible, but enough of them; none where all are far."""
    tolerance = NEAR
    while tolerance < FARTHEST:
        found = np.flatnonzero((away < tolerance) & suitable)
        if len(found) >= ENOUGH:
            return found
        tolerance *= WIDER
    return np.flatnonzero((away < FARTHEST) & suitable)


def _ends(high: High) -> Float[np.ndarray, "steps 3"]:
    """The stance in which each step ends: x, z and heading of the support foot as the landed one sees it."""
    x, z, theta = high[:, [2, 3, 5]].T
    seen = quat.rotate(ground.turn(-theta), np.stack([-x, 0.0 * x, -z], axis=-1))
    return np.stack([seen[:, 0], seen[:, 2], -theta], axis=-1)


def kinds_of(high: High, foot: str) -> dict[str, Bool[np.ndarray, "steps"]]:
    """Which steps go forward, back, aside, across or round, judged from their footprints alone."""
    x1, z1, x2, z2, theta1, theta2 = high[:, :6].T
    facing = (theta1 + theta2) / 4.0  # between the support foot, at 0, and the swing foot
    away = np.abs(ground.wrap(np.arctan2(x2 - x1, z2 - z1) - facing))
    side = 1.0 if foot == "left" else -1.0
    crossed = np.zeros(len(high), dtype=bool)
    for x, z in ((x1, z1), (x2, z2)):
        crossed |= side * (x * np.cos(facing) - z * np.sin(facing)) < -CROSSED
    forward, backward = away < FORWARD_WITHIN, away > BACKWARD_BEYOND
    aside = ~forward & ~backward
    turning = np.abs(ground.wrap(theta2 - theta1)) > TURNING
    return {
        "forward": forward & ~turning,
        "backward": backward & ~turning,
        "side": aside & ~crossed,
        "cross": aside & crossed,
        "turning": turning,
    }


def _check_kinds(pools: Mapping[str, _Pool], kinds: Sequence[str] | None) -> None:
    there = [k for k in KINDS if all(pool.kinds[k].any() for pool in pools.values())]
    unknown = [k for k in kinds or there[:1] or ("any",) if k not in there]
    if unknown:
        raise RequestError(f"no captured steps are {unknown[0]!r}; there are {', '.join(there) or 'none'}")


def _random_plan(
    pools: Mapping[str, _Pool],
    efforts: Mapping[str, Mapping[str, Float[np.ndarray, "steps"]]],
    steps: int,
    rng: np.random.Generator,
    kinds: Sequence[str] | None,
    timed: bool,
) -> FootPlan:
    wanted = _kinds_in_turn(pools, steps, rng, kinds)
    foot = FEET[int(rng.integers(2))]
    pool = pools[foot]
    first = pool.high[rng.choice(np.flatnonzero(pool.kinds[wanted[0]]))]
    support = FootPlacement(_other(foot), np.zeros(3), float(rng.uniform(-np.pi, np.pi)))
    placements = [_placed(support, foot, first[[0, 1, 4]]), support]
    for kind in wanted:
        origin, support = placements[-2], placements[-1]
        pool = pools[origin.foot]
        found = pool.near(_stance(origin, support), kind, efforts[kind][origin.foot])
        high = pool.high[found[int(rng.integers(len(found)))]]
        times = (float(high[8]), float(high[7])) if timed else (None, None)
        placements.append(_placed(support, origin.foot, _shaken(high[[2, 3, 5]], rng), *times))
    return FootPlan(tuple(placements))


def _kinds_in_turn(
    pools: Mapping[str, _Pool], steps: int, rng: np.random.Generator, kinds: Sequence[str] | None
) -> list[str]:
    """A kind for each step."""
    if kinds is not None:
        return [kinds[k * len(kinds) // steps] for k in range(steps)]
    shares = np.array([sum(int(pool.kinds[k].sum()) for pool in pools.values()) for k in KINDS], dtype=float)
    wanted: list[str] = []
    while len(wanted) < steps:
        kind = KINDS[int(rng.choice(len(KINDS), p=shares / shares.sum()))]
        wanted += [kind] * int(rng.integers(*KEPT_FOR))
    return wanted[:steps]


def _shaken(place: Float[np.ndarray, "3"], rng: np.random.Generator) -> Float[np.ndarray, "3"]:
    """x, z and heading with a little noise, not on the other foot."""
    size = np.array([NOISE[0], NOISE[0], NOISE[1]])
    while True:
        shaken = place + size * rng.standard_normal(3)
        if np.hypot(*shaken[:2]) >= APART:
            return shaken


def _stance(foot: FootPlacement, support: FootPlacement) -> Float[np.ndarray, "3"]:
    """x, z and heading of a foot in the frame of the other."""
    assert foot.heading is not None
    assert support.heading is not None
    local = quat.rotate(ground.turn(-support.heading), foot.position - support.position)
    return np.array([local[0], local[2], float(ground.wrap(foot.heading - support.heading))])


def _placed(
    support: FootPlacement,
    foot: str,
    place: Float[np.ndarray, "3"],
    swing: float | None = None,
    stance: float | None = None,
) -> FootPlacement:
    """The inverse of `_stance`."""
    assert support.heading is not None
    x, z, theta = place
    position = support.position + quat.rotate(ground.turn(support.heading), np.array([x, 0.0, z]))
    return FootPlacement(foot, position, float(ground.wrap(support.heading + theta)), swing, stance)


def _away(stances: Float[np.ndarray, "n 3"]) -> Float[np.ndarray, "n"]:
    x, z, theta = stances.T
    return np.sqrt(x * x + z * z + (ANGLE_WEIGHT * ground.wrap(theta)) ** 2)


def _other(foot: str) -> str:
    return FEET[1 - FEET.index(foot)]
