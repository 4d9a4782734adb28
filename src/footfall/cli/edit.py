"""`footfall edit`: a captured walk, walked anew with other steps, on slopes, stairs and any ground."""

from __future__ import annotations

from dataclasses import dataclass
from math import trunc
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from cyclopts import Parameter
from jaxtyping import Float

from footfall.cli.checked import LONGEST, between, check_target, save_both, whole
from footfall.cli.output import emit, remark, remark_notes
from footfall.cli.reading import DEFAULT, Reading
from footfall.errors import RequestError
from footfall.formats.save import ENDINGS
from footfall.formats.terrain_file import load_terrain
from footfall.formats.terrain_source import existing, generated
from footfall.world.foot_plan import FootPlan
from footfall.world.mesh import MeshTerrain

if TYPE_CHECKING:
    from footfall.models.walkedit.model import WalkEdit

SPARE = 0.5  # m before the far edge of a mesh at which a walk straight over it ends
GROUND_SETS = ("slope_deg", "stairs", "curve_deg_per_m")
STAIRS_SET = ("slope_deg", "step_length")


@Parameter(name="*")
@dataclass(frozen=True)
class Walk:
    """How to walk; what is not given is as captured."""

    step_length: Annotated[float | None, Parameter(help="Metres, foot to other foot, along the ground.")] = (
        None
    )
    lift: Annotated[
        float | None, Parameter(help="Metres between the sole's lowest point and the ground at mid-swing.")
    ] = None
    slope_deg: Annotated[float | None, Parameter(help="Degrees up; negative: down.")] = None
    stairs: Annotated[
        str | None,
        Parameter(
            allow_leading_hyphen=True,
            help="RISERxTREAD in metres, e.g. 0.17x0.29; a negative riser goes down; uneven ones: several "
            "with commas, which are walked in turn.",
        ),
    ] = None
    curve_deg_per_m: Annotated[
        float | None, Parameter(help="Degrees to the left with each metre; negative: to the right.")
    ] = None
    speed: Annotated[float | None, Parameter(help="Metres a second along the ground.")] = None
    steps: Annotated[
        int | None,
        Parameter(converter=whole, help="How many; 8 by default, on a --terrain as the path has room."),
    ] = None
    first: Annotated[
        str | None,
        Parameter(help="The foot that stands at the start: left by default, on a --terrain as it serves."),
    ] = None
    out_fps: Annotated[float | None, Parameter(help="Frame rate of the result; else the clip's.")] = None

    def wishes(self, *, on_ground: bool) -> dict[str, Any]:
        """What a walk edit is asked for; refused where it makes no sense, or where a given ground decides."""
        from footfall.models.walkedit.model import RATES
        from footfall.models.walkedit.wishes import LIMITS, MOST_STEPS

        if self.first not in (None, "left", "right"):
            raise RequestError(f"--first must be left or right, not {self.first!r}")
        if on_ground:
            self._refuse(GROUND_SETS, "the ground of --terrain")
        if self.stairs is not None:
            self._refuse(STAIRS_SET, "--stairs")
        asked: dict[str, Any] = {
            "first": self.first,
            "fps": between("--out-fps", self.out_fps, *RATES, "Hz"),
            "steps": between("--steps", self.steps, 1, MOST_STEPS),
            "stairs": None if self.stairs is None else _stairs(self.stairs),
            "slope": _angle("--slope-deg", self.slope_deg, LIMITS["slope"], "degrees"),
            "curve": _angle("--curve-deg-per-m", self.curve_deg_per_m, LIMITS["curve"], "degrees a metre"),
        }
        for name in ("step_length", "lift", "speed"):
            asked[name] = between(_option(name), getattr(self, name), *LIMITS[name])
        return {name: value for name, value in asked.items() if value is not None}

    def _refuse(self, names: tuple[str, ...], who: str) -> None:
        for name in names:
            if getattr(self, name) is not None:
                raise RequestError(f"{_option(name)} cannot be given here: {who} decides it")


AS_CAPTURED = Walk()


def edit(
    clip: Annotated[Path, Parameter(help="A captured walk; or actor:walk, performed without a file.")],
    /,
    *,
    output: Annotated[
        Path, Parameter(name=["-o", "--output"], help="The file to write: .bvh, .glb, .amass.npz or .ffm.")
    ],
    walk: Walk = AS_CAPTURED,
    terrain: Annotated[
        str | None, Parameter(help="Walk over this ground: a mesh file, or bumps:7, stones:7 and the like.")
    ] = None,
    path: Annotated[
        str | None,
        Parameter(
            allow_leading_hyphen=True,
            help='Where to walk on it: "x,z x,z ..." in metres; else generated ground along its own way, a '
            "mesh along +Z from the origin.",
        ),
    ] = None,
    plan: Annotated[Path | None, Parameter(help="Also write the footprints, as a foot plan (.json).")] = None,
    json: Annotated[bool, Parameter(negative="", help="One JSON object.")] = False,
    reading: Reading = DEFAULT,
) -> int:
    """Walks a captured walk anew: any step length, lift, slope, stairs, curve and speed, or over a terrain.

    Example: footfall edit walk.bvh --stairs 0.17x0.29 --steps 10 -o stairs.glb
    """
    check_target(output, ENDINGS)
    check_target(plan, (".json",))
    wishes = walk.wishes(on_ground=terrain is not None)
    over = _over(terrain, path)
    captured = _captured(clip, reading)
    edited = captured.synthesize(**wishes) if over is None else captured.on(*over, **wishes)
    assert edited.plan is not None
    found, steps = edited.certificate(), len(edited.plan) - 2  # its first two are where the feet begin
    save_both(edited, output, edited.plan, plan)
    for sentence in found.clamped:
        remark(f"{output}: {sentence}")
    skeleton = edited.skeleton
    values: dict[str, object] = found.as_dict() | {
        "file": str(output),
        "plan": None if plan is None else str(plan),
        "steps": steps,
        "captured_step_length_m": captured.step_length,
        "captured_speed_m_s": captured.speed,
        "foot_points": {side: skeleton.foot_points(side).as_lists() for side in skeleton.sides},
    }
    line = f"{output}: {steps} steps, {len(edited)} frames at {edited.fps:g} Hz, {edited.seconds:.1f} s"
    emit(values, json=json, text=lambda: [line, *str(found).splitlines()])
    return 0


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _angle(option: str, degrees: float | None, limits: tuple[float, float, str], unit: str) -> float | None:
    """In radians; the limits as one would say them in degrees."""
    low, high = (trunc(round(10.0 * np.degrees(limit), 6)) / 10.0 for limit in limits[:2])
    checked = between(option, degrees, low, high, unit)
    return None if checked is None else float(np.radians(checked))


def _stairs(text: str) -> list[tuple[float, float]]:
    """Risers and treads from words such as 0.16x0.30,0.12x0.35."""
    from footfall.models.walkedit.wishes import Wishes

    try:
        pairs = [_pair(part, "x") for part in text.lower().split(",")]
    except ValueError:
        raise RequestError(
            "--stairs takes RISERxTREAD in metres such as 0.16x0.30, or several with commas, "
            f"not {text[:LONGEST]!r}"
        ) from None
    try:
        return Wishes(stairs=pairs).flight or []
    except RequestError as error:
        raise RequestError(f"--stairs: {error}") from None


def _points(text: str) -> Float[np.ndarray, "points 2"]:
    """A path from words such as "0,0 0.5,3"."""
    try:
        points = np.array([_pair(part, ",") for part in text.split()])
    except ValueError:
        points = np.zeros((0, 2))
    if len(points) < 2 or not np.isfinite(points).all():
        raise RequestError(f'--path takes two or more points "x,z x,z ..." in metres, not {text[:LONGEST]!r}')
    return points


def _pair(text: str, between: str) -> tuple[float, float]:
    first, second = (float(part) for part in text.split(between))
    return first, second


def _over(terrain: str | None, path: str | None) -> tuple[MeshTerrain, np.ndarray] | None:
    """The ground to walk over, and the path there."""
    points = None if path is None else _points(path)
    if terrain is None:
        if points is not None:
            raise RequestError("--path leads over a ground: give it with --terrain")
        return None
    if (made := generated(terrain)) is not None:
        return made.terrain, _middle(made.crossing) if points is None else points
    ground = load_terrain(existing(terrain))
    return ground, _straight_over(ground, terrain) if points is None else points


def _middle(crossing: FootPlan) -> Float[np.ndarray, "points 3"]:
    """The way between the left and the right footprints."""
    places = np.stack([p.position for p in crossing.placements])
    return 0.5 * (places[1:] + places[:-1])


def _straight_over(ground: MeshTerrain, name: str) -> Float[np.ndarray, "points 2"]:
    """From the origin along +Z to where the ground ends."""
    far = float(ground.bounds[1][2]) - SPARE
    if far < SPARE:
        raise RequestError(f"{name}: there is no ground ahead of the origin; --path says where else to walk")
    return np.array([[0.0, 0.0], [0.0, far]])


def _captured(clip: Path, reading: Reading) -> WalkEdit:
    from footfall.models.walkedit.model import WalkEdit

    capture = reading.load(clip)
    remark_notes(capture.file, capture.notes)
    try:
        return WalkEdit(capture.motion)
    except RequestError as error:
        raise RequestError(f"{capture.file}: {error}") from None
