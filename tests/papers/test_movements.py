"""[movements] Semancik, Pelikan and Zara 2004: what the paper says of its steps, jumps, errors and joins.

Readings as in the errata: kernels twice as wide as the distance to the nearest other example, a least-
squares hyperplane, the maximum norm. Its open ends (sliding feet, examples chosen by hand, body parts) are
closed here.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

import footfall as ff
from footfall.align.smooth_time import cubics, generic_at
from footfall.analysis.smoothness import acceleration_ratio
from footfall.figure import kinematics
from footfall.models.movements.cut import cut_movements
from footfall.models.movements.kind import MovementKind, measured_parameters
from footfall.models.movements.prepared import Prepared, prepare
from footfall.weights.spanning import spanning_set
from tests.captured import captured, clips
from tests.captures import needs_captures

STEPS = ("left_step", "right_step")
PLACED = ("end_length", "end_side", "end_rise")


@cache
def library() -> ff.MovementLibrary:
    actor = ff.VirtualActor()
    jumps = [(0.2, 0.12), (0.2, 0.38), (0.9, 0.15), (0.9, 0.38), (1.6, 0.2), (1.6, 0.4)]
    examples = [*actor.perform("movements"), *(actor.at(30.0).jump(*jump) for jump in jumps)]
    return ff.build_movements(examples)


@cache
def straight_steps(side: str) -> MovementKind:
    """The actor's fifteen, without pseudo-examples."""
    kind = library().kinds[side]
    return MovementKind.of(side, kind.examples, kind.space.names)


@cache
def placed_steps() -> MovementKind:
    """Subject 83's first step of each clip, from standing to a place: all as right steps."""
    files = clips("steps")
    first: dict[str, ff.Example] = {}
    for example in cut_movements([captured(file) for file in files], files):
        first.setdefault(example.name.split(",")[0], example)
    found: list[Prepared] = []
    for example in first.values():
        if example.kind == "right_step":
            found.append(prepare(example, (None, (1, 2)), 30.0))
        else:
            found.append(prepare(example, ((1, 2), None), 30.0).mirrored())
    apart = spanning_set(measured_parameters(found, PLACED), spacing=0.15)
    return MovementKind.of("right_step", [found[i] for i in apart], PLACED)


KINDS = [
    *(pytest.param(lambda side=side: straight_steps(side), id=side) for side in STEPS),
    pytest.param(placed_steps, id="captured", marks=needs_captures),
]


def random_sequence(seed: int, count: int = 100) -> list[tuple[str, dict[str, float]]]:
    """Steps of alternating feet and a jump now and then, all within what the examples span."""
    rng = np.random.default_rng(seed)
    sequence: list[tuple[str, dict[str, float]]] = []
    foot = 0
    while len(sequence) < count:
        if rng.random() < 0.1:
            wishes = {"length": float(rng.uniform(0.3, 1.5)), "height": float(rng.uniform(0.2, 0.35))}
            sequence.append(("jump", wishes))
            continue
        length = float(rng.uniform(0.40, 0.75)) if rng.random() < 0.9 or not sequence else 0.0
        sequence.append((STEPS[foot], {"end_length": length}))
        foot = 1 - foot
    return sequence


@cache
def played(seed: int) -> ff.PlayedMovements:
    return library().play(random_sequence(seed))


class TestWeights:
    """Section 4: w_i(p_j) is 1 where i = j and 0 elsewhere, and an example's parameters give it back."""

    @pytest.mark.parametrize("kind", KINDS)
    def test_are_cardinal_and_sum_to_one(self, kind) -> None:
        made = kind()
        weights = made.scheme(made.space.to_metric(made.space.points))
        assert_allclose(weights, np.eye(len(made.examples)), atol=1e-9)
        anywhere = made.scheme(made.space.to_metric(made.space.sample(1000, 1)))
        assert_allclose(anywhere.sum(axis=1), 1.0, atol=1e-12)

    @pytest.mark.parametrize("kind", KINDS)
    def test_an_examples_parameters_give_the_example_back(self, kind) -> None:
        made = kind()
        for number, example in enumerate(made.examples):
            weights = made.weights(made.space.points[number])
            keytimes = made.tables.blended_keytimes(weights)
            motion = example.motion
            times = motion.times - example.lead
            inside = np.flatnonzero((times >= 0.0) & (times <= example.keytimes[-1]))
            generic = generic_at(times[inside], cubics(keytimes))
            root, rotations = made.tables.blend(weights, generic)
            skeleton = motion.skeleton
            places, _ = kinematics.forward(skeleton.tree, skeleton.offsets, root, rotations)
            assert np.abs(places - motion.positions[inside]).max() < 1e-9


class TestInterpolationError:
    """Section 7: up to 3.3 cm before, under 1 cm after about ten pseudo-examples, under 0.01 mm at them."""

    @pytest.mark.parametrize("side", STEPS)
    def test_of_straight_steps(self, side: str) -> None:
        made = straight_steps(side)
        refined, told = made.refined(10)
        asked = made.space.to_metric(made.space.sample(10_000, 7))

        def worst(kind: MovementKind) -> float:
            return float(np.abs(kind.measured(kind.scheme(asked)) - asked).max())

        assert told is not None
        assert worst(made) < 0.033  # the paper's
        assert worst(refined) < min(0.01, worst(made))
        assert len(refined.pseudo_points) <= 10
        at = made.space.to_metric(refined.pseudo_points)
        assert np.abs(refined.measured(refined.scheme(at)) - at).max() < 1e-5

    @needs_captures
    def test_of_captured_steps_to_a_place(self) -> None:
        made = placed_steps()
        refined, _ = made.refined(40)
        asked = made.space.to_metric(made.space.sample(10_000, 7))
        assert np.abs(refined.measured(refined.scheme(asked)) - asked).max() < 0.01


class TestSequences:
    """Section 5: a seamless continuous motion of given steps; and without the sliding of section 7."""

    @pytest.mark.parametrize("seed", range(3))
    def test_keep_their_promises(self, seed: int) -> None:
        motion = played(seed)
        told = ff.certificate(motion, plan=motion.plan, terrain=ff.FlatTerrain(), reference=motion.examples)
        assert told.slide_max_m < 1e-6
        assert told.penetration_max_m < 1e-3
        assert told.placement_max_m < 1e-6
        assert told.leg_extension_max <= 0.9951
        assert acceleration_ratio(motion, motion.examples) < 2.0

    @pytest.mark.parametrize("seed", range(3))
    def test_put_footprints_where_the_parameters_say(self, seed: int) -> None:
        """Told by the plants of the finished motion: where the other foot lands ahead of the one that
        stands.
        """
        motion = played(seed)
        assert not [word for word in motion.clamped if "put in before" not in word]
        assert [k for k in motion.kinds if k == "jump"] == [
            k for k, _ in random_sequence(seed) if k == "jump"
        ]
        plants = ff.detect_plants(motion, motion.contacts)
        ends = [*motion.begins[1:], motion.seconds]
        measured = 0
        for kind, given, begin, end in zip(motion.kinds, motion.given, motion.begins, ends, strict=True):
            if kind == "jump":
                continue
            foot = kind.removesuffix("_step")
            first, last = begin * motion.fps, end * motion.fps
            lands = [p for p in plants if p.foot == foot and first < p.start <= last + 1 and p.flat]
            stands = [
                p for p in plants if p.foot != foot and p.start <= first + 1 and p.end >= last - 1 and p.flat
            ]
            if lands and stands:
                ahead = lands[0].position - stands[0].position
                assert_allclose(ahead[2], given["end_length"], atol=1e-6)
                measured += 1
        assert measured > 0.9 * sum(k != "jump" for k in motion.kinds)

    @pytest.mark.parametrize("seed", range(2))
    def test_join_without_a_jump_of_place_or_rate(self, seed: int) -> None:
        """One-sided rates on both sides of every join: what differs is what acceleration accounts for."""
        chain = random_sequence(seed, 12)
        fine = library().play(chain, fps=1000.0)
        body = [fine.skeleton.joint(role) for role in ("hips", "head", "left_hand", "right_hand")]
        places = fine.positions[:, body]
        steps = np.linalg.norm(np.diff(places, axis=0), axis=-1)
        rates = np.diff(places, axis=0) * fine.fps
        changes = np.linalg.norm(np.diff(rates, axis=0), axis=-1)
        for begin in fine.begins[1:]:
            at = round(begin * fine.fps)
            assert steps[at - 2 : at + 2].max() < 0.006  # 6 m/s
            assert changes[at - 3 : at + 3].max() < 0.15  # 150 m/s^2


class TestJumps:
    """Section 7: a jump of arbitrary length from a few examples; here by length and height."""

    @pytest.mark.parametrize(("length", "height"), [(0.5, 0.2), (1.0, 0.3), (1.4, 0.25)])
    def test_go_as_far_and_as_high_as_asked(self, length: float, height: float) -> None:
        motion = library().synthesize("jump", length=length, height=height)
        hips = motion.of("hips")[:, 1]
        assert_allclose(hips.max() - hips[0], height, atol=0.01)
        flat = [p for p in ff.detect_plants(motion, motion.contacts) if p.flat is not None]
        for side in ("left", "right"):
            before, after = (p.position for p in flat if p.foot == side)
            middle = [p.position for p in flat if p.foot != side]
            way = 0.5 * ((after - before) + (middle[1] - middle[0]))
            assert_allclose(way[2], length, atol=1e-6)
