"""A locomotion that goes on as it does: what `Locomotion.synthesize` makes.

It is played by the same kernel as a character, but in even steps of the phase, far finer than frames: strikes
then fall between the same two steps whatever is asked, and a motion changes with its parameters as smoothly
as its examples do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float

from footfall.errors import RequestError
from footfall.figure.contacts import Contacts
from footfall.figure.motion import checked_rate
from footfall.geometry import ground
from footfall.geometry import quaternion as quat
from footfall.geometry.decisions import MARGIN, nearest_cell
from footfall.models.locomotion import layout
from footfall.models.synthesized import Synthesized
from footfall.world.plane import FlatTerrain

if TYPE_CHECKING:
    from footfall.models.locomotion.model import Locomotion

STEPS = 960  # of a cycle
BEFORE = 3  # cycles until all that was before is forgotten
RATES = (1.0, 1000.0)  # Hz
LONGEST = 600.0  # s


def played(model: Locomotion, asked: Float[np.ndarray, "3"], seconds: float, fps: float) -> Synthesized:
    """So many seconds of what is asked; where the hull of the loops is left, of what is nearest to it."""
    fps = checked_rate(fps)
    if not RATES[0] <= fps <= RATES[1]:
        raise RequestError(f"fps must be between {RATES[0]:g} and {RATES[1]:g}, not {fps:g}")
    frames = _frames(seconds, fps)
    given = model.space.nearest(asked)
    root, rotations, touching = _Played(model, given).frames(frames, fps)
    told = tuple(
        f"{name} {a:.3f} {unit}: {b:.3f} given"
        for name, unit, a, b in zip(model.space.names, model.space.units, asked, given, strict=True)
        if abs(a - b) > 1e-6
    )
    made = Synthesized(
        model.skeleton,
        root,
        rotations,
        fps,
        contacts=Contacts(touching[:, :2], touching[:, 2:]),
        ground=FlatTerrain(),
        clamped=told,
        reference=model.reference,
    )
    object.__setattr__(made, "made", (made.root, made.rotations))
    return made


def _frames(seconds: object, fps: float) -> int:
    number = isinstance(seconds, int | float | np.integer | np.floating) and not isinstance(seconds, bool)
    if not number or not 0.0 < seconds <= LONGEST:  # type: ignore[operator]
        raise RequestError(f"seconds must be a number over 0 and up to {LONGEST:g}, not {seconds!r:.40}")
    return int(nearest_cell(float(seconds) * fps, 1.0)) + 1  # type: ignore[arg-type]


class _Played:
    """A character that goes at a constant command, long since."""

    def __init__(self, model: Locomotion, given: Float[np.ndarray, "3"]) -> None:
        from footfall.models.locomotion.walker import LocomotionWalker

        self.walker = LocomotionWalker(model)
        state, tables = self.walker.state, model.tables
        self.walker.aim(given)
        state[layout.KEEPS_ON] = 1.0
        state[layout.STANDING] = state[layout.STANDS_TO] = 0.0
        # the left foot strikes between two steps, never at one
        state[layout.PHASE] = 0.5 / STEPS
        for k in range(2):
            state[layout.FEET + layout.FOOT * k + layout.SINCE] = (state[layout.PHASE] - 0.5 * k) % 1.0
        self.walker.renew()
        shares = state[layout.WEIGHTS : layout.WEIGHTS + len(model)] * tables.seconds
        self._lasts, self._limps = float(shares.sum()), float(shares @ tables.limps)
        for _ in range(BEFORE * STEPS):
            self.step()

    def step(self) -> float:
        """One step of the phase; how many seconds it took."""
        wave = np.sin(2 * np.pi * self.walker.state[layout.PHASE])
        seconds = (self._lasts + self._limps * wave) / STEPS
        self.walker.advance(seconds)
        return float(seconds)

    def frames(self, count: int, fps: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Root, rotations and contacts from now on, seen from where the character is now."""
        state = self.walker.state
        heading = float(state[layout.HEADING])
        place = np.array([state[layout.PLACE], 0.0, state[layout.PLACE + 1]])
        poses = np.empty((count, self.walker.pose.size))
        touching = np.empty((count, 4), dtype=bool)
        before, time, frame = self.walker.pose.copy(), 0.0, 0
        contacts = state[layout.CONTACTS : layout.CONTACTS + 4]
        while frame < count:
            was = contacts > 0.5
            lasted = self.step()
            # of a frame at the end of a step it is told after the step: a foot may just have come down
            while frame < count and frame / fps + MARGIN < time + lasted:
                share = max((frame / fps - time) / lasted, 0.0)
                poses[frame] = before + share * (self.walker.pose - before)
                touching[frame] = was
                frame += 1
            time += lasted
            before[:] = self.walker.pose
        back = ground.turn(-heading)
        rotations = quat.normalize(poses[:, 3:].reshape(count, -1, 4))
        rotations[:, 0] = quat.multiply(back, rotations[:, 0])
        return quat.rotate(back, poses[:, :3] - place), quat.continuous(rotations), touching
