"""No command writes to a file that it reads, by whatever name, nor two results to one file."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

import footfall as ff
from footfall import file_access
from footfall.cli import act, application, run
from tests.cli.conftest import Said

COMMANDS, PLAN, SCENE, SEQUENCE = (
    '{"version": 1, "commands": [{"time": 0, "heading_deg": 0}]}',
    '{"version": 1, "steps": [{"foot": "left", "position": [0.1, 0, 0]}, {"foot": "right", "position": '
    '[-0.1, 0, 0]}, {"foot": "left", "position": [0.1, 0, 0.4]}]}',
    '{"version": 1, "tasks": [{"go_to": [1, 1]}], "terrain": "ground.obj"}',
    '{"version": 1, "movements": [{"kind": "left_step"}]}',
)
GROUND = "v -9 0 -9\nv 9 0 -9\nv 0 0 9\nf 3 2 1\n"


@dataclass(frozen=True)
class Case:
    """A command's words: IN is the file that it reads and is told to write, OUT what it is told to write."""

    words: str
    ending: str = ".bvh"


CASES = {
    "convert source": Case("convert IN OUT"),
    "convert onto": Case("convert walk.bvh OUT --onto IN", ".glb"),
    "convert skeleton": Case("convert walk.bvh OUT --skeleton IN"),
    "render motion": Case("render IN -o OUT", ".png"),
    "render plan": Case("render walk.bvh -o OUT --plan IN", ".svg"),
    "render terrain": Case("render walk.bvh -o OUT --terrain IN", ".gif"),
    "render scene": Case("render walk.bvh -o OUT --scene IN", ".png"),
    "terrain source": Case("terrain IN -o OUT", ".obj"),
    "terrain picture": Case("terrain IN -o OUT", ".png"),
    "edit clip": Case("edit IN -o OUT"),
    "edit clip, plan": Case("edit IN -o new.bvh --plan OUT", ".json"),
    "edit terrain": Case("edit walk.bvh -o OUT --terrain IN", ".glb"),
    "build clip": Case("build movements walk.bvh IN -o OUT", ".ffmodel"),
    "build skeleton": Case("build steps walk.bvh --skeleton IN -o OUT", ".ffmodel"),
    "play model": Case("play IN sequence.json -o OUT"),
    "play sequence": Case("play default IN -o OUT", ".ffm"),
    "play sequence, plan": Case("play default IN -o new.bvh --plan OUT", ".json"),
    "step model": Case("step IN plan.json -o OUT"),
    "step plan": Case("step default IN -o OUT"),
    "step plan, plan": Case("step default IN -o new.bvh --plan OUT", ".json"),
    "step terrain": Case("step default plan.json -o OUT --terrain IN", ".glb"),
    "step skeleton": Case("step default walk.bvh -o OUT --skeleton IN"),
    "plan scene": Case("plan IN -o OUT", ".json"),
    "plan scene, motion": Case("plan IN -o new.json --motion OUT"),
    "plan scene, picture": Case("plan IN -o new.json --picture OUT", ".png"),
    "plan model": Case("plan scene.json --model IN -o OUT", ".json"),
    "walk model": Case("walk IN --commands commands.json --seconds 1 -o OUT"),
    "walk commands": Case("walk default --commands IN --seconds 1 -o OUT"),
    "walk terrain": Case("walk default --commands commands.json --seconds 1 --terrain IN -o OUT", ".glb"),
    "act scene": Case("act IN -o OUT"),
    "act scene, picture": Case("act IN -o new.bvh --picture OUT", ".gif"),
    "act steps": Case("act scene.json --steps IN -o OUT"),
    "act reach": Case("act scene.json --reach IN -o OUT"),
}
NOTHING_WRITTEN = {"inspect", "score", "bench"}
NOTHING_READ = {"demo", "perform", "warmup"}


@pytest.fixture
def folder(tmp_path: Path, clip: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files to read; nothing is built for what is refused anyway."""
    files = {"commands": COMMANDS, "plan": PLAN, "scene": SCENE, "sequence": SEQUENCE}
    for name, text in files.items():
        (tmp_path / f"{name}.json").write_text(text)
    (tmp_path / "walk.bvh").write_bytes(clip.read_bytes())
    (tmp_path / "ground.obj").write_text(GROUND)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(act, "built_in_steps", lambda: None)
    return tmp_path


def other_names(path: Path) -> list[Path]:
    """The same file by its name, other spellings of it, a link, a link to a link, and a second name."""
    there = path.parent / "there"
    (there / "deep").mkdir(parents=True, exist_ok=True)
    if not (up := there / "deep" / "up").is_symlink():
        up.symlink_to(there)
    spelled = [
        there / ".." / path.name,
        Path("nowhere") / ".." / path.name,
        there / "nowhere" / ".." / ".." / path.name,
        up / ".." / path.name,  # ".." of what the link leads to
    ]
    upper = path.with_name(path.name.upper())
    if upper.exists():  # on a disk that takes both for one
        spelled.append(upper)
    link, further, hard = (path.with_name(f"{kind}{path.suffix}") for kind in ("link", "further", "hard"))
    link.symlink_to(path.name)
    further.symlink_to(link)
    os.link(path, hard)
    return [path, *spelled, link, further, hard]


@pytest.mark.parametrize("name", CASES)
def test_what_is_read_is_not_written(name: str, folder: Path, said: Said) -> None:
    case = CASES[name]
    read = folder / f"in{case.ending}"
    read.write_bytes(b"precious")
    for target in other_names(read):
        words = [{"IN": str(read), "OUT": str(target)}.get(word, word) for word in case.words.split()]
        status, out, err = said(*words)
        assert (status, out) == (1, "")
        assert f"{target} is what is read: it is not written over\n" in err
        assert read.read_bytes() == b"precious"
        assert {path.name for path in folder.glob("new.*")} == set()
    assert os.readlink(folder / f"link{case.ending}") == read.name


@pytest.mark.parametrize("words", ["plan scene.json -o OUT", "render walk.bvh --scene scene.json -o OUT"])
def test_nor_what_a_scene_names(words: str, folder: Path, said: Said) -> None:
    ending = ".json" if words.startswith("plan") else ".png"
    (folder / f"out{ending}").symlink_to("ground.obj")
    status, _, err = said(*words.replace("OUT", f"out{ending}").split())
    assert (status, "is what is read: it is not written over" in err) == (1, True)
    assert (folder / "ground.obj").read_text() == GROUND


def test_nor_a_skeleton_that_is_found_beside_a_clip(folder: Path, said: Said) -> None:
    (folder / "bones.asf").write_text("not yet told")
    (folder / "clip.amc").write_text(":fully-specified\n:degrees\n1\n")
    (folder / "out.bvh").symlink_to("bones.asf")
    status, _, err = said("convert", "clip.amc", "out.bvh")
    assert (status, "is what is read: it is not written over" in err) == (1, True)


@pytest.mark.parametrize(
    "words",
    [
        "edit walk.bvh -o a.bvh --plan PLAN",
        "play default sequence.json -o a.bvh --plan PLAN",
        "step default plan.json -o a.bvh --plan PLAN",
        "terrain bumps:1 -o a.obj --plan PLAN",
        "plan scene.json --motion a.bvh -o PLAN",
        "act scene.json -o a.bvh --picture PLAN.gif",
    ],
)
def test_two_results_do_not_go_to_one_file(words: str, folder: Path, said: Said) -> None:
    first = next(word for word in words.split() if word.startswith("a."))
    ending = ".gif" if "PLAN.gif" in words else ".json"
    for there in (False, True):
        link = folder / f"one{ending}"
        link.unlink(missing_ok=True)
        link.symlink_to(first)
        if there:
            (folder / first).write_text("there")
        status, _, err = said(*words.replace("PLAN.gif", link.name).replace("PLAN", link.name).split())
        assert (status, "two results cannot both go to" in err) == (1, True)


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_other_spellings_of_a_result_that_is_not_there(
    folder: Path, platform: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_access.sys, "platform", platform)
    (folder / "link").symlink_to(folder)
    for other, same in {
        "new.bvh": True,
        "./nowhere/../new.bvh": True,
        "link/new.bvh": True,
        str(folder / "new.bvh"): True,
        "New.BVH": platform == "darwin",
        "newer.bvh": False,
    }.items():
        files = file_access.CommandFiles()
        files.target(Path("new.bvh"))
        if same:
            with pytest.raises(ff.RequestError, match="two results cannot both go to"):
                files.target(Path(other))
        else:
            files.target(Path(other))


def test_the_system_decides_what_is_read(folder: Path) -> None:
    """Of a file that cannot be opened by its name nothing is read."""
    files = file_access.CommandFiles()
    files.read(Path("nowhere/../walk.bvh"))
    files.target(Path("walk.bvh"))


def test_every_command_is_looked_at() -> None:
    named = {command.__name__ for command in application.COMMANDS}
    assert named == {name.split()[0] for name in CASES} | NOTHING_WRITTEN | NOTHING_READ


def test_outside_of_commands_a_file_may_be_replaced_by_what_was_made_of_it(folder: Path) -> None:
    motion = ff.load_motion("walk.bvh")
    ff.save_motion(motion, "walk.bvh")
    assert len(ff.load_motion("walk.bvh")) == len(motion)
    assert run(["inspect", "walk.bvh"]) == 0
