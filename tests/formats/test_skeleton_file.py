"""Which skeleton file a clip gets: the one named, the only one beside it, or a sentence on how to choose."""

from __future__ import annotations

from pathlib import Path

import pytest

from footfall.errors import LoadError
from footfall.formats.load import Source
from footfall.formats.skeleton_file import find_skeleton, listing, unmatched_joints


def clip(folder: Path, skeleton: Path | None = None) -> Source:
    return Source(folder / "clip.skm", b"", skeleton)


def test_the_named_one_goes_before_all_others(tmp_path: Path) -> None:
    (tmp_path / "a.sk").touch()
    named = tmp_path / "elsewhere" / "b.bvh"
    assert find_skeleton(clip(tmp_path, named), ".sk") == named


@pytest.mark.parametrize("name", ["man.sk", "MAN.SK", ".hidden.Sk"])
def test_the_only_one_beside_the_clip_is_taken(tmp_path: Path, name: str) -> None:
    for other in (name, "clip.skm", "man.asf", "sk", "man.sk.txt"):
        (tmp_path / other).touch()
    (tmp_path / "folder.sk").mkdir()
    assert find_skeleton(clip(tmp_path), ".sk") == tmp_path / name
    assert find_skeleton(clip(tmp_path), ".asf") == tmp_path / "man.asf"


def test_none_is_said_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "man.asf").touch()
    with pytest.raises(LoadError, match=r"no \.sk file lies in its folder; name one with --skeleton FILE"):
        find_skeleton(clip(tmp_path), ".sk")


def test_several_are_listed_with_the_way_out(tmp_path: Path) -> None:
    for name in ("b.sk", "a.sk"):
        (tmp_path / name).touch()
    with pytest.raises(
        LoadError, match=r"several lie in its folder \(a\.sk, b\.sk\); choose with --skeleton FILE"
    ):
        find_skeleton(clip(tmp_path), ".sk")
    for i in range(20):
        (tmp_path / f"c{i:02}.sk").touch()
    with pytest.raises(LoadError, match=r"a\.sk, .* and 14 more"):
        find_skeleton(clip(tmp_path), ".sk")


def test_a_folder_that_cannot_be_searched_is_a_load_error(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="cannot be searched for a skeleton"):
        find_skeleton(clip(tmp_path / "gone"), ".sk")


def test_unmatched_joints_are_told_once_each() -> None:
    assert unmatched_joints(["a", "b", "a"], {"a", "b"}) == ()
    assert unmatched_joints([], {"a"}) == ()
    assert unmatched_joints(["a", "x", "y", "x"], {"a"}) == (
        "joints that the skeleton lacks are left out: x, y",
    )
    with pytest.raises(LoadError, match=r"none of the joints that move \(x\); is it the right one\?"):
        unmatched_joints(["x", "x"], {"a"})


def test_a_listing_is_bounded() -> None:
    assert listing("abcdefgh") == "a, b, c, d, e, f, g, h"
    assert listing("abcdefghij") == "a, b, c, d, e, f, g, h and 2 more"
    assert len(listing(["x" * 10_000] * 10_000)) < 1000
