"""Results as a Markdown table, for a CI job's summary page."""

from collections.abc import Sequence
from dataclasses import dataclass

HEAD = "| scenario | expected | got | | schedules | seconds |\n| --- | --- | --- | --- | ---: | ---: |\n"


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One scenario's result. `code` is its exit code, `standing` that in words; `explanation` is Markdown."""

    scenario: str
    expected: str
    verdict: str
    code: int
    standing: str
    headline: str
    schedules: int
    seconds: float
    command: str
    explanation: str

    @property
    def to_replay(self) -> bool:
        """Whether its command stands below all results: it failed, or is broken as known."""
        return bool(self.command) and (self.code != 0 or self.verdict == "violated")


def summary(rows: Sequence[ResultRow]) -> str:
    """A table with one row a scenario, and below it the commands that replay what is not as expected."""
    return HEAD + "".join(map(summary_line, rows)) + below(rows)


def summary_line(row: ResultRow) -> str:
    """The row of one scenario."""
    standing = f"**{row.standing}**" if row.code not in (0, 2) else row.standing
    cells = (row.scenario, row.expected, row.verdict, standing, f"{row.schedules:,}", f"{row.seconds:.2f}")
    return f"| {' | '.join(_cell(cell) for cell in cells)} |\n"


def below(rows: Sequence[ResultRow]) -> str:
    """What stands below the table: each failure in a sentence, and what replays it."""
    lines = []
    for row in rows:
        if row.code:
            lines += ["", f"{_cell(row.scenario)}: {_cell(row.headline)}"]
            lines += ["", "```", row.command, "```"] if row.command else []
    return "".join(f"{line}\n" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
