"""Profiles of CPUs: default models are held against native ones, whichever profiles are run."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file
from tools import cpu_profiles

from footfall.cache import FOLDER, cache_folder


def models(folder: Path, off: float) -> Path:
    folder.mkdir(parents=True)
    save_file({"places": np.array([1.0, 2.0 + off])}, str(folder / "default.ffmodel"))
    return folder


@pytest.mark.parametrize(("off", "status"), [(0.0, 0), (1e-3, 1)])
def test_a_single_profile_is_held_against_native_models(
    off: float,
    status: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    native = models(tmp_path / "native", 0.0)
    own = models(tmp_path / "Prescott", off)
    monkeypatch.setattr(sys, "argv", ["cpu_profiles.py", "--only", "Prescott"])
    monkeypatch.setattr(cpu_profiles, "report", lambda _: {})
    monkeypatch.setattr(cpu_profiles, "run", lambda *_: "9 passed")
    monkeypatch.setattr(cpu_profiles, "native_models", lambda: native)
    monkeypatch.setattr(cpu_profiles, "models_of", lambda _: own)
    assert cpu_profiles.main() == status
    said = "failed: default models differ" if off else "1 of 1 default models and sessions have equal bytes"
    assert said in capsys.readouterr().out


def test_native_models_are_those_of_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    tests = cache_folder()
    assert tests is not None
    monkeypatch.setenv(FOLDER, str(tests.parent))
    folder = cpu_profiles.native_models()
    assert folder.parent == tests
    names = {path.name.rpartition("-")[0] for path in folder.glob("*.ffmodel")}
    assert names >= {
        f"default_{name}" for name in ("gaits", "locomotion", "movements", "reach", "step_space")
    }
