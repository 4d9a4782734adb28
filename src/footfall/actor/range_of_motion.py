"""A range-of-motion take, as every capture session begins with one: each part of the body in turn.

The figure stands on the spot; the foot it stands on does not move at all.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion, checked_rate
from footfall.figure.naming import FINGERS
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.geometry.easing import smooth

SECONDS = 12.0
LIFTS = ((8.6, 10.2), (10.2, 11.8))  # s; the left leg, then the right once the left one stands again
X, Y, Z = np.eye(3)


def range_of_motion(skeleton: Skeleton, *, fps: float = 60.0) -> Motion:
    """Arms, elbows and hands, trunk and head, then each leg; roles that are missing are left out."""
    fps = checked_rate(fps)
    times = np.arange(round(SECONDS * fps) + 1) / fps
    rest = Pose.at_rest(skeleton)
    turned = dict(_turns(times))
    rotations = np.tile(skeleton.rest, (len(times), 1, 1))
    for role, turn in turned.items():
        if skeleton.has(role):
            joint = skeleton.joint(role)
            # turns are told in the world's axes at rest; take them into the joint's own frame
            frame = skeleton.rest_orientations[joint]
            local = quat.multiply(quat.multiply(quat.conjugate(frame), turn), frame)
            rotations[:, joint] = quat.multiply(rotations[:, joint], local)
    # a foot stands whenever it is not lifted, and then it does not move at all
    stands = np.stack([_bump(times, *span) == 0.0 for span in LIFTS], axis=1)
    root = np.tile(rest.root, (len(times), 1))
    return Motion(skeleton, root, rotations, fps, contacts=Contacts(stands, stands))


def _bump(
    times: Float[np.ndarray, "n"], start: float, end: float, ramp: float = 0.7
) -> Float[np.ndarray, "n"]:
    """Rises from 0 to 1 after `start` and falls back before `end`."""
    return smooth((times - start) / ramp) * (1.0 - smooth((times - end + ramp) / ramp))


def _turn(axis: Float[np.ndarray, "3"], degrees: Float[np.ndarray, "n"]) -> Float[np.ndarray, "n 4"]:
    return quat.from_axis_angle(axis, np.radians(degrees))


def _turns(times: Float[np.ndarray, "n"]) -> list[tuple[str, Float[np.ndarray, "n 4"]]]:
    """World-axis turns from the T-pose, by role."""
    down = 78.0 * (1.0 - _bump(times, 0.8, 3.2))  # arms hang, but for the T and overhead
    raised = 80.0 * _bump(times, 1.4, 3.0)
    curl = _bump(times, 3.2, 5.4)
    twist = _bump(times, 5.2, 6.6) - _bump(times, 6.2, 7.6)
    bow = _bump(times, 7.2, 8.8)
    out: list[tuple[str, Float[np.ndarray, "n 4"]]] = []
    for side, sign in (("left", 1.0), ("right", -1.0)):
        lift, other = (_bump(times, *span) for span in (LIFTS if side == "left" else LIFTS[::-1]))
        swing = 25.0 * (other - 0.6 * lift)
        arm = quat.multiply(_turn(X, -swing - 20.0 * bow), _turn(Z, sign * (raised - down)))
        out += [
            (f"{side}_upper_arm", arm),
            (f"{side}_forearm", _turn(Y, -sign * (130.0 * curl + 15.0 * (down / 78.0)))),
            (f"{side}_thigh", _turn(X, -75.0 * lift)),
            (f"{side}_shank", _turn(X, 95.0 * lift)),
            (f"{side}_foot", _turn(X, -20.0 * lift)),
            (f"{side}_toe", _turn(X, -15.0 * lift)),
        ]
        for finger in FINGERS:
            axis = Y if finger == "thumb" else Z
            bend = (25.0 if finger == "thumb" else 75.0) * curl + 12.0
            sense = 1.0 if finger == "thumb" else -1.0
            out += [(f"{side}_{finger}_{i}", _turn(axis, sense * sign * bend)) for i in (1, 2, 3)]
    for role, share in (("spine", 0.3), ("chest", 0.35)):
        out.append((role, quat.multiply(_turn(Y, 45.0 * share * twist), _turn(X, 60.0 * share * bow))))
    out.append(("neck", quat.multiply(_turn(Y, 20.0 * twist), _turn(X, -10.0 * bow))))
    out.append(("head", _turn(Y, 25.0 * twist)))
    return out
