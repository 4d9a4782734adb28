"""Locomotion spaces that tests share: the actor's, and that of a captured person."""

from __future__ import annotations

from functools import cache

import footfall as ff
from footfall.models.locomotion.build import build_locomotion
from footfall.models.locomotion.model import Locomotion
from tests.captures import captures


@cache
def actor_space() -> Locomotion:
    return build_locomotion(ff.VirtualActor().perform("body"))


@cache
def captured_space() -> Locomotion:
    """Of clips to the right only; skipped where there are no captures."""
    files = sorted(captures("locomotion-set").glob("*.skm"))
    return build_locomotion([ff.load_motion(file) for file in files], names=[file.stem for file in files])
