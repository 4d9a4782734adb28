"""Clips at the frame rate they must have been captured at: headers lie."""

from __future__ import annotations

from dataclasses import replace

from footfall.analysis.contacts import detect_contacts
from footfall.analysis.frame_rate import doubt_rate
from footfall.analysis.plants import detect_plants
from footfall.analysis.steps import detect_steps
from footfall.figure.motion import Motion


def true_rate(clip: Motion) -> Motion:
    """The clip at the frame rate it must have been captured at: headers lie."""
    if clip.contacts is not None or len(clip.skeleton.sides) < 2 or len(clip) < 3:
        return clip
    contacts = detect_contacts(clip)
    doubt = doubt_rate(clip, contacts, detect_steps(clip, detect_plants(clip, contacts)))
    return clip if doubt is None else replace(clip, fps=doubt.likely)
