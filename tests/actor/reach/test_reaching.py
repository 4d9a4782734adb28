"""Reaches in time: on the target through the hold, feet that do not move, smooth, clear of the body."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.actor.hand_poses import TOUCHES, hand_pose
from footfall.actor.humanoid import humanoid
from footfall.actor.reach.reaching import reach
from footfall.actor.style import Style
from footfall.analysis.certificate import certificate
from footfall.analysis.joint_angles import ankle_dorsiflexion
from footfall.analysis.self_contact import self_contact
from footfall.errors import RequestError
from footfall.figure.example import Example
from footfall.figure.joint_limits import excess, limits_of
from footfall.figure.mirror import mirror
from footfall.figure.motion import Motion
from footfall.figure.roles import SIDES
from footfall.figure.soles import sole_places
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import PRECISION

BODY = humanoid()
LIMITS = limits_of(BODY)
# name: targets, options
REACHES: dict[str, tuple[dict, dict]] = {
    "floor ahead": ({"right": [-0.15, 0.03, 0.55]}, {}),
    "floor beside": ({"left": [0.55, 0.03, 0.10]}, {}),
    "floor across": ({"right": [0.30, 0.03, 0.45]}, {}),
    "floor behind": ({"right": [-0.42, 0.05, -0.25]}, {}),
    "low": ({"left": [0.15, 0.50, 0.60]}, {"hand": "closed"}),
    "low behind": ({"right": [-0.50, 0.60, -0.30]}, {}),
    "medium": ({"right": [-0.20, 1.15, 0.65]}, {"hand": "pinch"}),
    "medium beside": ({"left": [0.70, 1.15, 0.15]}, {}),
    "medium across": ({"right": [0.40, 1.20, 0.50]}, {}),
    "behind the back": ({"right": [0.06, 1.26, -0.45]}, {}),
    "high": ({"right": [-0.15, 2.00, 0.35]}, {}),
    "high behind": ({"left": [0.45, 1.80, -0.25]}, {}),
    "picked from the floor": ({"left": [0.20, 0.03, 0.40]}, {"hand": "pinch"}),
    "box on the floor": ({"left": [0.17, 0.15, 0.42], "right": [-0.17, 0.15, 0.42]}, {"touch": "palm"}),
    "both overhead": ({"left": [0.20, 1.90, 0.35], "right": [-0.20, 1.90, 0.35]}, {}),
    "sitting": ({"right": [-0.20, 1.00, 0.35]}, {"seat": 0.45}),
    "sitting, floor": ({"right": [-0.25, 0.05, 0.25]}, {"seat": 0.45}),
    "sitting, beside the chair": ({"right": [-0.40, 0.22, -0.16]}, {"seat": 0.45}),
    "sitting, beside": ({"left": [0.60, 0.80, -0.30]}, {"seat": 0.45}),
    "sitting, both": ({"left": [0.15, 0.75, 0.30], "right": [-0.15, 0.75, 0.30]}, {"seat": 0.45}),
}
every = pytest.mark.parametrize("name", REACHES)


@cache
def example(name: str, fps: float = 60.0) -> Example:
    targets, options = REACHES[name]
    return reach(BODY, Style(), targets, fps=fps, **options)


def held(take: Example) -> np.ndarray:
    times = take.motion.times
    return (times >= take.keytimes[1]) & (times <= take.keytimes[2])


def ends(motion: Motion, joint: str) -> np.ndarray:
    return motion.ends[:, list(BODY.end_parents).index(BODY.joint(joint))]


def touching(take: Example, side: str) -> np.ndarray:
    """What touches, frame by frame, from joints and end sites alone."""
    motion, kind = take.motion, TOUCHES[int(take.parameters["touch"])]
    if kind == "fingertip":
        return ends(motion, f"{side}_middle_3")
    if kind == "pinch":
        return 0.5 * (ends(motion, f"{side}_thumb_3") + ends(motion, f"{side}_index_3"))
    wrist, knuckle = motion.of(f"{side}_hand"), motion.of(f"{side}_middle_1")
    down = quat.rotate(motion.orientations[:, BODY.joint(f"{side}_hand")], np.array([0.0, -1.0, 0.0]))
    along, depth = {"palm": (0.60, 0.018), "grip": (0.85, 0.051)}[kind]
    return wrist + along * (knuckle - wrist) + depth * BODY.leg_length() * down


@every
def test_the_target_is_touched_through_the_hold(name: str) -> None:
    take = example(name)
    # a pinch has closed a little after the apex
    closing = 0.2 if REACHES[name][1].get("hand") == "pinch" else 0.0
    late = held(take) & (take.motion.times >= take.keytimes[1] + closing)
    assert late.sum() >= 10
    for side, target in REACHES[name][0].items():
        assert np.linalg.norm(touching(take, side)[late] - target, axis=-1).max() < 1e-6


@every
def test_feet_do_not_move_at_all(name: str) -> None:
    motion = example(name).motion
    for side in SIDES:
        soles = sole_places(motion, side)
        assert np.abs(soles - soles[0]).max() < 2.0 * PRECISION
        assert np.abs(soles[..., 1]).max() < 2.0 * PRECISION
        toe = ends(motion, f"{side}_toe")
        assert np.abs(toe - toe[0]).max() < 2.0 * PRECISION
    assert motion.contacts is not None
    assert motion.contacts.heel.all()
    assert motion.contacts.toe.all()


@every
def test_the_certificate_is_clean(name: str) -> None:
    told = certificate(example(name).motion)
    assert told.slide_max_m is not None
    assert told.slide_max_m < 1e-5
    assert told.penetration_max_m is not None
    assert told.penetration_max_m < 1e-4
    assert told.leg_extension_max is not None
    assert told.leg_extension_max <= 0.994
    assert told.bone_stretch_max < 1e-9


@every
def test_joints_keep_their_limits_and_limbs_do_not_meet(name: str) -> None:
    motion = example(name).motion
    assert np.degrees(excess(LIMITS, motion.rotations).max()) < 0.5
    assert self_contact(motion).depth_max_m < 0.0
    assert max(np.degrees(ankle_dorsiflexion(motion, side)).max() for side in SIDES) < 38.0


@every
def test_nothing_but_soles_is_at_the_floor(name: str) -> None:
    motion = example(name).motion
    own = [i for i, joint in enumerate(BODY.names) if "foot" not in joint and "toe" not in joint]
    tips = [i for i, joint in enumerate(BODY.end_parents) if "toe" not in BODY.names[joint]]
    assert motion.positions[:, own, 1].min() > 0.0
    assert motion.ends[:, tips, 1].min() > 0.0


@pytest.mark.parametrize(
    "name", ["floor ahead", "medium across", "low", "sitting, floor", "box on the floor"]
)
def test_speeds_are_continuous(name: str) -> None:
    """Halve the time step and the largest change of velocity halves; places at common times are the same."""
    takes = [example(name, fps).motion for fps in (60.0, 120.0, 240.0)]
    jumps, turns = [], []
    for motion in takes:
        places = np.concatenate([motion.positions, motion.ends], axis=1)
        jumps.append(np.abs(np.diff(places, n=2, axis=0)).max() * motion.fps)
        spins = quat.log(quat.multiply(quat.conjugate(motion.rotations[:-1]), motion.rotations[1:]))
        turns.append(np.abs(np.diff(spins, axis=0)).max() * motion.fps)
    for values in (jumps, turns):
        assert values[1] < 0.6 * values[0]
        assert values[2] < 0.6 * values[1]
    shared = min(len(takes[0]), (len(takes[1]) + 1) // 2)
    assert_allclose(takes[1].positions[::2][:shared], takes[0].positions[:shared], rtol=0.0, atol=1e-9)


@every
def test_it_starts_and_ends_at_rest_in_one_pose(name: str) -> None:
    motion, (start, _, _, back) = example(name).motion, example(name).keytimes
    still = (motion.times < start - 0.2) | (motion.times > back)
    assert still.sum() > 20
    assert np.ptp(motion.positions[still], axis=0).max() < 1e-9


@every
def test_times_are_a_persons(name: str) -> None:
    """Out in 0.6 to 1.3 s, back slower; one bell of speed that peaks before the middle, mostly."""
    take = example(name)
    start, apex, leave, back = take.keytimes
    assert 0.6 < apex - start < 1.3
    assert leave - apex == pytest.approx(0.4)
    assert back - leave > apex - start
    for side in REACHES[name][0]:
        speed = np.linalg.norm(np.gradient(take.motion.of(f"{side}_hand"), axis=0), axis=-1) * 60.0
        out = speed[round(start * 60) : round(apex * 60)]
        assert 0.25 < np.argmax(out) / len(out) < 0.66
        assert 0.7 < out.max() < 4.0  # m/s


def test_the_farther_and_the_lower_the_longer() -> None:
    def out(name: str) -> float:
        return example(name).keytimes[1] - example(name).keytimes[0]

    assert out("floor ahead") > out("low") > 0.6
    assert out("high") > out("medium")
    near = reach(BODY, Style(), {"right": [-0.25, 1.0, 0.4]})
    assert near.keytimes[1] - near.keytimes[0] < out("medium")


@pytest.mark.parametrize("name", ["medium beside", "medium across", "high", "floor ahead", "low behind"])
def test_the_gaze_goes_first_and_ends_on_the_target(name: str) -> None:
    take = example(name)
    motion = take.motion
    ((side, target),) = REACHES[name][0].items()
    head = BODY.joint("head")
    face = quat.rotate(motion.orientations[:, head], np.array([0.0, -0.14, 0.99]))
    away = np.array(target) - motion.positions[:, head]
    off = np.arccos(np.sum(face * away, axis=-1) / np.linalg.norm(away, axis=-1))
    apex = round(take.keytimes[1] * motion.fps)
    early = round((take.keytimes[0] + 0.45 * (take.keytimes[1] - take.keytimes[0])) * motion.fps)
    done = np.linalg.norm(motion.of(f"{side}_hand")[early] - motion.of(f"{side}_hand")[0])
    whole = np.linalg.norm(motion.of(f"{side}_hand")[apex] - motion.of(f"{side}_hand")[0])
    assert off[apex] < np.radians(45.0)
    assert (off[0] - off[early]) / (off[0] - off[apex]) > done / whole - 0.05


def test_hands_open_on_the_way_and_take_their_pose_for_the_hold() -> None:
    take = example("low")
    poses = {name: hand_pose(BODY, "left", name) for name in ("relaxed", "open", "closed")}
    rotations, keys = take.motion.rotations, [int(t * 60 + 1e-6) for t in take.keytimes]  # frames not after

    def away(frame: int, name: str) -> float:
        turns = [(rotations[frame, BODY.joint(role)], turn) for role, turn in poses[name].items()]
        return float(np.max([quat.angle_between(a, b) for a, b in turns]))

    assert away(0, "relaxed") < 1e-9
    assert away(keys[2], "closed") < 1e-9
    assert away(len(rotations) - 1, "relaxed") < 1e-9
    on_the_way = round(0.7 * keys[1] + 0.3 * keys[0])
    assert away(on_the_way, "open") < away(on_the_way, "closed")
    other = hand_pose(BODY, "right", "relaxed")
    for role, turn in other.items():
        assert_allclose(rotations[:, BODY.joint(role)], np.tile(turn, (len(rotations), 1)), atol=1e-9)


@pytest.mark.parametrize("name", ["floor ahead", "medium across", "high", "sitting"])
def test_the_left_arm_is_the_right_in_a_mirror(name: str) -> None:
    targets, options = REACHES[name]
    mirrored = {"left": np.array(targets["right"]) * [-1.0, 1.0, 1.0]}
    other = reach(BODY, Style(), mirrored, **options).motion
    assert_allclose(mirror(other).positions, example(name).motion.positions, rtol=0.0, atol=1e-4)


@pytest.mark.parametrize("name", ["floor ahead", "high", "sitting"])
def test_a_larger_figure_moves_alike(name: str) -> None:
    targets, options = REACHES[name]
    larger = {side: 1.2 * np.array(target) for side, target in targets.items()}
    scaled = {**options, "seat": 1.2 * options["seat"]} if "seat" in options else options
    motion = reach(humanoid(1.2 * 1.75), Style(), larger, **scaled).motion
    assert_allclose(motion.positions / 1.2, example(name).motion.positions, rtol=0.0, atol=1e-4)


def test_the_same_request_gives_the_same_bytes() -> None:
    targets, options = REACHES["floor across"]
    again = reach(BODY, Style(), targets, **options)
    assert_array_equal(again.motion.rotations, example("floor across").motion.rotations)
    assert again.keytimes == example("floor across").keytimes


def test_what_was_asked_is_told() -> None:
    told = example("box on the floor").parameters
    assert dict(told) == {
        "x": pytest.approx(0.0),
        "y": pytest.approx(0.15),
        "z": pytest.approx(0.42),
        "arm": 0.0,
        "seat": 0.0,
        "touch": TOUCHES.index("palm"),
    }
    assert example("medium").parameters["arm"] == -1.0
    assert example("medium").parameters["touch"] == TOUCHES.index("pinch")
    assert example("sitting, beside").parameters["arm"] == 1.0
    assert example("sitting, beside").parameters["seat"] == 0.45


def test_one_who_sits_stays_on_the_seat_and_keeps_the_other_hand_on_the_thigh() -> None:
    motion = example("sitting, beside").motion
    for side in SIDES:
        assert np.ptp(motion.of(f"{side}_thigh"), axis=0).max() < 0.06
    middle = 0.5 * (motion.of("left_thigh") + motion.of("right_thigh"))
    assert np.ptp(middle, axis=0).max() < 1e-9
    assert np.ptp(motion.of("right_hand"), axis=0).max() < 0.06


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_people_differ_and_all_arrive(seed: int) -> None:
    take = reach(BODY, Style.of(seed), {"left": [0.2, 0.05, 0.45]})
    tip = ends(take.motion, "left_middle_3")[held(take)]
    assert np.linalg.norm(tip - [0.2, 0.05, 0.45], axis=-1).max() < 1e-6
    base = reach(BODY, Style(), {"left": [0.2, 0.05, 0.45]})
    assert abs(take.motion.seconds - base.motion.seconds) > 1e-3 or not np.allclose(
        take.motion.root[0], base.motion.root[0]
    )


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"hold": -0.1}, "holds for 0 to"),
        ({"hold": "on"}, "holds for"),
        ({"hold": float("nan")}, "holds for"),
        ({"fps": 0.0}, "frame rate"),
    ],
)
def test_nonsense_is_refused(options: dict, why: str) -> None:
    with pytest.raises(RequestError, match=why):
        reach(BODY, Style(), {"right": [-0.2, 1.1, 0.5]}, **options)


def test_a_way_through_the_body_is_refused() -> None:
    """Between the feet under the seat: a hand could be there, but no arm gets there past the legs."""
    with pytest.raises(RequestError, match="in the right hand's way"):
        reach(BODY, Style(), {"right": [0.0, 0.10, 0.0]}, seat=0.45)
