"""The Java API beside Spark SQL in drawn races: where it is asked for it is there, and makes itself again."""

from collections import Counter

import pytest

from sim.generation.draws import PinError, seeded
from sim.iceberg.beside_sql import Streaming, is_mixed
from sim.iceberg.generate import GENERATOR
from sim.iceberg.race import IcebergRace
from sim.iceberg.sql_statements import AlterPartitionField

CONFIGURATIONS = (
    "the Java API beside SQL", "the Java API beside SQL, merge-on-read", "the Java API beside SQL, format 3",
)  # fmt: skip

PROCEDURES = ("procedures beside the Java API", "procedures beside the Java API, merge-on-read")


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_it_is_in_most_races_that_ask_for_it(configuration):
    """Not where a procedure, another spec or times are; and a race's name makes it again."""
    mixed, kinds = 0, set()
    for seed in range(60):
        scenario = GENERATOR.make(seeded(seed), GENERATOR.configurations[configuration])
        assert isinstance(scenario.program, IcebergRace)
        sent = [one for _, todo in scenario.program.workload.writers for one in todo]
        mixed += is_mixed(sent)
        kinds |= {type(one).__name__ for one in sent if isinstance(one, Streaming)}
        assert GENERATOR.again(scenario.name).program == scenario.program
    assert mixed >= 30
    assert kinds == {"Append", "DeleteWhere", "Upsert"}


@pytest.mark.parametrize("configuration", PROCEDURES)
def test_procedures_specs_and_branches_are_beside_it_where_that_is_asked_for(configuration):
    """Each of them often, and with each a client who streams; a race's name makes it again."""
    found = Counter[str]()
    for seed in range(120):
        scenario = GENERATOR.make(seeded(seed), GENERATOR.configurations[configuration])
        assert isinstance(scenario.program, IcebergRace)
        work = scenario.program.workload
        sent = [one for _, todo in work.writers for one in todo]
        found["mixed"] += is_mixed(sent)
        if is_mixed(sent):
            found.update(type(one).__name__ for one in sent)
            found["altered before"] += any(isinstance(one, AlterPartitionField) for one in work.history)
        assert GENERATOR.again(scenario.name).program == scenario.program
    assert found["mixed"] >= 60
    kinds = (
        "Expire", "RollBack", "CherryPick", "MoveBranch", "RewriteManifests", "RewritePositionDeletes",
        "AlterPartitionField", "altered before", "Append", "DeleteWhere", "Upsert", "AppendTo",
        "InsertTo", "InsertStaged",
    )  # fmt: skip
    assert [kind for kind in kinds if found[kind] < 5] == []


@pytest.mark.parametrize("calls", ["beside SQL", "procedures beside Java"])
@pytest.mark.parametrize(
    ("settings", "expected"),
    [({"type": "jdbc"}, "client=spark-sql, type=jdbc"), ({"type": "rest", "format-version": "1"}, "format-version=1")],
)
def test_the_java_api_beside_sql_is_refused_where_it_is_not_followed(settings, expected, calls):
    """Over REST and in formats 2 and 3 it is; else a race without it would be judged in its place."""
    with pytest.raises(PinError, match=f"calls: expected usual with {expected}, got {calls}"):
        GENERATOR.make(seeded(1), {"client": "spark-sql", "calls": calls, **settings})
