"""The captured clips of the naturalness benchmark: walks of a few people, cleaned and on one skeleton."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.captured import ROWS, captured

import footfall as ff

SUBJECTS = ("69", "16")  # CMU; all clips are brought to the skeleton of the first
FOLDERS = ("turn-side-back", "walk")
CALIBRATION_FOLDERS = (*FOLDERS, "stairs-uneven", "steps")
RUN_SPEED = 1.95  # m/s, median of the clip; faster clips are runs and jogs and are left out
HELD_OUT_EVERY = 4  # every fourth clip is held out


@dataclass(frozen=True)
class CleanClip:
    """A capture with planted feet pinned, on the common skeleton.

    Attributes:
        motion: The cleaned motion.
        contacts: The contacts detected before cleaning: a foot is pinned for a shorter time than it stood.
    """

    motion: ff.Motion
    contacts: ff.Contacts


def clip_files(
    subjects: Sequence[str] = SUBJECTS, folders: Sequence[str] = FOLDERS, *, runs: bool = False
) -> list[str]:
    """Paths of clips below the folder of captures, by subject, then by folder, then by name."""
    return [
        file
        for subject in subjects
        for folder in folders
        for file in sorted(ROWS)
        if file.startswith(f"{folder}/{subject}_") and file.endswith(".bvh")
        if runs or float(ROWS[file]["speed_mps"] or 0.0) <= RUN_SPEED
    ]


def split(files: Sequence[str]) -> tuple[list[str], list[str]]:
    """Development clips and held-out clips."""
    held_out = list(files[::HELD_OUT_EVERY])
    return [file for file in files if file not in held_out], held_out


def subject_of(file: str) -> str:
    return Path(file).name.split("_")[0]


@dataclass
class CommonSkeleton:
    """The skeletons of the subjects with calibrated feet, and the one that all clips are brought to."""

    first: str = SUBJECTS[0]
    skeletons: dict[str, ff.Skeleton] = field(default_factory=dict)  # by subject

    def of_subject(self, subject: str) -> ff.Skeleton:
        """The subject's own skeleton; its feet are calibrated from all the subject's clips."""
        if subject not in self.skeletons:
            clips = [captured(file) for file in clip_files((subject,), CALIBRATION_FOLDERS, runs=True)]
            self.skeletons[subject] = ff.calibrate_feet(clips[0].skeleton, clips)
        return self.skeletons[subject]

    @property
    def skeleton(self) -> ff.Skeleton:
        return self.of_subject(self.first)

    def raw(self, file: str) -> ff.Motion:
        """A clip as it was captured, with calibrated feet."""
        return replace(captured(file), skeleton=self.of_subject(subject_of(file)))

    def brought(self, motion: ff.Motion) -> ff.Motion:
        """A motion on the common skeleton."""
        same = motion.skeleton.same_bones(self.skeleton)
        return motion if same else ff.retarget(motion, self.skeleton)

    def clean(self, file: str) -> CleanClip:
        """A clip on the common skeleton with planted feet pinned."""
        raw = self.raw(file)
        contacts = ff.detect_contacts(raw)
        if raw.skeleton.same_bones(self.skeleton):
            return CleanClip(ff.clean_contacts(raw, contacts), contacts)
        return CleanClip(ff.retarget(raw, self.skeleton), contacts)
