"""Kernels made again where what they were compiled from has changed.

A compiled kernel is kept as long as its own file stays as it is. But others' functions and constants are in
it as well: who changes one of those would go on with the old one, and not be told.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Protocol
from zlib import crc32

IMPORTS = re.compile(rb"^from (footfall\.\S+) import", re.MULTILINE)


class Kernel(Protocol):
    def recompile(self) -> None: ...


def source_number(module: str) -> int:
    """Tells the texts apart that a kernel's module is compiled from: its own and all that kernels import."""
    texts: dict[str, bytes] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in texts:
            file = sys.modules[name].__file__
            texts[name] = Path(file).read_bytes() if file is not None and Path(file).is_file() else b""
            if name.endswith("_kernel"):
                waiting += [found.decode() for found in IMPORTS.findall(texts[name])]
    return crc32(b"\n".join(texts[name] for name in sorted(texts)))


def renew(kernels: tuple[Kernel, ...], compiled: int, now: int) -> None:
    """Compiles kernels again if they were `compiled` from other texts than those of `now`."""
    if compiled != now:
        for kernel in kernels:
            kernel.recompile()
