"""The animation layer: any motion played on the whole body or on its upper part ([body] table 1)."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from footfall.blend.posture_arithmetic import Rate
from footfall.control.fading import SECONDS, checked_seconds, mixed
from footfall.control.playing import Playing, carried, frame_under
from footfall.control.tick import Tick
from footfall.control.transition import PacedTransition
from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
from footfall.geometry.ground import GroundFrame

PARTS = ("whole", "upper", "left arm", "right arm")


class AnimationController:
    """Plays motions over what the layers before do, eased in and out, and from one to the next.

    >>> wave = AnimationController(skeleton)
    >>> wave.play(clip, part="upper")

    On the whole body a motion begins where the figure is; its upper part, and an arm, stay on a body that
    walks. What is far away when a motion ends, or the next one begins, is gone over to at a walker's pace.
    """

    name = "animation"

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        self._playing: Playing | None = None
        self._share = np.ones(len(skeleton))
        self._part = "whole"
        self._there: GroundFrame | None = None  # where a motion of the whole body began
        self._lasts = SECONDS
        self._switches: float | None = (
            None  # s in which it goes over to another source, from the next frame on
        )
        self._transition = PacedTransition(skeleton)
        self._below: Pose | None = None  # of the last frame
        self._shown: tuple[Pose, ...] = ()  # in the last frame, and the one before
        self._dt = 0.0

    def __repr__(self) -> str:
        if self._playing is None:
            return f"AnimationController({'eases out' if self.plays else 'plays nothing'})"
        left = self._playing.left
        lasts = "round and round" if np.isinf(left) else f"{left:.1f} s to go"
        return f"AnimationController({self._part}, {lasts})"

    @property
    def plays(self) -> bool:
        return self._playing is not None or self._switches is not None or self._transition.active

    def play(
        self, motion: Motion, *, part: str = "whole", fade: float = SECONDS, endlessly: bool = False
    ) -> None:
        """Begins a motion of the same figure; `endlessly` goes round and round until it is stopped.

        Args:
            motion: Of the figure that plays it.
            part: "whole", "upper", "left arm" or "right arm".
            fade: s in which it comes, and goes once it has ended; 0 is at once. Longer where it is far away.
            endlessly: Whether it goes round.

        Raises:
            RequestError: What is asked cannot be played; what is played now goes on.
        """
        if not isinstance(motion, Motion) or not self.skeleton.same_bones(motion.skeleton):
            raise RequestError("an animation is a Motion of the figure that plays it; retarget it first")
        lasts, share = checked_seconds(fade), part_shares(self.skeleton, part)
        self._playing, self._part, self._share = Playing(motion, round=endlessly), part, share
        self._begins, self._there = frame_under(self.skeleton, self._playing.pose), None
        self._switches = self._lasts = lasts

    def stop(self, fade: float = SECONDS) -> None:
        """Ends what is played, over so many seconds; longer where it is far away, and 0 is at once."""
        lasts = checked_seconds(fade)
        if self._playing is not None:
            self._playing, self._switches = None, lasts

    def update(self, tick: Tick) -> Pose:
        """The pose with the motion on it. Never raises."""
        below = tick.pose
        if self._playing is not None or self._switches is not None or self._transition.active:
            shown = self._transition.smoothed(self._source(tick), tick.dt)
        else:
            shown = below
        if tick.dt > 0.0 or not self._shown:
            self._below, self._shown, self._dt = below, (shown, *self._shown[:1]), tick.dt
        return shown

    def _source(self, tick: Tick) -> Pose:
        """What is played now, on the pose of the layers before; over to it where it has just switched."""
        playing = self._playing
        if playing is not None and self._switches is None:
            playing.advance(tick.dt)
            if playing.ended:
                self._playing, self._switches = None, self._lasts
        if self._switches is None:
            return self._mixed(tick.pose)
        if not self._shown:
            self._shown = (tick.pose,)  # it has shown nothing yet
        before = self._mixed(tick.pose if self._below is None else self._below)
        if playing is not None and playing is self._playing:
            playing.advance(tick.dt)
        source = self._mixed(tick.pose)
        rates = None
        if len(self._shown) == 2 and self._dt > 0.0 and tick.dt > 0.0:
            shown, earlier = self._shown
            rates = Rate.between(earlier, shown, self._dt), Rate.between(before, source, tick.dt)
        self._transition.begin(self._shown[0], before, self._switches, rates)
        if self._switches == 0.0:
            self._shown = ()  # what jumps has no rate
        self._switches = None
        return source

    def _mixed(self, below: Pose) -> Pose:
        """What is played on a pose of the layers before."""
        if self._playing is None:
            return below
        here = frame_under(self.skeleton, below)
        if self._part == "whole":
            if self._there is None:
                self._there = frame_under(self.skeleton, self._shown[0])
            here = self._there
        return mixed(below, carried(self._playing.pose, self._begins, here), self._share)


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
