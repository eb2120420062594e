"""A Hadoop catalog whose file system's renames replace files: what its rules are there for."""

import pytest

from model.iceberg import coverage
from sim.generation.draws import Draws, PinError, seeded
from sim.iceberg.draw.catalogs import HADOOP
from sim.iceberg.generate import GENERATOR
from sim.iceberg.managing import Expire
from sim.iceberg.options import CATALOG, RENAMES
from sim.iceberg.scenarios import APPENDS, race
from sim.iceberg.workload import Catalog, IcebergWorkload
from sim.search.explore import exhaustive
from tests.mutants.iceberg import BY_NAME

REPLACING: Catalog = "hadoop-replacing"


def appends():
    """Every interleaving of two appends."""
    return exhaustive(race("replacing", "", APPENDS, catalog=REPLACING, properties=("acknowledged-writes-survive",)))


def test_who_is_written_over_finds_nothing_of_his_own_and_cleans_up_nothing():
    """He reads the number anew that he has committed; a mutant who does not takes his own files for unused ones."""
    assert appends().coverage[coverage.CLEANUP_SKIPPED] > 0
    with BY_NAME["hadoop-own-number-believed"].alive():
        assert coverage.CLEANUP_SKIPPED not in appends().coverage


def test_the_look_before_a_rename_makes_the_loss_rare():
    """Without it whoever commits later replaces what is there, however long it has been."""
    shipped = appends()
    with BY_NAME["hadoop-looks-for-nothing"].alive():
        mutated = appends()
    assert shipped.failed / shipped.schedules < mutated.failed / mutated.schedules


def test_snapshots_are_not_managed_there():
    """As a workload."""
    with pytest.raises(ValueError, match="jdbc or hadoop for statements that manage snapshots, got 'hadoop-replacing'"):
        IcebergWorkload((("w1", (Expire(),)),), catalog=REPLACING)


@pytest.mark.parametrize("seed", range(20))
def test_where_renames_are_to_replace_files_a_race_is_on_such_a_catalog(seed):
    """Of the Java API, whatever else is drawn."""
    draws = Draws(seeded(seed), {RENAMES.key: "replace"})
    drawn = GENERATOR.draw(draws, GENERATOR.variants["shipped"])
    assert dict(drawn.parameters)["catalog"] == REPLACING


def test_they_replace_none_on_another_catalog():
    """It is said at once."""
    with pytest.raises(PinError, match=r"fs\.rename: expected refuse with type=jdbc, got replace"):
        GENERATOR.draw(Draws(seeded(1), {RENAMES.key: "replace", CATALOG.key: "jdbc"}), GENERATOR.variants["shipped"])
    assert HADOOP in CATALOG.values
