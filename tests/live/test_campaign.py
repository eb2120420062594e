"""`lakeproof campaign` with a live sample on a real system."""

import json

import pytest
from click.testing import CliRunner

from lakeproof.cli import cli

pytestmark = pytest.mark.live
FILE = """
seeds = 12
live = 6
sweep = { first = 4, most = 8 }

[[search]]
protocol = "iceberg"
configurations = ["Java API"]
"""


def test_a_campaign_replays_its_live_sample_on_the_real_java_api(tmp_path, monkeypatch):
    """In a JVM that the command starts and ends; the report counts what was replayed, and that nothing differs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "some.toml").write_text(FILE)
    result = CliRunner().invoke(cli, ["campaign", "some.toml", "--master", "process"])
    assert "live: 6 replayed, 0 DIFFER" in result.stdout, result.output
    metrics = json.loads((tmp_path / "campaigns" / "some" / "reports" / "latest" / "metrics.json").read_text())
    assert (metrics["replays"]["replayed"], metrics["replays"]["differing"]) == (6, [])
