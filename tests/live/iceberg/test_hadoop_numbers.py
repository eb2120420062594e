"""A Hadoop catalog whose old metadata files are deleted: a version number that is free again is taken once more."""

import pytest
from py4j.protocol import Py4JJavaError

from real_backend.iceberg.conformance import conform
from real_backend.iceberg.java_files import JavaFiles
from sim.iceberg.built_in.hadoop import HADOOP
from sim.kernel.schedule import steps_of
from sim.search.run import Runner
from tests.live.iceberg.agreement import failure_of, workload_of

pytestmark = pytest.mark.live
PRUNED = {"write.metadata.delete-after-commit.enabled": "true", "write.metadata.previous-versions-max": "1"}

BY_NAME = {scenario.name: scenario for scenario in HADOOP}
HINT, KEPT, NUMBER = "iceberg/hadoop-pruned-hint", "iceberg/hadoop-unpruned-hint", "iceberg/hadoop-pruned-number"


class Folder:
    """A table of a Hadoop catalog in this folder."""

    def __init__(self, jvm, folder) -> None:
        self._jvm, self._folder = jvm, folder
        self._name = jvm.iceberg.catalog.TableIdentifier.parse("n.t")
        self._files = JavaFiles(jvm, f"file:{folder}/data")
        self._catalog().createTable(self._name, self._files.schema, self._files.spec(0), jvm.java_map(PRUNED))

    def _catalog(self):
        catalog = self._jvm.iceberg.hadoop.HadoopCatalog()
        catalog.setConf(self._jvm.java.org.apache.hadoop.conf.Configuration())
        catalog.initialize("h", self._jvm.java_map({"warehouse": f"file:{self._folder}"}))
        return catalog

    def load(self):
        """The table as a client of its own loads it now."""
        return self._catalog().loadTable(self._name)

    def append(self, table, key):
        """An append of one row, to be committed."""
        update = table.newFastAppend()
        for file in self._files.data_files(table.io(), f"f{key}", ((key, "x"),), table.spec()):
            update.appendFile(file)
        return update

    @property
    def hint(self):
        """The version that readers go to."""
        return int((self._folder / "n/t/metadata/version-hint.text").read_text())

    def ids(self):
        """What a reader finds who loads the table now."""
        return [key for key, _ in self._files.rows(self.load())]


@pytest.mark.parametrize("others", [1, 4])
def test_a_commit_takes_a_number_that_is_free_again_and_hides_what_was_acknowledged(java, tmp_path, others):
    """A client has prepared its commit on version 1, and stands still. Where one other commit has come meanwhile, it is
    refused. Behind several, version 2 has been deleted: it is made once more, the hint goes back, and whoever loads the
    table has its row alone."""
    folder = Folder(java._jvm, tmp_path)
    stale = folder.load()
    snapshot, operations = folder.append(stale, 99).apply(), stale.operations()
    base = operations.current()
    updated = java._jvm.iceberg.TableMetadata.buildFrom(base).setBranchSnapshot(snapshot, "main").build()
    for key in range(others):
        folder.append(folder.load(), key).commit()
    assert (folder.hint, folder.ids()) == (1 + others, list(range(others)))
    if others == 1:
        with pytest.raises(Py4JJavaError, match="Version 2 already exists"):
            operations.commit(base, updated)
        assert folder.ids() == [0]
        return
    operations.commit(base, updated)
    assert folder.hint == 2
    assert folder.ids() == [99]


@pytest.mark.parametrize(
    ("name", "schedule", "broken"),
    [
        (HINT, "w1:hint w2:end w1:end", "readable/unreadable-table"),
        (HINT, "w1:hint w1.hint!drop-before w1:end w2:end", None),
        (HINT, "w1:hint w1.hint!drop-after w2:end w1:end", None),
        (HINT, "w2:hint w1:end w2.hint!drop-before w2:end", None),
        (HINT, "w1:hint w2:hint w2:commit w1:end w2:end", None),
        (KEPT, "w1:hint w2:end w1:end", None),
        (NUMBER, "w1:commit w2:end w1:end", "acknowledged-writes-survive/commit-not-in-lineage"),
    ],
)
def test_model_and_the_catalog_agree_where_old_metadata_files_go(java, name, schedule, broken):
    """Hints that are late, lost or unanswered, and a number that is free again: steps, outcomes, rows and verdict."""
    scenario, steps = BY_NAME[name], steps_of(schedule)
    assert scenario.live is not None
    run = Runner(scenario, yield_points=scenario.live.yield_points[0]).play(steps)
    live = java.run(workload_of(scenario), steps)
    result = conform(run, live)
    assert result.agrees, f"{result}: {live.trace}"
    assert run.failure == failure_of(live, scenario) == broken
