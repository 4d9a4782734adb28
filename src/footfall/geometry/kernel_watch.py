"""Who is told when a kernel is compiled: a progress line, or a test that counts. Needs no numba."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

Watcher = Callable[[str, float | None], None]  # a kernel's name; seconds, or None where its compiling begins

_WATCHERS: list[Watcher] = []


@contextlib.contextmanager
def watched(watcher: Watcher, *, alone: bool = False) -> Iterator[None]:
    """Call `watcher` before and after each compilation; nothing is said of kernels that are only loaded.

    Args:
        watcher: gets a kernel's name, and None before or the seconds after its compilation. Seconds do not
            include the kernels that were compiled on the way.
        alone: no other watcher is called meanwhile.
    """
    others = _WATCHERS[:] if alone else []
    for one in others:
        _WATCHERS.remove(one)
    _WATCHERS.append(watcher)
    try:
        yield
    finally:
        _WATCHERS.remove(watcher)
        _WATCHERS[:0] = others


def tell(name: str, seconds: float | None) -> None:
    """Tell all watchers of a compilation that begins (None) or has ended."""
    for watcher in _WATCHERS:
        watcher(name, seconds)
