"""glTF in: documents that cannot be, each refused in one sentence that names the trouble, by a LoadError."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from footfall.errors import LoadError
from footfall.formats.load import load_motion
from tests.formats.rigs import Rig

FRAMES = 9
TIMES = np.arange(FRAMES) / 30.0
STILL = np.tile([0.0, 0.0, 0.0, 1.0], (FRAMES, 1))


def refused(rig: Rig, folder: Path, words: str) -> None:
    with pytest.raises(LoadError, match=words) as caught:
        load_motion(rig.save(folder))
    assert str(caught.value).isprintable()
    assert "rig.glb" in str(caught.value)


def moving() -> Rig:
    rig = Rig()
    rig.node("a")
    rig.node("b", 0, translation=[0.0, 1.0, 0.0])
    rig.channel(0, "rotation", TIMES, STILL)
    return rig


def test_a_node_that_is_its_own_child(tmp_path: Path) -> None:
    rig = moving()
    rig.nodes[1]["children"] = [1]
    refused(rig, tmp_path, "another parent")


def test_a_ring_of_nodes(tmp_path: Path) -> None:
    rig = moving()
    rig.node("c")
    rig.node("d", 2)
    rig.nodes[3]["children"] = [2]
    refused(rig, tmp_path, "own ancestors")


def test_two_parents(tmp_path: Path) -> None:
    rig = moving()
    rig.node("c")
    rig.nodes[2]["children"] = [1]
    refused(rig, tmp_path, "another parent")


def test_a_child_that_is_not_there(tmp_path: Path) -> None:
    rig = moving()
    rig.nodes[1]["children"] = [7]
    refused(rig, tmp_path, "not there")


@pytest.mark.parametrize("joints", [[0, 9], [-1], [10**30]])
def test_a_joint_that_is_no_node(joints: list[int], tmp_path: Path) -> None:
    rig = moving()
    rig.skin(joints)
    refused(rig, tmp_path, "no node")


@pytest.mark.parametrize("node", [9, -1])
def test_a_channel_of_a_node_that_is_not_there(node: int, tmp_path: Path) -> None:
    rig = moving()
    rig.channel(node, "rotation", TIMES, STILL)
    refused(rig, tmp_path, "not there")


def test_times_that_fall(tmp_path: Path) -> None:
    rig = moving()
    rig.channel(1, "rotation", TIMES[::-1], STILL)
    refused(rig, tmp_path, "do not increase")


def test_values_that_do_not_fit_the_times(tmp_path: Path) -> None:
    rig = moving()
    rig.channel(1, "rotation", TIMES[:-1], STILL)
    refused(rig, tmp_path, "9 values for 8 times")


def test_an_unknown_interpolation(tmp_path: Path) -> None:
    rig = moving()
    rig.channel(1, "rotation", TIMES, STILL, "BOUNCE")
    refused(rig, tmp_path, "BOUNCE")


def test_numbers_that_are_none(tmp_path: Path) -> None:
    rig = moving()
    values = STILL.copy()
    values[3, 2] = np.nan
    rig.channel(1, "rotation", TIMES, values)
    refused(rig, tmp_path, "finite")


@pytest.mark.parametrize(
    "placement",
    [
        {"translation": [1e30, 0, 0]},
        {"scale": [1e12, 1, 1]},
        {"rotation": [1e200, 0, 0, 0]},
        {"matrix": [0.0] * 16},
        {"matrix": [1.0] * 15},
        {"matrix": [1e300] * 16},
    ],
)
def test_placements_that_cannot_be(placement: dict[str, list[float]], tmp_path: Path) -> None:
    rig = moving()
    rig.nodes[0].update(placement)
    refused(rig, tmp_path, "node 0")


def test_a_clip_far_longer_than_its_keys(tmp_path: Path) -> None:
    """Two keys a year apart announce more frames than the file could hold."""
    rig = moving()
    rig.channel(1, "translation", np.array([0.0, 3e7]), np.zeros((2, 3)))
    refused(rig, tmp_path, "cannot come from")


def test_many_channels_over_the_same_bytes(tmp_path: Path) -> None:
    """A small file must not unfold into much memory by naming its bytes again and again."""
    rig = Rig()
    keys = 40_000
    times, values = rig.array(np.arange(keys) / 100), rig.array(np.zeros((keys, 3)))
    animation = rig.animation()
    for i in range(3000):
        rig.node(f"n{i}", i - 1 if i else None)
        rig.accessors.append(dict(rig.accessors[values]))
        animation["channels"].append({"sampler": i, "target": {"node": i, "path": "translation"}})
        animation["samplers"].append({"input": times, "output": len(rig.accessors) - 1})
    refused(rig, tmp_path, "cannot come from")


def test_nothing_at_all(tmp_path: Path) -> None:
    refused(Rig(), tmp_path, "found none")


def test_too_many_joints(tmp_path: Path) -> None:
    rig = Rig()
    for i in range(5000):
        rig.node("n", i - 1 if i else None)
    refused(rig, tmp_path, "joints are more than")


@pytest.mark.parametrize(
    "uri", ["../secret.bin", "/etc/passwd", "a/b.bin", "..%2fsecret.bin", "%2e%2e%5csecret.bin"]
)
def test_a_buffer_that_lies_elsewhere(uri: str, tmp_path: Path) -> None:
    rig = moving()
    (tmp_path / "secret.bin").write_bytes(rig.binary)
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.bin").write_bytes(rig.binary)
    (tmp_path / "a" / "rig.gltf").write_bytes(rig.gltf(uri))
    with pytest.raises(LoadError, match="beside the document"):
        load_motion(tmp_path / "a" / "rig.gltf")


@pytest.mark.parametrize("uri", ["https://example.org/x.bin", "file:///etc/passwd", "C:secret.bin"])
def test_a_buffer_on_the_network_or_another_disk(uri: str, tmp_path: Path) -> None:
    (tmp_path / "rig.gltf").write_bytes(moving().gltf(uri))
    with pytest.raises(LoadError, match="beside the document"):
        load_motion(tmp_path / "rig.gltf")


def test_a_buffer_that_is_missing(tmp_path: Path) -> None:
    (tmp_path / "rig.gltf").write_bytes(moving().gltf("gone.bin"))
    with pytest.raises(LoadError, match="cannot be opened"):
        load_motion(tmp_path / "rig.gltf")
