"""Rows of the live notification log as the model's events: names, numbers, write ids, partitions, the limit."""

import base64
import gzip
import json
from typing import Any

import pytest

from model.hive.rows import NOTIFICATION_LOG, NOTIFICATION_SEQUENCE, PARTITIONS, TBLS, Event, Table
from model.hive.tables import count_partitions
from real_backend.hive.backing import Row
from real_backend.hive.log_view import LogView, content_event
from real_backend.hive.logged import LoggedEvent
from real_backend.hive.names import Names

T = Table(1, "default.t", True, (("v", "v1"),))


def row(number, kind, message, table="t"):
    """A row of the log, its message packed as 4.0.1 packs it."""
    packed = base64.b64encode(gzip.compress(json.dumps(message).encode())).decode()
    return LoggedEvent(number, kind, "run1", table, packed)


def table_json(name="t", value="v1", live_id=None):
    """A table as Thrift writes it in JSON, as far as it is looked at."""
    parameters = {"ticket": "1", "v": value}
    table = {
        "1": {"str": name},
        "2": {"str": "run1"},
        "9": {"map": ["str", "str", 2, parameters]},
        "12": {"str": "MANAGED_TABLE"},
    }
    return json.dumps(table | ({} if live_id is None else {"25": {"i64": live_id}}))


def partition_json(name, value, write_id):
    parameters = {"map": ["str", "str", 1, {"v": value}]}
    return json.dumps({"1": {"lst": ["str", 1, name]}, "7": parameters, "9": {"i64": write_id}})


RENAMED = {"tableObjBeforeJson": table_json(), "tableObjAfterJson": table_json("u"), "writeId": -1}
"""The row names the new one, as Hive's listener writes it; the message has both."""


class Log:
    """Stands in for the database."""

    def __init__(self, *rows) -> None:
        self.logged = rows

    def events_after(self, position):
        return [row for row in self.logged if row.id > position]

    def table(self, name):
        return Row(17, True, {"ticket": "1"}) if name == "run1.t" else None


def view_of(*rows, limit=99):
    names = Names("run1")
    names.made(names.ticket(), 17)
    names.opened(41)
    log: Any = Log(*rows)
    return LogView(log, names, lambda: limit)


def events(*rows, limit=99):
    view = view_of(*rows, limit=limit)
    return [event for _, event in view.transact("poll", "h2", lambda tx: tx.scan(NOTIFICATION_LOG, (1,)))]


@pytest.mark.parametrize(
    ("logged", "event"),
    [
        (row(3, "OPEN_TXN", {"fromTxnId": 41, "toTxnId": 41}), Event(3, 3, "OPEN_TXN", 1)),
        (row(3, "COMMIT_TXN", {"txnid": 41}), Event(3, 3, "COMMIT_TXN", 1)),
        (row(3, "ABORT_TXN", {"txnid": 41}), Event(3, 3, "ABORT_TXN", 1)),
        (
            row(3, "ALLOC_WRITE_ID_EVENT", {"txnIdList": [41], "writeIdList": [2]}),
            Event(3, 3, "ALLOC_WRITE_ID", 1, "default.t", Table(1, "default.t", True), 2),
        ),
        (row(3, "CREATE_TABLE", {"tableObjJson": table_json()}), Event(3, 3, "CREATE_TABLE", 0, "default.t", T)),
        (
            row(3, "ALTER_TABLE", {"tableObjAfterJson": table_json(), "writeId": 2}),
            Event(3, 3, "ALTER_TABLE", 0, "default.t", T, 2),
        ),
        (
            row(3, "ALTER_TABLE", RENAMED, "u"),
            Event(3, 3, "ALTER_TABLE", 0, "default.t", T._replace(name="default.u")),
        ),
        (
            row(
                3, "ADD_PARTITION", {"tableObjJson": table_json(), "partitionListJson": [partition_json("d=1", "p", 2)]}
            ),
            Event(3, 3, "ADD_PARTITION", 0, "default.t", T, 2, ("d=1", "p")),
        ),
        (
            row(
                3,
                "ALTER_PARTITION",
                {"tableObjJson": table_json(), "partitionObjAfterJson": partition_json("d=1", "q", -1)},
            ),
            Event(3, 3, "ALTER_PARTITION", 0, "default.t", T, 0, ("d=1", "q")),
        ),
        (
            row(3, "DROP_PARTITION", {"tableObjJson": table_json(), "partitions": [{"p": "d=1"}]}),
            Event(3, 3, "DROP_PARTITION", 0, "default.t", T, 0, ("d=1", None)),
        ),
    ],
    ids=lambda value: value.kind,
)
def test_event(logged, event):
    """One row, one event; ids and names are the workload's."""
    assert events(logged) == [event]


@pytest.mark.parametrize(
    "message",
    [
        {"tableObjJson": table_json(live_id=18)},
        {"tableObjBeforeJson": table_json(live_id=18), "tableObjAfterJson": table_json()},
    ],
    ids=["drop", "alter"],
)
def test_a_table_is_known_by_its_id(message):
    """A replayed alter may have written another table's ticket into it."""
    names = Names("run1")
    for live_id in (17, 18):
        names.made(names.ticket(), live_id)
    kind = "DROP_TABLE" if "tableObjJson" in message else "ALTER_TABLE"
    assert content_event(row(3, kind, message), names).table == T._replace(id=2)


def test_events_above_the_limit_are_not_there_yet():
    """A watermark hides them, and the sequence ends with it."""
    commits = [row(number, "COMMIT_TXN", {"txnid": 41}) for number in (1, 2, 3)]
    assert [event.id for event in events(*commits, limit=2)] == [1, 2]
    view = view_of(*commits, limit=2)
    assert view.transact("poll", "h2", lambda tx: tx.get(NOTIFICATION_SEQUENCE, 1)) == 3


def test_view_has_nothing_but_the_log():
    """A reader of anything else is a fault of ours."""
    view = view_of()
    with pytest.raises(AssertionError, match="expected a reader of the log only"):
        view.scan(TBLS)
    with pytest.raises(AssertionError, match="expected a reader of the log only"):
        view.get(PARTITIONS, (1, "d=1"))


def test_a_drop_waits_for_no_table_that_was_made_anew():
    """Its replay asks for one: there is none here."""
    assert not view_of().transact("look_for_partitions", "h2", lambda tx: count_partitions(tx, "default.t"))
