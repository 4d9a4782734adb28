"""The captured clips that the curves are fitted to, as captured and on the actor's figure."""

from __future__ import annotations

from collections.abc import Iterator
from csv import DictReader
from dataclasses import dataclass, replace
from pathlib import Path

from footfall import calibrate_feet, level_floor, load_motion, retarget
from footfall.actor.humanoid import humanoid
from footfall.errors import FootfallError, RequestError
from footfall.figure.motion import Motion

FOLDERS = ("walk", "run", "turn-side-back", "stairs-uneven", "locomotion-set")
LEVEL = ("walk", "run", "turn-side-back")  # captured on one floor
# stepping over, running over blocks, and walks with a turn on the spot are no steady gaits
UNSTEADY = ("143_16", "127_34", "127_35", "Turn180", "Turn90", "ToIdle", "ToWalk", "Step")
TURNING_JUMPS = ("Left90",)
STANDING = ("idle/77_02.bvh", "locomotion-set/ChrMarine@Idle01.skm")

Row = dict[str, str]


@dataclass(frozen=True, eq=False)
class Clip:
    """One clip twice: `captured` with calibrated feet and a level floor, `motion` on the actor's figure."""

    file: str
    person: str
    captured: Motion
    motion: Motion


def manifest(captures: Path) -> list[Row]:
    """What is known of every clip whose steps were counted."""
    path = captures / "MANIFEST.csv"
    if not path.is_file():
        raise RequestError(f"{captures} is no folder of captures: it has no MANIFEST.csv")
    with path.open(newline="") as lines:
        return [row for row in DictReader(lines) if row["steps"]]


def folder_of(row: Row) -> str:
    return row["file"].split("/")[0]


def gait_rows(captures: Path) -> list[Row]:
    """The clips in which somebody walks, runs, or climbs steadily."""
    return [row for row in manifest(captures) if folder_of(row) in FOLDERS and not _named(row, UNSTEADY)]


def jump_rows(captures: Path) -> list[Row]:
    """The clips of jumps that go straight on."""
    return [row for row in manifest(captures) if folder_of(row) == "jump" and not _named(row, TURNING_JUMPS)]


def _named(row: Row, words: tuple[str, ...]) -> bool:
    return any(word in row["file"] for word in words)


def gait_clips(captures: Path, rows: list[Row]) -> Iterator[Clip]:
    """Clips one by one; says which folder it reads, and which clips it cannot use and why."""
    counts = {folder: sum(folder_of(row) == folder for row in rows) for folder in map(folder_of, rows)}
    reading = None
    for row in rows:
        if folder_of(row) != reading:
            reading = folder_of(row)
            print(f"reading {reading}: {counts[reading]} clips", flush=True)
        try:
            yield gait_clip(captures, row)
        except FootfallError as error:
            print(f"{row['file']}: left out ({error})")


def gait_clip(captures: Path, row: Row) -> Clip:
    captured = calibrated(captures / row["file"], float(row["fps_true"]))
    if folder_of(row) in LEVEL:
        captured = level_floor(captured)
    return Clip(row["file"], row["skeleton"], captured, retarget(captured, humanoid()))


def on_figure(path: Path, fps: float | None = None) -> Motion:
    return retarget(calibrated(path, fps), humanoid())


def calibrated(path: Path, fps: float | None = None) -> Motion:
    """A capture whose foot points are measured from its own flat stances."""
    motion = load_motion(path, fps=fps)
    return replace(motion, skeleton=calibrate_feet(motion.skeleton, [motion]))
