"""Rows that generated races insert: nobody else has drawn their ids."""

from sim.iceberg.generate import GENERATOR
from sim.iceberg.race import IcebergRace
from sim.iceberg.workload import Insert, Merge

USUAL = GENERATOR.configurations["default"]


def test_nobody_inserts_a_row_that_a_merge_inserts_too():
    """Two rows of one id would be what was asked for, not a loss."""
    merged = 0
    for seed in range(7_000, 7_300):
        program = GENERATOR.make(GENERATOR.source(seed, USUAL), USUAL).program
        done = [one for _, todo in program.workload.writers for one in todo] if isinstance(program, IcebergRace) else []
        merges = {key for one in done if isinstance(one, Merge) and one.inserts for key, _ in one.rows}
        plain = {key for one in done if isinstance(one, Insert) for key, _ in one.rows}
        assert merges & plain == set(), seed
        merged += bool(merges)
    assert merged > 5
