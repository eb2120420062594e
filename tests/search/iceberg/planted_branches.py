"""What is planted in PyIceberg's branches: mutants of its rules, and what it loses as it ships."""

from __future__ import annotations

from collections.abc import Iterator

from sim.iceberg.generate import GENERATOR
from tests.mutants.pyiceberg_branches import OF_PYTHON_BRANCHES
from tests.search.iceberg.pyiceberg_repairs import IN_BRANCHES
from tests.search.planted import Planted, explained_by

WHERE, OF_OWN_ROWS = ("PyIceberg, branches",), ("PyIceberg, rows of branches",)
BY_OWN_ROWS = (
    "pyiceberg-branch-rewrites-of-main", "pyiceberg-branch-upsert-of-main", "pyiceberg/branch-add-file-again",
)  # fmt: skip
"""What one writer meets where a branch has other rows than main: elsewhere it is drawn rarely."""
FINDINGS = (
    "pyiceberg/branch-change-remove", "pyiceberg/branches-at-once-remove", "pyiceberg/branches-at-once-change",
    "pyiceberg/branch-upsert-absent", "pyiceberg/branch-add-file-again", "pyiceberg/branch-append-tag",
)  # fmt: skip

BY_REPAIR = ("pyiceberg/branches-at-once-remove",)
"""What another one, which comes first, explains as well: its repair tells them apart."""


def of_branches() -> Iterator[Planted]:
    """Every mutant, then every known finding."""
    for mutant in OF_PYTHON_BRANCHES:
        yield Planted(mutant.name, GENERATOR, _where(mutant.name), None, mutant)
    for name in FINDINGS:
        shows = explained_by(GENERATOR, name, "shipped", alone=name not in BY_REPAIR)
        yield Planted(name, GENERATOR, _where(name), "shipped", shows=shows, repair=IN_BRANCHES[name])


def _where(name: str) -> tuple[str, ...]:
    return OF_OWN_ROWS if name in BY_OWN_ROWS else WHERE
