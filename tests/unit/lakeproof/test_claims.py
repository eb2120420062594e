"""`lakeproof claims`: a table for a terminal, for a README and for a browser, and schedules that replay."""

import re
from dataclasses import replace

import pytest

from lakeproof import protocols
from lakeproof.protocols import claims_of, with_claims
from lakeproof.scenarios import built_in
from sim.kernel.schedule import parse
from sim.search.claims import Claim, Evidence
from tests.unit.lakeproof.scenario_files import ROOT, SERIALIZABLE, SNAPSHOT
from tests.unit.reports.test_html import outline

KNOWN = built_in()
LOST = Claim("snapshot isolation <suffices> | always", "the document, 1", "no-lost-update", "snapshot",
             (KNOWN[SNAPSHOT],), live="tests/live/test_demo.py::test_lost", note="A note.")  # fmt: skip
KEPT = Claim("serializable isolation refuses", "the document, 2", "", "serializable", (KNOWN[SERIALIZABLE],))
OPEN = Claim(
    "nobody knows", "the document, 3", "freshness", "any", evidence=lambda: Evidence(None, "nothing looked at")
)
UNLISTED = replace(LOST, text="nothing is lost", scenarios=(replace(KNOWN[SNAPSHOT], name="iceberg/of-a-claim"),))
CLAIMS = (LOST, KEPT)


@pytest.fixture
def stated(monkeypatch):
    """Hudi's document makes these claims."""
    rows = [replace(row, claims=f"{__name__}:CLAIMS") if row.name == "hudi" else row for row in protocols.PROTOCOLS]
    monkeypatch.setattr(protocols, "PROTOCOLS", tuple(rows))
    return monkeypatch


def newest(tmp_path):
    """The newest folder of claims about Hudi."""
    return (tmp_path / "runs" / "claims" / "hudi" / "latest").resolve()


def test_claims_are_printed_with_verdict_bounds_schedule_and_live(call, tmp_path, stated):
    """What is refuted is an answer: exit 0."""
    result = call("claims", "hudi")
    assert result.exit_code == 0
    assert "hudi: 2 claims: 1 confirmed, 1 refuted (simulated)" in result.stdout
    words = " ".join(result.stdout.split())
    for text in ("refuted", "confirmed", "no-lost-update", "found within", "complete", "test_lost", "A note."):
        assert text in words
    assert {path.name for path in newest(tmp_path).iterdir()} == {
        "claims.json", "claims.md", "report.html", "metrics.json", "schedule-01.txt",
    }  # fmt: skip


def test_the_schedule_of_a_refuted_claim_replays(call, tmp_path, stated):
    """From its file, and it shows the broken property."""
    call("claims", "hudi")
    replayed = call("replay", newest(tmp_path) / "schedule-01.txt")
    assert replayed.exit_code == 1
    assert "no-lost-update" in replayed.stdout


def test_the_schedule_of_a_claim_is_the_one_that_run_shows(call, tmp_path, stated):
    """At the yield points of the live gate, where it fails in the same way."""
    call("claims", "hudi")
    call("run", SNAPSHOT)
    claimed, run = (parse((folder / name).read_text()) for folder, name in (
        (newest(tmp_path), "schedule-01.txt"), (tmp_path / "runs" / SNAPSHOT / "latest", "schedule.txt")))  # fmt: skip
    assert (claimed.steps, claimed.yield_points) == (run.steps, run.yield_points)


def test_the_schedule_of_a_scenario_that_only_a_claim_has_replays_too(call, tmp_path, stated):
    """Its file names the claim's scenario."""
    stated.setattr(f"{__name__}.CLAIMS", (UNLISTED,))
    call("claims", "hudi")
    replayed = call("replay", newest(tmp_path) / "schedule-01.txt")
    assert replayed.exit_code == 1
    assert replayed.stdout.startswith("iceberg/of-a-claim: VIOLATED: ")


@pytest.mark.parametrize("protocol", with_claims())
def test_names_of_claims_scenarios_mean_one_scenario(protocol):
    """A schedule names its scenario by nothing else."""
    named: dict[str, object] = {}
    for claim in claims_of(protocol):
        for scenario in claim.scenarios:
            assert named.setdefault(scenario.name, KNOWN.get(scenario.name, scenario)) is scenario


def test_markdown_alone_is_on_standard_output(call, tmp_path, stated):
    """One row a claim, as many cells in each, with nothing that a README would take for markup."""
    result = call("claims", "hudi", "--markdown")
    lines = result.stdout.rstrip().splitlines()
    assert lines[0].startswith("| claim | ")
    table = lines[: lines.index("")]
    assert len(table) == 2 + len(CLAIMS)
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in table} == {8}
    assert '"snapshot isolation &lt;suffices> \\| always" (the document, 1)' in table[2]
    assert lines[-1] == "2 claims: 1 confirmed, 1 refuted. Again: `lakeproof claims hudi`"
    assert (newest(tmp_path) / "claims.md").read_text() == result.stdout
    assert "run folder: " in result.stderr


def test_the_page_is_closed_and_escaped(call, tmp_path, stated):
    """Every claim with its verdict."""
    call("claims", "hudi")
    text = (newest(tmp_path) / "report.html").read_text()
    found = outline(text)
    assert LOST.text in found.texts
    assert {"refuted", "confirmed", "schedule-01.txt"} <= {word for line in found.texts for word in line.split()}
    assert not {"script", "link", "img"} & set(found.tags)
    assert "://" not in text


def test_two_judgements_leave_the_same_files(call, tmp_path, stated):
    """But for the time that they took."""
    call("claims", "hudi")
    one = newest(tmp_path)
    call("claims", "hudi")
    two = newest(tmp_path)
    assert one != two
    for name in ("claims.json", "claims.md", "report.html", "schedule-01.txt"):
        assert (one / name).read_bytes() == (two / name).read_bytes()


def test_a_claim_that_cannot_be_judged_makes_it_exit_2(call, stated):
    """And stands there as unknown."""
    stated.setattr(f"{__name__}.CLAIMS", (OPEN,))
    result = call("claims", "hudi")
    assert result.exit_code == 2
    assert "1 claim: 1 unknown" in result.stdout


def test_a_small_budget_is_part_of_the_command(call, stated):
    """So that the table can be made again as it is."""
    result = call("claims", "hudi", "--markdown", "--budget", "3")
    assert result.exit_code == 2
    assert result.stdout.rstrip().endswith("`lakeproof claims hudi --budget 3`")


def test_an_unknown_protocol_is_one_line(call):
    """With the names that exist."""
    result = call("claims", "delta")
    assert result.exit_code == 64
    assert "hudi" in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("protocol", with_claims())
def test_live_tests_that_claims_name_exist(protocol):
    """A claim says that it was seen live only where a test shows it."""
    for claim in claims_of(protocol):
        if claim.live:
            path, _, name = claim.live.partition("::")
            assert f"def {name.partition('[')[0]}(" in (ROOT / path).read_text(encoding="utf-8"), claim.live


@pytest.mark.parametrize("columns", [60, 80, 140])
def test_claims_are_no_wider_than_the_terminal(call, stated, monkeypatch, columns):
    """Blocks where a table has no place; the same words."""
    wide = call("claims", "hudi").stdout.split("run folder")[0]
    monkeypatch.setenv("COLUMNS", str(columns))
    out = call("claims", "hudi").stdout.split("run folder")[0]
    assert max(map(len, out.splitlines())) <= columns
    assert all(line == line.rstrip() for line in out.splitlines())
    for row in ("confirmed", "refuted"):
        assert row in out
        assert row in wide
