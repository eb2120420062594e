"""Restores of the real Hudi 1.2.0 beside its metadata table: what is left of that, and where they cannot be ended."""

import pytest

from model.hudi.config import HudiConfig
from model.hudi.keys import SINGLE_WRITER
from model.hudi.names import METADATA, timeline_folder
from real_backend.hudi.client import SplitClient
from real_backend.hudi.options import write_options
from real_backend.hudi.table import LiveTable
from tests.live.hudi.agreement import both, both_at_random, found
from tests.unit.hudi.metadata_restore_vectors import RESTORES, made, name_of

pytestmark = pytest.mark.live
EACH, MANY = 1, 1_000
SEVERAL = (
    ("hoodie.write.concurrency.mode", "optimistic_concurrency_control"),
    ("hoodie.write.lock.provider", "org.apache.hudi.client.transaction.lock.InProcessLockProvider"),
    ("hoodie.clean.failed.writes.policy", "LAZY"),
)
"""Clients that may be at work side by side."""
UNRESTORABLE = ("no base file in MDT lesser than the commit to restore to", "Unable to find completion time")


class _Client:
    """One client of a table of its own, which writes one row; by Hudi's own defaults but for what a vector sets."""

    def __init__(self, session, path, settings, *, by_default=False) -> None:
        self.table, self._session, self.values, self._last = LiveTable(session, path), session, 0, ""
        self.table.create()
        options = write_options(HudiConfig(mode=SINGLE_WRITER, metadata=True), path, gated=False)
        ours = ("hoodie.clean", "hoodie.keep", "hoodie.archive", "hoodie.metadata") if by_default else ()
        options = {key: value for key, value in options.items() if not key.startswith(ours)} if ours else options
        self._options = options | dict(settings)

    def upsert(self):
        self.values += 1
        client = self._client()
        self._last = client.start()
        client.upsert((("1", "p", str(self.values)),), self.values)
        client.commit()
        client.close()

    def savepoint(self):
        client = self._client()
        client.savepoint(self._last)
        client.close()

    def restore(self):
        """What a vector says of it."""
        client, before, said = self._client(), self.made(), ""
        try:
            client.restore(None)
        except Exception as error:  # whatever Java throws
            said = str(error)
        client.close()
        if said:
            return "fails" if any(words in said for words in UNRESTORABLE) else said
        return "ok" if self.made() == before else "anew"

    def delete_metadata_table(self):
        hudi = self._session.jvm.java.org.apache.hudi
        context = hudi.client.common.HoodieSparkEngineContext(self._session.context._jsc)
        hudi.metadata.HoodieTableMetadataUtil.deleteMetadataTable(str(self.table.path), context)

    def made(self):
        """When the metadata table was made."""
        folder = self.table.path / METADATA / timeline_folder(2)
        return [path.name for path in folder.glob("00000000000000000_*")]

    def slices(self):
        """How many of the metadata table are left."""
        return len(list((self.table.path / METADATA / "files").glob("*.hfile")))

    def _client(self):
        return SplitClient(self._session, str(self.table.path), self._options)


@pytest.mark.parametrize("case", RESTORES, ids=name_of)
def test_what_a_restore_leaves_of_it(spark, tmp_path, case):
    """As the model: `tests/unit/hudi/test_metadata_restores.py`. The first commit is there when the calls begin."""
    client = _Client(spark[0], tmp_path / "t", case.settings)
    client.upsert()
    restores = tuple(filter(None, made(client, case)))
    assert (restores, client.slices()) == (case.restores, case.slices)
    assert client.table.rows()[0] == client.table.rows(listed=True)[0] is not None


def test_with_default_settings_a_restore_to_the_newer_of_two_savepoints_cannot_be_ended(spark, tmp_path):
    """One writer, no fault; nobody begins to write any more, though all has been taken back that was to be."""
    client = _Client(spark[0], tmp_path / "t", (), by_default=True)
    for until in (3, 15):
        while client.values < until:
            client.upsert()
        client.savepoint()
    while client.values < 57:
        client.upsert()
    assert [client.restore(), client.restore()] == ["fails", "fails"]
    assert client.table.rows() == ((("1", "15"),), None)
    with pytest.raises(Exception, match=r"earlier than the latest compaction|pending restore"):
        client.upsert()
    client.delete_metadata_table()
    assert client.restore() == "anew"
    client.upsert()
    assert client.table.rows() == ((("1", "59"),), None)


@pytest.mark.parametrize("name", ["metadata-restored", "metadata-made-anew"])
def test_runs_in_any_order_do_the_same_to_the_real_hudi(hudi, name):
    """Steps, outcomes, completed instants and rows, by either reader."""
    both_at_random(hudi, name, EACH, tries=MANY)


def test_found_schedule_does_the_same_to_the_real_hudi(hudi):
    """The restore has taken back all that it was to, and fails."""
    live = both(hudi, *found("metadata-restore-stuck"))
    assert dict(live.outcomes)["w1"] != "ok"


def test_it_lists_the_file_of_a_write_that_a_restore_has_taken_back(spark, tmp_path):
    """The metadata table is told before the commit fails, which the restore that ended meanwhile has taken back."""
    client = _Client(spark[0], tmp_path / "t", SEVERAL)
    client.upsert()
    client.savepoint()
    other = client._client()
    other.start()
    other.upsert((("1", "p", "beside"),), 2)
    assert client.restore() == "ok"
    with pytest.raises(Exception, match=r"inflight does not exist"):
        other.commit()
    other.close()
    (first,) = [path.name for path in (client.table.path / "p").glob("*.parquet")]
    listed = [path.rpartition("/")[2] for path in client.table.listed()]
    assert first in listed
    assert len(listed) == len({first, "that of the other one"})
    assert client.table.rows() == ((("1", "1"),), None)
