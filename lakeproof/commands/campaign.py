"""`lakeproof campaign`: generated scenarios of many configurations, on Spark or here, and what came of them.

Choices: the folder has a name that is known before, so that `--resume` finds it; nothing in it is ever overwritten.
"""

from pathlib import Path

import click

from lakeproof.campaigns.asked import Asked, of_file, of_protocols
from lakeproof.campaigns.carry_out import IN_PROCESS, carry_out, opened_campaign, report_on
from lakeproof.campaigns.tell import tell_campaign
from lakeproof.commands.budget import MINUTES, RUNS
from lakeproof.errors import INTERRUPTED, UsageProblem
from lakeproof.talk import say

LOCAL = "local[*]"


class WithDefault(click.Group):
    """A group whose first word need not be a verb: anything else is what to search."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, *ctx.help_option_names):
            args = ["search", *args]
        return super().parse_args(ctx, args)


@click.group(name="campaign", cls=WithDefault, invoke_without_command=False)
def campaign_verb() -> None:
    """Search generated scenarios of many configurations: `lakeproof campaign FILE.toml`, or names of protocols.

    `lakeproof campaign report FOLDER` makes the report of a campaign anew.
    """


@campaign_verb.command(name="search")
@click.argument("what", nargs=-1, required=True, metavar="FILE.toml|PROTOCOL...")
@click.option("--minutes", type=MINUTES, metavar="MINUTES", help="How long to search.")
@click.option("--seeds", type=RUNS, metavar="N", help="Search the scenarios of N seeds of each configuration.")
@click.option("--master", metavar="MASTER", default=LOCAL, show_default=True,
              help=f"Spark's master; '{IN_PROCESS}': here, without Spark.")  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path), metavar="FOLDER",
              help="The campaign's folder.  [default: campaigns/NAME]")  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on with the campaign in that folder.")
@click.option("--live", type=click.IntRange(0, 1_000_000), metavar="N",
              help="Replay N generated scenarios on the real system, those that fail first.")  # fmt: skip
def search_verb(
    what: tuple[str, ...], minutes: float | None, seeds: int | None, master: str, out: Path | None, resume: bool,
    live: int | None,
) -> int:  # fmt: skip
    """Search what FILE.toml asks for, or every configuration of PROTOCOLs; report what fails, by its causes.

    Exits 0 if nothing new was found, which is no proof; 1 if something was, or a live system differs; 2 if nothing can
    be said.
    """
    asked = _asked(what, minutes, seeds)
    folder = out or Path("campaigns") / asked.name
    done = carry_out(asked, folder, master=master, resume=resume, live=live)
    if done is None:
        again = f"`lakeproof campaign report {folder}`"
        say(f"interrupted: what was searched is kept; --resume goes on, {again} tells of it")
        return INTERRUPTED
    return tell_campaign(done)


def _asked(what: tuple[str, ...], minutes: float | None, seeds: int | None) -> Asked:
    files = [one for one in what if one.endswith(".toml")]
    if files and len(what) > 1:
        raise UsageProblem(f"campaign: expected one file, or names of protocols, got {' '.join(what)}")
    if files:
        return of_file(Path(files[0])).within(seeds, minutes)
    if minutes is None and seeds is None:
        raise UsageProblem("campaign: expected --minutes or --seeds, got neither")
    return of_protocols(what, seeds=seeds, minutes=minutes)


@campaign_verb.command(name="report")
@click.argument("folder", type=click.Path(path_type=Path), metavar="FOLDER")
@click.option("--live", type=click.IntRange(0, 1_000_000), default=0, metavar="N",
              help="Replay N generated scenarios on the real system, those that fail first.")  # fmt: skip
def report_verb(folder: Path, live: int) -> int:
    """Make the report of the campaign in FOLDER anew: a page, JUnit XML, a Markdown summary, metrics."""
    return tell_campaign(report_on(opened_campaign(folder), live))
