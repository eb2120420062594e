"""The space-time diagram: lanes, marks, window, and the same bytes every time."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from lakeproof.scenarios import built_in
from reports.pictures.lanes import actors_of
from reports.pictures.spacetime import MAX_DRAWN, spacetime
from reports.record import Explanation, Span, Step
from tests.unit.reports.runs import LOST, SNAPSHOT, record

SVG = "{http://www.w3.org/2000/svg}"


def diagram(name, steps=None):
    """The diagram of a run, and its texts in order."""
    found, _ = record(name, steps)
    text = spacetime(found.explanation, found.judged.rows)
    return text, [element.text for element in ET.fromstring(text).iter(f"{SVG}text")]


def test_lanes_versions_refusal_and_final_read_are_drawn():
    """One lane an actor and a service; the versions stand on the table's lane."""
    text, words = diagram(SNAPSHOT, LOST)
    assert {"w1", "w2", "db.t", "object store", "s0", "s1", "s2", "final read"} <= set(words)
    assert "refused" in words
    assert "sees s1" in words
    assert "✗ row 1: 'A'" in words
    assert "must be absent" in words
    assert text.count("<polygon") == 2  # two commits


def test_faults_are_marked_with_their_names():
    """On the actor's lane, below the step."""
    _, words = diagram("iceberg/update-reply-faults", "w1:commit w1.commit!503-after-retry w1:end")
    assert "ϟ 503-after-retry" in words


def test_the_numbers_on_top_are_those_of_the_sentences():
    """So that picture and text can be read together."""
    found, _ = record(SNAPSHOT, LOST)
    _, words = diagram(SNAPSHOT, LOST)
    told = {str(step.sentence) for step in found.explanation.steps}
    assert told <= set(words)


@pytest.mark.parametrize("name", list(built_in()))
def test_every_built_in_scenario_can_be_drawn_twice_alike(name):
    """Well-formed, and the same bytes."""
    once, _ = diagram(name)
    again, _ = diagram(name)
    assert once == again


def steps(count):
    """A long run of one actor."""
    return tuple(Step(n, n, "a", "get", f"f/{n}", "files", "read", sentence=1) for n in range(1, count + 1))


def test_a_long_run_is_drawn_from_its_end_and_says_what_is_left_out():
    """The size does not grow with the run."""
    long = Explanation((), steps(MAX_DRAWN + 500), (Span("a", "scan", 1, MAX_DRAWN + 500, "ok"),))
    text = spacetime(long)
    assert "500 earlier steps left out" in text
    assert text.count("<circle") == 2 * MAX_DRAWN
    assert len(text) < 150_000


def test_a_explanation_without_steps_has_no_diagram():
    """A history from elsewhere has none."""
    assert spacetime(Explanation()) == ""


def test_a_table_that_is_only_read_keeps_its_version():
    """No commit, one version from end to end."""
    load = replace(steps(1)[0], operation="load", resource="n", lane="table", kind="load", version="s0")
    assert ">s0</text>" in spacetime(Explanation((), (load,), ()))


def test_helper_tasks_are_drawn_on_the_lane_of_their_process():
    """A heartbeat is no actor of its own."""
    own = steps(2)
    helper = replace(own[0], number=3, actor="a-heartbeat", operation="heartbeat", lane="locks", kind="call")
    explanation = Explanation((), (*own, helper), ())
    assert list(actors_of(explanation)) == ["a"]
    assert "lock service" in spacetime(
        replace(explanation, steps=(*explanation.steps, replace(helper, number=4, resource="2")))
    )


def test_markup_in_names_stays_text():
    """A path or an operation cannot add elements."""
    evil = "</text><script>alert(1)</script>"
    explanation = Explanation((), (replace(steps(1)[0], actor=evil, resource=evil),), (Span(evil, evil, 1, 1, "ok"),))
    text = spacetime(explanation)
    ET.fromstring(text)
    assert "<script" not in text
