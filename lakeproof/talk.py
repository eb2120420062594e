"""What the command line says to a person: on standard error, so that standard output holds results only."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from lakeproof.errors import one_line

Advance = Callable[[int], None]


def console() -> Console:
    """Standard error as it is now: tests and pipes replace it."""
    return Console(stderr=True, highlight=False, soft_wrap=True)


def say(text: str) -> None:
    """One line to the person at the terminal, whatever is in `text`."""
    console().print(one_line(text), markup=False, emoji=False)


@contextmanager
def progress(title: str, total: int | None = None) -> Iterator[Advance]:
    """A progress bar; call what it yields with the number of runs that were made. It is gone when the block ends."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    screen = console()
    if not screen.is_terminal:
        say(f"{title} ...")
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
        task = bar.add_task(title, total=total)
        yield lambda count: bar.advance(task, count)
