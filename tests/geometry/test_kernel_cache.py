"""Kernels are kept under a digest of all they are compiled from; a cache that fails is no more than slow.

Each case runs in processes of its own on a small package that lies in a temporary folder.
"""

from __future__ import annotations

import enum
import os
import subprocess
import sys
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from footfall.cache import FOLDER
from footfall.geometry import kernel_cache
from footfall.geometry.kernel_cache import kernel
from footfall.geometry.kernel_watch import watched

FILES = {
    "helper.py": """
from footfall.geometry.kernel_cache import kernel
FACTOR = 3.0

@kernel()
def scaled(x):
    "Some words."
    return FACTOR * x
""",
    "inlined.py": """
from footfall.geometry.kernel_cache import kernel
from toy.helper import scaled

@kernel(inline="always")
def shifted(x):
    return scaled(x) + 1.0
""",
    "layout.py": "OFFSET = 10\nTABLE = (1.0, 2.0)\n",
    "entry.py": """
import numpy as np
from footfall.geometry.kernel_cache import kernel
from toy import layout
from toy.inlined import shifted

@kernel("float64(float64)")
def answer(x):
    return shifted(x) + layout.OFFSET + layout.TABLE[1]

@kernel("float64(float64[::1])")
def both(x):
    return answer(x[0]) + answer(x[1])
""",
    "__init__.py": "",
    "run.py": """
import sys
import numpy as np
from footfall.geometry.kernel_watch import watched
compiled = []
with watched(lambda name, seconds: compiled.append(name) if seconds is not None else None):
    from toy.entry import answer, both
    assert compiled == []
    found = [answer(1.0), both(np.array([1.0, 2.0]))]
print(*found, *sorted(name.rpartition(".")[2] for name in compiled))
""",
}
RIGHT = ["16.0", "35.0"]
ALL = ["answer", "both", "scaled"]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "toy"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


def started(package: Path, cache: Path | str, **more: str) -> subprocess.Popen[str]:
    paths = os.pathsep.join([str(package.parent), *(path for path in sys.path if path)])
    environment = {**os.environ, "PYTHONPATH": paths, FOLDER: str(cache), **more}
    return subprocess.Popen(
        [sys.executable, "-m", "toy.run"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ran(package: Path, cache: Path | str, **more: str) -> list[str]:
    process = started(package, cache, **more)
    out, err = process.communicate()
    assert process.returncode == 0, err
    return out.split()


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_what_is_edited_is_compiled_again(package: Path, tmp_path: Path) -> None:
    """A helper, an inlined function, a constant of another module: numba's own cache sees none of them."""
    cache = tmp_path / "cache"
    assert ran(package, cache) == [*RIGHT, *ALL]
    assert ran(package, cache) == RIGHT  # loaded
    edit(package / "helper.py", "FACTOR * x", "FACTOR * x + 0.5")
    assert ran(package, cache) == ["16.5", "36.0", *ALL]
    edit(package / "helper.py", "FACTOR = 3.0", "FACTOR = 4.0")
    assert ran(package, cache) == ["17.5", "39.0", *ALL]
    edit(package / "inlined.py", "+ 1.0", "+ 2.0")
    assert ran(package, cache) == ["18.5", "41.0", "answer", "both"]
    edit(package / "layout.py", "OFFSET = 10", "OFFSET = 20")
    assert ran(package, cache) == ["28.5", "61.0", "answer", "both"]
    edit(package / "layout.py", "2.0", "3.0")
    assert ran(package, cache) == ["29.5", "63.0", "answer", "both"]
    edit(package / "helper.py", "Some words.", "Other words.")
    edit(package / "entry.py", "import numpy", "# a comment\nimport numpy")
    assert ran(package, cache) == ["29.5", "63.0"]  # words are not compiled
    edit(package / "layout.py", "3.0", "2.0")
    assert ran(package, cache) == ["28.5", "61.0"]  # what was compiled before is still there


def test_broken_files_are_replaced(package: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    ran(package, cache)
    for damages in (("empty", "cut", "altered"), ("foreign", "forbidden", "folder")):
        for file, damage in zip(sorted((cache / "kernels").iterdir()), damages, strict=True):
            content = file.read_bytes()
            half = len(content) // 2
            file.unlink()
            if damage == "folder":
                file.mkdir()
            elif damage == "forbidden":
                file.symlink_to(file.name)  # a loop, which a superuser cannot read either
            else:
                altered = content[:half] + bytes([content[half] ^ 1]) + content[half + 1 :]
                broken = {"empty": b"", "cut": content[:half], "altered": altered, "foreign": b"GIF89a" * 99}
                file.write_bytes(broken[damage])
        assert ran(package, cache) == [*RIGHT, *ALL]
        if "folder" not in damages:
            assert ran(package, cache) == RIGHT  # and mended


@pytest.mark.parametrize("place", ["taken", "homeless"])
def test_a_folder_that_cannot_be_written_is_no_error(package: Path, tmp_path: Path, place: str) -> None:
    if place == "taken":
        (tmp_path / "taken").write_text("no folder")
        assert ran(package, tmp_path / "taken") == [*RIGHT, *ALL]
        assert (tmp_path / "taken").read_text() == "no folder"
    else:  # a user without an entry in the password database, and no HOME: Python finds no home folder
        (package / "__init__.py").write_text(
            "import pathlib\n"
            "def homeless(): raise RuntimeError('Could not determine home directory.')\n"
            "pathlib.Path.home = homeless\n"
        )
        assert ran(package, "", XDG_CACHE_HOME="", HOME="") == [*RIGHT, *ALL]


def test_two_cold_processes_do_no_harm(package: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    processes = [started(package, cache) for _ in range(2)]
    for process in processes:
        out, err = process.communicate()
        assert process.returncode == 0, err
        assert out.split()[:2] == RIGHT
    assert ran(package, cache) == RIGHT
    assert all(file.name.endswith(".kernel") for file in (cache / "kernels").iterdir())


def test_other_processors_have_files_of_their_own(package: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert ran(package, cache) == [*RIGHT, *ALL]
    assert ran(package, cache, NUMBA_CPU_NAME="generic") == [*RIGHT, *ALL]
    assert ran(package, cache) == RIGHT
    assert ran(package, cache, NUMBA_CPU_NAME="generic") == RIGHT


def test_versions_of_a_kernel_are_bounded(package: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    edit(package / "run.py", "import sys", "import footfall.geometry.kernel_cache as c\nc.MOST_VERSIONS = 2")
    for k in range(3):
        edit(package / "layout.py", f"OFFSET = {10 + k}", f"OFFSET = {11 + k}")
        ran(package, cache)
    names = [file.name.rpartition("-")[0] for file in (cache / "kernels").iterdir()]
    assert sorted(names.count(name) for name in set(names)) == [1, 2, 2]  # the helper had one version


class TestInThisProcess:
    """What a kernel takes, and when it is compiled."""

    @pytest.fixture(autouse=True)
    def no_folder(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv(FOLDER, str(tmp_path))

    def test_it_is_compiled_at_its_first_call_and_by_ready(self) -> None:
        compiled: list[str] = []

        @kernel("float64(float64)")
        def twice(x):  # type: ignore[no-untyped-def]
            return 2.0 * x

        @kernel("float64(float64)")
        def thrice(x):  # type: ignore[no-untyped-def]
            return 3.0 * x

        with watched(lambda name, seconds: compiled.append(name) if seconds is not None else None):
            assert twice(2.0) == 4.0
            assert [name.rpartition(".")[2] for name in compiled] == ["twice"]
            thrice.ready()
            assert len(compiled) == 2
            assert thrice(2.0) == 6.0
            assert len(compiled) == 2

    def test_other_types_than_declared_are_refused(self) -> None:
        @kernel("float64(float64[::1])")
        def first(x):  # type: ignore[no-untyped-def]
            return x[0]

        with pytest.raises(TypeError):
            first(np.zeros((2, 2)))
        assert first(np.ones(2)) == 1.0
        with pytest.raises(TypeError):
            first(np.zeros(2, dtype=np.float32))

    def test_a_tuple_of_many_arrays_has_one_key(self) -> None:
        """numba before 0.61 put what lay in memory into it, and took one tuple for another now and then."""
        from numba._dispatcher import compute_fingerprint

        array = np.zeros((2, 2))
        inner = compute_fingerprint((array,))[1:-1]
        for count in range(1, 30):
            assert compute_fingerprint((array,) * count) == b"(" + inner * count + b")"

    def test_many_threads_at_the_first_call(self) -> None:
        @kernel("float64(float64)")
        def halved(x):  # type: ignore[no-untyped-def]
            return 0.5 * x

        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(halved, np.arange(64.0))) == list(0.5 * np.arange(64.0))

    def test_all_that_a_function_consists_of_is_in_the_digest(self) -> None:
        table = np.arange(5000.0)

        def digest_of(option: str | None = None, share: float = 0.5, at: int = 0) -> bytes:
            values = table.copy()
            values[2500] += at
            options = {} if option is None else {"error_model": option}

            @kernel("float64(float64)", **options)
            def read(x, share=share):  # type: ignore[no-untyped-def]
                return values[int(x)] * share

            return kernel_cache.digest(read)

        assert digest_of() == digest_of()
        found = {digest_of(), digest_of("python"), digest_of(share=0.25), digest_of(at=1)}
        assert len(found) == 4

    def test_names_of_fields_are_in_the_digest(self) -> None:
        """Of named tuples and of arrays of records: kernels read them by name."""

        def tuples(*names: str) -> bytes:
            pair = namedtuple("pair", names)(1.0, 2.0)  # type: ignore[misc]

            @kernel("float64(float64)")
            def read(x):  # type: ignore[no-untyped-def]
                return x * pair.low

            return kernel_cache.digest(read)

        def records(*names: str) -> bytes:
            row = np.zeros(1, dtype=[(name, "f8") for name in names])

            @kernel("float64(float64)")
            def read(x):  # type: ignore[no-untyped-def]
                return x * row[0].low

            return kernel_cache.digest(read)

        for digest_of in (tuples, records):
            assert digest_of("low", "high") == digest_of("low", "high") != digest_of("high", "low")

    def test_members_of_an_enum_are_in_the_digest_and_other_classes_are_refused(self) -> None:
        def digest_of(kind: type) -> bytes:
            @kernel("float64(float64)")
            def read(x):  # type: ignore[no-untyped-def]
                return x * kind.SECOND

            return kernel_cache.digest(read)

        def kinds(second: int) -> type:
            return enum.IntEnum("Kinds", {"FIRST": 1, "SECOND": second}, module=__name__)

        assert digest_of(kinds(2)) == digest_of(kinds(2)) != digest_of(kinds(3))
        with pytest.raises(TypeError, match="reads the class"):
            digest_of(type(self))

    def test_vector_mathematics_of_another_library_is_another_kernel(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        @kernel("float64(float64)")
        def sine(x):  # type: ignore[no-untyped-def]
            return np.sin(x)

        before = kernel_cache.digest(sine)
        monkeypatch.setattr(kernel_cache.config, "USING_SVML", not kernel_cache.config.USING_SVML)
        assert kernel_cache.digest(sine) != before

    def test_a_value_without_a_lasting_form_is_named(self) -> None:
        thing = object()

        @kernel("float64(float64)")
        def odd(x):  # type: ignore[no-untyped-def]
            return x if thing is None else 0.0

        with pytest.raises(TypeError, match="which has no value that can be kept"):
            kernel_cache.digest(odd)
