"""A gait driven by commands: what is asked is done when it is asked, or said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import footfall as ff
from footfall.analysis.reference import Reference
from footfall.control.walked import MOST_FRAMES, MOST_REMARKS, WalkedGait, joined_reference, walk
from footfall.figure.contacts import runs_of
from footfall.formats.commands_file import Command
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.world.grid_mesh import grid_triangles, grid_vertices
from tests.models.ring.rings import small_graph, small_ring

QUARTER = 0.25 * float(small_ring().seconds.sum(axis=1).max())  # s of the slowest cycle


def board(length: float) -> ff.MeshTerrain:
    """Level ground 4 m wide that ends so many metres ahead."""
    return ff.MeshTerrain(
        grid_vertices(np.zeros((2, 2)), (-2.0, -2.0), (4.0, length + 2.0)), grid_triangles(1, 1)
    )


def walked(commands: Sequence[Command], seconds: float, **wishes: Any) -> WalkedGait:
    return walk(small_graph(), commands, seconds, **({"foot_lock": False} | wishes))


def way(motion: ff.Motion, seconds: float) -> float:
    """The heading of the hips' way in the last seconds."""
    moved = motion.root[-1] - motion.root[-1 - round(seconds * motion.fps)]
    return float(ground.heading_of(moved))


@pytest.fixture(scope="module")
def driven() -> WalkedGait:
    """A stick that says something else every so often."""
    rng = np.random.default_rng(5)
    turns = [Command(1.0 + 0.83 * k, turn=float(rng.uniform(-0.5, 0.5))) for k in range(20)]
    return walk(small_ring(), turns, 20.0, foot_lock=False)


class TestCommands:
    def test_it_stands_until_one_comes(self) -> None:
        """And one that names no gait sets out with the first that goes."""
        made = walked([Command(2.0, heading=0.0)], 5.0)
        assert [name for _, name in made.gaits] == ["rest", "walk"]
        assert 2.0 < made.gaits[1][0] <= 2.0 + 1.5 / 60
        assert np.ptp(made.root[:120], axis=0).max() < 0.1
        assert made.root[-1, 2] > 1.5
        assert made.contacts is not None
        assert made.contacts.stands("left")[:120].all()
        assert made.contacts.stands("right")[:120].all()

    def test_none_at_all(self) -> None:
        made = walked([], 2.0)
        assert (made.strikes >= 0, made.responses, made.response_s, made.remarks) == (True, (), None, ())
        assert made.gaits == ((0.0, "rest"),)

    def test_without_a_rest_it_goes_at_once(self) -> None:
        made = walk(small_ring(), [], 4.0, foot_lock=False)
        assert made.gaits == ((0.0, "walk"),)
        assert made.root[-1, 2] > 2.5
        assert abs(way(made, 2.0)) < 0.1

    def test_a_gait_to_begin_with(self) -> None:
        made = walked([], 3.0, gait="trudge")
        assert made.gaits == ((0.0, "trudge"),)
        assert made.root[-1, 2] > 1.0

    @pytest.mark.parametrize("goal", [1.2, -0.8])
    def test_a_heading_in_the_world(self, goal: float) -> None:
        made = walked([Command(0.0, heading=goal)], 12.0, heading=0.2)
        assert abs(way(made, 3.0) - goal) < 0.15

    def test_a_turn_from_where_it_goes(self) -> None:
        """Twice the same turn is twice as far round: each from where it then went."""
        made = walked([Command(0.0), Command(4.0, turn=0.6), Command(10.0, turn=0.6)], 16.0, heading=-0.3)
        assert abs(way(made[: 60 * 4], 1.5) - -0.3) < 0.15
        assert abs(way(made[: 60 * 10], 3.0) - 0.3) < 0.2
        assert abs(way(made, 3.0) - 0.9) < 0.25

    def test_step_length(self) -> None:
        low, high = small_graph()["walk"].space.bounds
        lengths = [low[1] + share * (high[1] - low[1]) for share in (0.2, 0.8)]
        far = [walked([Command(0.0, step_length=one)], 8.0, gait="walk").root[-1, 2] for one in lengths]
        assert far[1] > 1.1 * far[0]

    def test_gaits_one_after_the_other(self) -> None:
        asked = [Command(0.5, gait="walk"), Command(4.0, gait="trudge"), Command(8.0, gait="rest")]
        made = walked(asked, 11.0)
        assert [name for _, name in made.gaits] == ["rest", "walk", "trudge", "rest"]
        cycle = 1.3 * 4 * QUARTER
        for (time, _), command in zip(made.gaits[1:], asked, strict=True):
            assert command.time < time < command.time + cycle
        assert np.ptp(made.root[-60:], axis=0).max() < 0.1  # it stands again

    def test_a_silent_command_keeps_the_gait(self) -> None:
        made = walked([Command(0.2, gait="trudge"), Command(3.0, heading=0.3)], 6.0)
        assert [name for _, name in made.gaits] == ["rest", "trudge"]

    def test_commands_after_the_end_are_not_heard(self) -> None:
        made = walked([Command(0.2), Command(3.0, heading=1.0)], 3.0)
        again = walked([Command(0.2)], 3.0)
        assert_array_equal(made.root, again.root)
        assert_array_equal(made.rotations, again.rotations)


class TestWhatIsMeasured:
    def test_responses(self, driven: WalkedGait) -> None:
        """Each input enters the search within a quarter of a cycle, and a frame."""
        assert len(driven.responses) == 20
        assert all(0.0 <= one <= QUARTER + 1 / 60 + 1e-9 for one in driven.responses)
        assert driven.response_s == {
            "mean": pytest.approx(sum(driven.responses) / 20),
            "worst": sorted(driven.responses)[-1],
        }

    def test_strikes_are_feet_that_come_down(self, driven: WalkedGait) -> None:
        assert driven.contacts is not None
        seen = sum(
            first > 0 for side in ("left", "right") for first, _ in runs_of(driven.contacts.stands(side))
        )
        assert abs(driven.strikes - seen) <= 1
        assert driven.strikes > 25

    def test_frames_per_second(self, driven: WalkedGait) -> None:
        assert 1e3 < driven.frames_per_second < 1e7

    def test_the_certificate_knows_ground_contacts_and_examples(self, driven: WalkedGait) -> None:
        found = driven.certificate()
        assert found.contacts == "given"
        assert found.plants > 20
        assert found.penetration_max_m is not None
        assert found.leg_extension_examples == small_ring().reference.leg_extension
        assert found.acceleration_ratio is not None
        assert 0.2 < found.acceleration_ratio < 2.0
        assert found.clamped == driven.remarks == ()


class TestInvariance:
    def test_twice_the_same(self) -> None:
        hills = ff.generate_terrain("bumps", seed=3).terrain
        asked = [Command(0.3, heading=0.2), Command(2.0, turn=-0.4), Command(4.0, gait="trudge")]
        first, second = (walked(asked, 6.0, terrain=hills, foot_lock=True) for _ in range(2))
        assert_array_equal(first.root, second.root)
        assert_array_equal(first.rotations, second.rotations)
        assert (first.responses, first.remarks, first.gaits) == (
            second.responses,
            second.remarks,
            second.gaits,
        )

    def test_elsewhere_and_turned_it_is_the_same_walk(self) -> None:
        """On level ground no place and no direction is another."""
        asked = [Command(0.3, turn=0.3), Command(2.0, turn=-0.4, step_length=0.6)]
        here = walked(asked, 5.0)
        there = walked(asked, 5.0, place=(3.0, -7.0), heading=2.0)
        moved = quat.rotate(ground.turn(2.0), here.root) + np.array([3.0, 0.0, -7.0])
        assert_allclose(there.root, moved, rtol=0, atol=1e-4)

    def test_frame_rates(self) -> None:
        """The same walk, seen more often."""
        asked = [Command(0.5, heading=0.0), Command(3.0, turn=0.3)]
        slow, fast = (walked(asked, 5.0, fps=rate) for rate in (30.0, 120.0))
        assert (len(slow), len(fast)) == (151, 601)
        assert np.linalg.norm(slow.root - fast.root[::4], axis=-1).max() < 0.15


class TestGround:
    def test_the_end_of_the_ground_is_said_and_not_passed(self) -> None:
        made = walked([Command(0.2, heading=0.0)], 15.0, terrain=board(4.0))
        assert made.root[:, 2].max() < 4.2
        assert made.remarks
        for sentence in made.remarks:
            assert re.match(r"[2-9]\.\d\d s: |1\d\.\d\d s: ", sentence)  # not before it is there
            assert "no ground" in sentence
        assert made.certificate().clamped == made.remarks

    def test_foot_lock(self) -> None:
        hills = ff.generate_terrain("bumps", seed=3).terrain
        free, locked = (
            walked([Command(0.2, heading=0.0)], 6.0, terrain=hills, foot_lock=lock).certificate()
            for lock in (False, True)
        )
        assert locked.slide_max_m is not None
        assert locked.penetration_max_m is not None
        assert free.slide_max_m is not None
        assert locked.slide_max_m < 1e-3 < free.slide_max_m
        assert locked.penetration_max_m < 5e-3

    def test_higher_ground_is_stood_on(self) -> None:
        low, high = (walked([], 1.0, terrain=ff.FlatTerrain(level)) for level in (0.0, 2.5))
        assert_allclose(high.root - low.root, [[0.0, 2.5, 0.0]] * len(low), atol=1e-4)


class TestRemarks:
    def test_steps_that_no_loop_has(self) -> None:
        low, high = (float(bound[1]) for bound in small_graph()["walk"].space.bounds)
        made = walked([Command(0.5, step_length=3.0), Command(1.5, step_length=0.0)], 3.0)
        told = f"steps of walk are {low:.2f} to {high:.2f} m"
        assert made.remarks == (
            f"0.50 s: step_length 3.00 m: {told}",
            f"1.50 s: step_length 0.00 m: {told}",
        )
        assert made.clamped == made.remarks

    def test_there_is_an_end_to_them(self) -> None:
        many = [Command(0.01 * k, step_length=5.0) for k in range(MOST_REMARKS + 50)]
        made = walked(many, 3.0)
        assert len(made.remarks) == MOST_REMARKS + 1
        assert made.remarks[-1] == "and 50 remarks more"


class TestReference:
    def test_what_is_done_in_any(self) -> None:
        one = Reference({"hips": 3.0, "head": 1.0}, 0.9)
        other = Reference({"hips": 2.0, "left_foot": 4.0}, 0.95)
        joined = joined_reference([one, other])
        assert dict(joined.peaks) == {"hips": 3.0, "head": 1.0, "left_foot": 4.0}
        assert joined.leg_extension == 0.95
        assert joined_reference([Reference({}, None)]).leg_extension is None


class TestRefusals:
    @pytest.mark.parametrize(
        ("commands", "wishes", "sentence"),
        [
            (
                [Command(0.0), Command(1.0, gait="hop")],
                {},
                "commands[1].gait: there is no gait 'hop'; there are walk, rest, trudge",
            ),
            ([Command(1.0), Command(1.0)], {}, "commands[1].time must come after that of the command before"),
            ([{"time": 0.0}], {}, "commands[0] must be a Command, not {'time': 0.0}"),
            ([], {"gait": "hop"}, "there is no gait 'hop'; there are walk, rest, trudge"),
            ([], {"seconds": 0.0}, "seconds must be one frame's to 7200, not 0.0"),
            ([], {"seconds": float("nan")}, "seconds must be one frame's to 7200, not nan"),
            ([], {"seconds": 1e9}, "seconds must be one frame's to 7200, not 1000000000.0"),
            ([], {"seconds": "5"}, "seconds must be one frame's to 7200, not '5'"),
            ([], {"seconds": 7000.0, "fps": 1000.0}, f"at most {MOST_FRAMES} are made"),
            ([], {"fps": 0.0}, "fps must be 10 to 1000 Hz, not 0.0"),
            ([], {"fps": float("nan")}, "fps must be 10 to 1000 Hz, not nan"),
            ([], {"place": (0.0, float("inf"))}, "there is no ground at (0, inf) to begin on"),
            ([], {"place": (0.0,)}, "a place is two numbers, x and z in metres"),
            ([], {"place": "ab"}, "a place is two numbers, x and z in metres"),
            ([], {"heading": float("nan")}, "finite numbers"),
            ([], {"terrain": board(4.0), "place": (0.0, 9.0)}, "there is no ground at (0, 9) to begin on"),
        ],
    )
    def test_before_anything_is_walked(
        self, commands: list[Any], wishes: dict[str, Any], sentence: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("footfall.control.walked.Recording.walk", None)
        with pytest.raises(ff.RequestError, match=re.escape(sentence)):
            walk(small_graph(), commands, **({"seconds": 2.0} | wishes))

    def test_what_is_no_ring(self) -> None:
        with pytest.raises(ff.RequestError, match="a MotionRing or a RingGraph is needed, not 'walk'"):
            walk("walk", [], 1.0)  # type: ignore[arg-type]
