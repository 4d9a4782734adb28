"""Kernels are made again when what they were compiled from has changed, and only then."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import numba as nb
import pytest

from footfall.models.stepspace import frames_kernel
from footfall.models.stepspace.renewed import renew, source_number

KERNEL = "footfall.first_kernel"
TEXTS = {
    KERNEL: "from footfall.second_kernel import part\nimport numba\n",
    "footfall.second_kernel": "from footfall.limits import (\n    LONGEST,\n)\n",
    "footfall.limits": "from footfall.elsewhere import far\nLONGEST = 0.995\n",
    "footfall.elsewhere": "far = 1\n",
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    made = {}
    for name, text in TEXTS.items():
        module = ModuleType(name)
        made[name] = tmp_path / f"{name}.py"
        made[name].write_text(text)
        module.__file__ = str(made[name])
        monkeypatch.setitem(sys.modules, name, module)
    return made


@pytest.mark.parametrize("name", [KERNEL, "footfall.second_kernel", "footfall.limits"])
def test_every_text_that_is_compiled_counts(files: dict[str, Path], name: str) -> None:
    before = source_number(KERNEL)
    files[name].write_text(TEXTS[name] + "MORE = 1\n")
    changed = source_number(KERNEL)
    files[name].write_text(TEXTS[name])
    assert changed != before == source_number(KERNEL)


def test_what_plain_files_import_does_not(files: dict[str, Path]) -> None:
    before = source_number(KERNEL)
    files["footfall.elsewhere"].write_text("far = 2\n")
    assert source_number(KERNEL) == before


def test_a_module_without_a_text(files: dict[str, Path]) -> None:
    files["footfall.limits"].unlink()
    assert source_number(KERNEL) == source_number(KERNEL)


def test_constants_of_other_files_count_for_the_frames() -> None:
    """The limits of legs are told where plain code keeps them, and are compiled into the frames."""
    text = Path(frames_kernel.__file__).read_bytes()
    assert source_number(frames_kernel.__name__) == frames_kernel._NOW
    assert b"footfall.adapt.legroom" in text
    assert frames_kernel._compiled_from() == frames_kernel._NOW


LIMIT = 1.0


@nb.njit((), nogil=True)
def limit():  # type: ignore[no-untyped-def]
    return LIMIT


def test_a_kernel_has_the_new_constant_once_it_is_renewed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "LIMIT", 2.0)
    renew((limit,), 5, 5)
    assert limit() == 1.0
    renew((limit,), 5, 6)
    assert limit() == 2.0
