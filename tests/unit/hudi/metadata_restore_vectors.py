"""The vectors of restores beside a metadata table: its settings, the calls, what each restore does, what is left."""

from pathlib import Path
from typing import NamedTuple

from model.hudi.keys import LATEST_VERSIONS, METADATA_COMPACT_AFTER, SLICES_POLICY, VERSIONS

FILE = Path(__file__).resolve().parents[2] / "vectors" / "hudi_metadata_restores.txt"


class Case(NamedTuple):
    """One line. `slices`: how many of the metadata table are left."""

    settings: tuple[tuple[str, str], ...]
    calls: tuple[str, ...]
    restores: tuple[str, ...]
    slices: int


def _case(line: str) -> Case:
    settings, calls, restores, slices = [part.split() for part in line.split("|")]
    after, retained = settings
    counted = () if retained == "-" else ((SLICES_POLICY, LATEST_VERSIONS), (VERSIONS, retained))
    return Case(((METADATA_COMPACT_AFTER, after), *counted), tuple(calls), tuple(restores), int(slices[0]))


RESTORES = [_case(line) for line in FILE.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]


def name_of(case: Case) -> str:
    """How a test calls it."""
    return f"{' '.join(value for _, value in case.settings)}: {''.join(case.calls)}"
