"""What a race of Spark SQL leaves of a table's partition specs: from its metadata, and from its table of manifests."""

from collections.abc import Mapping
from typing import Any

from real_backend.jvm.session import Session
from sim.iceberg.left import Words, manifest_words, specs_words

COUNTS = ("added", "existing", "deleted")
CONTENTS = ("data", "deletes")


def specs_of(session: Session, table: str, metadata: Mapping[str, Any]) -> Words | None:
    """The words for specs and manifests; None if these cannot be read. Args: `metadata`: in its JSON form."""
    specs = metadata["partition-specs"]
    fields = {each["spec-id"]: [field["transform"] for field in each["fields"]] for each in specs}
    try:
        rows = session.spark.read.table(f"{table}.manifests").collect()
    except Exception:  # a list or a manifest is gone, which the reader of the rows is told of
        return None
    found = sorted([_manifest(row.asDict()) for row in rows])
    return (*found, *specs_words(fields, metadata["default-spec-id"], metadata["last-partition-id"]))


def _manifest(row: Mapping[str, Any]) -> str:
    kind = "delete" if row["content"] else "data"
    added, existing, deleted = (int(row[f"{one}_{kind}_files_count"]) for one in COUNTS)
    return manifest_words(CONTENTS[row["content"]], int(row["partition_spec_id"]), added, existing, deleted)
