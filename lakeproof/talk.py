"""What the command line says to a person: on standard error, so that standard output holds results only."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from lakeproof.errors import one_line

Advance = Callable[[int], None]
_announced = True


def say(text: str) -> None:
    """One line to the person at the terminal, whatever is in `text`."""
    click.echo(one_line(text), err=True)


@contextmanager
def progress(title: str, total: int | None = None) -> Iterator[Advance]:
    """A progress bar; call what it yields with the number of runs that were made. It is gone when the block ends."""
    if sys.stderr is None or not sys.stderr.isatty():
        if _announced:
            say(f"{title} ...")
        yield lambda count: None
        return
    from rich.console import Console  # only terminals wait for it
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True, highlight=False), transient=True) as bar:
        task = bar.add_task(title, total=total)
        yield lambda count: bar.advance(task, count)


def announce_nothing() -> None:
    """From now on, progress is not told without a terminal: where a person would read it when the work is done."""
    global _announced
    _announced = False
