"""Commands run in this process, and a clip to run them on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import footfall as ff
from footfall.cli import run, warmup

FPS = 10.0

Said = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def compiling_unsaid(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard error holds what a command says, whether or not kernels were compiled before."""
    monkeypatch.setattr(warmup, "MOMENT", 3600.0)


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    """Runs a command; its exit status and what it wrote to standard output and standard error."""

    def command(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        status = run([str(word) for word in words])
        return status, *capsys.readouterr()

    return command


@pytest.fixture(scope="module")
def motion() -> ff.Motion:
    """The humanoid's range of motion, walking off slowly so that places matter as well as turns."""
    take = ff.range_of_motion(ff.humanoid(), fps=FPS)
    return replace(take, root=take.root + np.arange(len(take))[:, None] * np.array([0.01, 0.0, 0.02]))


@pytest.fixture(scope="module")
def clip(motion: ff.Motion, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("clips") / "walk.bvh"
    ff.save_motion(motion, path)
    return path


def role_positions(motion: ff.Motion) -> np.ndarray:
    """By role, for joints change their order and a format may lack some."""
    roles = ["hips", "head", "left_hand", "right_hand", "left_foot", "right_foot", "left_shank"]
    return np.stack([motion.of(role) for role in roles], axis=1)
