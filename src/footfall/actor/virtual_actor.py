"""The virtual actor: a person without files, who performs what is asked and knows the truth about it.

>>> actor = VirtualActor(seed=1)
>>> walk = actor.walk(speed=1.3, turn_rate=0.2)
>>> walk.motion, walk.keytimes, walk.parameters
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from footfall.actor.asked import number
from footfall.actor.gait import gaits, jumping, stepping
from footfall.actor.gait.gaits import Pace
from footfall.actor.gait.performance import Score, perform
from footfall.actor.humanoid import humanoid
from footfall.actor.performed import performed
from footfall.actor.promise import kept
from footfall.actor.seeded import checked_seed
from footfall.actor.style import Style
from footfall.errors import RequestError
from footfall.figure.example import Example
from footfall.figure.motion import checked_rate
from footfall.figure.roles import SIDES
from footfall.figure.skeleton import Skeleton
from footfall.validation import one_of

HEIGHTS = (1.5, 2.0)  # m: people whose steps, treads and jumps were tried
HEIGHT, SPREAD = 1.74, 0.055  # m: people's heights
FPS = 60.0

Point = Float[np.ndarray, "3"]
Progress = Callable[[str, float], None]


class VirtualActor:
    """One person: a seed draws height and style, either can be given.

    Every method returns an `Example`: a motion that carries its true contacts, keytimes in seconds, and the
    parameters it shows, in metres, seconds and radians.
    """

    def __init__(
        self, seed: int = 0, height: float | None = None, style: Style | None = None, *, fps: float = FPS
    ) -> None:
        self.seed = checked_seed(seed)
        drawn = HEIGHT + SPREAD * float(
            np.clip(np.random.default_rng([self.seed, 0]).standard_normal(), -2, 2)
        )
        self.height = drawn if height is None else number("height", height, *HEIGHTS)
        if style is not None and not isinstance(style, Style):
            raise RequestError(f"a style is a footfall.Style, not {style!r:.40}")
        self.style = Style.of(self.seed) if style is None else style
        self.skeleton: Skeleton = humanoid(self.height)
        self.fps = checked_rate(fps)

    def at(self, fps: float) -> VirtualActor:
        """The same person at another frame rate."""
        return VirtualActor(self.seed, self.height, self.style, fps=fps)

    def __repr__(self) -> str:
        return f"VirtualActor(seed={self.seed}, height={self.height:.3f}, {self.style})"

    def perform(self, session: str, *, progress: Progress | None = None) -> tuple[Example, ...]:
        """A paper's capture session: "rings", "movements", "stepping", "walk" or "body".

        Performed once, then read from the user's cache folder. `progress` is told what is performed and the
        share that is done.
        """
        from footfall.actor.sessions import perform_session

        return perform_session(self, session, progress)

    def walk(
        self,
        speed: float = 1.3,
        *,
        step_length: float | None = None,
        turn_rate: float = 0.0,
        slope: float = 0.0,
        steps: int = 8,
        first: str = "left",
    ) -> Example:
        """A piece of a walk that goes on; speed along the ground plan, backwards where it is negative."""
        pace = Pace(speed, step_length, turn_rate, slope)
        return self._steady(pace, steps, first, "backward" if number("speed", speed) < 0.0 else "walk")

    def run(
        self,
        speed: float = 3.0,
        *,
        step_length: float | None = None,
        turn_rate: float = 0.0,
        slope: float = 0.0,
        steps: int = 8,
        first: str = "left",
    ) -> Example:
        return self._steady(Pace(speed, step_length, turn_rate, slope, running=True), steps, first, "run")

    def strafe(self, side_speed: float = 0.5, *, speed: float = 0.0, steps: int = 8) -> Example:
        """Sideways without end, to the left where it is positive: one foot out, the other after it."""
        first = "left" if number("side_speed", side_speed) > 0.0 else "right"
        return self._steady(Pace(speed, side_speed=side_speed), steps, first, "strafe")

    def _steady(self, pace: Pace, steps: int, first: str, kind: str) -> Example:
        score, parameters = gaits.steady(self.skeleton, self.style, pace, _count(steps), _side(first))
        return self._example(score, kind, parameters)

    def stairs(
        self,
        riser: float = 0.16,
        tread: float = 0.30,
        *,
        turn: float = 0.0,
        steps: int = 8,
        running: bool = False,
        first: str = "left",
    ) -> Example:
        """A foot a tread, up or (negative riser) down; `turn` is the angle of a spiral stair's wedge."""
        score, _, parameters = gaits.stairs(
            self.skeleton,
            self.style,
            riser=riser,
            tread=tread,
            turn=turn,
            steps=_count(steps),
            running=running,
            first=_side(first),
        )
        return self._example(score, "stairs", parameters)

    def start_and_stop(
        self,
        speed: float = 1.3,
        *,
        step_length: float | None = None,
        turn_rate: float = 0.0,
        steps: int = 6,
        first: str = "left",
    ) -> Example:
        """From standing into a walk and to a stand again."""
        pace = Pace(speed, step_length, turn_rate)
        score, parameters = stepping.start_and_stop(
            self.skeleton, self.style, pace, _count(steps), _side(first)
        )
        return self._example(score, "start_and_stop", parameters)

    def sidestep(self, advance: float = 0.28, *, steps: int = 6, seconds: float = 0.55) -> Example:
        """From standing so many steps aside, to the left where `advance` is positive, and closed again."""
        score = stepping.sidestep(
            self.skeleton, self.style, advance=advance, steps=_count(steps), seconds=seconds
        )
        return self._example(score, "sidestep", {"advance": advance, "steps": float(steps)})

    def cross_step(self, side: str = "left", *, pairs: int = 3, seconds: float = 0.68) -> Example:
        """Aside with crossing feet."""
        score = stepping.cross_step(
            self.skeleton, self.style, side=_side(side), pairs=_count(pairs, "pairs"), seconds=seconds
        )
        return self._example(
            score, "cross_step", {"side": 1.0 if side == "left" else -1.0, "pairs": float(pairs)}
        )

    def step_to(
        self,
        forward: float,
        side: float = 0.0,
        rise: float = 0.0,
        *,
        foot: str = "left",
        turn: float = 0.0,
        close: bool = True,
    ) -> Example:
        """One step of `foot` from standing to any place, relative to where it stands; the other follows."""
        score, parameters = stepping.step_to(
            self.skeleton,
            self.style,
            foot=_side(foot),
            place=np.array([number("side", side), number("rise", rise), number("forward", forward)]),
            turn=turn,
            close=close,
        )
        return self._example(score, "step_to", parameters)

    def turn_in_place(self, angle: float) -> Example:
        score, parameters = stepping.turn_in_place(self.skeleton, self.style, angle=angle)
        return self._example(score, "turn_in_place", parameters)

    def jump(self, length: float = 1.0, height: float = 0.3) -> Example:
        """A standing jump: how far the feet go, and how far the hips rise over where they stood."""
        score, keytimes, parameters = jumping.jump(self.skeleton, self.style, length=length, height=height)
        return self._example(score, "jump", parameters, keytimes)

    def reach(
        self,
        target: Mapping[str, Point] | Point,
        *,
        arm: str = "right",
        seat: float | None = None,
        hand: str = "open",
        touch: str | None = None,
        hold: float = 0.4,
    ) -> Example:
        """Both feet stay: a hand (or, with a target for each side, both) to a place and back.

        Places are in the world; the actor stands at the origin and faces +Z. `seat` is a chair's height,
        `touch` what meets the target: fingertip, palm, grip or pinch, by default what suits the hand's pose.
        """
        from footfall.actor.reach.reaching import reach

        targets = target if isinstance(target, Mapping) else {_side(arm): target}
        found = reach(
            self.skeleton,
            self.style,
            targets,
            fps=self.fps,
            seat=seat,
            hold=hold,
            hand=hand,
            touch=touch,
        )
        return kept(replace(found, name="reach"))

    def idle(self, seconds: float = 8.0) -> Example:
        """Quiet standing: weight shifts, breath, small turns of the head."""
        from footfall.actor.idling import idle

        return idle(self.skeleton, self.style, seconds=seconds, fps=self.fps, seed=self.seed)

    def _example(
        self,
        score: Score,
        kind: str,
        parameters: Mapping[str, float],
        keytimes: tuple[float, ...] | None = None,
    ) -> Example:
        """Keytimes are, unless given, the strikes that are seen."""
        motion = perform(score, self.skeleton, self.style, self.fps)
        if keytimes is None:
            strikes = sorted(s.strike for s in score.stances if score.start <= s.strike <= score.end)
            keytimes = tuple(t - score.start for t in strikes)
        keytimes = tuple(min(t, motion.seconds) for t in keytimes)
        return kept(performed(motion, keytimes, parameters, kind, kind))


def _side(name: str) -> str:
    return one_of(name, SIDES, "a side")


def _count(count: int, name: str = "steps") -> int:
    if isinstance(count, bool) or not (isinstance(count, (int, np.integer)) and 1 <= count <= 500):
        raise RequestError(f"{name} must be a whole number from 1 to 500, not {count!r:.40}")
    return int(count)
