"""The upper body of one movement on the legs of another: the one's in the world, the other's untouched."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.models.movements.build import build_movements
from footfall.models.movements.parts import UpperBody, refuse_unlike, upper_joints
from footfall.models.movements.request import Request
from tests.models.movements.libraries import (
    actor_library,
    and_captured,
    captured_library,
    reach_library,
    reaches,
)

HIGH = {"start_length": 0.75, "end_length": 0.75}
LOW = {"start_length": 0.1, "end_length": 0.35}


def below(motion: Motion) -> list[int]:
    skeleton = motion.skeleton
    return [j for j in range(len(skeleton)) if j not in upper_joints(skeleton)]


def test_the_upper_body_is_all_but_hips_and_legs() -> None:
    skeleton = actor_library().skeleton
    upper = {skeleton.names[j] for j in upper_joints(skeleton)}
    for role in ("spine", "chest", "neck", "head", "left_hand", "right_upper_arm", "left_clavicle"):
        if skeleton.has(role):
            assert skeleton.names[skeleton.joint(role)] in upper
    for role in ("hips", "left_thigh", "right_shank", "left_foot", "right_toe"):
        assert skeleton.names[skeleton.joint(role)] not in upper
    for own in (library.skeleton for library in and_captured(actor_library())):
        for side in ("left", "right"):
            thigh = own.joint(f"{side}_thigh")
            assert not set(own.tree.ancestors(thigh)) & set(upper_joints(own))


@pytest.mark.parametrize("which", ["actor", "captures"])
def test_joints_above_the_hips_are_turned_in_the_world_as_in_their_own_movement(which: str) -> None:
    library = actor_library() if which == "actor" else captured_library()
    kind = library.kinds["left_step"]
    mine = kind.weights(kind.space.points[0])
    theirs = kind.weights(kind.space.points[-1])
    generic = np.linspace(0.0, 3.0, 50)
    legs, lent = kind.tables.blend(mine, generic), kind.tables.blend(theirs, generic)
    made = UpperBody(kind, theirs).put_on(legs[1], generic)
    skeleton = library.skeleton
    whole, upper, own = (Motion(skeleton, legs[0], r, 30.0) for r in (made, lent[1], legs[1]))
    for joint in upper_joints(skeleton):
        one, other = (
            Rotation.from_quat(np.array(m.orientations[:, joint]), scalar_first=True) for m in (whole, upper)
        )
        assert (one * other.inv()).magnitude().max() < 1e-6
    assert_array_equal(made[:, below(whole)], legs[1][:, below(whole)])
    assert_array_equal(whole.positions[:, below(whole)], own.positions[:, below(whole)])
    # and they differ: the test could not fail otherwise
    hands = skeleton.joint("right_hand")
    assert np.linalg.norm(whole.positions[:, hands] - own.positions[:, hands], axis=-1).max() > 0.01


def test_an_own_upper_body_changes_nothing() -> None:
    kind = actor_library().kinds["right_step"]
    weights = kind.weights(kind.space.points[3])
    generic = np.linspace(0.0, 3.0, 20)
    own = kind.tables.blend(weights, generic)[1]
    made = UpperBody(kind, weights).put_on(own, generic)
    away = (
        Rotation.from_quat(made.reshape(-1, 4), scalar_first=True)
        * Rotation.from_quat(own.reshape(-1, 4), scalar_first=True).inv()
    )
    assert away.magnitude().max() < 1e-6


def test_legs_of_a_whole_sequence_are_untouched() -> None:
    """Feet and hips of a step with another's upper body are those of the step without."""
    library = actor_library()
    alone = library.play([Request("left_step", LOW)])
    lent = library.play([Request("left_step", LOW, upper=Request("left_step", HIGH))])
    own = below(alone)
    assert_allclose(lent.positions[:, own], alone.positions[:, own], rtol=0, atol=1e-9)
    assert np.abs(lent.of("right_hand") - alone.of("right_hand")).max() > 0.02
    high = library.play([Request("left_step", HIGH)])
    trunk = alone.skeleton.joint("chest")
    # at the same phase, whatever the clock says
    for share in (0.0, 1.0):
        frames = [int(share * (len(m) - 1)) for m in (lent, high)]
        one, other = (
            Rotation.from_quat(np.array(m.orientations[f, trunk]), scalar_first=True)
            for m, f in zip((lent, high), frames, strict=True)
        )
        assert (one * other.inv()).magnitude() < 0.02


def test_reaching_while_stepping() -> None:
    """A kind whose feet stand may lend its upper body to any of as many keytimes."""
    library = reach_library()
    reach = {"right_hand_x": -0.2, "right_hand_y": 1.2, "right_hand_z": 0.3}
    motion = library.play([Request("left_step", {"end_length": 0.4}, upper=Request("reach", reach))])
    alone = library.play([Request("left_step", {"end_length": 0.4})])
    assert_allclose(motion.of("left_foot"), alone.of("left_foot"), rtol=0, atol=1e-9)
    assert motion.of("right_hand")[:, 1].max() > alone.of("right_hand")[:, 1].max() + 0.1


def test_unlike_phases_are_refused() -> None:
    library = reach_library()
    step, other, jump, reach = (library.kinds[n] for n in ("left_step", "right_step", "jump", "reach"))
    for legs, upper in ((step, other), (step, jump), (jump, step), (reach, step), (other, step)):
        with pytest.raises(RequestError, match=f"upper body of {upper.name} cannot be put on .* {legs.name}"):
            refuse_unlike(legs, upper)
    briefer = [replace(e, keytimes=e.keytimes[:3]) for e in reaches()]
    brief = build_movements(briefer, pseudo_examples=0).kinds["reach"]
    with pytest.raises(RequestError, match="as many keytimes are needed"):
        refuse_unlike(step, brief)
    for legs, upper in ((step, step), (step, reach), (jump, reach), (reach, reach)):
        refuse_unlike(legs, upper)


def test_what_the_upper_body_had_to_change_is_said() -> None:
    motion = actor_library().play(
        [Request("left_step", LOW, upper=Request("left_step", {"start_length": 0.4, "end_length": 1.2}))]
    )
    assert "end_length 1.200" in motion.clamped[0]


def test_an_upper_body_in_haste_is_said() -> None:
    """A reach of two seconds on a step of less than one."""
    reach = Request("reach", {"right_hand_x": -0.2, "right_hand_y": 1.1, "right_hand_z": 0.2})
    motion = reach_library().play([Request("left_step", {"end_length": 0.38}, upper=reach)])
    alone = reach_library().play([reach])
    (said,) = motion.clamped
    assert said.startswith("left_step: the upper body of reach goes ")
    assert float(said.split()[7]) == pytest.approx(alone.seconds / motion.seconds, abs=0.15)
