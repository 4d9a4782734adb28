"""GLB as ground: every way to store triangles, where nodes put them, what is refused; Khronos judges."""

from __future__ import annotations

import io
import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import trimesh
from scipy.spatial.transform import Rotation

from footfall.errors import LoadError
from footfall.formats import gltf_mesh_read
from footfall.formats.gltf_mesh_read import read_gltf_mesh
from footfall.formats.gltf_mesh_write import write_gltf_mesh
from footfall.formats.surface import Surface
from footfall.formats.terrain_file import save_terrain
from footfall.world.label_colours import COLOURS, OTHER, colour_of
from footfall.world.mesh import MeshTerrain
from tests.formats.examination import within_memory, within_time
from tests.formats.plain_gltf import PlainGltf
from tests.formats.surfaces import (
    BYTE,
    FIVE,
    SHORT,
    TETRAHEDRON,
    UBYTE,
    UINT,
    USHORT,
    Document,
    patched,
    tetrahedron_document,
    triangle_set,
)
from tests.khronos import issues, needs_validator

PLACES, FACES = TETRAHEDRON


def nowhere(uri: str) -> bytes:
    raise AssertionError(f"{uri} was not to be fetched")


def read(document: Document | bytes) -> Surface:
    return read_gltf_mesh(document if isinstance(document, bytes) else document.glb(), nowhere)


def names(surface: Surface) -> list[str]:
    assert surface.kinds is not None
    return [surface.labels[k] for k in surface.kinds]


def judged(content: bytes) -> trimesh.Trimesh:
    return trimesh.load(io.BytesIO(content), file_type="glb", process=False).to_mesh()


def assert_same_triangles(surface: Surface, judge: trimesh.Trimesh, tolerance: float = 0.0) -> None:
    ours, theirs = (
        triangle_set(surface.vertices, surface.triangles),
        triangle_set(judge.vertices, judge.faces),
    )
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=tolerance)


class TestPrimitives:
    @pytest.mark.parametrize("component", [UBYTE, USHORT, UINT])
    def test_indices_of_every_width(self, component: int) -> None:
        document = Document()
        document.node(document.mesh(document.primitive(PLACES, FACES, component)))
        found = read(document)
        np.testing.assert_array_equal(found.vertices, PLACES)
        np.testing.assert_array_equal(found.triangles, FACES)
        assert found.labels == ("ground",)

    def test_without_indices(self) -> None:
        document = Document()
        document.node(document.mesh(document.primitive(PLACES[FACES].reshape(-1, 3))))
        found = read(document)
        np.testing.assert_array_equal(found.vertices[found.triangles], PLACES[FACES])

    @pytest.mark.parametrize("indexed", [False, True])
    def test_a_strip_turns_every_second_triangle(self, indexed: bool) -> None:
        """All triangles of a flat strip look the same way."""
        corners = np.array([[k // 2, 0.0, k % 2] for k in range(7)])
        document = Document()
        document.node(document.mesh(document.primitive(corners, range(7) if indexed else None, mode=5)))
        found = read(document)
        assert found.triangles.tolist() == [[0, 1, 2], [1, 3, 2], [2, 3, 4], [3, 5, 4], [4, 5, 6]]
        a, b, c = np.moveaxis(found.vertices[found.triangles], 1, 0)
        np.testing.assert_allclose(np.cross(b - a, c - a), np.tile([0, 1, 0], (5, 1)))

    def test_a_fan(self) -> None:
        document = Document()
        document.node(document.mesh(document.primitive(np.eye(6)[:, :3], [5, 1, 2, 3, 4], mode=6)))
        assert read(document).triangles.tolist() == [[5, 1, 2], [5, 2, 3], [5, 3, 4]]

    @pytest.mark.parametrize("mode", [5, 6])
    def test_a_strip_or_fan_too_short(self, mode: int) -> None:
        document = tetrahedron_document()
        document.node(document.mesh(document.primitive(PLACES, [0, 1], mode=mode)))
        assert len(read(document).triangles) == 4

    @pytest.mark.parametrize("mode", [0, 1, 2, 3])
    def test_points_and_lines_are_passed_over(self, mode: int) -> None:
        document = Document()
        document.node(document.mesh(document.primitive(PLACES, mode=mode)))
        with pytest.raises(LoadError, match="holds no triangles"):
            read(document)
        document.meshes[0]["primitives"].append(document.primitive(PLACES, FACES))  # type: ignore[attr-defined]
        assert_same_triangles(read(document), trimesh.Trimesh(PLACES, FACES, process=False))

    @pytest.mark.parametrize(
        ("component", "most"), [(BYTE, 127), (UBYTE, 255), (SHORT, 32767), (USHORT, 65535)]
    )
    @pytest.mark.parametrize("normalized", [False, True])
    def test_positions_as_whole_numbers(self, component: int, most: int, normalized: bool) -> None:
        """KHR_mesh_quantization."""
        document = Document()
        place = document.array(most * PLACES, component, normalized=normalized)
        indices = document.array(FACES.reshape(-1), USHORT)
        document.node(document.mesh({"attributes": {"POSITION": place}, "indices": indices}))
        np.testing.assert_allclose(read(document).vertices, PLACES * (1 if normalized else most), rtol=1e-15)

    def test_primitives_that_share_their_positions_keep_sharing_them(self) -> None:
        document = Document()
        place = document.array(PLACES)
        halves = [document.array(half.reshape(-1), UBYTE) for half in (FACES[:2], FACES[2:])]
        document.node(
            document.mesh(*({"attributes": {"POSITION": place}, "indices": half} for half in halves))
        )
        found = read(document)
        assert len(found.vertices) == 4
        np.testing.assert_array_equal(found.triangles, FACES)


class TestMaterials:
    def test_names_become_labels(self) -> None:
        document = Document()
        document.more["materials"] = [
            {"name": "ice"},
            {},
            {"name": "grass"},
            {"name": "ice"},
            {"name": "snow"},
        ]
        chosen = [{}, *({"material": k} for k in (0, 1, 2, 3))]
        document.node(document.mesh(*(document.primitive(PLACES, FACES[:1], **m) for m in chosen)))
        found = read(document)
        assert names(found) == ["ground", "ice", "ground", "grass", "ice"]
        assert found.labels == ("ground", "ice", "grass")  # snow is of no triangle

    @pytest.mark.parametrize("material", [5, -1])
    def test_a_material_that_is_not_there(self, material: int) -> None:
        document = Document()
        document.more["materials"] = [{"name": "ice"}]
        document.node(document.mesh(document.primitive(PLACES, FACES, material=material)))
        with pytest.raises(LoadError, match=f"material {material} is referred to"):
            read(document)


class TestNodes:
    def scene(self) -> Document:
        """A chain of every kind of placement, uneven and negative scales among them; one mesh three times."""
        rng = np.random.default_rng(0)
        document = Document()
        two = [document.primitive(rng.normal(size=(9, 3)), rng.permutation(9)) for _ in range(2)]
        first, second = document.mesh(two[0]), document.mesh(two[1])
        turn = Rotation.random(4, rng=rng)
        shear = np.eye(4) + 0.3 * rng.normal(size=(4, 4))
        shear[3] = [0, 0, 0, 1]
        document.node(children=[1, 2], translation=[1, 2, 3], rotation=turn[0].as_quat().tolist())
        document.node(first, children=[3], scale=[1.0, -2.0, 0.5], rotation=turn[1].as_quat().tolist())
        document.node(second, matrix=shear.T.reshape(-1).tolist())
        document.node(
            first, translation=[-3, 0, 0.5], scale=[-1, -1, -1], rotation=turn[2].as_quat().tolist()
        )
        document.node(first)
        document.more |= {"scene": 0, "scenes": [{"nodes": [0, 4]}]}
        return document

    def test_trimesh_puts_everything_in_the_same_place(self) -> None:
        content = self.scene().glb()
        assert_same_triangles(read(content), judged(content), tolerance=1e-9)

    def test_a_mirrored_mesh_keeps_its_outside(self) -> None:
        """A tetrahedron has a positive volume however it is mirrored."""
        for scale in ([1, 1, 1], [-1, 1, 1], [1, -1, -1], [-2, -3, -1]):
            document = tetrahedron_document()
            document.nodes[0]["scale"] = scale
            found = read(document)
            volume = np.linalg.det(found.vertices[found.triangles]).sum() / 6
            np.testing.assert_allclose(volume, abs(np.prod(scale)) / 6)

    def test_only_the_scene_to_show_is_read(self) -> None:
        document = self.scene()
        document.more["scenes"] = [{"nodes": [0, 4]}, {"nodes": [4]}, {}]
        for scene, count in ((0, 12), (1, 3), (2, 0)):
            document.more["scene"] = scene
            if count:
                assert len(read(document).triangles) == count
                assert_same_triangles(read(document), judged(document.glb()), tolerance=1e-9)
            else:
                with pytest.raises(LoadError, match="no triangles"):
                    read(document)
        document.more["scene"] = 3
        with pytest.raises(LoadError, match="scene 3"):
            read(document)

    def test_without_scenes_every_node_is_read(self) -> None:
        document = self.scene()
        document.more.clear()
        assert len(read(document).triangles) == 12

    def test_a_skinned_mesh_is_read_as_it_lies(self) -> None:
        document = tetrahedron_document(skins=[{"joints": [0]}])
        document.nodes[0]["skin"] = 0
        np.testing.assert_array_equal(read(document).vertices, PLACES)

    @pytest.mark.parametrize(
        ("says", "words"),
        [
            ({"mesh": 7}, "mesh 7 is referred to"),
            ({"mesh": -1}, "mesh -1 is referred to"),
            ({"children": [0]}, "child 0"),
            ({"children": [9]}, "child 9"),
            ({"matrix": [1, 2]}, "matrix of 2 numbers"),
            ({"matrix": [1e300] * 16}, "node 0 has a place"),
            ({"translation": [1e10, 0, 0]}, "node 0 has a place"),
            ({"scale": [1, 2]}, "cannot be read"),
            ({"rotation": [0, 0, 0, 1e40]}, "node 0 has a place"),
        ],
    )
    def test_what_a_node_cannot_say(self, says: dict[str, object], words: str) -> None:
        document = tetrahedron_document()
        document.nodes[0] |= says
        with pytest.raises(LoadError, match=words):
            read(document)


class TestRefusals:
    @pytest.mark.parametrize(
        ("accessor", "says", "words"),
        [
            (0, {"count": 3}, "refers to vertex 3, but there are 3"),
            (0, {"count": 10**12}, "more than the"),
            (0, {"count": 900_000}, "beyond its buffer"),
            (0, {"count": -(10**12)}, "cannot be"),
            (0, {"type": "VEC2"}, "no positions"),
            (0, {"type": "SCALAR"}, "no positions"),
            (0, {"bufferView": None}, "plain accessors"),
            (0, {"sparse": {"count": 1}}, "plain accessors"),
            (1, {"count": 11}, "no whole number of triangles"),
            (1, {"count": 10**12}, "more than the"),
            (1, {"count": -3}, "no triangles"),
            (1, {"componentType": SHORT}, "no whole numbers"),
            (1, {"componentType": 5126}, "no whole numbers|beyond its buffer"),
            (1, {"normalized": True}, "no whole numbers"),
            (1, {"type": "VEC3", "count": 4}, "no whole numbers"),
            (1, {"byteOffset": 2}, "beyond its buffer"),
        ],
    )
    def test_accessors(self, accessor: int, says: dict[str, object], words: str) -> None:
        document = tetrahedron_document()
        document.accessors[accessor] |= says
        with pytest.raises(LoadError, match=words):
            read(document)

    @pytest.mark.parametrize("component", [UBYTE, USHORT, UINT])
    def test_an_index_out_of_range(self, component: int) -> None:
        document = Document()
        document.node(document.mesh(document.primitive(PLACES, [0, 1, 4], component)))
        with pytest.raises(LoadError, match="refers to vertex 4, but there are 4"):
            read(document)

    def test_an_accessor_that_is_not_there(self) -> None:
        document = tetrahedron_document()
        document.meshes[0]["primitives"][0]["indices"] = 8  # type: ignore[index]
        with pytest.raises(LoadError, match="accessor 8"):
            read(document)

    def test_packed_meshes(self) -> None:
        with pytest.raises(LoadError, match="packed with KHR_draco"):
            read(tetrahedron_document(extensionsRequired=["KHR_draco_mesh_compression"]))
        with pytest.raises(LoadError, match="packed with EXT_meshopt"):
            read(tetrahedron_document(extensionsRequired=["EXT_meshopt_compression"]))

    def test_no_positions_no_primitives_no_meshes(self) -> None:
        document = tetrahedron_document()
        document.meshes[0]["primitives"][0]["attributes"] = {"NORMAL": 0}  # type: ignore[index]
        for _ in range(2):
            with pytest.raises(LoadError, match="no triangles"):
                read(document)
            document.meshes[0]["primitives"] = []
        with pytest.raises(LoadError, match="no triangles"):
            read(Document())


def _crowd(nodes: int, triangles: int) -> Document:
    """One mesh in many places."""
    document = Document()
    mesh = document.mesh(document.primitive(PLACES, np.tile(FACES[:1], (triangles, 1))))
    for k in range(nodes):
        document.node(mesh, translation=[k, 0, 0])
    return document


def _repeated(primitives: int, triangles: int) -> Document:
    """One primitive listed many times."""
    document = Document()
    document.node(
        document.mesh(*[document.primitive(PLACES, np.tile(FACES[:1], (triangles, 1)))] * primitives)
    )
    return document


def _loose(vertices: int, nodes: int) -> Document:
    """Vertices of which hardly one is used, in many places."""
    document = Document()
    mesh = document.mesh(document.primitive(np.zeros((vertices, 3)), [0, 1, 2]))
    for _ in range(nodes):
        document.node(mesh)
    return document


def _chain(nodes: int) -> Document:
    document = tetrahedron_document()
    document.nodes[0]["scale"] = [2.0, 2.0, 2.0]
    for k in range(nodes):
        document.nodes[-1]["children"] = [k + 1]
        document.node(scale=[2.0, 2.0, 2.0])
    document.nodes[-1]["mesh"] = 0
    return document


class TestCost:
    @pytest.mark.parametrize(
        ("made", "sound"),
        [
            (lambda: _crowd(20_000, 1), True),
            (lambda: _crowd(20_000, 1000), False),
            (lambda: _crowd(10, 90_000), True),
            (lambda: _repeated(5000, 1), True),
            (lambda: _repeated(5000, 3000), False),
            (lambda: _chain(8000), False),
        ],
        ids=["crowd", "too large a crowd", "small crowd", "repeated", "repeated too often", "chain"],
    )
    def test_files_that_unfold(self, made: object, sound: bool) -> None:
        content = made().glb()  # type: ignore[operator]
        with within_time(), within_memory():
            try:
                found = read(content)
                MeshTerrain(found.vertices, found.triangles)
            except (LoadError, ValueError):
                assert not sound
            else:
                assert sound

    def test_vertices_count_too(self) -> None:
        with pytest.raises(LoadError, match="100 triangles of 5000000 vertices are more than"):
            read(_loose(50_000, 100))

    @pytest.mark.parametrize("accessor", ["places", "indices"])
    def test_a_negative_count_makes_no_room_for_others(self, accessor: str) -> None:
        document = _repeated(5000, 3000) if accessor == "indices" else _loose(50_000, 100)
        less = document.primitive(PLACES, FACES)
        index = less["indices"] if accessor == "indices" else less["attributes"]["POSITION"]
        document.accessors[index]["count"] = -(10**12)
        document.node(document.mesh(less))
        with pytest.raises(LoadError, match=r"15000000 triangles|5000000 vertices"):
            read(document)

    def test_what_lies_in_the_file_is_never_too_much(self) -> None:
        """Short strips of whole numbers are the densest there is: under six bytes a triangle."""
        assert gltf_mesh_read.BYTES_EACH < 6
        side = 250
        document = Document()
        for _ in range(12):
            x, z = np.meshgrid(np.arange(side), np.arange(side), indexing="ij")
            place = document.array(np.stack([x, 0 * x, z], -1).reshape(-1, 3), UBYTE)
            index = np.arange(side * side).reshape(side, side)
            strips = np.concatenate([np.stack([a, b], 1).reshape(-1) for a, b in pairwise(index)])
            indices = document.array(strips, USHORT)
            document.node(document.mesh({"attributes": {"POSITION": place}, "indices": indices, "mode": 5}))
        assert len(read(document).triangles) > gltf_mesh_read.ALLOWANCE


class TestAgainstTrimesh:
    @pytest.mark.parametrize("name", FIVE)
    def test_what_trimesh_writes(self, name: str) -> None:
        mesh = FIVE[name]()
        content = mesh.export(file_type="glb")
        ours = read(content)
        assert_same_triangles(ours, judged(content))
        np.testing.assert_array_equal(
            np.unique(ours.vertices, axis=0), np.unique(np.float32(mesh.vertices).astype(float), axis=0)
        )

    @pytest.mark.parametrize("name", FIVE)
    def test_what_we_write(self, name: str) -> None:
        mesh = FIVE[name]()
        content = write_gltf_mesh(Surface(np.array(mesh.vertices), np.array(mesh.faces)))
        single = trimesh.Trimesh(np.float32(mesh.vertices), mesh.faces, process=False)
        assert_same_triangles(read(content), single)
        assert_same_triangles(read(content), judged(content))


class TestWriting:
    def test_round_trip(self) -> None:
        terrain = patched(9)
        content = write_gltf_mesh(Surface(terrain.vertices, terrain.triangles, terrain.labels, terrain.kinds))
        found = read(content)
        np.testing.assert_array_equal(found.vertices, np.float32(terrain.vertices))
        order = np.argsort(terrain.kinds, kind="stable")
        np.testing.assert_array_equal(found.triangles, terrain.triangles[order])
        assert names(found) == [terrain.labels[k] for k in terrain.kinds[order]]  # type: ignore[index]

    def test_colours_and_names_of_the_materials(self) -> None:
        labels = ("Grass", "lava", "ice")
        terrain = MeshTerrain(PLACES, FACES, labels, np.array([2, 0, 1, 0]))
        document = PlainGltf(write_gltf_mesh(Surface(PLACES, FACES, terrain.labels, terrain.kinds))).document
        assert [m["name"] for m in document["materials"]] == list(labels)
        for material, colour in zip(
            document["materials"], (COLOURS["grass"], OTHER, COLOURS["ice"]), strict=True
        ):
            light = np.array(material["pbrMetallicRoughness"]["baseColorFactor"][:3])
            # the standard's other direction: from light to screen
            screen = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
            np.testing.assert_allclose(screen, colour, atol=1e-4)

    def test_labels_that_people_know_look_like_it(self) -> None:
        red, green, blue = colour_of("grass")
        assert green > max(red, blue)
        assert min(colour_of("snow")) > 0.9
        red, green, blue = colour_of("ice")
        assert blue > green > red > 0.6
        for grey in ("stairs", "stone", "ground", "lava"):
            assert max(colour_of(grey)) - min(colour_of(grey)) < 0.1
        assert all(0.0 <= c <= 1.0 for colour in COLOURS.values() for c in colour)

    @needs_validator
    def test_the_khronos_validator_says_nothing(self, tmp_path: Path) -> None:
        """No error, no warning, no remark, no hint."""
        for name, make in FIVE.items():
            mesh = make()
            save_terrain(MeshTerrain(mesh.vertices, mesh.faces), tmp_path / f"{name}.glb")
        save_terrain(patched(9), tmp_path / "labelled.glb")
        save_terrain(patched(260), tmp_path / "long indices.glb")
        odd = np.concatenate([PLACES, [[np.nan, np.inf, 1e300]]])
        save_terrain(MeshTerrain(odd, FACES), tmp_path / "unused.glb")
        one = MeshTerrain(PLACES, FACES[:1], ("a", "b", "a"), np.array([2]))
        save_terrain(one, tmp_path / "one triangle.glb")
        written = sorted(tmp_path.glob("*.glb"))
        assert len(written) == len(FIVE) + 4
        assert issues(*written) == [[]] * len(written)

    @pytest.mark.parametrize(("side", "component"), [(255, USHORT), (256, UINT)])
    def test_indices_are_as_short_as_can_be(self, side: int, component: int) -> None:
        terrain = patched(side)  # side^2 + 3 vertices: 65028 and 65539
        content = write_gltf_mesh(Surface(terrain.vertices, terrain.triangles))
        document = json.loads(content[20 : 20 + int.from_bytes(content[12:16], "little")])
        assert document["accessors"][1]["componentType"] == component
        np.testing.assert_array_equal(read(content).triangles, terrain.triangles)
