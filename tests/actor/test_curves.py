"""The human curves: periodic, kept within what was captured, small, and nobody's frames."""

from __future__ import annotations

from importlib.resources import files

import msgspec
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from footfall.actor.curves import FEATURES, ORDER, POSTURE, SCALARS, curves, features_of, harmonics
from footfall.actor.gait.carriage import blended_families
from footfall.actor.gait.jump_curves import KNOTS, generic_time, jump_curves
from footfall.actor.gait.stance import TERMS

FAMILIES = list(FEATURES)
LONGEST = 2 * ORDER + 1  # coefficients of a series
MIDDLE = features_of(1.2, 0.2, 0.1, 0.05)


def rows(value: object) -> list[list[float]]:
    """All innermost lists of numbers."""
    if isinstance(value, dict):
        return [row for part in value.values() for row in rows(part)]
    if isinstance(value, list) and value and isinstance(value[0], list):
        return [row for part in value for row in rows(part)]
    return [value] if isinstance(value, list) else []


def test_the_file_is_small_and_holds_no_frames() -> None:
    """No array longer than a series' coefficients or a jump's knots: there is no motion in it."""
    raw = (files("footfall.actor") / "curves.json").read_bytes()
    assert len(raw) < 1_000_000
    table = msgspec.json.decode(raw)
    assert set(table["families"]) == set(FAMILIES)
    for name, family in table["families"].items():
        features = 1 + len(FEATURES[name])
        for role in POSTURE:
            assert np.shape(family["posture"][role]) == (features, LONGEST, 3), (name, role)
        assert np.shape(family["height"]) == (features, LONGEST)
        for scalar in SCALARS:
            values = np.shape(family[scalar])
            assert values in ((features, 1), (features, TERMS)), (name, scalar)
    for role in POSTURE:
        assert np.shape(table["jump"]["posture"][role]) == (3, len(KNOTS), 3)
    assert np.shape(table["jump"]["legs"]) == (3, len(KNOTS))
    assert set(table["stand"]) == set(POSTURE)
    assert max(len(row) for row in rows(table)) <= max(LONGEST, len(KNOTS))
    assert all(np.isfinite(row).all() for row in rows(table))


def test_harmonics_are_an_orthogonal_periodic_basis() -> None:
    phase = np.arange(64) / 64
    basis = harmonics(phase)
    assert basis.shape == (64, LONGEST)
    assert_allclose(basis.T @ basis, np.diag([64.0, *[32.0] * (2 * ORDER)]), rtol=0, atol=1e-12)
    assert_allclose(harmonics(phase + 3.0), basis, rtol=0, atol=1e-11)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_cycle_ends_as_it_begins(name: str) -> None:
    family = curves().families[name]
    phase = np.random.default_rng(0).uniform(-2, 2, 40)
    for one, other in (
        (family.turns(phase, MIDDLE), family.turns(phase + 1.0, MIDDLE)),
        (family.heights(phase, MIDDLE), family.heights(phase + 1.0, MIDDLE)),
    ):
        for a, b in zip(one, other, strict=True):
            assert_allclose(a, b, rtol=0, atol=1e-10)
    whole = np.arange(200) / 200
    assert_allclose(family.turns(whole, MIDDLE)[1].mean(axis=0), 0.0, rtol=0, atol=1e-12)
    assert_allclose(family.heights(whole, MIDDLE)[1].mean(), 0.0, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", FAMILIES)
def test_features_are_kept_within_what_was_captured(name: str) -> None:
    """A pace beyond the bounds is posed as the one on the bound, feature by feature."""
    family = curves().families[name]
    for feature in FEATURES[name]:
        low, high = family.bounds[feature]
        assert low < high
        for bound, beyond in ((low, low - 5.0), (high, high + 5.0)):
            on, far = ({**MIDDLE, feature: value} for value in (bound, beyond))
            assert_array_equal(family.design(on), family.design(far))
            for scalar in SCALARS:
                assert_array_equal(family.values(scalar, on), family.values(scalar, far))
        inside = {**MIDDLE, feature: 0.5 * (low + high)}
        assert family.design(inside)[1 + FEATURES[name].index(feature)] == 0.5 * (low + high)


@pytest.mark.parametrize("name", FAMILIES)
def test_figures_are_a_persons_wherever_they_were_captured(name: str) -> None:
    """At every corner of the bounds: a stance of some length, hips between squat and tiptoe."""
    family = curves().families[name]
    ends = [family.bounds[feature] for feature in FEATURES[name]]
    for corner in np.array(np.meshgrid(*ends)).reshape(len(ends), -1).T:
        pace = {**MIDDLE, **dict(zip(FEATURES[name], corner, strict=True))}
        mean, wave = family.heights(np.arange(50) / 50, pace)
        assert ((mean + wave > 0.7) & (mean + wave < 1.25)).all()
        # one number may leave the range where several extremes meet; the actor clips it there
        assert -0.05 < family.scalar("stance", pace) < 0.95


def test_blended_families_share_out_everything() -> None:
    rng = np.random.default_rng(1)
    forward, side, slope = rng.uniform(-2, 5, 300), rng.uniform(-1, 1, 300), rng.uniform(-0.6, 0.6, 300)
    weights = blended_families(forward, side, slope, np.zeros(300))
    assert set(weights) == set(FAMILIES)
    assert_allclose(sum(weights.values()), 1.0, rtol=0, atol=1e-12)
    assert min(w.min() for w in weights.values()) >= -1e-12
    pure = {"walk": (1.3, 0.0, 0.0, 0.0), "back": (-0.7, 0.0, 0.0, 0.0), "side": (0.0, 0.5, 0.0, 0.0)}
    pure |= {"up": (0.8, 0.0, 0.5, 0.0), "down": (0.8, 0.0, -0.5, 0.0), "run": (3.0, 0.0, 0.0, 1.0)}
    for name, pace in pure.items():
        assert blended_families(*pace)[name] == pytest.approx(1.0, abs=1e-12), name


def test_generic_time_runs_through_the_phases_of_a_jump() -> None:
    times = np.array([-5.0, 0.25, 1.25, 1.5, 1.75, 1.75 + 1.2, 9.0])
    assert_allclose(generic_time(times, 1.25, 1.75), [0.0, 0.0, 1.0, 1.5, 2.0, 3.0, 3.0], rtol=0, atol=1e-12)
    dense = np.linspace(0.0, 4.0, 400)
    assert (np.diff(generic_time(dense, 1.25, 1.75)) >= 0.0).all()


def test_jumps_beyond_the_captured_are_posed_as_captured_ones() -> None:
    known = jump_curves()
    g = np.linspace(0.0, 3.0, 50)
    (_, far), (_, tall) = known.bounds
    assert_array_equal(known.turns(g, far, 0.1), known.turns(g, far + 9.0, 0.1))
    assert_array_equal(known.turns(g, 0.5, tall), known.turns(g, 0.5, tall + 9.0))
    # nobody's longest jump was their highest
    assert_array_equal(known.turns(g, far, tall), known.turns(g, far, 0.8 * tall))
    assert np.abs(known.turns(g, 0.5, 0.2) - known.turns(g, 1.5, 0.2)).max() > 0.02
