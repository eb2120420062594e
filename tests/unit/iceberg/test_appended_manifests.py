"""Appends of manifests: in words, and what their caller deletes."""

import pytest

from sim.iceberg.manifests import AppendManifest
from sim.iceberg.scenarios import race
from sim.iceberg.workload import Append, describe
from sim.search.run import Runner
from sim.search.strategies import FirstCome

NEW = ((3, "x"),)


def left_by(statement, **further):
    """What such a writer is told, and the manifests of his that are left."""
    scenario = race("appended", "", {"w1": [statement]}, catalog="java-api", **further)
    run = Runner(scenario).run(FirstCome())
    told = [event.error or "ok" for event in run.events if event.process == "w1" and event.type != "invoke"]
    return told, [path for path in run.left.objects if "/given-" in path]


@pytest.mark.parametrize(("statement", "words"), [
    (AppendManifest(NEW), ("append manifest", "row 3 = x")),
    (AppendManifest(NEW, merge=True, cleans="after any error"), ("import", "row 3 = x")),
])  # fmt: skip
def test_it_has_words(statement, words):
    """An import is one by itself, as what it does after an error is."""
    assert describe(statement) == words


@pytest.mark.parametrize("merge", [False, True])
def test_it_stays_where_it_is_listed_and_goes_where_a_copy_is(merge):
    """In format 1, which has no inheritance, the caller deletes it."""
    assert left_by(AppendManifest(NEW, merge))[1] != []
    assert left_by(AppendManifest(NEW, merge), table_properties=(("format-version", "1"),)) == (["ok"], [])


def test_it_goes_where_it_was_merged():
    """With the commit: it is the table's."""
    merged = {"history": (Append(((2, "b"),)),), "table_properties": (("commit.manifest.min-count-to-merge", "2"),)}
    assert left_by(AppendManifest(NEW, merge=True), **merged) == (["ok"], [])
    assert left_by(AppendManifest(NEW), **merged)[1] != []
