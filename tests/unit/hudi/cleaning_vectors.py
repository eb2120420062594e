"""Reads the vectors of cleaning, savepoints, restores and archiving, and plays a case; a live test plays them, too."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from model.hudi import Cleaner, HudiClient, RestoreClient, SavepointClient, TimelineArchiver
from model.hudi.clean_policies import HOUR_MS
from model.hudi.errors import CleanUnended, SavepointRefused
from model.hudi.file_groups import DELETE_PARTITION, OVERWRITE
from model.hudi.keys import (
    BY_HOURS,
    HOURS,
    KEEP_MAX,
    KEEP_MIN,
    LATEST_VERSIONS,
    METADATA,
    METADATA_COMPACT_AFTER,
    RETAINED,
    SLICES_POLICY,
    VERSIONS,
)
from model.hudi.names import COMMIT, REPLACE_COMMIT, parse_base_file
from model.hudi.partitions import Partitions
from model.hudi.savepoints import saved_paths
from model.hudi.timeline import Timeline
from sim.hudi.build import OPTIMISTIC
from sim.hudi.workload import Options
from tests.unit.hudi.worlds import Lab

FOLDER = Path(__file__).resolve().parents[2] / "vectors"
PLACES = {"1": "p1", "2": "p2", "5": "p1"}
"""The partition of each row."""
ROWS = {"u1": "1", "u2": "2", "o1": "1", "i1": "5", "s1": "1", "w1": "5"}
"""The row that each write writes."""
LEFT = ("s1", "w1")
"""The writes that do not end."""
REFUSED, UNENDED = "refused", " unended"


class Case(NamedTuple):
    """How many commits are retained (v1: how many slices, h1: hours), the calls, what is left, and what savepoints
    name, as in the file."""

    retained: str
    calls: str
    left: str
    saved: str = "-"

    @property
    def options(self) -> Options:
        """What a user would set."""
        retained, *kept = self.retained.split()
        listed = _listed(kept.pop()) if kept and kept[-1].startswith("m") else ()
        if retained.startswith("v"):
            return (*OPTIMISTIC, (SLICES_POLICY, LATEST_VERSIONS), (VERSIONS, retained[1:]))
        if retained.startswith("h"):
            return (*OPTIMISTIC, (SLICES_POLICY, BY_HOURS), (HOURS, retained[1:]))
        return (*OPTIMISTIC, (RETAINED, retained), *zip((KEEP_MIN, KEEP_MAX), kept, strict=False), *listed)


def _listed(word: str) -> Options:
    """A metadata table, and after how many delta commits it is compacted, unless that is Hudi's own number."""
    return ((METADATA, "true"), *[(METADATA_COMPACT_AFTER, word[1:])] * bool(word[1:]))


def _read(name: str) -> tuple[Case, ...]:
    lines = [line for line in (FOLDER / name).read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    return tuple(Case(*[part.strip() for part in line.split("|")]) for line in lines)


CASES = _read("hudi_cleaning.txt")
SAVEPOINTS = _read("hudi_savepoints.txt")
ARCHIVED = _read("hudi_archiving.txt")
RESTORED = _read("hudi_restores.txt")
ARCHIVED_SAVED = Case("1 1 2", "u1 u1 u2 look save2 archive u2", "2,3")
"""A savepoint of a commit that is archived, and a write that completes after it; a restore takes that one back."""


def told(names: dict[str, list[str] | None], instants: list[str]) -> str:
    """The writes whose files there are, as the file has them.

    Args: `names`: of each partition's data files (None: no folder); `instants`: those of the writes, in order.
    """
    words = []
    for partition, files in names.items():
        found = [] if files is None else sorted([_place(file, instants) for file in files])
        words.append(f"{partition}={'-' if files is None else ','.join(map(str, found))}")
    return " ".join(words)


def named(paths: Iterable[str], instants: list[str]) -> str:
    """The writes whose files savepoints name, by partition."""
    names: dict[str, list[str] | None] = {}
    for folder, name in sorted({(folder, name) for folder, _, name in [path.rpartition("/") for path in paths]}):
        names[folder] = [*(names.get(folder) or ()), name]
    return told(names, instants) or "-"


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
        self._refused = False
        self._ended = True
        self._seen: Timeline | None = None

    def play(self, calls: str) -> str:
        """Make the calls; returns what is left."""
        for number, call in enumerate(calls.split(), 1):
            cleaner = Cleaner(self._lab.world("c"), self._lab.config, owner="c")
            if call == "clean":
                self._clean(cleaner)
            elif call == "plan":
                slices = cleaner._slices
                slices.schedule(slices._timeline.load())
            elif call == "hour":
                self._lab.wait(HOUR_MS + 1_000)
            elif call == "archive":
                archiver = TimelineArchiver(self._lab.world("a"), self._lab.config, owner="a")
                archiver.archive_by(self._seen or self._load())
            elif call == "look":
                self._seen = self._load()
            elif call == "restore":
                self._restore()
            elif "save" in call:
                self._save(call)
            else:
                self._write(HudiClient(self._lab.world("w"), self._lab.config, owner="w"), call, f"v{number}")
        files = [path.split("/") for path in self._lab.files.files if path.endswith(".parquet") and path[0] == "p"]
        found = {place: [name for folder, name in files if folder == place] for place in ("p1", "p2")}
        left = told({place: names or None for place, names in found.items()}, self._instants)
        return left if self._ended else left + UNENDED

    def left(self) -> str:
        """The completed writes on the timeline, and whether anything was refused."""
        return self.active() + (f" {REFUSED}" if self._refused else "")

    def _restore(self) -> None:
        client = RestoreClient(self._lab.world("r"), self._lab.config, owner="r")
        try:
            client.restore()
        except SavepointRefused:
            self._refused = True

    def _clean(self, cleaner: Cleaner) -> None:
        try:
            cleaner.clean()
        except CleanUnended:
            self._ended = False

    def _load(self) -> Timeline:
        """The timeline as it is now."""
        return Cleaner(self._lab.world("c"), self._lab.config)._timeline.load()

    def saved(self) -> str:
        """What savepoints name."""
        timeline = Cleaner(self._lab.world("c"), self._lab.config)._timeline
        return REFUSED if self._refused else named(saved_paths(timeline, timeline.load()), self._instants)

    def active(self) -> str:
        """The completed writes of the active timeline."""
        return ",".join([str([int(one) for one in self._instants].index(i.requested)) for i in self._load().completed])

    def _save(self, call: str) -> None:
        client = SavepointClient(self._lab.world("s"), self._lab.config, owner="s")
        try:
            client.delete_savepoint() if call == "unsave" else client.savepoint(int(call[4:]))
        except SavepointRefused:
            self._refused = True

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
