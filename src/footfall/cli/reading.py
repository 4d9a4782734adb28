"""Options that every command with a clip shares: how to read a file that says too little or lies."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from footfall.errors import RequestError
from footfall.file_access import is_there, note_read
from footfall.formats.assemble import Capture
from footfall.formats.load import load_capture

ACTOR = "actor:"  # a clip called actor:walk is performed, not read


@Parameter(name="*")
@dataclass(frozen=True)
class Reading:
    """How to read the clip."""

    fps: Annotated[float | None, Parameter(help="The true frame rate, where the file's header is wrong.")] = (
        None
    )
    skeleton: Annotated[
        Path | None, Parameter(help="Skeleton file of an .amc or .skm clip; else the only one in its folder.")
    ] = None
    read_unit: Annotated[
        str | None,
        Parameter(help="The file's unit (m, cm, mm, in, ft, cmu, or metres): else leg length decides."),
    ] = None
    read_up: Annotated[
        str | None, Parameter(help="The file's up axis, y or z; else found from the figure.")
    ] = None
    role: Annotated[
        list[str],
        Parameter(
            negative="", help="ROLE=JOINT where names say too little, e.g. left_foot=Ankle_L; repeatable."
        ),
    ] = ()  # type: ignore[assignment]

    def load(self, path: Path) -> Capture:
        if self.skeleton is not None:  # also where the clip needs none
            note_read(self.skeleton)
        if str(path).startswith(ACTOR) and not is_there(path):
            return self._acted(str(path))
        return load_capture(
            path,
            fps=self.fps,
            unit=self.read_unit,
            up=self.read_up,
            skeleton=self.skeleton,
            roles=dict(_role(text) for text in self.role or ()) or None,
        )

    def _acted(self, text: str) -> Capture:
        """A piece of the virtual actor instead of a file."""
        from footfall.actor.repertoire import play

        if self.skeleton or self.read_unit or self.read_up or self.role:
            raise RequestError(f"{text} is no file: only --fps says something of it")
        motion = play(text.removeprefix(ACTOR), fps=self.fps).motion
        return Capture(motion, unit=1.0, up="y", file=text, format="actor")


DEFAULT = Reading()


def _role(text: str) -> tuple[str, str]:
    role, equals, joint = text.partition("=")
    if not equals:
        raise RequestError(f"--role takes ROLE=JOINT, not {text!r}")
    return role, joint
