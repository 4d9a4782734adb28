"""The idle layer: somebody who stands is never quite still ([body] table 1)."""

from __future__ import annotations

from footfall.control.playing import Playing, carried, frame_under
from footfall.control.tick import Tick
from footfall.errors import RequestError
from footfall.figure.motion import Motion
from footfall.figure.pose import Pose


class IdleController:
    """Plays a motion of somebody who stands, round and round, wherever the layer before has put the figure.

    >>> figure = Character(skeleton, [WorldOffset(skeleton, (2, 3)), IdleController(standing)])
    """

    name = "idle"

    def __init__(self, motion: Motion) -> None:
        if not isinstance(motion, Motion):
            raise RequestError(f"an idle layer plays a Motion, not {type(motion).__name__}")
        self.skeleton = motion.skeleton
        self._playing = Playing(motion, round=True)
        self._begins = frame_under(self.skeleton, self._playing.pose)

    def __repr__(self) -> str:
        return f"IdleController({self._playing.motion.seconds:.1f} s, round and round)"

    def update(self, tick: Tick) -> Pose:
        """The standing pose at this time, there. Never raises."""
        self._playing.advance(tick.dt)
        return carried(self._playing.pose, self._begins, frame_under(self.skeleton, tick.pose))
