"""The vectors of rollbacks that are pending when a cleaner comes: what happens before, and what is left."""

from pathlib import Path
from typing import NamedTuple, Protocol

FILE = Path(__file__).resolve().parents[2] / "vectors" / "hudi_rollbacks.txt"


class Case(NamedTuple):
    """One line."""

    calls: tuple[str, ...]
    cleans: tuple[str, ...]
    row: str
    state: str
    files: int


class Table(Protocol):
    """Who makes the calls, and looks at what is left: the write's instant, and how many of its files."""

    def begin(self) -> object: ...
    def plan(self) -> object: ...
    def write(self) -> object: ...
    def commit(self) -> object: ...
    def other(self) -> object: ...
    def compact(self) -> object: ...
    def save(self) -> object: ...
    def unsave(self) -> object: ...
    def clean(self) -> str: ...
    def row(self) -> str: ...
    def state(self) -> str: ...
    def files(self) -> int: ...


def played(table: Table, case: Case) -> Case:
    """Make the calls of a vector. Returns: what came of it, as a vector."""
    said = [(call, getattr(table, call)()) for call in case.calls]
    cleans = tuple([str(what) for call, what in said if call == "clean"])
    return Case(case.calls, cleans, table.row(), table.state(), table.files())


def _case(line: str) -> Case:
    calls, cleans, row, state, files = [part.strip() for part in line.split("|")]
    return Case(tuple(calls.split()), tuple(cleans.split()), row, state, int(files))


ROLLBACKS = [_case(line) for line in FILE.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]


def name_of(case: Case) -> str:
    """How a test calls it."""
    return " ".join(case.calls)
