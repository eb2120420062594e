"""What manages snapshots as Spark sends it: calls of procedures, and statements on branches and tags before a race.

Snapshots are named by their ids, of the table as it was when the race began: what a user has seen of it.

Choices: all but the newest ones expire as older than a time that is far in the future. A snapshot is staged by
`spark.wap.id`, in a table that allows it (`write.wap.enabled`).
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from real_backend.jvm.session import Session
from sim.iceberg.ages import ExpireOlder, RollBackToTime, time_before
from sim.iceberg.managing import (
    AppendTo,
    CherryPick,
    CreateRef,
    Expire,
    MoveBranch,
    Procedures,
    Publish,
    RemoveRef,
    ReplaceRef,
    RollBack,
    Stage,
)
from sim.iceberg.seen import Snapshots
from sim.iceberg.sql_statements import Insert, sql_text
from sim.iceberg.statements import SetProperty

FAR_FUTURE = "TIMESTAMP '2099-01-01 00:00:00'"
WAP_ID, WAP_ENABLED = "spark.wap.id", "write.wap.enabled"


class Known(NamedTuple):
    """The table as it was when the race began: its snapshots, what made main's head, which refs are tags, and from when
    on ages count."""

    snapshots: Snapshots
    operation: str
    tags: tuple[str, ...]
    begun_ms: int = 0


def known_of(metadata: Mapping[str, Any], begun_ms: int) -> Known:
    """What is known of a table with a snapshot. Args: `metadata`: in its JSON form."""
    head = int(metadata["current-snapshot-id"])
    every = {int(each["snapshot-id"]): each for each in metadata["snapshots"]}
    parents = {number: each.get("parent-snapshot-id") for number, each in every.items()}
    tags = tuple([name for name, ref in metadata.get("refs", {}).items() if ref["type"] == "tag"])
    return Known(Snapshots(head, parents), every[head]["summary"]["operation"], tags, begun_ms)


def call_text(statement: Procedures, table: str, known: Known) -> str:
    """The call of a procedure on `table`, as "catalog.namespace.table"."""
    catalog, _, name = table.partition(".")
    seen = known.snapshots

    def call(procedure: str, **arguments: object) -> str:
        given = "".join([f", {key} => {value}" for key, value in arguments.items()])
        return f"CALL {catalog}.system.{procedure}(table => '{name}'{given})"

    match statement:
        case Expire(keep) if keep:
            return call("expire_snapshots", older_than=FAR_FUTURE, retain_last=keep)
        case Expire():
            return call("expire_snapshots", snapshot_ids=f"array({seen.below(1)})")
        case ExpireOlder(age, keep):
            older = {} if age is None else {"older_than": f"TIMESTAMP '{time_text(known, age)}'"}
            return call("expire_snapshots", **older, **({} if keep is None else {"retain_last": keep}))
        case RollBackToTime(age):
            return call("rollback_to_timestamp", timestamp=f"TIMESTAMP '{time_text(known, age)}'")
        case RollBack(back, anywhere):
            procedure = "set_current_snapshot" if anywhere else "rollback_to_snapshot"
            return call(procedure, snapshot_id=seen.below(back))
        case CherryPick():
            return call("cherrypick_snapshot", snapshot_id=seen.picked())
        case Publish(ref):
            return call("set_current_snapshot", ref=f"'{ref}'")
        case RemoveRef(ref, tag):
            return f"ALTER TABLE {table} DROP {_kind(tag)} {ref}"
        case ReplaceRef(ref, tag, back):
            return f"ALTER TABLE {table} REPLACE {_kind(tag)} {ref} AS OF VERSION {seen.below(back)}"
        case MoveBranch(branch, to):
            return call("fast_forward", branch=f"'{branch}'", to=f"'{to}'")


def send_staged(session: Session, wap: int, text: str) -> None:
    """Send a statement by a session of its own that has this id: others of the race have none."""
    own = session.spark._jsparkSession.cloneSession()
    own.conf().set(WAP_ID, str(wap))
    own.sql(text)


def time_text(known: Known, age_h: float) -> str:
    """The time so many hours before the race, as SQL has it, in UTC. Example: "2026-01-31 12:00:00.000"."""
    at = datetime.fromtimestamp(time_before(age_h, known.begun_ms) / 1000, UTC)
    return at.isoformat(" ", "milliseconds").removesuffix("+00:00")


def _kind(tag: bool) -> str:
    return "TAG" if tag else "BRANCH"


def do_before(sql: Callable[[str], object], conf: Any, statement: object, table: str) -> None:
    """Do what was done to a table before the race. Args: `conf`: the session's."""
    match statement:
        case AppendTo(branch, rows):
            sql(f"ALTER TABLE {table} CREATE BRANCH IF NOT EXISTS {branch}")
            sql(sql_text(Insert(rows), f"{table}.branch_{branch}"))
        case CreateRef(name, tag):
            sql(f"ALTER TABLE {table} CREATE {_kind(tag)} {name}")
        case Stage(rows, wap, overwrites=False, replaces=False):
            conf.set(WAP_ID, str(wap))
            try:
                sql(sql_text(Insert(rows), table))
            finally:
                conf.unset(WAP_ID)
        case SetProperty(name, value):
            sql(f"ALTER TABLE {table} SET TBLPROPERTIES ('{name}' = '{value}')")
        case _:
            sql(sql_text(statement, table))
