"""Log compaction on the real Hudi 1.2.0: the cases that the model plays, of which all agreed on 2026-11-26, races step
by step as simulated, and what no scenario has: partial updates, which it puts into other columns, or loses."""

import pytest

from real_backend.hudi.exceptions import root_cause
from tests.live.hudi.agreement import both, both_at_random, found, walked
from tests.live.hudi.test_merge_on_read import Table
from tests.unit.hudi.merging_vectors import LOG_CASES

pytestmark = pytest.mark.live
SOME = (
    "1=A 5=E +x x:2=B lplan lrun x!",
    "1=A +x 1=B lplan lrun x:2=C x! 2=D lplan lrun",
    "1=A +x 2=B x:1=C x! plan run",
    "1=A +x 2=B lplan lrun x:1=C x! plan run",
    "1=A +x lplan x:2=B lrun x!",
    "1=A lplan plan lrun run",
    "1=A lplan ldie lrun lplan lrun",
    "1=A lplan ~p1",
    "1=A lplan cplan lrun cplan crun",
    "1=A +x 2=B lplan lrun x:1=C x! cplan crun",
    "save 1=A lplan restore",
    "save 1=A lplan restore lrun restore restore",
)
PLAYED = [case for case in LOG_CASES if case.calls in SOME]
NEW = "insert into {t} values ('1', 'a', 'b', 1), ('2', 'c', 'd', 1), ('3', 'e', 'f', 1)"
PART = (
    "merge into {t} t using (select '{id}' id, '{value}' x, {ts}L ts) s on t.id = s.id "
    "when matched then update set t.{column} = s.x, t.ts = s.ts"
)
OPTIONS = {"hoodie.log.compaction.enable": "true", "hoodie.log.compaction.blocks.threshold": "2"}
INLINE = "hoodie.log.compaction.inline"


@pytest.mark.parametrize("case", PLAYED, ids=lambda case: f"{case.after}: {case.calls}")
def test_slices_and_rows(spark, tmp_path, case):
    """What is planned, where a compacted block stands, and what becomes of what is too late, or begun."""
    assert Table(spark[0], tmp_path / "table", case).play(case.calls) == (case.slices, case.rows)


@pytest.mark.parametrize("name", ["mor-logs-older", "mor-logs-taken", "mor-logs-early", "mor-restore-logs"])
def test_found_schedule_does_the_same_to_the_real_hudi(hudi, name):
    """An older value is back; a log compaction is committed and rolled back, or refused; a restore cannot be ended."""
    both(hudi, *found(name))


def test_a_servers_checker_refuses_a_log_compaction_for_a_smaller_instant(hudi):
    """As it refuses a write; it stays begun."""
    scenario, schedule, run = walked("mor-logs-async")
    live = both(hudi, scenario, schedule, run)
    assert any("Early" in command.outcome for command in live.commands if command.actor == "c1")


@pytest.mark.parametrize("name", ["mor-logs-read", "mor-logs-preferring", "mor-logs-early-safe", "mor-logs-async-safe"])
def test_runs_in_any_order_do_the_same_to_the_real_hudi(hudi, name):
    """Steps, outcomes, completed instants and rows, of runs in an order drawn at random."""
    both_at_random(hudi, name, 2)


@pytest.fixture
def sql(spark, tmp_path):
    """A table in SQL, whose statements are given one after the other; and its rows then."""
    session, name = spark[0].spark, "partly"
    session.sql(
        f"create table {name} (id string, v string, w string, ts long) using hudi tblproperties "
        f"(type = 'mor', primaryKey = 'id', preCombineField = 'ts') location 'file:{tmp_path / name}'"
    )
    for key, value in OPTIONS.items():
        session.conf.set(key, value)

    def play(*statements):
        for statement in (NEW, *statements):
            session.conf.set(INLINE, str(statement is statements[-1]).lower())
            session.sql(statement.replace("{t}", name))
        return [tuple(row) for row in session.sql(f"select id, v, w from {name} order by id").collect()]

    yield play
    session.sql(f"drop table {name}")
    for key in (*OPTIONS, INLINE):
        session.conf.unset(key)


def part(key, column, value, ts):
    """A statement that changes one column of one row."""
    return PART.replace("{id}", key).replace("{column}", column).replace("{value}", value).replace("{ts}", str(ts))


def test_log_compaction_puts_partial_updates_into_another_column(sql):
    """Two statements update one column each, of different rows; then the first one's value is in the second one's."""
    assert sql(part("1", "v", "A", 2), part("2", "w", "D", 3)) == [("1", "a", "A"), ("2", "c", "D"), ("3", "e", "f")]


def test_log_compaction_by_whoever_updates_another_row_loses_a_partial_update(sql):
    """The update of the first row is not there any more."""
    update = "update {t} set v = 'Q', ts = 4 where id = '2'"
    assert sql(part("1", "v", "A", 2), update) == [("1", "a", "b"), ("2", "Q", "d"), ("3", "e", "f")]


def test_log_compaction_fails_for_partial_updates_of_one_row(sql):
    """The second statement says that it failed; it is committed."""
    with pytest.raises(Exception, match="Exception when reading log file") as caught:
        sql(part("1", "v", "A", 2), part("1", "w", "X", 3))
    assert "log file" in root_cause(caught.value)
