"""Shapes by name and measures, as files state them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from footfall.world.shapes.box import Box
from footfall.world.shapes.capsule import Capsule
from footfall.world.shapes.cylinder import Cylinder
from footfall.world.shapes.fields import FieldError, told
from footfall.world.shapes.polygon import Polygon
from footfall.world.shapes.shape import Shape
from footfall.world.shapes.sphere import Sphere

# of each name the shape, and what its measures are called, in the order of its fields
Names = Mapping[str, tuple[type[Any], tuple[str, ...]]]

OBSTACLES: Names = {
    "box": (Box, ("size",)),
    "cylinder": (Cylinder, ("radius", "height")),
    "capsule": (Capsule, ("radius", "height")),
    "sphere": (Sphere, ("radius",)),
    "polygon": (Polygon, ("corners", "height")),
}
OBJECTS: Names = {
    "sphere": (Sphere, ("radius",)),
    "box": (Box, ("size",)),
    "capsule": (Capsule, ("radius", "length")),
}


def shape_named(name: str, measures: Mapping[str, Any], names: Names) -> Shape:
    """The shape of a name; `measures` that are None count as not given."""
    if name not in names:
        raise FieldError("shape", f"must be one of {', '.join(names)}, not {told(name)}")
    kind, needed = names[name]
    for measure, value in measures.items():
        if value is not None and measure not in needed:
            raise FieldError(measure, f"is nothing that a {name} has; it has {' and '.join(needed)}")
    for measure in needed:
        if measures.get(measure) is None:
            raise FieldError(measure, f"must be given: a {name} has {' and '.join(needed)}")
    try:
        return kind(*(measures[measure] for measure in needed))
    except FieldError as error:
        called = dict(zip((own.name for own in fields(kind)), needed, strict=True))
        raise FieldError(called.get(error.field, error.field), error.problem) from None


def measures_of(shape: Shape, names: Names) -> tuple[str, dict[str, Any]]:
    """The name of a shape and its measures."""
    for name, (kind, called) in names.items():
        if isinstance(shape, kind):
            values = (np.asarray(getattr(shape, own.name)).tolist() for own in fields(kind))
            return name, dict(zip(called, values, strict=True))
    raise FieldError("shape", f"must be one of {', '.join(names)}, not a {type(shape).__name__}")
