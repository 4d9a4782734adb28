"""Small step spaces that tests share, made once: parts of the actor's session, all ways of stepping."""

from __future__ import annotations

from functools import cache

import footfall as ff
from footfall.figure.motion import Motion
from footfall.models.stepspace.build import build_step_space
from footfall.models.stepspace.model import StepSpace

SECONDS = {"forward_1": 14.0, "backward_1": 8.0, "side_1": 6.0, "cross_1": 6.0}

SPEEDS = (2.4, 2.8, 3.2)  # m/s of runs


@cache
def session_parts() -> tuple[Motion, ...]:
    """The beginning of one take of each kind; each begins in a stand."""
    takes = {e.name: e.motion for e in ff.VirtualActor().perform("stepping")}
    return tuple(takes[name].between(0.0, seconds) for name, seconds in SECONDS.items())


@cache
def small_space() -> StepSpace:
    """Some fifty steps a side."""
    return build_step_space(session_parts())


@cache
def running_space() -> StepSpace:
    """The same and some running steps, without blend candidates."""
    actor = ff.VirtualActor().at(60.0)
    runs = [actor.run(speed, turn_rate=0.1 * k).motion for k, speed in enumerate(SPEEDS)]
    return build_step_space([*session_parts(), *runs], candidates=False)
