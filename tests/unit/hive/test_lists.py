"""Lists of valid ids: string forms both ways, validity, what events do to a list, and texts that are no lists."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.hive import parse_txn_list, parse_write_ids, short_list
from model.hive.errors import MalformedList
from model.hive.lists import NONE_OPEN, ValidTxnList, ValidWriteIdList

FREE = str(NONE_OPEN)


@pytest.mark.parametrize(
    "text",
    [
        f"5:{FREE}::",
        "11:4:4,6,10:2,8",
        "20:3:3,5-12:14,15",
        "11:4:4-8,10:2,9",
        "5:4:2,4:",
        f"0:{FREE}::",
        f"2:{FREE}::1",
    ],
)
def test_transaction_lists_round_trip(text):
    """The strings of TestValidReadTxnList, runs of five and more as ranges (HIVE-23819)."""
    assert str(parse_txn_list(text)) == text


@pytest.mark.parametrize(
    "text", ["default.t:12:7:7,12:8", f"default.t:5:{FREE}::", "default.m:2:1:1:", f"default.m:2:{FREE}::1"]
)
def test_write_id_lists_round_trip(text):
    """The strings of TestValidReaderWriteIdList, and those that a live 4.0.1 answered."""
    assert str(parse_write_ids(text)) == text


def test_missing_trailing_fields_and_the_empty_text():
    """Accepted by the real parser."""
    assert parse_write_ids("default.t:5") == parse_write_ids(f"default.t:5:{FREE}::")
    assert parse_txn_list("").is_valid(10**18)


def test_validity():
    """At or below the high-water mark, and no exception."""
    ids = parse_write_ids("default.t:12:7:7,12:8")
    assert [n for n in range(1, 15) if ids.is_valid(n)] == [1, 2, 3, 4, 5, 6, 9, 10, 11]
    assert [n for n in range(1, 15) if ids.is_aborted(n)] == [8]
    txns = parse_txn_list("5:4:2,4:")
    assert [n for n in range(1, 7) if txns.is_valid(n)] == [1, 3, 5]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("default.t:x", "expected a high-water mark, got 'x'"),
        ("default.t", "expected db.table:high:min_open:open:aborted, got 1 fields"),
        (":5::", "expected db.table:high:min_open:open:aborted"),
        ("default.t:5:1:1:2:3", "got 6 fields"),
        ("default.t:5:1:1,y:", "expected an id, got 'y'"),
        ("default.t:5:1:1-3:", "only transaction lists have ranges"),
        ("default.t:5:1:3,2:", "expected exceptions ascending and once each, got 3,2"),
        ("default.t:5:1:2:2", "expected exceptions ascending and once each, got 2,2"),
        ("default.t:5:1:6:", r"expected exceptions in 1\.\.5, got 6\.\.6"),
        ("default.t:5:-1::", "expected the lowest open id, got '-1'"),
        ("default.t:\u0665", "expected a high-water mark"),
    ],
)
def test_a_malformed_list_of_write_ids_says_what_where_expected_got(text, message):
    """One line, and no list."""
    with pytest.raises(MalformedList, match=message) as raised:
        parse_write_ids(text)
    assert "\n" not in str(raised.value)
    assert text.split(":")[0] in str(raised.value)


@pytest.mark.parametrize("text", ["x", "5:1:1:2:3", "5:1:9:", "5:1:3-1:", "5:1:1-:", "5:1:,:"])
def test_a_malformed_list_of_transactions_is_no_list(text):
    """Neither empty ranges, nor missing ends."""
    with pytest.raises(MalformedList):
        parse_txn_list(text)


@pytest.mark.parametrize("text", ["12:7", "[12]", "[12:7:8]", "[x:]"])
def test_the_short_form_is_checked_too(text):
    """[12:7,8,12], or nothing."""
    with pytest.raises(MalformedList):
        short_list(text)


def test_ids_that_nobody_has_heard_of_are_open():
    """Commit 14 on top of [11:7,8]: 12 and 13 may be open. P51 took them for committed."""
    tag = short_list("[11:7,8]")
    assert tag.committed(14).short == "[14:7,8,12,13]"
    assert tag.aborting(13).short == "[13:7,8,12,13]"
    assert tag.aborting(13).aborted == (13,)
    assert tag.opened(11) is tag


def test_only_an_open_id_commits_or_aborts():
    """An aborted id stays aborted, a committed one committed."""
    tag = ValidWriteIdList("t", 9, [5], [7])
    assert tag.committed(7) == tag
    assert tag.aborting(3) == tag
    assert tag.committed(5) == ValidWriteIdList("t", 9, [], [7])
    assert tag.aborting(5) == ValidWriteIdList("t", 9, [], [5, 7])


def test_a_renamed_table_keeps_its_ids():
    """Under the new name."""
    assert str(parse_write_ids("a.t:12:7:7,12:8").renamed("a.u")) == "a.u:12:7:7,12:8"


IDS = st.integers(1, 60)


@given(st.integers(0, 40), st.sets(IDS), st.sets(IDS))
def test_any_list_survives_its_text(high, some, others):
    """1,000 exceptions or none."""
    is_open = sorted(n for n in some if n <= high)
    aborted = sorted(n for n in others - some if n <= high)
    assert parse_write_ids(str(ValidWriteIdList("default.t", high, is_open, aborted))).invalid == tuple(
        sorted(is_open + aborted)
    )
    txns = ValidTxnList(high, is_open, aborted)
    assert parse_txn_list(str(txns)) == txns


@given(st.lists(st.tuples(st.sampled_from(["opened", "committed", "aborting"]), IDS), max_size=25))
def test_events_in_any_order_keep_a_list_well_formed(events):
    """What was valid stays valid, what was aborted stays aborted, and the text can be read back."""
    ids = ValidWriteIdList("default.t", 3, [2], [3])
    for name, write_id in events:
        before = ids
        ids = getattr(ids, name)(write_id)
        assert all(ids.is_valid(n) for n in range(1, before.high + 1) if before.is_valid(n))
        assert set(before.aborted) <= set(ids.aborted)
    assert parse_write_ids(str(ids)) == ids


def test_a_list_is_parsed_once():
    """However many reads send it; another text is another list, and one that is malformed is refused each time."""
    text = f"default.once:5:{FREE}:2:3"
    assert parse_write_ids(text) is parse_write_ids("".join(list(text)))
    assert parse_write_ids(text) != parse_write_ids(text.replace("once", "twice"))
    for _ in range(2):
        with pytest.raises(MalformedList):
            parse_write_ids("default.once:five")
