"""The campaign of `make campaign`, in small: every configuration of every protocol, a scenario each, in one process."""

from collections import Counter
from dataclasses import replace

import pytest

from lakeproof.campaigns.asked import of_file
from lakeproof.protocols import protocol_names
from real_backend.pipeline.campaign import search
from real_backend.pipeline.folder import opened
from real_backend.pipeline.schema import SIMULATOR
from real_backend.pipeline.waves import InProcess
from tests.search.silent import MILLION, judged, noise, slices_of
from tests.unit.lakeproof.scenario_files import ROOT


def test_every_configuration_of_the_example_can_be_searched(tmp_path):
    """The default of each protocol and ten others at the least; no scenario raises."""
    asked = of_file(ROOT / "examples" / "campaign.toml")
    assert asked.seconds == 15 * 60
    configurations = asked.plan.configurations
    counts = Counter(one.protocol for one in configurations)
    assert sorted(counts) == sorted(protocol_names())
    assert min(counts.values()) >= 11
    assert {(name, "default") for name in counts} <= {(one.protocol, one.name) for one in configurations}
    small = replace(asked.plan, seeds=2, seeds_each=2, first=2, most=4)
    search(tmp_path / "campaign", small, InProcess())
    folder = opened(tmp_path / "campaign")
    searched = {(row["protocol"], row["configuration"]) for row in folder.read("slices").to_pylist()}
    assert searched == {(one.protocol, one.name) for one in configurations}
    failures = folder.read("failures").to_pylist()
    assert [row["error"] for row in failures if row["property"] == SIMULATOR] == []


def test_configurations_that_hold_are_silent(tmp_path):
    """The campaign of `make silent`, a few schedules of each configuration: nothing fails, known or not."""
    asked = of_file(ROOT / "examples" / "silent.toml")
    search(tmp_path / "campaign", replace(asked.plan, seeds=1, seeds_each=1, first=4, most=8), InProcess())
    slices = slices_of(tmp_path / "campaign")
    counted = judged(slices)
    assert counted >= 4 * len(asked.plan.configurations)
    assert noise(slices, counted) == []
    assert noise(slices, MILLION) == [f"expected 1,000,000 schedules judged, got {counted:,}: give the file more seeds"]


@pytest.mark.parametrize(("operations", "anomaly", "told"), [
    ([["insert", "remove orphans"]], "unreadable-table", 0),
    ([["insert", "remove orphans"], ["insert"]], "unreadable-table", 1),
    ([["insert", "remove orphans"]], "leak", 1),
    ([], "", 1),
])  # fmt: skip
def test_orphans_of_a_cached_table_alone_are_let_pass(operations, anomaly, told):
    """Nothing else is, beside them or in their place, nor what fails without a cause."""
    causes = [{"operations": each, "anomaly": anomaly} for each in operations]
    row = {"protocol": "iceberg", "configuration": "c", "seed_lo": 0, "seed_hi": 1, "schedules": 8, "indeterminate": 0}
    assert len(noise([row | {"failed": 1, "endless": 0, "causes": causes}], 8)) == told


def test_a_known_finding_is_noise(tmp_path):
    """What explains a failure does not make it silent."""
    asked = of_file(ROOT / "examples" / "campaign.toml")
    loud = next(one for one in asked.plan.configurations if (one.protocol, one.name) == ("hudi", "prefer-writer"))
    search(tmp_path / "campaign", replace(asked.plan, configurations=(loud,), seeds=4, seeds_each=4), InProcess())
    told = noise(slices_of(tmp_path / "campaign"), 1)
    assert told
    assert all(line.startswith("hudi prefer-writer, seeds 0 to 3: ") for line in told)


def test_a_schedule_that_is_left_open_counts_for_nothing():
    """It is no failure, and none of the schedules that are asked for; one that does not end is noise."""
    row = {"protocol": "p", "configuration": "c", "seed_lo": 0, "seed_hi": 5, "schedules": 10, "failed": 0}
    assert noise([row | {"indeterminate": 2, "endless": 0}], 8) == []
    assert noise([row | {"indeterminate": 2, "endless": 0}], 9) == [
        "expected 9 schedules judged, got 8: give the file more seeds"
    ]
    assert noise([row | {"indeterminate": 0, "endless": 1}], 9) == ["p c, seeds 0 to 4: 1 schedules do not end"]
