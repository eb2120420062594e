"""A run on several Iceberg tables in sentences: which snapshot of which table each call to the catalog saw or made.

What is read and written of files is told in the words of the ports, in one sentence each.
"""

from collections.abc import Sequence
from typing import Any

from model.iceberg.changes import SetSnapshotRef
from model.iceberg.meanings import Renames
from model.iceberg.metadata import TableMetadata
from model.iceberg.requirements import Commit
from model.ports import Versioned
from reports.explanation.phrases import fault_text, listed
from reports.explanation.renderer import Line, Plain, Traced, tone_of


def is_of_several(rows: Sequence[Traced]) -> bool:
    """Whether more than one table is loaded, and none gets the name of another."""
    renamed = any(isinstance(meaning, Renames) for row in rows for meaning in row.meanings)
    return not renamed and len({row.resource for row in rows if row.call == "load"}) > 1


class SeveralTables(Plain):
    """Explains commands on several tables of one catalog."""

    def render(self, phase: str, rows: Sequence[Traced], label: str) -> list[Line]:
        if rows[0].call not in ("load", "commit") or rows[0].is_reply:
            return super().render(phase, rows, label)
        return [Line(f"{_sentence(row)}.", tone_of(row), place) for place, row in enumerate(rows)]

    def version(self, row: Traced) -> str:
        metadata = row.value.value if isinstance(row.value, Versioned) else None
        return f"s{metadata.current_snapshot_id}" if isinstance(metadata, TableMetadata) else super().version(row)


def _sentence(row: Traced) -> str:
    if row.call == "load":
        said = _snapshot(row.value.value) if isinstance(row.value, Versioned) else str(row.value)
        return f"{row.actor} loads {row.resource}: {fault_text(row.fault) if row.fault else said}"
    asks = f"{row.actor} asks for a commit of {' and '.join(row.resource.split('+'))} to {_asked(row.args)}"
    if row.fault:
        return f"{asks}: {fault_text(row.fault)}"
    return f"{asks}: it is refused ({row.value})" if row.outcome == "refused" else f"{asks}: it is done"


def _snapshot(metadata: TableMetadata) -> str:
    return f"snapshot {metadata.current_snapshot_id}"


def _asked(args: tuple[Any, ...]) -> str:
    """What a request, those of several tables, or a whole metadata asks for."""
    requests = [one[1] for one in args[1]] if isinstance(args[1], tuple) and not isinstance(args[1], Commit) else args
    made = [each for one in requests for each in _made(one)]
    return listed(made) if made else "other metadata"


def _made(asked: Any) -> list[str]:
    """The snapshots that main is to be at, in words."""
    if isinstance(asked, TableMetadata):
        return [_snapshot(asked)]
    changes = asked.changes if isinstance(asked, Commit) else ()
    return [f"snapshot {change.snapshot_id}" for change in changes if isinstance(change, SetSnapshotRef)]
