"""One page over many runs: what each scenario came to, newest run first, with links to the reports."""

from collections.abc import Sequence
from dataclasses import dataclass

from reports.pages.html import style, template
from reports.pages.text import LIVE_DIFFERS, standing_of
from reports.record import Live, Record
from sim.world.words import counted


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A stored run: the name of its folder, where its report is as seen from the page ("": nowhere), what is stored."""

    folder: str
    link: str
    record: Record
    live: Live | None

    @property
    def standing(self) -> str:
        """As expected or not."""
        return LIVE_DIFFERS if self.live is not None and not self.live.agrees else standing_of(self.record)

    @property
    def fails(self) -> bool:
        """Whether somebody has to look at it."""
        return self.standing not in ("as expected", "unknown")


def index_page(runs: Sequence[StoredRun], unreadable: Sequence[str]) -> str:
    """The page. Args: `runs` are those of one scenario together; `unreadable` says what could not be read, and why."""
    scenarios = {run.record.scenario for run in runs}
    verdicts = [run.record.verdict for run in runs]
    tally = ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in dict.fromkeys(verdicts))
    return template("index.html.j2").render(
        css=style(), runs=runs, unreadable=unreadable, failing=sum(run.fails for run in runs), tally=tally,
        title=f"{counted(len(runs), 'run')} of {counted(len(scenarios), 'scenario')}",
    )  # fmt: skip
