"""Reads `tests/vectors/hudi_cleaning.txt`, and plays a case on the model; the live test plays the same ones."""

from pathlib import Path
from typing import NamedTuple

from model.hudi import Cleaner, HudiClient
from model.hudi.config import RETAINED
from model.hudi.file_groups import DELETE_PARTITION, OVERWRITE
from model.hudi.names import COMMIT, REPLACE_COMMIT, parse_base_file
from model.hudi.partitions import Partitions
from sim.hudi.build import OPTIMISTIC
from tests.unit.hudi.worlds import Lab

FILE = Path(__file__).resolve().parents[2] / "vectors" / "hudi_cleaning.txt"
PLACES = {"1": "p1", "2": "p2", "5": "p1"}
"""The partition of each row."""
ROWS = {"u1": "1", "u2": "2", "o1": "1", "i1": "5", "s1": "1", "w1": "5"}
"""The row that each write writes."""
LEFT = ("s1", "w1")
"""The writes that do not end."""


class Case(NamedTuple):
    """How many commits are retained, the calls, and what is left, as in the file."""

    retained: str
    calls: str
    left: str

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """What a user would set."""
        return (*OPTIMISTIC, (RETAINED, self.retained))


def _read() -> tuple[Case, ...]:
    lines = [line for line in FILE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return tuple(Case(*[part.strip() for part in line.split("|")]) for line in lines)


CASES = _read()


def told(names: dict[str, list[str] | None], instants: list[str]) -> str:
    """The writes whose files there are, as the file has them.

    Args: `names`: of each partition's data files (None: no folder); `instants`: those of the writes, in order.
    """
    words = []
    for partition, files in names.items():
        found = [] if files is None else sorted([_place(file, instants) for file in files])
        words.append(f"{partition}={'-' if files is None else ','.join(map(str, found))}")
    return " ".join(words)


def _place(name: str, instants: list[str]) -> int:
    file = parse_base_file(name)
    assert file is not None
    return [int(instant) for instant in instants].index(file.instant)


class Model:
    """A table of the model."""

    def __init__(self, case: Case) -> None:
        groups = (("fg1", ((1, "a"),)), ("fg2", ((2, "b"),)))
        self._lab = Lab(case.options, groups=groups, partitions=("p1", "p2"))
        self._where = Partitions("p1", tuple(PLACES.items()))
        self._instants = ["0"]

    def play(self, calls: str) -> str:
        """Make the calls; returns what is left."""
        for number, call in enumerate(calls.split(), 1):
            cleaner = Cleaner(self._lab.world("c"), self._lab.config, owner="c")
            if call == "clean":
                cleaner.clean()
            elif call == "plan":
                slices = cleaner._slices
                slices.schedule(slices._timeline.load())
            else:
                self._write(HudiClient(self._lab.world("w"), self._lab.config, owner="w"), call, f"v{number}")
        files = [path.split("/") for path in self._lab.files.files if path.endswith(".parquet")]
        found = {place: [name for folder, name in files if folder == place] for place in ("p1", "p2")}
        return told({place: names or None for place, names in found.items()}, self._instants)

    def _write(self, client: HudiClient, call: str, value: str) -> None:
        replaces = call in ("d1", "o1")
        instant = client.start_commit(REPLACE_COMMIT if replaces else COMMIT)
        self._instants.append(str(instant))
        rows = ((ROWS[call], value),) if call in ROWS else ()
        if call == "s1":
            return
        if replaces:
            operation = OVERWRITE if rows else DELETE_PARTITION
            written = client.replace(rows, instant, self._where, operation, ("p1",))
        else:
            written = (client.upsert if call.startswith("u") else client.insert)(rows, instant, self._where)
        if call not in LEFT:
            client.commit(instant, written)
