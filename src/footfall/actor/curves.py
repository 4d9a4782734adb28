"""Human curves: how people carry themselves through a gait cycle, as Fourier series of phase.

`curves.json` holds averages over captured cycles of several people (tools/fit_actor): for each family of
gaits the coefficients of every joint's turn away from rest, of the hips' height, of timing, pitches and
swings, each linear in a few features of the pace. Nothing in it is a frame of anybody's motion.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from jaxtyping import Float

ORDER = 5
# each joint's turn away from rest, in its parent's frame; the hips' relative to the way's heading
POSTURE = (
    *("hips", "spine", "spine_2", "chest", "neck", "head"),
    *("left_clavicle", "left_upper_arm", "left_forearm", "left_hand"),
    *("right_clavicle", "right_upper_arm", "right_forearm", "right_hand"),
)
FEATURES = {
    "walk": ("speed", "speed_2", "turn", "veer"),
    "run": ("speed", "turn", "veer"),
    "back": ("speed", "turn", "veer"),
    "side": ("side",),
    "up": ("speed", "slope"),
    "down": ("speed", "slope"),
}
SCALARS = (
    *("period", "stride", "stance", "flat", "lift"),
    *("strike_pitch", "strike_rate", "off_pitch", "off_rate", "width", "toe_out"),
    *("along", "up", "out", "pitch", "roll"),
)

Pace = Mapping[str, Float[np.ndarray, "*n"] | float]


def features_of(
    speed: Float[np.ndarray, "*n"] | float,
    side: Float[np.ndarray, "*n"] | float = 0.0,
    turn: Float[np.ndarray, "*n"] | float = 0.0,
    slope: Float[np.ndarray, "*n"] | float = 0.0,
) -> dict[str, Float[np.ndarray, "*n"] | float]:
    """What the curves depend on: m/s forwards and to the left, rad/s, and rad uphill."""
    veer = np.abs(turn)
    return {
        "speed": speed,
        "speed_2": speed * speed,
        "side": side,
        "turn": turn,
        "veer": veer,
        "slope": slope,
    }


@dataclass(frozen=True, eq=False)
class Family:
    """The curves of one kind of gait."""

    name: str
    bounds: Mapping[str, tuple[float, float]]
    posture: Float[np.ndarray, "features coefficients roles 3"]
    height: Float[np.ndarray, "features coefficients"]  # of leg length, over the stance's level
    scalars: Mapping[str, Float[np.ndarray, "features values"]]

    def design(self, pace: Pace) -> Float[np.ndarray, "*n features"]:
        """One and the features, kept within what was captured."""
        columns = np.broadcast_arrays(*(np.clip(pace[f], *self.bounds[f]) for f in FEATURES[self.name]))
        return np.stack([np.ones_like(columns[0]), *columns], axis=-1)

    def scalar(self, name: str, pace: Pace) -> float:
        return float(self.values(name, pace)[0])

    def values(self, name: str, pace: Pace) -> Float[np.ndarray, "values"]:
        return self.design(pace) @ self.scalars[name]

    def turns(
        self, phase: Float[np.ndarray, "n"], pace: Pace
    ) -> tuple[Float[np.ndarray, "n roles 3"], Float[np.ndarray, "n roles 3"]]:
        """Rotation vectors of all roles of POSTURE: their means, and the waves about them."""
        rows, roles = self._rows(phase, pace), self.posture.shape[2]
        flat = self.posture.reshape(rows.shape[1], -1, 3 * roles)
        mean = rows @ flat[:, 0]
        waves = harmonics(phase)[:, 1:]
        wave = sum((rows[:, [f]] * waves) @ flat[f, 1:] for f in range(rows.shape[1]))
        return mean.reshape(-1, roles, 3), np.reshape(wave, (-1, roles, 3))

    def heights(
        self, phase: Float[np.ndarray, "n"], pace: Pace
    ) -> tuple[Float[np.ndarray, "n"], Float[np.ndarray, "n"]]:
        """Of the hips over the ground, as shares of leg length: the mean, and the wave about it."""
        rows = self._rows(phase, pace)
        wave = np.sum((rows @ self.height[:, 1:]) * harmonics(phase)[:, 1:], axis=-1)
        return rows @ self.height[:, 0], wave

    def _rows(self, phase: Float[np.ndarray, "n"], pace: Pace) -> Float[np.ndarray, "n features"]:
        design = self.design(pace)
        return np.broadcast_to(design, (len(phase), design.shape[-1]))


def harmonics(phase: Float[np.ndarray, "n"]) -> Float[np.ndarray, "n coefficients"]:
    """1, cos, sin, cos 2, sin 2, ... of the phase, whose period is 1."""
    angle = 2.0 * np.pi * phase[:, None] * np.arange(1, ORDER + 1)
    waves = np.stack([np.cos(angle), np.sin(angle)], axis=-1).reshape(len(phase), -1)
    return np.concatenate([np.ones((len(phase), 1)), waves], axis=-1)


@dataclass(frozen=True, eq=False)
class Curves:
    families: Mapping[str, Family]
    stand: Float[np.ndarray, "roles 3"]


@cache
def curves() -> Curves:
    """The fitted curves, read once."""
    import msgspec

    table = msgspec.json.decode((files("footfall.actor") / "curves.json").read_bytes())
    families = {name: _family(name, row) for name, row in table["families"].items()}
    return Curves(families, np.array([table["stand"][role] for role in POSTURE]))


def _family(name: str, row: Mapping[str, object]) -> Family:
    posture, bounds = row["posture"], row["bounds"]
    assert isinstance(posture, dict)
    assert isinstance(bounds, dict)
    return Family(
        name=name,
        bounds={feature: (low, high) for feature, (low, high) in bounds.items()},
        posture=np.stack([np.array(posture[role]) for role in POSTURE], axis=2),
        height=np.array(row["height"]),
        scalars={scalar: np.array(row[scalar]) for scalar in SCALARS},
    )
