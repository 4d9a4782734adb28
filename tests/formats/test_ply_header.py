"""The header of a PLY: what is kept of it, what is left out, what is refused; trimesh reads what is kept."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
import trimesh

from footfall.errors import LoadError
from footfall.formats.ply_header import BYTES, LONGEST, MOST_PROPERTIES, PlyHeader, read_header
from footfall.formats.terrain_file import load_terrain

SOUND = """ply
format ascii 1.0
comment TextureFile secret.png
obj_info made by hand
element vertex 4
property float x
property float y
property float z
property uchar red
property float u
element edge 1
property int vertex1
element face 2
property uchar flag
property list uchar int vertex_index
property list uchar float texcoord
end_header
"""
ROWS = "0 0 0 7 .5\n1 0 0 7 .5\n1 0 1 7 .5\n0 0 1 7 .5\n999999999\n5 4 0 1 2 3 2 .1 .2\n5 3 0 1 2 0\n"


def test_what_a_header_says() -> None:
    header = read_header((SOUND + ROWS).encode())
    assert header.form == "ascii"
    assert header.size == len(SOUND)
    assert [(e.name, e.count, len(e.properties)) for e in header.elements] == [
        ("vertex", 4, 5),
        ("edge", 1, 1),
        ("face", 2, 3),
    ]
    assert header.items == 7
    assert header.needed == 2 * (4 * 5 + 1 + 2 * 3) - 1
    assert header.needed <= len(ROWS)


def test_what_is_left_of_it() -> None:
    plain = read_header(SOUND.encode()).plain().decode().split("\n")
    assert plain == [
        "ply", "format ascii 1.0", "element vertex 4", "property float x", "property float y",
        "property float z", "property uchar other3", "property float other4", "element other1 1",
        "property int other0", "element face 2", "property uchar other0",
        "property list uchar int vertex_indices", "property list uchar float other2", "end_header", "",
    ]  # fmt: skip


def test_names_that_come_twice_are_other_ones() -> None:
    """The first counts; trimesh would take the last, and both for one."""
    again = SOUND.replace("property float u", "property float x").replace("element edge", "element vertex")
    plain = read_header(again.encode()).plain().decode()
    assert plain.count(" x\n") == plain.count("element vertex ") == 1


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_mixed_polygons_among_other_things(end: str, tmp_path: Path) -> None:
    path = tmp_path / "a.ply"
    path.write_bytes((SOUND + ROWS).replace("\n", end).encode())
    found = load_terrain(path)
    assert sorted(found.triangles.tolist()) == [[0, 1, 2], [0, 1, 2], [2, 3, 0]]
    np.testing.assert_array_equal(found.vertices, [[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]])


@pytest.mark.parametrize("order", ["little", "big"])
@pytest.mark.parametrize("kind", sorted(set(BYTES) - {"float16", "char", "int8", "uchar", "uint8"}))
def test_binary_files_of_every_type(order: str, kind: str, tmp_path: Path) -> None:
    sign = "<" if order == "little" else ">"
    places = np.array([[0, 0, 0], [100, 0, 0], [0, 0, 300], [7, 9, 8]])
    numpy_kind = {
        "short": "i2",
        "ushort": "u2",
        "int": "i4",
        "uint": "u4",
        "float": "f4",
        "double": "f8",
    }.get(kind, kind)
    text = (
        f"ply\nformat binary_{order}_endian 1.0\nelement vertex 4\nproperty {kind} x\nproperty {kind} y\n"
        f"property {kind} z\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n"
    )
    faces = np.array([(3, (0, 1, 2)), (3, (1, 2, 3))], dtype=[("n", "u1"), ("i", sign + "i4", 3)])
    content = (
        text.encode() + places.astype(np.dtype(numpy_kind).newbyteorder(sign)).tobytes() + faces.tobytes()
    )
    header = read_header(content)
    assert header.needed + 2 * 12 == len(content) - header.size
    (tmp_path / "a.ply").write_bytes(content)
    found = load_terrain(tmp_path / "a.ply")
    np.testing.assert_array_equal(found.vertices, places)
    assert found.triangles.tolist() == [[0, 1, 2], [1, 2, 3]]


def test_trimesh_reads_the_same_from_what_is_left() -> None:
    """On what trimesh writes itself, colours and normals and all."""
    mesh = trimesh.creation.icosphere(subdivisions=2)
    mesh.visual.vertex_colors = np.random.default_rng(0).integers(0, 255, (len(mesh.vertices), 4))
    for encoding in ("binary", "ascii"):
        content = mesh.export(file_type="ply", encoding=encoding, vertex_normal=True)
        header = read_header(content)
        plain = header.plain() + content[header.size :]
        assert b"red" not in plain[: len(header.plain())]
        found = trimesh.load(io.BytesIO(plain), file_type="ply", process=False)
        judge = trimesh.load(io.BytesIO(content), file_type="ply", process=False)
        np.testing.assert_array_equal(found.vertices, judge.vertices)
        np.testing.assert_array_equal(found.faces, judge.faces)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("element", "no such line as 'element'"),
        ("element a", "no such line"),
        ("element a -1", "no such line"),
        ("element a 1e3", "no such line"),
        ("element a 1234567890123456789", "no such line"),
        ("element a 1 2", "no such line"),
        ("property float", "no such line"),
        ("property what x", "no such line as 'property what x'"),
        ("property list uchar x", "no such line"),
        ("property list uchar what x", "no such line"),
        ("xelement a 5", "no such line"),
        ("format text 1.0", "no such line"),
        ("\x00", "no such line"),
    ],
)
def test_what_is_refused_is_named_with_its_line(line: str, words: str) -> None:
    with pytest.raises(LoadError, match=words) as caught:
        read_header(SOUND.replace("comment TextureFile secret.png", line).encode())
    assert caught.value.line == 3


def test_a_property_of_nothing() -> None:
    with pytest.raises(LoadError, match="no such line as 'property int a'"):
        read_header(b"ply\nformat ascii 1.0\nproperty int a\nend_header\n")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (SOUND.replace("end_header", "").encode(), "no end"),
        (b"ply\n" + b"comment\n" * LONGEST + b"end_header\n", "no end"),
        (b"ply\nend_header\n", "does not say its format"),
        (
            b"ply\nformat ascii 1.0\n" + b"element a 0\n" * (MOST_PROPERTIES + 1) + b"end_header\n",
            "65 properties",
        ),
    ],
)
def test_what_no_line_is_to_blame_for(content: bytes, words: str) -> None:
    with pytest.raises(LoadError, match=words):
        read_header(content)


def test_an_empty_one() -> None:
    header = read_header(b"ply\nformat ascii 1.0\nend_header")
    assert (header.items, header.elements) == (0, [])
    assert isinstance(header, PlyHeader)
