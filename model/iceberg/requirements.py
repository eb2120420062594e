"""What a commit over REST requires of the table, and what a server makes of it.

| update | requires, beside the table's uuid |
| --- | --- |
| set-snapshot-ref | that the ref is where the client's base had it, or is not there |
| add-schema, made current | the last field id, and the current schema, of the client's base |
| add-spec, made the default | the last partition field id, and the default spec, of the client's base |
| set-default-spec | the default spec of the client's base |
| add-sort-order, made the default; set-default-sort-order | the default sort order of the client's base |
| remove-partition-specs | the default spec, and every branch but main, of the client's base |
| remove-schemas | the current schema, and every branch but main, of the client's base |
| remove-snapshots, remove-snapshot-ref, add-snapshot, set-properties, remove-properties | nothing |
| upgrade-format-version, set-location, set-statistics, remove-statistics | nothing |

So a server that has other metadata than the client loaded is not, by that alone, a lost race: what is required holds or
does not. And who removes snapshots requires nothing of the refs that may point to them by then; who removes partition
specs, nothing of main, which may have files of them by then; who removes schemas, nothing of it either, nor who adds a
snapshot anything of schemas.

Source: iceberg/3.3; `core/UpdateRequirements.java` (`forUpdateTable`), `core/UpdateRequirement.java` (`validate`),
`core/rest/CatalogHandlers.java` (`commit`) of 1.11.0.

Choices: the server's own attempts, each of which loads, checks, applies and swaps, are one step: a race between them is
tried again by the server, where nobody sees it; that it may run out of its four is left out. The columns are the
schema's id, with those that have a wider type.
"""

from collections.abc import Iterator
from typing import NamedTuple

from model.iceberg.changes import AddSchema, AddSnapshot, Change, RemoveSnapshots, SetSnapshotRef
from model.iceberg.clock_rule import refuse_before
from model.iceberg.errors import InvalidOperation, StaleSnapshot, ValidationFailed
from model.iceberg.metadata import MAIN, TableMetadata
from model.iceberg.rules import Rules
from model.iceberg.schemas import RemoveSchemas
from model.iceberg.sort_changes import AddSortOrder, SetDefaultSortOrder
from model.iceberg.sort_orders import refuse_missing_columns
from model.iceberg.spec_changes import AddPartitionSpec, RemovePartitionSpecs, SetDefaultPartitionSpec
from model.ports import Absent, BadRequest, CasLost, NotFound

UUID, REF = "assert-table-uuid", "assert-ref-snapshot-id"
FIELD_ID, SCHEMA = "assert-last-assigned-field-id", "assert-current-schema-id"
PARTITION_ID, DEFAULT_SPEC, SPECS = "assert-last-assigned-partition-id", "assert-default-spec-id", "assert-specs"
DEFAULT_SORT_ORDER = "assert-default-sort-order-id"


class Requirement(NamedTuple):
    """One of them: its kind, the ref that it is about, if any, and what is expected."""

    kind: str
    ref: str
    expected: object

    def validate(self, table: TableMetadata) -> None:
        """Raise `CasLost` if the table is not as is required."""
        found = _found(self.kind, self.ref, table)
        if found != self.expected:
            about = f" {self.ref}" if self.ref else ""
            raise CasLost(f"{self.kind}{about}: expected {self.expected}, got {found}")


def _found(kind: str, ref: str, table: TableMetadata) -> object:
    match kind:
        case "assert-table-uuid":
            return table.uuid
        case "assert-ref-snapshot-id":
            return dict(table.refs).get(ref)
        case "assert-last-assigned-field-id":
            return table.last_column_id
        case "assert-last-assigned-partition-id":
            return table.partitioning.last_field_id
        case "assert-default-spec-id":
            return table.partitioning.default_id
        case "assert-default-sort-order-id":
            return table.sort_orders.default_id
        case "assert-specs":  # of a repair alone
            return table.partitioning.ids
        case _:
            return table.schema_id


class Commit(NamedTuple):
    """A request to commit (`UpdateTableRequest`): a register applies it to the metadata that it has."""

    requirements: tuple[Requirement, ...]
    changes: tuple[Change, ...]
    at_ms: int = 0
    """The time of it, on a table that has times."""

    def applied_to(self, table: TableMetadata | Absent) -> TableMetadata:
        """The table as the request leaves it; the very same one if nothing changes.

        Raises: `NotFound` if there is none; `CasLost` (409) if a requirement does not hold, or a sequence number is not
        new; `BadRequest` (400) if an update cannot be applied.
        """
        if isinstance(table, Absent):
            raise NotFound("expected a table, there is none")
        before, found = table.last_sequence_number, table
        for requirement in self.requirements:
            requirement.validate(table)
        try:
            for change in self.changes:
                table = change.applied_to(table)
            refuse_missing_columns(table.sort_orders.default.fields, table.columns)  # `TableMetadata.Builder.build`
        except StaleSnapshot as error:
            raise CasLost(str(error)) from error
        except (ValidationFailed, InvalidOperation) as error:
            raise BadRequest(str(error)) from error
        if table.last_sequence_number < before:
            refuse_newer_snapshots(table)
        return table if table is found else self._timed(found, table)

    def _timed(self, found: TableMetadata, made: TableMetadata) -> TableMetadata:
        """What the server has made, with its time. Source: `TableMetadata.Builder.build`."""
        if not found.last_updated_ms:
            return made
        try:
            refuse_before(found, self.at_ms)
        except InvalidOperation as error:
            raise BadRequest(str(error)) from error
        return made._replace(last_updated_ms=self.at_ms)


def refuse_newer_snapshots(table: TableMetadata) -> None:
    """Raise `BadRequest` if a snapshot has a number above the table's last one, which is that of the snapshot added.

    Source: `TableMetadata.indexAndValidateSnapshots`, when the server builds the metadata.
    """
    newest = max(each.sequence_number for each in table.snapshots)
    if newest > table.last_sequence_number:
        raise BadRequest(f"snapshots: expected numbers up to {table.last_sequence_number}, got {newest}")


def requirements_of(base: TableMetadata, changes: tuple[Change, ...], rules: Rules) -> tuple[Requirement, ...]:
    """What a client requires that has made these updates of `base`. Source: `UpdateRequirements.forUpdateTable`."""
    found = [Requirement(UUID, "", base.uuid)]
    for change in changes:
        found += _required(base, change, rules)
    return tuple(dict.fromkeys(found))


def requirements_to_replace(base: TableMetadata, changes: tuple[Change, ...]) -> tuple[Requirement, ...]:
    """What a client requires that replaces the table: no ref, and no schema.

    Args: `base`: the metadata that the replacement was built on. Source: `UpdateRequirements.forReplaceTable`.
    """
    schema = [of_fields(base)] if any(isinstance(change, AddSchema) for change in changes) else []
    return (Requirement(UUID, "", base.uuid), *schema)


def _required(base: TableMetadata, change: Change, rules: Rules) -> Iterator[Requirement]:
    match change:
        case SetSnapshotRef(name):
            yield of_ref(base, name)
        case AddSchema():
            yield of_fields(base)
            yield of_schema(base)
        case AddPartitionSpec():
            yield Requirement(PARTITION_ID, "", base.partitioning.last_field_id)
            yield Requirement(DEFAULT_SPEC, "", base.partitioning.default_id)
        case SetDefaultPartitionSpec():
            yield Requirement(DEFAULT_SPEC, "", base.partitioning.default_id)
        case AddSortOrder() | SetDefaultSortOrder():
            yield Requirement(DEFAULT_SORT_ORDER, "", base.sort_orders.default_id)
        case RemoveSchemas():
            yield of_schema(base)
            yield from [of_ref(base, name) for name in base.branches if name != MAIN or rules.schemas_stay_known]
        case RemovePartitionSpecs():
            yield Requirement(DEFAULT_SPEC, "", base.partitioning.default_id)
            yield from [of_ref(base, name) for name in base.branches if name != MAIN or rules.specs_stay_known]
        case AddSnapshot():
            if rules.specs_stay_known:
                yield Requirement(SPECS, "", base.partitioning.ids)
            if rules.schemas_stay_known:
                yield of_schema(base)
        case RemoveSnapshots() if rules.expiry_asserts_refs:
            yield from [of_ref(base, name) for name, _ in base.refs]


def of_ref(base: TableMetadata, name: str) -> Requirement:
    """The ref is where `base` has it, or is not there."""
    return Requirement(REF, name, dict(base.refs).get(name))


def of_fields(base: TableMetadata) -> Requirement:
    """Nobody has given away a field id since."""
    return Requirement(FIELD_ID, "", base.last_column_id)


def of_schema(base: TableMetadata) -> Requirement:
    """The current schema is that of `base`."""
    return Requirement(SCHEMA, "", base.schema_id)
