"""The page: whole, closed, escaped, of bounded size."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from checkers.histories.history import Event, History, Write
from lakeproof.scenarios import built_in
from reports.pages.html import MAX_SENTENCES, page
from reports.record import Compared, Live, Sentence
from tests.unit.reports.runs import LOST, SERIALIZABLE, SNAPSHOT, record


class Outline(HTMLParser):
    """Checks that tags nest, and collects text and attributes."""

    void = frozenset("meta br hr img input link".split())

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.tags: dict[str, int] = {}
        self.attributes: list[tuple[str, str, str]] = []

    def handle_starttag(self, tag, attrs):
        self.tags[tag] = self.tags.get(tag, 0) + 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in self.void and not (self.get_starttag_text() or "").endswith("/>"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.open:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def outline(text):
    """The parsed page."""
    parser = Outline()
    parser.feed(text)
    assert parser.open == []
    return parser


@pytest.mark.parametrize("name", list(built_in()))
def test_every_built_in_scenario_has_a_page_that_needs_nothing_from_outside(name):
    """No script, no link, no address of anything but the SVG name space; well below a megabyte."""
    text = page(*record(name))
    found = outline(text)
    assert not {"script", "link", "img", "iframe", "object"} & set(found.tags)
    addresses = set(re.findall(r"https?://[^\s'\"<]+", text))
    assert addresses <= {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in text
    assert len(text) < 400_000


def test_the_page_says_verdict_explanation_rows_reasons_and_how_to_replay():
    """What a person looks for, in this order."""
    found, history = record(SNAPSHOT, LOST, command="lakeproof replay runs/x/schedule.txt")
    text = page(found, history)
    wanted = [
        "violated", "The violation, simulated", "Step by step", "Therefore", "Rows at the end", "Properties in",
        "resurrected-row", "What was searched", "Counters", "Schedule", "lakeproof replay runs/x/schedule.txt",
    ]  # fmt: skip
    places = [text.index(part, text.index("<main>")) for part in wanted]
    assert places == sorted(places)


def test_a_page_of_a_run_that_holds_shows_no_violation():
    """The words follow the verdict."""
    text = page(*record(SERIALIZABLE, LOST))
    assert "The run, simulated" in text
    assert "Therefore" not in text


def test_counters_at_zero_stand_out():
    """A holds that proves nothing must look like it."""
    found, history = record(SERIALIZABLE, "w1:end w2:end")
    assert "0: never happened" in page(found, history)


def test_the_live_column_stands_beside_the_simulated_one():
    """Row by row, with what differs marked."""
    found, history = record(SNAPSHOT, LOST)
    rows = (Compared("row 1", "'A'", "'A'", True), Compared("row 2", "'b'", "absent", False))
    live = Live("Spark SQL", "w1.load", rows, found.judged, False, ("not judged live: no-leaks",))
    text = page(found, history, live)
    assert ">not judged live: no-leaks<" in text
    assert "the same schedule on Spark SQL" in text
    assert text.count(">same<") == 1
    assert text.count(">differs<") == 2  # the row, and the badge


EVIL = "<script>alert('x')</script><svg onload=alert(1)>&\"'"


def test_nothing_in_a_record_can_become_markup():
    """Every text of a stored run is text."""
    found, history = record(SNAPSHOT, LOST)
    sentences = tuple(replace(one, text=EVIL, actor=EVIL, tone="plain") for one in found.explanation.sentences)
    evil = replace(
        found, scenario=EVIL, summary=EVIL, headline=EVIL, command=EVIL, schedule=EVIL, digest=EVIL,
        knobs={EVIL: EVIL}, explanation=replace(found.explanation, sentences=sentences, therefore=(EVIL,)),
    )  # fmt: skip
    found_tags = outline(page(evil, history))
    assert "script" not in found_tags.tags
    assert not any(name.startswith("on") for _, name, _ in found_tags.attributes)
    assert any("alert('x')" in text for text in found_tags.texts)


def test_a_history_cannot_bring_markup_through_its_pictures():
    """Keys and values end up in drawings, too."""
    found, history = record(SNAPSHOT, LOST)
    events = [
        event._replace(writes=tuple(Write(write.key, EVIL if write.value else None) for write in event.writes), f=EVIL)
        if isinstance(event, Event) and event.writes
        else event
        for event in history.events
    ]
    assert "script" not in outline(page(found, History(events))).tags


def test_the_size_of_a_page_has_a_bound():
    """Ten thousand sentences make no page of ten thousand lines; it says what is missing."""
    found, history = record(SNAPSHOT, LOST)
    many = tuple(Sentence(number, "w1", "a sentence " * 20) for number in range(1, 10_001))
    text = page(replace(found, explanation=replace(found.explanation, sentences=many)), history)
    assert len(text) < 400_000
    assert f"The first {10_000 - MAX_SENTENCES} sentences are left out here" in text
