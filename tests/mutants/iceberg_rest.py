"""Mutants of what a commit over REST requires, and of the server that checks it.

Source: `model.iceberg.requirements`, `model.iceberg.changes`.
"""

from model.iceberg import requirements, rest
from model.iceberg.changes import AddSnapshot, Change
from model.iceberg.metadata import TableMetadata
from model.iceberg.requirements import UUID, Requirement
from model.iceberg.rules import EXPIRY_ASSERTS_REFS
from tests.mutants.damage import left_out, replaced
from tests.mutants.mutant import Mutant


def uuid_alone(base: TableMetadata, *_: str) -> Requirement:
    """What is required anyway."""
    return Requirement(UUID, "", base.uuid)


def newest(changes: tuple[Change, ...]) -> int | None:
    """The last of the snapshots that the commit adds."""
    return next((each.snapshot.snapshot_id for each in changes[::-1] if isinstance(each, AddSnapshot)), None)


REQUIREMENTS: tuple[Mutant, ...] = (
    replaced("ref-not-asserted", requirements, "of_ref", uuid_alone, "a ref is moved that somebody else has moved"),
    Mutant(
        "schema-not-asserted", "a column disappears",
        ((requirements, "of_fields", uuid_alone), (requirements, "of_schema", uuid_alone)),
    ),
    left_out("requirements-not-checked", Requirement, "validate", "whoever comes second overwrites"),
    Mutant("expiry-asserts-nothing", "the repair repairs nothing", ((requirements, "of_ref", uuid_alone),),
           EXPIRY_ASSERTS_REFS),
    replaced("several-snapshots-reconciled", rest, "only_snapshot", newest, "more is taken for committed"),
)  # fmt: skip
