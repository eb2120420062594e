"""`lakeproof claims`: what the source documents claim, judged by searching the protocols for a counterexample."""

import shlex
import time
from collections.abc import Iterator
from pathlib import Path

import click
from rich.box import SIMPLE
from rich.table import Table as Grid
from rich.text import Text

from lakeproof import __version__
from lakeproof.commands.budget import RUNS
from lakeproof.commands.choice import one_of
from lakeproof.errors import AS_EXPECTED, UNKNOWN
from lakeproof.folder import METRICS, REPORT, RunFolder, folder_for
from lakeproof.protocols import claims_of, with_claims
from lakeproof.tables import print_grid, terminal_width, wrapped
from lakeproof.talk import progress
from reports.pages.claims import ClaimsRecord, ShownClaim, claims_markdown, claims_page, short_steps, shown_claim, tally
from reports.record import dump
from sim.search.claims import CONFIRMED, REFUTED, ClaimRow, judge_all
from sim.search.claims import UNKNOWN as UNKNOWN_VERDICT
from sim.search.explore import BUDGET

FILE, MARKDOWN = "claims.json", "claims.md"
COLUMNS = ("claim", "judged on", "bounds, and what was found", "smallest schedule", "live")
PIPED_WIDTH, NARROWEST_TABLE = 160, 120
COLOURS = {CONFIRMED: "green", REFUTED: "red", UNKNOWN_VERDICT: "yellow"}


@click.command(name="claims")
@click.argument("protocol", required=False, metavar=f"[{'|'.join(with_claims())}]", callback=one_of(with_claims))
@click.option("--budget", type=RUNS, default=BUDGET, show_default=True, metavar="N",
              help="At most N runs for each scenario.")  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path), default=Path("runs"), show_default=True,
              help="Where run folders go.")  # fmt: skip
@click.option("--markdown", is_flag=True, help="Print Markdown, as for a README.")
def claims_verb(protocol: str | None, budget: int, out: Path, markdown: bool) -> int:
    """Judge what the source document of PROTOCOL (or of each protocol) claims, every claim on the variant it names.

    "confirmed" and "refuted" hold for the bounds beside them. Exits 0 if every claim could be judged, 2 if not.
    """
    records = [_judged(name, budget, out) for name in ([protocol] if protocol else with_claims())]
    if markdown:
        click.echo(claims_markdown(record for record, _ in records), nl=False)
    for record, folder in records:
        if not markdown:
            _print(record)
        click.echo(f"\nrun folder: {folder.path}\nreport:     {folder / REPORT}", err=markdown)
    return (
        UNKNOWN if any(row.verdict == UNKNOWN_VERDICT for record, _ in records for row in record.rows) else AS_EXPECTED
    )


def _judged(protocol: str, budget: int, out: Path) -> tuple[ClaimsRecord, RunFolder]:
    """Judge the claims of a protocol and store what was found."""
    stated = claims_of(protocol)
    with folder_for(out, f"claims/{protocol}") as folder:
        begun = time.monotonic()
        with progress(f"judging {len(stated)} claims about {protocol}", len(stated)) as advance:
            rows = judge_all(stated, budget=budget, progress=advance)
        seconds = time.monotonic() - begun
    shown = tuple(_stored(folder, number, row) for number, row in enumerate(rows, 1))
    more = [] if budget == BUDGET else ["--budget", str(budget)]
    record = ClaimsRecord(__version__, protocol, shown, shlex.join(["lakeproof", "claims", protocol, *more]))
    folder.write(FILE, dump(record))
    folder.write(MARKDOWN, claims_markdown([record]))
    folder.write(REPORT, claims_page(record))
    folder.write_json(METRICS, {
        "ended_utc": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "seconds": round(seconds, 3),
    })  # fmt: skip
    folder.point_latest()
    return record, folder


def _stored(folder: RunFolder, number: int, row: ClaimRow) -> ShownClaim:
    """The claim as text, with a schedule file if it has a counterexample."""
    name = f"schedule-{number:02}.txt"
    if not row.replay:
        return shown_claim(number, row)
    folder.write(name, row.replay)
    return shown_claim(number, row, name)


def _print(record: ClaimsRecord) -> None:
    click.echo(f"\n{record.protocol}: {tally(record.rows)} (simulated)")
    width = terminal_width()
    if width is not None and width < NARROWEST_TABLE:
        for row in record.rows:
            click.echo("\n" + "\n".join(_block(row, width)))
    else:
        print_grid(_table(record), width or PIPED_WIDTH)


def _block(row: ShownClaim, width: int) -> Iterator[str]:
    """A claim on a terminal that is too narrow for a table."""
    verdict = click.style(row.verdict, fg=COLOURS[row.verdict])
    yield f"{row.number:3}. {verdict}: {row.source}"
    yield wrapped(f'"{row.claim}"', width, "     ")
    shown = {
        "": row.note, "judged on": row.variant, "property": row.property, "bounds": row.bounds, "found": row.found,
        "schedule": short_steps(row), "live": row.live.rpartition("::")[2],
    }  # fmt: skip
    for name, text in shown.items():
        if text:
            yield wrapped(f"{name}: {text}" if name else text, width, "     ", "       ")


def _table(record: ClaimsRecord) -> Grid:
    grid = Grid(box=SIMPLE, pad_edge=False, show_lines=True)
    grid.add_column("", justify="right", no_wrap=True)
    grid.add_column("verdict", no_wrap=True)
    for title, ratio in zip(COLUMNS, (30, 15, 25, 25, 8), strict=True):
        grid.add_column(title, ratio=ratio, overflow="fold")
    for row in record.rows:
        grid.add_row(
            Text(str(row.number)),
            Text(row.verdict, style=COLOURS[row.verdict]),
            Text(f'"{row.claim}"\n{row.source}' + (f"\n{row.note}" if row.note else "")),
            Text(f"{row.variant}\n{row.property}"),
            Text(row.bounds + (f"\n{row.found}" if row.found else "")),
            Text(short_steps(row)),
            Text(row.live.rpartition("::")[2]),
        )
    return grid
