"""Clips of several people on one figure: feet measured person by person, floors found, contacts pinned.

When a foot stands (to tell steps by) and when it stands still (to be pinned) are not the same: a foot that
rolls off stands, but parts of it move. So the contacts that were seen are kept beside those that are pinned.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from footfall.adapt.calibrate_feet import calibrate_feet
from footfall.adapt.clean_contacts import clean_contacts
from footfall.adapt.retarget import retarget
from footfall.adapt.rigid import rigid
from footfall.analysis.contacts import detect_contacts
from footfall.errors import RequestError
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton

Told = Callable[[str, float], None]


@dataclass(frozen=True, eq=False)
class CleanClip:
    """A clip with its feet pinned, and when its feet were seen to stand."""

    motion: Motion  # carries its pinned contacts
    seen: Contacts


def on_one_figure(clips: Sequence[Motion], progress: Told | None = None) -> list[CleanClip]:
    """All clips on the skeleton of the first, its feet measured.

    Soles are measured before a clip goes to another figure: people's feet differ, and a foot that lies flat
    must lie flat there too. Clips that carry contacts (made ones) know their feet and are not pinned again.
    """
    if not clips:
        raise RequestError("no clips were given")
    own = [rigid(clip) for clip in clips]
    people = _people(own)
    measured = [_measured([own[i] for i in group]) for group in people]
    figure = measured[0]
    if len(figure.sides) < 2 or not figure.has("hips"):
        raise RequestError("a figure with hips and two legs is needed; see `footfall inspect`")
    placed: dict[int, CleanClip] = {}
    for group, skeleton in zip(people, measured, strict=True):
        for i in group:
            if progress is not None:
                progress("feet pinned", len(placed) / len(own))
            placed[i] = _placed(replace(own[i], skeleton=skeleton), figure)
    return [placed[i] for i in range(len(own))]


def _people(clips: Sequence[Motion]) -> list[list[int]]:
    """Indices of clips that share their bones, in the order in which they are met."""
    groups: list[list[int]] = []
    for i, clip in enumerate(clips):
        for group in groups:
            if clips[group[0]].skeleton.same_bones(clip.skeleton):
                group.append(i)
                break
        else:
            groups.append([i])
    return groups


def _measured(clips: Sequence[Motion]) -> Skeleton:
    skeleton = clips[0].skeleton
    if skeleton.feet is not None or all(clip.contacts is not None for clip in clips):
        return skeleton
    return calibrate_feet(skeleton, [replace(clip, skeleton=skeleton) for clip in clips])


def _placed(clip: Motion, figure: Skeleton) -> CleanClip:
    seen = clip.contacts if clip.contacts is not None else detect_contacts(clip)
    if not clip.skeleton.same_bones(figure):
        return CleanClip(retarget(clip, figure), seen)
    return CleanClip(clip if clip.contacts is not None else clean_contacts(clip, seen), seen)
