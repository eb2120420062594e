"""Races of PyIceberg on a branch that has other rows than main, drawn where they are asked for."""

from collections import Counter

from sim.generation.draws import replayed, seeded
from sim.iceberg.equality import Upsert
from sim.iceberg.generate import GENERATOR
from sim.iceberg.managing import AppendTo, CreateRef
from sim.iceberg.python_statements import AddFile, OnBranch
from sim.iceberg.sql_statements import Delete
from sim.iceberg.statements import ChangeRow

OWN_ROWS = GENERATOR.configurations["PyIceberg, rows of branches"]


def test_what_looks_for_rows_and_files_of_a_branch_is_drawn_where_it_is_asked_for() -> None:
    """By one writer or by two, in races whose names make them again without being asked for."""
    sent: Counter[type] = Counter()
    alone: Counter[bool] = Counter()
    for seed in range(60):
        scenario = GENERATOR.make(seeded(seed), OWN_ROWS)
        writers, _, _, history = scenario.program.arguments[:4]  # type: ignore[attr-defined]  # a `Later`
        assert [type(one) for one in history[:2]] == [CreateRef, AppendTo]
        assert isinstance(history[2], Delete | ChangeRow)
        done = [one for _, todo in writers for one in todo]
        assert all(isinstance(one, OnBranch) for one in done)
        sent.update([type(one.step) for one in done])
        alone[len(writers) == 1] += 1
        assert not scenario.faults.limit
        if seed < 10:
            assert GENERATOR.make(replayed(scenario.name.rpartition("/")[2])).program == scenario.program
    assert set(sent) == {Upsert, ChangeRow, AddFile, Delete}
    assert min(*sent.values(), *alone.values()) > 9
