"""Files made to be expensive: small texts that announce much, deep nests, wide trees, words without end.

Whatever they are, they are read or refused within seconds and in memory that their size explains.
"""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import pytest

from footfall.errors import LoadError
from footfall.formats import load
from footfall.formats.gltf_container import pack_glb
from tests.formats.examination import load_or_refuse, no_warnings, within_memory, within_time
from tests.formats.specimens import specimens

BILLION = 10**9
MEGABYTE = 1 << 20
ENDLESS = 1_000_000  # characters: what is tried again from each of them takes hours
HINGE = "ROOT r { OFFSET 0 0 0 CHANNELS 1 Xrotation }"
TIP = "End Site { OFFSET 0 0 1 }\n"


def _bvh(joints: str, frames: int, rows: str = "") -> bytes:
    return f"HIERARCHY\n{joints}\nMOTION\nFrames: {frames}\nFrame Time: 0.01\n{rows}".encode()


def _npz(shape: tuple[int, ...]) -> bytes:
    """An archive whose arrays announce a shape and hold nothing."""
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}}}".ljust(117).encode() + b"\n"
    array = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("poses.npy", array)
        archive.writestr("trans.npy", array)
    return out.getvalue()


def _safetensors(shape: list[int]) -> bytes:
    text = '{"version": 1, "names": ["a"], "roles": {}, "fps": 30}'
    end = 8 * int(np.prod(shape))
    header = {
        "__metadata__": {"footfall_motion": text},
        "root": {"dtype": "F64", "shape": shape, "data_offsets": [0, end]},
    }
    content = msgspec.json.encode(header)
    return len(content).to_bytes(8, "little") + content


def _accessor_glb(count: int) -> bytes:
    document = msgspec.json.decode(next(iter(specimens()["gltf"][2].values())))
    document["buffers"][0].pop("uri")
    for accessor in document["accessors"]:
        accessor["count"] = count
    return pack_glb(document, b"\0" * 480)


ANNOUNCED = {
    "bvh": _bvh("ROOT a { OFFSET 0 0 0 CHANNELS 3 Zrotation Yrotation Xrotation }", BILLION, "1 2 3\n"),
    "bvh without channels": _bvh("ROOT a { OFFSET 0 0 0 }", BILLION),
    "bvh without channels, just not absurd": _bvh("ROOT a { OFFSET 0 0 0 }", MEGABYTE),
    "skm": f"SkMotion\nchannels 1\nHips Quat\nframes {BILLION}\nkt 0 fr 1 2 3\n".encode(),
    "skm channels": f"SkMotion\nchannels {BILLION}\nHips Quat\nframes 1\nkt 0 fr 1 2 3\n".encode(),
    "npz": _npz((BILLION, 156)),
    "npz of no numbers": _npz((BILLION, 0)),
    "npz of negative size": _npz((-1, -BILLION)),
    "safetensors": _safetensors([BILLION, 3]),
    "safetensors of no numbers": _safetensors([BILLION, 0]),
    "safetensors header": (10**12).to_bytes(8, "little") + b'{"__metadata__":{"footfall_motion":"{}"}}',
    "glb accessors": _accessor_glb(BILLION),
    "glb": struct.pack("<4sIIII", b"glTF", 2, 4 * BILLION, 4 * BILLION - 20, 0x4E4F534A) + b"{}",
}


@pytest.mark.parametrize("what", ANNOUNCED)
def test_a_header_that_announces_a_billion_costs_nothing(what: str, tmp_path: Path) -> None:
    clip = _written(ANNOUNCED[what], tmp_path)
    assert len(ANNOUNCED[what]) < 4000
    load_or_refuse(clip)  # imports are no part of the cost
    with within_time(0.05), within_memory(2 * MEGABYTE):
        assert load_or_refuse(clip) is None


def _star_bvh(limbs: int) -> bytes:
    """Hundreds of legs alike: any two of them could be the pair that is looked for."""
    leg = "JOINT a { OFFSET %d -1 %d\nJOINT b { OFFSET 0 -1 0\nJOINT c { OFFSET 0 0 1 } } }\n"
    ring = "".join(leg % (i, i % 7) for i in range(limbs))
    return _bvh("ROOT r { OFFSET 0 0 0\nJOINT h { OFFSET 0 3 0 }\n" + ring + "}", 1)


def _chain_bvh(joints: int) -> bytes:
    each = "JOINT a { OFFSET 0 -1 0 CHANNELS 1 Xrotation\n"
    opening = "ROOT r { OFFSET 0 0 0 CHANNELS 1 Xrotation\n" + (joints - 1) * each
    return _bvh(opening + joints * "}", 2, 2 * ("1 " * joints + "\n"))


def _comb_bvh(teeth: int) -> bytes:
    """A long spine that sheds a leg of full length at every joint."""
    tooth = "JOINT t { OFFSET 1 -90 0 }\nJOINT s { OFFSET 0 0.001 0\n"
    return _bvh("ROOT r { OFFSET 0 0 0\n" + teeth * tooth + (teeth + 1) * "}", 1)


def _comb_with_legs_bvh(teeth: int) -> bytes:
    """Legs by name, and above them a spine of joints each of which might carry the arms."""
    leg = (
        "JOINT %sThigh { OFFSET %d 0 0\nJOINT %sShank { OFFSET 0 -40 0\nJOINT %sFoot { OFFSET 0 -40 0 } } }\n"
    )
    legs = "".join(leg % (side, x, side, side) for side, x in (("Left", 9), ("Right", -9)))
    tooth = "JOINT q { OFFSET 30 0 0 }\nJOINT q { OFFSET -30 0 0 }\nJOINT q { OFFSET 0 0.1 0\n"
    return _bvh("ROOT r { OFFSET 0 90 0\n" + legs + teeth * tooth + (teeth + 1) * "}", 1)


def _gltf_nodes(nodes: list[dict[str, object]]) -> bytes:
    return msgspec.json.encode({"asset": {"version": "2.0"}, "nodes": nodes})


def _shared_accessor_glb(nodes: int, keys: int) -> bytes:
    """Every node is animated by the same large arrays: cheap to say, dear to copy for each."""
    times = np.arange(keys, dtype="<f4") / 30
    turns = np.tile(np.array([0, 0, 0, 1], dtype="<f4"), (keys, 1))
    views = [{"buffer": 0, "byteOffset": 0, "byteLength": times.nbytes}]
    views.append({"buffer": 0, "byteOffset": times.nbytes, "byteLength": turns.nbytes})
    channels = [{"sampler": 0, "target": {"node": i, "path": "rotation"}} for i in range(nodes)]
    document: dict[str, object] = {
        "asset": {"version": "2.0"},
        "nodes": [{"children": list(range(1, nodes))}, *({} for _ in range(nodes - 1))],
        "animations": [{"channels": channels, "samplers": [{"input": 0, "output": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": keys, "type": "SCALAR"},
            {"bufferView": 1, "componentType": 5126, "count": keys, "type": "VEC4"},
        ],
        "bufferViews": views,
        "buffers": [{"byteLength": times.nbytes + turns.nbytes}],
    }
    return pack_glb(document, times.tobytes() + turns.tobytes())


def _two_keys_gltf(seconds: float, joints: int) -> bytes:
    """Two keys far apart: the frames between them are the reader's own."""
    times = np.array([0.0, seconds], dtype="<f4")
    turns = np.tile(np.array([0, 0, 0, 1], dtype="<f4"), (2, 1))
    document = msgspec.json.decode(_shared_accessor_glb(joints, 2)[20:].split(b"BIN\0")[0][:-4].rstrip(b" "))
    return pack_glb(document, times.tobytes() + turns.tobytes())


def _huge_npz() -> bytes:
    """Zeros that pack a thousandfold."""
    out = io.BytesIO()
    np.savez_compressed(out, poses=np.zeros((40_000, 156)), trans=np.zeros((40_000, 3)))
    return out.getvalue()


LONG: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "zeros": lambda: b"\0" * ENDLESS,
    "blanks": lambda: b" " * ENDLESS,
    "lines": lambda: b"\n" * ENDLESS,
    "bvh frame count without end": lambda: b"HIERARCHY\nMOTION\nFrames: " + b"1" * ENDLESS,
    "bvh frame count in words": lambda: b"HIERARCHY\nMOTION\nFrames:" + b" x" * ENDLESS,
    "bvh frame time without end": lambda: b"HIERARCHY\nMOTION\nFrames: 1\nFrame Time:" + b"\t" * ENDLESS,
    "bvh blanks before motion": lambda: b"HIERARCHY\n" + b" \t" * ENDLESS + b"MOTIO",
    "bvh many motions": lambda: b"HIERARCHY\n" + b"MOTION\n" * 100_000,
    "bvh one line": lambda: b"HIERARCHY ROOT " + b"a " * ENDLESS + b"\nMOTION\nFrames: 0\nFrame Time: 1\n",
    "bvh statements on one line": lambda: _bvh("ROOT r { " + "OFFSET 0 0 0 " * 50_000 + "}", 0),
    "bvh braces": lambda: b"HIERARCHY\nROOT r\n" + b"{" * ENDLESS + b"\nMOTION\nFrames: 0\nFrame Time: 1\n",
    "bvh star": lambda: _star_bvh(1300),
    "bvh chain": lambda: _chain_bvh(4000),
    "bvh longer chain": lambda: _chain_bvh(40_000),
    "bvh comb": lambda: _comb_bvh(2000),
    "bvh comb with legs": lambda: _comb_with_legs_bvh(1350),
    "bvh long number": lambda: _bvh("ROOT r { OFFSET 0 0 0 CHANNELS 1 Xrotation }", 2, "1" * ENDLESS + "\n2"),
    "bvh last number bad": lambda: _bvh(
        "ROOT r { OFFSET 0 0 0 CHANNELS 1 Xrotation }", 2, "1\n" * 400_000 + "x"
    ),
    "sk nest": lambda: b"skeleton\nroot r {" + b"joint a {" * 100_000,
    "sk words": lambda: b"skeleton\nroot " + b"a " * ENDLESS + b"{ }",
    "sk keywords": lambda: b"skeleton\nroot r { " + b"channel Quat " * 100_000 + b"}",
    "skm blanks": lambda: b"SkMotion\nchannels 0\nframes 0\n" + b"a " * ENDLESS + b": 1",
    "asf hierarchy": lambda: b":units\n:bonedata\n:hierarchy\n" + b"root " * ENDLESS,
    "json nest": lambda: b'{"Frames":' + b"[" * ENDLESS,
    "json objects": lambda: b'{"asset":' + b'{"a":' * 200_000,
    "gltf chain": lambda: _gltf_nodes([{"children": [i + 1]} for i in range(50_000)] + [{}]),
    "gltf loose nodes": lambda: _gltf_nodes([{} for _ in range(100_000)]),
    "gltf many children": lambda: _gltf_nodes(
        [{"children": list(range(1, 4000))}, *({} for _ in range(3999))]
    ),
}

HUNGRY: dict[str, Callable[[], bytes]] = {
    "comments": lambda: b"#\n" * ENDLESS,
    "bvh end sites": lambda: _bvh(
        "ROOT r { OFFSET 0 0 0\n" + "End Site { OFFSET 0 0 1 }\n" * 50_000 + "}", 0
    ),
    "json frames": lambda: b'{"Frames": [' + b"[]," * 300_000 + b"[]]}",
    "gltf buffers": lambda: msgspec.json.encode(
        {"asset": {}, "buffers": [{"byteLength": 1, "uri": "person.sk"}] * 50_000}
    ),
    "glb shared accessors": lambda: _shared_accessor_glb(4000, 20_000),
    "glb shared accessors, fewer": lambda: _shared_accessor_glb(200, 50_000),
    "glb two keys, one joint": lambda: _two_keys_gltf(35_000.0, 1),
    "glb two keys, forty joints": lambda: _two_keys_gltf(900.0, 40),
    "glb chunks": lambda: struct.pack("<4sII", b"glTF", 2, 12 + 8 * 100_000) + b"\0" * 800_000,
    "npz bomb": _huge_npz,
    "npz names": lambda: b"PK\x03\x04poses.npytrans.npy" * 50_000,
}


def _written(content: bytes, folder: Path) -> Path:
    (folder / "person.sk").write_bytes(specimens()["sk"][0]["person.sk"])
    clip = folder / "clip"
    clip.write_bytes(content)
    return clip


@pytest.mark.parametrize("what", LONG)
def test_long_and_tangled_files_take_little_time(what: str, tmp_path: Path) -> None:
    with no_warnings(), within_time():
        load_or_refuse(_written(LONG[what](), tmp_path))


@pytest.mark.parametrize("what", HUNGRY)
def test_files_that_unfold_take_little_time_and_memory(what: str, tmp_path: Path) -> None:
    clip = _written(HUNGRY[what](), tmp_path)
    with no_warnings(), within_time():
        load_or_refuse(clip)
    with within_memory():
        load_or_refuse(clip)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no file without an end")
def test_a_file_without_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "MAX_FILE", 1 << 16)
    with pytest.raises(LoadError, match=r"/dev/zero: 65537 bytes are more than the 65536"):
        load.read_bytes(Path("/dev/zero"))
