"""Time warps between cycles: known warps come back, keys are met, time goes forwards and round."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.interpolate import CubicHermiteSpline, CubicSpline
from scipy.optimize import brentq

from footfall import VirtualActor
from footfall.align.time_warp import STRETCH, TimeWarp, registered
from footfall.analysis.facing import trunk_headings
from footfall.errors import RequestError
from footfall.figure.example import Example
from footfall.geometry import ground
from footfall.geometry import quaternion as quat

SIZES = np.array([0.35, 0.2, 0.1, 0.05])  # m, of the harmonics of a stride


def stride(phase: np.ndarray, seed: int = 0, features: int = 12) -> np.ndarray:
    """A smooth cycle of phase: joints that swing once to four times in it."""
    rng = np.random.default_rng(seed)
    shifts = rng.uniform(0.0, 1.0, (features, len(SIZES)))
    sizes = SIZES * rng.uniform(0.3, 1.0, (features, len(SIZES)))
    turns = (np.asarray(phase)[..., None, None] + shifts) * np.arange(1, len(SIZES) + 1)
    return rng.normal(size=features) + (sizes * np.sin(2.0 * np.pi * turns)).sum(axis=-1)


def straight(frames: np.ndarray, keys: np.ndarray, other_keys: np.ndarray, n: int, m: int) -> np.ndarray:
    """The straight map between keys, over frames of the cycle from the first key on."""
    return np.interp(frames, np.append(keys, keys[0] + n), np.append(other_keys, other_keys[0] + m))


def from_first_key(keys: np.ndarray, n: int) -> np.ndarray:
    return keys[0] + np.linspace(0.0, n, 4 * n + 1)


def some_warp(seed: int, keys: int, n: int, m: int) -> tuple[TimeWarp, np.ndarray, np.ndarray]:
    """A warp between two cycles that have little to do with each other."""
    rng = np.random.default_rng(seed)
    phases = [rng.uniform(-0.5, 0.5) + np.cumsum(rng.dirichlet(np.full(keys, 2.0))) for _ in range(2)]
    known, wanted = n * phases[0], m * phases[1]
    a, b = stride(np.arange(n) / n, seed), stride(np.arange(m) / m, seed + 1)
    return registered(a, b, known, wanted), known, wanted


def test_itself_is_the_identity() -> None:
    rows, keys = stride(np.arange(60) / 60), np.array([7.3, 36.0])
    warp = registered(rows, rows, keys, keys)
    frames = np.linspace(-100.0, 200.0, 1201)
    assert_allclose(warp(frames), frames, atol=1e-9)
    assert_allclose(warp.rate(frames), 1.0, atol=1e-9)


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("m", [60, 47, 83])
def test_known_warp_is_found(times: int, m: int) -> None:
    """The other's phase p shows the reference's pose of p and a bump; two frames off, found to half a one."""
    n, size = 60, 0.035 / times

    def phase(p: float) -> float:
        return p + size * (np.sin(2.0 * np.pi * times * p + 0.7) - np.sin(0.7))

    def when(p: float) -> float:
        return float(brentq(lambda q: phase(q) - p, -1.0, 2.0, xtol=1e-13))

    keys = np.array([0.0, 30.0])
    other_keys = m * np.array([when(k / n) for k in keys])
    frames = from_first_key(keys, n)
    true = m * np.array([when(t / n) for t in frames])
    a, b = stride(np.arange(n) / n), stride(np.array([phase(j / m) for j in range(m)]))
    warp = registered(a, b, keys, other_keys)
    before = np.abs(straight(frames, keys, other_keys, n, m) - true).max()
    after = np.abs(warp(frames) - true).max()
    assert after < 0.5 * m / n
    assert after < 0.25 * before


@given(st.integers(0, 10_000), st.integers(1, 4), st.integers(8, 90), st.integers(8, 90))
@settings(max_examples=40, deadline=None)
def test_any_warp(seed: int, keys: int, n: int, m: int) -> None:
    """Keys are exact, time goes forwards within bounds, round and round, and its rate is its slope."""
    warp, known, wanted = some_warp(seed, keys, n, m)
    assert_array_equal(warp(known), wanted)
    frames = from_first_key(known, n)
    rates = np.diff(np.append(wanted, wanted[0] + m)) / np.diff(np.append(known, known[0] + n))
    rate = warp.rate(frames)
    assert rate.min() >= rates.min() / STRETCH * (1.0 - 1e-5)
    assert rate.max() <= rates.max() * STRETCH * (1.0 + 1e-5)
    assert (np.diff(warp(frames)) > 0.0).all()
    for cycles in (-2, 1, 3):
        assert_allclose(warp(frames + cycles * n), warp(frames) + cycles * m, atol=1e-9)
        assert_allclose(warp.rate(frames + cycles * n), rate, atol=1e-9)
    slope = (warp(frames + 1e-5) - warp(frames - 1e-5)) / 2e-5
    assert_allclose(slope, rate, atol=1e-3 * rates.max())


@given(st.integers(0, 10_000), st.integers(1, 3))
@settings(max_examples=20, deadline=None)
def test_rate_has_no_corner(seed: int, keys: int) -> None:
    """It is continuous and so is its change, over keys and seam: what scipy says of the same cubics."""
    warp, known, _ = some_warp(seed, keys, 60, 70)
    knots = np.append(warp.knots, known[0] + 60)
    curve = CubicHermiteSpline(
        knots, np.append(warp.values, warp.values[0] + 70), np.append(warp.rates, warp.rates[0])
    )
    frames = from_first_key(known, 60)[:-1]
    assert_allclose(warp(frames), curve(frames), atol=1e-9)
    assert_allclose(warp.rate(frames), curve(frames, 1), atol=1e-9)
    # at the very ends of each piece. Keys a twentieth of a frame apart make it change by thousands, told then
    # to a thousandth of that
    cubic, square = curve.c[0], curve.c[1]
    before, after = 6.0 * cubic * np.diff(knots) + 2.0 * square, np.roll(2.0 * square, -1)
    steep = np.abs(6.0 * cubic * np.diff(knots)) + np.abs(2.0 * square)
    assert (np.abs(before - after) < 1e-4 + 1e-3 * np.maximum(steep, np.roll(steep, -1))).all()


def test_between_keys_the_rate_stays_near_the_straight_map() -> None:
    """Within the factor of each stretch, but for the spans at a key, which have the room of both."""
    warp, known, wanted = some_warp(4, 2, 60, 60)
    for i in range(2):
        start, end = (np.append(known, known[0] + 60)[i + k] for k in range(2))
        rate = (np.append(wanted, wanted[0] + 60)[i + 1] - wanted[i]) / (end - start)
        inside = np.linspace(start + (end - start) / 2.0 - 1.0, start + (end - start) / 2.0 + 1.0, 9)
        assert (warp.rate(inside) <= STRETCH * rate * (1 + 1e-9)).all()
        assert (warp.rate(inside) >= rate / STRETCH * (1 - 1e-9)).all()


@pytest.mark.parametrize("noise", [0.0, 0.001])
def test_who_stands_tells_nothing(noise: float) -> None:
    """Both stand, with a millimetre of noise: straight from key to key."""
    rng = np.random.default_rng(0)
    pose = rng.normal(size=60)
    a, b = (pose + noise * rng.normal(size=(count, 60)) for count in (60, 72))
    warp = registered(a, b, np.array([0.0, 30.0]), np.array([0.0, 36.0]))
    frames = np.arange(0.0, 60.0, 0.25)
    assert_allclose(warp(frames), 1.2 * frames, atol=0.25 if noise else 1e-9)
    assert_allclose(warp.rate(frames), 1.2, rtol=0.1 if noise else 1e-9)


def test_still_half_of_a_cycle_is_straight_too() -> None:
    """Between two keys nobody moves; there the rate is even, wherever a warp is found in the other half."""
    p = np.arange(60) / 60

    def rows(phase: np.ndarray) -> np.ndarray:
        move = np.where(phase < 0.5, np.sin(2.0 * np.pi * phase) ** 2, 0.0)
        return move[:, None] * np.array([0.5, -0.3, 0.2])

    keys = np.array([0.0, 30.0])
    bent = p + np.where(p < 0.5, 0.03 * np.sin(2.0 * np.pi * p) ** 2, 0.0)
    warp = registered(rows(p), rows(bent), keys, keys)
    still = np.linspace(40.0, 50.0, 21)
    assert np.abs(warp(still) - still).max() < 0.4
    assert np.abs(warp(np.linspace(5.0, 25.0, 21)) - np.linspace(5.0, 25.0, 21)).max() > 1.0
    assert np.ptp(warp.rate(still)) < 0.05


def test_symmetric_gaits_have_symmetric_warps() -> None:
    """The second half of each cycle is the first with left and right exchanged, and so the warp repeats."""
    n, m = 60, 72

    def rows(count: int, bump: float) -> np.ndarray:
        p = np.arange(count) / count
        p = p + bump * np.sin(4.0 * np.pi * p)
        left, right = stride(p), stride(p + 0.5)
        return np.concatenate([left, right], axis=1)

    warp = registered(rows(n, 0.0), rows(m, 0.02), np.array([0.0, 30.0]), np.array([0.0, 36.0]))
    frames = np.linspace(0.0, 30.0, 121)
    assert np.abs(warp(frames) - 1.2 * frames).max() > 0.5
    assert_allclose(warp(frames + 30.0), warp(frames) + 36.0, atol=1e-3)


def test_size_alone_warps_little() -> None:
    """The same stride with swings a third larger is at the same moments."""
    rows = stride(np.arange(60) / 60)
    larger = rows.mean(axis=0) + 4.0 / 3.0 * (rows - rows.mean(axis=0))
    keys = np.array([0.0, 30.0])
    frames = np.arange(0.0, 60.0, 0.25)
    assert np.abs(registered(rows, larger, keys, keys)(frames) - frames).max() < 1.0


def test_keys_may_lie_beyond_the_seam() -> None:
    """The same motion told from another frame on has the same warp, shifted."""
    a, b = stride(np.arange(60) / 60, 1), stride(np.arange(70) / 70, 2)
    known, wanted = np.array([10.0, 40.0]), np.array([50.0, 85.0])
    warp = registered(a, b, known, wanted)
    moved = registered(np.roll(a, -10, axis=0), np.roll(b, -50, axis=0), known - 10, wanted - 50)
    frames = np.linspace(0.0, 60.0, 241)
    assert_allclose(moved(frames), warp(frames + 10.0) - 50.0, atol=1e-3)


def test_same_input_same_output() -> None:
    one, other = (some_warp(3, 2, 60, 66)[0] for _ in range(2))
    assert_array_equal(one.values, other.values)
    assert_array_equal(one.rates, other.rates)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"other": np.zeros((70, 4))}, "same features"),
        ({"reference": np.zeros((2, 12))}, "at least 3 frames"),
        ({"reference": np.full((60, 12), np.nan)}, "finite"),
        ({"keys": np.array([0.0, 20.0, 40.0])}, "3 keys"),
        ({"keys": np.array([])}, "1 to"),
        ({"keys": np.array([30.0, 0.0])}, "increase"),
        ({"other_keys": np.array([50.0, 15.0])}, "with 70 added"),
        ({"other_keys": np.array([0.0, 70.0])}, "less than a cycle"),
        ({"keys": np.array([0.0, np.inf])}, "finite"),
    ],
)
def test_refusals(change: dict[str, np.ndarray], words: str) -> None:
    right = {
        "reference": stride(np.arange(60) / 60),
        "other": stride(np.arange(70) / 70),
        "keys": np.array([0.0, 30.0]),
        "other_keys": np.array([0.0, 35.0]),
    }
    with pytest.raises(RequestError, match=words):
        registered(**{**right, **change})


def loop(clip: Example) -> tuple[np.ndarray, np.ndarray]:
    """The middle cycle of a clip: joints about the hips, heading removed, its ends drawn together."""
    motion = clip.motion
    first, middle, last = (k * motion.fps for k in clip.keytimes[2:5])
    joints = [j for j, name in enumerate(motion.skeleton.names) if not name[-1].isdigit()]
    about = motion.positions[:, joints] - motion.positions[:, :1]
    rows = quat.rotate(ground.turn(-trunk_headings(motion))[:, None], about).reshape(len(motion), -1)
    curve = CubicSpline(np.arange(len(rows)), rows)
    count = round(last - first)
    shares = np.arange(count) / count
    drawn = (shares - 0.5)[:, None] * (curve(last) - curve(first))
    return curve(first + shares * (last - first)) - drawn, count * np.array(
        [0.0, (middle - first) / (last - first)]
    )


@pytest.mark.slow
@pytest.mark.parametrize("gait", [slice(0, 43), slice(43, 86)], ids=["walks", "runs"])
def test_poses_of_a_ring_session_come_nearer(gait: slice) -> None:
    """No loop of the actor's is further from the reference than by the straight map; playback stays even."""
    loops = [loop(clip) for clip in VirtualActor().perform("rings")[gait]]
    reference, keys = loops[1]
    n = len(reference)
    frames = from_first_key(keys, n)[:-1]
    poses = CubicSpline(np.arange(n + 1), np.append(reference, reference[:1], axis=0))(frames)
    for rows, other_keys in loops:
        m = len(rows)
        curve = CubicSpline(np.arange(m + 1), np.append(rows, rows[:1], axis=0))
        warp = registered(reference, rows, keys, other_keys)
        away = [
            np.square(curve(t % m) - poses).sum()
            for t in (straight(frames, keys, other_keys, n, m), warp(frames))
        ]
        assert away[1] <= away[0] * (1.0 + 1e-9) + 1e-9
        rate = warp.rate(frames) * n / m
        assert 0.6 < rate.min() < rate.max() < 1.4
        assert np.abs(np.diff(rate, append=rate[0])).max() < 0.06  # in a quarter of a frame


@pytest.mark.cpu
def test_where_the_search_ends_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """CPUs end it some 1e-6 apart; the warp is the minimum itself, in whole multiples."""

    def cycle(gait: Example) -> np.ndarray:
        return gait.motion.positions[:60].reshape(60, -1)

    actor, keys = VirtualActor(), np.array([0.0, 31.0])
    gaits = [cycle(actor.walk(speed)) for speed in (-0.9, -0.5, 0.6, 1.2, 1.6)]
    frames, apart = np.arange(0.0, 60.0, 0.25), []
    for a in gaits:
        for b in gaits:
            found = [registered(a, b, keys, keys + 2.0)(frames)]
            with monkeypatch.context() as patch:
                patch.setattr("footfall.align.time_warp.PRECISION", 4e-11)
                found.append(registered(a, b, keys, keys + 2.0)(frames))
            apart.append(np.abs(found[0] - found[1]).max())
    assert np.mean(np.array(apart) < 1e-9) >= 0.9  # a multiple may still change at its edge
    assert max(apart) < 2e-4
