"""Joint error on held-out clips: a step space follows their footprints; how far are its joints from theirs?

Capture and synthesized motion stand on the same footprints, so positions are compared in place. Frames are
paired by the strikes and toe-offs that both have, linearly in between.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from jaxtyping import Float
from naturalness_clips import CleanClip
from naturalness_left_out import body_parts
from scipy.interpolate import make_interp_spline

import footfall as ff
from footfall.models.stepspace.selection import Selector

SAMPLES_PER_SECOND = 60.0  # at which joints are compared
STANDS, STANDS_FOR = 0.15, 0.15  # m/s of the root over so many s at a clip's end: slower, it stands
SAME_FOOTPRINT = 0.12  # m from a planned footprint within which a plant belongs to it
AT_AN_END = 0.02  # s; an event nearer to an end of the motion may be cut off
APART = 0.01  # s between events that pair times
LONGEST_STEP = 1.3  # s between strikes; longer ones hold a stand

Event = tuple[int, str]  # the number of a footprint; "strike" or "toe-off"


@dataclass(frozen=True)
class StepError:
    """One step of a held-out clip: mean joint distance by body part, in metres."""

    clip: str
    distance: dict[str, float]


@dataclass(frozen=True)
class HeldOutErrors:
    """What one method made of the held-out clips."""

    method: str
    timed: bool  # whether the plan states swing and stance times
    steps: tuple[StepError, ...]
    refused: tuple[str, ...]  # clips and why they have no figure

    def mean(self, part: str = "all") -> float:
        """Mean joint distance over all steps, in metres."""
        return float(np.mean([step.distance[part] for step in self.steps])) if self.steps else np.nan


def held_out_errors(
    space: ff.StepSpace,
    clips: Mapping[str, CleanClip],
    methods: Mapping[str, str | Selector],
    *,
    timed: bool,
) -> list[HeldOutErrors]:
    """Joint errors of all methods on all clips.

    Args:
        space: A step space built without these clips.
        clips: Held-out clips on the skeleton of the step space, by file.
        methods: Selectors by name.
        timed: Whether plans keep the captured swing and stance times.
    """
    found = []
    for name, selector in methods.items():
        steps: list[StepError] = []
        refused: list[str] = []
        for file, clip in clips.items():
            try:
                steps += step_errors(space, file, clip, selector, timed=timed)
            except ff.FootfallError as error:
                refused.append(f"{file}: {error}")
        found.append(HeldOutErrors(name, timed, tuple(steps), tuple(refused)))
    return found


def step_errors(
    space: ff.StepSpace, file: str, clip: CleanClip, selector: str | Selector, *, timed: bool
) -> list[StepError]:
    """Of every step of one clip: the mean joint distance between capture and synthesized motion."""
    plan = ff.extract_plan(clip.motion, contacts=clip.contacts)
    made = followed(space, plan if timed else without_times(plan), clip.motion, selector, fps=clip.motion.fps)
    captured_times, made_times, strikes = paired_events(clip, made, plan)
    if len(captured_times) < 3:
        raise ff.RequestError("the capture and the synthesized motion have fewer than 3 events in common")
    parts = body_parts(clip.motion.skeleton)
    captured_joints, made_joints = joint_curves(clip.motion), joint_curves(made)
    errors = []
    for (start, foot), (end, other) in pairwise(strikes):
        if foot == other or end - start > LONGEST_STEP:
            continue
        times = np.arange(start, end, 1.0 / SAMPLES_PER_SECOND)
        away = captured_joints(times) - made_joints(np.interp(times, captured_times, made_times))
        far = np.linalg.norm(away, axis=-1).mean(axis=0)
        errors.append(StepError(file, {part: float(far[joints].mean()) for part, joints in parts.items()}))
    return errors


def followed(
    space: ff.StepSpace, plan: ff.FootPlan, capture: ff.Motion, selector: str | Selector, *, fps: float
) -> ff.FollowedPlan:
    """The plan followed, out of a stand and into one where the capture does so."""
    starts, ends = stands(capture)
    return space.follow(plan, fps=fps, from_stand=starts, to_stand=ends, selector=selector)


def stands(motion: ff.Motion) -> tuple[bool, bool]:
    """Whether a motion begins and ends in a stand."""
    speeds = np.linalg.norm(np.diff(motion.root[:, [0, 2]], axis=0), axis=1) * motion.fps
    count = int(STANDS_FOR * motion.fps)
    return bool(speeds[:count].mean() < STANDS), bool(speeds[-count:].mean() < STANDS)


def without_times(plan: ff.FootPlan) -> ff.FootPlan:
    return ff.FootPlan(tuple(replace(one, swing=None, stance=None) for one in plan.placements))


def joint_curves(motion: ff.Motion):  # type: ignore[no-untyped-def]
    """Joint positions as a cubic spline of the time in seconds, constant beyond the ends."""
    spline = make_interp_spline(np.arange(len(motion)) / motion.fps, motion.positions, k=3)
    return lambda times: spline(np.clip(times, 0.0, motion.seconds))


def paired_events(
    clip: CleanClip, made: ff.FollowedPlan, plan: ff.FootPlan
) -> tuple[Float[np.ndarray, "events"], Float[np.ndarray, "events"], list[tuple[float, str]]]:
    """Strikes and toe-offs that both motions have.

    Returns:
        Their times in the capture and in the synthesized motion, both increasing, in seconds; and the
        strikes in the capture with the foot that strikes.
    """
    assert made.contacts is not None
    own = events_of(clip.motion, clip.contacts, plan)
    others = events_of(made, made.contacts, plan)
    common = common_events(own, others)
    strikes = sorted((own[k, "strike"], plan.placements[k].foot) for k, what in common if what == "strike")
    kept = apart_in_both(common, own, others)
    return np.array([own[e] for e in kept]), np.array([others[e] for e in kept]), strikes


def common_events(own: Mapping[Event, float], others: Mapping[Event, float]) -> list[Event]:
    """Events of both in the order of their own times; of equal times the earlier footprint is first."""
    return sorted(own.keys() & others.keys(), key=lambda event: (own[event], event))


def apart_in_both(
    events: Sequence[Event], own: Mapping[Event, float], others: Mapping[Event, float]
) -> list[Event]:
    """Events without those that follow the one kept before by less than `APART` in either motion."""
    kept: list[Event] = []
    for event in events:
        if not kept or min(own[event] - own[kept[-1]], others[event] - others[kept[-1]]) > APART:
            kept.append(event)
    return kept


def events_of(motion: ff.Motion, contacts: ff.Contacts, plan: ff.FootPlan) -> dict[Event, float]:
    """When a foot strikes and leaves each footprint, in seconds, without events at an end of the motion."""
    events = {}
    for number, plant in enumerate(plants_on(motion, contacts, plan)):
        if plant is None:
            continue
        strike, toe_off = plant.start / motion.fps, plant.end / motion.fps
        if strike > AT_AN_END:
            events[number, "strike"] = strike
        if toe_off < motion.seconds - AT_AN_END:
            events[number, "toe-off"] = toe_off
    return events


def plants_on(motion: ff.Motion, contacts: ff.Contacts, plan: ff.FootPlan) -> list[ff.Plant | None]:
    """The plant on each footprint of a plan: of each foot in order, the next that is near enough."""
    plants = ff.detect_plants(motion, contacts)
    on: list[ff.Plant | None] = [None] * len(plan.placements)
    for side in ("left", "right"):
        left = [plant for plant in plants if plant.foot == side]
        for number, placement in enumerate(plan.placements):
            if placement.foot != side:
                continue
            for k, plant in enumerate(left):
                if np.hypot(*(plant.position - placement.position)[[0, 2]]) < SAME_FOOTPRINT:
                    on[number] = plant
                    left = left[k + 1 :]
                    break
    return on
