"""One capture for each skeleton family: the shortest clip of every captured subject, and every odd file."""

from __future__ import annotations

from footfall.figure.motion import Motion
from footfall.figure.skeleton import Skeleton
from footfall.formats.load import load_motion
from tests.captures import captures, manifest

ENDINGS = (".bvh", ".skm", ".amc", ".txt", ".sk", ".asf")


def families() -> dict[str, str]:
    """Family to relative path; nothing where the captures are absent."""
    shortest: dict[str, tuple[int, str]] = {}
    for row in manifest():
        if row["file"].endswith(ENDINGS):
            # files of no named skeleton are each a family of their own
            family = row["skeleton"] or row["file"]
            candidate = (int(row["frames"] or 0), row["file"])
            shortest[family] = min(shortest.get(family, candidate), candidate)
    return {family: file for family, (_, file) in shortest.items()}


FAMILIES = families()

# Clips whose skeleton lies beside others in their folder
SKELETONS = {
    "hands/ChrGarza": "hands/ChrGarza.sk",
    "hands/ChrHarmony": "hands/common.sk",
    "hands/bigger2": "hands/pnskeleton.bvh",
}


def load_family(file: str) -> Motion:
    """The motion of a file of FAMILIES."""
    bones = next((captures(b) for clip, b in SKELETONS.items() if file.startswith(clip)), None)
    return load_motion(captures(file), skeleton=bones)


# One captured adult, CMU subject 143, is shorter: legs of 0.737 m make a person of 1.50 m; the skin has 1.497
SHORT_LEGS, SHORTEST, TALLEST = 0.74, 1.5, 2.0  # m


def least_height(skeleton: Skeleton) -> float:
    """What a person of these legs must at least measure."""
    return SHORTEST - 0.01 if skeleton.leg_length() < SHORT_LEGS else SHORTEST
