"""A step space from clips of one or several people ([stepping] 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from footfall.adapt.one_figure import CleanClip, on_one_figure
from footfall.adapt.true_rate import true_rate
from footfall.analysis.reference import Reference
from footfall.errors import RequestError
from footfall.figure.example import Example
from footfall.figure.motion import Motion
from footfall.models.stepspace.body_channels import BodyChannels
from footfall.models.stepspace.candidates import build_candidates
from footfall.models.stepspace.captured import CapturedStep, captured_steps
from footfall.models.stepspace.model import StepSpace
from footfall.models.stepspace.sound import sound_parts, sound_steps
from footfall.models.stepspace.standing import standing_posture
from footfall.models.stepspace.step_table import StepTable, table_of

FEWEST = 5  # steps: fewer span no tetrahedron with something in it
PINNING, SAMPLING, CANDIDATES = 0.4, 0.5, 1.0  # of the work, when each is done

Progress = Callable[[str, float], None]


def build_step_space(
    source: Sequence[Motion] | Sequence[Example],
    *,
    candidates: bool = True,
    progress: Progress | None = None,
) -> StepSpace:
    """A step space from clips of any length, of one or several people; the first gives the figure.

    Steps are found, mirrored, and laid in S_high and S_low. With `candidates` the tetrahedra that the
    paper's selector chooses from are searched now and kept in the model's file.
    """

    def told(what: str, share: float) -> None:
        if progress is not None:
            progress(what, share)

    clips = [true_rate(clip) for clip in _motions(source)]
    clean = on_one_figure(clips, lambda what, share: told(what, PINNING * share))
    captured = list(captured_steps(clean))
    steps, faulty = sound_steps([s for s in captured if not s.runs])
    runs, bad_runs = sound_steps([s for s in captured if s.runs])
    faulty = faulty + bad_runs
    for step, role in faulty:
        told(f"clip {step.number + 1}: a {step.name} is left out, its {role} jerks", PINNING)
    if len(steps) < FEWEST:
        raise RequestError(
            f"{len(steps)} walking steps were found in {len(clips)} clips; a step space needs at least "
            f"{FEWEST}. `footfall inspect` tells what was found"
        )
    told(f"{len(steps)} steps walked, {len(runs)} run", PINNING)
    left = both_sides(steps)
    running = both_sides(runs) if len(runs) >= FEWEST else None
    space = StepSpace(left, _posture(clean, left), _reference(clean, [s for s, _ in faulty]), running=running)
    told("blend candidates", SAMPLING)
    if not candidates:
        return space
    found = build_candidates(
        space.low,
        left.ways,
        progress=lambda what, share: told(what, SAMPLING + (CANDIDATES - SAMPLING) * share),
    )
    return replace(space, candidates=found)


def _motions(source: object) -> list[Motion]:
    if isinstance(source, str | Motion | Example) or not isinstance(source, Iterable):
        raise RequestError("a step space is built from a list of motions or of examples")
    given = [one.motion if isinstance(one, Example) else one for one in source]
    if not given:
        raise RequestError("a step space needs clips; none were given")
    if not all(isinstance(one, Motion) for one in given):
        raise RequestError("a step space is built from motions or examples, nothing else")
    return given


def both_sides(steps: Sequence[CapturedStep]) -> StepTable:
    """All steps as steps of the left foot, those of the right in a mirror."""
    left, right = table_of(steps, "left"), table_of(steps, "right")
    return left.with_more(right.mirrored())


def _posture(clean: Sequence[CleanClip], left: StepTable):  # type: ignore[no-untyped-def]
    return standing_posture(clean, BodyChannels.of(left.with_more(left.mirrored())))


def _reference(clean: Sequence[CleanClip], faulty: Sequence[CapturedStep]) -> Reference:
    return Reference.of(sound_parts([clip.motion for clip in clean], faulty))
