"""Updates and inserts as the Hive client makes them, under a lock, and what the house keeper cleans, as data.

| statement | steps (operation at the replica) | Thrift call |
| --- | --- | --- |
| `LockedUpdate` | first `allocate_write_id`; `lock_update`, `check_lock`; `latest_conflict`; if outdated `get_open_txns`, `get_valid_write_ids`, `reallocate_write_id`, or `abort_txn`; last `add_dynamic_partitions` | the same; `lock`, `get_latest_txnid_in_conflict`, `allocate_table_write_ids` |
| `LockedInsert` | first `allocate_write_id`; `lock_insert`, `check_lock` | the same; `lock` |
| `CleanHistory` | `clean_write_set`, `clean_write_ids`, `clean_txns` at the database | none: `AcidHouseKeeperService`, `AcidTxnCleanerService` |

Source: `AcidUtils.makeLockComponents` (which lock), `DriverTxnHandler`, `DbTxnManager`; hive/1.6, hive/1.7.

Choices: whatever is there when history is cleaned has been there for long enough, whenever that is; so no open may be
under way then: a call is one step, or nobody opens slowly.
"""  # noqa: E501 (a table's row is one line)

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sim.hive.validation import check_statement, check_text, sequence


@dataclass(frozen=True, slots=True)
class LockedUpdate:
    """Change rows of a table under a lock, as `UPDATE` does.

    `kind` is "excl-write" where `hive.txn.xlock.write` is true, else "shared-write"; `partitions` are those that the
    update turns out to have changed, none if the table has none; `renews` False: a client that goes on with its
    snapshot and its write id after a wait for the lock, whatever was committed meanwhile.
    """

    table: str
    kind: Literal["excl-write", "shared-write"] = "excl-write"
    partitions: tuple[str, ...] = ()
    renews: bool = True

    def __post_init__(self) -> None:
        check_statement(self)
        if self.kind not in ("excl-write", "shared-write"):
            raise ValueError(f"LockedUpdate: kind: expected excl-write or shared-write, got {self.kind!r}")
        for name in sequence("LockedUpdate: partitions", self.partitions):
            check_text("LockedUpdate: partitions", name)


@dataclass(frozen=True, slots=True)
class LockedInsert:
    """Insert rows into a table under a lock, as `INSERT` does: its transaction is known to insert."""

    table: str

    def __post_init__(self) -> None:
        check_statement(self)


@dataclass(frozen=True, slots=True)
class CleanHistory:
    """The house keeper forgets what it may of transactions that have ended."""
