"""Reads of external tables while the cache is being filled: a session is never shown less than before."""

from collections.abc import Callable

import pytest

from model.hive import FIXED, Request, Rules
from model.hive.rules import SHIPPED
from tests.unit.hive.lab import E, Lab, value
from tests.unit.hive.meanwhile import Meanwhile


def _cold(rules: Rules, event: Callable[[Lab], None]) -> Lab:
    """A lab whose h2 has an empty cache; before its next read of the database, `event` happens."""
    lab = Lab(rules, start=False)
    replica = lab.replica()
    replica.database = Meanwhile(replica.database, "read_table", lambda: event(lab))
    return lab


def _filled_then_altered(lab: Lab) -> None:
    lab.replica().start()
    lab.session("h1").alter_table(E, (("v", "e1"),))


@pytest.mark.parametrize("read", ["get_table", "get_partitions"])
def test_a_read_that_missed_does_not_get_ahead_of_the_entry_that_came_meanwhile(read):
    """The next one is served from it."""
    lab = _cold(FIXED, _filled_then_altered)
    seen = [getattr(lab.replica(), read)(Request(E)) for _ in range(2)]
    assert [value(answer) for answer in seen] == ["e0", "e0"]
    lab.catch_up()
    assert value(getattr(lab.replica(), read)(Request(E))) == "e1"


def test_a_read_that_missed_is_answered_by_the_database_if_no_entry_came():
    """What is loaded later is no older."""
    lab = _cold(FIXED, lambda lab: lab.session("h1").alter_table(E, (("v", "e1"),)) and None)
    replica = lab.replica()
    assert value(replica.get_table(Request(E))) == "e1"
    replica.start()
    assert value(replica.get_table(Request(E))) == "e1"


def test_shipped_a_read_that_missed_gets_ahead_of_the_cache():
    """Nobody looks again; the list of a table's partitions is not kept."""
    lab = _cold(SHIPPED, _filled_then_altered)
    assert [value(lab.replica().get_partitions(Request(E))) for _ in range(2)] == ["e1", "e0"]
