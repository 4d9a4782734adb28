"""A progress bar on standard error: a moving one where somebody watches, nothing where nobody does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from footfall.errors import printable

DAY = 24 * 3600.0  # s: the time left follows from all that was done, as one step may take a minute
Listener = Callable[[str, float], None]  # hears what is done now, and the share that is done

_LISTENING: list[Listener] = []


@contextmanager
def progress_bar(title: str) -> Iterator[Listener]:
    """Yields what long work tells: what it does now, and the share that is done.

    Work inside `progress_told` shows no bar of its own.
    """
    if _LISTENING:
        yield _LISTENING[-1]
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(
        *columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,
        speed_estimate_period=DAY,
    ) as bar:
        task = bar.add_task(title, total=1.0)
        bar.update(task, completed=1e-9)  # the speed is measured from here
        yield lambda what, share: bar.update(task, description=printable(what), completed=share)


@contextmanager
def progress_told(listener: Listener) -> Iterator[None]:
    """Tell `listener`, instead of showing it, what `progress_bar` is told inside."""
    _LISTENING.append(listener)
    try:
        yield
    finally:
        _LISTENING.pop()
