"""Results as a Markdown table, for a CI job's summary page."""

from collections.abc import Sequence
from dataclasses import dataclass

WORDS = {0: "as expected", 1: "**not as expected**", 2: "unknown", 4: "**not deterministic**"}


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One scenario's result. `code` is its exit code; `explanation` the whole explanation as Markdown."""

    scenario: str
    expected: str
    verdict: str
    code: int
    headline: str
    schedules: int
    seconds: float
    command: str
    explanation: str


def summary(rows: Sequence[ResultRow]) -> str:
    """A table with one row a scenario, and below it the commands that replay what is not as expected."""
    lines = ["| scenario | expected | got | | schedules | seconds |", "| --- | --- | --- | --- | ---: | ---: |"]
    for row in rows:
        word = WORDS.get(row.code, f"exit {row.code}")
        cells = (row.scenario, row.expected, row.verdict, word, f"{row.schedules:,}", f"{row.seconds:.2f}")
        lines.append(f"| {' | '.join(_cell(cell) for cell in cells)} |")
    failed = [row for row in rows if row.code]
    for row in failed:
        lines += ["", f"{_cell(row.scenario)}: {_cell(row.headline)}"]
        lines += ["", "```", row.command, "```"] if row.command else []
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
