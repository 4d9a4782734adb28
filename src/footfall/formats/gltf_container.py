"""glTF's outer shell: GLB chunks, the JSON document as typed values, and accessors as arrays.

Everything in the document is checked against what is really there before an array is made.
"""

from __future__ import annotations

import base64
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

import msgspec
import numpy as np
from jaxtyping import Float, Int

from footfall.errors import LoadError

MAGIC = b"glTF"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
PACKINGS = {"EXT_meshopt_compression", "KHR_meshopt_compression"}  # those that may pack animations
MOST_BYTES = 1 << 30  # of all buffers together
JSON_CHUNK, BIN_CHUNK = 0x4E4F534A, 0x004E4942
FLOAT = 5126
COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", FLOAT: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}

Vec3 = tuple[float, float, float]
Vec4 = tuple[float, float, float, float]


class Node(msgspec.Struct):
    name: str = ""
    children: list[int] = []
    translation: Vec3 | None = None
    rotation: Vec4 | None = None  # x, y, z, w
    scale: Vec3 | None = None
    matrix: list[float] | None = None
    mesh: int | None = None


class Skin(msgspec.Struct):
    joints: list[int]
    extras: msgspec.Raw = msgspec.Raw(b"null")


class Target(msgspec.Struct):
    path: str
    node: int | None = None


class Channel(msgspec.Struct):
    sampler: int
    target: Target


class Sampler(msgspec.Struct):
    input: int
    output: int
    interpolation: str = "LINEAR"


class Animation(msgspec.Struct):
    channels: list[Channel]
    samplers: list[Sampler]
    name: str = ""


class Primitive(msgspec.Struct):
    attributes: dict[str, int] = {}
    indices: int | None = None
    material: int | None = None
    mode: int = 4  # triangles


class Mesh(msgspec.Struct):
    primitives: list[Primitive] = []


class Material(msgspec.Struct):
    name: str = ""


class Scene(msgspec.Struct):
    nodes: list[int] = []


class Accessor(msgspec.Struct, rename="camel"):
    component_type: int
    count: int
    type: str
    buffer_view: int | None = None
    byte_offset: int = 0
    normalized: bool = False
    sparse: dict[str, object] | None = None


class BufferView(msgspec.Struct, rename="camel"):
    buffer: int
    byte_length: int
    byte_offset: int = 0
    byte_stride: int | None = None


class Buffer(msgspec.Struct, rename="camel"):
    byte_length: int
    uri: str | None = None


class Document(msgspec.Struct, rename="camel"):
    asset: dict[str, object]
    nodes: list[Node] = []
    skins: list[Skin] = []
    animations: list[Animation] = []
    meshes: list[Mesh] = []
    materials: list[Material] = []
    scenes: list[Scene] = []
    scene: int = 0  # the one to show
    accessors: list[Accessor] = []
    buffer_views: list[BufferView] = []
    buffers: list[Buffer] = []
    extensions_required: list[str] = []


@dataclass(frozen=True)
class Gltf:
    """A document with its bytes."""

    document: Document
    buffers: list[bytes]

    @property
    def size(self) -> int:
        """Bytes of all buffers, each counted once however often it is named."""
        return sum({id(content): len(content) for content in self.buffers}.values())

    def accessor(self, index: int) -> Accessor:
        return item(self.document.accessors, index, "accessor")

    def array(self, index: int) -> Float[np.ndarray, "count width"]:
        """An accessor's values as floats, (count, width)."""
        raw = self._stored(index)
        with np.errstate(invalid="ignore"):  # a signalling NaN; refused below
            values = raw.astype(float)
        if self.accessor(index).normalized and raw.dtype.kind in "iu":
            values = np.maximum(values / np.iinfo(raw.dtype).max, -1.0)
        if not np.isfinite(values).all():
            raise LoadError(f"accessor {index} holds values that are no finite numbers")
        return values

    def whole_numbers(self, index: int) -> Int[np.ndarray, "count"]:
        """The values of an accessor that counts something: single, whole and not negative."""
        accessor, raw = self.accessor(index), self._stored(index)
        if raw.dtype.kind != "u" or accessor.type != "SCALAR" or accessor.normalized:
            raise LoadError(f"accessor {index} holds no whole numbers")
        return raw[:, 0].astype(np.int64)

    def _stored(self, index: int) -> np.ndarray:
        """An accessor's values as they lie in the file, (count, width)."""
        accessor = self.accessor(index)
        if accessor.component_type not in COMPONENTS or accessor.type not in WIDTHS:
            raise LoadError(
                f"accessor {index} has an unknown type ({accessor.component_type}, {accessor.type})"
            )
        if accessor.sparse is not None or accessor.buffer_view is None:
            raise LoadError(f"accessor {index} is sparse or empty; only plain accessors are read")
        kind = np.dtype(COMPONENTS[accessor.component_type])
        width = WIDTHS[accessor.type]
        view = item(self.document.buffer_views, accessor.buffer_view, "bufferView")
        content = item(self.buffers, view.buffer, "buffer")
        stride = view.byte_stride or kind.itemsize * width
        start = view.byte_offset + accessor.byte_offset
        needed = (accessor.count - 1) * stride + kind.itemsize * width
        inside = min(view.byte_offset + view.byte_length, len(content))
        if (
            accessor.count < 1
            or min(start, accessor.byte_offset, view.byte_offset) < 0
            or stride < kind.itemsize * width
        ):
            raise LoadError(f"accessor {index} has a count, offset or stride that cannot be")
        if start + needed > inside:
            raise LoadError(f"accessor {index} reaches beyond its buffer")
        return np.ndarray((accessor.count, width), kind, content, start, (stride, kind.itemsize))


Item = TypeVar("Item")


def item(items: Sequence[Item], index: int, what: str) -> Item:
    if not 0 <= index < len(items):
        raise LoadError(f"{what} {index} is referred to, but there are {len(items)}")
    return items[index]


def open_gltf(content: bytes, fetch: Callable[[str], bytes]) -> Gltf:
    """A GLB or a glTF document; `fetch` reads a buffer that lies in a file of its own."""
    embedded: bytes | None = None
    if content.startswith(MAGIC):
        text, embedded = _chunks(content)
    else:
        text = content.removeprefix(BYTE_ORDER_MARK)
    try:
        document = msgspec.json.decode(text, type=Document)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise LoadError(f"the glTF document cannot be read ({error})") from None
    for packing in PACKINGS & set(document.extensions_required):
        raise LoadError(f"the file is packed with {packing}, which footfall does not read: save it unpacked")
    once = cache(fetch)  # a document may name one file many times
    buffers: list[bytes] = []
    room = MOST_BYTES
    for i, buffer in enumerate(document.buffers):
        buffers.append(_buffer(buffer, i, embedded, once))
        room -= len(buffers[-1])
        if room < 0:
            raise LoadError(f"the buffers hold more than the {MOST_BYTES} bytes that footfall reads")
    return Gltf(document, buffers)


def _chunks(content: bytes) -> tuple[bytes, bytes | None]:
    if len(content) < 20:
        raise LoadError("a GLB needs a header and a JSON chunk; the file ends before them")
    version, total = struct.unpack_from("<II", content, 4)
    if version != 2:
        raise LoadError(f"expected GLB version 2, found {version}")
    if total > len(content):
        raise LoadError(f"the GLB announces {total} bytes and holds {len(content)}")
    found: dict[int, bytes] = {}
    at = 12
    while at + 8 <= total:
        length, kind = struct.unpack_from("<II", content, at)
        if at + 8 + length > total:
            raise LoadError("a chunk of the GLB reaches beyond its end")
        found.setdefault(kind, content[at + 8 : at + 8 + length])
        at += 8 + length
    if JSON_CHUNK not in found:
        raise LoadError("the GLB has no JSON chunk")
    return found[JSON_CHUNK], found.get(BIN_CHUNK)


def _buffer(buffer: Buffer, index: int, embedded: bytes | None, fetch: Callable[[str], bytes]) -> bytes:
    if buffer.uri is None:
        if index or embedded is None:
            raise LoadError(f"buffer {index} has no bytes")
        content = embedded
    elif buffer.uri.startswith("data:"):
        try:
            content = base64.b64decode(buffer.uri.partition(",")[2], validate=True)
        except ValueError:
            raise LoadError(f"buffer {index} is no base64") from None
    else:
        content = fetch(buffer.uri)
    if buffer.byte_length < 0 or len(content) < buffer.byte_length:
        raise LoadError(f"buffer {index} announces {buffer.byte_length} bytes and holds {len(content)}")
    return content


def pack_glb(document: dict[str, object], binary: bytes) -> bytes:
    """A GLB file from a document and its one buffer."""
    return b"".join(glb_blocks(document, len(binary), [binary]))


def glb_blocks(document: dict[str, object], size: int, binary: Iterable[bytes]) -> Iterator[bytes]:
    """The same, with a buffer of so many bytes in pieces."""
    text = msgspec.json.encode(document)
    text += b" " * (-len(text) % 4)
    padding = -size % 4
    total = 12 + 8 + len(text) + 8 + size + padding
    yield MAGIC + struct.pack("<II", 2, total) + struct.pack("<II", len(text), JSON_CHUNK) + text
    yield struct.pack("<II", size + padding, BIN_CHUNK)
    yield from binary
    yield b"\0" * padding
