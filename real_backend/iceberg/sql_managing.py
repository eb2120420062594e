"""What manages snapshots as Spark sends it: calls of procedures, and statements on branches and tags before a race.

Snapshots are named by their ids, of the table as it was when the race began: what a user has seen of it.

Choices: all but the newest ones expire as older than a time that is far in the future. A snapshot is staged by
`spark.wap.id`, in a table that allows it (`write.wap.enabled`).
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sim.iceberg.managing import AppendTo, CherryPick, CreateRef, Expire, MoveBranch, Procedures, RollBack, Stage
from sim.iceberg.sql_statements import Insert, sql_text

FAR_FUTURE = "TIMESTAMP '2099-01-01 00:00:00'"
WAP_ID, WAP_ENABLED = "spark.wap.id", "write.wap.enabled"


class Known:
    """The table as it was when the race began. Args: `metadata`: in its JSON form."""

    def __init__(self, metadata: Mapping[str, Any]) -> None:
        self._snapshots = {int(each["snapshot-id"]): each for each in metadata.get("snapshots", ())}
        self.head = int(metadata["current-snapshot-id"])

    @property
    def operation(self) -> str:
        """What the head was made by."""
        return str(self._snapshots[self.head]["summary"]["operation"])

    def below(self, back: int) -> int:
        """The snapshot so many commits below the head; the oldest, if there are not as many."""
        chain = self._chain()
        return chain[min(back, len(chain) - 1)]

    def picked(self) -> int:
        """The newest snapshot that main does not have; else its head."""
        chain = self._chain()
        return next((each for each in reversed(self._snapshots) if each not in chain), chain[0])

    def versions_of(self, statement: object) -> Iterator[int | None]:
        """The snapshots that say what a statement does to main. Source: `sim.iceberg.managing.versions_of`."""
        match statement:
            case RollBack(back):
                yield self.below(back)
            case CherryPick():
                picked = self.picked()
                yield self._snapshots[picked].get("parent-snapshot-id")
                yield picked

    def _chain(self) -> list[int]:
        found: list[int] = []
        at: int | None = self.head
        while at is not None and at in self._snapshots:
            found.append(at)
            at = self._snapshots[at].get("parent-snapshot-id")
        return found


def call_text(statement: Procedures, table: str, known: Known) -> str:
    """The call of a procedure on `table`, as "catalog.namespace.table"."""
    catalog, _, name = table.partition(".")

    def call(procedure: str, **arguments: object) -> str:
        given = "".join([f", {key} => {value}" for key, value in arguments.items()])
        return f"CALL {catalog}.system.{procedure}(table => '{name}'{given})"

    match statement:
        case Expire(keep) if keep:
            return call("expire_snapshots", older_than=FAR_FUTURE, retain_last=keep)
        case Expire():
            return call("expire_snapshots", snapshot_ids=f"array({known.below(1)})")
        case RollBack(back, anywhere):
            procedure = "set_current_snapshot" if anywhere else "rollback_to_snapshot"
            return call(procedure, snapshot_id=known.below(back))
        case CherryPick():
            return call("cherrypick_snapshot", snapshot_id=known.picked())
        case MoveBranch(branch, to):
            return call("fast_forward", branch=f"'{branch}'", to=f"'{to}'")


def do_before(sql: Callable[[str], object], conf: Any, statement: object, table: str) -> None:
    """Do what was done to a table before the race. Args: `conf`: the session's."""
    match statement:
        case AppendTo(branch, rows):
            sql(f"ALTER TABLE {table} CREATE BRANCH IF NOT EXISTS {branch}")
            sql(sql_text(Insert(rows), f"{table}.branch_{branch}"))
        case CreateRef(name, tag):
            sql(f"ALTER TABLE {table} CREATE {'TAG' if tag else 'BRANCH'} {name}")
        case Stage(rows, wap):
            conf.set(WAP_ID, str(wap))
            try:
                sql(sql_text(Insert(rows), table))
            finally:
                conf.unset(WAP_ID)
        case _:
            sql(sql_text(statement, table))


__all__ = ["WAP_ENABLED", "Known", "call_text", "do_before"]
