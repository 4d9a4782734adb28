"""The animation layer: any motion played on the whole body or on its upper part ([body] table 1)."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.control.fading import SECONDS, Fade, mixed
from footfall.control.playing import Playing, carried, frame_under
from footfall.control.tick import Tick
from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
from footfall.geometry.ground import GroundFrame

PARTS = ("whole", "upper", "left arm", "right arm")


class AnimationController:
    """Plays motions over what the layers before do, eased in and out.

    >>> wave = AnimationController(skeleton)
    >>> wave.play(clip, part="upper")

    On the whole body a motion begins where the figure is; its upper part, and an arm, stay on a body that
    walks.
    """

    name = "animation"

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        self._playing: Playing | None = None
        self._fade = Fade(0.0, 0.0)
        self._share = np.ones(len(skeleton))
        self._part = "whole"
        self._there: GroundFrame | None = None  # where a motion of the whole body began

    def __repr__(self) -> str:
        if self._playing is None:
            return "AnimationController(plays nothing)"
        left = self._playing.left
        lasts = "round and round" if np.isinf(left) else f"{left:.1f} s to go"
        return f"AnimationController({self._part}, {lasts}, weight {self._fade.weight:.2f})"

    @property
    def plays(self) -> bool:
        return self._playing is not None

    def play(
        self, motion: Motion, *, part: str = "whole", fade: float = SECONDS, endlessly: bool = False
    ) -> None:
        """Begins a motion of the same figure; `endlessly` goes round and round until it is stopped."""
        if not isinstance(motion, Motion) or not self.skeleton.same_bones(motion.skeleton):
            raise RequestError("an animation is a Motion of the figure that plays it; retarget it first")
        self._share = part_shares(self.skeleton, part)
        self._playing, self._part = Playing(motion, round=endlessly), part
        self._begins, self._there = frame_under(self.skeleton, self._playing.pose), None
        self._fade = Fade(0.0, 0.0)
        self._fade.to(1.0, fade)
        self._lasts = fade

    def stop(self, fade: float = SECONDS) -> None:
        self._fade.to(0.0, fade)

    def update(self, tick: Tick) -> Pose:
        """The pose with the motion on it. Never raises."""
        playing = self._playing
        if playing is None:
            return tick.pose
        playing.advance(tick.dt)
        if playing.left <= self._lasts:
            self._fade.to(0.0, self._lasts)
        weight = self._fade.advance(tick.dt)
        if weight <= 0.0 and self._fade.end == 0.0:
            self._playing = None
            return tick.pose
        here = frame_under(self.skeleton, tick.pose)
        if self._part == "whole":
            if self._there is None:
                self._there = here
            here = self._there
        return mixed(tick.pose, carried(playing.pose, self._begins, here), weight * self._share)


def part_shares(skeleton: Skeleton, part: str) -> Float[np.ndarray, "joints"]:
    """1 for every joint that belongs to a part, 0 for the others."""
    if part not in PARTS:
        raise RequestError(f"a part is one of {', '.join(PARTS)}, not {part!r:.40}")
    shares = np.zeros(len(skeleton))
    if part == "whole":
        shares[:] = 1.0
        return shares
    if part == "upper":
        first = skeleton.tree.path(skeleton.joint("hips"), skeleton.joint("chest"))[1]
    else:
        side = part.split()[0]
        first = skeleton.joint(
            f"{side}_clavicle" if skeleton.has(f"{side}_clavicle") else f"{side}_upper_arm"
        )
    for joint in range(len(skeleton)):
        shares[joint] = joint == first or first in skeleton.tree.ancestors(joint)
    return shares
