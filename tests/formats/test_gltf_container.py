"""glTF's shell: chunks, buffers and accessors, whole ones and those that promise what is not there."""

from __future__ import annotations

import base64
import json
import struct
import time
from collections.abc import Callable

import numpy as np
import pytest

from footfall.errors import LoadError
from footfall.formats.gltf_container import Gltf, open_gltf, pack_glb
from tests.formats.rigs import BYTE, SHORT, Rig, glb


def nowhere(uri: str) -> bytes:
    raise AssertionError(f"{uri} was not to be fetched")


def opened(rig: Rig) -> Gltf:
    return open_gltf(rig.glb(), nowhere)


def refused(content: bytes, words: str, fetch: Callable[[str], bytes] = nowhere) -> None:
    with pytest.raises(LoadError, match=words):
        open_gltf(content, fetch)


class TestChunks:
    def test_what_is_packed_comes_out(self) -> None:
        document = {"asset": {"version": "2.0"}, "nodes": [{"name": "ä"}], "buffers": [{"byteLength": 3}]}
        packed = pack_glb(document, b"abc")
        assert len(packed) % 4 == 0
        assert struct.unpack_from("<I", packed, 8)[0] == len(packed)
        gltf = open_gltf(packed, nowhere)
        assert gltf.document.nodes[0].name == "ä"
        assert gltf.buffers[0][:3] == b"abc"

    def test_every_cut_of_a_glb_is_refused(self) -> None:
        rig = Rig()
        rig.node("a")
        rig.array(np.zeros((2, 3)))
        whole = rig.glb()
        for length in range(4, len(whole)):
            refused(whole[:length], "GLB|glTF")

    @pytest.mark.parametrize("version", [0, 1, 3, 2**32 - 1])
    def test_other_versions_are_refused(self, version: int) -> None:
        refused(glb(b"{}", b"", version=version), f"version 2, found {version}")

    def test_a_chunk_beyond_the_end(self) -> None:
        content = bytearray(glb(b'{"asset":{}}', b"1234"))
        struct.pack_into("<I", content, 12, 2**32 - 1)
        refused(bytes(content), "beyond its end")

    def test_no_json(self) -> None:
        content = bytearray(glb(b'{"asset":{}}', b"1234"))
        content[16:20] = b"XXXX"
        refused(bytes(content), "no JSON")

    def test_an_unknown_chunk_is_passed_over(self) -> None:
        content = glb(b'{"asset":{"version":"2.0"}}', b"1234") + struct.pack("<I4s", 4, b"WHAT") + b"5678"
        content = content[:8] + struct.pack("<I", len(content)) + content[12:]
        assert open_gltf(content, nowhere).document.asset["version"] == "2.0"

    @pytest.mark.parametrize(
        "text",
        [
            b"",
            b"{",
            b"[]",
            b"{}",
            b'{"asset":1}',
            b'{"asset":{},"nodes":{}}',
            b'{"asset":{},"nodes":[{"children":[1.5]}]}',
            b'{"asset":{},"nodes":[{"translation":[1,2]}]}',
            b'{"asset":{},"nodes":[{"translation":[1,2,1e999]}]}',
            b'{"asset":{},"nodes":[{"translation":[1,2,NaN]}]}',
            b'{"asset":{},"nodes":[{"name":"\xff"}]}',
            b'{"asset":{},"nodes":[{"name":"\\ud800"}]}',
            b'{"asset":{},"accessors":[{"componentType":5126,"count":' + b"9" * 5000 + b',"type":"VEC3"}]}',
        ],
    )
    def test_documents_that_are_none(self, text: bytes) -> None:
        refused(glb(text, b""), "cannot be read")
        refused(text, "cannot be read")

    @pytest.mark.parametrize("opening", [b"[", b'{"a":', b'{"nodes":[{"children":', b'{"skins":[{"extras":'])
    @pytest.mark.parametrize("place", ["asset", "other"])
    def test_deep_nesting(self, opening: bytes, place: str) -> None:
        """A million open brackets end neither the process nor anyone's patience."""
        deep = b'{"asset":{},"other":' if place == "other" else b'{"asset":'
        started = time.perf_counter()
        refused(glb(deep + opening * 200_000, b""), "cannot be read")
        assert time.perf_counter() - started < 2.0

    def test_deep_nesting_that_is_closed(self) -> None:
        depth = 100_000
        refused(glb(b'{"asset":{"x":' + b"[" * depth + b"]" * depth + b"}}", b""), "cannot be read")


class TestBuffers:
    def document(self, **buffer: object) -> bytes:
        return json.dumps({"asset": {"version": "2.0"}, "buffers": [buffer]}).encode()

    def test_base64_within(self) -> None:
        uri = "data:application/octet-stream;base64," + base64.b64encode(b"hello").decode()
        assert open_gltf(self.document(byteLength=5, uri=uri), nowhere).buffers == [b"hello"]

    @pytest.mark.parametrize("uri", ["data:;base64,!!!", "data:;base64,YWI", "data:x,ä"])
    def test_base64_that_is_none(self, uri: str) -> None:
        refused(self.document(byteLength=1, uri=uri), "no base64")

    def test_a_file_beside(self) -> None:
        gltf = open_gltf(self.document(byteLength=4, uri="x.bin"), lambda uri: uri.encode())
        assert gltf.buffers == [b"x.bin"]

    def test_fewer_bytes_than_announced(self) -> None:
        refused(self.document(byteLength=6, uri="x.bin"), "announces 6 bytes and holds 5", str.encode)
        refused(self.document(byteLength=-1, uri="x.bin"), "announces -1", str.encode)

    def test_no_bytes(self) -> None:
        refused(self.document(byteLength=1), "no bytes")
        second = {"asset": {}, "buffers": [{"byteLength": 1}, {"byteLength": 1}]}
        refused(glb(json.dumps(second).encode(), b"abcd"), "buffer 1 has no bytes")

    def test_packed_buffers_are_named(self) -> None:
        document = {"asset": {}, "extensionsRequired": ["KHR_x", "EXT_meshopt_compression"]}
        refused(json.dumps(document).encode(), "packed with EXT_meshopt_compression")

    def test_a_file_named_many_times_is_read_once(self) -> None:
        calls: list[str] = []

        def fetch(uri: str) -> bytes:
            calls.append(uri)
            return bytes(1000)

        document = {"asset": {}, "buffers": [{"byteLength": 1, "uri": "x"}] * 500}
        gltf = open_gltf(json.dumps(document).encode(), fetch)
        assert calls == ["x"]
        assert gltf.size == 1000

    def test_too_many_bytes_in_all(self) -> None:
        large = bytes(100 << 20)
        document = {"asset": {}, "buffers": [{"byteLength": 1, "uri": f"{i}"} for i in range(20)]}
        refused(json.dumps(document).encode(), "more than the", lambda uri: large)


class TestAccessors:
    def test_floats(self) -> None:
        rig = Rig()
        values = np.random.default_rng(0).normal(size=(7, 3))
        index = rig.array(values)
        np.testing.assert_array_equal(opened(rig).array(index), values.astype(np.float32))

    def test_normalized_integers_follow_the_specification(self) -> None:
        """f = max(c / 32767, -1) for shorts and max(c / 127, -1) for bytes."""
        rig = Rig()
        shorts, bytes_ = np.array([[-32768, -32767, 0, 32767]]).T, np.array([[-128, -127, 0, 127]]).T
        a = rig.array(shorts, SHORT, normalized=True)
        b = rig.array(bytes_, BYTE, normalized=True)
        c = rig.array(shorts, SHORT)
        gltf = opened(rig)
        np.testing.assert_array_equal(gltf.array(a)[:, 0], [-1, -1, 0, 1])
        np.testing.assert_array_equal(gltf.array(b)[:, 0], [-1, -1, 0, 1])
        np.testing.assert_array_equal(gltf.array(c), shorts)

    def test_strides_and_offsets(self) -> None:
        """Two arrays woven into one view."""
        rig = Rig()
        woven = np.arange(40, dtype=float).reshape(5, 8)
        index = rig.array(woven.reshape(-1, 4), type="VEC3", count=5, byteOffset=16)
        rig.views[-1]["byteStride"] = 32
        np.testing.assert_array_equal(opened(rig).array(index), woven[:, 4:7])

    @pytest.mark.parametrize(
        ("says", "words"),
        [
            ({"count": 3}, "beyond its buffer"),
            ({"count": 10**15}, "beyond its buffer"),
            ({"count": 2**63}, "beyond its buffer"),
            ({"count": 10**30}, "beyond its buffer"),
            ({"count": 0}, "cannot be"),
            ({"count": -1}, "cannot be"),
            ({"byteOffset": 4}, "beyond its buffer"),
            ({"byteOffset": -4}, "cannot be"),
            ({"byteOffset": 2**62}, "beyond its buffer"),
            ({"bufferView": 9}, "bufferView 9"),
            ({"bufferView": -1}, "bufferView -1"),
            ({"componentType": 1}, "unknown type"),
            ({"type": "VEC9"}, "unknown type"),
            ({"sparse": {"count": 1}}, "plain accessors"),
            ({"bufferView": None}, "plain accessors"),
        ],
    )
    def test_what_an_accessor_cannot_say(self, says: dict[str, object], words: str) -> None:
        rig = Rig()
        index = rig.array(np.zeros((2, 3)), **says)
        gltf = opened(rig)
        with pytest.raises(LoadError, match=words):
            gltf.array(index)

    @pytest.mark.parametrize(
        ("says", "words"),
        [
            ({"byteLength": 23}, "beyond its buffer"),
            ({"byteLength": -1}, "beyond its buffer"),
            ({"byteOffset": 4}, "beyond its buffer"),
            ({"byteOffset": -4}, "cannot be"),
            ({"byteOffset": 10**20}, "beyond its buffer"),
            ({"byteStride": 4}, "cannot be"),
            ({"byteStride": -12}, "cannot be"),
            ({"byteStride": 16}, "beyond its buffer"),
            ({"byteStride": 2**63}, "beyond its buffer"),
            ({"buffer": 1}, "buffer 1"),
        ],
    )
    def test_what_a_view_cannot_say(self, says: dict[str, int], words: str) -> None:
        rig = Rig()
        index = rig.array(np.zeros((2, 3)))
        rig.views[-1].update(says)
        gltf = opened(rig)
        with pytest.raises(LoadError, match=words):
            gltf.array(index)

    @pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
    def test_no_finite_number(self, value: float) -> None:
        rig = Rig()
        index = rig.array(np.array([[0.0, value, 0.0]]))
        with pytest.raises(LoadError, match="finite"):
            opened(rig).array(index)

    @pytest.mark.parametrize("index", [1, -1, 10**20])
    def test_an_accessor_that_is_not_there(self, index: int) -> None:
        rig = Rig()
        rig.array(np.zeros((2, 3)))
        with pytest.raises(LoadError, match=f"accessor {index}"):
            opened(rig).array(index)
