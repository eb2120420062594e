"""Hudi's tests of a write's markers, on the real Hudi 1.2.0: rows of `tests/vectors/hudi.txt` that the model plays as
well, with direct markers and with those of a client's own timeline server. What is of a later Hudi (1.3) is not here.
"""

import re
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from model.hudi.errors import StorageFailed
from model.hudi.keys import BATCH_THREADS, DIRECT_MARKERS, MARKERS, SERVER_MARKERS
from model.hudi.names import BaseFile
from model.hudi.options import parse_options
from real_backend.hudi.client import SplitClient
from real_backend.hudi.options import write_options
from real_backend.hudi.table import LiveTable
from sim.hudi.build import OPTIMISTIC
from tests.live.hudi.test_service_vectors import of_kind
from tests.unit.hudi.playing import play

pytestmark = pytest.mark.live
INSTANT = "001"


class Marked:
    """The markers of one instant, of a client whose markers are of a type."""

    def __init__(self, session: Any, path: Path, client: SplitClient) -> None:
        hudi = session.jvm.java.org.apache.hudi
        self._config, self._context = client._client.getConfig(), client._client.getEngineContext()
        self._table = hudi.table.HoodieSparkTable.create(self._config, self._context)
        self._made = hudi.table.marker.WriteMarkersFactory.get(self._config.getMarkersType(), self._table, INSTANT)
        self._kind = hudi.common.model.IOType.MERGE
        self._all = hudi.table.marker.MarkerBasedRollbackUtils.getAllMarkerPaths
        self._folder = path / ".hoodie" / ".temp" / INSTANT

    def do(self, who: str, what: str, argument: str) -> Any:
        """One word of a script. Raises: StorageFailed where the client is refused."""
        match what:
            case "create":
                return self._create(BaseFile(argument, "0-0-0", int(INSTANT)).name)
            case "delete":
                return bool(self._made.deleteMarkerDir(self._context, 1))
            case "lose":
                (self._folder / argument).unlink()
                return True
            case "files" if not self._made.doesMarkerDirExist():
                return "-"  # who asks Hudi for what is in no folder of direct markers is refused
            case "files":
                return _short(self._made.createdAndMergedDataPaths(self._context, 1), "")
            case "paths":
                return _short(self._all(self._table, self._context, INSTANT, 1), "p1/")
            case "stored":
                stored = sorted(file for file in self._folder.glob("MARKERS*") if not file.name.endswith(".type"))
                return _short([line for file in stored for line in file.read_text().split()], "")
        file = self._folder / "MARKERS.type"
        return file.read_text().strip() if file.exists() else "-"

    def _create(self, name: str) -> None:
        try:
            self._made.create("p1", name, self._kind)
        except Exception as error:
            raise StorageFailed(str(error)) from error


def _short(paths: Any, before: str) -> str:
    """File groups by the names of their files, in order."""
    return ",".join(sorted(before + str(each).rpartition("/")[2].partition("_")[0] for each in paths)) or "-"


def _in_order(script: str) -> str:
    """A script where several names come in order: Hudi gives a set."""
    return re.sub(r"=(\S+)", lambda found: "=" + ",".join(sorted(found[1].split(","))), script)


def _mismatches(spark: Any, path: Path, script: str, *markers: tuple[str, str]) -> list[str]:
    LiveTable(spark[0], path).create()
    options = write_options(parse_options(dict((*OPTIMISTIC, *markers))), path, gated=False)
    with closing(SplitClient(spark[0], str(path), options)) as client:
        return play(_in_order(script), Marked(spark[0], path, client).do)


@of_kind("markers")
def test_what_becomes_of_direct_markers(spark, tmp_path, vector):
    """They are there once each, and are deleted with their folder."""
    assert _mismatches(spark, tmp_path / "t", vector.script, (MARKERS, DIRECT_MARKERS)) == []


@of_kind("server", "1.3")
def test_what_becomes_of_a_servers_markers(spark, tmp_path, vector):
    """What it remembers, and what is stored, all in one file."""
    markers = (MARKERS, SERVER_MARKERS), (BATCH_THREADS, "1")
    assert _mismatches(spark, tmp_path / "t", vector.script, *markers) == []
