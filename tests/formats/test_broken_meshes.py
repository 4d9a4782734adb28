"""Broken meshes in every format load safely or say why not; damaged and dishonest files too.

A damaged file that is a problem is reported with its format and seed: `damaged(name, seed)` makes it again.
"""

from __future__ import annotations

import struct
import traceback
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from footfall.errors import LoadError
from footfall.formats import obj_read
from footfall.formats.terrain_file import load_terrain, save_terrain
from footfall.world.mesh import LARGEST, MeshTerrain
from tests.formats.examination import MOST_BYTES, largest, no_warnings, within_memory, within_time
from tests.formats.mutate import mutate
from tests.formats.surfaces import TETRAHEDRON, UINT, Document, labels_of, million, obj, patched

PLACES, FACES = TETRAHEDRON
Mesh = tuple[np.ndarray, np.ndarray]  # vertices and faces, either of which may be nonsense
MEGABYTE = 1 << 20
ENDLESS = 200_000  # of anything: what is tried again from each of them takes hours
CASES, SLOW_CASES = 60, 1000  # of each format
REACHED = 0.05  # share of the damaged files that must load, and be refused


def _glb(vertices: np.ndarray, faces: np.ndarray) -> bytes:
    document = Document()
    if len(vertices) and len(faces):
        document.node(document.mesh(document.primitive(vertices, faces, UINT)))
    return document.glb()


def _stl(vertices: np.ndarray, faces: np.ndarray) -> bytes:
    corners = vertices[faces].astype("<f4").reshape(-1, 9)
    facets = b"".join(bytes(12) + row.tobytes() + bytes(2) for row in corners)
    return bytes(80) + struct.pack("<I", len(corners)) + facets


def _stl_text(vertices: np.ndarray, faces: np.ndarray) -> bytes:
    lines = ["solid thing"]
    for corners in vertices[faces].tolist():
        lines += ["facet normal 0 0 0", "outer loop", *(f"vertex {x!r} {y!r} {z!r}" for x, y, z in corners)]
        lines += ["endloop", "endfacet"]
    return "\n".join([*lines, "endsolid thing"]).encode()


def _ply_header(form: str, vertices: int, faces: int) -> bytes:
    places = "".join(f"property double {axis}\n" for axis in "xyz")
    return (
        f"ply\nformat {form} 1.0\nelement vertex {vertices}\n{places}"
        f"element face {faces}\nproperty list uchar int vertex_indices\nend_header\n"
    ).encode()


def _ply(vertices: np.ndarray, faces: np.ndarray) -> bytes:
    rows = b"".join(struct.pack("<B3i", 3, *face) for face in faces.tolist())
    return (
        _ply_header("binary_little_endian", len(vertices), len(faces))
        + vertices.astype("<f8").tobytes()
        + rows
    )


def _ply_text(vertices: np.ndarray, faces: np.ndarray) -> bytes:
    rows = [" ".join(map(repr, row)) for row in vertices.tolist()]
    rows += [f"{len(face)} {' '.join(map(str, face))}" for face in faces.tolist()]
    return _ply_header("ascii", len(vertices), len(faces)) + "\n".join([*rows, ""]).encode()


def _off(vertices: np.ndarray, faces: np.ndarray) -> bytes:
    rows = [" ".join(map(repr, row)) for row in vertices.tolist()]
    rows += [f"{len(face)} {' '.join(map(str, face))}" for face in faces.tolist()]
    return "\n".join(["OFF", f"{len(vertices)} {len(faces)} 0", *rows]).encode()


FORMATS: dict[str, Callable[[np.ndarray, np.ndarray], bytes]] = {
    "obj": obj,
    "obj, compiled": obj,
    "glb": _glb,
    "stl": _stl,
    "stl text": _stl_text,
    "ply": _ply,
    "ply text": _ply_text,
    "off": _off,
}
INDEXED = tuple(name for name in FORMATS if not name.startswith("stl"))
every_format = pytest.mark.parametrize("form", FORMATS)


@pytest.fixture(autouse=True)
def _either_reader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small OBJ files go through both readers."""
    form = request.node.callspec.params.get("form", "") if hasattr(request.node, "callspec") else ""
    monkeypatch.setattr(obj_read, "_kernel_pays", lambda size: form != "obj")


def written(content: bytes, folder: Path) -> Path:
    path = folder / "ground"
    path.write_bytes(content)
    return path


def load(form: str, mesh: Mesh, folder: Path) -> MeshTerrain:
    with no_warnings():
        return load_terrain(written(FORMATS[form](*mesh), folder))


def load_or_refuse(path: Path) -> MeshTerrain | None:
    """The file's terrain, or None where it is refused as it should be: by one line that names the file."""
    try:
        return load_terrain(path)
    except LoadError as error:
        message = str(error)
    assert str(path.parent) in message, f"{message!r} names no file"
    assert message.isprintable(), f"{message!r} is not one line"
    assert len(message) < 1000, f"{message!r} is no sentence"
    return None


def changed(vertex: int, place: list[float]) -> Mesh:
    vertices = PLACES.copy()
    vertices[vertex] = place
    return vertices, FACES


class TestBroken:
    @every_format
    @pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e30])
    def test_places_that_are_none(self, form: str, value: float, tmp_path: Path) -> None:
        with pytest.raises(LoadError, match=r"finite|number") as caught:
            load(form, changed(2, [0.0, value, 0.0]), tmp_path)
        assert str(tmp_path) in str(caught.value)

    @every_format
    def test_nothing_at_all(self, form: str, tmp_path: Path) -> None:
        with pytest.raises(LoadError, match=r"no face|no triangles|is empty|trimesh cannot"):
            load(form, (np.zeros((0, 3)), np.zeros((0, 3), dtype=int)), tmp_path)

    @every_format
    def test_no_triangles(self, form: str, tmp_path: Path) -> None:
        with pytest.raises(LoadError, match=r"no face|no triangles"):
            load(form, (PLACES, np.zeros((0, 3), dtype=int)), tmp_path)

    @every_format
    def test_one_triangle(self, form: str, tmp_path: Path) -> None:
        found = load(form, (PLACES, FACES[3:]), tmp_path)
        np.testing.assert_array_equal(found.vertices[found.triangles], PLACES[FACES[3:]])
        assert found.height(0.25, 0.25) == pytest.approx(0.5)

    @every_format
    def test_three_triangles_on_one_edge(self, form: str, tmp_path: Path) -> None:
        places = np.concatenate([PLACES, [[1.0, 1.0, 1.0]]])
        found = load(form, (places, np.array([[0, 1, 2], [0, 1, 3], [0, 1, 4], [0, 1, 2]])), tmp_path)
        assert len(found) == 4

    @every_format
    def test_flipped_triangles_are_ground_all_the_same(self, form: str, tmp_path: Path) -> None:
        terrain = patched(5)
        flipped = np.where(
            np.arange(len(terrain))[:, None] % 2, terrain.triangles, terrain.triangles[:, ::-1]
        )
        found = load(form, (terrain.vertices, flipped), tmp_path)
        x, z = np.random.default_rng(0).uniform(-0.9, 1.9, (2, 200))
        np.testing.assert_allclose(found.height(x, z), terrain.height(x, z), atol=1e-6)
        assert (found.normal(x, z)[:, 1] > 0.0).all()

    @every_format
    def test_triangles_without_area_are_left_out(self, form: str, tmp_path: Path) -> None:
        places = np.concatenate([PLACES, [[2.0, 0.0, 0.0]]])
        nothing = np.array([[0, 0, 1], [2, 2, 2], [0, 1, 4]])  # twice a corner, thrice, and on a line
        found = load(form, (places, np.concatenate([nothing, FACES])), tmp_path)
        np.testing.assert_array_equal(found.vertices[found.triangles], PLACES[FACES])

    @every_format
    @pytest.mark.parametrize("faces", [[[0, 0, 1]], [[1, 1, 1]], [[0, 1, 4], [0, 4, 4]]])
    def test_nothing_but_triangles_without_area(
        self, form: str, faces: list[list[int]], tmp_path: Path
    ) -> None:
        places = np.concatenate([PLACES, [[2.0, 0.0, 0.0]]])
        with pytest.raises(LoadError, match="at least one triangle with an area"):
            load(form, (places, np.array(faces)), tmp_path)

    @pytest.mark.parametrize("form", INDEXED)
    @pytest.mark.parametrize("index", [4, 5, 1_000_000, 2_000_000_000])
    def test_an_index_out_of_range(self, form: str, index: int, tmp_path: Path) -> None:
        with pytest.raises(
            LoadError, match=r"but there are 4|after the last|outside the range|out of bounds"
        ):
            load(form, (PLACES, np.array([[0, 1, 2], [1, 2, index]])), tmp_path)

    @pytest.mark.parametrize("form", [name for name in INDEXED if name[:3] not in ("glb", "obj")])
    @pytest.mark.parametrize("index", [-1, -5, -2_000_000_000])
    def test_a_negative_index(self, form: str, index: int, tmp_path: Path) -> None:
        """To NumPy -1 is the last; to a file it is nothing."""
        with pytest.raises(LoadError, match=r"but there are 4|outside the range"):
            load(form, (PLACES, np.array([[0, 1, 2], [1, 2, index]])), tmp_path)

    @pytest.mark.parametrize("form", [name for name in INDEXED if name != "glb"])
    def test_polygons(self, form: str, tmp_path: Path) -> None:
        corners = np.array([[np.cos(a), 0.0, -np.sin(a)] for a in np.arange(7) / 7 * 2 * np.pi])
        if form == "ply":
            rows = b"".join(struct.pack("<B7i", 7, *range(7)) for _ in range(2))
            header = _ply_header("binary_little_endian", 7, 2)
            found = load_terrain(written(header + corners.astype("<f8").tobytes() + rows, tmp_path))
        else:
            found = load(form, (corners, np.array([range(7)] * 2)), tmp_path)
        assert len(found) == 10
        a, b, c = np.moveaxis(found.vertices[found.triangles], 1, 0)
        normals = np.cross(b - a, c - a) / 2
        np.testing.assert_allclose(normals.sum(axis=0), [0, 2 * 3.5 * np.sin(2 * np.pi / 7), 0], atol=1e-12)

    @pytest.mark.parametrize("form", ["obj, compiled", "glb", pytest.param("stl", marks=pytest.mark.slow)])
    def test_a_million_triangles(self, form: str, tmp_path: Path) -> None:
        terrain = million()
        assert 0.99e6 < len(terrain) < 1.01e6
        if form == "stl":
            table = np.zeros(len(terrain), dtype=[("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")])
            table["v"] = terrain.vertices[terrain.triangles]
            content = bytes(80) + struct.pack("<I", len(terrain)) + table.tobytes()
            path = written(content, tmp_path)
        else:
            path = tmp_path / f"million.{form[:3]}"
            save_terrain(terrain, path)
        with within_time(6.0), no_warnings():  # a few times what it takes
            found = load_terrain(path)
        assert len(found) == len(terrain)
        if form == "obj, compiled":
            np.testing.assert_array_equal(found.triangles, terrain.triangles)
            np.testing.assert_array_equal(found.vertices, terrain.vertices)
            np.testing.assert_array_equal(
                found.label_of(np.arange(len(found))), terrain.label_of(np.arange(len(found)))
            )


def _lying_glb() -> bytes:
    document = Document()
    document.node(document.mesh(document.primitive(*TETRAHEDRON)))
    for accessor in document.accessors:
        accessor["count"] = 3_000_000_000
    return document.glb()


def _far_edges_ply() -> bytes:
    """Sound, were there a triangle; the edge is nobody's business."""
    edge = b"element edge 1\nproperty int vertex1\nproperty int vertex2\nend_header"
    return _ply_text(PLACES, np.zeros((0, 3), dtype=int)).replace(b"end_header", edge) + b"0 2000000000\n"


BILLIONS = 4_294_967_295
ANNOUNCED = {
    "stl": bytes(80) + struct.pack("<I", BILLIONS) + bytes(500),
    "stl of one too many": bytes(80) + struct.pack("<I", 11) + bytes(500),
    "stl of one too few": bytes(80) + struct.pack("<I", 9) + bytes(500),
    "stl of nothing": bytes(84),
    "stl cut short": _stl(*TETRAHEDRON)[:-1],
    "ply": _ply_header("binary_little_endian", BILLIONS, BILLIONS) + bytes(500),
    "ply text": _ply_header("ascii", BILLIONS, BILLIONS) + b"0 0 0\n" * 50,
    "ply of more than a number": _ply_header("ascii", 10**30, 4) + b"0 0 0\n" * 50,
    "ply of less than nothing": _ply_header("ascii", -5, 4) + b"0 0 0\n" * 50,
    "ply of faces": _ply_header("binary_little_endian", 4, BILLIONS) + bytes(500),
    "ply of long lists": _ply(*TETRAHEDRON)
    .replace(b"list uchar", b"list uint32", 1)
    .replace(struct.pack("<B3i", 3, 0, 2, 1), struct.pack("<I3i", BILLIONS, 0, 2, 1)),
    "ply of edges that lead far away": _far_edges_ply(),
    "off": f"OFF\n{BILLIONS} {BILLIONS} 0\n0 0 0\n".encode(),
    "off of less than nothing": b"OFF\n-1 -1 0\n0 0 0\n3 0 0 0\n",
    "off of nothing": b"OFF\n",
    "glb": struct.pack("<4sIIII", b"glTF", 2, BILLIONS, BILLIONS - 20, 0x4E4F534A) + b"{}",
    "glb accessors": _lying_glb(),
    "obj": b"v 0 0 0\nf 1 1 4294967295",
}


@pytest.mark.parametrize("what", ANNOUNCED)
def test_a_file_that_lies_about_its_size_costs_nothing(what: str, tmp_path: Path) -> None:
    path = written(ANNOUNCED[what], tmp_path).rename(tmp_path / f"a.{what.split()[0]}")
    assert len(ANNOUNCED[what]) < 4000
    load_or_refuse(path)  # imports are no part of the cost
    with no_warnings(), within_time(0.05), within_memory(2 * MEGABYTE):
        assert load_or_refuse(path) is None


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("stl", "of this header has 214748364834 bytes, and the file has 584"),
        ("stl of one too many", "of this header has 634 bytes, and the file has 584"),
        ("stl of nothing", "holds no triangles"),
        ("ply", "announces at least 107374182375 bytes and holds 500"),
        ("ply text", "announces at least 34359738359 bytes and holds 300"),
        ("ply of faces", "announces at least 4294967391 bytes and holds 500"),
        ("ply of more than a number", "line 3: a PLY has no such line as 'element vertex 1"),
        ("ply of edges that lead far away", "holds no triangles"),
        ("off", "announces 4294967295 vertices and 4294967295 faces and holds 4 lines"),
        ("off of nothing", "starts with its numbers"),
        ("glb", "announces 4294967295 bytes and holds 22"),
        ("obj", "line 2: a corner is at '4294967295', which is after the last vertex"),
    ],
)
def test_what_it_lies_about_is_said(what: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.{what.split()[0]}"
    path.write_bytes(ANNOUNCED[what])
    with pytest.raises(LoadError, match=words):
        load_terrain(path)


@every_format
def test_every_cut_of_a_file(form: str, tmp_path: Path) -> None:
    """However short it is: sound or refused, and what is left of a text has not more than there was."""
    whole = FORMATS[form](*TETRAHEDRON)
    outcomes = Counter[str]()
    for length in range(len(whole)):
        found = load_or_refuse(written(whole[:length], tmp_path))
        outcomes["refused" if found is None else "loaded"] += 1
        assert found is None or len(found) <= 4
    assert outcomes["refused"] > len(whole) // 2
    if form in ("glb", "stl", "ply"):
        assert not outcomes["loaded"]


def _wide_ply(properties: int, rows: int) -> bytes:
    """Rows that say nothing of what each of them is to hold."""
    listed = "".join(f"property list uchar int p{k}\n" for k in range(properties))
    return f"ply\nformat ascii 1.0\nelement vertex {rows}\n{listed}end_header\n".encode() + b"0\n" * rows


def _many_lists_ply(properties: int) -> bytes:
    listed = "".join(f"property list uchar int p{k}\n" for k in range(properties))
    return f"ply\nformat binary_little_endian 1.0\nelement vertex 1\n{listed}end_header\n".encode() + bytes(
        9999
    )


SQUARE = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv .2 .5 0\nv 0 1 0\n"
LONG: dict[str, Callable[[], bytes]] = {
    "zeros": lambda: bytes(ENDLESS),
    "blanks": lambda: b" " * ENDLESS,
    "lines": lambda: b"\n" * ENDLESS,
    "comments": lambda: b"#\n" * ENDLESS,
    "obj of blanks": lambda: SQUARE + b" \t" * ENDLESS + b"f 1 2 3",
    "obj of lines": lambda: SQUARE + b"\n" * ENDLESS + b"f 1 2 3",
    "obj of backslashes": lambda: SQUARE + b"f 1 2 " + b"\\\n" * ENDLESS + b"3",
    "obj of comments that go on": lambda: SQUARE + b"#\\\n" * ENDLESS + b"f 1 2 3",
    "obj of endless digits": lambda: b"v 0." + b"1" * ENDLESS + b" 0 0\n" + SQUARE + b"f 1 2 3",
    "obj of an endless number": lambda: b"v " + b"1" * ENDLESS + b" 0 0\n" + SQUARE + b"f 1 2 3",
    "obj of an endless index": lambda: SQUARE + b"f 1 2 " + b"3" * ENDLESS,
    "obj of an endless name": lambda: SQUARE + b"usemtl " + b"x" * ENDLESS + b"\nf 1 2 3",
    "obj of an endless word": lambda: SQUARE + b"f 1 2 3/" + b"x" * ENDLESS,
    "obj of materials": lambda: SQUARE + b"usemtl a\n" * 50_000 + b"f 1 2 3",
    "obj of one polygon": lambda: SQUARE + b"f " + b"1 2 3 4 5 " * 20_000,
    "obj of polygons": lambda: SQUARE + b"f 1 2 3 4 5\n" * 80_000,
    "obj of notched polygons": lambda: SQUARE + b"v .5 .2 0\nf 1 6 2 3 5 4\n" * 40_000,
    "obj of vertices": lambda: b"v 0 0 0\n" * 120_000,
    "obj of words that end it": lambda: SQUARE + b"f 1 2 3\n" * 100_000 + b"f 1 2 x",
    "stl of solids": lambda: b"solid a\n" + b"facet\nvertex 0 0 0\nendsolid a\nsolid a\n" * 20_000,
    "stl of vertices": lambda: b"solid\nfacet\n" + b"vertex 0 1 0\n" * 80_000 + b"endsolid",
    "stl of words": lambda: b"solid\nfacet\n" + b"vertex x\n" * 80_000 + b"endsolid",
    "stl without lines": lambda: b"solid\nfacet\n" + b"vertex " * 150_000,
    "stl of one word": lambda: b"solid\nfacet\n" + b"solidendsolid" * 80_000,
    "ply of lines": lambda: _ply_header("ascii", 4, 4) + b"\n" * 2_000_000,
    "ply without end": lambda: b"ply\nformat ascii 1.0\n" + b"comment a\n" * 100_000,
    "ply of properties": lambda: _many_lists_ply(64),
    "ply of too many properties": lambda: _many_lists_ply(1900),
    "ply of wide rows": lambda: _wide_ply(60, 100_000),
    "ply of rows": lambda: _wide_ply(1, 100_000),
    "ply of elements": lambda: b"ply\nformat ascii 1.0\n" + b"element a 0\n" * 5000 + b"end_header\n",
    "off of comments": lambda: b"OFF\n" + b"#\n" * ENDLESS + b"4 4 0\n",
    "off of lines": lambda: b"OFF\n5 4 0\n" + b"\n" * ENDLESS,
    "off of polygons": lambda: b"OFF\n3 20000 0\n0 0 0\n1 0 0\n0 1 0\n" + b"3 0 1 2\n4 0 1 2 2\n" * 10_000,
    "json nest": lambda: b'{"asset":' + b"[" * ENDLESS,
    "glb nodes": lambda: b'{"asset":{},"nodes":[' + b"{}," * 40_000 + b"{}]}",
}


@pytest.mark.parametrize("what", LONG)
def test_long_and_tangled_files_take_little_time_and_memory(what: str, tmp_path: Path) -> None:
    load_or_refuse(
        written(SQUARE + b"v .5 .2 0\nf 1 6 2 3 5 4", tmp_path).rename(tmp_path / "small")
    )  # compiles
    path = written(LONG[what](), tmp_path)
    with no_warnings(), within_time():
        load_or_refuse(path)
    with within_memory():
        load_or_refuse(path)


@cache
def specimens() -> dict[str, list[bytes]]:
    """Small sound files of every format, with much that can be damaged."""
    terrain = patched(4)
    mesh = terrain.vertices, terrain.triangles
    document = Document()
    strip = document.primitive(PLACES, [0, 1, 2, 3, 0], mode=5, material=1)
    shared = document.mesh(
        strip, document.primitive(PLACES, FACES, material=0), document.primitive(PLACES[FACES[0]])
    )
    document.node(children=[1, 2], translation=[1, 2, 3], rotation=[0.1, 0.2, 0.3, 0.9])
    document.node(shared, scale=[1, -2, 0.5])
    document.node(shared, matrix=[1, 0, 0, 0, 0, 1, 0, 0, 0, 0.5, 1, 0, 4, 5, 6, 1])
    document.more = {"scene": 0, "scenes": [{"nodes": [0]}], "materials": [{"name": "ice"}, {"name": "mud"}]}
    polygons = SQUARE + (
        b"v 1 2 \\\n3 1.0\r\nvt 0 0\nvn 0 1 0\ng a b\no c\ns 1\nusemtl grass\n"
        b"f 1/1/1 2/1/1 3/1/1 4/1/1 5/1/1 # e\nusemtl snow drift\nf -1//1 -2//1 -3//1\nl 1 2\n"
        b"f 1 2 3\nusemtl grass\nf 5 4 1 2\n"
    )
    coloured = (
        b"ply\nformat ascii 1.0\ncomment TextureFile a.png\nelement vertex 5\nproperty float x\n"
        b"property float y\nproperty float z\nproperty uchar red\nproperty uchar green\n"
        b"property uchar blue\nelement face 3\nproperty list uchar int vertex_index\nproperty uchar flag\n"
        b"element edge 1\nproperty int vertex1\nproperty int vertex2\nend_header\n"
        b"0 0 0 1 2 3\n1 0 0 1 2 3\n1 0 1 1 2 3\n0 0 1 1 2 3\n0 1 0 1 2 3\n"
        b"4 0 1 2 3 7\n3 0 1 4 7\n3 1 2 4 7\n0 1\n"
    )
    return {
        "obj": [obj(*mesh), polygons],
        "obj, compiled": [obj(*mesh), polygons],
        "glb": [_glb(*mesh), document.glb()],
        "stl": [_stl(*mesh), _stl_text(*mesh)],
        "ply": [_ply(*mesh), _ply_text(*mesh), coloured],
        "off": [
            _off(*mesh),
            b"OFF # polygons\n5 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n4 0 1 2 3 255 0 0\n3 0 1 4\n",
        ],
    }


def damaged(name: str, seed: int) -> bytes:
    rng = np.random.default_rng([crc32(name.encode()), seed])
    chosen = specimens()[name]
    return mutate(chosen[rng.integers(len(chosen))], rng)


def _examine(name: str, seeds: range, folder: Path, trace: bool) -> tuple[Counter[str], list[str]]:
    """What became of damaged files, and what was wrong with that."""
    outcomes, problems = Counter[str](), []
    path = folder / "ground"
    for seed in seeds:
        path.write_bytes(damaged(name, seed))
        try:
            with within_time(), no_warnings(), within_memory() if trace else nullcontext():
                terrain = load_or_refuse(path)
            if terrain is not None:
                _check_sound(terrain, folder)
            outcomes["refused" if terrain is None else "loaded"] += 1
        except Exception:
            problems.append(f"{name}, seed {seed}: {traceback.format_exc(limit=-3)}")
    return outcomes, problems


def _check_sound(terrain: MeshTerrain, folder: Path) -> None:
    """All it refers to is there, it can be asked, and saving and loading it changes nothing."""
    used = terrain.vertices[terrain.triangles]
    assert (np.abs(used) < LARGEST).all()
    assert len(terrain.labels) == len(set(terrain.labels))
    middle = used.mean(axis=(0, 1))
    assert np.isfinite(terrain.closest(middle[None]).distance).all()
    save_terrain(terrain, folder / "saved.obj")
    again = load_terrain(folder / "saved.obj")
    np.testing.assert_array_equal(again.vertices[again.triangles], used)
    assert labels_of(again) == labels_of(terrain)


@pytest.mark.parametrize("form", specimens())
def test_specimens_are_sound(form: str, tmp_path: Path) -> None:
    for content in specimens()[form]:
        assert load_or_refuse(written(content, tmp_path)) is not None


@pytest.mark.parametrize("form", specimens())
def test_damaged_files(form: str, tmp_path: Path) -> None:
    outcomes, problems = _examine(form, range(CASES), tmp_path, trace=True)
    assert not problems, "\n".join(problems[:10])
    assert outcomes["loaded"] >= REACHED * CASES, outcomes
    assert outcomes["refused"] >= REACHED * CASES, outcomes


def _batch(name: str, seeds: range, folder: Path, compiled: bool) -> tuple[list[str], int]:
    """In a process of its own: what was wrong, and by how many bytes the process grew at its largest."""
    obj_read._kernel_pays = lambda size: compiled
    _examine(name, range(CASES), folder, trace=False)  # imports are no part of the growth
    before = largest()
    _, problems = _examine(name, seeds, folder, trace=False)
    return problems, largest() - before


@pytest.mark.slow
@pytest.mark.parametrize("form", specimens())
def test_many_damaged_files(form: str, tmp_path: Path) -> None:
    pytest.importorskip("resource", reason="this system does not count what a process holds")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        seeds = range(CASES, CASES + SLOW_CASES)
        problems, growth = pool.submit(_batch, form, seeds, tmp_path, "compiled" in form).result()
    assert not problems, "\n".join(problems[:10])
    assert growth < MOST_BYTES
