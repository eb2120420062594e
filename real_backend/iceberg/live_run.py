"""What a live run of a workload left: plain data, the same for every live system and every way into it."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from real_backend.gating.journal import Played, Sent
from sim.iceberg.lineage import rings
from sim.iceberg.past_schemas import under_no_schema
from sim.iceberg.workload import IcebergWorkload, Rows, Statement


class Version(NamedTuple):
    """One snapshot of the table's own lineage. `actor` committed it (None: nobody the gate saw); `adds_deletes`: it
    has new delete files, where that is known."""

    ordinal: int
    snapshot: int
    parent: int | None
    operation: str
    actor: str | None
    adds_deletes: bool = False


@dataclass(frozen=True, slots=True)
class Command(Sent):
    """One statement as its client saw it.

    `start` is the snapshot that its planning load returned; `commit` the last snapshot that it asked the catalog to
    add; `loads`: how often it had loaded the table when it first asked; `seen` what a read has found, each time that
    it has read; `versions`: the rows that main is set to, or those before and after what is published; `also`: the
    snapshots that it has committed before its last one.
    """

    statement: Statement
    start: int | None
    commit: int | None
    loads: int
    seen: tuple[Rows, ...] = ()
    versions: tuple[Rows, ...] = ()
    also: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LiveRun(Played):
    """One run on the live system, and the table as it was read back at its end.

    `outcomes`: per actor "ok" or "ExceptionName: message" of its first statement that failed; `trace`: the steps, with
    faults and outcomes; `rows` is None if the table cannot be read, `unreadable` then says why; `contents`: the rows
    of each version of the lineage, read by time travel (None: that version cannot be read); `left`: the words for refs,
    columns, properties, sequence numbers and files (None: nobody has looked); `unkept`: what refs say is kept, and was
    not (`sim.iceberg.retained`), and what comes from itself; `row_ids`: what is wrong with these (None: nobody has
    looked, or there are none); `beside`: the snapshots that the table has and its lineage does not.
    """

    workload: IcebergWorkload
    outcomes: tuple[tuple[str, str], ...]
    trace: tuple[str, ...]
    lineage: tuple[Version, ...]
    rows: Rows | None
    unreadable: str | None
    seconds: float
    commands: tuple[Command, ...]
    contents: tuple[Rows | None, ...]
    left: tuple[str, ...] | None = None
    unkept: tuple[str, ...] = ()
    row_ids: tuple[str, ...] | None = None
    beside: tuple[Version, ...] = ()

    def outcome(self, actor: str) -> str:
        """The outcome of one actor."""
        return dict(self.outcomes)[actor]


def lineage_of(
    snapshots: Iterable[tuple[int, int | None, str]],
    current: int | None,
    made: Mapping[int, str],
    first: int | None = None,
    deleting: Collection[int] = (),
    inside: Collection[int] = (),
) -> tuple[Version, ...]:
    """The ancestors of `current`, oldest first; each once, where one comes from itself.

    Args: `snapshots` as (id, parent id, operation); `made`: who asked the catalog for each snapshot; `first`: the
    snapshot that the race began with (None: the table's first one), what was before it is left out; `deleting`:
    those that added delete files; `inside`: those inside a transaction, which the table's history does not have and
    which are left out, too.
    """
    known = {snapshot: (parent, operation) for snapshot, parent, operation in snapshots}
    chain: list[int] = []
    while current is not None and current in known and current not in chain:
        chain.append(current)
        current = None if current == first else known[current][0]
    chain = [each for each in reversed(chain) if each not in inside]

    def parent(snapshot: int) -> int | None:
        above = None if snapshot == first else known[snapshot][0]
        return parent(above) if above in inside and above in known else above

    return tuple(
        Version(place, each, parent(each), known[each][1], made.get(each), each in deleting)
        for place, each in enumerate(chain)
    )


def lineage_of_metadata(
    metadata: Mapping[str, Any], made: Mapping[int, str], first: int | None = None
) -> tuple[Version, ...]:
    """The lineage from a table's metadata in its JSON form. Args: as those of `lineage_of`."""
    found = metadata.get("snapshots", ())
    history = [entry["snapshot-id"] for entry in metadata.get("snapshot-log", ())]
    inside = [each["snapshot-id"] for each in found if history and each["snapshot-id"] not in history]
    snapshots = (
        (int(each["snapshot-id"]), each.get("parent-snapshot-id"), str(each["summary"]["operation"])) for each in found
    )
    deleting = [int(each["snapshot-id"]) for each in found if "added-delete-files" in each["summary"]]
    return lineage_of(snapshots, metadata.get("current-snapshot-id"), made, first, deleting, inside)


def beside_of(metadata: Mapping[str, Any], lineage: Iterable[Version], made: Mapping[int, str]) -> tuple[Version, ...]:
    """Snapshots that somebody made, and that are not in the lineage: commits that were lost, and others' branches."""
    known = {version.snapshot for version in lineage}
    found = [each for each in metadata.get("snapshots", ()) if each["snapshot-id"] not in known]
    return tuple([
        Version(
            -1, each["snapshot-id"], each.get("parent-snapshot-id"), str(each["summary"]["operation"]),
            made[each["snapshot-id"]], "added-delete-files" in each["summary"],
        )
        for each in found if each["snapshot-id"] in made
    ])  # fmt: skip


def rings_of(metadata: Mapping[str, Any]) -> list[str]:
    """Refs of a table whose history comes back to itself (`sim.iceberg.lineage`). Args: as `lineage_of_metadata`."""
    parents = {int(each["snapshot-id"]): each.get("parent-snapshot-id") for each in metadata.get("snapshots", ())}
    return rings(parents, [(name, int(ref["snapshot-id"])) for name, ref in metadata.get("refs", {}).items()])


def schemas_gone_of(metadata: Mapping[str, Any]) -> list[str]:
    """Snapshots of a table whose schema it does not have. Args: as `lineage_of_metadata`."""
    made_under = {int(each["snapshot-id"]): each.get("schema-id") for each in metadata.get("snapshots", ())}
    return under_no_schema(made_under, [each["schema-id"] for each in metadata["schemas"]])


def amiss_in(metadata: Mapping[str, Any]) -> list[str]:
    """What is wrong with a table's metadata. Args: as `lineage_of_metadata`."""
    return [*rings_of(metadata), *schemas_gone_of(metadata)]


def sorted_rows(rows: Iterable[tuple[int, str]]) -> Rows:
    """Rows as (id, value), sorted; duplicates stay."""
    return tuple(sorted((int(key), str(value)) for key, value in rows))
