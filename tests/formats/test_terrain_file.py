"""Terrain files: recognised by content, turned and scaled, saved whole or not at all."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import trimesh
from scipy.spatial import cKDTree

from footfall.errors import LoadError, MissingExtra, RequestError, SaveError
from footfall.formats.gltf_write import write_glb
from footfall.formats.load import load_motion
from footfall.formats.terrain_file import load_terrain, save_terrain
from footfall.world.mesh import MeshTerrain
from footfall.world.plane import FlatTerrain
from tests.formats.motions import MADE
from tests.formats.surfaces import FIVE, TETRAHEDRON, labels_of, patched, tetrahedron_document

PLACES, FACES = TETRAHEDRON


def written(folder: Path, content: bytes | str, name: str = "ground") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def exports(mesh: trimesh.Trimesh) -> dict[str, bytes]:
    """A mesh in every format and form, as trimesh writes them; those it cannot write are made here."""
    text = {kind: mesh.export(file_type=kind) for kind in ("obj", "off", "stl_ascii", "stl", "glb", "ply")}
    contents = {kind: v.encode() if isinstance(v, str) else v for kind, v in text.items()}
    document = json.loads(contents["glb"][20 : 20 + int.from_bytes(contents["glb"][12:16], "little")])
    binary = contents["glb"][28 + int.from_bytes(contents["glb"][12:16], "little") :]
    document["buffers"][0]["uri"] = "data:;base64," + base64.b64encode(binary).decode()
    contents["gltf"] = json.dumps(document, indent=1).encode()
    contents["ply_ascii"] = mesh.export(file_type="ply", encoding="ascii")
    contents["obj after comments"] = b"# made by hand\n\n#\n" + contents["obj"]
    contents["obj after unknown words"] = b"maplib x\n" + contents["obj"]
    contents["off after comments"] = b"# made by hand\n" + contents["off"]
    contents["stl of two solids"] = _two_solids(contents["stl_ascii"])
    contents["stl in latin-1"] = contents["stl_ascii"].replace(b"solid ", b"solid Stra\xdfe vertex 7 ", 1)
    return contents


def _two_solids(content: bytes) -> bytes:
    facets = content.count(b"endfacet") // 2
    cut = 0
    for _ in range(facets):
        cut = content.index(b"endfacet", cut) + len(b"endfacet")
    return content[:cut] + b"\nendsolid one\nsolid two" + content[cut:]


FORMS = tuple(exports(FIVE["box"]()))


class TestRecognition:
    @pytest.mark.parametrize("form", FORMS)
    @pytest.mark.parametrize("ending", ["", ".obj", ".txt", ".stl"])
    def test_by_content_whatever_the_name(self, form: str, ending: str, tmp_path: Path) -> None:
        mesh = FIVE["ring"]()
        found = load_terrain(written(tmp_path, exports(mesh)[form], f"file{ending}"))
        assert len(found) == len(mesh.faces)
        away, which = cKDTree(found.vertices[found.triangles].mean(axis=1)).query(mesh.triangles_center)
        assert away.max() < 1e-5
        assert len(set(which)) == len(found)
        assert found.labels == ("ground",) or form.startswith("obj") or "gl" in form

    @pytest.mark.parametrize("name", FIVE)
    @pytest.mark.parametrize("form", ["obj", "glb", "gltf", "stl", "ply", "ply_ascii", "off"])
    def test_five_meshes_in_every_format(self, name: str, form: str, tmp_path: Path) -> None:
        """The same area, volume and bounds, within what the format's digits can hold."""
        mesh = FIVE[name]()
        found = load_terrain(written(tmp_path, exports(mesh)[form]))
        ours = trimesh.Trimesh(found.vertices, found.triangles, process=False)
        assert len(ours.faces) == len(mesh.faces)
        np.testing.assert_allclose(ours.bounds, mesh.bounds, rtol=1e-6)
        np.testing.assert_allclose(ours.area, mesh.area, rtol=1e-4)

    @pytest.mark.parametrize(
        "content",
        [
            b"hello", b"\x89PNG\r\n\x1a\n" + bytes(300), b"HIERARCHY\nROOT a", b"PK\x03\x04" + bytes(60),
            b"<xml/>", b"{}", b'{"a": 1}', b"solid air", b"vertices 1 2", b"ply", b"OFFICE 1", b"1 2\n3 4\n",
        ],
    )  # fmt: skip
    def test_what_no_reader_knows(self, content: bytes, tmp_path: Path) -> None:
        with pytest.raises(LoadError, match="not recognised as OBJ, GLB/glTF, STL, PLY or OFF"):
            load_terrain(written(tmp_path, content))

    @pytest.mark.parametrize("content", [b"", b"\n \r\n"])
    def test_an_empty_file(self, content: bytes, tmp_path: Path) -> None:
        with pytest.raises(LoadError, match="is empty; OBJ"):
            load_terrain(written(tmp_path, content))

    def test_a_file_that_is_not_there_and_a_folder(self, tmp_path: Path) -> None:
        with pytest.raises(LoadError, match="cannot be opened"):
            load_terrain(tmp_path / "none.obj")
        with pytest.raises(LoadError, match="folder"):
            load_terrain(tmp_path)

    def test_errors_name_the_file(self, tmp_path: Path) -> None:
        path = written(tmp_path, "v 1 2\n", "broken.obj")
        with pytest.raises(LoadError, match=r"broken\.obj, line 1: a vertex needs three numbers"):
            load_terrain(path)

    def test_a_saved_motion_is_the_figure_as_it_stands(self, tmp_path: Path) -> None:
        motion = MADE["person"]()
        path = written(tmp_path, write_glb(motion), "person.glb")
        found = load_terrain(path)
        assert found.vertices[:, 1].min() > -0.05
        assert found.labels == ("body",)
        assert len(load_motion(path)) == len(motion)


class TestUnitsAndAxes:
    @pytest.mark.parametrize(
        ("unit", "metres"), [("m", 1.0), ("cm", 0.01), ("in", 0.0254), (2.5, 2.5), ("0.5", 0.5)]
    )
    def test_units(self, unit: str | float, metres: float, tmp_path: Path) -> None:
        path = written(tmp_path, "v 1 2 3\nv 4 5 6\nv 7 8 8\nf 1 2 3")
        expected = metres * np.array([[1, 2, 3], [4, 5, 6], [7, 8, 8]])
        np.testing.assert_array_equal(load_terrain(path, unit=unit).vertices, expected)

    def test_z_up_is_turned_about_x(self, tmp_path: Path) -> None:
        """The file's up becomes ours and nothing is mirrored: a volume keeps its sign."""
        found = load_terrain(written(tmp_path, _text(PLACES + np.array([1, 2, 3]), FACES)), up="z", unit="cm")
        np.testing.assert_allclose(found.vertices[0], [0.01, 0.03, -0.02])
        np.testing.assert_allclose(found.vertices[3] - found.vertices[0], [0, 0.01, 0], atol=1e-15)
        shape = trimesh.Trimesh(found.vertices, found.triangles)
        np.testing.assert_allclose(shape.volume, trimesh.Trimesh(PLACES, FACES).volume * 1e-6)
        assert shape.volume > 0

    @pytest.mark.parametrize(
        "asked", [{"unit": "furlong"}, {"unit": 0.0}, {"unit": float("nan")}, {"up": "x"}, {"up": ""}]
    )
    def test_what_cannot_be_asked(self, asked: dict[str, str], tmp_path: Path) -> None:
        with pytest.raises(RequestError):
            load_terrain(written(tmp_path, _text(PLACES, FACES)), **asked)

    def test_a_large_unit_that_leaves_the_world(self, tmp_path: Path) -> None:
        path = written(tmp_path, _text(1e6 * PLACES, FACES))
        assert len(load_terrain(path)) == 4
        with pytest.raises(LoadError, match=r"ground: .*within 1e\+07 m"):
            load_terrain(path, unit=1e6)


def _text(vertices: np.ndarray, faces: np.ndarray) -> str:
    rows = ["v " + " ".join(map(repr, v)) for v in vertices.tolist()]
    return "\n".join([*rows, *("f " + " ".join(str(i + 1) for i in f) for f in faces.tolist())])


class TestNeighbours:
    def beside(self, uri: str) -> bytes:
        document = tetrahedron_document().document()
        document["buffers"][0]["uri"] = uri  # type: ignore[index]
        return json.dumps(document).encode()

    def test_a_buffer_beside_the_document(self, tmp_path: Path) -> None:
        written(tmp_path, tetrahedron_document().binary, "my buffer.bin")
        found = load_terrain(written(tmp_path, self.beside("my%20buffer.bin"), "a.gltf"))
        np.testing.assert_array_equal(found.vertices, PLACES)

    @pytest.mark.parametrize(
        "uri",
        ["../b.bin", "/etc/passwd", "http://host/b.bin", "sub/b.bin", "c:b.bin", "..%2fb.bin", ".b", ""],
    )
    def test_a_buffer_elsewhere_is_refused(self, uri: str, tmp_path: Path) -> None:
        (tmp_path / "in").mkdir()
        written(tmp_path, tetrahedron_document().binary, "b.bin")
        with pytest.raises(LoadError, match="must lie beside"):
            load_terrain(written(tmp_path / "in", self.beside(uri), "a.gltf"))

    def test_nothing_else_is_opened(self, tmp_path: Path) -> None:
        """Materials and textures that files name are not looked for, on the disk or elsewhere."""
        content = exports(FIVE["box"]())
        texture = b"comment TextureFile secret.png\nelement vertex"
        written(tmp_path, b"mtllib secret.mtl\nmtllib http://host/a.mtl\n" + content["obj"], "a.obj")
        written(tmp_path, content["ply_ascii"].replace(b"element vertex", texture), "a.ply")
        code = (
            "import sys\n"
            "from footfall.formats.terrain_file import load_terrain\n"
            "for name in ('a.obj', 'a.ply'):\n"
            "    load_terrain(name)\n"  # imports may open what they want
            "sys.addaudithook(lambda event, args: print(event, args[0]) if event in "
            "('open', 'socket.connect', 'socket.getaddrinfo', 'subprocess.Popen', 'os.listdir') else None)\n"
            "for name in ('a.obj', 'a.ply'):\n"
            "    load_terrain(name)\n"
        )
        run = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True, text=True
        )
        assert run.stdout.split("\n") == ["open a.obj", "open a.ply", ""]


class TestSaving:
    def test_obj_is_exact(self, tmp_path: Path) -> None:
        terrain = patched(9)
        save_terrain(terrain, tmp_path / "a.obj")
        found = load_terrain(tmp_path / "a.obj")
        np.testing.assert_array_equal(found.vertices.view(np.int64), terrain.vertices.view(np.int64))
        np.testing.assert_array_equal(found.triangles, terrain.triangles)
        assert labels_of(found) == labels_of(terrain)

    def test_glb_is_in_single_precision_and_grouped(self, tmp_path: Path) -> None:
        terrain = patched(9)
        save_terrain(terrain, tmp_path / "a.GLB")
        found = load_terrain(tmp_path / "a.GLB")
        np.testing.assert_array_equal(found.vertices, np.float32(terrain.vertices))
        ours = sorted(zip(found.triangles.tolist(), labels_of(found), strict=True))
        assert ours == sorted(zip(terrain.triangles.tolist(), labels_of(terrain), strict=True))

    @pytest.mark.parametrize("ending", [".obj", ".glb"])
    def test_saving_what_was_loaded_changes_nothing_more(self, ending: str, tmp_path: Path) -> None:
        save_terrain(patched(9), tmp_path / f"a{ending}")
        save_terrain(load_terrain(tmp_path / f"a{ending}"), tmp_path / f"b{ending}")
        assert (tmp_path / f"a{ending}").read_bytes() == (tmp_path / f"b{ending}").read_bytes()

    @pytest.mark.parametrize("ending", [".obj", ".glb"])
    def test_other_tools_can_read_it(self, ending: str, tmp_path: Path) -> None:
        terrain = patched(9)
        save_terrain(terrain, tmp_path / f"a{ending}")
        mesh = trimesh.load(tmp_path / f"a{ending}", force="mesh", process=False)
        np.testing.assert_allclose(
            mesh.area, trimesh.Trimesh(terrain.vertices, terrain.triangles).area, rtol=1e-6
        )
        assert len(mesh.faces) == len(terrain)

    @pytest.mark.parametrize("ending", [".obj", ".glb"])
    def test_vertices_that_no_triangle_has_may_be_anything(self, ending: str, tmp_path: Path) -> None:
        terrain = MeshTerrain(np.concatenate([[[np.nan, 1e300, 0.0]], PLACES]), FACES + 1)
        save_terrain(terrain, tmp_path / f"a{ending}")
        np.testing.assert_array_equal(load_terrain(tmp_path / f"a{ending}").triangles, terrain.triangles)

    @pytest.mark.parametrize("ending", [".obj", ".glb"])
    def test_labels_of_the_same_name_become_one(self, ending: str, tmp_path: Path) -> None:
        terrain = MeshTerrain(PLACES, FACES, ("ice", "mud", "ice", "snow"), np.array([0, 1, 2, 2]))
        save_terrain(terrain, tmp_path / f"a{ending}")
        found = load_terrain(tmp_path / f"a{ending}")
        assert sorted(labels_of(found)) == ["ice", "ice", "ice", "mud"]
        assert found.labels == ("ice", "mud")

    @pytest.mark.parametrize("label", ["", " ice", "ice ", "a\nb", "a\x00", "x" * 101, "\u2028", "\ud800"])
    @pytest.mark.parametrize("ending", [".obj", ".glb"])
    def test_labels_that_are_no_names(self, label: str, ending: str, tmp_path: Path) -> None:
        with pytest.raises(RequestError, match="cannot be a material's name"):
            save_terrain(MeshTerrain(PLACES, FACES, (label,)), tmp_path / f"a{ending}")
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("name", ["a", "a.stl", "a.gltf", "obj"])
    def test_other_endings(self, name: str, tmp_path: Path) -> None:
        with pytest.raises(RequestError, match=r"one of \.obj, \.glb"):
            save_terrain(patched(), tmp_path / name)

    def test_what_is_not_made_of_triangles(self, tmp_path: Path) -> None:
        with pytest.raises(RequestError, match=r"made of triangles .* not FlatTerrain"):
            save_terrain(FlatTerrain(), tmp_path / "a.obj")  # type: ignore[arg-type]

    def test_whole_or_not_at_all(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """What was there stays when writing breaks off in the middle."""
        from footfall.formats import obj_write

        whole = obj_write.write_obj

        def breaks_off(surface: object) -> object:
            pieces = whole(surface)  # type: ignore[arg-type]
            yield next(pieces)
            raise OSError(28, "No space left on device")

        save_terrain(patched(5), tmp_path / "a.obj")
        before = (tmp_path / "a.obj").read_bytes()
        monkeypatch.setattr(obj_write, "write_obj", breaks_off)
        with pytest.raises(SaveError, match="No space left"):
            save_terrain(patched(9), tmp_path / "a.obj")
        assert [p.name for p in tmp_path.iterdir()] == ["a.obj"]
        assert (tmp_path / "a.obj").read_bytes() == before

    def test_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(SaveError, match="cannot be written"):
            save_terrain(patched(), tmp_path / "none" / "a.glb")


class TestTheExtra:
    @pytest.mark.parametrize("form", ["stl", "stl_ascii", "ply", "ply_ascii", "off"])
    def test_without_trimesh_it_is_named(
        self, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = written(tmp_path, exports(FIVE["box"]())[form])
        monkeypatch.setitem(sys.modules, "trimesh", None)
        with pytest.raises(MissingExtra, match=r"reading (STL|PLY|OFF) files needs .*footfall\[mesh\]"):
            load_terrain(path)

    @pytest.mark.parametrize("form", ["obj", "glb", "gltf"])
    def test_obj_and_gltf_need_nothing(self, form: str, tmp_path: Path) -> None:
        """Neither trimesh nor the compiler is loaded for a small file."""
        path = written(tmp_path, exports(FIVE["box"]())[form])
        code = (
            "import sys; sys.modules['trimesh'] = None\n"
            "from footfall.formats.terrain_file import load_terrain\n"
            f"assert len(load_terrain({str(path)!r})) == 12\n"
            "assert 'numba' not in sys.modules"
        )
        subprocess.run([sys.executable, "-c", code], check=True)
