"""Reads `tests/vectors/hudi_clustering.txt`, and plays a case on the model; the live test plays the same ones."""

from pathlib import Path
from typing import NamedTuple

from model.hudi import ClusteringClient, HudiClient, Reader
from model.hudi.errors import HudiError
from model.hudi.file_groups import DELETE_PARTITION, OVERWRITE
from model.hudi.keys import ALLOW_UPDATES, UPDATES
from model.hudi.names import REPLACE_COMMIT
from model.hudi.partitions import ONE_PARTITION
from sim.hudi.build import OPTIMISTIC, PREFERRING
from tests.unit.hudi.worlds import Lab

FILE = Path(__file__).resolve().parents[2] / "vectors" / "hudi_clustering.txt"
ALLOWING = ((UPDATES, ALLOW_UPDATES),)
STRATEGIES = {
    "simple": OPTIMISTIC, "prefer-writer": PREFERRING, "simple-allow": OPTIMISTIC + ALLOWING,
    "prefer-allow": PREFERRING + ALLOWING,
}  # fmt: skip
VALUE = "B"


class Case(NamedTuple):
    """A script under a strategy; who is told what, and the rows in the end, as in the file."""

    strategy: str
    script: str
    told: str
    rows: str


def _read() -> tuple[Case, ...]:
    lines = [line for line in FILE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return tuple(Case(*[part.strip() for part in line.split("|")]) for line in lines)


CASES = _read()


def clusters(script: str, name: str) -> bool:
    """Whether a client of a script clusters, and does not write."""
    return bool({f"{name}.plan", f"{name}.take"} & set(script.split()))


class Clients:
    """A table with one row, and clients of it by name; each word of a script is a call of one of them."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._lab = Lab(STRATEGIES[case.strategy])
        self._clients: dict[str, HudiClient] = {}
        self._instants: dict[str, int] = {}
        self._written: dict[str, object] = {}

    def play(self) -> str:
        """Make the calls; the first error of a client is what it was told, and ends it."""
        told: dict[str, str] = {}
        for word in self._case.script.split():
            name, what = word.split(".")
            if name not in self._clients:
                kind = ClusteringClient if clusters(self._case.script, name) else HudiClient
                self._clients[name] = kind(self._lab.world(name), self._lab.config, owner=name)
            if name not in told:
                try:
                    self._call(name, self._clients[name], what)
                except HudiError as error:
                    told[name] = type(error).__name__
        return " ".join([f"{name}={error}" for name, error in told.items()]) or "-"

    def _call(self, name, client, what):
        match what:
            case "start":
                self._instants[name] = client.start_commit()
            case "replace":
                self._instants[name] = client.start_commit(REPLACE_COMMIT)
            case "plan":
                self._instants[name] = client.schedule(ONE_PARTITION.names)
            case "cluster":
                client.commit(self._instants[name], client.execute(self._instants[name]))
            case "take":
                instant = client.oldest_plan()
                client.commit(instant, client.execute(instant))
            case "commit":
                client.commit(self._instants[name], self._written[name])
            case _:
                self._written[name] = self._write(client, what, self._instants[name])

    def _write(self, client, what, instant):
        rows = (("1", VALUE),)
        if what == "upsert":
            return client.upsert(rows, instant)
        operation = {"overwrite": OVERWRITE, "delete": DELETE_PARTITION}[what]
        changed = rows if what == "overwrite" else ()
        return client.replace(changed, instant, ONE_PARTITION, operation, ONE_PARTITION.names)

    def rows(self) -> str:
        """What a reader sees in the end."""
        view = Reader(self._lab.world("r"), self._lab.config).read()
        return " ".join([f"{key}={'|'.join(values)}" for key, values in view.rows]) or "-"
