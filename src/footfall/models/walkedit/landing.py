"""How a foot comes down on a step: on its heel, flat where it climbs, on its ball going down.

On level ground and on slopes people land as they were captured to. Onto a higher step they set the whole
foot; down a step they reach for it with the ball, which also makes the leg that must reach longer. The
captured landing is scaled: 1 leaves it, 0 is flat, less lands on the ball. The end of the swing is led into
it in place and in rate.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float

from footfall.geometry import quaternion as quat
from footfall.geometry.easing import smoother
from footfall.models.walkedit.cycle import FootCycle
from footfall.models.walkedit.steps import Footprints

# m by which a step rises more than its slope, and how the landing is scaled there
STEPS, SCALES = (-0.15, -0.04, 0.03, 0.09), (-0.6, 1.0, 1.0, 0.0)
FLAT = 0.05  # scales as small as this are flat
LEADS = 0.75  # of a swing: its end, over which it is led into another landing

Numbers = Float[np.ndarray, "n"]


def landings(prints: Footprints) -> Float[np.ndarray, "prints"]:
    """How the landing on each print is scaled."""
    apart = np.diff(prints.places, axis=0)
    ahead = np.stack([np.sin(prints.ways), np.zeros(len(prints)), np.cos(prints.ways)], axis=-1)
    grade = -np.sum(prints.normals * ahead, axis=-1) / prints.normals[:, 1]
    level = np.hypot(apart[:, 0], apart[:, 2])
    more = apart[:, 1] - 0.5 * level * (grade[1:] + grade[:-1])
    scales = np.interp(more, STEPS, SCALES)
    scales[np.abs(scales) < FLAT] = 0.0
    return np.concatenate([scales[:1], scales])


def leads(share: Numbers) -> Numbers:
    """From 0 to 1 over the end of a swing."""
    return smoother((share - 1.0 + LEADS) / LEADS)


def relanded(
    foot: FootCycle,
    scale: Numbers,
    weight: Numbers,
    ankle: Float[np.ndarray, "n 3"],
    turn: Float[np.ndarray, "n 4"],
    lands: Bool[np.ndarray, "n"],
) -> tuple[Float[np.ndarray, "n 3"], Float[np.ndarray, "n 4"]]:
    """Ankle and turn beside the print they come to, with the landing scaled as far as `weight` goes.

    `lands` tells feet that have struck from those that are about to.
    """
    away = quat.log(quat.multiply(quat.conjugate(foot.lying), turn))
    scaled = (1.0 + (scale - 1.0) * weight)[:, None]
    turned = quat.multiply(foot.lying, quat.exp(scaled * away))
    on_ball = scale < 0.0
    pivot = np.where(on_ball[:, None], foot.sole.toe_joint, foot.sole.heel)
    sole, lying = foot.sole, foot.lying
    now = sole.ankle_about(pivot, lying, turned)
    # turning about its toe joint, a ball that lies before it would dip
    ball = (now + quat.rotate(turned, sole.ball))[:, 1]
    now[:, 1] += np.where(on_ball, np.maximum(-ball, 0.0), 0.0)
    # captured strikes may be raised a little, so that nothing of the sole was under ground
    strike = foot.ankle[0] - sole.ankle_about(sole.heel, lying, foot.turn[0])
    captured = np.where(lands[:, None], ankle, sole.ankle_about(sole.heel, lying, turn) + strike)
    return ankle + weight[:, None] * (now - captured), turned


def flatter(scale: Numbers) -> Numbers:
    """How far toes are straightened: all the way where the foot lands flat or on its ball."""
    return np.clip(1.0 - scale, 0.0, 1.0)


def flat_toes(
    foot: FootCycle,
    turn: Float[np.ndarray, "n 4"],
    toe: Float[np.ndarray, "n 4"],
    weight: Numbers,
    ball: Bool[np.ndarray, "n"],
) -> Float[np.ndarray, "n 4"]:
    """Toes that come to lie as they do under the flat foot; `weight` is 0 where they need not."""
    assert foot.lying_toe is not None
    # under a foot that stands on its ball they lie on the ground, under one on its heel they are straight
    on_ball = quat.multiply(quat.conjugate(turn), quat.multiply(foot.lying, foot.lying_toe))
    return quat.slerp(toe, np.where(ball[:, None], on_ball, foot.lying_toe), weight)
