"""The vectors of restores beside a metadata table: its settings, the calls, what each restore does, what is left."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

from model.hudi.keys import LATEST_VERSIONS, METADATA_COMPACT_AFTER, SLICES_POLICY, VERSIONS

FILE = Path(__file__).resolve().parents[2] / "vectors" / "hudi_metadata_restores.txt"


class Case(NamedTuple):
    """One line. `slices`: how many of the metadata table are left."""

    settings: tuple[tuple[str, str], ...]
    calls: tuple[str, ...]
    restores: tuple[str, ...]
    slices: int


class Client(Protocol):
    """Who makes the calls."""

    def upsert(self) -> None: ...
    def savepoint(self) -> None: ...
    def restore(self) -> str: ...


def made(client: Client, case: Case) -> Iterator[str]:
    """Make the calls of a vector, and tell after each what a restore did: "" after another one."""
    for call in case.calls:
        if call == "u":
            client.upsert()
        elif call == "s":
            client.savepoint()
        yield client.restore() if call not in ("u", "s") else ""


def _case(line: str) -> Case:
    settings, calls, restores, slices = [part.split() for part in line.split("|")]
    after, retained = settings
    counted = () if retained == "-" else ((SLICES_POLICY, LATEST_VERSIONS), (VERSIONS, retained))
    return Case(((METADATA_COMPACT_AFTER, after), *counted), tuple(calls), tuple(restores), int(slices[0]))


RESTORES = [_case(line) for line in FILE.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]


def name_of(case: Case) -> str:
    """How a test calls it."""
    return f"{' '.join(value for _, value in case.settings)}: {''.join(case.calls)}"
