"""Tables on standard output, no wider than the terminal; in a pipe, lines are as long as they are."""

import io
import os
import shutil
import sys
import textwrap

import click

NARROWEST = 40


def terminal_width() -> int | None:
    """The columns of the terminal, or of COLUMNS; None where lines go into a pipe or a file and need no wrapping."""
    if "COLUMNS" not in os.environ and not (sys.stdout is not None and sys.stdout.isatty()):
        return None
    return max(shutil.get_terminal_size().columns, NARROWEST)


def wrapped(text: str, width: int | None, indent: str = "", following: str | None = None) -> str:
    """Break `text` at spaces, every line indented (`following`: otherwise from the second one on); None: one line.

    A word that is longer than the width, such as a path, is not broken: it must be possible to copy it.
    """
    if width is None:
        return indent + text
    return textwrap.fill(text, width, initial_indent=indent, subsequent_indent=indent if following is None else
                         following, break_long_words=False, break_on_hyphens=False)  # fmt: skip


def print_grid(grid: object, width: int) -> None:
    """Print a table of rich's at this width, without blanks at the ends of lines."""
    from rich.console import Console

    colours = sys.stdout is not None and sys.stdout.isatty()
    buffer = io.StringIO()
    Console(file=buffer, force_terminal=colours or None, width=width, highlight=False).print(grid)
    click.echo("\n".join(line.rstrip() for line in buffer.getvalue().splitlines()))
