"""Every id that points outside has a row in docs/sources.md, every row is used, and both can fail."""

from dataclasses import fields

import pytest

from lakeproof.protocols import claims_of, with_claims
from lakeproof.scenarios import built_in
from tests.mutants.hive import MUTANTS
from tests.unit.house import rules, sources

PAGE = (rules.ROOT / "docs/sources.md").read_text(encoding="utf-8")
OWN = ("docs/sources.md", "tests/unit/house/sources.py", "tests/unit/house/test_sources.py")
TEXTS = {
    path: (rules.ROOT / path).read_text(encoding="utf-8")
    for path in (
        *(path for path in rules.text_files() if path.endswith((".py", ".md"))),
        *(f"tests/vectors/{file.name}" for file in sorted((rules.ROOT / "tests/vectors").glob("*.*"))),
    )
    if path not in OWN
}


def words(thing):
    """The strings in the fields of a dataclass."""
    return "\n".join(str(getattr(thing, field.name)) for field in fields(thing) if field.type == "str")


def test_every_id_in_code_documents_and_vectors_has_a_row():
    """Tests included."""
    found = {path: missing for path, text in TEXTS.items() if (missing := sources.unexplained(text, PAGE))}
    assert found == {}


def test_every_id_that_users_are_shown_has_a_row():
    """As scenarios, claims and mutants come out, however their texts are put together."""
    shown = [words(scenario) for scenario in built_in().values()]
    shown += [words(claim) for name in with_claims() for claim in claims_of(name)]
    shown += [mutant.name for mutant in MUTANTS]
    assert {"F-1", "G-6", "M13", "R1", "P51-1", "vector 25"} <= set().union(*(sources.ids(text) for text in shown))
    assert sources.unexplained("\n".join(shown), PAGE) == []


def test_every_row_is_used_and_stands_once():
    """None is left over from something that is gone."""
    assert sources.unused(list(TEXTS.values()), PAGE) == []
    rows = sources.rows(PAGE)
    assert len(rows) > 200
    assert sorted({*rows}) == sorted(rows)


def test_every_row_says_what_and_where():
    """Three cells with something in each."""
    for line in (line for line in PAGE.splitlines() if sources.rows(line)):
        cells = line.strip("|").split(" | ")
        assert [len(cell.strip()) > 1 for cell in cells] == [True] * 3, line


@pytest.mark.parametrize(
    ("planted", "unknown"),
    [
        ("the lock is gone (F-99)", "F-99"),
        ("Source: iceberg/1.1, hive/8.9.", "hive/8.9"),
        ("mutants M1 and M99", "M99"),
        ("see vectors 16 and 999", "vector 999"),
        ("HIVE-1 did it", "HIVE-1"),
        ("since #99999", "#99999"),
        ("J01, J99-late-alter", "J99"),
        ("P51-1 and P51-9", "P51-9"),
        ("RFC-56, RFC-99", "RFC-99"),
        ("G0, G-SI and G-99", "G-99"),
    ],
)
def test_planted_id_that_nobody_explains_is_found(planted, unknown):
    """Whichever kind it is of, and only it."""
    assert sources.unexplained(planted, PAGE) == [unknown]


@pytest.mark.parametrize("text", ["hive/iceberg-cas", "iceberg/append-append", "T1 < T2", "x = 1  # noqa: B023", "w1"])
def test_what_is_no_id_of_a_source_is_left_alone(text):
    """Scenarios, operations of a verdict, remarks to a linter, actors."""
    assert sources.unexplained(text, PAGE) == []


def test_row_that_nothing_uses_is_found():
    """An id inside another one, and a name, too."""
    page = "| `M1` | a | b |\n| `M13` | a | b |\n| `Nobody` | a | b |\n"
    assert sources.unused(["the mutant M13"], page) == ["M1", "Nobody"]
