"""A line while kernels compile, and none where they are there."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from footfall.cli import compiling
from footfall.models import stepspace


def test_silence_where_it_is_quick(capsys: pytest.CaptureFixture[str]) -> None:
    compiling.make_ready(compiling.DRAWING)
    compiling.make_ready(compiling.DRAWING)
    time.sleep(0.05)
    assert capsys.readouterr().out == ""
    assert all(name in sys.modules for name in compiling.DRAWING)


def test_a_line_where_it_is_slow(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slow_kernel_for_test.py").write_text("import time\ntime.sleep(0.4)\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(compiling, "MOMENT", 0.1)
    compiling.make_ready(("slow_kernel_for_test",))
    out, err = capsys.readouterr()
    assert (out, err) == ("", "compiling kernels, once after installation\n")


def test_no_kernel_of_a_step_space_is_forgotten() -> None:
    """A kernel that is not made ready would compile in silence."""
    package = Path(stepspace.__path__[0])
    kernels = [path.relative_to(package).with_suffix("") for path in package.rglob("*_kernel.py")]
    assert {".".join((stepspace.__name__, *path.parts)) for path in kernels} == set(compiling.STEPS)
