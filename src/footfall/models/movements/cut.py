"""Steps and jumps cut from captured clips: feet calibrated and pinned, keytimes found, sides mirrored.

A step runs from the middle of one double support to the middle of the next ([movements] 7). Where the figure
stands before or after, a little of that belongs to the step. A jump runs from standing to standing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from footfall.adapt.calibrate_feet import calibrate_feet
from footfall.adapt.clean_contacts import clean_contacts
from footfall.adapt.retarget import retarget
from footfall.adapt.rigid import rigid
from footfall.analysis.apex import Jump, detect_jumps
from footfall.analysis.contacts import detect_contacts
from footfall.analysis.plants import Plant, detect_plants
from footfall.analysis.steps import detect_steps
from footfall.errors import RequestError
from footfall.figure.contacts import Contacts
from footfall.figure.example import Example
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.geometry.decisions import clearly_less

STANDING = 0.4  # s of a stand before or after a step that belong to it: the weight is shifted in it
TOGETHER, STOOD = 0.12, 0.2  # s: feet leave and land within the one, and both stand for the other
CARRIES = 0.05  # s by which a foot may be seen to stand no longer while it carries a step
AROUND_JUMP = 1.25  # s before take-off and after landing
SHORTEST = 1.0 / 30.0  # s between keytimes
STEP_KINDS = ("left_step", "right_step")
JUMP_KIND = "jump"


def cut_movements(clips: Sequence[Motion], names: Sequence[str] | None = None) -> list[Example]:
    """All steps and jumps of clips, of one skeleton: that of the first."""
    if not clips:
        raise RequestError("no clips were given; a library needs at least a few steps")
    if names is not None and len(names) != len(clips):
        raise RequestError(f"{len(names)} names do not fit {len(clips)} clips")
    called = list(names) if names is not None else [f"clip {k + 1}" for k in range(len(clips))]
    skeleton = clips[0].skeleton
    if len(skeleton.sides) < 2 or not skeleton.has("hips"):
        raise RequestError("movements need a figure with hips and two legs; see `footfall inspect`")
    own = [rigid(c) if c.skeleton.same_bones(skeleton) else retarget(rigid(c), skeleton) for c in clips]
    if any(clip.contacts is None for clip in own):  # a made motion knows its feet and its contacts
        calibrated = calibrate_feet(own[0].skeleton, own)
        own = [_on(clip, calibrated) for clip in own]
    else:
        own = [_on(clip, own[0].skeleton) for clip in own]
    found = [e for clip, name in zip(own, called, strict=True) for e in _movements(clip, name)]
    if not found:
        raise RequestError("no step and no jump was found in these clips; `footfall inspect` tells what was")
    return found


def _on(clip: Motion, skeleton: Skeleton) -> Motion:
    return replace(clip, skeleton=skeleton)


def _movements(clip: Motion, name: str) -> Iterator[Example]:
    made = clip.contacts is not None
    contacts = clip.contacts if clip.contacts is not None else detect_contacts(clip)
    plants = detect_plants(clip, contacts)
    clean = clip if made else clean_contacts(clip, contacts)
    for step in detect_steps(clip, plants):
        start, off, strike, end = step.keytimes
        carries = CARRIES * clip.fps
        late, early = step.support.start - off, strike - step.support.end
        if clearly_less(carries, late) or clearly_less(carries, early):
            continue  # a running step: nothing carries it throughout
        before = max(start, off - STANDING * clip.fps)
        after = min(end, strike + STANDING * clip.fps)
        yield _example(clean, (before, off, strike, after), f"{step.foot}_step", name)
    for jump in detect_jumps(clip, contacts):
        times = _jump_times(jump, plants, contacts, clip.fps)
        if times is not None:
            yield _example(clean, times, JUMP_KIND, name)


def _jump_times(
    jump: Jump, plants: Sequence[Plant], contacts: Contacts, fps: float
) -> tuple[float, float, float, float] | None:
    """From where both feet stand to where both do again; None where it is not from both feet to both feet."""
    before = [p for p in plants if p.end <= jump.takeoff + 1][-2:]
    after = [p for p in plants if p.start >= jump.landing - 1][:2]
    if {p.foot for p in before} != {"left", "right"} or {p.foot for p in after} != {"left", "right"}:
        return None
    near, stood = TOGETHER * fps, STOOD * fps
    for plant in before:
        if clearly_less(near, jump.takeoff - plant.end) or clearly_less(jump.takeoff - plant.start, stood):
            return None
    for plant in after:
        if clearly_less(near, plant.start - jump.landing) or clearly_less(plant.end - jump.landing, stood):
            return None
    start = max(max(p.start for p in before), jump.takeoff - AROUND_JUMP * fps)
    end = min(min(p.end for p in after) - 1, jump.landing + AROUND_JUMP * fps)
    return start, jump.takeoff, jump.landing, end


def _example(clean: Motion, frames: tuple[float, float, float, float], kind: str, name: str) -> Example:
    """Keytimes in seconds, no two nearer than a frame of the library."""
    start, off, strike, end = (f / clean.fps for f in frames)
    start, end = min(start, off - SHORTEST), max(end, strike + SHORTEST)
    # a clip that begins or ends in the middle of it leaves less
    start, end = max(start, 0.0), min(end, clean.seconds)
    return Example(clean, (start, off, strike, end), {}, kind, f"{name}, {kind} at {off:.2f} s")
