"""glTF in: rigs as other tools write them, against world places from plain matrices."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline
from scipy.spatial.transform import Rotation

from footfall.formats.load import load_capture, load_motion
from tests.figure.figures import humanoid
from tests.formats.rigs import SHORT, Rig, add_bones

FRAMES, FPS = 9, 30.0
TIMES = np.arange(FRAMES) / FPS
CLOSE = 1e-5  # m; keys are in single precision


def swings(count: int, seed: int = 0, size: float = 0.6) -> np.ndarray:
    """Smooth rotations (frames, count, 4), x, y, z, w."""
    rng = np.random.default_rng(seed)
    phase = rng.uniform(0, 2 * np.pi, (1, count, 3)) + np.linspace(0, 2, FRAMES)[:, None, None]
    turns = size * rng.normal(size=(1, count, 3)) * np.sin(phase)
    return Rotation.from_rotvec(turns.reshape(-1, 3)).as_quat().reshape(FRAMES, count, 4)


def animate_all(rig: Rig, joints: list[int], turns: np.ndarray) -> None:
    for i, node in enumerate(joints):
        rig.channel(node, "rotation", TIMES, turns[:, i])


def expected(rig: Rig, joints: list[int], moved: dict[tuple[int, str], np.ndarray]) -> np.ndarray:
    """World places of the joints, frame by frame."""
    frames = range(len(next(iter(moved.values()))))
    return np.stack([rig.places({key: values[f] for key, values in moved.items()})[joints] for f in frames])


def assert_places(
    rig: Rig, joints: list[int], moved: dict[tuple[int, str], np.ndarray], folder: Path
) -> None:
    motion = load_motion(rig.save(folder))
    assert motion.fps == FPS
    assert len(motion) == FRAMES
    names = [rig.nodes[node]["name"] for node in joints]
    order = [motion.skeleton.index(name) for name in names]
    assert sorted(order) == list(range(len(motion.skeleton)))
    np.testing.assert_allclose(motion.positions[:, order], expected(rig, joints, moved), rtol=0, atol=CLOSE)


def test_armature_turned_and_scaled_over_centimetre_bones(tmp_path: Path) -> None:
    """What Blender and FBX converters write: Z-up centimetres under a node that makes metres of them."""
    rig = Rig()
    back = Rotation.from_euler("x", -90, degrees=True).as_quat()
    armature = rig.node("Armature", rotation=back, scale=[0.01] * 3, translation=[0.3, 0.0, -0.1])
    skeleton = humanoid()
    joints: list[int] = []
    for name, parent, offset in zip(skeleton.names, skeleton.parents, skeleton.offsets, strict=True):
        x, y, z = 100 * offset
        over = armature if parent < 0 else joints[parent]
        joints.append(rig.node(name, over, translation=[x, -z, y]))
    rig.skin(joints)
    turns = swings(len(joints), size=0.2)
    animate_all(rig, joints, turns)
    moved = {(node, "rotation"): turns[:, i] for i, node in enumerate(joints)}
    assert_places(rig, joints, moved, tmp_path)
    loaded = load_capture(tmp_path / "rig.glb")
    assert loaded.unit == 1.0
    rest = loaded.motion.skeleton
    assert rest.leg_length() == pytest.approx(skeleton.leg_length(), rel=1e-6)
    np.testing.assert_allclose(rest.rest_positions, skeleton.rest_positions, atol=1e-9)
    assert dict(rest.roles) == dict(skeleton.roles)


def test_translation_channels_on_all_joints(tmp_path: Path) -> None:
    rig = Rig()
    skeleton = humanoid()
    joints = add_bones(rig, skeleton)
    rig.skin(joints)
    rng = np.random.default_rng(1)
    moved: dict[tuple[int, str], np.ndarray] = {}
    for i, (node, turn) in enumerate(zip(joints, np.moveaxis(swings(len(joints)), 1, 0), strict=True)):
        moved[node, "rotation"] = turn
        drift = 0.03 * rng.normal(size=3) * np.linspace(0, 1, FRAMES)[:, None]
        moved[node, "translation"] = skeleton.offsets[i] + drift
    for (node, path), values in moved.items():
        rig.channel(node, path, TIMES, values)
    assert_places(rig, joints, moved, tmp_path)
    assert load_motion(tmp_path / "rig.glb").translations is not None


def test_an_animated_armature_moves_the_figure(tmp_path: Path) -> None:
    """A node above the skin's joints that moves belongs to the skeleton."""
    rig = Rig()
    mover = rig.node("Mover", rotation=Rotation.from_euler("y", 40, degrees=True).as_quat())
    joints = add_bones(rig, humanoid(), above=mover)
    rig.skin(joints)
    steps = np.linspace([0, 0, 0], [1.0, 0.2, 2.0], FRAMES)
    rig.channel(mover, "translation", TIMES, steps)
    assert_places(rig, [mover, *joints], {(mover, "translation"): steps}, tmp_path)


def test_scaled_joints_stretch_what_they_carry(tmp_path: Path) -> None:
    rig = Rig()
    a = rig.node("a", scale=[2.0] * 3)
    b = rig.node("b", a, translation=[0.0, 0.3, 0.0], scale=[0.5] * 3)
    c = rig.node("c", b, translation=[0.1, 0.3, 0.0])
    turns = swings(3, seed=3)
    animate_all(rig, [a, b, c], turns)
    assert_places(rig, [a, b, c], {(n, "rotation"): turns[:, i] for i, n in enumerate((a, b, c))}, tmp_path)


def test_nodes_given_by_matrix(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)

    def as_matrix(translation: np.ndarray) -> dict[str, np.ndarray]:
        m = np.eye(4)
        m[:3, :3] = 1.1 * Rotation.random(random_state=int(rng.integers(1000))).as_matrix()
        m[:3, 3] = translation
        return {"matrix": m.T.reshape(-1)}

    rig = Rig()
    stand = rig.node("stand", **as_matrix(np.array([1.0, 2.0, 3.0])))
    joints = add_bones(rig, humanoid(), above=stand, place=as_matrix)
    rig.skin(joints)
    steps = np.linspace([0, 0, 0], [0.5, 0.1, 0.0], FRAMES)
    tip = rig.node("tip", joints[-1])
    rig.skin([*joints, tip])
    rig.channel(tip, "translation", TIMES, steps)
    assert_places(rig, [*joints, tip], {(tip, "translation"): steps}, tmp_path)


def test_a_mirroring_matrix_is_told_and_survived(tmp_path: Path) -> None:
    rig = Rig()
    rig.node("flip", matrix=np.diag([-1.0, 1.0, 1.0, 1.0]).reshape(-1))
    rig.node("child", 0, translation=[0.0, 1.0, 0.0])
    notes = load_capture(rig.save(tmp_path)).notes
    assert any("mirrored" in note for note in notes)


def test_normalized_short_rotations(tmp_path: Path) -> None:
    rig = Rig()
    joints = add_bones(rig, humanoid())
    rig.skin(joints)
    turns = swings(len(joints), seed=5)
    for i, node in enumerate(joints):
        shorts = np.round(turns[:, i] * 32767)
        rig.channel(node, "rotation", TIMES, shorts, component=SHORT, normalized=True)
        turns[:, i] = shorts / 32767  # scipy takes them to unit length
    moved = {(node, "rotation"): turns[:, i] for i, node in enumerate(joints)}
    assert_places(rig, joints, moved, tmp_path)


def test_different_key_times_in_every_channel(tmp_path: Path) -> None:
    """Frames lie at the rate of the densest channel, from the first key of all to the last of all."""
    rig = Rig()
    a = rig.node("a")
    b = rig.node("b", a, translation=[0.0, 1.0, 0.0])
    c = rig.node("c", b, translation=[1.0, 0.0, 0.0])
    dense, sparse, late = np.arange(25) / 24 + 0.5, np.array([0.5, 1.0, 1.25]), np.array([0.7, 1.5])
    turn_a = Rotation.from_rotvec(np.outer(np.sin(3 * dense), [0.2, 0.5, -0.3])).as_quat()
    turn_b = Rotation.from_euler("xyz", [[0, 0, 0], [90, 10, 0], [170, 0, 30]], degrees=True).as_quat()
    place_c = np.array([[1.0, 0.0, 0.0], [1.0, 2.0, 0.5]])
    rig.channel(a, "rotation", dense, turn_a)
    rig.channel(b, "rotation", sparse, turn_b)
    rig.channel(c, "translation", late, place_c)
    motion = load_motion(rig.save(tmp_path))
    assert motion.fps == 24.0
    assert len(motion) == 25
    for frame, time in enumerate(0.5 + np.arange(25) / 24):
        share = np.clip((time - 0.7) / 0.8, 0, 1)
        seen = rig.places(
            {
                (a, "rotation"): turn_a[frame],
                (b, "rotation"): slerped(turn_b, sparse, time),
                (c, "translation"): (1 - share) * place_c[0] + share * place_c[1],
            }
        )
        np.testing.assert_allclose(motion.positions[frame], seen, rtol=0, atol=CLOSE)


def slerped(turns: np.ndarray, times: np.ndarray, time: float) -> np.ndarray:
    """By relative rotation vectors between neighbouring keys, held at the ends."""
    time = float(np.clip(time, times[0], times[-1]))
    k = min(int(np.searchsorted(times, time, side="right")) - 1, len(times) - 2)
    start, end = Rotation.from_quat(turns[k]), Rotation.from_quat(turns[k + 1])
    share = (time - times[k]) / (times[k + 1] - times[k])
    return (start * Rotation.from_rotvec(share * (start.inv() * end).as_rotvec())).as_quat()


def test_cubic_splines_and_steps(tmp_path: Path) -> None:
    """A spline's keys hold in-tangent, value and out-tangent; a step holds until the next key."""
    rig = Rig()
    a = rig.node("a")
    b = rig.node("b", a, translation=[0.0, 1.0, 0.0])
    c = rig.node("c", b, translation=[0.0, 1.0, 0.0])
    rng = np.random.default_rng(8)
    keys = TIMES[[0, 4, 8]]
    turns, places = rng.normal(size=(3, 3, 4)), rng.normal(size=(3, 3, 3))
    steps = swings(1, seed=9)[[0, 4, 8], 0]
    rig.channel(a, "rotation", keys, turns.reshape(9, 4), "CUBICSPLINE")
    rig.channel(a, "translation", keys, places.reshape(9, 3), "CUBICSPLINE")
    rig.channel(b, "rotation", keys, steps, "STEP")
    rig.channel(c, "rotation", TIMES, np.tile([0.0, 0, 0, 1], (FRAMES, 1)))
    moved = {
        (a, "rotation"): hermite(keys, turns),
        (a, "translation"): hermite(keys, places),
        (b, "rotation"): steps[[0, 0, 0, 0, 1, 1, 1, 1, 2]],
    }
    assert_places(rig, [a, b, c], moved, tmp_path)


def hermite(keys: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Values (keys, 3 of in, value and out, width) at TIMES, by SciPy, one piece between keys at a time."""
    pieces = [
        CubicHermiteSpline(keys[k : k + 2], values[k : k + 2, 1], [values[k, 2], values[k + 1, 0]])
        for k in range(len(keys) - 1)
    ]
    return np.stack([pieces[min(np.sum(keys <= t) - 1, len(pieces) - 1)](t) for t in TIMES])


def test_buffer_within_beside_and_in_the_file(tmp_path: Path) -> None:
    rig = Rig()
    joints = add_bones(rig, humanoid())
    rig.skin(joints)
    animate_all(rig, joints, swings(len(joints)))
    files = {"inside.gltf": rig.gltf(), "beside.gltf": rig.gltf("the%20bytes.bin"), "one.glb": rig.glb()}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "the bytes.bin").write_bytes(rig.binary)
    loaded = [load_motion(tmp_path / name) for name in files]
    for other in loaded[1:]:
        np.testing.assert_array_equal(other.positions, loaded[0].positions)
    assert len(loaded[0]) == FRAMES


def test_several_animations_are_told_and_the_first_is_read(tmp_path: Path) -> None:
    rig = Rig()
    a, b = rig.node("a"), rig.node("b", 0, translation=[0.0, 1.0, 0.0])
    turns = swings(1)
    rig.channel(a, "rotation", TIMES, turns[:, 0])
    other = rig.animation("other")
    other["samplers"].append({"input": rig.array(TIMES), "output": rig.array(0 * turns[:, 0] + [0, 0, 0, 1])})
    other["channels"].append({"sampler": 0, "target": {"node": b, "path": "rotation"}})
    rig.skin([a, b])
    capture = load_capture(rig.save(tmp_path))
    assert any("2 animations ('move', 'other'); the first was read" in note for note in capture.notes)
    assert_places(rig, [a, b], {(a, "rotation"): turns[:, 0]}, tmp_path)


def test_without_a_skin_the_moving_nodes_are_the_skeleton(tmp_path: Path) -> None:
    """Props and lights that stand still are left out; what lies between moving nodes is not."""
    rig = Rig()
    stage = rig.node("stage", translation=[0.0, 0.5, 0.0], scale=[2.0] * 3)
    hip = rig.node("hip", stage, translation=[0.0, 1.0, 0.0])
    between = rig.node("between", hip, translation=[0.0, 0.2, 0.0])
    tip = rig.node("tip", between, translation=[0.0, 0.2, 0.0])
    rig.node("lamp", stage, translation=[3.0, 3.0, 3.0])
    rig.node("hat", tip, translation=[0.0, 0.2, 0.0])
    turns = swings(2)
    animate_all(rig, [hip, tip], turns)
    moved = {(hip, "rotation"): turns[:, 0], (tip, "rotation"): turns[:, 1]}
    assert_places(rig, [hip, between, tip], moved, tmp_path)


def test_joints_may_come_before_their_parents(tmp_path: Path) -> None:
    rig = Rig()
    child = rig.node("child", translation=[0.0, 1.0, 0.0])
    parent = rig.node("parent", translation=[0.0, 0.0, 1.0])
    rig.nodes[parent]["children"] = [child]
    rig.skin([child, parent])
    turns = swings(1)
    rig.channel(parent, "rotation", TIMES, turns[:, 0])
    motion = load_motion(rig.save(tmp_path))
    assert motion.skeleton.names == ("parent", "child")
    arm = Rotation.from_quat(turns[:, 0]).apply([0.0, 1.0, 0.0])
    np.testing.assert_allclose(motion.positions[:, 1] - motion.root, arm, atol=CLOSE)


def test_other_things_that_move_do_not_set_the_clock(tmp_path: Path) -> None:
    rig = Rig()
    joints = add_bones(rig, humanoid())
    rig.skin(joints)
    camera = rig.node("camera")
    rig.channel(camera, "translation", np.arange(1000) / 100, np.zeros((1000, 3)))
    turns = swings(len(joints))
    animate_all(rig, joints, turns)
    moved = {(node, "rotation"): turns[:, i] for i, node in enumerate(joints)}
    assert_places(rig, joints, moved, tmp_path)


def test_a_rig_without_animation_is_a_skeleton(tmp_path: Path) -> None:
    rig = Rig()
    rig.skin(add_bones(rig, humanoid(), above=rig.node("Armature")))
    motion = load_motion(rig.save(tmp_path))
    assert len(motion) == 0
    assert motion.skeleton.same_bones(humanoid())
    assert dict(motion.skeleton.roles) == dict(humanoid().roles)


def test_animated_and_uneven_scales_are_told(tmp_path: Path) -> None:
    rig = Rig()
    rig.node("a", scale=[1.0, 2.0, 1.0])
    rig.node("b", 0)
    rig.channel(0, "scale", TIMES, np.ones((FRAMES, 3)))
    notes = " ".join(load_capture(rig.save(tmp_path)).notes)
    assert "scaled unevenly" in notes
    assert "animated scales" in notes
