"""Each numbered test of Hudi's and Iceberg's is a vector, or stands in docs/vectors.md with where it is, or why not."""

import json
import re

import pytest

from tests.unit.house import rules

FOLDER = rules.ROOT / "tests/vectors"
HUDI, ICEBERG = (rules.ROOT / "docs/vectors.md").read_text(encoding="utf-8").split("\n## ")[1:]
LISTS = {
    "hudi": (HUDI, 63, re.findall(r"^(\d+)\w? [A-Z]{2} \|", (FOLDER / "hudi.txt").read_text(encoding="utf-8"), re.M)),
    "iceberg": (ICEBERG, 105, []),
}
NAMES = [
    vector["name"]
    for file in sorted([*FOLDER.glob("iceberg*.json"), *FOLDER.glob("pyiceberg_*.json")])
    for vector in json.loads(file.read_text(encoding="utf-8"))
    if isinstance(vector, dict)
]
LISTS["iceberg"][2].extend(found[1] for name in NAMES if (found := re.match(r"V(\d+)-", name)))


def rows(page):
    """The numbers in the first column, each with the last one's text."""
    cells = [line.strip("| ").split(" | ") for line in page.splitlines() if re.match(r"\| \d", line)]
    return {int(number): last for first, _, last in cells for number in first.split(", ")}


@pytest.mark.parametrize("name", LISTS)
def test_each_number_is_a_vector_or_has_its_row(name):
    """And none is both."""
    page, last, found = LISTS[name]
    vectors, told = {int(number) for number in found}, {*rows(page)}
    assert {*range(1, last + 1)} - vectors - told == set()
    assert vectors & told == set()


PARTS = {"30", "52", "53", "54", "61", "62", "63"}
"""Numbers of tests of one part alone: a lock's provider, markers, a checker."""


def test_each_vector_of_a_part_has_a_live_case_or_says_why_not():
    """A live test takes all of a kind, but for those of some words; a line of the file says why not, of the same."""
    text = (FOLDER / "hudi.txt").read_text(encoding="utf-8")
    tests = "".join([file.read_text(encoding="utf-8") for file in (rules.ROOT / "tests/live/hudi").glob("test_*.py")])
    taken = re.findall(r'^@of_kind\("([\w-]+)"([^)]*)\)', tests, re.M)
    live = {kind: re.findall(r'"([^"]+)"', but) for kind, but in taken}
    unlike = [(kind, words.split()) for kind, words in re.findall(r"^# not live: ([\w-]+)([^:]*): .", text, re.M)]
    vectors = [line.split(" | ") for line in re.findall(r"^\d.*", text, re.M) if re.findall(r"\d+", line)[0] in PARTS]
    assert len(vectors) > 20
    for name, test, kind, given, _ in vectors:
        said = any(kind == other and all(word in given.split() for word in words) for other, words in unlike)
        plays = kind in live and not any(word in given for word in live[kind])
        assert said != plays, f"{name} {test}: expected a live case or a reason, and not both"


def test_each_vector_that_a_row_names_is_there():
    """No name that nothing has."""
    named = [each for text in rows(ICEBERG).values() for each in re.findall(r"`([a-z0-9-]+)`", text)]
    assert len(named) > 25
    assert {*named} - {*NAMES} == set()
