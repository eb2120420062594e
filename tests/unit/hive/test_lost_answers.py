"""A metastore whose answer gets lost goes on as if it had been heard; which answers live gates can lose."""

import pytest

from model.hive import FIXED
from model.hive.rules import SHIPPED
from sim.hive.build import EVENTUAL, EXTERNAL, QUIET, RO, B, E, T, metastore
from sim.hive.faults import METASTORES
from sim.hive.live import CALLS
from sim.hive.workload import Alter, Commit, Create, Get
from sim.kernel.schedule import steps_of
from sim.search.run import Runner
from sim.world.fault_spaces import wide

LOST = wide(METASTORES, without={"resend": "not asked"})


def played(text, *statements, rules=SHIPPED, tables=EXTERNAL, properties=EVENTUAL):
    """A session at h1, whose answer gets lost, and a reader there."""
    sessions = {"w1": ("h1", statements), "r1": ("h1", (RO, Get(E)))}
    scenario = metastore("lost", "", sessions, rules=rules, tables=tables, faults=LOST, properties=properties)
    return Runner(scenario).play(steps_of(text))


def read_by(run, process):
    """What the reads of a session were told, and where it came from."""
    done = [event for event in run.events if event.process == process and event.reads]
    return [(event.reads[0].value, "source=cache" in event.arg) for event in done]


@pytest.mark.parametrize(("fault", "told"), [("drop-after", ("e1", True)), ("drop-before", ("e0", True))])
def test_a_metastores_cache_follows_a_change_whose_answer_gets_lost(fault, told):
    """In event mode: at the end of the change, whoever hears of it; not if the request got lost."""
    run = played(f"w1.alter_table!{fault} w1:end r1:end", Alter(E, "e1"))
    assert read_by(run, "r1") == [told]
    errors = [event.error.split(":")[0] for event in run.events if event.process == "w1" and event.error]
    assert errors == ["ConnectionLost"]


def test_who_got_no_answer_has_made_the_version():
    """It asked for this content, and nobody else claims it."""
    run = played("w1.create_table!drop-after w1:end r1:end", Create("default.f", "f0", managed=False))
    made = next(event for event in run.events if event.type == "version" and event.arg == "CREATE_TABLE")
    maker = next(event for event in run.events if event.op == made.op and event.type == "info")
    assert (maker.process, [tuple(write) for write in maker.writes]) == ("w1", [("table:2", "f0")])


@pytest.mark.parametrize(
    ("properties", "kinds"), [(QUIET, ("drop-after",)), (("freshness",), ("drop-before", "drop-after"))]
)
def test_which_faults_live_gates_have(properties, kinds):
    """A request cannot get lost where the log is seen to its end: its transaction would have to time out."""
    sessions = {"w1": ("h1", (B, Alter(T, "v1"), Commit()))}
    live = metastore("live", "", sessions, rules=FIXED, properties=properties, faults=LOST).live
    assert live is not None
    assert live.faults is not None
    assert {call: live.faults[call] for call in CALLS} == dict.fromkeys(CALLS, kinds)
