"""What is wrong about a question is said before Spark starts."""

import pytest

from real_backend.pipeline.folder import writing
from real_backend.pipeline.queries import QUERIES, run_query
from real_backend.pipeline.session import campaign_session, said, to_read, with_attempts


@pytest.mark.parametrize(
    ("name", "parameters", "words"),
    [
        ("nothing", {}, "query: expected configurations, .*, got 'nothing'"),
        ("slowest", {"a": "x"}, "query slowest: expected a parameter of limit, got 'a'"),
        ("growth", {"a": "x"}, "query growth: expected a parameter of none, got 'a'"),
        ("slowest", {"limit": "many"}, "query slowest: expected limit as int, got 'many'"),
    ],
)
def test_an_unknown_query_or_parameter_is_refused(tmp_path, name, parameters, words):
    """One line, that says what there is."""
    with writing(tmp_path / "c", {}), pytest.raises(ValueError, match=words):
        run_query(tmp_path / "c", name, parameters)


def test_a_folder_without_a_campaign_is_refused(tmp_path):
    """As when it is opened."""
    with pytest.raises(ValueError, match="expected a campaign's, got one without a readable"):
        run_query(tmp_path, "growth")


@pytest.mark.parametrize("name", QUERIES)
def test_a_query_says_what_it_answers_and_uses_its_parameters(name):
    """One sentence, and each parameter stands in its text."""
    query = QUERIES[name]
    assert query.about
    assert "\n" not in query.about
    assert all(f":{key}" in query.sql for key in query.parameters)


@pytest.mark.parametrize("master", ["", "here", "local[x]", "local[0]", "local-cluster[2]", "spark://"])
def test_an_unknown_master_is_refused(master):
    """Before Java is looked for."""
    with pytest.raises(ValueError, match="master: expected local"), campaign_session(master):
        pass


@pytest.mark.parametrize(
    ("master", "tried"),
    [("local", "local[1,4]"), ("local[*]", "local[*,4]"), ("local[3]", "local[3,4]"), ("yarn", "yarn")],
)
def test_a_local_master_tries_failed_tasks_again(master, tried):
    """As clusters do by themselves."""
    assert with_attempts(master) == tried


def test_characters_that_are_patterns_are_escaped(tmp_path):
    """Spark would look for other folders, and find none."""
    assert to_read(tmp_path / "a[1]") == f"file://{tmp_path}/a\\[1\\]"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("An error occurred.\n: java.Problem: no\n\tat x", "java.Problem: no"),
        ("Aborted\nTraceback (most recent call last):\n  File \"x\"\n    go()\nKeyError: 1\n\n\tat x", "KeyError: 1"),
        ("[PARSE] at line 1\n== SQL ==", "[PARSE] at line 1"),
        ("", "RuntimeError"),
    ],
)  # fmt: skip
def test_of_an_error_of_spark_the_line_is_told_that_says_most(text, line):
    """Python's if a task's code raised it, else Java's."""
    assert said(RuntimeError(text)) == line
