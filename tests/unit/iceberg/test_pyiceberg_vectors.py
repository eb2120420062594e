"""Vectors on shipped PyIceberg: it comes to what Java's test says, or to something else for a reason that is known."""

from typing import Any

import pytest

from tests.mutants.pyiceberg_branches import OF_PYTHON_BRANCHES
from tests.unit.iceberg.pyiceberg_vectors import FOR_PYICEBERG, OF_BRANCHES, OF_RETRIES, mismatches
from tests.unit.lakeproof.scenario_files import ROOT

UNTOLD = ("pyiceberg-branch-rewrites-of-main", "pyiceberg-branch-upsert-of-main")

DIFFER: dict[str, dict[str, dict[str, Any]]] = {
    "it looks for its own snapshots before it applies anything again: what came after them stays": {
        "self-recognition-moves-main-back": {"data": ["A", "B", "C", "D"]},
    },
    "what a filter takes is planned once: a file that comes later stays": {
        "V08-filter-overwrite-not-validated": {"data": ["A2", "E"]},
        "V93-snapshot-filter-overwrite": {"data": ["A2", "B2"]},
        "filter-delete-is-re-evaluated": {"data": ["E"]},
        "filter-delete-meets-partial-match": {"error": None, "data": ["B", "E"]},
    },
    "it validates what it removes, whatever it is told": {
        "V11-not-validated": {"error": "ValidationFailed", "data": ["B"]},
        "filter-overwrite-redoes-its-manifests": {"error": "ValidationFailed", "data": ["B", "E"]},
    },
    "an outcome that is open is told, and not looked for": {
        "V82-landed-answered-500": {"error": "CommitStateUnknown"},
    },
    "it validates by all filters": {
        "of-two-filters-the-last-is-validated": {"error": "ValidationFailed", "data": ["A", "A2", "B"]},
    },
    "a file that is given twice is listed twice": {
        "append-of-one-file-twice": {"data": ["A", "B", "C", "C"]},
        "merge-append-of-one-file-twice": {"data": ["A", "B", "C", "C"]},
        "overwrite-with-one-file-twice": {"data": ["A2", "A2", "B"]},
    },
    "a column requires the schema to be as it was, and nothing else": {
        "column-beside-an-append": {"error": None, "data": ["A", "C", "D"], "columns": ["x"]},
    },
    "a transaction's own files are no conflict": {
        "transaction-meets-its-own-append": {"error": None, "data": ["A2"]},
    },
    "a snapshot to which nobody can go back is a ValueError": {
        "roll-back-to-no-ancestor": {"error": "InvalidOperation"},
        "roll-back-to-unknown": {"error": "InvalidOperation"},
    },
    "what makes no snapshot is not tried again": {
        "roll-back-over-an-append": {"error": "CommitFailed", "data": ["A", "B", "C"], "refs": {"main": 2}},
        "rest-column-beside-an-append": {"error": "CommitFailed", "columns": []},
        "rest-roll-back-beside-an-append": {"error": "CommitFailed", "data": ["A", "B", "C"], "refs": {"main": 2}},
        "rest-roll-back-to-expired": {"error": "CommitFailed"},
        "rest-branch-beside-an-append": {"error": "CommitFailed", "refs": {"main": 1}},
    },
    "a branch that is not there begins with what is written": {
        "publish-a-branch": {"data": ["B"]},
        "publish-what-has-moved": {"data": ["B"]},
    },
    "a ref that is there is moved by whoever makes it": {
        "create-branch-twice": {"error": None},
        "replace-missing-branch": {"error": None, "refs": {"main": 0, "b": 0}},
    },
    "any ref is removed by any name, main too": {
        "remove-main": {"error": None, "data": []},
        "remove-tag-as-branch": {"error": None, "refs": {"main": 0}},
    },
    "a ref that is removed is asserted to be where it was": {
        "rest-tag-removed-beside-its-move": {"error": "CommitFailed", "refs": {"main": 1, "t": 1}},
    },
    "a ref that is not there is a ValueError": {
        "publish-nothing": {"error": "InvalidOperation"},
    },
    "format-version is a property like any other to it": {
        "format-3-wants-row-ids": {"error": None, "data": ["A", "B", "C"]},
        "format-goes-back": {"error": None},
        "format-changes-beside-append": {"sequence": [0, 0]},
    },
}
"""Why, and what vectors come to instead. Source: `pyiceberg/table/__init__.py`,
`table/update/snapshot.py`, `validate.py`."""
OTHERWISE = {name: instead for names in DIFFER.values() for name, instead in names.items()}


@pytest.mark.parametrize("name", FOR_PYICEBERG)
def test_vector(name):
    """The library comes out as Java's test says, or as it is said above."""
    vector = FOR_PYICEBERG[name]
    assert mismatches({**vector, "expect": vector["expect"] | OTHERWISE.get(name, {})}) == []


@pytest.mark.parametrize("name", OTHERWISE)
def test_it_does_not_do_what_java_does(name):
    """No reason is there for nothing."""
    assert mismatches(FOR_PYICEBERG[name]) != []


@pytest.mark.parametrize("name", OF_BRANCHES)
def test_vector_of_branches(name):
    """Those that are PyIceberg's own: what it does in branches, and what of it Java does not."""
    assert mismatches(OF_BRANCHES[name]) == []


@pytest.mark.parametrize("name", OF_RETRIES)
def test_vector_of_retries(name):
    """As the library's own test says."""
    assert mismatches(OF_RETRIES[name]) == []


@pytest.mark.parametrize("mutant", OF_PYTHON_BRANCHES, ids=lambda one: one.name)
def test_a_mutant_does_not_come_out_as_its_vectors_say(mutant):
    """But for what is no builder's own: an upsert, and what a delete reads."""
    told = [vector for vector in OF_BRANCHES.values() if mutant.name in vector.get("kills", ())]
    assert bool(told) != (mutant.name in UNTOLD)
    with mutant.alive():
        assert all(mismatches(vector) for vector in told)


def test_there_are_enough():
    """A vector that asks for one operation more than the library has is not asked of it."""
    assert len(FOR_PYICEBERG) >= 105
    assert len(OF_BRANCHES) >= 20


def test_the_readme_counts_them():
    """Those that come to what they are in Java, those that do not, and why."""
    told = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    asked, others = len(FOR_PYICEBERG), len(OTHERWISE)
    assert f"{asked} are asked of it: {asked - others} come to what they are in Java, {others} to something" in told
    assert f"for {len(DIFFER)} reasons" in told
    assert f"{len(OF_BRANCHES)} more say what it does in branches" in told
