"""Standing jumps: both feet leave, the hips fly as a thrown body does, both feet land."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.actor.asked import least, number
from footfall.actor.curves import curves
from footfall.actor.gait.balance import GRAVITY
from footfall.actor.gait.carriage import STAND
from footfall.actor.gait.footing import FITTED_LEG
from footfall.actor.gait.guide import SOFT, calm
from footfall.actor.gait.jump_curves import generic_time, jump_curves
from footfall.actor.gait.performance import Score
from footfall.actor.gait.stance import TERMS, Sole, Stance, Times, bubbles
from footfall.actor.gait.swing import SwingShape
from footfall.actor.gait.ways import flat_ground
from footfall.actor.style import Style
from footfall.figure.skeleton import Skeleton
from footfall.geometry import easing

LENGTHS, HEIGHTS = (0.0, 1.7), (0.10, 0.42)  # m
READY = 1.25  # s from the start to the take-off
SETTLE = 1.5  # s from the landing to the end
ROLL = 0.24  # s in which the heels leave the ground
OFF_PITCH, OFF_RATE = -0.80, -4.0
TUCK = 0.10  # of a leg, drawn up more than captured ones, so that toes clear the ground
STANCE = 0.19  # m between the feet


def jump(
    skeleton: Skeleton, style: Style, *, length: float, height: float
) -> tuple[Score, tuple[float, ...], dict[str, float]]:
    """Score, keytimes (start, take-off, landing, end) and parameters.

    `length` is how far the feet go; `height` how far the hips' apex is over where they stood.
    """
    leg = skeleton.leg_length()
    size = leg / FITTED_LEG
    length = number("a jump's length", length, LENGTHS[0], least(LENGTHS[1] * size))
    height = number("a jump's height", height, HEIGHTS[0], least(HEIGHTS[1] * size))
    rise, dip = 0.03 - 0.055 * length, -0.03 - 0.05 * length  # of the hips at take-off and at landing
    speed = np.sqrt(2.0 * GRAVITY * (height - rise))
    seconds = float((speed + np.sqrt(speed**2 + 2.0 * GRAVITY * (rise - dip))) / GRAVITY)
    landing = READY + seconds
    stances, shapes = [], {}
    up = _drawn_up(skeleton, speed, seconds, rise, length, height)
    for sign, foot in ((1.0, "left"), (-1.0, "right")):
        x = 0.5 * sign * STANCE * style.width * size
        stances.append(
            Stance(
                place=np.array([x, 0.0, 0.0]),
                strike=-np.inf,
                flat=-np.inf,
                lift=READY - ROLL,
                off=READY,
                off_pitch=OFF_PITCH,
                off_rate=OFF_RATE,
                foot=foot,
                heading=sign * style.toe_out,
                gait="jump",
            )
        )
    for stance in stances[:2]:
        shapes[len(stances)] = SwingShape(
            along=np.zeros(TERMS), up=up, out=np.zeros(TERMS), pitch=np.array([0.15, 0.0, 0.0, 0.0])
        )
        pitch = float(np.clip(-0.22 + 0.2 * length, -0.25, 0.12))
        stances.append(
            Stance(
                foot=stance.foot,
                heading=stance.heading,
                gait="jump",
                place=stance.place + np.array([0.0, 0.0, length]),
                strike=landing,
                flat=landing + 0.07,
                lift=np.inf,
                off=np.inf,
                strike_pitch=pitch,
                strike_rate=-1.5 * pitch / 0.07,
            )
        )

    def carried(times: Times, turns: Float[np.ndarray, "n roles 3"]) -> Float[np.ndarray, "n roles 3"]:
        """The captured posture, eased in from standing and out again."""
        g = generic_time(times, READY, landing)
        amount = easing.smooth(g / 0.35) * (1.0 - easing.smooth((g - 2.45) / 0.5))
        # generic time changes its pace where the feet leave and land; limbs take a moment to follow
        jumping = calm(jump_curves().turns(g, length, height), SOFT)
        return turns + amount[:, None, None] * (jumping - curves().stand)

    score = Score(
        tuple(stances),
        0.0,
        landing + SETTLE,
        shapes,
        flat_ground,
        leaving=rise,
        landing=dip,
        overlay=carried,
    )
    parameters = {"length": length, "height": height, "flight_seconds": seconds}
    return score, (0.0, READY, landing, landing + SETTLE), parameters


def _drawn_up(
    skeleton: Skeleton, speed: float, seconds: float, rise: float, length: float, height: float
) -> Float[np.ndarray, "terms"]:
    """Bubbles of the ankles' height with which the legs are as long as people's are in the air."""
    leg = skeleton.leg_length()
    u = np.linspace(0.0, 1.0, 41)
    t = u * seconds
    hips = leg * STAND + rise + speed * t - 0.5 * GRAVITY * t * t
    joint = -skeleton.offsets[skeleton.joint("left_thigh")][1]
    drawn = jump_curves().leg(1.0 + u, length, height) - TUCK * np.sin(np.pi * u)
    wanted = hips - joint - leg * np.clip(drawn, 0.62, 0.95)
    sole = Sole.of(skeleton, "left")
    ends = -sole.subtalar[1] + np.array([0.10, 0.02])  # over the ground, as the feet leave and land
    plain = easing.hermite(u, ends[0], ends[1], 0.6, 0.0)
    return np.linalg.lstsq(bubbles(u), np.maximum(wanted, 0.06) - plain, rcond=None)[0]
