"""The claims of a source document, judged, for people: Markdown for a README, and an HTML page.

Steps are shown without the folders of the files that they touch; the schedules that can be replayed are files of the
run folder.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from reports.pages.html import style, template
from reports.record import strict
from sim.search.claims import CONFIRMED, REFUTED, UNKNOWN, ClaimRow
from sim.world.words import counted

FORMAT = 1
MANY_STEPS = 3
BADGES = {CONFIRMED: "holds", REFUTED: "violated", UNKNOWN: "unknown"}
_STEPS = re.compile(r"steps: ([^;|]*)")
_FOLDERS = re.compile(r"\([^()]*/([^()/]+)\)")


@strict
@dataclass(frozen=True, slots=True)
class ShownClaim:
    """A judged claim as text. `steps` is its smallest schedule, `schedule` the file that replays it ("": none)."""

    number: int
    claim: str
    source: str
    property: str
    variant: str
    predicts: str
    verdict: str
    found: str
    bounds: str
    steps: tuple[str, ...] | None
    scenario: str
    schedule: str
    live: str
    note: str


@strict
@dataclass(frozen=True, slots=True)
class ClaimsRecord:
    """The claims of one protocol. `claims.json` is this record; `command` makes it anew."""

    tool: str
    protocol: str
    rows: tuple[ShownClaim, ...]
    command: str
    format: int = FORMAT


def shown_claim(number: int, row: ClaimRow, schedule: str = "") -> ShownClaim:
    """A judged claim as text; `schedule` names the file with its schedule."""
    claim = row.claim
    return ShownClaim(
        number, claim.text, claim.source, claim.property or "every property of the scenario", claim.variant,
        claim.predicts, row.verdict, row.found, row.bounds, row.schedule, row.scenario, schedule, row.live, claim.note,
    )  # fmt: skip


def short_steps(row: ShownClaim) -> str:
    """The steps for reading: files by their names, without folders. "" if there is no counterexample."""
    return " ".join(_FOLDERS.sub(r"(\1)", step) for step in row.steps or ())


def live_words(live: str) -> str:
    """The test that shows a claim on the real system, as a sentence; "" if there is none."""
    file, _, name = live.rpartition("::")
    words, _, variant = name.removeprefix("test_").partition("[")
    told = words.replace("_", " ") + (f" ({variant.rstrip(']')})" if variant else "")
    return told if file else ""


def bounds_of(bounds: str) -> tuple[tuple[str, str], ...]:
    """The bounds of each search, with a long list of steps by itself: (text that only counts them, the steps)."""
    return tuple(_folded(one.strip()) for one in bounds.split(" | "))


def _folded(bounds: str) -> tuple[str, str]:
    found = _STEPS.search(bounds)
    steps = re.split(" and |, ", found[1]) if found else []
    if found is None or len(steps) <= MANY_STEPS:
        return bounds, ""
    return f"{bounds[: found.start()]}steps: {len(steps)} operations{bounds[found.end() :]}", ", ".join(steps)


def tally(rows: Sequence[ShownClaim]) -> str:
    """ "7 claims: 4 confirmed, 3 refuted"."""
    counts = Counter(row.verdict for row in rows)
    parts = [f"{counts[word]} {word}" for word in (CONFIRMED, REFUTED, UNKNOWN) if counts[word]]
    return f"{counted(len(rows), 'claim')}: {', '.join(parts) or 'none judged'}"


def claims_markdown(records: Iterable[ClaimsRecord]) -> str:
    """One table for each protocol."""
    return "\n\n".join("\n".join(_table(record)) for record in records) + "\n"


def _table(record: ClaimsRecord) -> Iterator[str]:
    yield "| claim | judged on | property | verdict | bounds | smallest schedule | live |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for row in record.rows:
        steps = short_steps(row)
        texts = (
            f'"{row.claim}" ({row.source})', row.variant, row.property, f"**{row.verdict}**", row.bounds,
            f"`{steps}`" if steps else "", row.live,
        )  # fmt: skip
        yield f"| {' | '.join(_cell(text) for text in texts)} |"
    yield ""
    yield f"{tally(record.rows)}. Again: `{record.command}`"


def claim_cells(row: ClaimRow) -> tuple[str, ...]:
    """A judged claim in the cells of a Markdown table: text, variant, verdict, bounds and what was found, live test."""
    claim = row.claim
    bounds = row.bounds + (f"; found: {row.found}" if row.found else "")
    note = f" {claim.note}" if claim.note else ""
    texts = (f'"{claim.text}" ({claim.source}){note}', claim.variant, f"**{row.verdict}**", bounds, row.live)
    return tuple(map(_cell, texts))


def _cell(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|").replace("\n", " ")


def claims_page(record: ClaimsRecord) -> str:
    """The claims as one HTML page without script or network."""
    return template("claims.html.j2").render(
        record=record, css=style(), tally=tally(record.rows), badges=BADGES, short_steps=short_steps,
        live_words=live_words, bounds_of=bounds_of,
    )  # fmt: skip
