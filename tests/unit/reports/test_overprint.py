"""Pictures as a reader sees them: nothing lies on anything else, nothing leaves the paper, wrong answers are red."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import combinations, pairwise

import pytest

from checkers.histories.history import History
from lakeproof.scenarios import built_in
from reports.explanation.judging import judge
from reports.pictures import svg
from reports.pictures.cycle import picture
from reports.pictures.spacetime import MAX_DRAWN, spacetime
from reports.record import Explanation, Row, Span, Step
from sim.kernel.schedule import steps_of
from sim.search.run import Runner
from tests.unit.reports.runs import LOST, SNAPSHOT, explained, played

SVG = "{http://www.w3.org/2000/svg}"
STALE = "hive/shipped-stale-read"


def stale_read():
    """CachedStore 4.0 at h2 does not know of w1's change."""
    return Runner(built_in()[STALE], annotated=True).play(steps_of("w1:end r1:end"))


def drawn(run):
    """A run's diagram with its final read."""
    judged = judge(History(run.events), run.scenario.properties)
    broken = [finding.property for finding in judged.findings]
    return spacetime(explained(run), judged.rows, "t", broken)


def boxes(text):
    """Each text of a picture with its estimated place: (words, left, top, right, bottom)."""
    found = []
    for element in ET.fromstring(text).iter(f"{SVG}text"):
        words, size = element.text or "", int(element.attrib["font-size"])
        width = svg.width_of(words, size, "font-weight" in element.attrib)
        x, y = float(element.attrib["x"]), float(element.attrib["y"])
        left = {"start": x, "middle": x - width / 2, "end": x - width}[element.attrib["text-anchor"]]
        found.append((words, left, y - 0.8 * size, left + width, y + 0.2 * size))
    return found


def fills(text):
    """The colour of each text of a picture."""
    return {one.text or "": one.attrib["fill"] for one in ET.fromstring(text).iter(f"{SVG}text")}


def overprinted(text):
    """Pairs of texts that lie on each other by more than a hair."""
    return [
        (a[0], b[0])
        for a, b in combinations(boxes(text), 2)
        if min(a[3], b[3]) - max(a[1], b[1]) > 2 and min(a[4], b[4]) - max(a[2], b[2]) > 3
    ]


def outside(text):
    """Texts that do not lie inside the paper."""
    paper = ET.fromstring(text).attrib
    width, height = float(paper["width"]), float(paper["height"])
    return [one[0] for one in boxes(text) if one[1] < 0 or one[2] < 0 or one[3] > width or one[4] > height]


@pytest.mark.parametrize("name", [*built_in(), "the stale read", "the lost delete"])
def test_no_label_lies_on_another_or_leaves_the_paper(name):
    """In every scenario's diagram, and in the pictures of what it breaks."""
    special = {"the stale read": stale_read, "the lost delete": lambda: played(SNAPSHOT, LOST)}
    run = special.get(name, lambda: played(name))()
    history = History(run.events)
    for text in (drawn(run), *(picture(one, history) for one in run.verdict().violations)):
        assert overprinted(text) == []
        assert outside(text) == []


def test_long_names_are_cut_to_their_space_and_whole_in_a_tooltip():
    """Labels follow each other, however long they are."""
    name = "an operation whose name nobody could have guessed, with everything that it was given"
    steps = tuple(Step(n, n, "w", "commit", "t", "table", "commit", version=f"s{n}", sentence=1) for n in range(1, 5))
    spans = tuple(Span("w", name, n, n, "ok") for n in range(1, 5))
    text = spacetime(Explanation((), steps, spans), (Row("k" * 90, "'v'", "'w'", False),))
    assert overprinted(text) == []
    assert outside(text) == []
    assert f"<title>w: {name}: ok</title>" in text


def test_a_hive_run_has_a_lane_for_each_replica_and_one_commit():
    """The replicas are what it is about; the commit is labelled where it happens."""
    text = drawn(stale_read())
    words = [one[0] for one in boxes(text)]
    assert {"replica h1", "replica h2"} <= set(words)
    assert not {"metastore", "services"} & set(words)
    assert words.count("commit") == 1
    assert "v = v1" in words
    assert re.search(r"w1\.commit_txn[^<]*</title><polygon", text)


def test_a_wrong_read_is_red_and_says_what_it_breaks():
    """Bar, dot and what it saw."""
    text = drawn(stale_read())
    words = fills(text)
    (label,) = (one for one in words if one.endswith(": breaks freshness"))
    assert (words[label], words["✗ sees v = v0"]) == (svg.RED, svg.RED)
    told = explained(stale_read()).sentences
    assert [one.text.endswith("This answer breaks freshness.") for one in told if one.tone == "broken"] == [True]


def test_a_final_read_is_no_acquittal():
    """Its rows are right and not green, and what was broken before is named."""
    inks = fills(drawn(stale_read()))
    assert inks["✓ table:1: 'v1'"] == svg.INK
    assert inks["✗ freshness"] == svg.RED
    kept = fills(drawn(played("hive/own-writes")))
    assert {fill for words, fill in kept.items() if words.startswith("✓")} == {svg.GREEN}


def test_the_second_picture_marks_what_the_stale_read_saw():
    """At the version that it came from."""
    run = stale_read()
    (violation,) = run.verdict().violations
    text = picture(violation, History(run.events))
    assert {"v0", "v1", "saw table:1 = v0", "table:1 = v1"} <= {one[0] for one in boxes(text)}


def test_the_end_of_a_long_run_is_drawn_not_its_beginning():
    """The end is where it went wrong."""
    steps = tuple(Step(n, n, "a", "get", f"f/{n}", "files", "read", sentence=1) for n in range(1, MAX_DRAWN + 501))
    text = spacetime(Explanation((), steps, ()))
    numbers = [int(number) for number in re.findall(r"<title>(\d+)\. a\.get", text)]
    assert (min(numbers), max(numbers)) == (501, MAX_DRAWN + 500)
    places = [float(x) for x in re.findall(r"<circle cx='([\d.]+)'", text)][::2]
    assert all(one <= following for one, following in pairwise(places))


def test_every_colour_of_a_picture_has_one_for_dark_screens():
    """And the picture carries the style sheet itself, so that a file shows it too."""
    run = played(SNAPSHOT, LOST)
    texts = [drawn(run), drawn(stale_read()), *(picture(v, History(run.events)) for v in run.verdict().violations)]
    for text in texts:
        used = set(re.findall(r"(?:fill|stroke)='(#[0-9a-f]{6})'", text.partition("</style>")[2]))
        assert used <= set(svg.DARK)
        assert all(f"[fill='{one}']" in text or f"[stroke='{one}']" in text for one in used)
        assert "@media (prefers-color-scheme: dark)" in text


def test_control_characters_are_written_out_in_pictures():
    """They are no XML, and a reader could not see them."""
    step = Step(1, 1, "a\x00b", "get", "f/\x1b[2J", "files", "read", sentence=1)
    text = spacetime(Explanation((), (step,), (Span("a\x00b", "x\u202ey", 1, 1, "ok"),)), (), "t\x07")
    ET.fromstring(text)
    assert "\\x1b[2J" in text
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", text)
    assert "a\\x00b" in spacetime(Explanation((), (replace(step, resource="f"),), ()))
