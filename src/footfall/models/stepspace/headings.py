"""Headings for footprints that have none: the direction of travel, or in backward and side steps the trunk's.

Which of the two it is, the prints tell. Halfway through a swing a foot passes the other one on its own side:
the left foot on the left. So for each step every way of facing is judged by where the swing foot passes, by
how the travel lies to it (along it, against it, or across), and by how far one must turn from step to step;
the cheapest chain of facings over the whole plan is taken. Headings that are given are evidence for their
neighbours. Prints alone do not tell cross steps with one foot well ahead from a broad walk along the same
line, which is then taken: give such prints their headings.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Complex, Float, Int

from footfall.geometry import ground
from footfall.geometry.decisions import first_greatest, first_least
from footfall.world.foot_plan import FootPlan, PlannedStep

TOE_OUT = (0.12, -0.12)  # rad by which left and right feet point away from where the trunk faces
WAYS = 72  # facings that are tried for each step

# What a way of facing costs, in units of a squared standard deviation over two; fitted on captured steps
ASIDE = 0.22  # m to its own side at which a foot passes the other one, or a little more,
NARROW, BROAD = 0.09, 0.17  # m of deviation to the inside and to the outside
AHEAD = 0.055  # m of deviation of the middle of a swing from beside the other foot
MOST_ASIDE, MOST_AHEAD = 2.4, 3.7  # that one step may cost by where its foot passes
SIDEWAYS, BACKWARD = 3.2, 0.3  # steps that go aside, steps that go back
LONG, LONG_BACKWARD = 0.77, 2.0  # m of half a stride: longer ones are dear when they go back, per LONG
OBLIQUE, MOST_OBLIQUE = 0.13, 2.4  # rad of deviation between two of these ways, and what it may cost
STILL = 0.02  # m of half a stride under which its direction tells little
TURN, MOST_TURN = np.radians(24.0), 10.0  # rad from step to step, and what a turn may cost
GIVEN, GIVEN_BESIDE = 40.0, 20.0  # turning away from the support's given heading, from the swing foot's
STAND_BESIDE = 17.0  # turning away from the stand in which the plan begins or ends
REFINEMENTS = 12
AT_ENDS = 0.5  # of a step's turn, by which the first and the last print are turned further
TOGETHER = np.radians(20.0)  # between the feet that a plan starts with, at most
TOO_NEAR, SIDE_BY_SIDE = (0.08, 0.12), (0.20, 0.30)  # m between feet; from the one to the other bound of each
STANDING = 1.0  # how much a stand tells of its facing beside what the step next to it does
SLOPE = 1e-4  # rad over which costs are differentiated

# On the ground plane z + ix: then the angle of a number is its heading, and i turns to the left.
Plane = Complex[np.ndarray, "*n"]


def filled_headings(plan: FootPlan, toe_out: tuple[float, float] = TOE_OUT) -> Float[np.ndarray, "prints"]:
    """Headings of all footprints in radians: given ones are kept, the others found.

    `toe_out` is by how much the left and the right foot are turned from where the trunk faces, left positive;
    pass what the examples show.
    """
    given = np.array([np.nan if p.heading is None else p.heading for p in plan.placements])
    if len(given) and np.isfinite(given).all():
        return given
    outward = np.array([toe_out[0 if p.foot == "left" else 1] for p in plan.placements])
    facing = _standing(plan, given - outward) if _stands(plan) else _walking(plan, given - outward)
    return np.where(np.isfinite(given), given, ground.wrap(facing + outward))


def _stands(plan: FootPlan) -> bool:
    return len(plan) == 2 and plan.placements[0].foot != plan.placements[1].foot


def _standing(plan: FootPlan, given: Float[np.ndarray, "2"]) -> Float[np.ndarray, "2"]:
    """Two feet and no step: they face as the other one does, else across the line between them."""
    if np.isfinite(given).any():
        return np.full(2, given[np.isfinite(given)][0])
    left, right = (_plane(plan.of(foot)[0].position) for foot in ("left", "right"))
    return np.full(2, np.angle(-1j * (left - right)))


def _walking(plan: FootPlan, given: Float[np.ndarray, "prints"]) -> Float[np.ndarray, "prints"]:
    steps = plan.steps()
    passes = _Passes.of(plan, steps, given)
    facing = _refined(passes, _cheapest(passes))
    return _at_prints(plan, steps, facing)


def _plane(position: Float[np.ndarray, "*n 3"]) -> Plane:
    return position[..., 2] + 1j * position[..., 0]


@dataclass(frozen=True, eq=False)
class _Passes:
    """Of each step: where its foot passes the other, half its stride, and the facings that are given."""

    beside: Complex[np.ndarray, "steps"]  # from the right foot to the left one in the middle of the swing
    travel: Complex[np.ndarray, "steps"]  # of the middle between the feet
    pull: Complex[np.ndarray, "steps"]  # facings that are given or stood in, as long as they count

    @classmethod
    def of(
        cls, plan: FootPlan, steps: tuple[PlannedStep, ...], given: Float[np.ndarray, "prints"]
    ) -> _Passes:
        places = _plane(np.array([p.position for p in plan.placements]))
        roles = np.array([(s.origin, s.support, s.target) for s in steps])
        origin, support, target = places[roles].T
        side = np.array([1.0 if s.foot == "left" else -1.0 for s in steps])
        facing = np.where(np.isfinite(given), np.exp(1j * np.where(np.isfinite(given), given, 0.0)), 0.0)
        pull = GIVEN * facing[roles[:, 1]] + GIVEN_BESIDE * (facing[roles[:, 0]] + facing[roles[:, 2]])
        first, last = STAND_BESIDE * _stood(plan, steps)
        pull[0] += first
        pull[-1] += last
        return cls(side * (0.5 * (origin + target) - support), 0.5 * (target - origin), pull)

    def costs(self, facing: Float[np.ndarray, "ways steps"]) -> Float[np.ndarray, "ways steps"]:
        """What it costs each step to face one way or another."""
        back = np.exp(-1j * facing)
        return (
            _passing(self.beside * back)
            + _going(self.travel * back, np.abs(self.travel))
            + (np.abs(self.pull) - (self.pull * back).real)
        )


def _passing(beside: Complex[np.ndarray, "ways steps"]) -> Float[np.ndarray, "ways steps"]:
    """A foot passes the other on its own side, neither before nor behind it."""
    out = beside.imag - ASIDE
    aside = out / np.where(out < 0.0, NARROW, BROAD)
    return _limited(aside, MOST_ASIDE) + _limited(beside.real / AHEAD, MOST_AHEAD)


def _going(
    travel: Complex[np.ndarray, "ways steps"], length: Float[np.ndarray, "steps"]
) -> Float[np.ndarray, "ways steps"]:
    """People go forward, or back, or aside, and seldom between; long strides go forward."""
    ahead = travel.real / np.maximum(length, 1e-12)
    across = np.maximum(1.0 - ahead * ahead, 0.0)
    back = BACKWARD + LONG_BACKWARD * np.maximum(length / LONG - 1.0, 0.0)
    oblique = _limited(2.0 * ahead * np.sqrt(across) / OBLIQUE, MOST_OBLIQUE)
    cost = SIDEWAYS * across + back * 0.5 * (1.0 - ahead) + oblique
    return cost * length / (length + STILL)


def _limited(deviations: Float[np.ndarray, "*n"], most: float) -> Float[np.ndarray, "*n"]:
    """Half a square that does not grow beyond `most`."""
    return -most * np.expm1(-0.5 * deviations**2 / most)


def _cheapest(passes: _Passes) -> Float[np.ndarray, "steps"]:
    """The chain of facings that costs least, among so many ways for each step."""
    ways = np.arange(WAYS) * (2.0 * np.pi / WAYS)
    # counted from a direction of the plan's own, so that a turned plan has turned headings
    vectors = np.concatenate([passes.travel, -1j * passes.beside])
    first = float(np.angle(vectors[int(first_greatest(np.abs(vectors)))]))
    costs = passes.costs(first + ways[:, None]).T.copy()
    turning = _limited(ground.wrap(ways[:, None] - ways) / TURN, MOST_TURN)
    before: Int[np.ndarray, "steps ways"] = np.zeros(costs.shape, dtype=int)
    for k in range(1, len(costs)):
        chains = costs[k - 1] + turning
        before[k] = first_least(chains, axis=1)
        costs[k] += chains[np.arange(WAYS), before[k]]
    chosen = [int(first_least(costs[-1]))]
    for k in range(len(costs) - 1, 0, -1):
        chosen.append(int(before[k, chosen[-1]]))
    return np.unwrap(first + ways[chosen[::-1]])


def _refined(passes: _Passes, facing: Float[np.ndarray, "steps"]) -> Float[np.ndarray, "steps"]:
    """From the best of the ways to the best between them, by Newton's method."""
    from scipy.linalg import solveh_banded

    for _ in range(REFINEMENTS):
        nearby = passes.costs(facing + SLOPE * np.array([[-1.0], [0.0], [1.0]]))
        slope = (nearby[2] - nearby[0]) / (2.0 * SLOPE)
        bend = (nearby[2] - 2.0 * nearby[1] + nearby[0]) / SLOPE**2
        turns = np.diff(facing)
        # a turn that costs the most already no longer holds its neighbours
        hold = np.exp(-0.5 * (turns / TURN) ** 2 / MOST_TURN) / TURN**2
        matrix = np.zeros((2, len(facing)))
        matrix[1] = np.maximum(bend, 1.0)
        matrix[1, 1:] += hold
        matrix[1, :-1] += hold
        matrix[0, 1:] = -hold
        slope[1:] += hold * turns
        slope[:-1] -= hold * turns
        most = np.pi / WAYS
        step = solveh_banded(matrix, slope) if len(facing) > 1 else slope / matrix[1]
        facing = facing - np.clip(step, -most, most)
    return facing


def _at_prints(
    plan: FootPlan, steps: tuple[PlannedStep, ...], facing: Float[np.ndarray, "steps"]
) -> Float[np.ndarray, "prints"]:
    """A foot faces as the trunk does while it supports; one that never does, as where the plan begins or
    ends, or as in the steps that move it. Where the plan begins both feet face nearly the same way.
    """
    supporting = np.zeros(len(plan), dtype=complex)
    moved = np.zeros(len(plan), dtype=complex)
    for step, towards in zip(steps, np.exp(1j * facing), strict=True):
        supporting[step.support] += towards
        moved[step.origin] += towards
        moved[step.target] += towards
    stood = _stood(plan, steps)
    moved[:2] = _at_end(facing) + STANDING * stood[0]
    moved[-1] = _at_end(facing[::-1]) + STANDING * stood[-1]
    found = np.angle(np.where(np.abs(supporting) > 1e-6, supporting, moved))
    # the first support was set down before the first turn: it does not follow that alone, however far it goes
    origin, support = steps[0].origin, steps[0].support
    found[support] = found[origin] + np.clip(ground.wrap(found[support] - found[origin]), -TOGETHER, TOGETHER)
    return found


def _at_end(facing: Float[np.ndarray, "steps"]) -> complex:
    """Before the first of the steps: a little further round than in it."""
    return complex(np.exp(1j * (facing[0] + AT_ENDS * (facing[0] - facing[min(1, len(facing) - 1)]))))


def _stood(plan: FootPlan, steps: tuple[PlannedStep, ...]) -> Complex[np.ndarray, "2"]:
    """Which way the feet face in a stand before the first step and after the last; 0 where they do not stand.

    Prints nearer to each other than a foot is long do not lie one behind the other; nearer than it is broad,
    they are crossed or drawn amiss, and tell nothing. On the way, feet that turn come near each other too.
    """
    pairs = [(steps[0].origin, steps[0].support), (steps[-1].target, steps[-1].support)]
    side = np.array([1.0 if plan.placements[k].foot == "left" else -1.0 for k, _ in pairs])
    swing, support = _plane(np.array([[plan.placements[k].position for k in pair] for pair in pairs])).T
    across = -1j * side * (swing - support)
    apart = np.abs(across)
    surely = np.interp(apart, (*TOO_NEAR, *SIDE_BY_SIDE), (0.0, 1.0, 1.0, 0.0))
    return surely * across / np.maximum(apart, 1e-12)
