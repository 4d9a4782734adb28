"""The key of a cached result changes with the code that made it, and with nothing else."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import footfall
from footfall.source_digest import MOST_ROWS, imported_modules, source_digest
from footfall.version import __version__

SOURCE = Path(footfall.__file__).parent
ASKED = (
    ("footfall.actor.sessions", ()),
    ("footfall.models.ring.default", ("footfall.models.built_once",)),
)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("checkout")
    shutil.copytree(SOURCE, folder / "footfall", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def digests(checkout: Path, cache: Path) -> list[str]:
    code = f"from footfall.source_digest import source_digest\nfor a in {ASKED!r}: print(source_digest(*a))"
    environment = {"PYTHONPATH": str(checkout), "FOOTFALL_CACHE": str(cache), "PATH": ""}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_only_what_is_computed_counts(checkout: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    before = digests(checkout, cache)
    assert before == digests(checkout, tmp_path / "other")  # whether or not files were seen before

    def after(path: str, old: str, new: str) -> list[bool]:
        file = checkout / "footfall" / path
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new, 1))
        changed = [a != b for a, b in zip(before, digests(checkout, cache), strict=True)]
        file.write_text(text)
        return changed

    assert after("actor/gait/swing.py", '"""', '"""Reworded. ') == [False, False]
    assert after("actor/gait/swing.py", "from __future__", "# a comment\nfrom __future__") == [False, False]
    assert after("actor/gait/swing.py", "0.", "1.") == [True, True]  # the model is built from sessions
    assert after("actor/curves.json", "0.1", "0.2") == [True, True]  # and those from tables
    assert after("actor/sessions/rings.py", "1.", "2.") == [True, True]  # imported in a function
    assert after("models/ring/gaits.py", "import annotations", "import annotations\nX = 1") == [False, True]
    assert after("picture/strip.py", "import annotations", "import annotations\nX = 1") == [False, False]
    assert after("models/load.py", "import annotations", "import annotations\nX = 1") == [False, False]


def test_versions_of_libraries_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """A newer SciPy may compute something else: a default model is then built again."""
    before = source_digest.__wrapped__("footfall.geometry.easing")
    monkeypatch.setattr("footfall.source_digest.version", lambda name: "0.0")
    assert source_digest.__wrapped__("footfall.geometry.easing") != before


def test_a_broken_list_of_known_files_is_replaced(checkout: Path, tmp_path: Path) -> None:
    before = digests(checkout, tmp_path)
    (known,) = tmp_path.rglob("sources.json")
    rows = json.loads(known.read_bytes())
    broken = {key: row if k % 2 else 3 for k, (key, row) in enumerate(rows.items())}
    for damage in (known.read_bytes()[:100], json.dumps(broken).encode()):
        known.write_bytes(damage)
        assert digests(checkout, tmp_path) == before


def test_rows_of_sources_that_are_not_used_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list of known files does not grow with every edit: the least recently used rows go."""
    monkeypatch.setattr("footfall.source_digest.cache_folder", lambda: tmp_path)
    known = tmp_path / __version__ / "sources.json"
    source_digest.__wrapped__("footfall.geometry.easing")
    used = json.loads(known.read_bytes())
    others = {f"footfall.gone:{k}": ["digest", []] for k in range(5000)}
    known.write_text(json.dumps(used | others))
    source_digest.__wrapped__("footfall.geometry.curve")
    rows = json.loads(known.read_bytes())
    assert len(rows) == MOST_ROWS > 2 * len(list(SOURCE.rglob("*.py")))
    assert {key for key in used if "footfall.geometry:" in key} <= rows.keys()


def test_what_a_controller_imports_is_found_through_others() -> None:
    found = imported_modules("footfall.control.gait")
    assert {"footfall.control.gait", "footfall.models.ring.walk_kernel", "footfall.world"} <= found
    assert not any(name.startswith(("footfall.cli", "footfall.picture")) for name in found)
