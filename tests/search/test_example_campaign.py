"""The campaign of `make campaign`, in small: every configuration of every protocol, a scenario each, in one process."""

from collections import Counter
from dataclasses import replace

from lakeproof.campaigns.asked import of_file
from lakeproof.protocols import protocol_names
from real_backend.pipeline.campaign import search
from real_backend.pipeline.folder import opened
from real_backend.pipeline.schema import SIMULATOR
from real_backend.pipeline.waves import InProcess
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
