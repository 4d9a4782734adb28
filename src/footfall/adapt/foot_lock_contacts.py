"""Contacts to lock feet by: those that a motion carries, without what blending left in them.

Blended truth values flicker: a heel or a toe that is off for a few frames within its stance never left, and
a foot in mid-swing that touches for a frame or two never stood.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool

from footfall.analysis.signals import mended
from footfall.figure.contacts import SIDE_INDEX, Contacts, runs_of

FLICKER = 0.07  # s: a contact that is interrupted for no longer was not
TOUCH = 0.05  # s: one foot's contact that lasts no longer is none


def steady_contacts(contacts: Contacts, fps: float) -> Contacts:
    """Contacts without flicker."""
    heel, toe = np.array(contacts.heel), np.array(contacts.toe)
    for column in SIDE_INDEX.values():
        for mask in (heel, toe):
            mask[:, column] = mended(mask[:, column], round(FLICKER * fps))
        _without_touches(heel[:, column], toe[:, column], round(TOUCH * fps))
    return Contacts(heel, toe)


def _without_touches(
    heel: Bool[np.ndarray, "frames"], toe: Bool[np.ndarray, "frames"], shortest: int
) -> None:
    """Takes out, in place, what is too short for a stance; but at a clip's ends stances may be cut off."""
    for first, last in runs_of(heel | toe):
        if last - first <= shortest and first > 0 and last < len(heel):
            heel[first:last] = toe[first:last] = False
