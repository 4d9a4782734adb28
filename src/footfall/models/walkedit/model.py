"""`WalkEdit`: one captured walk, walked anew at any step length, lift, slope, stairs, curve and speed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from footfall.errors import RequestError
from footfall.figure.motion import Motion, checked_rate
from footfall.geometry.decisions import MARGIN, clearly_less, first_greatest
from footfall.models.synthesized import Synthesized
from footfall.models.walkedit.course import Course, Stride, lay
from footfall.models.walkedit.crossing import CrossingWishes, cross
from footfall.models.walkedit.cycle import WalkCycle
from footfall.models.walkedit.extract import extract_cycle
from footfall.models.walkedit.landing import landings
from footfall.models.walkedit.perform import perform
from footfall.models.walkedit.phase import Clock
from footfall.models.walkedit.steps import Footprints
from footfall.models.walkedit.swing_lift import swing_lifts
from footfall.models.walkedit.way import STRAIGHT_ON, Way, bending_way, way_along
from footfall.models.walkedit.wishes import Stairs, Value, Wishes, granted
from footfall.world.terrain import Ground, is_number

RATES = (10.0, 1000.0)  # Hz
MOST_FRAMES = 200_000
STOREY = 2.0  # m
AS_ASKED = 0.001  # m


@dataclass(frozen=True, eq=False, repr=False)
class EditedWalk(Synthesized):
    """A captured walk, walked anew."""

    @property
    def example(self) -> Motion | None:
        """The captured cycle it was made from, cleaned."""
        return self.examples[0] if self.examples else None


class WalkEdit:
    """One clean cycle of a captured walk, to be walked anew.

    >>> edit = WalkEdit(load_motion("walk.bvh"))
    >>> climb = edit.synthesize(step_length=0.8, lift=0.15, slope=0.2)
    """

    def __init__(self, clip: Motion):
        self.cycle: WalkCycle = extract_cycle(clip)

    @property
    def step_length(self) -> float:
        """As captured, m."""
        return self.cycle.step_length

    @property
    def speed(self) -> float:
        """As captured, m/s."""
        return self.cycle.speed

    def synthesize(
        self,
        *,
        steps: int = 8,
        step_length: Value | None = None,
        lift: Value | None = None,
        slope: Value | None = None,
        stairs: Stairs | None = None,
        curve: Value | None = None,
        speed: Value | None = None,
        first: str = "left",
        fps: float | None = None,
    ) -> EditedWalk:
        """A walk of so many steps from the origin along +Z. What is not given is as captured.

        Lengths are metres, angles radians. `step_length` is from one foot's place to the other's, along the
        way and along the slope; `lift` the clearance of the lowest point of the sole at mid-swing; `stairs`
        a riser (negative: down) and a tread, or several; `curve` radians a metre to the left; `speed` metres
        a second along the ground. Each but stairs may be a number, a function of the distance walked,
        `OverTime` of a function of time, or pairs of distance and value. `first` is the foot that stands
        where the walk begins.
        """
        rate = self._rate(fps)
        wishes = Wishes(steps, step_length, lift, slope, stairs, curve, speed, first)
        steps_given = granted(self.cycle, wishes)
        course = lay(self.cycle, steps_given.strides, _way(wishes, steps_given.strides), first)
        clamped = (*steps_given.clamped, *_over_itself(course))
        return self._walked(course.prints, course.ground, rate, clamped)

    def on(
        self,
        terrain: Ground,
        path: object,
        *,
        step_length: Value | None = None,
        lift: Value | None = None,
        speed: Value | None = None,
        steps: int | None = None,
        first: str | None = None,
        fps: float | None = None,
    ) -> EditedWalk:
        """A walk over a terrain along a path of points (x, z), or (x, y, z) where ground lies over ground.

        Footholds are chosen that bear the whole sole, for steps as near as can be to what is asked, and the
        swing foot clears whatever lies between them. With `steps` it ends after so many; `first` stands where
        the path begins, None is whichever foot serves better.
        """
        rate = self._rate(fps)
        way, start = way_along(path)
        wishes = CrossingWishes(step_length, lift, speed, steps, first)
        prints, clamped = cross(self.cycle, terrain, way, start, wishes)
        return self._walked(prints, terrain, rate, clamped)

    def _rate(self, fps: float | None) -> float:
        rate = self.cycle.captured.fps if fps is None else checked_rate(fps)
        if not RATES[0] <= rate <= RATES[1]:
            raise RequestError(f"fps must be between {RATES[0]:g} and {RATES[1]:g}, not {rate:g}")
        return rate

    def _walked(self, prints: Footprints, level: Ground, fps: float, clamped: tuple[str, ...]) -> EditedWalk:
        frames = float(prints.strikes[-1] - prints.strikes[0]) * fps
        if frames > MOST_FRAMES:
            raise RequestError(
                f"{frames:.0f} frames would be made, {MOST_FRAMES} are possible: ask for fewer steps or a "
                f"lower fps"
            )
        prints = replace(prints, landings=landings(prints))
        clock = Clock.of(self.cycle, prints)
        swings = swing_lifts(self.cycle, prints, level, clock)
        higher = swings.given - prints.lifts > AS_ASKED
        if higher.any():
            k = int(first_greatest(np.where(higher, swings.given - prints.lifts, -1.0)))
            clamped = (
                *clamped,
                f"lift {prints.lifts[k]:.3f} m: up to {swings.given[k]:.3f} m where the ground asks for more",
            )
        motion = perform(self.cycle, replace(prints, lags=swings.lags), clock, fps, swings.lifts)
        return EditedWalk(
            motion.skeleton,
            motion.root,
            motion.rotations,
            motion.fps,
            contacts=motion.contacts,
            ground=level,
            plan=prints.plan(),
            clamped=clamped,
            examples=(self.cycle.captured,),
            made=(motion.root, motion.rotations),
        )


def _over_itself(course: Course) -> Iterator[str]:
    """Says where a ramp comes round to its own beginning with no room for a person between."""
    prints, shown = course.prints, slice(1, -2)
    ways, levels = np.unwrap(prints.ways)[shown], prints.places[shown, 1]
    round_once = clearly_less(2.0 * np.pi, np.abs(ways - ways[0]))
    if round_once.any():
        apart = abs(float(levels[np.argmax(round_once)] - levels[0]))
        if MARGIN < apart < STOREY:
            yield f"curve: the way comes round {apart:.2f} m over itself, and each turn of it is told alone"


def _way(wishes: Wishes, strides: Sequence[Stride]) -> Way:
    """Straight on, or bending as is asked; what is asked over time is known where the walk is then."""
    bend = wishes.varying("curve")
    if bend is None or (is_number(bend.value) and bend.value == 0.0):
        return STRAIGHT_ON
    if is_number(bend.value):
        return bending_way(bend.at(0.0, 0.0), sum(s.advance for s in strides) + 1.0)
    walked = np.cumsum([0.0, *(s.advance for s in strides[1:])])
    passed = np.cumsum([0.0, *(s.seconds for s in strides[1:])])
    return bending_way(
        lambda distance: bend.at(distance, float(np.interp(distance, walked, passed))), walked[-1] + 1.0
    )
