"""The mannequin: a closed, plausible body on every skeleton, which goes where its joints go."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from footfall.figure.kinematics import attached
from footfall.figure.mannequin import TINTS, Mannequin, build_mannequin
from footfall.figure.pose import Pose, standing_height
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from tests.captures import needs_captures
from tests.families import FAMILIES, TALLEST, least_height, load_family
from tests.figure.figures import framed, humanoid, random_skeleton, smooth_motion
from tests.figure.surfaces import assert_carried, assert_closed, assert_normals_face_outwards, parts, volume

families = pytest.mark.parametrize("file", FAMILIES.values())


def skeletons() -> dict[str, Skeleton]:
    person = humanoid()
    return {
        "person": person,
        "person in own frames": framed(person, seed=1),
        "giant": person.scaled(20.0),
        "no size": person.scaled(0.0),
        "no roles": replace(person, roles={}),
        "one joint": random_skeleton(0, joints=1),
        "random": random_skeleton(1),
        "300 joints": random_skeleton(2, joints=300),
        "chest without arms": replace(
            person, roles={r: j for r, j in person.roles.items() if "arm" not in r}
        ),
        "soles of one point": person.with_feet(
            left=replace(
                person.foot_points("left"),
                **dict.fromkeys(("heel", "ball", "toe"), person.foot_points("left").subtalar),
            )
        ),
    }


SKELETONS = skeletons()


@pytest.mark.parametrize("name", SKELETONS)
def test_made_bodies_are_closed_and_carried(name: str) -> None:
    skeleton = SKELETONS[name]
    body = build_mannequin(skeleton)
    assert_closed(body)
    if name != "soles of one point":  # a shoe without length is flat
        assert_normals_face_outwards(body)
    assert_carried(body, len(skeleton))


@needs_captures
@families
def test_captured_bodies_are_closed_and_carried(file: str) -> None:
    skeleton = load_family(file).skeleton
    body = build_mannequin(skeleton)
    assert_closed(body)
    assert_normals_face_outwards(body)
    assert_carried(body, len(skeleton))


@needs_captures
@families
def test_captured_people_are_as_tall_as_people_and_stand_on_the_floor(file: str) -> None:
    skeleton = load_family(file).skeleton
    if len(skeleton.sides) < 2:
        pytest.skip("this skeleton is no person")
    body = build_mannequin(skeleton)
    height = body.vertices[:, 1] + standing_height(skeleton)
    assert abs(height.min()) < 0.03
    # arms may be raised at rest
    tall = height[~on_arms(skeleton, body)].max()
    assert least_height(skeleton) <= tall <= TALLEST
    # Winter: legs are 0.491 of stature
    assert tall == pytest.approx(skeleton.leg_length() / 0.491, rel=0.12)


def on_arms(skeleton: Skeleton, body: Mannequin) -> np.ndarray:
    arms = [
        skeleton.joint(f"{side}_upper_arm") for side in skeleton.sides if skeleton.has(f"{side}_upper_arm")
    ]
    carried = {joint for arm in arms for joint in (arm, *skeleton.tree.descendants(arm))}
    return np.isin(body.joints[:, 0], list(carried))


def test_a_person_of_average_height_has_the_volume_of_a_person() -> None:
    """Parts that overlap count twice, so this is a little more than the body's own volume."""
    skeleton = humanoid()
    tall = np.ptp(build_mannequin(skeleton).vertices[:, 1])
    body = build_mannequin(skeleton.scaled(1.75 / tall))
    assert np.ptp(body.vertices[:, 1]) == pytest.approx(1.75, abs=1e-3)
    assert 50.0 < 1000 * sum(volume(body, part) for part in parts(body)) < 110.0


def test_the_body_grows_with_the_skeleton() -> None:
    small, large = build_mannequin(humanoid()), build_mannequin(humanoid().scaled(1.5))
    np.testing.assert_allclose(large.vertices, 1.5 * small.vertices, atol=1e-9)
    np.testing.assert_array_equal(large.triangles, small.triangles)


def test_the_body_does_not_depend_on_joint_frames() -> None:
    plain, turned = build_mannequin(humanoid()), build_mannequin(framed(humanoid(), seed=2))
    np.testing.assert_allclose(turned.vertices, plain.vertices, atol=1e-9)
    np.testing.assert_array_equal(turned.joints, plain.joints)


def test_left_and_right_mirror_each_other() -> None:
    """The same body in the mirror, vertex for vertex, in the other side's colour."""
    body = build_mannequin(humanoid())
    sides = {
        side: {tuple(v) for v in np.round(body.vertices[(body.colours == tint).all(axis=1)], 6) + 0.0}
        for side, tint in TINTS.items()
    }
    assert len(sides["left"]) > 500
    assert {(-x + 0.0, y, z) for x, y, z in sides["right"]} == sides["left"]
    assert np.mean([x > 0 for x, _, _ in sides["left"]]) > 0.99


def test_at_rest_the_posed_body_is_the_built_one() -> None:
    for skeleton in (humanoid(), framed(humanoid(), seed=3), random_skeleton(4)):
        body = build_mannequin(skeleton)
        vertices, normals = body.posed(skeleton, *Pose.at_rest(skeleton, np.zeros(3)).forward(skeleton))
        np.testing.assert_allclose(vertices, body.vertices, atol=1e-12)
        np.testing.assert_allclose(normals, body.normals, atol=1e-12)


def test_the_body_goes_where_the_world_takes_it() -> None:
    """Turning and moving the root turns and moves every vertex."""
    skeleton = framed(humanoid(), seed=5)
    body, motion = build_mannequin(skeleton), smooth_motion(skeleton, frames=4)
    turn, shift = quat.from_axis_angle(np.array([1.0, 2.0, 0.5]), 1.2), np.array([1.0, -2.0, 3.0])
    rotations = np.array(motion.rotations)
    rotations[:, 0] = quat.multiply(turn, rotations[:, 0])
    moved = motion.with_rotations(rotations, quat.rotate(turn, motion.root) + shift)
    vertices, normals = body.posed(skeleton, motion.positions, motion.orientations)
    taken, turned = body.posed(skeleton, moved.positions, moved.orientations)
    np.testing.assert_allclose(taken, quat.rotate(turn, vertices) + shift, atol=1e-12)
    np.testing.assert_allclose(turned, quat.rotate(turn, normals), atol=1e-12)


def test_a_batch_is_posed_like_its_frames() -> None:
    skeleton = humanoid()
    body, motion = build_mannequin(skeleton), smooth_motion(skeleton, frames=5)
    together = body.posed(skeleton, motion.positions, motion.orientations)
    for frame in range(5):
        alone = body.posed(skeleton, motion.positions[frame], motion.orientations[frame])
        np.testing.assert_array_equal(together[0][frame], alone[0])
        np.testing.assert_array_equal(together[1][frame], alone[1])


def test_the_shoe_covers_the_sole() -> None:
    """Every foot point lies within a centimetre of the shoe's lowest layer."""
    skeleton = humanoid()
    body, rest = build_mannequin(skeleton), (skeleton.rest_positions, skeleton.rest_orientations)
    for side in skeleton.sides:
        points = skeleton.foot_points(side)
        sole = attached(*rest, [skeleton.joint(f"{side}_foot")] * 2, np.array([points.subtalar, points.ball]))
        gaps = np.linalg.norm(body.vertices[None] - sole[:, None], axis=-1).min(axis=1)
        assert (gaps < 0.02).all()
        assert abs(body.vertices[:, 1].min() - sole[:, 1].min()) < 0.01


def test_every_joint_of_a_creature_lies_in_its_body() -> None:
    skeleton = random_skeleton(6)
    body = build_mannequin(skeleton)
    places = np.concatenate([skeleton.rest_positions, skeleton.rest_ends])
    assert (places > body.vertices.min(axis=0)).all()
    assert (places < body.vertices.max(axis=0)).all()


def test_arms_rest_beside_the_trunk_and_head_on_top() -> None:
    skeleton = humanoid()
    body = build_mannequin(skeleton)
    assert body.joints[np.argmax(body.vertices[:, 1]), 0] == skeleton.joint("head")
    # the nose shows which way the figure faces
    head = body.vertices[body.joints[:, 0] == skeleton.joint("head")]
    assert head[np.argmax(head[:, 2]), 2] > -head[np.argmin(head[:, 2]), 2]
