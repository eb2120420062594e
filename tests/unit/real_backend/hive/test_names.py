"""What a live metastore answers about ids becomes the model's lists; live names and numbers become the workload's."""

from types import SimpleNamespace

import pytest

from real_backend.hive.names import Names, txn_list, write_id_list


def opened(high, ids, aborted=()):
    """An answer to get_open_txns: ids that are open or aborted, the flags of the latter as bits."""
    bits = bytearray((len(ids) + 7) // 8)
    for place, txn in enumerate(sorted(ids)):
        if txn in aborted:
            bits[place // 8] |= 1 << (place % 8)
    return SimpleNamespace(txn_high_water_mark=high, open_txns=list(ids), abortedBits=bytes(bits), min_open_txn=None)


@pytest.mark.parametrize(
    ("own", "answer", "text"),
    [
        (5, opened(5, [5]), "5:9223372036854775807::"),
        (5, opened(7, [3, 5, 7]), "5:3:3:"),
        (5, opened(7, [2, 3, 5, 7], aborted=[2]), "5:3:3:2"),
        (9, opened(9, list(range(1, 10)), aborted=[9]), "9:1:1-8:"),
        (2, opened(2, [1], aborted=[1]), "2:9223372036854775807::1"),
    ],
)
def test_a_transaction_sees_what_is_below_it_and_not_open(own, answer, text):
    """Itself is never an exception; what has a larger id is not seen at all."""
    assert str(txn_list(own, answer)) == text


@pytest.mark.parametrize(
    ("high", "ids", "bits", "text"),
    [
        (0, [], b"", "default.t:0:9223372036854775807::"),
        (2, [1], b"\x00", "default.t:2:1:1:"),
        (2, [1], b"\x01", "default.t:2:9223372036854775807::1"),
        (12, [7, 8, 12], b"\x02", "default.t:12:7:7,12:8"),
    ],
)
def test_a_tables_list_has_open_and_aborted_ids_apart(high, ids, bits, text):
    """The flags are bits, lowest first."""
    answer = SimpleNamespace(writeIdHighWaterMark=high, invalidWriteIds=ids, abortedBits=bits)
    assert str(write_id_list("default.t", answer)) == text


def test_names_go_both_ways():
    """A run's tables are in a database of its own."""
    names = Names("run7")
    assert names.live("default.t") == "run7.t"
    assert names.ours("run7.t") == "default.t"


def test_transactions_are_numbered_in_the_order_in_which_they_are_opened():
    """Whatever the metastore calls them."""
    names = Names("run7")
    assert [names.opened(live) for live in (41, 40)] == [1, 2]
    assert [names.live_txn(1), names.live_txn(2)] == [41, 40]
    assert [names.number_of(40), names.number_of(41)] == [2, 1]


def test_tables_are_numbered_in_the_order_in_which_they_are_made():
    """Those that are to be made have tickets; one that is made first is the first, one that is refused is none."""
    names = Names("run7")
    first, refused, second = names.ticket(), names.ticket(), names.ticket()
    assert len({first, refused, second}) == 3
    assert (names.made(second, 40), names.made(first, 41)) == (1, 2)
    assert (names.made_with(second), names.made_with(first)) == (1, 2)
    assert (names.ticket_of(1), names.ticket_of(2), names.ticket_of(3)) == (second, first, 0)
    assert (names.live_id(1), names.live_id(2)) == (40, 41)


def test_unknown_table_gets_an_id_that_no_table_has():
    """So that a request for it is one for another table."""
    names = Names("run7")
    names.live_ids[1] = 17
    assert names.live_id(1) == 17
    assert names.live_id(2) > 1 << 32


def test_locks_are_numbered_in_the_order_in_which_they_are_asked_for():
    """Live numbers are those of everybody's requests."""
    names = Names("run1")
    assert [names.asked_for(live) for live in (41, 57)] == [1, 2]
    assert [names.live_lock(number) for number in (1, 2)] == [41, 57]
