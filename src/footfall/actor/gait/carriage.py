"""How the body is carried over its feet: the families' curves blended by pace, faded out where it stands."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.actor.curves import FEATURES, POSTURE, curves, features_of
from footfall.actor.gait.guide import SOFT, Guide, calm
from footfall.actor.gait.stance import Times
from footfall.actor.style import Style
from footfall.geometry import easing

SLOPED = 0.22  # rad: from here on a slope is climbed as stairs are
STAND = 1.106  # of leg length: the hips' height when a person stands, knees not quite straight
LEANING = ("spine", "spine_2", "chest")
ROOM = 0.13  # rad, the arms away from the thighs
LEAN_UPHILL = 0.25  # rad of trunk a rad of slope, where the curves know none (running)


@dataclass(frozen=True, eq=False)
class Carriage:
    """Joint turns (rotation vectors, POSTURE's order) and the hips' height over the ground, dense."""

    turns: Float[np.ndarray, "n roles 3"]
    height: Times  # shares of leg length
    straight: Times  # 1 where legs may be straight: standing, or in a brisk walk; 0 in slow steps


def carriage(guide: Guide, style: Style) -> Carriage:
    known = curves()
    speed = guide.speed
    slope = np.arctan2(guide.climb, np.maximum(np.abs(guide.forward), 0.3))
    asked = features_of(guide.forward, guide.side, guide.turning, slope)
    turns = np.zeros((len(guide.times), len(POSTURE), 3))
    height = np.zeros(len(guide.times))
    arms = np.array([any(p in r for p in ("clavicle", "arm", "hand")) for r in POSTURE])
    swing = np.where(arms, style.arm_swing, 1.0)[:, None]
    weights = {
        name: calm(weight, SOFT)
        for name, weight in blended_families(guide.forward, guide.side, slope, guide.running).items()
    }
    for name, weight in weights.items():
        if weight.max() < 1e-6:
            continue
        family = known.families[name]
        # a pace that leaves what was captured would stop there at once, and every joint with it
        pace = {f: calm(np.clip(asked[f], *family.bounds[f]), SOFT) for f in FEATURES[name]}
        mean, wave = family.turns(guide.phase, pace)
        turns += weight[:, None, None] * (mean + swing * wave)
        level, bob = family.heights(guide.phase, pace)
        height += weight * (level + style.bounce * bob)
    amount = guide.stepping * calm(np.clip(0.25 + speed / 0.7, 0.0, 1.0), SOFT)
    turns = known.stand + amount[:, None, None] * (turns - known.stand)
    # legs that go aside or up need room beside the body
    room = ROOM * amount * (weights["side"] + 0.5 * (weights["up"] + weights["down"]))
    for role, sign in (("left_upper_arm", 1.0), ("right_upper_arm", -1.0)):
        turns[:, POSTURE.index(role), 2] += sign * room
    lean = style.lean + LEAN_UPHILL * guide.running * slope
    for role in LEANING:
        turns[:, POSTURE.index(role), 0] += lean / len(LEANING)
    brisk = easing.smooth((speed - 0.3) / 0.3) * (
        1.0 - 0.6 * (weights["up"] + weights["down"] + weights["side"])
    )
    height = height + (1.0 - guide.stepping) * (STAND - height)
    return Carriage(turns, height, 1.0 - guide.stepping * (1.0 - brisk))


def trunk_lean(turns: Float[np.ndarray, "n roles 3"]) -> Times:
    """How far the trunk bends forwards; joints count by what they carry."""
    share = np.array(
        [{"hips": 1.0, "spine": 0.8, "spine_2": 0.6, "chest": 0.35}.get(r, 0.0) for r in POSTURE]
    )
    return turns[:, :, 0] @ share


def blended_families(
    forward: Times | float, side: Times | float, slope: Times | float, running: Times | float
) -> dict[str, Times]:
    """How much of each family a pace is; they sum to one."""
    speed = np.maximum(np.hypot(forward, side), 0.15)
    sideways = (np.asarray(side) / speed) ** 2
    backward = (1.0 - sideways) * easing.smooth(-1.5 * np.asarray(forward) / speed - 0.2)
    ahead = 1.0 - sideways - backward
    walking = 1.0 - np.asarray(running)
    up = easing.smooth(np.asarray(slope) / SLOPED) * ahead
    down = easing.smooth(-np.asarray(slope) / SLOPED) * ahead
    return {
        "run": np.asarray(running),
        "walk": walking * (ahead - up - down),
        "up": walking * up,
        "down": walking * down,
        "back": walking * backward,
        "side": walking * sideways,
    }
