"""A campaign in one process: waves, resuming, interrupts, and folders that are another's."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from real_backend.pipeline.campaign import APART, CampaignPlan, Configuration, search
from real_backend.pipeline.folder import opened, writing
from real_backend.pipeline.waves import InProcess
from sim.iceberg.options import CONFIGURATIONS
from tests.unit.real_backend.pipeline.generators import BLIND, LOOKING, TILL

FIRST, SECOND = (
    Configuration(TILL, "till", name, settings, "shipped")
    for name, settings in (("looking", LOOKING), ("blind", BLIND))
)
PLAN = CampaignPlan((FIRST, SECOND), seeds=4, seeds_each=2, first=4, most=4)


class DiesAfter(InProcess):
    """An engine that ends in its second wave, its tables half written."""

    name, cores = "dies", 1

    def __init__(self, error, waves=1) -> None:
        self.error, self.waves = error, waves

    def make(self, staging, slices, done):
        if self.waves:
            self.waves -= 1
            return InProcess().make(staging, slices, done)
        InProcess().make(staging, slices[:1], done)
        raise self.error


def digests(path):
    """The digest of each slice that counts, by its key."""
    rows = opened(path).read("slices").to_pylist()
    assert len({row["slice"] for row in rows}) == len(rows)
    return {row["slice"]: row["digest"] for row in rows}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The campaign in one go."""
    path = tmp_path_factory.mktemp("campaigns") / "whole"
    search(path, PLAN, InProcess(), wave_s=1e-9)
    return path


def test_slices_take_turns_and_cover_each_seed_once():
    """Every configuration has its turn before one has a second; the last slice is what is left."""
    slices = list(replace(PLAN, seeds=5).slices())
    assert [(one.configuration, one.seed_lo, one.seed_hi) for one in slices] == [
        ("looking", 0, 2), ("blind", APART, APART + 2), ("looking", 2, 4), ("blind", APART + 2, APART + 4),
        ("looking", 4, 5), ("blind", APART + 4, APART + 5),
    ]  # fmt: skip


def test_slices_of_slow_scenarios_have_fewer_seeds():
    """A slice takes about as long as others: PyIceberg parses its own JSON and Avro."""
    named = [
        Configuration("sim.iceberg.generate:GENERATOR", "iceberg", name, tuple(CONFIGURATIONS[name].items()), "shipped")
        for name in ("default", "PyIceberg")
    ]
    slices = CampaignPlan(tuple(named), seeds=18).slices()
    assert [(one.configuration, one.seed_hi - one.seed_lo) for one in slices] == [
        ("default", 16), *[("PyIceberg", 4)] * 4, ("default", 2), ("PyIceberg", 2),
    ]  # fmt: skip


def test_a_campaign_keeps_every_slice_in_waves(whole):
    """A wave that has no more time than for one slice has one, and every table has all rows."""
    folder = opened(whole)
    assert folder.waves() == [1, 2, 3, 4]
    assert folder.keys() == {one.key for one in PLAN.slices()}
    runs = folder.read("runs").to_pylist()
    assert sorted((row["configuration"], row["seed"]) for row in runs) == sorted(
        (name, first + seed) for name, first in (("looking", 0), ("blind", APART)) for seed in range(4)
    )
    assert {row["wave"] for row in runs} == {1, 2, 3, 4}


def test_progress_counts_what_is_kept(whole, tmp_path):
    """The last that is told is the sum of all slices; a slice that is done is told before its wave is kept."""
    told = []
    progress = search(
        tmp_path / "c", PLAN, InProcess(), tell=lambda now: told.append((now.waves, now.done, now.planned))
    )
    assert told[:2] == [(0, 1, 1), (1, 0, 0)]
    assert told[-1] == (2, 0, 0)
    assert (progress.slices, progress.scenarios, progress.schedules) == (4, 8, 8 * 4)
    assert progress.per_s > 0
    assert digests(tmp_path / "c") == digests(whole)


def test_an_interrupt_gives_up_the_wave_and_resuming_loses_and_doubles_nothing(whole, tmp_path):
    """Ctrl-C in the second wave keeps the first; then the rest is run."""
    path = tmp_path / "c"
    assert search(path, PLAN, DiesAfter(KeyboardInterrupt()), wave_s=1e-9).interrupted
    assert opened(path).waves() == [1]
    progress = search(path, PLAN, InProcess(), wave_s=1e-9, resume=True)
    assert (progress.interrupted, progress.slices, progress.run) == (False, 4, 3 * 2 * 4)
    assert digests(path) == digests(whole)


KILLED = """
import os, signal, sys
from pathlib import Path
from real_backend.pipeline.campaign import search
from real_backend.pipeline.waves import InProcess
from tests.unit.real_backend.pipeline.test_campaign import PLAN

def tell(progress):
    if progress.waves == 2:
        os.kill(os.getpid(), signal.SIGKILL)

search(Path(sys.argv[1]), PLAN, InProcess(), wave_s=1e-9, tell=tell)
"""


def test_a_process_killed_between_waves_loses_and_doubles_nothing(whole, tmp_path):
    """What it kept stays, its lock is gone, and the rest is run by the next one."""
    command = [sys.executable, "-c", KILLED, str(tmp_path / "c")]
    ended = subprocess.run(command, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, check=False)
    assert ended.returncode == -signal.SIGKILL
    assert opened(tmp_path / "c").waves() == [1, 2]
    progress = search(tmp_path / "c", PLAN, InProcess(), resume=True)
    assert (progress.slices, progress.run) == (4, 2 * 2 * 4)
    assert digests(tmp_path / "c") == digests(whole)


def test_a_wave_without_a_manifest_does_not_count_and_is_removed(whole, tmp_path):
    """As a process leaves it that is killed between the tables and the manifest."""
    path = tmp_path / "c"
    with pytest.raises(OSError, match="disk"):
        search(path, PLAN, DiesAfter(OSError("disk"), waves=2), wave_s=1e-9)
    (path / "waves" / "0002.json").unlink()
    assert len(digests(path)) == 1
    search(path, PLAN, InProcess(), wave_s=1e-9, resume=True)
    assert digests(path) == digests(whole)
    assert len(list((path / "runs").glob("wave=*"))) == len(opened(path).waves())
    assert not (path / "_staging").exists() or not any((path / "_staging").iterdir())


def test_a_wave_does_not_count_while_its_manifest_is_written(tmp_path, monkeypatch):
    """Who is killed then leaves no manifest without text behind."""
    seen = []
    write_text = Path.write_text

    def write(file, text, **options):
        seen.append(sorted(one.name for one in (tmp_path / "c").rglob("*.json")))
        return write_text(file, text, **options)

    monkeypatch.setattr(Path, "write_text", write)
    search(tmp_path / "c", replace(PLAN, seeds=1, configurations=(FIRST,)), InProcess())
    assert seen == [[], ["campaign.json"]]


def test_a_wave_that_misses_a_slice_is_not_kept(tmp_path):
    """What a worker lost is noticed before it counts."""

    class Loses(InProcess):
        def make(self, staging, slices, done):
            return super().make(staging, slices, done)[1:]

    with pytest.raises(RuntimeError, match="wave 1: expected 1 slices, each once, got 0"):
        search(tmp_path / "c", PLAN, Loses())
    assert opened(tmp_path / "c").waves() == []


def test_a_second_process_cannot_write_the_same_campaign(tmp_path):
    """Both would run the same slices."""
    with writing(tmp_path / "c", PLAN.about), pytest.raises(ValueError, match="got a campaign that runs"):
        search(tmp_path / "c", PLAN, InProcess(), resume=True)


@pytest.mark.parametrize(
    ("change", "resume", "words"),
    [
        ({}, False, "got a campaign's; resume it"),
        ({"plan": replace(PLAN, first_seed=7)}, True, "expected a campaign of the same plan, got one of another"),
        ({"code": "0"}, True, "expected a campaign of the same code, got one of another"),
        ({"format": 0}, True, "expected a campaign of format 1, got 0"),
    ],
)
def test_the_folder_of_another_campaign_is_refused_and_left_as_it_is(whole, tmp_path, change, resume, words):
    """Another plan, other code, another version, or no wish to go on: one line, and nothing is written."""
    about = tmp_path / "c" / "campaign.json"
    about.parent.mkdir()
    about.write_text(json.dumps({**json.loads((whole / "campaign.json").read_text()), **change}, default=vars_of))
    before = about.read_text()
    with pytest.raises(ValueError, match=words) as refused:
        search(about.parent, PLAN, InProcess(), resume=resume)
    assert "\n" not in str(refused.value)
    assert (about.read_text(), list(about.parent.iterdir())) == (before, [about])


def vars_of(plan):
    """A plan as its folder has it."""
    return plan.about["plan"]


def test_a_folder_of_something_else_is_refused(tmp_path):
    """Nothing is written beside what somebody else has there."""
    (tmp_path / "mine.txt").touch()
    with pytest.raises(ValueError, match="expected a new, an empty or a campaign's folder, got another one"):
        search(tmp_path, PLAN, InProcess(), resume=True)
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize(
    ("plan", "seconds", "words"),
    [
        (replace(PLAN, configurations=()), 1, "expected a configuration, got none"),
        (replace(PLAN, seeds=0), 1, "expected seeds from 1, got 0"),
        (PLAN, 0, "expected seconds above 0, got 0"),
        (replace(PLAN, seeds=None), None, "expected a number of seeds or of seconds, got neither"),
        (replace(PLAN, configurations=(replace(FIRST, settings=(("x", "y"),)),)), 1, "expected an option of"),
        (replace(PLAN, configurations=(replace(FIRST, rules="no"),)), 1, "rules: expected shipped"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(tmp_path, plan, seconds, words):
    """One line, before any folder is made."""
    with pytest.raises(ValueError, match=words):
        search(tmp_path / "c", plan, InProcess(), seconds=seconds)
    assert not (tmp_path / "c").exists()
