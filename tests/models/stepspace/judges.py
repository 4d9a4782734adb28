"""What tests of the step space share: plans drawn at random, and feet found from local turns by scipy."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
from jaxtyping import Float
from scipy.spatial.transform import Rotation

from footfall.adapt.one_figure import CleanClip, on_one_figure
from footfall.figure.contacts import SIDES
from footfall.figure.motion import Motion
from footfall.models.stepspace.captured import CapturedStep, captured_steps
from footfall.models.stepspace.following import Following
from footfall.models.stepspace.joined import JoinedSteps
from footfall.models.stepspace.model import StepSpace
from footfall.models.stepspace.planned import PlannedSteps
from footfall.world.foot_plan import FootPlacement, FootPlan
from footfall.world.terrain import Ground
from tests.models.stepspace.spaces import session_parts

ASIDE, AHEAD, TURN = (0.08, 0.3), (-0.45, 0.65), 0.5  # m, m, rad from the other foot's print
RUN_UP, RUN_OUT = (0.35, 0.55, 0.8, 1.0), (0.8, 0.5, 0.2)  # m from print to print, of the other foot
NARROW = 0.07  # m to the side of the line that is run along


def turned(vector: np.ndarray, heading: float) -> np.ndarray:
    return np.asarray(Rotation.from_rotvec([0.0, heading, 0.0]).apply(np.array(vector)))


def drawn_plan(
    seed: int, steps: int = 7, *, again: float = 0.0, uneven: float = 0.0, timed: bool = False
) -> FootPlan:
    """A plan that goes anywhere; `again` is how often a foot steps twice, `uneven` how high prints lie."""
    rng = np.random.default_rng(seed)
    facing, foot = float(rng.uniform(-3.0, 3.0)), SIDES[int(rng.integers(2))]
    stand = {
        side: (turned(np.array([0.1 * way, 0.0, 0.0]), facing), facing + 0.1 * way)
        for side, way in (("left", 1.0), ("right", -1.0))
    }
    made = [FootPlacement(side, *stand[side]) for side in SIDES]
    for _ in range(steps):
        if rng.uniform() >= again:
            foot = SIDES[1 - SIDES.index(foot)]
        place, heading = stand[SIDES[1 - SIDES.index(foot)]]
        way = 1.0 if foot == "left" else -1.0
        away = np.array([way * rng.uniform(*ASIDE), rng.uniform(-uneven, uneven), rng.uniform(*AHEAD)])
        stand[foot] = place + turned(away, heading), heading + float(rng.uniform(-TURN, TURN))
        times = {"swing": float(rng.uniform(0.35, 0.7)), "stance": float(rng.uniform(0.5, 1.2))}
        made.append(FootPlacement(foot, *stand[foot], **(times if timed else {})))
    return FootPlan(tuple(made))


def run_plan(steps: int = 12, stride: float = 1.1, **times: float) -> FootPlan:
    """From a stand into a run and out of it again, straight along +Z."""
    ways = [*RUN_UP, *[stride] * (steps - len(RUN_UP) - len(RUN_OUT)), *RUN_OUT]
    made = [FootPlacement(s, np.array([w * 0.09, 0.0, 0.0]), 0.0) for s, w in (("left", 1), ("right", -1))]
    for k, far in enumerate(np.cumsum(ways)):
        place = np.array([NARROW if k % 2 == 0 else -NARROW, 0.0, far])
        made.append(FootPlacement(SIDES[k % 2], place, 0.0, **times))
    return FootPlan(tuple(made))


def moved(plan: FootPlan, turn: float, shift: np.ndarray) -> FootPlan:
    """All prints turned about the vertical through the origin, then shifted."""
    return FootPlan(
        tuple(
            replace(
                p,
                position=turned(p.position, turn) + shift,
                heading=None if p.heading is None else p.heading + turn,
            )
            for p in plan.placements
        )
    )


def reflected(plan: FootPlan) -> FootPlan:
    """The plan in a mirror: left prints are right ones."""
    return FootPlan(
        tuple(
            replace(
                p,
                foot=SIDES[1 - SIDES.index(p.foot)],
                position=p.position * [-1.0, 1.0, 1.0],
                heading=None if p.heading is None else -p.heading,
            )
            for p in plan.placements
        )
    )


def raised(plan: FootPlan, number: int, rise: float) -> FootPlan:
    """One print higher than it was."""
    placements = list(plan.placements)
    placements[number] = replace(
        placements[number], position=placements[number].position + np.array([0.0, rise, 0.0])
    )
    return FootPlan(tuple(placements))


@cache
def clean_parts() -> tuple[CleanClip, ...]:
    return tuple(on_one_figure(session_parts()))


@cache
def walked_steps() -> tuple[CapturedStep, ...]:
    return tuple(captured_steps(clean_parts()))


def made_of(
    space: StepSpace, plan: FootPlan, terrain: Ground | None = None, selector: str = "fitted"
) -> tuple[Following, PlannedSteps, JoinedSteps]:
    """A plan from a stand to a stand, up to the joined steps."""
    made = Following.of(space, plan, space.wishes(60.0, True, True, selector, terrain, 0.25))
    return made, *made.joined()


def feet_of(motion: Motion, side: str) -> tuple[Float[np.ndarray, "frames 3"], Rotation]:
    """Ankle places and foot turns, by rotations multiplied along the chain from the root to the foot."""
    skeleton = motion.skeleton
    chain = [skeleton.joint(f"{side}_foot")]
    while skeleton.parents[chain[-1]] >= 0:
        chain.append(int(skeleton.parents[chain[-1]]))
    place, turn = np.array(motion.root), Rotation.from_quat(motion.rotations[:, 0], scalar_first=True)
    for joint in chain[-2::-1]:
        place = place + turn.apply(np.array(skeleton.offsets[joint]))
        turn = turn * Rotation.from_quat(motion.rotations[:, joint], scalar_first=True)
    return place, turn


def sole_of(motion: Motion, side: str) -> dict[str, Float[np.ndarray, "frames 3"]]:
    """Heel, subtalar and ball in the world."""
    ankle, turn = feet_of(motion, side)
    points = motion.skeleton.foot_points(side)
    return {
        name: ankle + turn.apply(np.array(getattr(points, name))) for name in ("heel", "subtalar", "ball")
    }


def missed(motion: Motion, plan: FootPlan) -> float:
    """How far the subtalar of a flat foot ever is from its print, m; infinite where one has no turn."""
    assert motion.contacts is not None
    worst = 0.0
    for side in SIDES:
        places = sole_of(motion, side)["subtalar"][motion.contacts.flat(side)]
        prints = np.array([p.position for p in plan.of(side)])
        away = np.linalg.norm(places[:, None] - prints, axis=-1)
        if away.min(axis=0, initial=np.inf).max() > 1e-6:
            return np.inf
        worst = max(worst, float(away.min(axis=1).max()))
    return worst
