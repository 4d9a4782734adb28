"""Model files are recognised by their content; what is none is refused by a sentence that names the file."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors import numpy as tensors

from footfall.errors import LoadError
from footfall.formats.save import save_motion
from footfall.models.load import load_model
from footfall.models.movements.model import MovementLibrary
from footfall.models.movements.store import library_bytes
from tests.models.movements.libraries import small_library


@pytest.mark.parametrize("name", ["library.ffmodel", "library.glb", "library"])
def test_recognised_by_content(name: str, tmp_path: Path) -> None:
    content = library_bytes(small_library())
    (tmp_path / name).write_bytes(content)
    for path in (tmp_path / name, str(tmp_path / name)):
        model = load_model(path)
        assert isinstance(model, MovementLibrary)
        assert library_bytes(model) == content


def raw(text: object, **arrays: np.ndarray) -> bytes:
    told = text if isinstance(text, str) else json.dumps(text)
    return tensors.save({"a": np.zeros(1), **arrays}, metadata={"footfall_model": told})


SOUND = {"version": 1, "system": "movements", "description": {"joints": ["a"], "roles": {}, "kinds": []}}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "not recognised as a footfall model"),
        (b"HIERARCHY\nROOT hips\n{", "not recognised as a footfall model"),
        (b"\xff" * 8 + b"{", "the header is damaged"),
        (b"\x10" + b"\0" * 7 + b"{" * 16, "damaged"),
        (tensors.save({"a": np.zeros(1)}), "found no description of one"),
        (tensors.save({"a": np.zeros(1)}, metadata={"other": "x"}), "found no description of one"),
        (raw(SOUND | {"version": 2}), "the file has version 2, this footfall reads up to 1: update it"),
        (raw({"version": 7, "system": "dreams"}), "version 7"),
        (raw(SOUND | {"version": 0}), "version"),
        (raw(SOUND | {"version": 10**30}), "version"),
        (raw(SOUND | {"version": "1"}), "version"),
        (raw(SOUND | {"system": "dreams"}), "'dreams' is no system that is known: movements"),
        (raw(SOUND | {"system": "x" * 10**5}), "is no system that is known"),
        (raw(SOUND | {"system": None}), "system"),
        (raw({"version": 1, "system": "movements"}), "description"),
        (raw(SOUND | {"description": 3}), "description"),
        (raw(SOUND), "kinds"),
        (raw("[" * 10**5), "damaged"),
        (raw(""), "damaged"),
        (raw(SOUND)[:-8], "damaged"),
        (raw(SOUND) + b"left over", "damaged"),
    ],
)
def test_what_is_no_model_is_refused(content: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.ffmodel"
    path.write_bytes(content)
    with pytest.raises(LoadError) as refusal:
        load_model(path)
    message = str(refusal.value)
    assert message.startswith(f"{path}: ")
    assert said in message
    assert message.isprintable()
    assert len(message) < 1000


def test_a_motion_is_no_model(tmp_path: Path) -> None:
    path = tmp_path / "motion.ffm"
    save_motion(small_library().captured[0], path)
    with pytest.raises(LoadError, match="this is a motion, not a model"):
        load_model(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="cannot be opened"):
        load_model(tmp_path / "none.ffmodel")
    with pytest.raises(LoadError, match="folder"):
        load_model(tmp_path)
