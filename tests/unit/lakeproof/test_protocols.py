"""The table of protocols: a row is all that a fourth protocol needs, and nothing is imported before it is used."""

import subprocess
import sys
from dataclasses import replace

import pytest

from checkers import properties
from lakeproof import fetch, protocols, verdicts
from lakeproof.errors import BadInput
from lakeproof.operations import require_known
from real_backend.jvm import jars
from tests.unit.lakeproof.bank import ROW, SAFE
from tests.unit.lakeproof.scenario_files import SNAPSHOT

ROOMS = ("model", "checkers", "sim", "real_backend", "reports")


@pytest.fixture(autouse=True)
def bank(monkeypatch):
    """The bank is a protocol like the others; its properties are forgotten afterwards."""
    monkeypatch.setattr(protocols, "PROTOCOLS", (*protocols.PROTOCOLS, ROW))
    before = dict(properties.CHECKS)
    yield
    for name in properties.CHECKS.keys() - before.keys():
        del properties.CHECKS[name], properties.RANK[name]


def test_its_scenarios_and_properties_are_listed(call):
    """Beside everybody else's."""
    listed = call("list").stdout
    assert "bank/transfer" in listed
    assert SNAPSHOT in listed
    assert "properties of the bank: stays-rich" in listed


def test_its_scenarios_are_searched_judged_by_its_property_and_told_in_its_words(call):
    """Found by name, expected to break, explained by its own renderer."""
    result = call("run", "bank/transfer", "bank/poor")
    assert result.exit_code == 0, result.stdout + result.stderr
    alone = call("run", "bank/poor")
    assert "violated: stays-rich: poor" in alone.stdout
    assert "ann looks at the balance: 100." in alone.stdout
    assert "ann is told: the withdrawal of 30 succeeded." in alone.stdout
    assert "leaves 20" in alone.stdout


def test_its_histories_are_judged_and_its_schedules_replayed_also_live(call, tmp_path):
    """From what a run left."""
    live = call("run", "bank/poor", "--live")
    assert "The same schedule live, on the ledger of ann and bob:" in live.stdout
    folder = tmp_path / "runs" / "bank" / "poor" / "latest"
    assert "invalid  stays-rich" in call("check", folder).stdout
    assert "invalid  stays-rich" in call("check", folder / "history.parquet", "--property", "stays-rich").stdout
    again = call("replay", folder / "schedule.txt", "--live")
    assert again.exit_code == 1
    assert "live: VIOLATED: stays-rich (poor)" in again.stdout


def test_its_document_is_judged_and_its_study_measured(call):
    """By the names of its row."""
    assert "bank: 1 claim: 1 confirmed (simulated)" in call("claims", "bank").stdout
    assert "bank-queue: A queue (simulated)" in call("study", "bank-queue").stdout
    assert [defect.lost for defect in verdicts.defects()][-1] == "the savings"


def test_its_operations_exist(monkeypatch):
    """Also where a scenario does not make them."""
    require_known(SAFE, ("audit",), "faults", BadInput)
    monkeypatch.setattr(protocols, "PROTOCOLS", protocols.PROTOCOLS[:-1])
    with pytest.raises(BadInput, match="got 'audit'"):
        require_known(SAFE, ("audit",), "faults", BadInput)


def test_its_wrong_options_are_as_wrong_as_the_commands(call, tmp_path):
    """One line and exit code 64."""
    path = tmp_path / "mine.py"
    raised = "raise BadAmount('amount: expected more than 0')"
    path.write_text(f"from tests.unit.lakeproof.bank import BadAmount\n{raised}\n")
    result = call("run", path)
    assert result.exit_code == 64
    assert result.stderr.endswith("mine.py: line 2: amount: expected more than 0\n")


def test_what_its_live_runs_need_is_fetched(monkeypatch, capsys):
    """With everybody else's."""
    rows = tuple(replace(row, fetch="") for row in protocols.PROTOCOLS[:-1])
    monkeypatch.setattr(protocols, "PROTOCOLS", (*rows, ROW))
    monkeypatch.setattr(fetch, "jar_path", lambda name: f"{name}.jar")
    assert fetch.main() == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines == [*(f"jar {name}: {name}.jar" for name in jars.JARS), "ledger: on paper"]


@pytest.mark.parametrize("row", protocols.PROTOCOLS, ids=lambda row: row.name)
def test_everything_that_a_row_names_is_there(row):
    """No name leads nowhere, and every live counterpart is some row's."""
    several = (row.scenarios, row.studies, row.live, row.live_studies)
    single = (
        row.properties, row.operations, row.renderer, row.claims, row.defects, row.in_spark, row.fetch,
        row.option_error,
    )  # fmt: skip
    for named in (*(one for each in several for one in each.values()), *filter(None, single)):
        assert protocols.part(named) is not None
    assert set(row.jars) <= set(jars.JARS)
    for named in row.scenarios.values():
        for scenario in protocols.part(named):
            assert scenario.live is None or protocols.live_system(scenario.live.system)


@pytest.mark.parametrize("asked", ["studies()", "live_studies()", "with_claims()", "PROTOCOLS"])
def test_names_are_known_without_importing_anything(asked):
    """Which studies there are does not depend on what they measure."""
    script = (
        f"import sys; from lakeproof import protocols; protocols.{asked}\n"
        f"print(*[name for name in sys.modules if name.split('.')[0] in {ROOMS}])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == []


def test_only_the_protocol_that_is_asked_for_is_imported():
    """Simulating a Hudi scenario by itself needs no front door, and brings in no other protocol."""
    script = (
        "import sys; from sim.hudi.scenarios import HUDI; from sim.search.run import Runner\n"
        "from sim.search.strategies import Deviations\n"
        "scenario = next(one for one in HUDI if one.name == 'hudi/no-control')\n"
        "Runner(scenario).run(Deviations())\n"
        "names = [name for name in sys.modules if name.split('.')[0] in ('lakeproof', 'reports', 'real_backend')]\n"
        "print(*names, *[name for name in sys.modules if name.split('.')[1:2] in (['iceberg'], ['hive'])])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == []
