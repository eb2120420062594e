"""The readings of "fresh or newer": executed vectors, and what each gets wrong where lists are incomparable."""

import json
from pathlib import Path

import pytest

from model.hive import compare, compare_2_8_1, parse_write_ids, short_list, superset
from model.hive.comparison import RULES, equivalent, lexicographic
from model.hive.errors import OtherTable
from model.hive.lists import ValidWriteIdList

FILE = Path(__file__).resolve().parents[2] / "vectors" / "hive_compare.json"
VECTORS = json.loads(FILE.read_text(encoding="utf-8"))["vectors"]


def committed(ids: ValidWriteIdList) -> set[int]:
    """The ids that a list calls committed."""
    return {write_id for write_id in range(1, ids.high + 1) if ids.is_valid(write_id)}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["id"]))
def test_vector(vector):
    """Shipped, fixed and inclusion, as executed on the real classes."""
    a, b = short_list(vector["a"]), short_list(vector["b"])
    assert (compare_2_8_1(a, b), compare(a, b)) == (vector["shipped"], vector["fixed"])
    ours, theirs = committed(a), committed(b)
    relation = "=" if ours == theirs else ">" if ours > theirs else "<" if ours < theirs else "|"
    assert relation == vector["set"]
    assert superset(a, b) == (relation in "=>")
    assert superset(b, a) == (relation in "=<")
    assert equivalent(a, b) == (compare(a, b) == 0)


def test_shipped_compare_calls_each_of_two_lists_newer_than_the_other():
    """Vectors 16 and 17 (HIVE-24975)."""
    a, b = short_list("[1:1]"), short_list("[1:]")
    assert compare_2_8_1(a, b) == compare_2_8_1(b, a) == 1
    assert compare(a, b) == -compare(b, a) == -1


@pytest.mark.parametrize(("tag", "request_"), [("[4:]", "[5:4]"), ("[2:2]", "[2:1]")])
def test_only_inclusion_refuses_a_cache_that_lacks_what_the_reader_must_see(tag, request_):
    """Vectors 25 and 27: the lists are not prefixes of one history."""
    cached, wanted = short_list(tag), short_list(request_)
    assert lexicographic(cached, wanted)
    assert not superset(cached, wanted)


def test_forgotten_aborts_only_cost_a_read_of_the_database():
    """Vector 30: by the lists, 6 to 8 were committed."""
    assert not superset(short_list("[5:]"), short_list("[8:]"))


@pytest.mark.parametrize("rule", [rule for name, rule in RULES.items() if name not in ("none", "lexicographic-names")])
def test_a_list_of_another_table_is_an_error(rule):
    """Which, expected, got; names are compared as Hive does, without case."""
    tag = parse_write_ids("default.t:3:9223372036854775807::")
    with pytest.raises(
        OtherTable, match=r"write id list default\.u:3:.*expected a list of table default\.t, got one of"
    ):
        rule(tag, parse_write_ids("default.u:3:9223372036854775807::"))
    assert rule(tag, parse_write_ids("DEFAULT.T:3:9223372036854775807::"))


def test_upstream_calls_the_list_of_the_later_name_newer():
    """Whatever it has: the unmerged patch serves the entry of `default.u` to whoever asks for `default.t`."""
    t, u = (parse_write_ids(f"{name}:3:9223372036854775807::") for name in ("default.t", "default.u"))
    names = RULES["lexicographic-names"]
    assert (names(u, t), names(t, u), names(t, t)) == (True, False, True)
    assert not names(parse_write_ids("DEFAULT.T:2:9223372036854775807::"), t)


def test_aborted_or_open_makes_no_difference():
    """`compare` never looks at the aborted bits."""
    a, b = ValidWriteIdList("t", 9, [5], [7]), ValidWriteIdList("t", 9, [5, 7], [])
    assert compare(a, b) == compare_2_8_1(a, b) == 0
    assert superset(a, b)
    assert superset(b, a)
