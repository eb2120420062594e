"""A record as one HTML page: self-contained, no network, no script, of bounded size.

Choices: pictures are drawn anew from the stored history, and never read from files, so that nothing in a run folder
can bring markup into a page; everything else passes through the template's escaping.
"""

import re
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from checkers.histories.history import History
from checkers.text import plain
from checkers.verdict import check
from checkers.words import value_words
from reports.explanation.phrases import key_text
from reports.pages.text import live_remarks, standing_of
from reports.pictures import svg
from reports.pictures.cycle import picture
from reports.pictures.lanes import LABEL_SIZE, actors_of, owner_of
from reports.pictures.spacetime import spacetime
from reports.record import Explanation, Live, Record, Sentence

MAX_SENTENCES, MAX_ROWS, MAX_PICTURES, MAX_TEXT = 200, 60, 6, 2_000
LEAST_LABEL_PX = 10
_FOLDER = Path(__file__).parent / "templates"


def visible(value: object) -> object:
    """What a template is given, with every character that a reader would not see written out. Lines stay lines."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return "\n".join(plain(line, MAX_TEXT) for line in value.split("\n"))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["key"] = key_text
    environment.globals["value"] = value_words
    return environment


def template(name: str) -> Template:
    """A template of this folder; what it is given is escaped, unless it is markup."""
    return _environment().get_template(name)


def style() -> Markup:
    """The style sheet that every page has inside it."""
    return Markup((_FOLDER / "report.css").read_text(encoding="utf-8"))


def page(record: Record, history: History, live: Live | None = None) -> str:
    """The report of a run. `history` is the one that was judged."""
    explanation = record.explanation
    diagram, least = diagram_of(record)
    return template("report.html.j2").render(
        record=record,
        live=live,
        standing=standing_of(record),
        remarks=live_remarks(live) if live else (),
        css=style(),
        diagram=diagram,
        least=least,
        pictures=[Markup(text) for text in pictures(record, history)],
        sentences=told(record),
        left_out=max(0, len(explanation.sentences) - MAX_SENTENCES),
        rows=record.judged.rows[:MAX_ROWS],
        more_rows=max(0, len(record.judged.rows) - MAX_ROWS),
        lineage=record.judged.lineage[-MAX_ROWS:],
        required=set(record.search.required),
    )  # fmt: skip


def diagram_of(record: Record) -> tuple[Markup, int]:
    """The run as a diagram of lanes, and how narrow it may be made, in pixels."""
    broken = [finding.property for finding in record.judged.findings]
    diagram = spacetime(record.explanation, record.judged.rows, f"{record.scenario}: the run", broken)
    return Markup(diagram), _least_px(diagram)


def told(record: Record) -> list[tuple[Sentence, str, str]]:
    """The last sentences of a run, each with the colour of its actor, on light and on dark screens."""
    inks = actors_of(record.explanation)
    return [(one, *_inks(inks.get(owner_of(one.actor, inks), svg.INK))) for one in _window(record.explanation)]


def pictures(record: Record, history: History) -> list[str]:
    """One SVG for each broken property, in the order of the findings."""
    verdict = check(history, tuple(record.judged.results))
    return [picture(violation, history) for violation in verdict.violations[:MAX_PICTURES]]


def _least_px(diagram: str) -> int:
    """How narrow a diagram may be made so that it fits a wide screen: its labels are read at 10 px, not below."""
    match = re.search(r"width='([\d.]+)'", diagram)
    return round(float(match[1]) * LEAST_LABEL_PX / LABEL_SIZE) if match else 0


def _inks(ink: str) -> tuple[str, str]:
    """A colour, and its counterpart on dark screens."""
    return ink, svg.DARK[ink]


def _window(explanation: Explanation) -> tuple[Sentence, ...]:
    return explanation.sentences[-MAX_SENTENCES:]
