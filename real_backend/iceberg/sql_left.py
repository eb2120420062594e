"""What a race of Spark SQL leaves of a table's partition specs: from its metadata, and from its table of manifests; and
of its rows, which have ids in format 3."""

from collections.abc import Mapping
from typing import Any

from real_backend.iceberg.sql_row_ids import identified_rows
from real_backend.jvm.session import Session
from sim.iceberg.kept_ids import identified_words
from sim.iceberg.left import Words, manifest_words, specs_words

COUNTS = ("added", "existing", "deleted")
CONTENTS = ("data", "deletes")


def left_of(session: Session, table: str, metadata: Mapping[str, Any]) -> Words | None:
    """The words for specs, manifests and rows with ids; None if these cannot be read. Args: `metadata`: in its JSON
    form."""
    specs = metadata["partition-specs"]
    fields = {each["spec-id"]: [field["transform"] for field in each["fields"]] for each in specs}
    try:
        rows = session.spark.read.table(f"{table}.manifests").collect()
        current = metadata["current-snapshot-id"] if metadata["format-version"] > 2 else None
        with_ids = identified_rows(session, table, current) if current is not None else []
    except Exception:  # a list or a manifest is gone, which the reader of the rows is told of
        return None
    found = sorted([_manifest(row.asDict()) for row in rows])
    specs_told = specs_words(fields, metadata["default-spec-id"], metadata["last-partition-id"])
    taken = [
        (each.get("sequence-number", 0), each.get("first-row-id"), each.get("added-rows", 0))
        for each in metadata["snapshots"]
    ]
    return (*found, *specs_told, *identified_words(with_ids, taken))


def _manifest(row: Mapping[str, Any]) -> str:
    kind = "delete" if row["content"] else "data"
    added, existing, deleted = (int(row[f"{one}_{kind}_files_count"]) for one in COUNTS)
    return manifest_words(CONTENTS[row["content"]], int(row["partition_spec_id"]), added, existing, deleted)
