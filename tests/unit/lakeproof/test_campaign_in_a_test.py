"""`lakeproof.campaign`: green if nothing new is found; what was found is kept as text and replayed first."""

import shlex
from dataclasses import replace

import pytest

import lakeproof
from lakeproof.errors import UsageProblem
from sim.generation.causes import Known
from tests.unit.lakeproof import till

pytestmark = pytest.mark.usefixtures("a_till")
LOST = Known("till/blind", "no-lost-update", "lost-update", ("add",))


def _fails(folder, **more):
    with pytest.raises(AssertionError) as failed:
        lakeproof.campaign("till", seeds=3, folder=folder, **more)
    return str(failed.value).splitlines()


def test_nothing_new_is_green():
    """It says how many schedules were run."""
    assert lakeproof.campaign("till", seeds=3, configurations=["default", "red"]) > 100


def test_what_is_new_is_red_told_and_kept_and_the_last_line_replays_it(call, tmp_path):
    """The file is named by what breaks, and holds the scenario's name and the steps."""
    lines = _fails(tmp_path / "failures")
    assert lines[:2] == ["1 new cause of failures:", "  till: no-lost-update (lost-update): add"]
    (file,) = (tmp_path / "failures").iterdir()
    assert file.name.startswith("till-no-lost-update-lost-update-")
    assert "# scenario: till/generated/shipped/1\n" in file.read_text()
    assert any(line.startswith("  => ") for line in lines)
    _, *arguments = shlex.split(lines[-1])
    assert call(*arguments).exit_code == 1


def test_what_is_kept_is_replayed_first(tmp_path, monkeypatch):
    """Without any search."""
    _fails(tmp_path)
    monkeypatch.setattr("lakeproof.campaigns.guard.search", None)
    lines = _fails(tmp_path)
    assert lines[0] == "fails still: no-lost-update (lost-update): add"
    assert lines[-1].startswith("lakeproof replay ")


def test_what_is_kept_and_mended_or_known_is_green(tmp_path, monkeypatch):
    """The file may stay: it guards."""
    _fails(tmp_path)
    adding = till._adding
    monkeypatch.setattr(till, "_adding", lambda simulation, name, often, looks: adding(simulation, name, often, True))
    assert lakeproof.campaign("till", seeds=3, folder=tmp_path) > 100
    monkeypatch.setattr(till, "_adding", adding)
    monkeypatch.setattr(till, "GENERATOR", replace(till.GENERATOR, known=(LOST,)))
    assert lakeproof.campaign("till", seeds=3, folder=tmp_path) > 100
    assert len(list(tmp_path.iterdir())) == 1


def test_what_is_kept_and_cannot_be_followed_is_looked_for_in_its_scenario(tmp_path):
    """Code changes, and so do the steps; the scenario still breaks."""
    (tmp_path / "old.schedule").write_text("# lakeproof schedule 1\n# scenario: till/generated/shipped/1\np9:commit\n")
    assert _fails(tmp_path)[0] == "fails still: no-lost-update (lost-update): add"


def test_what_is_kept_and_cannot_be_made_is_red(tmp_path):
    """A guard that guards nothing must not be taken for one."""
    (tmp_path / "old.schedule").write_text("# lakeproof schedule 1\n# scenario: till/generated/nope/1\np1:commit\n")
    lines = _fails(tmp_path)
    assert lines[-1] == f"what is kept can be made no more; remove {tmp_path / 'old.schedule'}, and search anew"


def test_without_a_folder_the_schedule_is_in_the_message():
    """Nothing is written."""
    lines = _fails(None)
    assert "# scenario: till/generated/shipped/1" in lines


@pytest.mark.parametrize(
    ("protocol", "more", "said"),
    [
        ("tilt", {"seeds": 1}, "expected iceberg or"),
        ("till", {"configurations": ["rad"]}, "did you mean red?"),
        ("till", {"rules": "brokn"}, "did you mean broken?"),
        ("till", {"seeds": 0}, "expected seeds from 1, got 0"),
        ("till", {"minutes": 0.0}, "expected seconds above 0, got 0"),
    ],
)
def test_what_cannot_be_is_refused(protocol, more, said):
    """With what was meant."""
    with pytest.raises(UsageProblem, match=said.replace("?", r"\?")):
        lakeproof.campaign(protocol, **more)
