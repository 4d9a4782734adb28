"""Threads that are kept from call to call: to start some anew takes longer than a frame of a small crowd."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

Part = TypeVar("Part")


class KeptThreads:
    """So many threads, the caller's own among them; the others begin when they are first needed.

    They end with `close`, or when nobody holds this object any more. A copy, a pickle and a forked process
    have none of them, and begin their own.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0  # in which they were begun

    def __reduce__(self) -> tuple[type[KeptThreads], tuple[int]]:
        return type(self), (self.count,)

    def each(self, do: Callable[[Part], None], parts: Sequence[Part]) -> None:
        """Does something with all parts at once; comes back when all is done."""
        if self.count == 1 or len(parts) <= 1:
            for part in parts:
                do(part)
            return
        pool = self._ready()
        others = [pool.submit(do, part) for part in parts[1:]]
        try:
            do(parts[0])
        finally:
            wait(others)  # whatever happens, nobody writes any more once this call is over
        for other in others:
            other.result()

    def _ready(self) -> ThreadPoolExecutor:
        if self._pool is None or self._process != os.getpid():  # threads do not come along in a fork
            self._pool = ThreadPoolExecutor(self.count - 1, thread_name_prefix="footfall-crowd")
            self._process = os.getpid()
        return self._pool

    def close(self) -> None:
        """Ends them; who is needed again begins again."""
        if self._pool is not None and self._process == os.getpid():
            self._pool.shutdown()
        self._pool = None
