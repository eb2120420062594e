"""The command line: one group of verbs, and the one place where errors become a line and an exit code.

A traceback is for our own bugs and for those who ask for it: set LAKEPROOF_DEBUG=1.
"""

import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from lakeproof import __version__, errors
from lakeproof.commands.check import check
from lakeproof.commands.claims import claims
from lakeproof.commands.demo import demo
from lakeproof.commands.explain import explain
from lakeproof.commands.list import list_scenarios
from lakeproof.commands.replay import replay
from lakeproof.commands.report import report
from lakeproof.commands.run import run
from lakeproof.commands.study import study
from lakeproof.failures import render
from lakeproof.signals import Ended, ending_in_order
from lakeproof.talk import say


class FrontDoor(click.Group):
    """A group whose verbs return exit codes, and whose errors are one line."""

    def main(self, args: Sequence[str] | None = None, *rest: Any, **extra: Any) -> Any:
        extra["standalone_mode"] = False
        if sys.stdout is None:  # closed by the caller, who wants the exit code only
            _discard_output()
        try:
            with ending_in_order():
                code = super().main(args, *rest, **extra)
            sys.stdout.flush()
        except (BrokenPipeError, SystemExit):  # the reader of our output has gone; click's 1 would mean "violated"
            _discard_output()
            code = errors.INTERNAL
        except Exception as error:
            if isinstance(error, OSError) and error.filename is None:  # the output's: it holds what cannot be written
                _discard_output()
            code = render(error)
        except KeyboardInterrupt:
            say("lakeproof: interrupted")
            code = errors.INTERRUPTED
        except Ended as signal:
            say(f"lakeproof: ended by {signal}")
            code = signal.code
        sys.exit(code if isinstance(code, int) else errors.AS_EXPECTED)


def _discard_output() -> None:
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # open until the end


@click.group(
    cls=FrontDoor,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 as expected, 1 violated, 2 unknown, 4 nondeterminism, 64 usage, 65 bad input, 70 internal.",
)
@click.version_option(__version__, prog_name="lakeproof")
def cli() -> None:
    """Finds, explains and replays concurrency faults of lakehouse table formats."""


for command in (run, replay, check, explain, report, list_scenarios, demo, study, claims):
    cli.add_command(command)


def main() -> None:
    """The entry point of the command `lakeproof`."""
    cli.main(prog_name="lakeproof")
