"""A character: a skeleton, a clock, and a stack of controllers that each have their turn."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from inspect import signature
from math import isfinite

import numpy as np

from footfall.control.fading import SECONDS, FadedLayer
from footfall.control.tick import Controller, Tick, sound_seconds
from footfall.errors import RequestError
from footfall.figure.contacts import Contacts
from footfall.figure.motion import Motion
from footfall.figure.pose import Pose
from footfall.figure.skeleton import Skeleton
from footfall.world.terrain import Terrain, checked_terrain, is_number

LONGEST = 24 * 3600.0  # s of a recording
REMARKS = 20  # that are remembered


class Character:
    """A figure in a world, moved by its controllers: the first makes a pose, each next one changes it.

    The first is given the rest pose in every frame, so that no layer is given its own pose.

    >>> walker = Character(ring.skeleton, [GaitController(ring)], world=load_terrain("hills.obj"))
    >>> walker.command(turn=0.3, step_length=0.7)
    >>> pose = walker.step(1 / 60)
    """

    def __init__(
        self, skeleton: Skeleton, controllers: Sequence[Controller], *, world: Terrain | None = None
    ) -> None:
        if not isinstance(controllers, Sequence):
            raise RequestError(f"controllers come in a list, not as {type(controllers).__name__}")
        if not controllers:
            raise RequestError("a character needs at least one controller")
        for one in controllers:
            if not isinstance(one, Controller):
                raise RequestError(f"{type(one).__name__} is no controller: it has no `update`")
            own = getattr(one, "skeleton", skeleton)
            if not skeleton.same_bones(own):
                raise RequestError(f"the controller {one.name!r} is of another figure than the character")
        from footfall.geometry.kernel_cache import ready, ready_for

        ready_for(*controllers)  # here, and not in the first frames
        if len(controllers) > 1:
            ready(FadedLayer.__module__)
        self.skeleton, self.world = skeleton, world
        self.stack = ControllerStack(controllers, skeleton)
        self.time = 0.0
        self.pose = self._rest = Pose.at_rest(skeleton)
        self.remarks: deque[str] = deque(maxlen=REMARKS)
        self._first_poses: dict[str, Pose] = {}  # by layer: made last, by one that was given the rest pose

    @property
    def world(self) -> Terrain | None:
        """The ground; None is level ground."""
        return self._world

    @world.setter
    def world(self, world: Terrain | None) -> None:
        self._world = None if world is None else checked_terrain(world)

    def __repr__(self) -> str:
        return f"Character({len(self.skeleton)} joints, {self.time:.2f} s)\n{self.stack}"

    def command(self, **wishes: object) -> None:
        """Tells every controller the wishes that it knows. One that none knows is refused, and then all."""
        heard = [(one, signature(one.command).parameters) for one in self.stack if hasattr(one, "command")]
        if not heard:
            raise RequestError("none of the controllers takes commands")
        known = list(dict.fromkeys(wish for _, own in heard for wish in own))
        unknown = [wish for wish in wishes if wish not in known]
        if unknown:
            names = ", ".join(one.name for one, _ in heard)
            raise RequestError(f"{names} knows no wish {unknown[0]!r}; it knows {', '.join(known)}")
        for one, own in heard:
            told = {wish: value for wish, value in wishes.items() if wish in own}
            if told or not wishes:
                one.command(**told)

    def step(self, dt: float) -> Pose:
        """The pose `dt` seconds later. Never raises; a time that is none is no time.

        A layer that raises, or makes a pose that is not made of numbers, is left out of the frame;
        `remarks` say so. Where no layer under it made a pose, its own last one is shown.
        """
        seconds = sound_seconds(dt)
        self.time += seconds
        pose, previous = self._rest, self.pose
        fades = self.stack.fades
        for controller in self.stack.controllers:
            try:
                made = controller.update(Tick(pose, previous, self.time, seconds, self.world))
                if not isfinite(made.root.sum() + made.rotations.sum()):
                    raise RequestError("its pose is not made of numbers")
                if controller.name in fades:
                    made = self.stack.felt(controller.name, pose, made, seconds)
            except Exception as what:  # whatever a layer does: the others go on
                self._remark(f"{controller.name} was left out: {type(what).__name__}: {what!s:.80}")
                if pose is self._rest:
                    pose = self._first_poses.get(controller.name, pose)
                continue
            if pose is self._rest:
                self._first_poses[controller.name] = made
            pose = made
        self.pose = pose
        return pose

    def _remark(self, words: str) -> None:
        if words not in self.remarks:
            self.remarks.append(words)

    def fade(self, name: str, weight: float, seconds: float = SECONDS) -> None:
        """Eases how much a controller is felt: 1 is all of it, 0 nothing.

        It takes longer than `seconds` where the pose with it and the one without are far apart; 0 is at once.
        """
        self.stack.fade(name, weight, seconds)

    def record(self, seconds: float, *, fps: float = 60.0) -> Motion:
        """Steps through some seconds and keeps every frame; with contacts where a controller knows them."""
        sound = is_number(seconds) and is_number(fps)
        if not sound or not (0.0 < seconds <= LONGEST and 1.0 <= fps <= 1000.0):
            raise RequestError(
                f"a recording takes 0 to {LONGEST:g} s at 1 to 1000 Hz, not {seconds} s at {fps}"
            )
        count = round(seconds * fps) + 1
        root, rotations = np.empty((count, 3)), np.empty((count, len(self.skeleton), 4))
        touching = np.zeros((count, 4), dtype=bool)
        knows = next((one for one in self.stack if hasattr(one, "contacts")), None)
        for k in range(count):
            pose = self.step(1.0 / fps)
            root[k], rotations[k] = pose.root, pose.rotations
            if knows is not None:
                touching[k] = knows.contacts
        contacts = None if knows is None else Contacts(touching[:, :2], touching[:, 2:])
        return Motion(self.skeleton, root, rotations, fps, contacts=contacts)


class ControllerStack:
    """Controllers in the order in which they have their turn; it prints itself."""

    def __init__(self, controllers: Sequence[Controller], skeleton: Skeleton) -> None:
        self.controllers, self.skeleton = tuple(controllers), skeleton
        self.fades: dict[str, FadedLayer] = {}  # of those that are not felt as a whole

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter(self.controllers)

    def __len__(self) -> int:
        return len(self.controllers)

    def __getitem__(self, name: str) -> Controller:
        for one in self.controllers:
            if one.name == name:
                return one
        raise RequestError(f"there is no controller {name!r:.40}; there is {self._listed}")

    def weight(self, name: str) -> float:
        """How much of a controller is felt."""
        fade = self.fades.get(self[name].name)
        return 1.0 if fade is None else fade.fade.weight

    def fade(self, name: str, weight: float, seconds: float = SECONDS) -> None:
        """See `Character.fade`."""
        self.fades.setdefault(self[name].name, FadedLayer(self.skeleton)).to(weight, seconds)

    def felt(self, name: str, before: Pose, after: Pose, seconds: float) -> Pose:
        """What a controller makes of a pose, as far as it is felt."""
        layer = self.fades[name]
        pose = layer.felt(before, after, seconds)
        if layer.over:
            del self.fades[name]
        return pose

    @property
    def _listed(self) -> str:
        return ", ".join(one.name for one in self.controllers)

    def __str__(self) -> str:
        return "\n".join(self._line(k, one) for k, one in enumerate(self.controllers, 1))

    def _line(self, number: int, one: Controller) -> str:
        fade = self.fades.get(one.name)
        felt = "" if fade is None else f" ({100.0 * fade.fade.weight:.0f} %)"
        return f"{number}. {one.name}{felt}: {one!r}"
