"""A run on a branch in sentences: each version of the table is told as if the branch's head were its current snapshot.

A run is on a branch if its history's lineage has what is committed to one, and main is never moved.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from checkers.histories.history import Event
from model.iceberg import meanings
from model.iceberg.metadata import MAIN, TableMetadata
from model.iceberg.spark_target import Target
from model.ports import Meaning, Versioned
from reports.explanation.renderer import Line, Plain, Traced
from reports.iceberg import renderer as on_main
from reports.iceberg.renderer import Iceberg


def branch_of(rows: Sequence[Traced], events: Sequence[Event]) -> str | None:
    """The branch that a run is on; None: main, or more than one."""
    line = {int(event.snapshot) for event in events if event.type == "version" and event.snapshot}
    commits = [one for row in rows for one in row.meanings if isinstance(one, meanings.Commits)]
    moved = [pair for one in commits for pair in set(one.updated.refs) - set(one.base.refs)]
    names = {name for name, _ in moved}
    if len(names) != 1 or MAIN in names or not {snapshot for _, snapshot in moved} & line:
        return None
    return names.pop()


class OnBranch(Iceberg):
    """Explains commands on one branch of an Iceberg table."""

    def __init__(self, rows: Sequence[Traced], events: Sequence[Event], branch: str) -> None:
        self._target = Target(branch)
        super().__init__([self._on_branch(row) for row in rows], events)

    def phase(self, row: Traced, doing: str) -> str:
        return super().phase(self._on_branch(row), doing)

    def version(self, row: Traced) -> str:
        return super().version(self._on_branch(row))

    def render(self, phase: str, rows: Sequence[Traced], label: str) -> list[Line]:
        return super().render(phase, [self._on_branch(row) for row in rows], label)

    def _on_branch(self, row: Traced) -> Traced:
        value = row.value
        if isinstance(value, Versioned):
            value = replace(value, value=self._as_seen(value.value))
        return row._replace(value=value, meanings=tuple([self._meant(one) for one in row.meanings]))

    def _meant(self, meaning: Meaning) -> Meaning:
        match meaning:
            case meanings.Sees(metadata):
                return meanings.Sees(self._target.seen(metadata))
            case meanings.Commits(base, updated):
                return meaning._replace(base=self._target.seen(base), updated=self._target.seen(updated))
        return meaning

    def _as_seen(self, value: Any) -> Any:
        return self._target.seen(value) if isinstance(value, TableMetadata) else value


def renderer(rows: Sequence[Traced], events: Sequence[Event]) -> Plain:
    """Explain a run of Iceberg, on main or on a branch."""
    branch = branch_of(rows, events)
    return on_main.renderer(rows, events) if branch is None else OnBranch(rows, events, branch)
