"""Limits of what somebody can do, each of which lies in a sensible range."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING

from footfall.errors import RequestError
from footfall.world.terrain import is_number

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def check_ranges(limits: DataclassInstance, ranges: Mapping[str, tuple[float, float]]) -> None:
    """Raises for a field that is no number or outside of its range; slopes are angles, all others lengths."""
    for field in fields(limits):
        low, high = ranges[field.name]
        value = getattr(limits, field.name)
        if not is_number(value) or not low <= value <= high:
            unit = "rad" if field.name == "slope" else "m"
            raise RequestError(
                f"the limit {field.name} must be between {low} and {high} {unit}, not {value!r}"
            )
