"""The page of the cache's mutants has each of them, with the properties that are asked."""

from pathlib import Path

from tests.mutants.hive import MUTANTS
from tests.search.hive.planted import INSTEAD, ROW

PAGE = Path("docs/hive-mutants.md")


def test_the_page_says_what_each_mutant_breaks_and_what_is_asked():
    """One row a mutant; a reason where the generators are asked for another property than its row's, and only there."""
    rows = [line.strip("| ").split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines() if " | " in line]
    asked = {mutant.name: INSTEAD.get(mutant.name, (ROW[mutant.name], "")) for mutant in MUTANTS}
    assert [(row[0], row[2], row[3]) for row in rows[2:]] == [
        (mutant.name, ROW[mutant.name], asked[mutant.name][0]) for mutant in MUTANTS
    ]
    assert [row[4].rstrip(" |") if len(row) > 4 else "" for row in rows[2:]] == [asked[one.name][1] for one in MUTANTS]
    assert {name for name, (broken, _) in INSTEAD.items() if broken == ROW[name]} == set()
