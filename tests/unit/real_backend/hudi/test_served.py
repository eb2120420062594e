"""Markers of the timeline server at the live gate: whose steps they are, and which of them are steps."""

import pytest

from model.hudi.keys import DETECTOR_DELAY
from model.hudi.options import parse_options
from real_backend.hudi.interposition import Named, client_of, step_of
from real_backend.hudi.live_steps import steps_of_run
from real_backend.hudi.options import write_options
from sim.hudi.build import ASYNC, OPTIMISTIC, SERVER
from sim.hudi.live import LIST, ON_SERVERS, live_of
from sim.hudi.scenarios import HUDI
from sim.hudi.statements import Clean, Upsert
from sim.hudi.workload import HudiWorkload
from sim.search.run import Runner
from sim.search.strategies import FirstCome
from sim.world.live import Live
from tests.unit.hudi.worlds import ONE_GROUP as GROUPS

FOLDER = "/.hoodie/.temp/20261123000000000"
STEPS = {
    ("create", f"{FOLDER}/MARKERS.type"): Named("create", "markers"),
    ("write", f"{FOLDER}/MARKERS0"): Named("overwrite", "markers"),
    ("close", f"{FOLDER}/MARKERS0"): Named("close", "markers"),
    ("delete", f"{FOLDER}/MARKERS0"): None,
    ("delete", FOLDER): Named("delete", "markers"),
    ("delete", f"{FOLDER}/2026/11"): None,
    ("write", "/.hoodie/.heartbeat/20261123000000000"): Named("write", "heartbeat"),
}


@pytest.mark.parametrize(("operation", "path"), STEPS)
def test_what_is_done_to_marker_files_is_named_as_in_the_simulator(operation, path):
    """One that is written over is opened and closed; a folder is deleted with all that it holds."""
    assert step_of(operation, path) == STEPS[operation, path]


def test_a_worker_of_the_server_acts_for_its_client():
    """Which waits for it meanwhile; a timer is nobody but itself."""
    assert [client_of(task) for task in ("w1-markers", "w1-markers-2", "w1", "w1-heartbeat")] == [
        "w1", "w1", "w1", "w1-heartbeat",
    ]  # fmt: skip


def steps():
    """The live steps of two writers, one after the other."""
    scenario = next(one for one in HUDI if one.name == "hudi/async-safe")
    assert scenario.live is not None
    run = Runner(scenario, yield_points=scenario.live.yield_points[0]).run(FirstCome())
    return [str(step) for step in steps_of_run(run)]


def test_passes_and_ticks_are_no_steps():
    """What is left of a write's markers are the three of its worker, in its client's name."""
    made = [step for step in steps() if step.startswith("w1.") and "markers" in step]
    assert made == ["w1.create(markers)", "w1.overwrite(markers)", "w1.close(markers)", "w1.delete(markers)"]


def test_a_live_checker_makes_the_first_pass_alone():
    """So what computes or waits, or delays the first pass, has no live counterpart."""
    slow = (("w1", (Upsert(((1, "A"),), work_ms=1),)),)
    patient = (("w1", (Upsert(((1, "A"),)), Clean(5))),)
    for writers, options in ((slow, ASYNC), (patient, ASYNC), (slow[:0], (*ASYNC, (DETECTOR_DELAY, "1000")))):
        assert "no later pass" in str(live_of(HudiWorkload(writers, groups=GROUPS, options=options)))
    served = live_of(HudiWorkload((), groups=GROUPS, options=(*OPTIMISTIC, *SERVER)))
    detecting = live_of(HudiWorkload((), groups=GROUPS, options=ASYNC))
    assert isinstance(served, Live)
    assert isinstance(detecting, Live)
    assert set(ON_SERVERS) <= set(detecting.yield_points[0])
    assert [LIST in points for points in served.yield_points] == [False, True]
    assert [LIST in points for points in detecting.yield_points] == [False]
    assert detecting.faults is not None
    assert all("crash" not in kinds for kinds in detecting.faults.values())


def test_a_live_client_has_a_server_at_a_free_port_of_its_own(tmp_path):
    """Without a gate it has Hudi's own strategy."""
    gated, free = (write_options(parse_options(dict(ASYNC)), tmp_path, gated=gated) for gated in (True, False))
    assert gated["hoodie.embed.timeline.server"] == "true"
    assert gated["hoodie.embed.timeline.server.port"] == "0"
    assert gated["hoodie.write.markers.type"] == "TIMELINE_SERVER_BASED"
    strategies = [options["hoodie.write.concurrency.early.conflict.detection.strategy"] for options in (gated, free)]
    assert strategies[0] == "lakeproof.GatedDetection"
    assert strategies[1].endswith("handlers.marker.AsyncTimelineServerBasedDetectionStrategy")
