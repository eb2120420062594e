"""Snapshots whose schema the table does not have: nobody reads them by their id, by a tag or as of a time.

Source: specification of the table format, snapshots (`schema-id`); `model.iceberg.schemas`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping


def under_no_schema(made_under: Mapping[int, int | None], known: Collection[int]) -> list[str]:
    """Such snapshots, as sentences. Args: `made_under`: the schema of each, which old ones do not say (None)."""
    return [
        f"schema: expected one of the table, snapshot {snapshot} was made under {schema}"
        for snapshot, schema in made_under.items()
        if schema is not None and schema not in known
    ]
