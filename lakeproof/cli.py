"""The command line: one group of verbs, and the one place where errors become a line and an exit code.

A traceback is for our own bugs and for those who ask for it: set LAKEPROOF_DEBUG=1.
"""

import os
import sys
import traceback
from collections.abc import Sequence
from typing import Any

import click

from checkers.errors import HistoryError
from checkers.verdict import UnknownProperty
from lakeproof import __version__, errors
from lakeproof.commands.check import check
from lakeproof.commands.demo import demo
from lakeproof.commands.explain import explain
from lakeproof.commands.list import list_scenarios
from lakeproof.commands.replay import replay
from lakeproof.commands.report import report
from lakeproof.commands.run import run
from lakeproof.commands.study import study
from lakeproof.talk import say
from real_backend.errors import BackendError
from reports.errors import RecordError
from sim.errors import NondeterminismError
from sim.schedule import Divergence, ScheduleError

DEBUG = "LAKEPROOF_DEBUG"
_CODES: tuple[tuple[tuple[type[Exception], ...], int], ...] = (
    ((ScheduleError, HistoryError, RecordError, Divergence), errors.BAD_INPUT),
    ((UnknownProperty,), errors.USAGE),
    ((BackendError,), errors.UNKNOWN),
    ((NondeterminismError,), errors.NONDETERMINISM),
)


class FrontDoor(click.Group):
    """A group whose verbs return exit codes, and whose errors are one line."""

    def main(self, args: Sequence[str] | None = None, *rest: Any, **extra: Any) -> Any:
        extra["standalone_mode"] = False
        try:
            code = super().main(args, *rest, **extra)
            sys.stdout.flush()
        except Exception as error:
            code = _explained(error)
        except KeyboardInterrupt:
            say("lakeproof: interrupted")
            code = errors.INTERRUPTED
        sys.exit(code if isinstance(code, int) else errors.AS_EXPECTED)


def _explained(error: Exception) -> int:
    """Say what is wrong in one line; the exit code."""
    if os.environ.get(DEBUG):
        traceback.print_exception(error)
    if isinstance(error, click.Abort):
        say("lakeproof: interrupted")
        return errors.INTERRUPTED
    if isinstance(error, click.ClickException):
        help_text = (
            f"; see `{error.ctx.command_path} --help`" if isinstance(error, click.UsageError) and error.ctx else ""
        )
        say(f"lakeproof: {errors.one_line(error.format_message()).rstrip('.')}{help_text}")
        return errors.USAGE
    if isinstance(error, errors.CommandError):
        say(f"lakeproof: {errors.one_line(error)}")
        return error.code
    for kinds, code in _CODES:
        if isinstance(error, kinds):
            say(f"lakeproof: {errors.one_line(error)}")
            return code
    if isinstance(error, BrokenPipeError):
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # the reader has gone; nobody to tell
        return errors.INTERNAL
    say(
        f"lakeproof: internal error: {type(error).__name__}: {errors.one_line(error)};"
        f" set {DEBUG}=1 to see where, and report it with the command"
    )
    return errors.INTERNAL


@click.group(
    cls=FrontDoor,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 as expected, 1 violated, 2 unknown, 4 nondeterminism, 64 usage, 65 bad input, 70 internal.",
)
@click.version_option(__version__, prog_name="lakeproof")
def cli() -> None:
    """Finds, explains and replays concurrency faults of lakehouse table formats."""


for command in (run, replay, check, explain, report, list_scenarios, demo, study):
    cli.add_command(command)


def main() -> None:
    """The entry point of the command `lakeproof`."""
    cli.main(prog_name="lakeproof")
