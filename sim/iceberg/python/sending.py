"""What PyIceberg's own catalogs are asked for of whole tables: each such call is kept as a commit, too.

A catalog that makes a table, or commits to one, notes the metadata file that it writes (`Sending`); of a drop, a rename
and a registration its service says where it has left the table, as it applies the call: whatever the caller is told.
"""

from __future__ import annotations

from typing import Any

from pyiceberg.schema import Schema
from pyiceberg.table import Table
from pyiceberg.table.metadata import TableMetadataV1

from sim.iceberg.python.ports import Sending, Sent
from sim.world import substitutes
from sim.world.substitutes import Substitution


def _empty_table_metadata() -> TableMetadataV1:
    """As the library's, whose own field draws the id that is replaced then."""
    return TableMetadataV1.model_construct(last_column_id=-1, schema=Schema(), table_uuid=substitutes.UUID.uuid4())


EMPTY: Substitution = (
    "pyiceberg.catalog", "MetastoreCatalog._empty_table_metadata", staticmethod(_empty_table_metadata),
)  # fmt: skip
"""What a table that is made begins as, in catalogs that apply a commit by themselves."""


class SendingTables(Sending):
    """A catalog that keeps, in `sent`, the commits and the changes of whole tables that it was asked for."""

    def drop_table(self, *args: Any, **kwargs: Any) -> None:
        """As the library's, and kept as a commit."""
        self.sent.append(Sent(()))
        super().drop_table(*args, **kwargs)

    def rename_table(self, *args: Any, **kwargs: Any) -> Table:
        """As above."""
        self.sent.append(Sent(()))
        return super().rename_table(*args, **kwargs)  # type: ignore[no-any-return]

    def register_table(self, *args: Any, **kwargs: Any) -> Table:
        """As above."""
        self.sent.append(Sent(()))
        return super().register_table(*args, **kwargs)  # type: ignore[no-any-return]

    def note(self, location: str) -> None:
        """Where the last call has left the table: its metadata file, or the drop. Set-up keeps no calls."""
        if self.sent:
            self.sent[-1] = self.sent[-1]._replace(location=location)
