"""Two losses on the real Hudi 1.2.0 without a gate: public calls of its client, its own instants, and time.

`hudi/older-instant`: the calls of two clients in an order that nobody has to force, one after the other in one thread.
It takes a client that begins and commits between another one's `startCommit` and `upsert`; whoever computes between the
two leaves that open for as long, `df.write` for milliseconds.

`hudi/zombie`: one beat that storage refuses (a folder stands where the file is to be written, for the time of a beat),
then a wait for the lock that is longer than the heartbeat lives, beside a client that cleans. The beats are scaled
down, from a minute each to a second; all else is as shipped. The control is the same without the refusal.
"""

import shutil
import threading
import time
from contextlib import contextmanager

import pytest

from model.hudi.keys import CONFLICTS, INTERVAL, MISSES, PREFER_WRITER
from model.hudi.names import HEARTBEATS
from model.hudi.options import parse_options
from real_backend.hudi.client import SplitClient
from real_backend.hudi.exceptions import root_cause
from real_backend.hudi.options import write_options
from real_backend.hudi.table import LiveTable
from sim.hudi.build import OPTIMISTIC

pytestmark = pytest.mark.live
OWN = ("hoodie.embed.timeline.server", "hoodie.filesystem.view.type", "hoodie.write.markers.type", "hoodie.index.type")
"""What is not as by default in these tests' tables, unless it is taken out."""
BEAT_S, TOLERATED = 1, 3
REFUSED_S, SILENT_S, CLEANED_S = 1.4, 5, 4
END_S = 60
REFUSED = "HoodieWriteConflictException"


class Table:
    """A table with row 1 = a, and clients of it."""

    def __init__(self, session, path, *options) -> None:
        self._session, self.path = session, path
        self.live = LiveTable(session, path)
        self.live.create()
        self._options = write_options(parse_options(dict((*OPTIMISTIC, *options))), path, gated=False)
        first = self.client()
        first.start()
        first.upsert((("1", "p1", "a"),), 1)
        first.commit()
        first.close()

    def client(self, without=()):
        """One more client. Args: `without`: the options that are to be as by default."""
        options = {key: value for key, value in self._options.items() if key not in without}
        return SplitClient(self._session, str(self.path), options)

    @contextmanager
    def locked(self):
        """Somebody else is in the critical section."""
        hudi = self._session.jvm.java.org.apache.hudi
        nothing = hudi.common.util.Option.empty
        storage = hudi.storage.hadoop.HadoopStorageConfiguration(self._session.context._jsc.hadoopConfiguration())
        client = self.client()
        config = client._client.getConfig()
        other = hudi.client.transaction.TransactionManager(
            config, hudi.storage.HoodieStorageUtils.getStorage(str(self.path), storage)
        )
        other.beginStateChange(nothing(), nothing())
        try:
            yield
        finally:
            other.endStateChange(nothing())
            other.close()
            client.close()


def told(call):
    """What a client is told."""
    try:
        call()
    except Exception as error:
        return root_cause(error).split(":")[0]
    return "ok"


@pytest.mark.parametrize(
    ("options", "without", "answer"),
    [((), (), "ok"), ((), OWN, "ok"), (((CONFLICTS, PREFER_WRITER),), (), REFUSED)],
    ids=["default strategy", "default strategy, markers, view and index", "strategy that prefers writers"],
)
def test_older_instant(spark, tmp_path, options, without, answer):
    """The older one's acknowledged row is read by nobody; with the strategy that prefers writers it is refused."""
    table = Table(spark[0], tmp_path / "t", *options)
    older, newer = table.client(without), table.client(without)
    assert older.start() < newer.start()
    newer.upsert((("1", "p1", "B"),), 2)
    newer.commit()

    def late():
        older.upsert((("1", "p1", "A"),), 3)
        older.commit()

    assert told(late) == answer
    newer.close()
    older.close()
    assert table.live.rows()[0] == (("1", "B"),)


def refuse_one_beat(beat):
    """A folder with something in it stands where the heartbeat is to be written; then the last one's file again."""
    beat.unlink()
    beat.mkdir()
    (beat / "x").touch()
    time.sleep(REFUSED_S)
    shutil.rmtree(beat)
    beat.touch()


@pytest.mark.parametrize("refused", [True, False], ids=["one beat is refused", "none is"])
def test_missed_beat_and_a_wait_for_the_lock(spark, tmp_path, refused):
    """The writer is told that all is well; its committed file is gone, and the old value is read."""
    table = Table(spark[0], tmp_path / "t", (INTERVAL, str(1_000 * BEAT_S)), (MISSES, str(TOLERATED)))
    writer, cleaner = table.client(), table.client()
    instant = writer.start()
    writer.upsert((("1", "p1", "A"),), 2)
    if refused:
        refuse_one_beat(table.path / HEARTBEATS / instant)
    answers = {}

    def ask(name, call):
        answers[name] = told(call)

    threads = [threading.Thread(target=ask, args=args) for args in (("w", writer.commit), ("c", cleaner.clean))]
    with table.locked():
        threads[0].start()
        time.sleep(SILENT_S)
        threads[1].start()
        time.sleep(CLEANED_S)
    for thread in threads:
        thread.join(END_S)
    writer.close()
    cleaner.close()
    assert answers["w"] == "ok"
    completed = table.live.completed({})
    assert completed[-1].requested == instant
    lost = [each.target for each in table.live.rollbacks()] == [instant]
    assert (lost, table.live.rows()[0]) == ((True, (("1", "a"),)) if refused else (False, (("1", "A"),)))
