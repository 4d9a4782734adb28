"""Blender opens what we save and sees the same figure: joint for joint, frame for frame, upright, facing us.

Runs where FOOTFALL_BLENDER names a Python that has bpy (`make blender`). Blender has Z up: what is (x, y, z)
for us is (x, -z, y) there, so a figure that faces +Z faces -Y. It stumbles over a BVH without frames: such a
motion is judged as GLB alone.
"""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from footfall.figure.mannequin import build_mannequin
from footfall.figure.motion import Motion
from footfall.formats.save import save_motion
from tests.families import FAMILIES, TALLEST, least_height, load_family
from tests.formats.motions import MADE

ROOT = Path(__file__).parents[2]
JUDGE = ROOT / "tools" / "blender_judge.py"
PYTHON = os.environ.get("FOOTFALL_BLENDER", "")
MOST_FRAMES = 60
CLOSE = 1e-4  # m; Blender calculates in single precision

pytestmark = [
    pytest.mark.blender,
    pytest.mark.skipif(
        not PYTHON, reason="Blender is not asked for; `make blender` installs it and runs these tests"
    ),
]

# Motions whose joints have plain names, for Blender renames what it cannot hold
MADE_FOR_BLENDER = (
    "person",
    "person with translations",
    "person in own frames",
    "person with a root offset",
    "one frame",
    "random skeleton",
    "odd rate",
    "far away",
)
CASES = [*MADE_FOR_BLENDER, *FAMILIES.values()]


@dataclass(frozen=True, eq=False)
class Judged:
    """A motion and what Blender saw of it, in our axes."""

    motion: Motion
    frames: list[int]
    seen: dict[str, Any]

    def heads(self) -> np.ndarray:
        """Joint places (frames, joints, 3) in the order of the skeleton."""
        places = [self.seen["bones"][name] for name in self.motion.skeleton.names]
        return ours(places).swapaxes(0, 1)

    def rest(self) -> np.ndarray:
        return ours([self.seen["rest"][name] for name in self.motion.skeleton.names])


def ours(places: Any) -> np.ndarray:
    """From Blender's axes."""
    x, y, z = np.moveaxis(np.array(places, dtype=float), -1, 0)
    return np.stack([x, z, -y], axis=-1)


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Judged]:
    """All cases in one run of Blender, by case and ending."""
    folder = tmp_path_factory.mktemp("blender")
    jobs: list[dict[str, Any]] = []
    asked: dict[tuple[str, str], tuple[Motion, list[int]]] = {}
    for number, case in enumerate(CASES):
        motion = (MADE[case]() if case in MADE else load_family(case))[:MOST_FRAMES]
        frames = sorted({0, len(motion) // 2, len(motion) - 1}) if len(motion) else []
        for ending in ("glb", "bvh") if frames else ("glb",):
            file = folder / f"{number}.{ending}"
            save_motion(motion, file)
            jobs.append({"file": str(file), "fps": motion.fps, "frames": frames})
            asked[case, ending] = motion, frames
    (folder / "jobs.json").write_text(json.dumps(jobs))
    command = [PYTHON, str(JUDGE), str(folder / "jobs.json"), str(folder / "seen.json")]
    run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert run.returncode == 0, run.stderr[-2000:]
    seen = json.loads((folder / "seen.json").read_text())
    return {key: Judged(*asked[key], answer) for key, answer in zip(asked, seen, strict=True)}


@pytest.fixture
def verdict(request: pytest.FixtureRequest, judged: dict[tuple[str, str], Judged]) -> Judged:
    if request.param not in judged:
        pytest.skip("Blender opens no BVH without frames")
    return judged[request.param]


every = pytest.mark.parametrize(
    "verdict",
    [(c, e) for c in CASES for e in ("bvh", "glb")],
    indirect=True,
    ids=lambda key: f"{key[0]}-{key[1]}",
)
glb = pytest.mark.parametrize("verdict", [(c, "glb") for c in CASES], indirect=True, ids=lambda key: key[0])


@every
def test_every_joint_is_where_we_say(verdict: Judged) -> None:
    motion = verdict.motion
    if not verdict.frames:
        pytest.skip("this motion has no frames")
    away = np.linalg.norm(verdict.heads() - motion.positions[verdict.frames], axis=-1)
    print(f"largest distance {1e6 * away.max():.1f} um over {away.size} places")
    assert away.max() < CLOSE


@every
def test_the_joint_tree_is_ours(verdict: Judged) -> None:
    skeleton = verdict.motion.skeleton
    expected = {
        name: skeleton.names[parent] if parent >= 0 else None
        for name, parent in zip(skeleton.names, skeleton.parents, strict=True)
    }
    assert verdict.seen["parents"] == expected


@every
def test_frames_are_counted_one_to_one(verdict: Judged) -> None:
    if len(verdict.motion) > 1:
        assert verdict.seen["last"] == pytest.approx(len(verdict.motion) - 1, abs=1e-3)


@glb
def test_the_figure_rests_upright_and_faces_us(verdict: Judged) -> None:
    """Left at +X, toes before the ankles, head over hips over feet: a person standing on Blender's floor."""
    skeleton, rest = verdict.motion.skeleton, verdict.rest()
    if len(skeleton.sides) < 2:
        pytest.skip("this skeleton is no person")
    left, right, hips = (rest[skeleton.joint(role)] for role in ("left_foot", "right_foot", "hips"))
    assert left[0] - right[0] > 0.05
    assert hips[1] - max(left[1], right[1]) > 0.6
    if skeleton.has("head"):
        assert rest[skeleton.joint("head")][1] - hips[1] > 0.35
    for side in skeleton.sides:
        if skeleton.has(f"{side}_toe"):
            sole = rest[skeleton.joint(f"{side}_toe")] - rest[skeleton.joint(f"{side}_foot")]
            # feet that hang straight down at rest point nowhere
            assert sole[2] > 0.7 * np.hypot(sole[0], sole[2]) - 1e-6


@glb
def test_the_skin_follows_as_our_mannequin_does(verdict: Judged) -> None:
    """Blender's skinning and ours reach equally far along every axis."""
    motion = verdict.motion
    body = build_mannequin(motion.skeleton)
    for frame, seen in zip(verdict.frames, verdict.seen["skin"], strict=True):
        posed, _ = body.posed(motion.skeleton, motion.positions[frame], motion.orientations[frame])
        corners = np.sort(ours([seen["low"], seen["high"]]), axis=0)
        np.testing.assert_allclose(corners, [posed.min(axis=0), posed.max(axis=0)], rtol=0, atol=CLOSE)


@glb
def test_the_skin_is_as_tall_as_a_person(verdict: Judged) -> None:
    skeleton, skin = verdict.motion.skeleton, verdict.seen["rest_skin"]
    assert skin is not None
    if len(skeleton.sides) < 2:
        pytest.skip("this skeleton is no person")
    low, high = skin["low"][2], skin["high"][2]
    assert abs(low) < 0.03
    rest, head = verdict.rest(), skeleton.joint("head")
    # a figure may rest with its arms raised
    if rest[:, 1].max() < rest[head, 1] + 0.3:
        assert least_height(skeleton) <= high - low <= TALLEST
