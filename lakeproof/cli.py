"""The command line: one group of verbs, and the one place where errors become a line and an exit code.

A verb is imported when it is called: `lakeproof --version` waits for nothing that it does not need. A traceback is for
our own bugs and for those who ask for it: set LAKEPROOF_DEBUG=1.
"""

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from lakeproof import errors
from lakeproof.absent import keep_out
from lakeproof.signals import Ended, ending_in_order

COMMANDS = {  # the verb, which is also its module's name in `lakeproof.commands`: what `--help` says of it
    "run": "Search scenarios for schedules that break a property; explain what is found.",
    "verdict": "Look for generated scenarios that break what a configuration promises.",
    "campaign": "Search generated scenarios of many configurations, on Spark; report what fails by its causes.",
    "query": "Ask a campaign's Parquet a question, by name or in Spark SQL.",
    "replay": "Play a schedule, simulated, and with --live on the real system.",
    "check": "Judge a stored history.",
    "autopsy": "Find what went wrong with a real Iceberg table, by its files.",
    "explain": "Explain a run folder or a history file in sentences.",
    "report": "Write the report of a run anew.",
    "list": "List the built-in scenarios and the properties.",
    "demo": "Find a lost delete, explain it, replay it on live Spark SQL.",
    "study": "Measure the protocols' own code in simulated time.",
    "matrix": "Compute what each operation comes to beside each other one.",
    "claims": "Judge what the source documents claim.",
}

NEED_PANDAS = {"campaign", "query"}


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
            code = errors.NO_READER
        except Exception as error:
            code = _told(error)
        except KeyboardInterrupt:
            code = _said("interrupted", errors.INTERRUPTED)
        except Ended as signal:
            code = _said(f"ended by {signal}", signal.code)
        sys.exit(code if isinstance(code, int) else errors.AS_EXPECTED)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"lakeproof.commands.{cmd_name}"), f"{cmd_name}_verb")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _told(error: Exception) -> int:
    from lakeproof.failures import render

    if isinstance(error, OSError) and error.filename is None:  # the output's: it holds what cannot be written
        _discard_output()
    return render(error)


def _said(text: str, code: int) -> int:
    from lakeproof.talk import say

    say(f"lakeproof: {text}")
    return code


def _discard_output() -> None:
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # open until the end


def _version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        from lakeproof import __version__

        click.echo(f"lakeproof, version {__version__}")
        ctx.exit()


@click.group(
    cls=FrontDoor,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 as expected, 1 violated, 2 unknown, 4 nondeterminism, 64 usage, 65 bad input, 70 internal, "
    "141 nobody reads the output.",
)
@click.option("--version", is_flag=True, expose_value=False, is_eager=True, callback=_version,
              help="Show the version and exit.")  # fmt: skip
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Finds, explains and replays concurrency faults of lakehouse table formats."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        ctx.exit(errors.USAGE)


def main() -> None:
    """The entry point of the command `lakeproof`."""
    if not NEED_PANDAS & set(sys.argv[1:2]):
        keep_out()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy would start threads, for algebra that nobody does here
    try:
        cli.main(prog_name="lakeproof")
    finally:
        gc.freeze()  # the process ends: looking for garbage among all that was imported takes a tenth of a second
