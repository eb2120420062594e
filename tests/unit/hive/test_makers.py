"""Who made a version that nobody was told of: whoever has asked for it, and has made none before."""

import pytest

from model.hive.rows import Event, Table
from sim.hive.makers import maker_of
from sim.hive.workload import Alter, Drop
from tests.unit.hive.told import Told

E = "default.e"
GONE = Event(1, 1, "DROP_TABLE", name=E, table=Table(1, E, False, (("v", "e0"),)))


@pytest.mark.parametrize(
    ("ends", "again", "made", "maker"),
    [
        (("info", "info"), (), (), 0),
        (("info", "info"), (), (0,), 1),
        (("info", "info"), (0,), (0,), 0),
        (("info", "ok"), (1,), (), 0),
        (("ok", "fail"), (1,), (), 1),
        (("ok", "ok"), (), (), -1),
        (("", "ok"), (), (), 0),
    ],
    ids=["first", "one each", "twice by who asked twice", "untold first", "told of the second call", "told", "died"],
)
def test_the_maker_of_a_drop_that_two_have_asked_for(ends, again, made, maker):
    """An operation that was told nothing has made one version at most, unless it has asked twice."""
    record = Told().record
    ops = [record.invoke(name, "drop", f"at=h1 table={E}") for name in ("w1", "w2")]
    for op, end in zip(ops, ends, strict=True):
        if end:
            getattr(record, end)(op, **({"error": "NoSuchTable: e"} if end in ("fail", "info") else {}))
    asked = {op: Drop(E) for op in ops}
    place = {-1: -1} | dict(enumerate(ops))
    found = maker_of(record, GONE, asked, [ops[one] for one in again], [ops[one] for one in made])
    assert found == place[maker]


def test_who_asked_for_something_else_has_not_made_it():
    """An alter makes no drop."""
    record = Told().record
    op = record.invoke("w1", "alter", f"at=h1 table={E}")
    record.info(op, "ConnectionLost: expected an answer")
    assert maker_of(record, GONE, {op: Alter(E, "e1")}, (), ()) == -1
