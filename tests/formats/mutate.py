"""Damage done to files on purpose, from a seeded generator: by accident, by careless exporters, by malice.

Containers (GLB, safetensors, npz) are damaged in two ways: as bytes, so that the shell breaks, and inside a
shell that stays sound, so that what lies behind it is reached.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
from collections.abc import Callable

import numpy as np

Rng = np.random.Generator
Mutation = Callable[[bytes, Rng], bytes]

NUMBER = re.compile(rb"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")
COUNT = re.compile(rb"\b\d+\b")
WORD = re.compile(rb"[A-Za-z_]{2,}|[-+.\w]+")
ODD_NUMBERS = (
    b"0 -0 -1 1 2 0.5 255 256 65536 1000000 2147483647 2147483648 4294967296 1000000000 999999999999 "
    b"9223372036854775808 99999999999999999999999 1e-320 1e-9 1e7 1e9 1e22 1e155 1e300 1e308 -1e308 1e400 "
    b'nan NaN inf -Infinity 1_0 0x10 1,5 1.2.3 1e 1e+ . - + \xd9\xa3 null true [] {} ""'
).split(b" ")
HUGE_COUNTS = (b"1000000000", b"999999999999", b"2147483647", b"4294967295", b"100000", b"4097", b"0", b"-1")
BRACKETS = b"{}[]()"
LONGEST_NEST = 100_000


def _span(content: bytes, rng: Rng, longest: int = 200) -> tuple[int, int]:
    """Start and end of a piece, short ones being likelier."""
    start = int(rng.integers(0, len(content) + 1))
    return start, min(start + int(longest ** rng.random()), len(content))


def flip_bytes(content: bytes, rng: Rng) -> bytes:
    out = bytearray(content)
    for at in rng.integers(0, max(len(out), 1), rng.integers(1, 8)) if out else ():
        out[at] ^= 1 << int(rng.integers(0, 8))
    return bytes(out)


def random_bytes(content: bytes, rng: Rng) -> bytes:
    start, end = _span(content, rng, 16)
    return content[:start] + rng.bytes(end - start) + content[end:]


def extreme_bytes(content: bytes, rng: Rng) -> bytes:
    """Eight bytes that read as huge, as negative, as NaN or as infinite, whatever type they are read as."""
    patterns = (b"\xff" * 8, b"\x00" * 8, b"\x7f" * 8, b"\x80" * 8, struct.pack("<d", np.nan))
    patterns += (struct.pack("<d", 1e308), struct.pack("<ff", np.inf, 3e38), struct.pack("<Q", 1 << 40))
    patterns += (b"\x01\x00\x80\x7f" * 2,)  # NaN of the signalling kind, in single precision
    start = int(rng.integers(0, len(content) + 1)) // 4 * 4
    return content[:start] + patterns[rng.integers(len(patterns))] + content[start + 8 :]


def delete(content: bytes, rng: Rng) -> bytes:
    start, end = _span(content, rng)
    return content[:start] + content[end:]


def insert(content: bytes, rng: Rng) -> bytes:
    start, end = _span(content, rng, 40)
    return content[:start] + rng.bytes(end - start) + content[start:]


def duplicate(content: bytes, rng: Rng) -> bytes:
    """A piece again, right behind itself or elsewhere."""
    start, end = _span(content, rng, 2000)
    at = end if rng.random() < 0.5 else int(rng.integers(0, len(content) + 1))
    return content[:at] + content[start:end] + content[at:]


def truncate(content: bytes, rng: Rng) -> bytes:
    return content[: int(rng.integers(0, len(content) + 1))]


def change_lines(content: bytes, rng: Rng) -> bytes:
    """A line deleted, doubled or put elsewhere."""
    lines = content.split(b"\n")
    line = lines[at := int(rng.integers(len(lines)))]
    kind = rng.integers(3)
    if kind != 1:
        del lines[at]
    if kind:
        lines.insert(int(rng.integers(len(lines) + 1)), line)
    return b"\n".join(lines)


def _replace_match(content: bytes, rng: Rng, pattern: re.Pattern[bytes], by: bytes) -> bytes:
    found = list(pattern.finditer(content, *_window(content, rng)))
    if not found:
        return content
    chosen = found[rng.integers(len(found))]
    return content[: chosen.start()] + by + content[chosen.end() :]


def _window(content: bytes, rng: Rng) -> tuple[int, int]:
    """Half of the time the head, where the counts and names are, else any part."""
    start = 0 if rng.random() < 0.5 else int(rng.integers(0, len(content) + 1))
    return start, start + 3000


def replace_number(content: bytes, rng: Rng) -> bytes:
    return _replace_match(content, rng, NUMBER, ODD_NUMBERS[rng.integers(len(ODD_NUMBERS))])


def inflate_count(content: bytes, rng: Rng) -> bytes:
    return _replace_match(content, rng, COUNT, HUGE_COUNTS[rng.integers(len(HUGE_COUNTS))])


def swap_words(content: bytes, rng: Rng) -> bytes:
    found = list(WORD.finditer(content, *_window(content, rng)))
    if len(found) < 2:
        return content
    first, second = (found[i] for i in sorted(rng.choice(len(found), 2, replace=False)))
    between = content[first.end() : second.start()]
    return content[: first.start()] + second[0] + between + first[0] + content[second.end() :]


def damage_bracket(content: bytes, rng: Rng) -> bytes:
    """A bracket removed, doubled or turned."""
    by = (b"", b"{{", b"}}", b"{", b"}", b"[", b"]")[rng.integers(7)]
    return _replace_match(content, rng, re.compile(rb"[{}\[\]]"), by)


def nest(content: bytes, rng: Rng) -> bytes:
    """A bomb for whoever recurses: brackets, objects or joints thousands deep."""
    opening = (b"[", b"{", b'{"a":', b"(", b"JOINT a\n{\n", b"joint a { ", b"OFFSET 0 0 0 {")[rng.integers(7)]
    at = int(rng.integers(0, len(content) + 1))
    return content[:at] + opening * int(LONGEST_NEST ** rng.random()) + content[at:]


BYTES: tuple[Mutation, ...] = (
    flip_bytes,
    random_bytes,
    extreme_bytes,
    delete,
    insert,
    duplicate,
    truncate,
)
TEXT: tuple[Mutation, ...] = (
    *BYTES,
    change_lines,
    change_lines,
    replace_number,
    replace_number,
    replace_number,
    inflate_count,
    swap_words,
    swap_words,
    damage_bracket,
    nest,
)


def mutate(content: bytes, rng: Rng) -> bytes:
    """One to three kinds of damage, suited to what the content is."""
    for _ in range(rng.choice([1, 2, 3], p=[0.6, 0.25, 0.15])):
        content = _mutate_once(content, rng)
    return content


def _mutate_once(content: bytes, rng: Rng) -> bytes:
    if rng.random() < 0.7:
        if content.startswith(b"glTF"):
            return _inside_glb(content, rng)
        if content.startswith(b"PK"):
            return _inside_npz(content, rng)
        if content[8:9] == b"{":
            return _inside_safetensors(content, rng)
    kinds = TEXT if _is_text(content) else BYTES
    return kinds[rng.integers(len(kinds))](content, rng)


def _is_text(content: bytes) -> bool:
    return b"\0" not in content[:200]


def _text_or_bytes(content: bytes, rng: Rng, text: bool) -> bytes:
    kinds = TEXT if text else BYTES
    return kinds[rng.integers(len(kinds))](content, rng)


def _inside_glb(content: bytes, rng: Rng) -> bytes:
    """The JSON or the binary chunk damaged, all lengths made right again."""
    if len(content) < 28:
        return content
    length = struct.unpack_from("<I", content, 12)[0]
    text, binary = content[20 : 20 + length], content[28 + length :]
    if rng.random() < 0.8:
        text = _text_or_bytes(text, rng, text=True)
    else:
        binary = _text_or_bytes(binary, rng, text=False)
    chunks = (
        struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
    )
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def _inside_safetensors(content: bytes, rng: Rng) -> bytes:
    """The header damaged and its length made right again, or the arrays behind it."""
    length = int.from_bytes(content[:8], "little")
    header, arrays = content[8 : 8 + length], content[8 + length :]
    if rng.random() < 0.8:
        header = _text_or_bytes(header, rng, text=True)
    else:
        arrays = _text_or_bytes(arrays, rng, text=False)
    return len(header).to_bytes(8, "little") + header + arrays


def _inside_npz(content: bytes, rng: Rng) -> bytes:
    """One array of an archive damaged (its header more often than not), packed again with right sums."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
    except Exception:  # damaged before: nothing left to take apart
        return content
    name = list(members)[rng.integers(len(members))]
    array = members[name]
    split = min(128, len(array))
    if rng.random() < 0.6:
        members[name] = _text_or_bytes(array[:split], rng, text=True) + array[split:]
    else:
        members[name] = array[:split] + _text_or_bytes(array[split:], rng, text=False)
    out = io.BytesIO()
    with zipfile.ZipFile(
        out, "w", zipfile.ZIP_DEFLATED if rng.random() < 0.5 else zipfile.ZIP_STORED
    ) as archive:
        for name, array in members.items():
            archive.writestr(name, array)
    return out.getvalue()
