"""`lakeproof query`: what it asks, how it prints, what it refuses. Spark's part is the pipeline's, and tested there."""

import json

import pytest

from lakeproof.commands import query
from real_backend.errors import BackendUnavailable
from real_backend.pipeline.queries import QUERIES, Answer

ANSWER = Answer(("protocol", "scenario", "n"), (("till", "till/generated/shipped/1", 3), ("till", None, 0)))


@pytest.fixture
def asked(monkeypatch):
    """What Spark would have been asked."""
    asked = []

    def answer(*arguments, **more):
        asked.append((*arguments, more))
        return ANSWER

    monkeypatch.setattr(query, "run_query", answer)
    monkeypatch.setattr(query, "run_sql", answer)
    return asked


def test_questions_are_listed_with_what_they_answer(call):
    """And with their parameters."""
    said = call("query").stdout
    for name, one in QUERIES.items():
        assert f"{name}" in said
        assert one.about in said
    assert "longest-search (limit=20)" in said


def test_a_question_is_asked_of_a_folder_with_its_parameters(call, asked):
    """The answer is a table."""
    result = call("query", "rare-pairs", "folder", "--set", "most=3", "--master", "local[2]")
    assert result.exit_code == 0
    ((path, name, given, more),) = asked
    assert (str(path), name, given, more) == ("folder", "rare-pairs", {"most": "3"}, {"master": "local[2]"})
    assert "till/generated/shipped/1" in result.stdout
    assert "lakeproof run till/generated/shipped/1" in result.stderr


def test_a_question_of_ones_own_is_asked(call, asked):
    """The one argument is the folder."""
    assert call("query", "folder", "--sql", "select 1").exit_code == 0
    ((path, text, given, _),) = asked
    assert (str(path), text, given) == ("folder", "select 1", {})


def test_an_answer_can_be_csv_or_json_lines(call, asked):
    """For other programs."""
    assert call("query", "causes", "f", "--output", "csv").stdout.splitlines()[0] == "protocol,scenario,n"
    lines = call("query", "causes", "f", "--output", "json").stdout.splitlines()
    assert json.loads(lines[1]) == {"protocol": "till", "scenario": None, "n": 0}


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["nope", "folder"], 64, "query: expected configurations, growth, causes"),
        (["causes"], 64, "expected a campaign's folder, got none"),
        (["causes", "no"], 64, "folder no: expected a campaign's, got one without a readable campaign.json"),
        (["causes", "f", "--sql", "select 1"], 64, "expected a campaign's folder beside it, got causes and f"),
        (["causes", "f", "--set", "a"], 64, "--set a: expected NAME=VALUE, each name once"),
        (["causes", "f", "--set", "a=1"], 64, "query causes: expected a parameter of none, got 'a'"),
        (["no", "--sql", "select 1"], 65, "folder no: expected a campaign's"),
        (["causes", "f", "--output", "xml"], 64, "'xml' is not one of"),
    ],
)
def test_what_cannot_be_asked_is_one_line(call, arguments, code, said):
    """Before Spark is started."""
    result = call("query", *arguments)
    assert result.exit_code == code, result.stderr
    assert said in result.stderr


def test_without_java_it_is_one_line(call, monkeypatch):
    """Exit 2, as for every live system that is not there."""

    def none(*_, **__):
        raise BackendUnavailable("Java: expected java on the PATH or JAVA_HOME, found neither")

    monkeypatch.setattr(query, "run_query", none)
    result = call("query", "causes", "f")
    assert result.exit_code == 2
    assert "lakeproof: Java: expected java on the PATH" in result.stderr
