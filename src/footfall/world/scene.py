"""A scene: the ground, what is in the way, what can be held, where the character starts and what it does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from jaxtyping import Float

from footfall.world.obstacle import Obstacle
from footfall.world.shapes.fields import FieldError, number, place, told
from footfall.world.shapes.placed import Placed
from footfall.world.shapes.shape import Shape
from footfall.world.terrain import Terrain

HANDS = ("left", "right", "both")
LONGEST_NAME = 200  # characters

PLACE_OR_NAME = "a place [x, z] or [x, y, z], or a name"
POINT_OR_NAME = "a point [x, y, z] or a name"


@dataclass(frozen=True)
class Verb:
    """What a task's target may be, and what else may be said of it."""

    target: str  # in words, for errors
    lengths: tuple[int, ...] = ()  # how many coordinates a target may have
    names: tuple[str, ...] = ()  # what a target may be the name of: "object", "obstacle"
    options: tuple[str, ...] = ()
    seconds: bool = False  # whether the target is a time


ANYTHING = ("object", "obstacle")
VERBS: Mapping[str, Verb] = MappingProxyType(
    {
        "go_to": Verb(PLACE_OR_NAME, (2, 3), ANYTHING, ("heading",)),
        "look_at": Verb(POINT_OR_NAME, (3,), ANYTHING, ("seconds",)),
        "touch": Verb(POINT_OR_NAME, (3,), ANYTHING, ("hand",)),
        "pick_up": Verb("the name of an object", (), ("object",), ("hand",)),
        "carry_to": Verb(PLACE_OR_NAME, (2, 3), ANYTHING, ("heading",)),
        "put_down": Verb("a point [x, y, z]", (3,), (), ("hand",)),
        "sit": Verb(PLACE_OR_NAME, (2, 3), ANYTHING, ("heading", "seconds")),
        "wait": Verb("a number of seconds", seconds=True),
    }
)

Target = str | float | tuple[float, ...]


@dataclass(frozen=True)
class Task:
    """One thing to do. `target` is a name, coordinates, or of `wait` the seconds.

    Options are `hand` (left, right or both), `heading` (rad, to face there) and `seconds`; `VERBS` tells
    which go with which verb.
    """

    verb: str
    target: Target
    options: Mapping[str, str | float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        known = VERBS.get(self.verb) if isinstance(self.verb, str) else None
        if known is None:
            raise FieldError("verb", f"must be one of {', '.join(VERBS)}, not {told(self.verb)}")
        object.__setattr__(self, "target", _target(self.verb, known, self.target))
        if not isinstance(self.options, Mapping):
            raise FieldError(self.verb, f"has options by name, not {told(self.options)}")
        strange = [name for name in self.options if name not in known.options]
        if strange:
            possible = f"knows {', '.join(known.options)}" if known.options else "knows no options"
            raise FieldError(str(strange[0])[:40], f"is no option of {self.verb}, which {possible}")
        options = {name: _option(name, value) for name, value in self.options.items()}
        object.__setattr__(self, "options", MappingProxyType(options))


def _target(verb: str, known: Verb, target: object) -> Target:
    if known.seconds:
        return _seconds(target, verb)
    if isinstance(target, str):
        if known.names:
            return target
    elif isinstance(target, Iterable):
        coordinates = [] if isinstance(target, np.ndarray) and target.ndim == 0 else list(target)
        if len(coordinates) in known.lengths:
            return tuple(place([number(c, verb) for c in coordinates], verb, None).tolist())
    raise FieldError(verb, f"needs {known.target}, not {told(target)}")


def _option(name: str, value: object) -> str | float:
    if name == "hand":
        if value not in HANDS:
            raise FieldError(name, f"must be one of {', '.join(HANDS)}, not {told(value)}")
        return str(value)
    return _seconds(value, name) if name == "seconds" else number(value, name)


def _seconds(value: object, field_name: str) -> float:
    seconds = number(value, field_name)
    if seconds < 0.0:
        raise FieldError(field_name, f"must not be negative, not {seconds:g}")
    return seconds


@dataclass(frozen=True, eq=False)
class SceneObject:
    """Something that can be picked up."""

    name: str
    shape: Shape
    position: Float[np.ndarray, "3"]  # of the shape's middle
    heading: float = 0.0  # rad

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise FieldError("name", "must be a text that is not empty")
        object.__setattr__(self, "position", place(self.position, "position", 3))
        object.__setattr__(self, "heading", number(self.heading, "heading"))

    @property
    def placed(self) -> Placed:
        return Placed.upright(self.shape, self.position, self.heading)


@dataclass(frozen=True, eq=False)
class Start:
    """Where the character stands at first, and which way it faces."""

    position: Float[np.ndarray, "3"] = (0.0, 0.0, 0.0)  # type: ignore[assignment]
    heading: float = 0.0  # rad

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", place(self.position, "position", 3))
        object.__setattr__(self, "heading", number(self.heading, "heading"))


@dataclass(frozen=True, eq=False)
class Scene:
    """Every name in it is given once, and tasks name only what is there.

    `terrain_source` is the terrain's file or generator, as a scene file says it. Without terrain the ground
    is level at 0.
    """

    terrain: Terrain | None = None
    terrain_source: str | None = None
    obstacles: tuple[Obstacle, ...] = ()
    objects: tuple[SceneObject, ...] = ()
    start: Start = field(default_factory=Start)
    tasks: tuple[Task, ...] = ()

    def __post_init__(self) -> None:
        for name in ("obstacles", "objects", "tasks"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        self._check_names()
        self._check_tasks()

    def _check_names(self) -> None:
        fields = [(f"objects[{i}].name", thing.name) for i, thing in enumerate(self.objects)]
        fields += [
            (f"obstacles[{i}].name", thing.name) for i, thing in enumerate(self.obstacles) if thing.name
        ]
        given = Counter(name for _, name in fields)
        for where, name in reversed(fields):
            if len(name) > LONGEST_NAME:
                raise FieldError(where, f"must have at most {LONGEST_NAME} characters")
            if given[name] > 1:
                raise FieldError(
                    where, f"must be given once, but {name!r} is the name of {given[name]} things"
                )

    def _check_tasks(self) -> None:
        names = {
            "object": {thing.name for thing in self.objects},
            "obstacle": {thing.name for thing in self.obstacles if thing.name},
        }
        targets = {verb: set().union(*(names[k] for k in known.names)) for verb, known in VERBS.items()}
        for i, task in enumerate(self.tasks):
            possible = targets[task.verb]
            if isinstance(task.target, str) and task.target not in possible:
                listed = ", ".join(sorted(possible)[:8]) or "nothing with a name"
                raise FieldError(
                    f"tasks[{i}].{task.verb}",
                    f"names {task.target[:40]!r}, which is not there; there is {listed}",
                )

    def named(self, name: str) -> SceneObject:
        """The object of that name."""
        for thing in self.objects:
            if thing.name == name:
                return thing
        listed = ", ".join(thing.name for thing in self.objects) or "none"
        raise FieldError("name", f"{name!r} is no object of the scene; there is {listed}")

    def placed(self, time: float = 0.0) -> list[Placed]:
        """All obstacles at a time, then all objects."""
        return [obstacle.at(time) for obstacle in self.obstacles] + [thing.placed for thing in self.objects]
