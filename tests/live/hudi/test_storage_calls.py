"""How often the real Hudi 1.2.0 asks the storage in a write, as `sim.hudi.study_early_calls` says.

One file is written after the other, all in one partition, and nobody waits: every call of Hadoop's file system below
the table is recorded, those of an embedded timeline server and its checker as well. A pass that comes before the first
marker finds nothing to do.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from model.hudi.keys import BATCH_THREADS, MARKERS
from model.hudi.names import HEARTBEATS, TEMP
from model.hudi.options import parse_options
from real_backend.gating.gate import Gate
from real_backend.hudi.client import SplitClient
from real_backend.hudi.options import write_options
from real_backend.hudi.storage import StorageGate
from real_backend.hudi.table import LiveTable
from sim.hudi.build import ASYNC, ASYNC_AND_COMMITS, DIRECT, DIRECT_AND_COMMITS, OPTIMISTIC
from sim.hudi.build import SERVER as MARKED
from sim.hudi.study_early_calls import HUDI, SERVER

pytestmark = pytest.mark.live
CLOSED = ("written", "close")
"""How the record calls the end of a write to an open file, that of a file of markers as a step of the gate as well."""
ALONE = {"hoodie.copyonwrite.insert.auto.split": "false", "hoodie.copyonwrite.insert.split.size": "1"}
"""Two rows make a file."""
LONG_AGO_S = 9_000


class Passes(Gate):
    """In place of a gate: everything passes."""

    def __init__(self) -> None:
        super().__init__(())

    def hold(self, actor: str, operation: str, resource: str | None = None, *, reply: bool = False) -> str | None:
        """Nobody is held."""
        return None

    def note(self, actor: str, outcome: str | None = None, version: str | None = None) -> None:
        """Nobody asks."""
        return None


@contextmanager
def recorded(session, path) -> Iterator[StorageGate]:
    """The calls below a table, by the actor `w`."""
    gate = StorageGate(session)
    gate.install(Passes(), str(path))
    gate.act("w")
    try:
        yield gate
    finally:
        gate.uninstall()


def calls(gate):
    """How many there were so far."""
    return len([each for each in gate.record() if each.name not in CLOSED])


def looks(gate):
    """How many passes of a checker have looked who else has markers."""
    return len([each for each in gate.record() if (each.name, each.path) == ("list", f"/{TEMP}")])


def counted(session, path, options, files, others, dead):
    """The calls of a write up to its commit, and of that; beside others who have a file in the partition. And how many
    looks there were by then."""
    LiveTable(session, path).create()
    plain = write_options(parse_options(dict(OPTIMISTIC)), path, gated=False)
    rows = [(f"{number}", "p1") for number in range(2 * files)]
    served = MARKERS in dict(options)
    given = write_options(parse_options(dict(options)), path, gated=False)
    first = SplitClient(session, str(path), plain | ALONE)
    first.start()
    first.insert(tuple([(*row, "a") for row in rows]), 1)
    first.commit()
    first.close()
    beside = [SplitClient(session, str(path), given if served else plain) for _ in range(others)]
    for number, client in enumerate(beside):
        client.start()
        client.insert(((f"o{number}", "p1", "a"),), 1)
    if dead:
        for client in beside:
            client.close()
        for beat in (path / HEARTBEATS).iterdir():
            os.utime(beat, (beat.stat().st_mtime - LONG_AGO_S,) * 2)
    with recorded(session, path) as gate:
        writer = SplitClient(session, str(path), given)
        writer.start()
        assert writer.upsert(tuple([(*row, "b") for row in rows]), 2) == files
        written, looked = calls(gate), looks(gate)
        writer.commit()
        writer.close()
        whole = calls(gate)
    for client in [] if dead else beside:
        client.close()
    return written, whole - written, looked


@pytest.mark.parametrize(
    ("options", "others", "dead", "each"),
    [
        (OPTIMISTIC, 1, False, 0),
        (DIRECT, 0, False, HUDI.check),
        (DIRECT, 2, False, HUDI.check + 2 * (HUDI.heartbeat + HUDI.markers)),
        (DIRECT, 1, True, HUDI.check + HUDI.heartbeat),
        (DIRECT_AND_COMMITS, 1, False, HUDI.check + HUDI.commits + HUDI.heartbeat + HUDI.markers),
    ],
    ids=["off", "alone", "beside two", "beside the dead", "beside one, check of commits"],
)
def test_calls_of_a_write(spark, tmp_path, options, others, dead, each):
    """Once, for each file, and each file's look at others; a commit costs the same, however many files there are."""
    for files in (1, 3):
        *found, _ = counted(spark[0], tmp_path / f"t{files}", options, files, others, dead)
        assert found == [HUDI.begun + (HUDI.file + each) * files, HUDI.committed]


@pytest.mark.parametrize(
    ("options", "others", "dead", "each"),
    [
        ((*OPTIMISTIC, *MARKED), 1, False, None),
        ((*OPTIMISTIC, *MARKED, (BATCH_THREADS, "1")), 0, False, None),
        (ASYNC, 2, False, 2 * (SERVER.heartbeat + SERVER.markers + SERVER.read)),
        (ASYNC, 1, True, SERVER.heartbeat),
        (ASYNC_AND_COMMITS, 1, False, SERVER.commits + SERVER.heartbeat + SERVER.markers + SERVER.read),
    ],
    ids=["off", "off, one thread", "beside two", "beside the dead", "beside one, check of commits"],
)
def test_calls_of_a_write_with_a_timeline_server(spark, tmp_path, options, others, dead, each):
    """Once, for each file, for each file of markers, and for each pass of the checker."""
    for files in (1, 3):
        written, committed, looked = counted(spark[0], tmp_path / f"t{files}", options, files, others, dead)
        marked = 1 if BATCH_THREADS in dict(options) else files
        assert committed == SERVER.committed + SERVER.marker_file * marked
        passes = written - SERVER.begun - SERVER.file * files
        if each is None:
            assert (passes, looked) == (0, 0)
        else:
            in_vain = passes - looked * (SERVER.checker_pass + SERVER.look + each)
            assert in_vain in range(0 if looked else 1, SERVER.checker_pass + 1)
