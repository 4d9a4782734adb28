"""The grab layer: hands that open, close on a thing, keep it and let it go ([body] 5.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from footfall.control.fading import Fade
from footfall.control.tick import Tick
from footfall.errors import RequestError
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
from footfall.geometry import quaternion as quat
from footfall.ik.grasp import Grasp
from footfall.ik.hand import hand_of
from footfall.ik.hand_pose import HandPoses, poses_of

OPENS, CLOSES = 0.35, 0.3  # s


@dataclass(frozen=True, eq=False)
class HeldThing:
    """Where a thing is beside the hand joint that holds it."""

    name: str
    position: Float[np.ndarray, "3"]
    orientation: Float[np.ndarray, "4"]


class _Fingers:
    """One hand's fingers: from what the layers before do to open, and from open to a grasp."""

    def __init__(self, poses: HandPoses) -> None:
        self.poses, self.joints = poses, np.asarray(poses.hand.joints)
        self.own, self.closed = Fade(0.0, 0.0), Fade(0.0, 0.0)
        self.grasp: Grasp | None = None
        self._known: tuple[float, Grasp | None] | None = None
        self._rotations = poses.rotations(np.zeros(len(self.joints)))

    def rotations(self) -> Float[np.ndarray, "segments 4"]:
        """As they are now; fingers that rest are not asked for again."""
        now = self.closed.weight, self.grasp
        if now != self._known:
            shares = np.zeros(len(self.joints))
            if self.grasp is not None:
                shares = np.minimum(self.grasp.shares, now[0] * self.grasp.shares.max(initial=0.0))
            self._known, self._rotations = now, self.poses.rotations(shares)
        return self._rotations


class GrabController:
    """Hands of one figure.

    >>> grab = GrabController(skeleton)
    >>> grab.open("right")
    >>> grab.close("right", taken, name="ball")

    `held` tells what is held; `carried` where it is with a pose. A figure without fingers still holds things.
    """

    name = "grab"

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        self._fingers: dict[str, _Fingers] = {}
        for side in skeleton.sides:
            if skeleton.has(f"{side}_hand", f"{side}_index_1"):
                self._fingers[side] = _Fingers(poses_of(hand_of(skeleton, side)))
        self._held: dict[str, HeldThing] = {}

    def __repr__(self) -> str:
        told = [f"{thing.name} in the {side} hand" for side, thing in self._held.items()]
        return f"GrabController({', '.join(told) or 'holds nothing'})"

    @property
    def held(self) -> Mapping[str, HeldThing]:
        """By side."""
        return dict(self._held)

    def poses(self, side: str) -> HandPoses | None:
        """Of a hand; None where it has no fingers."""
        self._check(side)
        return self._fingers[side].poses if side in self._fingers else None

    def open(self, side: str, seconds: float = OPENS) -> None:
        """Opens a hand to take something."""
        self._check(side)
        if side in self._fingers:
            self._fingers[side].own.to(1.0, seconds)
            self._fingers[side].closed.to(0.0, seconds)

    def close(self, side: str, taken: Grasp | None = None, seconds: float = CLOSES) -> None:
        """Closes the fingers as a grasp tells."""
        self._check(side)
        if side in self._fingers and taken is not None:
            fingers = self._fingers[side]
            fingers.grasp = taken
            fingers.own.to(1.0, seconds)
            fingers.closed.to(1.0, seconds)

    def hold(self, side: str, thing: HeldThing) -> None:
        """From now on a thing goes with the hand."""
        self._check(side)
        if side in self._held:
            raise RequestError(f"the {side} hand is full: it holds {self._held[side].name!r}")
        self._held[side] = thing

    def let_go(self, side: str, seconds: float = OPENS) -> HeldThing | None:
        """Opens a hand and leaves what it held where it is; what that was."""
        self.open(side, seconds)
        return self._held.pop(side, None)

    def relax(self, side: str, seconds: float = OPENS) -> None:
        """Fingers are again as the layers before have them."""
        self._check(side)
        if side in self._fingers:
            self._fingers[side].own.to(0.0, seconds)

    def carried(
        self, places: Float[np.ndarray, "joints 3"], turns: Float[np.ndarray, "joints 4"]
    ) -> dict[str, tuple[Float[np.ndarray, "3"], Float[np.ndarray, "4"]]]:
        """Where held things are, by name, given all joints in the world."""
        found = {}
        for side, thing in self._held.items():
            hand = self.skeleton.joint(f"{side}_hand")
            place = places[hand] + quat.rotate(turns[hand], thing.position)
            found[thing.name] = place, quat.multiply(turns[hand], thing.orientation)
        return found

    def update(self, tick: Tick) -> Pose:
        """The pose with its fingers set. Never raises."""
        rotations: Float[np.ndarray, "joints 4"] | None = None
        for fingers in self._fingers.values():
            own, _ = fingers.own.advance(tick.dt), fingers.closed.advance(tick.dt)
            if own <= 0.0:
                continue
            if rotations is None:
                rotations = np.array(tick.pose.rotations)
            after = fingers.rotations()
            if own < 1.0:
                after = quat.slerp(rotations[fingers.joints], after, own)
            rotations[fingers.joints] = after
        if rotations is None:
            return tick.pose
        made = Pose.sound(tick.pose.root, rotations)
        object.__setattr__(made, "translations", tick.pose.translations)
        return made

    def _check(self, side: str) -> None:
        sides = self.skeleton.sides
        if side not in sides or not self.skeleton.has(f"{side}_hand"):
            raise RequestError(
                f"the figure has no {side!r:.40} hand; it has {', '.join(self.skeleton.sides)}"
            )
