"""A progress bar on standard error: a moving one where somebody watches, nothing where nobody does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from footfall.errors import printable


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[[str, float], None]]:
    """Yields what long work tells: what it does now, and the share that is done."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(title, total=1.0)
        yield lambda what, share: bar.update(task, description=printable(what), completed=share)
