"""The line that says how far a campaign is: on a terminal one that moves, elsewhere one a wave."""

from __future__ import annotations

import sys
from time import monotonic

import click

from lakeproof.protocols import generator_of
from lakeproof.talk import say
from real_backend.pipeline.campaign import Progress
from sim.generation.causes import Cause
from sim.world.words import counted

EVERY_S = 0.5


class Line:
    """Tells a campaign's progress. `is_terminal` None: as standard error is."""

    def __init__(self, is_terminal: bool | None = None) -> None:
        self._moving = sys.stderr is not None and sys.stderr.isatty() if is_terminal is None else is_terminal
        self._told_at = 0.0
        self._waves = -1
        self._width = 0

    def tell(self, progress: Progress) -> None:
        """How far it is; not more often than people read."""
        if not self._moving:
            if progress.waves != self._waves and not progress.planned:
                self._waves = progress.waves
                say(words(progress))
            return
        if progress.planned and monotonic() - self._told_at < EVERY_S:
            return
        self._told_at = monotonic()
        text = words(progress)
        click.echo(f"\r{text.ljust(self._width)}", err=True, nl=False)
        self._width = len(text)

    def end(self) -> None:
        """Leave the line."""
        if self._moving and self._width:
            click.echo(err=True)


def words(progress: Progress) -> str:
    """ "wave 3: 120,000 schedules (2,100/s), 340 pairs, 12 scenarios fail, 3 causes, 1 new"."""
    new = sum(not _is_known(*met) for met in progress.causes)
    at = f", {progress.done} of {progress.planned} slices" if progress.planned else ""
    parts = [
        f"{counted(progress.schedules, 'schedule')} ({progress.per_s:,.0f}/s)",
        f"{counted(len(progress.kinds), 'kind')} of pairs",
        f"{counted(progress.failed, 'scenario')} fail", f"{counted(len(progress.causes), 'cause')}, {new} new",
    ]  # fmt: skip
    return f"wave {progress.waves + bool(progress.planned)}{at}: {', '.join(parts)}"


def _is_known(protocol: str, rules: str, cause: Cause) -> bool:
    """Whether a known finding explains it. A cause that is not small yet may look like a new one."""
    generator = generator_of(protocol)
    return generator is not None and generator.known_as(cause, rules) != ""
