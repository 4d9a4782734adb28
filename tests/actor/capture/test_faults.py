"""Capture faults: each does what it says and nothing else, and the truth goes along with the frames."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.actor.capture.faults import FLIP, FLIPS, Faults, with_faults
from footfall.actor.humanoid import humanoid
from footfall.actor.range_of_motion import range_of_motion
from footfall.analysis.contacts import detect_contacts
from footfall.analysis.plants import detect_plants
from footfall.analysis.warnings import spike_frames
from footfall.errors import RequestError
from footfall.figure.contacts import Contacts, runs_of
from footfall.figure.motion import Motion
from footfall.figure.resample import resample
from footfall.figure.skeleton import Skeleton
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from tests.analysis.truth import placed
from tests.gaits import made

RANDOM = {"noise": 0.002, "slide": 0.02, "dropped": 0.1, "repeated": 0.1, "spikes": 60.0, "tilt": 0.03}
ALL = {**RANDOM, "offset": 0.05, "fps": 50.0}
EXACT = {"rtol": 0.0, "atol": 1e-12}


@pytest.fixture(scope="module")
def walk() -> Motion:
    return made("walk", 120.0).given


def marked(count: int, fps: float = 100.0) -> Motion:
    """A motion whose frames tell their own number: the root's x, and contacts that count in binary."""
    stick = Skeleton.build(["qa", "qb"], [-1, 0], np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    root = np.arange(count)[:, None] * np.array([1.0, 0.0, 0.0])
    bits = (np.arange(count)[:, None] >> np.arange(4)) % 2 == 1
    return Motion(stick, root, quat.identity(count, 2), fps, contacts=Contacts(bits[:, :2], bits[:, 2:]))


def same(one: Motion, other: Motion) -> bool:
    assert one.contacts is not None
    assert other.contacts is not None
    pairs = (
        (one.root, other.root),
        (one.rotations, other.rotations),
        (one.contacts.heel, other.contacts.heel),
        (one.contacts.toe, other.contacts.toe),
    )
    return one.fps == other.fps and all(a.tobytes() == b.tobytes() for a, b in pairs)


def changed_joints(one: Motion, other: Motion) -> set[int]:
    return set(np.flatnonzero((one.rotations != other.rotations).any(axis=(0, 2))).tolist())


# all together


def test_without_faults_the_motion_comes_back_as_it_is(walk: Motion) -> None:
    faulty = with_faults(walk, Faults())
    assert faulty.motion is walk
    assert_array_equal(faulty.frames, np.arange(len(walk)))


@pytest.mark.parametrize("name", ALL)
def test_the_seed_decides(walk: Motion, name: str) -> None:
    one, again, other = (with_faults(walk, Faults(**{name: ALL[name]}, seed=s)) for s in (4, 4, 5))
    assert same(one.motion, again.motion)
    assert one.frames.tobytes() == again.frames.tobytes()
    assert not same(one.motion, walk)
    assert same(one.motion, other.motion) == (name not in RANDOM)


@pytest.mark.parametrize("gait", ["walk", "run", "jump", "stand", "range of motion"])
def test_bones_never_stretch(gait: str) -> None:
    clean = range_of_motion(humanoid(), fps=60.0) if gait == "range of motion" else made(gait, 60.0).given
    figure = clean.skeleton
    for size in (1.0, 8.0):
        faults = Faults(**{**ALL, "noise": size * 0.002, "slide": size * 0.02, "tilt": 0.5}, seed=2)
        places = with_faults(clean, faults).motion.positions
        lengths = np.linalg.norm(places[:, 1:] - places[:, figure.parents[1:]], axis=-1)
        assert_allclose(lengths, np.broadcast_to(figure.bone_lengths[1:], lengths.shape), **EXACT)


def test_a_fault_is_the_same_whichever_others_are_on(walk: Motion) -> None:
    noisy = with_faults(walk, Faults(noise=0.003, seed=9)).motion
    both = with_faults(walk, Faults(noise=0.003, offset=0.25, dropped=0.2, seed=9))
    kept = both.frames.astype(int)
    assert_array_equal(both.motion.rotations, noisy.rotations[kept])
    assert_allclose(both.motion.root, noisy.root[kept] + [0.0, 0.25, 0.0], **EXACT)
    assert_array_equal(kept, with_faults(walk, Faults(dropped=0.2, seed=9)).frames)


def test_one_faults_chance_is_not_anothers(walk: Motion) -> None:
    kept = with_faults(walk, Faults(dropped=0.2)).frames
    lost = set(range(len(walk))) - set(kept.astype(int).tolist())
    again = set((np.flatnonzero(np.diff(with_faults(walk, Faults(repeated=0.2)).frames) == 0) + 1).tolist())
    assert len(lost) == len(again)
    assert len(lost & again) < 0.4 * len(lost)


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_hardly_any_frames(walk: Motion, count: int) -> None:
    faulty = with_faults(walk[:count], Faults(**ALL))
    assert len(faulty.motion) == len(faulty.frames) == (1 if count in (1, 2) else min(count, 1))


def test_translations_are_carried_along(walk: Motion) -> None:
    moved = np.broadcast_to(walk.skeleton.offsets, (*walk.rotations.shape[:2], 3))
    given = replace(walk, translations=1.0 * moved)
    faulty, plain = (with_faults(m, Faults(**ALL, seed=6)).motion for m in (given, walk))
    assert_allclose(faulty.positions, plain.positions, rtol=0.0, atol=1e-9)


# slide


def drift_of(clean: Motion, slid: Motion, side: str) -> np.ndarray:
    return slid.of(f"{side}_foot") - clean.of(f"{side}_foot")


@pytest.mark.parametrize("gait", ["walk", "turn", "stairs", "ramp"])
@pytest.mark.parametrize("size", [0.004, 0.03])
def test_each_stance_drifts_by_exactly_the_slide(gait: str, size: float) -> None:
    clean = made(gait, 120.0).given
    slid = with_faults(clean, Faults(slide=size, seed=3)).motion
    headings = []
    assert clean.contacts is not None
    for side in ("left", "right"):
        drift = drift_of(clean, slid, side)
        assert np.abs(drift[:, 1]).max() < 1e-9
        for start, end in runs_of(clean.contacts.stands(side)):
            along = ground.direction_of(ground.heading_of(drift[end - 1]))
            assert_allclose(drift[start], 0.0, rtol=0.0, atol=1e-9)
            assert np.linalg.norm(drift[end - 1]) == pytest.approx(size, abs=1e-9)
            # one straight line, forwards only, with no jump anywhere
            share = drift[start:end] @ along
            assert_allclose(drift[start:end], share[:, None] * along, rtol=0.0, atol=1e-9)
            assert np.diff(share).min() > -1e-9
            assert np.diff(share).max() < 1.6 * size / (end - start)
            assert max(share[1], size - share[-2]) < 0.2 * size / (end - start)  # off and on gently
            headings.append(float(ground.heading_of(along)))
        for start, end in runs_of(~clean.contacts.stands(side)):
            back = np.diff(np.linalg.norm(drift[start - 1 : end + 1], axis=-1))
            assert back.max() < 1e-9
            assert back.min() > -1.6 * size / (end - start)
    assert np.diff(np.sort(headings)).min() > 1e-3


def test_a_slide_moves_legs_alone(walk: Motion) -> None:
    slid = with_faults(walk, Faults(slide=0.02)).motion
    figure = walk.skeleton
    legs = {figure.joint(f"{s}_{part}") for s in ("left", "right") for part in ("thigh", "shank", "foot")}
    assert changed_joints(walk, slid) == legs
    assert slid.root.tobytes() == walk.root.tobytes()
    assert slid.contacts is walk.contacts
    for role in ("left_foot", "right_foot", "left_toe", "head"):
        joint = figure.joint(role)
        assert_allclose(slid.orientations[:, joint], walk.orientations[:, joint], **EXACT)


def test_a_foot_seen_standing_once_goes_nowhere(walk: Motion) -> None:
    once = np.zeros((len(walk), 2), dtype=bool)
    once[200] = True
    given = replace(walk, contacts=Contacts(once, once))
    assert same(with_faults(given, Faults(slide=0.02)).motion, given)


def test_without_known_contacts_stances_are_detected(walk: Motion) -> None:
    unknown = replace(walk, contacts=None)
    slid = with_faults(unknown, Faults(slide=0.02, seed=1)).motion
    assert slid.contacts is None
    told = replace(walk, contacts=detect_contacts(unknown))
    assert (
        slid.rotations.tobytes() == with_faults(told, Faults(slide=0.02, seed=1)).motion.rotations.tobytes()
    )


# the recorder


@pytest.mark.parametrize("share", [0.01, 0.25, 0.9])
def test_dropped_frames_are_gone(walk: Motion, share: float) -> None:
    faulty = with_faults(walk, Faults(dropped=share, seed=8))
    kept = faulty.frames.astype(int)
    assert len(kept) == len(walk) - round(share * len(walk))
    assert kept[0] == 0
    assert (np.diff(kept) > 0).all()
    assert walk.contacts is not None
    shown = replace(
        walk, root=walk.root[kept], rotations=walk.rotations[kept], contacts=walk.contacts.frames(kept)
    )
    assert same(faulty.motion, shown)


@pytest.mark.parametrize("share", [0.01, 0.25, 0.9])
def test_repeated_frames_show_their_predecessor(walk: Motion, share: float) -> None:
    faulty = with_faults(walk, Faults(repeated=share, seed=8))
    shown = faulty.frames.astype(int)
    again = np.flatnonzero(np.diff(shown) == 0) + 1
    assert len(again) == round(share * len(walk))
    fresh = np.setdiff1d(np.arange(len(walk)), again)
    assert_array_equal(shown[fresh], fresh)
    for frame in again:
        assert faulty.motion.rotations[frame].tobytes() == faulty.motion.rotations[frame - 1].tobytes()
    assert_array_equal(faulty.motion.root, walk.root[shown])


@pytest.mark.parametrize("fps", [30.0, 59.94, 100.0, 144.0])
@pytest.mark.parametrize(("dropped", "repeated"), [(0.0, 0.0), (0.2, 0.0), (0.0, 0.2), (0.2, 0.1)])
def test_the_frame_map_tells_what_is_shown(dropped: float, repeated: float, fps: float) -> None:
    """The marked motion says by itself which of its frames one sees."""
    faulty = with_faults(marked(400), Faults(dropped=dropped, repeated=repeated, fps=fps, seed=1))
    assert_allclose(faulty.motion.root[:, 0], faulty.frames, rtol=0.0, atol=1e-9)
    assert faulty.motion.fps == fps
    # contacts are those of a frame that was recorded, and of the nearer one
    recorded = with_faults(marked(400), Faults(dropped=dropped, repeated=repeated, seed=1))
    nearest = np.floor(np.arange(len(faulty.frames)) * 100.0 / fps + 0.5 + 1e-9).astype(int)
    nearest = np.minimum(nearest, len(recorded.frames) - 1)
    assert faulty.motion.contacts is not None
    for mask, truth in (("heel", 0), ("toe", 2)):
        bits = (recorded.frames[nearest].astype(int)[:, None] >> np.arange(truth, truth + 2)) % 2 == 1
        assert_array_equal(getattr(faulty.motion.contacts, mask), bits)


def test_another_rate_is_a_resampling(walk: Motion) -> None:
    faulty = with_faults(walk, Faults(fps=50.0))
    assert same(faulty.motion, resample(walk, 50.0))
    assert_allclose(faulty.frames / walk.fps, faulty.motion.times, **EXACT)
    assert with_faults(walk, Faults(fps=walk.fps)).motion is walk
    assert Faults(fps="50").fps == 50.0  # type: ignore[arg-type]


# spikes


def test_spikes_flip_a_hand_or_toe_for_one_frame(walk: Motion) -> None:
    spiked = with_faults(walk, Faults(spikes=200.0, seed=7)).motion
    figure = walk.skeleton
    assert spiked.root.tobytes() == walk.root.tobytes()
    changed = (spiked.rotations != walk.rotations).any(axis=-1)
    frames = np.flatnonzero(changed.any(axis=1))
    assert len(frames) == pytest.approx(200.0 * len(walk) / 120.0 / 60.0, abs=1.0)
    assert min(b - a for a, b in pairwise(frames)) > 1
    pivots = {figure.joint(pivot): end for end, pivot in FLIPS.items()}
    away = np.linalg.norm(spiked.positions - walk.positions, axis=-1)
    for frame in frames:
        (pivot,) = np.flatnonzero(changed[frame])
        below = figure.tree.descendants(int(pivot))
        assert FLIP[0] - 1e-9 <= away[frame, figure.joint(pivots[int(pivot)])] <= FLIP[1] + 1e-9
        assert max(away[frame, [j for j in range(len(figure)) if j not in below]]) < 1e-12
    assert len({pivots[int(np.flatnonzero(changed[f])[0])] for f in frames}) == len(FLIPS)


def test_spikes_are_what_inspection_calls_spikes(walk: Motion) -> None:
    assert spike_frames(walk) == []
    spiked = with_faults(walk, Faults(spikes=60.0, seed=7)).motion
    truth = set(np.flatnonzero((spiked.rotations != walk.rotations).any(axis=(1, 2))).tolist())
    assert truth
    assert truth <= set(spike_frames(spiked)) <= {f + d for f in truth for d in (-1, 0, 1)}


def test_short_clips_have_their_share_of_spikes() -> None:
    clip = made("walk", 60.0).given[:30]  # half a second: a quarter of a spike
    counts = [
        int(
            (with_faults(clip, Faults(spikes=30.0, seed=s)).motion.rotations != clip.rotations)
            .any((1, 2))
            .sum()
        )
        for s in range(200)
    ]
    assert set(counts) == {0, 1}
    assert np.mean(counts) == pytest.approx(0.25, abs=0.1)


# the floor


@pytest.mark.parametrize("angle", [0.005, 0.03, 1.0])
def test_a_tilt_turns_the_whole_motion_about_its_start(walk: Motion, angle: float) -> None:
    walk = placed(walk, (3.0, 0.0, -2.0), 0.7)
    tilted = with_faults(walk, Faults(tilt=angle, seed=2)).motion
    # Kabsch: the one rigid turn that takes the clean places to the tilted ones
    start = walk.root[0] * [1.0, 0.0, 1.0]
    a, b = ((m.positions - start).reshape(-1, 3) for m in (walk, tilted))
    u, _, vt = np.linalg.svd(a.T @ b)
    turn = (u @ np.diag([1.0, 1.0, np.linalg.det(u @ vt)]) @ vt).T
    assert_allclose(a @ turn.T, b, rtol=0.0, atol=1e-9)
    assert np.arccos(turn[1, 1]) == pytest.approx(angle, rel=1e-6)
    # the axis lies level: what is turned about it does not leave it
    values, vectors = np.linalg.eig(turn)
    axis = np.real(vectors[:, np.argmin(np.abs(values - 1.0))])
    assert abs(axis[1]) < 1e-6
    assert changed_joints(walk, tilted) == {0}
    assert tilted.contacts is walk.contacts


def test_standing_feet_rest_on_the_tilted_plane(walk: Motion) -> None:
    """The plane through the places of all plants leans by the tilt, each seed's another way."""
    headings = []
    for seed in range(4):
        tilted = with_faults(walk, Faults(tilt=0.02, seed=seed)).motion
        assert tilted.contacts is not None
        places = np.stack([plant.position for plant in detect_plants(tilted, tilted.contacts)])
        _, spread, axes = np.linalg.svd(places - places.mean(axis=0))
        normal = axes[2] * np.sign(axes[2, 1])
        assert spread[2] < 1e-12
        assert np.linalg.norm(normal[[0, 2]]) == pytest.approx(np.sin(0.02), abs=1e-9)
        headings.append(float(ground.heading_of(normal)))
    assert np.diff(np.sort(headings)).min() > 0.01


@pytest.mark.parametrize("height", [-0.4, 0.07])
def test_an_offset_is_a_height(walk: Motion, height: float) -> None:
    raised = with_faults(walk, Faults(offset=height)).motion
    assert_allclose(
        raised.positions - walk.positions, np.broadcast_to([0.0, height, 0.0], walk.positions.shape), **EXACT
    )
    assert raised.rotations.tobytes() == walk.rotations.tobytes()


# refusals


@pytest.mark.parametrize("name", RANDOM)
@pytest.mark.parametrize("value", [np.nan, np.inf, -0.1, "much", None, 1j, np.complex128(0.0)])
def test_nonsense_is_refused(name: str, value: object) -> None:
    with pytest.raises(RequestError, match=f"{name} must be a number from 0 to"):
        Faults(**{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong",
    [{"offset": np.nan}, {"dropped": 1.0}, {"fps": 0.0}, {"fps": np.nan}, {"seed": -1}, {"seed": 0.5}],
)
def test_other_nonsense_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(RequestError, match=r"must be a (positive |whole )?number"):
        Faults(**wrong)  # type: ignore[arg-type]


def test_what_a_motion_cannot_have_is_refused(walk: Motion) -> None:
    stick = marked(50)
    with pytest.raises(RequestError, match="no whole leg"):
        with_faults(stick, Faults(slide=0.01))
    with pytest.raises(RequestError, match="hands and toes"):
        with_faults(stick, Faults(spikes=10.0))
    with pytest.raises(RequestError, match="at most 3600"):
        with_faults(walk, Faults(spikes=4000.0))
    batch = Motion(walk.skeleton, walk.root[None], walk.rotations[None], walk.fps)
    with pytest.raises(RequestError, match="one motion at a time"):
        with_faults(batch, Faults(offset=0.1))
