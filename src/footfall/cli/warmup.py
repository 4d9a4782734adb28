"""`footfall warmup`: compiles every kernel, or empties the cache; other commands print its line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from threading import Timer
from time import perf_counter
from typing import Annotated

from cyclopts import Parameter

from footfall.cache import cache_folder, clear_cache, remove_unused
from footfall.cli.checked import between, whole
from footfall.cli.output import emit, remark
from footfall.cli.progress import progress_bar
from footfall.errors import RequestError, SaveError
from footfall.geometry.kernel_watch import watched

MOMENT = 1.0  # s of compiling after which it is said
MOST_JOBS = 64
COMPILING = "compiling kernels"


def warmup(
    *,
    jobs: Annotated[
        int | None, Parameter(converter=whole, help="Processes that compile; one per core by default.")
    ] = None,
    clear: Annotated[
        bool, Parameter(negative="", help="Empty the cache instead, default models included.")
    ] = False,
    json: Annotated[bool, Parameter(negative="", help="One JSON object.")] = False,
) -> int:
    """Compiles every kernel and keeps it, so that no later command has to.

    Example: footfall warmup --jobs 2

    The kernels are kept in the user's cache folder; the environment variable FOOTFALL_CACHE names another.
    Files of kernels that no longer exist, and files that were not used for 30 days, are removed. With --clear
    nothing is compiled: all that footfall keeps in that folder is removed.
    """
    count = between("--jobs", jobs, 1, MOST_JOBS) or cores()
    if clear:
        if jobs is not None:
            raise RequestError("--clear compiles nothing: leave out --jobs")
        return _clear(json)
    from footfall.geometry.kernel_cache import kernel_folder, remove_foreign

    began = perf_counter()
    with _shown() as progress:
        compiled, kept, names = _compile_all(int(count), progress)
    seconds = perf_counter() - began
    outdated = remove_foreign(names) + remove_unused()
    if not kept:
        remark("no cache folder can be written: kernels are compiled in each process (set FOOTFALL_CACHE)")
    values: dict[str, object] = {"kernels": compiled, "seconds": round(seconds, 3), "outdated": outdated}
    where = f", kept in {kernel_folder()}" if kept else ""
    removed = f"; {outdated} outdated files removed" if outdated else ""
    emit(
        values, json=json, text=lambda: [f"{_counted(compiled)} compiled in {seconds:.1f} s{where}{removed}"]
    )
    return 0


def _clear(json: bool) -> int:
    """Empty the cache folder, and say what was removed."""
    counts, size, left = clear_cache()
    folder = cache_folder()
    named = [f"{count} {kind if count > 1 else kind[:-1]}" for kind, count in counts.items() if count]
    removed = f"removed {', '.join(named) or 'nothing'} ({size / 1e6:.1f} MB)"
    if left:
        raise SaveError(f"{folder}: {left} files cannot be removed; {removed}")
    values: dict[str, object] = {"removed": counts, "bytes": size, "folder": str(folder or "")}
    emit(values, json=json, text=lambda: [f"{removed} from {folder or 'no folder: there is none'}"])
    return 0


def cores() -> int:
    """Return how many cores this process may use."""
    try:
        return min(len(os.sched_getaffinity(0)), MOST_JOBS)
    except AttributeError:  # not on every system
        return min(os.cpu_count() or 1, MOST_JOBS)


def _counted(kernels: int) -> str:
    return f"{kernels} kernel{'s' if kernels != 1 else ''}"


def _compile_all(jobs: int, progress: Callable[[str, float], None]) -> tuple[int, bool, set[str]]:
    """Compile all entry points in some processes.

    Returns:
        How many kernels were compiled, not only loaded; whether all of them are in the cache folder; and how
        the names of all kernels' files begin.
    """
    from footfall.geometry.kernel_cache import kernel_folder, kernel_modules

    modules = _packages_apart(kernel_modules(), jobs)
    compiled, kept, names = 0, kernel_folder() is not None, dict[str, list[str]]()
    for module, (count, written, of_module) in _compiled(jobs, modules):
        compiled, kept = compiled + count, kept and written
        names[module] = of_module
        progress(f"{COMPILING}: {module}", len(names) / len(modules))
    return compiled, kept, set[str]().union(*names.values())


def _packages_apart(modules: Sequence[str], jobs: int) -> list[str]:
    """Order modules so that processes work on different packages at a time.

    Modules of one package call the same small kernels; two processes would compile these twice.
    """
    share = -(-len(modules) // jobs)
    return [module for first in range(share) for module in modules[first::share]]


def _compiled(jobs: int, modules: Sequence[str]) -> Iterator[tuple[str, tuple[int, bool, list[str]]]]:
    """Modules and what `compile_module` returns; some twice where other processes cannot be had after all."""
    if jobs > 1:
        from multiprocessing import get_context

        try:
            with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
                yield from zip(modules, pool.map(compile_module, modules), strict=True)
            return
        except (OSError, RuntimeError):  # no processes can be had here; what they compiled is loaded below
            pass
    yield from zip(modules, map(compile_module, modules), strict=True)


def compile_module(module: str) -> tuple[int, bool, list[str]]:
    """Compile or load the entry points of a module; see `_compile_all`."""
    from footfall.geometry.kernel_cache import kernels_kept, kernels_of

    count, kernels = 0, kernels_of(module)

    def counting(_: str, seconds: float | None) -> None:
        nonlocal count
        count += seconds is not None

    with watched(counting, alone=True):  # the progress line says what is compiled, and the last line how much
        for one in kernels:
            one.ready()
    return count, kernels_kept(), [one.file_name for one in kernels]


@contextmanager
def _shown() -> Iterator[Callable[[str, float], None]]:
    """A bar on a terminal, else a line for each tenth of the work."""
    tenths = 0

    def line(_: str, share: float) -> None:
        nonlocal tenths
        if int(10.0 * share) > tenths:
            tenths = int(10.0 * share)
            remark(f"{COMPILING}: {10 * tenths} %")

    if sys.stderr.isatty():
        with progress_bar(COMPILING) as bar:
            yield bar
    else:
        yield line


@contextmanager
def announcing() -> Iterator[None]:
    """Say once that kernels are compiled, if that takes longer than a moment, and at the end how many."""
    state = {"kernels": 0, "seconds": 0.0}
    timers: list[Timer] = []

    def counting(_: str, seconds: float | None) -> None:
        if not timers:
            timers.append(Timer(MOMENT, remark, ["compiling kernels, once after installation"]))
            timers[0].daemon = True
            timers[0].start()
        if seconds is not None:
            state["kernels"] += 1
            state["seconds"] += seconds

    try:
        with watched(counting):
            yield
    finally:
        if timers:
            timers[0].cancel()
    if state["seconds"] > MOMENT:
        from footfall.geometry.kernel_cache import kernel_folder, kernels_kept

        kept = kernel_folder() is not None and kernels_kept()
        later = "from now on they are loaded" if kept else "no folder keeps them (set FOOTFALL_CACHE)"
        remark(f"{_counted(int(state['kernels']))} took {state['seconds']:.0f} s; {later}")
