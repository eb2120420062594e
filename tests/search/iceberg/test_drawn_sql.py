"""Rows that are alike, and formats and branches that are altered beside statements of Spark SQL, are drawn where that
is asked for."""

import pytest

from sim.generation.draws import PinError, seeded
from sim.iceberg.creating import InSql
from sim.iceberg.generate import GENERATOR
from sim.iceberg.incremental import ReadSince
from sim.iceberg.managing import RemoveRef
from sim.iceberg.race import IcebergRace
from sim.iceberg.sql_branches import InsertTo
from sim.iceberg.sql_statements import Insert, RewritePositionDeletes
from sim.iceberg.statements import SetProperty

ALIKE, ALTERED = "consumers of rows alike", "altered beside SQL, merge-on-read"
COUNT = 40


def _drawn(configuration):
    for seed in range(COUNT):
        scenario = GENERATOR.make(seeded(seed), GENERATOR.configurations[configuration])
        assert isinstance(scenario.program, IcebergRace)
        assert GENERATOR.again(scenario.name).program == scenario.program
        yield scenario, [one for _, todo in scenario.program.workload.writers for one in todo]


def test_rows_alike_are_drawn_where_they_are_asked_for():
    """In every race where nobody purges the table, with what is read of them; none is promised to be told apart."""
    read = set()
    for scenario, sent in _drawn(ALIKE):
        if any(isinstance(one, InSql) for one in sent):
            continue
        rows = [row for one in sent if isinstance(one, Insert) for row in one.rows]
        assert len(set(rows)) == len(rows) - 1
        assert not {"acknowledged-writes-survive", "news-are-new"} & set(scenario.properties)
        read |= {one.what for one in sent if isinstance(one, ReadSince)}
    assert read == {"net changes", "updates", "changes"}


def test_formats_and_branches_are_altered_where_that_is_asked_for():
    """Each beside whom it concerns."""
    upgraded = dropped = 0
    for _, sent in _drawn(ALTERED):
        changes = any(isinstance(one, SetProperty) for one in sent)
        upgraded += changes
        assert not changes or any(isinstance(one, RewritePositionDeletes) for one in sent)
        drops = any(isinstance(one, RemoveRef) for one in sent)
        dropped += drops
        assert drops == any(isinstance(one, InsertTo) for one in sent)
    assert upgraded > COUNT // 4
    assert dropped > COUNT // 8


@pytest.mark.parametrize("calls", ["rows alike", "altered beside SQL"])
def test_they_are_refused_where_nobody_can(calls):
    """On a JDBC catalog."""
    with pytest.raises(PinError, match=f"got {calls}"):
        GENERATOR.make(seeded(0), {"client": "spark-sql", "type": "jdbc", "calls": calls})
