"""Files are written whole, with the permissions they have; links are followed; names are only shown."""

from __future__ import annotations

import os
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import footfall as ff
from footfall.errors import printable
from footfall.formats.save import written_whole

SUPERUSER = hasattr(os, "geteuid") and os.geteuid() == 0


def write(path: Path, content: bytes = b"new") -> None:
    with written_whole(path) as file:
        file.write(content)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("bits", [0o600, 0o640, 0o644, 0o666, 0o755])
def test_a_file_keeps_its_permissions(bits: int, tmp_path: Path) -> None:
    path = tmp_path / "a.bvh"
    path.write_text("old")
    path.chmod(bits)
    write(path)
    assert (path.read_bytes(), mode(path)) == (b"new", bits)


@pytest.mark.parametrize("mask", [0o022, 0o027, 0o077, 0o000])
def test_a_new_file_has_the_usual_ones(mask: int, tmp_path: Path) -> None:
    before = os.umask(mask)
    try:
        write(tmp_path / "a.bvh")
    finally:
        os.umask(before)
    assert mode(tmp_path / "a.bvh") == 0o666 & ~mask


def test_saving_leaves_the_mask_of_the_process_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread's files would be made without one meanwhile."""

    def refuse(_: int) -> int:
        raise AssertionError("the mask belongs to the whole process")

    monkeypatch.setattr(os, "umask", refuse)
    write(tmp_path / "a.bvh")


def test_many_threads_save_at_once(tmp_path: Path) -> None:
    begin = threading.Barrier(8)

    def save(k: int) -> None:
        begin.wait()
        for round_ in range(20):
            write(tmp_path / f"{round_ % 3}.bvh", bytes([65 + k]) * 1000)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(save, range(8)))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0.bvh", "1.bvh", "2.bvh"]
    for path in tmp_path.iterdir():
        assert len(set(path.read_bytes())) == 1  # of one thread, whole
        assert len(path.read_bytes()) == 1000


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    path, link, further = tmp_path / "far" / "a.bvh", tmp_path / "link.bvh", tmp_path / "further.bvh"
    path.write_text("old")
    path.chmod(0o600)
    link.symlink_to(Path("far") / "a.bvh")
    further.symlink_to(link)
    write(further)
    assert link.is_symlink()
    assert further.is_symlink()
    assert (path.read_bytes(), mode(path)) == (b"new", 0o600)
    assert [p.name for p in path.parent.iterdir()] == ["a.bvh"]


def test_a_link_to_what_is_not_yet_there_makes_it(tmp_path: Path) -> None:
    (tmp_path / "link.bvh").symlink_to("new.bvh")
    write(tmp_path / "link.bvh")
    assert (tmp_path / "link.bvh").is_symlink()
    assert (tmp_path / "new.bvh").read_bytes() == b"new"


def test_links_in_a_circle_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.bvh").symlink_to("b.bvh")
    (tmp_path / "b.bvh").symlink_to("a.bvh")
    with pytest.raises(ff.SaveError, match="cannot be written"):
        write(tmp_path / "a.bvh")
    assert (tmp_path / "a.bvh").is_symlink()


@pytest.mark.skipif(SUPERUSER, reason="to the superuser no file is closed")
def test_a_file_that_is_closed_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.bvh"
    path.write_text("old")
    path.chmod(0o400)
    with pytest.raises(ff.SaveError, match="Permission denied"):
        write(path)
    assert path.read_text() == "old"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with a name")
def test_a_pipe_stays_one(tmp_path: Path) -> None:
    path = tmp_path / "pipe.bvh"
    os.mkfifo(path)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(path.read_bytes()))
    reader.start()
    write(path, b"through")
    reader.join()
    assert got == [b"through"]
    assert stat.S_ISFIFO(path.stat().st_mode)


@pytest.mark.parametrize("name", ["a\0.bvh", "\0.bvh", "x" * 300 + ".bvh", "no/folder/a.bvh", "."])
def test_a_name_that_no_file_has_is_a_save_error(name: str, tmp_path: Path) -> None:
    with pytest.raises(ff.SaveError, match="cannot be written"):
        write(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("walk.bvh", "walk.bvh"),
        ("Gehen ü 歩く.bvh", "Gehen ü 歩く.bvh"),
        ("a\x1b[2Jb", "a\\x1b[2Jb"),
        ("a\nb\tc\r", "a\\nb\\tc\\r"),
        ("\x07\x7f\x85", "\\x07\\x7f\\x85"),
        ("a\u202etxt", "a\\u202etxt"),
        ("byte \udcff", "byte \\udcff"),
        ("\u2028", "\\u2028"),
    ],
)
def test_names_are_shown_on_one_line_without_commands(text: str, shown: str) -> None:
    assert printable(text) == shown
    for error in (ff.FootfallError, ff.SaveError, ff.RequestError, ff.LoadError, ff.SkeletonError):
        assert str(error(text)) == shown
    assert str(ff.LoadError("problem", file=text)) == f"{shown}: problem"


def test_endless_texts_end() -> None:
    assert printable("x" * 100, 10) == "x" * 9 + "…"
    assert len(str(ff.RequestError("x" * 10**6))) < 5000
