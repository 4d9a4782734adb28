"""The Khronos validator finds no error and no warning in any GLB that footfall writes."""

from __future__ import annotations

from pathlib import Path

from footfall.formats.gltf_write import write_glb
from footfall.formats.save import save_motion
from tests.captures import needs_captures
from tests.families import FAMILIES, load_family
from tests.formats.motions import MADE
from tests.khronos import ERROR, faults, issues, needs_validator

pytestmark = needs_validator


@needs_captures
def test_captures_of_every_skeleton_family_are_valid(tmp_path: Path) -> None:
    for i, file in enumerate(FAMILIES.values()):
        motion = load_family(file)
        save_motion(motion[:100], tmp_path / f"{i} {Path(file).name}.glb")
    written = sorted(tmp_path.glob("*.glb"))
    assert len(written) == len(FAMILIES)
    assert faults(written) == []


def test_made_motions_are_valid(tmp_path: Path) -> None:
    for name, make in MADE.items():
        save_motion(make(), tmp_path / f"{name}.glb")
    written = sorted(tmp_path.glob("*.glb"))
    assert len(written) == len(MADE)
    assert faults(written) == []


def test_the_validator_sees_what_is_wrong(tmp_path: Path) -> None:
    """The judge itself is judged: a GLB cut short, and one whose joint numbers lead nowhere."""
    whole = write_glb(MADE["person"]())
    (tmp_path / "cut.glb").write_bytes(whole[:-100])
    (tmp_path / "wrong.glb").write_bytes(whole.replace(b'"skeleton":0', b'"skeleton":9'))
    for found in issues(*sorted(tmp_path.glob("*.glb"))):
        assert any(issue.severity == ERROR for issue in found)
