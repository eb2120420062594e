"""Values in words: whole, clipped with their length, and never able to move a cursor."""

import re
from dataclasses import replace

import pytest

from lakeproof.scenarios import built_in
from reports.explanation.build import question_of
from reports.explanation.explain import explain
from reports.explanation.renderer import MAX_VALUE, file_name, short
from reports.pages.html import page
from reports.pages.text import explanation
from reports.pictures.lanes import LABEL_SIZE
from reports.record import Row
from sim.hive.workload import Begin, HiveSession, HiveWorkload
from sim.search.run import Runner
from sim.search.strategies import FirstCome
from sim.world.program import program
from sim.world.scenario import Scenario, parameters_of
from tests.unit.reports.runs import LOST, SNAPSHOT, record

UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f\u202e]")
NASTY = "\x1b[2J\x00\u202e"


@pytest.mark.parametrize("value", ["s3://east/1", "arn:aws:s3:::b/k", "2026/11/22", "a" * MAX_VALUE])
def test_a_value_is_told_whole(value):
    """What follows its last slash is not the value."""
    assert short(value) == repr(value)


def test_a_long_value_is_clipped_with_its_length():
    """Text and anything else."""
    assert short("a" * 10_000) == f"'{'a' * MAX_VALUE}'... (10,000 characters)"
    assert short(tuple(range(1_000))).endswith("characters)")
    assert short(b"x" * 5_000) == "5,000 bytes"


def test_uuids_are_cut_short_in_file_names_only():
    """A value may be one."""
    uuid = "01234567-89ab-cdef-0123-456789abcdef"
    assert file_name(f"db/t/metadata/00001-{uuid}.json") == "00001-01234567….json"
    assert short(uuid) == repr(uuid)


def told_of(name, value):
    """The sentences of a client that commits this value to a table of this name."""

    def start(simulation):
        world = simulation.world("a")
        simulation.actor("a", lambda: world.register.commit(name, world.register.load(name).version, value))
        op = simulation.record.invoke("b", "set", value)
        simulation.record.fail(op, value)

    def prepare(simulation):
        simulation.services.register.commit(name, 0, "0")

    return explain(Runner(Scenario("t", program(start, prepare=prepare), ("readable",))).run(FirstCome()))


def test_a_committed_place_is_told_with_its_scheme_and_host():
    """Two places that end alike are two places."""
    assert any("commits n = 's3://east/1' on" in one.text for one in told_of("n", "s3://east/1").sentences)


def test_control_characters_are_written_out_in_sentences():
    """Whoever prints them is safe: a terminal, explain.md, JUnit."""
    texts = [one.text for one in told_of(f"n{NASTY}", NASTY).sentences]
    assert not any(UNSEEN.search(text) for text in texts)
    assert any("\\x1b[2J\\x00\\u202e" in text for text in texts)


def test_nothing_from_outside_is_markup_in_markdown():
    """Not in a sentence, not in a table's cell; a schedule is code and stays as it is."""
    found, _ = record(SNAPSHOT, LOST)
    row = Row(f"k|{NASTY}", "'<b>'", "'a|b'", False)
    nasty = replace(
        found, summary=f"<b>{NASTY}", schedule=f"w1:end <b>{NASTY}", judged=replace(found.judged, rows=(row,))
    )
    text = explanation(nasty)
    assert not UNSEEN.search(text)
    assert "&lt;b>\\x1b[2J" in text
    assert "| k&#124;\\x1b[2J\\x00\\u202e | '&lt;b>' | 'a&#124;b' |" in text.splitlines()
    assert "w1:end <b>\\x1b[2J\\x00\\u202e" in text.splitlines()


def test_control_characters_are_written_out_on_pages():
    """Wherever a record holds them; lines of a schedule stay lines."""
    found, history = record(SNAPSHOT, LOST)
    sentences = tuple(replace(one, text=NASTY, actor=NASTY) for one in found.explanation.sentences)
    nasty = replace(
        found, scenario=NASTY, summary=NASTY, headline=NASTY, command=NASTY, schedule=f"one{NASTY}\ntwo",
        knobs={NASTY: NASTY}, explanation=replace(found.explanation, sentences=sentences, therefore=(NASTY,)),
    )  # fmt: skip
    text = page(nasty, history)
    assert not UNSEEN.search(text)
    assert "one\\x1b[2J\\x00\\u202e\ntwo" in text


@pytest.mark.parametrize(
    ("properties", "question"),
    [
        (("freshness",), "Does freshness hold within these bounds?"),
        (("readable", "no-leaks"), "Do readable and no-leaks hold within these bounds?"),
        (tuple("abcdef"), "Do 6 properties, from a to f, hold within these bounds?"),
    ],
)
def test_a_question_is_a_sentence_and_no_list_of_names(properties, question):
    """The page has a chip for each property."""
    assert question_of(Scenario("t", program(lambda simulation: None), properties)) == question


def test_every_property_has_a_chip_that_says_how_it_came_out():
    """Also the valid ones."""
    found, history = record(SNAPSHOT, LOST)
    text = page(found, history)
    assert all(f">{name}: {outcome}</span>" in text for name, outcome in found.judged.results.items())
    assert "valid" in found.judged.results.values()


def test_parameters_are_told_in_words():
    """Not as Python writes them."""
    for scenario in built_in().values():
        for name, value in scenario.parameters:
            assert not re.search(r"[()'\[\]]|\b(True|False|None)\b", value), (scenario.name, name, value)
    known = parameters_of(HiveWorkload((HiveSession("w1", "h1", (Begin(),)),)), without=("sessions", "tables"))
    assert dict(known).items() >= {"replicas": "h1, h2", "pollers": "h2", "cold": "none"}.items()


def test_pictures_keep_their_size_on_a_phone_and_pages_follow_the_screen():
    """They are scrolled, not shrunk until nobody can read them: on a wide screen, to labels of 10 px at most."""
    text = page(*record(SNAPSHOT, LOST))
    ((least, width),) = re.findall(r'--least:(\d+)px" tabindex="0"><svg [^>]*width=.([\d.]+)', text)
    assert int(least) * LABEL_SIZE >= float(width) * 9.99
    rules = [line for line in text.splitlines() if "svg {" in line and "max-width: 100%" in line]
    assert [rule.startswith("@media (min-width: 1000px)") for rule in rules] == [True]
    assert text.count("@media (prefers-color-scheme: dark)") >= 2
    assert ".explanation .n" in text
    assert '<ol class="explanation">' in text
