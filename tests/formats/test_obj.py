"""OBJ: every way to write a statement, by both readers, bit for bit; polygons; what is refused and where."""

from __future__ import annotations

import io
import struct
import subprocess
import sys
import time

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.path import Path as Outline
from scipy.spatial.transform import Rotation

from footfall.errors import LoadError
from footfall.formats import obj_kernel, obj_plain, obj_read
from footfall.formats.obj_read import read_obj
from footfall.formats.obj_statements import Fault, Statements
from footfall.formats.obj_write import write_obj
from footfall.formats.polygons import triangulate
from footfall.formats.surface import LONGEST_NAME, MOST_LABELS, Surface
from tests.formats.mutate import TEXT
from tests.formats.surfaces import FIVE, labels_of, obj, patched, triangle_set
from tests.formats.test_numbers import words

patient = settings(deadline=None, max_examples=300)
PIECES = b"v 1 2 3|v|f|1|-1|0|2/3|//|usemtl|x|#|\\|\n|\n|\r| |\t|\x0b|\x00|\x1c|\xff|1e5|1.5|-|_".split(b"|")
SQUARE = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"


@pytest.fixture(params=["plain", "compiled"])
def both(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The test is run with either reader."""
    monkeypatch.setattr(obj_read, "_kernel_pays", lambda size: request.param == "compiled")
    return request.param


def read(text: str | bytes) -> Surface:
    return read_obj(text.encode() if isinstance(text, str) else text)


def names(surface: Surface) -> list[str]:
    assert surface.kinds is not None
    return [surface.labels[k] for k in surface.kinds]


@pytest.mark.usefixtures("both")
class TestStatements:
    @pytest.mark.parametrize("more", ["", " 1.0", " 0.1 0.2 0.3", " 0.1 0.2 0.3 1", " x", " # white", " #"])
    def test_what_follows_the_three_numbers_is_not_read(self, more: str) -> None:
        found = read(f"v 1 -2.5 3e1{more}\nv 4 5 6{more}\nv 7 8 +.5\nf 1 2 3")
        np.testing.assert_array_equal(found.vertices, [[1, -2.5, 30], [4, 5, 6], [7, 8, 0.5]])

    @pytest.mark.parametrize(
        "face",
        [
            "f 1 2 3", "f 1/9 2/9 3/9", "f 1//9 2//9 3//9", "f 1/7/9 2/7/9 3/7/9", "f -4 -3 -2",
            "f -4/1 2 3//1", "\t f\t1  2 \t 3 \t", "f 1 2 3 # a triangle", "f 1 2 3 #4", "f +1 002 3/",
            "f 1 2 3\r", "f\f1\v2 3",
        ],
    )  # fmt: skip
    def test_every_way_to_write_a_face(self, face: str) -> None:
        np.testing.assert_array_equal(read(SQUARE + face).triangles, [[0, 1, 2]])

    def test_negative_indices_count_from_where_they_stand(self) -> None:
        found = read("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 0 0 1\nf -3 -2 -1\n")
        np.testing.assert_array_equal(found.triangles, [[0, 1, 2], [1, 2, 3]])

    def test_faces_may_come_before_their_vertices(self) -> None:
        np.testing.assert_array_equal(read("f 3 2 4\n" + SQUARE).triangles, [[2, 1, 3]])

    @pytest.mark.parametrize(
        "other",
        [
            "# f 1 2", "#v x", "", "   ", "\t", "o v 1", "g a b c", "s off", "s 1", "vn 0 0 1", "vt 0 0",
            "vp 1", "l 1 2", "p 1", "mtllib a b.mtl", "cstype bezier", "what is this", "\x00\x01", "f1 2 3",
            "V 1 2", "vv 1", "fo 1 2", "usemtls x", "call file.obj", "csh ls", "ä ö", "\x85 v x",
        ],
    )  # fmt: skip
    def test_everything_else_is_passed_over(self, other: str) -> None:
        lines = [other, *SQUARE.split("\n"), other, "f 1 2 3", other]
        found = read("\n".join(lines))
        np.testing.assert_array_equal(found.triangles, [[0, 1, 2]])
        assert names(found) == ["ground"]

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    @pytest.mark.parametrize("last", ["", "\n", "\n\n"])
    def test_ends_of_lines(self, end: str, last: str) -> None:
        text = (SQUARE + "usemtl snow\nf 1 2 3\nf 3 4 1" + last).replace("\n", end)
        found = read(text)
        np.testing.assert_array_equal(found.triangles, [[0, 1, 2], [2, 3, 0]])
        assert names(found) == ["snow", "snow"]

    @pytest.mark.parametrize("end", ["\n", "\r\n"])
    def test_a_backslash_continues_a_line(self, end: str) -> None:
        text = "v 1 \\\n2\\\n 3\nv 4 5 6\nv 7 8 9.5\nf 1 \\\n 2 \\\n\\\n 3\n# no \\\nf 3 2 1\n"
        found = read(text.replace("\n", end))
        np.testing.assert_array_equal(found.vertices, [[1, 2, 3], [4, 5, 6], [7, 8, 9.5]])
        np.testing.assert_array_equal(found.triangles, [[0, 1, 2], [2, 1, 0]])

    def test_lines_are_counted_as_they_lie_in_the_file(self) -> None:
        with pytest.raises(LoadError, match=r"^line 6: .*'x'"):
            read("v 1 \\\n2 3\n# \\\nv 1 \\\n 2 \\\n x")

    def test_a_byte_order_mark_is_no_word(self) -> None:
        found = read(b"\xef\xbb\xbf" + SQUARE.encode() + b"f 1 2 3")
        assert len(found.vertices) == 4


@pytest.mark.usefixtures("both")
class TestMaterials:
    def test_they_become_labels(self) -> None:
        found = read(
            SQUARE
            + "f 1 2 3\nusemtl grass\nf 1 2 3\nf 1 2 3 4\nusemtl ice\nusemtl grass\nf 2 3 4\nusemtl\nf 1 2 4"
        )
        assert names(found) == ["ground", "grass", "grass", "grass", "grass", "ground"]
        assert found.labels == ("ground", "grass")  # ice is of no face

    @pytest.mark.parametrize(
        ("name", "label"),
        [
            (b"wet grass", "wet grass"), (b"  a  ", "a"), (b"\tb\r", "b"), ("Gräser".encode(), "Gräser"),
            ("Gräser".encode("latin-1"), "Gräser"), (b"Material #25", "Material #25"), (b"a\x00\x07b", "ab"),
            (b"", "ground"), (b"\x01", "ground"), (b"x" * 1000, "x" * LONGEST_NAME),
        ],
    )  # fmt: skip
    def test_names(self, name: bytes, label: str) -> None:
        assert read(SQUARE.encode() + b"usemtl " + name + b"\nf 1 2 3").labels == (label,)

    def test_too_many(self) -> None:
        text = SQUARE + "".join(f"usemtl m{i}\nf 1 2 3\n" for i in range(MOST_LABELS + 1))
        with pytest.raises(LoadError, match="10001 materials"):
            read(text)


@pytest.mark.usefixtures("both")
class TestRefusals:
    @pytest.mark.parametrize(
        ("line", "words"),
        [
            ("v", "a vertex needs three numbers"),
            ("v 1 2", "a vertex needs three numbers"),
            ("v 1 2 # 3", "a vertex needs three numbers"),
            ("v 1 2 x", r"finite number for a vertex, found 'x'"),
            ("v 1 2,5 3", r"found '2,5'"),
            ("v nan 2 3", r"found 'nan'"),
            ("v 1 inf 3", r"found 'inf'"),
            ("v 1 2 1e999", r"found '1e999'"),
            ("v 1 2 -1e400", r"found '-1e400'"),
            ("v 1 2 1" + "0" * 400, r"found '1000"),
            ("v 1_0 2 3", r"found '1_0'"),
            ("v 1 2 3x", r"found '3x'"),
            ("v 1 2 0x10", r"found '0x10'"),
            ("f", "at least three corners"),
            ("f 1", "at least three corners"),
            ("f 1 2", "at least three corners"),
            ("f 1 2 # 3", "at least three corners"),
            ("f 1 0 3", r"counted from 1, found '0'"),
            ("f 1 -0/1 3", r"counted from 1, found '-0/1'"),
            ("f 1 2 5", r"'5', which is after the last vertex"),
            ("f 1/5 2 99999999999999999999999999/1", r"'99999999999999999999999999/1', which is after"),
            ("f 1 2 " + "9" * 5000, "after the last"),
            ("f 1 2 -5", r"'-5', which is before the first vertex"),
            ("f 1 2 -" + "9" * 5000, "before the first"),
            ("f 1 2 x", r"number of a vertex, found 'x'"),
            ("f 1 2 /3", r"found '/3'"),
            ("f 1 2 3.5", r"found '3\.5'"),
            ("f 1 2 3x/1", r"found '3x/1'"),
            ("f 1 2 - 3", r"found '-'"),
            ("f 1 2 1e0", r"found '1e0'"),
        ],
    )
    def test_the_line_is_named(self, line: str, words: str) -> None:
        with pytest.raises(LoadError, match=words) as caught:
            read(f"# a\n{SQUARE}f 1 2 3\n\n{line}\nf 2 3 4\n")
        assert caught.value.line == 8
        assert len(str(caught.value)) < 200

    @pytest.mark.parametrize("text", ["", "# nothing", SQUARE, "o x\ng y"])
    def test_no_face(self, text: str) -> None:
        with pytest.raises(LoadError, match="no face"):
            read(text)


def outcome(parse: object, text: bytes) -> tuple[object, ...]:
    """What a reader makes of a text, comparable bit by bit."""
    try:
        found: Statements = parse(text)  # type: ignore[operator]
    except Fault as fault:
        return (fault.wrong, fault.at)
    places = found.vertices.reshape(-1).tolist()
    lists = (found.corners.tolist(), found.sizes.tolist(), found.materials.tolist())
    stripped = [name.strip() for name in found.names]
    return (
        struct.pack(f"<{len(places)}d", *places),
        found.vertices.shape,
        *lists,
        stripped,
        found.largest_at,
    )


class TestTheTwoReaders:
    @patient
    @given(st.lists(words, min_size=1, max_size=9))
    def test_numbers_are_pythons_bit_for_bit(self, written: list[str]) -> None:
        expected = [float(word) for word in written]
        text = "".join(f"v {word}\t{word} {word}\n" for word in written).encode()
        for parse in (obj_plain.parse, obj_read._parse_compiled):
            if np.isfinite(expected).all():
                found = parse(text).vertices
                assert [struct.pack("<d", v) for v in found.reshape(-1)] == [
                    struct.pack("<d", v) for v in expected for _ in range(3)
                ]
            else:
                with pytest.raises(Fault):
                    parse(text)

    @pytest.mark.parametrize("digits", [15, 16, 17, 18, 19, 20])
    def test_a_hundred_thousand_decimals(self, digits: int) -> None:
        """Around where one rounding is not enough and the remainder decides, with all powers of ten."""
        rng = np.random.default_rng(digits)
        values = 10.0 ** rng.uniform(-8, 8, 33_000)
        printed = [f"{v:.{digits - 1}e}" if i % 2 else f"{v:.{digits - 3}f}" for i, v in enumerate(values)]
        text = "".join(f"v {w} -{w} 0\n" for w in printed).encode()
        found = obj_read._parse_compiled(text).vertices
        expected = np.array([float(w) for w in printed])
        np.testing.assert_array_equal(found[:, 0].view(np.int64), expected.view(np.int64))
        np.testing.assert_array_equal(found[:, 1], -expected)

    def test_halfway_cases_go_to_the_even_number(self) -> None:
        """Decimals exactly between two doubles, and a little to each side of there."""
        rng = np.random.default_rng(1)
        printed = []
        for mantissa in rng.integers(1 << 52, 1 << 53, 2000).tolist():
            half = 2 * mantissa + 1  # 54 bits
            for power in (0, 1, 2, 3):  # quarters and eighths of it have short decimals too
                whole = half * 10**power // 2**power
                printed += [f"{whole + d}e-{power}" for d in (-1, 0, 1)]
        text = "".join(f"v {w} 0 0\n" for w in printed).encode()
        found = obj_read._parse_compiled(text).vertices[:, 0]
        np.testing.assert_array_equal(found, [float(w) for w in printed])

    @patient
    @given(st.lists(st.sampled_from(PIECES), max_size=30), st.sampled_from([b" ", b""]))
    def test_any_text_is_taken_alike(self, pieces: list[bytes], between: bytes) -> None:
        text = between.join(pieces)
        assert outcome(obj_plain.parse, text) == outcome(obj_read._parse_compiled, text)

    def test_damaged_files_are_taken_alike(self) -> None:
        whole = b"".join(write_obj(Surface(*_arrays(patched(4)))))
        alike, refused = 0, 0
        for seed in range(600):
            rng = np.random.default_rng(seed)
            text = TEXT[rng.integers(len(TEXT))](whole, rng)
            plain, compiled = outcome(obj_plain.parse, text), outcome(obj_read._parse_compiled, text)
            assert plain == compiled, seed
            refused += len(plain) == 2
            alike += 1
        assert 50 < refused < alike - 50

    def test_a_small_file_does_not_load_the_compiler(self) -> None:
        code = (
            "import sys; from footfall.formats.obj_read import read_obj; "
            "read_obj(b'v 0 0 0\\nv 1 0 0\\nv .3 .3 0\\nv 0 1 0\\nf 1 2 3 4'); "
            "assert 'numba' not in sys.modules"
        )
        subprocess.run([sys.executable, "-c", code], check=True)

    def test_powers_of_ten_are_exact(self) -> None:
        assert obj_kernel.POWERS.tolist() == [float(f"1e{k}") for k in range(23)]


def _arrays(terrain: object) -> tuple[object, ...]:
    return terrain.vertices, terrain.triangles, terrain.labels, terrain.kinds  # type: ignore[attr-defined]


def _star(rng: np.random.Generator, corners: int) -> np.ndarray:
    """A polygon round the origin with corners in and out at random."""
    angle = np.sort(rng.uniform(0, 2 * np.pi, corners))
    angle = 2 * np.pi * (np.arange(corners) + 0.4 * (angle / 7.0)) / corners
    radius = rng.uniform(0.2, 1.0, corners)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1)


def _comb(teeth: int) -> np.ndarray:
    """A back with teeth: from no corner can all others be seen."""
    teeth_ = [(x, y) for k in range(teeth) for x, y in ((2 * k, 0), (2 * k + 0.2, 5), (2 * k + 1, 0.5))]
    return np.array([(2 * teeth, -1.0), *reversed(teeth_), (-1.0, -1.0)])[::-1]


def _spiral(turns: int) -> np.ndarray:
    t = np.linspace(0, 2 * np.pi * turns, 24 * turns)
    inner = np.stack([(1 + t) * np.cos(t), (1 + t) * np.sin(t)], -1)
    outer = np.stack([(3 + t) * np.cos(t), (3 + t) * np.sin(t)], -1)
    return np.concatenate([outer, inner[::-1]])


def _shoelace(flat: np.ndarray) -> float:
    x, y = flat.T
    return 0.5 * float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))


SHAPES = {
    "quad": np.array([[0, 0], [2, 0], [2, 1], [0, 1.0]]),
    "arrow": np.array([[0, 0], [2, 1], [0, 2], [0.5, 1.0]]),
    "arrow from its notch": np.array([[0.5, 1.0], [0, 0], [2, 1], [0, 2]]),
    "L": np.array([[0, 0], [3, 0], [3, 1], [1, 1], [1, 3], [0, 3.0]]),
    "square with straight corners": np.array(
        [[0, 0], [1, 0], [2, 0], [2, 1], [2, 2], [1, 2], [0, 2], [0, 1.0]]
    ),
    "U with straight corners": np.array(
        [[0, 0], [1, 0], [3, 0], [3, 3], [2, 3], [2, 2], [2, 1], [1, 1], [1, 3], [0, 3.0]]
    ),
    "frame, cut open": np.array(
        [[0, 0], [4, 0], [4, 4], [0, 4], [0, 0], [1, 1], [1, 3], [3, 3], [3, 1], [1, 1.0]]
    ),
    "comb": _comb(20),
    "spiral": _spiral(3),
    **{f"star {n}": _star(np.random.default_rng(n), n) for n in (5, 6, 7, 9, 12, 20, 50, 200)},
}


class TestPolygons:
    @pytest.mark.parametrize("name", SHAPES)
    @pytest.mark.parametrize("turned", [False, True])
    def test_every_point_inside_lies_in_one_triangle(self, name: str, turned: bool) -> None:
        """Judged by matplotlib's outlines: covered once inside, never outside; the areas' sum is the area."""
        flat = SHAPES[name]
        rng = np.random.default_rng(0)
        across = Rotation.random(rng=rng).as_matrix() if turned else np.eye(3)
        place = np.pad(flat, ((0, 0), (0, 1))) @ across.T + (100.0 if turned else 0.0)
        for own in (place, place[::-1]):
            triangles, face = triangulate(own, np.arange(len(own)), np.array([len(own)]))
            assert triangles.shape == (len(own) - 2, 3)
            assert (face == 0).all()
            # back in the plane
            corners = (own @ across)[:, :2] - ((100.0 * np.ones(3)) @ across)[:2] * turned
            areas = np.array([_shoelace(corners[t]) for t in triangles])
            assert (areas * np.sign(_shoelace(corners)) > -1e-9).all(), "a triangle is turned over"
            np.testing.assert_allclose(areas.sum(), _shoelace(corners), rtol=1e-9)
            points = rng.uniform(flat.min(axis=0) - 0.1, flat.max(axis=0) + 0.1, (1000, 2))
            covered = sum(Outline(corners[t]).contains_points(points).astype(int) for t in triangles)
            np.testing.assert_array_equal(covered, Outline(corners).contains_points(points))

    def test_many_faces_of_all_sizes_keep_their_order(self) -> None:
        rng = np.random.default_rng(2)
        sizes = rng.integers(3, 9, 500)
        parts = [_star(rng, int(n)) if n > 4 else _star(rng, 4)[: int(n)] for n in sizes]
        place = np.concatenate([np.pad(p, ((0, 0), (0, 1)), constant_values=k) for k, p in enumerate(parts)])
        triangles, face = triangulate(place, np.arange(len(place)), sizes)
        np.testing.assert_array_equal(face, np.repeat(np.arange(500), sizes - 2))
        for k, part in enumerate(parts):
            own = place[triangles[face == k]]
            assert (own[..., 2] == k).all()
            areas = np.cross(own[:, 1] - own[:, 0], own[:, 2] - own[:, 0])[:, 2] / 2
            np.testing.assert_allclose(areas.sum(), _shoelace(part), rtol=1e-9)
            np.testing.assert_allclose(np.abs(areas).sum(), abs(_shoelace(part)), rtol=1e-9)

    @pytest.mark.parametrize(
        "places",
        [
            np.zeros((6, 3)),
            np.arange(18.0).reshape(6, 3),  # on a line
            np.array([[0, 0, 0], [1, 1, 0], [1, 0, 0], [0, 1, 0.0]]),  # an hourglass
            np.array([[np.cos(4 * np.pi * k / 5), np.sin(4 * np.pi * k / 5), 0] for k in range(5)]),
            np.random.default_rng(0).normal(size=(40, 3)),
            1e300 * np.random.default_rng(0).normal(size=(7, 3)),
        ],
    )
    def test_what_has_no_inside_still_becomes_triangles(self, places: np.ndarray) -> None:
        triangles, _ = triangulate(places, np.arange(len(places)), np.array([len(places)]))
        assert triangles.shape == (len(places) - 2, 3)
        assert triangles.min() >= 0
        assert triangles.max() < len(places)
        assert all(len(set(t)) == 3 for t in triangles.tolist())

    def test_endless_polygons_take_little_time(self) -> None:
        """Where cutting ears would take hours, the rest becomes a fan."""
        rng = np.random.default_rng(0)
        jagged = np.pad(_star(rng, 300_000), ((0, 0), (0, 1)))
        notches = np.tile(np.pad(SHAPES["L"], ((0, 0), (0, 1))), (50_000, 1))
        triangulate(notches[:6], np.arange(6), np.array([6]))  # compiling is no part of it
        start = time.process_time()
        assert len(triangulate(jagged, np.arange(300_000), np.array([300_000]))[0]) == 299_998
        assert len(triangulate(notches, np.arange(300_000), np.full(50_000, 6))[0]) == 200_000
        assert time.process_time() - start < 2.0


class TestAgainstTrimesh:
    @pytest.mark.parametrize("name", FIVE)
    def test_five_meshes(self, name: str, both: str) -> None:
        mesh = FIVE[name]()
        text = b"".join(write_obj(Surface(np.array(mesh.vertices), np.array(mesh.faces))))
        for content in (text, mesh.export(file_type="obj").encode()):
            ours = read(content)
            judge = trimesh.load(io.BytesIO(content), file_type="obj", process=False, maintain_order=True)
            np.testing.assert_array_equal(ours.vertices, judge.vertices)
            np.testing.assert_array_equal(ours.triangles, judge.faces)
        exact = read(text)
        np.testing.assert_array_equal(
            triangle_set(exact.vertices, exact.triangles), triangle_set(mesh.vertices, mesh.faces)
        )

    def test_quads_with_everything(self, both: str) -> None:
        """Corners with textures and normals, as other tools write them."""
        text = obj(*_quads())
        text = text.replace(b"f ", b"vt 0 0\nvn 0 1 0\nf ", 1)
        lines = [
            b"f " + b" ".join(w + b"/1/1" for w in line.split()[1:]) if line.startswith(b"f") else line
            for line in text.split(b"\n")
        ]
        ours = read(b"\n".join(lines))
        judge = trimesh.load(io.BytesIO(b"\n".join(lines)), file_type="obj", process=False)
        assert len(ours.triangles) == len(judge.faces) == 2 * 25
        np.testing.assert_allclose(
            trimesh.Trimesh(ours.vertices, ours.triangles).area, judge.area, rtol=1e-12
        )


def _quads() -> tuple[np.ndarray, np.ndarray]:
    x, z = np.meshgrid(np.arange(6.0), np.arange(6.0), indexing="ij")
    index = np.arange(36).reshape(6, 6)
    faces = np.stack([index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]], -1).reshape(-1, 4)
    return np.stack([x, 0 * x, z], -1).reshape(-1, 3), faces


class TestWriting:
    @pytest.mark.parametrize("seed", range(3))
    def test_what_is_written_comes_back_to_the_last_bit(self, seed: int, both: str) -> None:
        terrain = patched(7, seed)
        found = read(b"".join(write_obj(Surface(*_arrays(terrain)))))
        np.testing.assert_array_equal(found.vertices.view(np.int64), terrain.vertices.view(np.int64))
        np.testing.assert_array_equal(found.triangles, terrain.triangles)
        assert names(found) == labels_of(terrain)

    def test_awkward_numbers(self, both: str) -> None:
        values = [
            0.0,
            -0.0,
            1e-320,
            5e-324,
            0.1,
            1 / 3,
            1e6 + 1e-10,
            -9999999.999999998,
            1e16,
            123456789.0123456,
        ]
        place = np.array([*values, 2.0, 3.0]).reshape(-1, 3)
        found = read(b"".join(write_obj(Surface(place, np.array([[0, 1, 2]])))))
        np.testing.assert_array_equal(found.vertices.view(np.int64), place.view(np.int64))
