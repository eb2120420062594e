"""JUnit and summary are on disk as results come, and survive whatever ends a run early."""

import errno
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

from lakeproof import attempt, outcome
from lakeproof.results import Results
from reports.pages.summary import ResultRow
from tests.children import with_signals
from tests.unit.lakeproof.scenario_files import ROOT, SERIALIZABLE, SNAPSHOT, counter_file

FILES = ("--junit", "out.xml", "--summary", "out.md")
PAIR = (SERIALIZABLE, SNAPSHOT)


def row(name, code=0):
    """A result."""
    return ResultRow(name, "holds", "holds", code, "standing", "headline", 1, 0.0, "replay", "explained")


def cases(path="out.xml"):
    """The verdict of each case of a JUnit file: "" if it passed, else what it is."""
    return {case.get("name"): next((child.tag for child in case if child.tag != "system-out"), "") for case in
            ET.parse(path).getroot()}  # fmt: skip


def listed(path):
    """The scenarios of a summary's table, in its order."""
    return re.findall(r"^\| (\S+/\S+) \|", path.read_text(), re.MULTILINE)


def test_each_result_is_on_disk_before_the_next_scenario_begins(call, tmp_path, monkeypatch):
    """A machine that is switched off loses one scenario, not all."""
    seen = []

    def looking(*arguments, **options):
        seen.append((cases() if (tmp_path / "out.xml").exists() else {}, (tmp_path / "out.md").exists()))
        return outcome.carry_out(*arguments, **options)

    monkeypatch.setattr(attempt, "carry_out", looking)
    assert call("run", *PAIR, *FILES).exit_code == 0
    assert seen == [({}, False), ({SERIALIZABLE: ""}, True)]
    assert cases() == dict.fromkeys(PAIR, "")
    assert listed(tmp_path / "out.md") == list(PAIR)


@pytest.mark.parametrize(
    ("name", "code", "jobs"), [("SIGTERM", 143, 1), ("SIGINT", 130, 1), ("SIGTERM", 143, 2), ("SIGINT", 130, 2)]
)
def test_a_run_that_is_ended_early_keeps_its_results_and_says_what_was_interrupted(tmp_path, name, code, jobs):
    """The file's scenario asks its parent's process to end when it is searched; the third one is never begun."""
    ends = f"__import__('os').kill(RUN, __import__('signal').{name}); __import__('time').sleep(60)"
    path = counter_file(tmp_path, head="import os\nRUN = os.getpid()\n")
    path.write_text(path.read_text().replace("def start(simulation):\n", f"def start(simulation):\n    {ends}\n"))
    command = [sys.executable, "-m", "lakeproof", "run", SNAPSHOT, path, SERIALIZABLE, *FILES, "--jobs", jobs]
    done = subprocess.run(with_signals(command), cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == code, done.stderr
    found = cases(tmp_path / "out.xml")
    assert found["test/counter"] == "error"
    assert "test/counter | holds | interrupted | **interrupted** |" in (tmp_path / "out.md").read_text()
    if jobs == 1:
        assert found == {SNAPSHOT: "", "test/counter": "error"}
        assert "1 more never began" in (tmp_path / "out.xml").read_text()
        assert done.stdout.rstrip().splitlines()[-1].startswith(f"lakeproof replay runs/{SNAPSHOT}/")
    assert not list((tmp_path / "runs" / "test").rglob("2*"))


def full(monkeypatch, name):
    """Let the disk be full for one file."""
    replace = os.replace

    def failing(source, target):
        if os.path.basename(target) == name:
            raise OSError(errno.ENOSPC, "No space left on device", str(source))
        return replace(source, target)

    monkeypatch.setattr(os, "replace", failing)


@pytest.mark.parametrize("name", ["history.parquet", "run.json", "explain.md", "report.html", "out.xml"])
def test_a_full_disk_does_not_lose_the_verdict_and_is_named(call, tmp_path, monkeypatch, name):
    """No half-written file is left."""
    full(monkeypatch, name)
    result = call("run", SNAPSHOT, *FILES)
    assert result.exit_code == 64
    assert f"{SNAPSHOT}: VIOLATED" in result.stdout
    assert re.search(rf"^lakeproof: \S*{re.escape(name)}: expected a place that can be written, got No space left",
                     result.stderr, re.MULTILINE)  # fmt: skip
    left = [path.name for path in tmp_path.rglob("*") if path.is_file()]
    assert name not in left
    assert not [path for path in left if path.endswith(".part")]


def test_a_real_limit_on_files_leaves_none_that_is_cut_off(tmp_path):
    """The page is larger than any file may be; what is smaller is whole."""
    command = f"ulimit -f 8; exec {sys.executable} -m lakeproof run {SNAPSHOT}"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 64, done.stderr
    assert f"{SNAPSHOT}: VIOLATED" in done.stdout
    assert "expected a place that can be written, got File too large" in done.stderr
    assert not [path for path in (tmp_path / "runs").rglob("*") if path.is_file() and path.stat().st_size == 8192]


def test_a_search_that_cannot_be_stored_still_says_which_schedule_it_found(call, monkeypatch):
    """There is nothing else to replay it by."""
    full(monkeypatch, "history.parquet")
    said = call("run", SNAPSHOT).stdout
    assert "# lakeproof schedule 1" in said
    assert f"# scenario: {SNAPSHOT}" in said


def test_a_disk_that_is_full_for_a_while_loses_no_row(tmp_path, monkeypatch):
    """What could not be written comes with the next result."""
    results = Results(tmp_path / "out.xml", tmp_path / "out.md")
    with monkeypatch.context() as patched:
        full(patched, "out.xml")
        results.add(0, row("a/a"))
    results.add(1, row("b/b"))
    assert results.end() == 0
    assert cases(tmp_path / "out.xml") == {"a/a": "", "b/b": ""}


def test_a_summary_is_in_the_order_of_the_scenarios_and_keeps_what_was_there(tmp_path):
    """Also where a later one ends first, and where an earlier one never ends."""
    path = tmp_path / "out.md"
    path.write_text("# before\n")
    results = Results(None, path)
    results.add(2, row("c/c"))
    assert listed(path) == []
    results.add(0, row("a/a"))
    assert listed(path) == ["a/a"]
    results.end()
    assert listed(path) == ["a/a", "c/c"]
    assert path.read_text().startswith("# before\n")


def test_a_summary_that_cannot_be_appended_is_left_as_it_was(tmp_path):
    """Not with half a row."""
    script = (
        "import sys; from pathlib import Path; from lakeproof.results import Results\n"
        "from tests.unit.lakeproof.test_results import row\n"
        "results = Results(None, Path('out.md')); results.add(0, row('a/' + 'a' * 5000)); sys.exit(results.end())"
    )
    (tmp_path / "out.md").write_text("x" * 1000)
    done = subprocess.run(["bash", "-c", f'ulimit -f 4; exec {sys.executable} -c "$0"', script], cwd=tmp_path,
                          env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
                          check=False)  # fmt: skip
    assert done.returncode == 64, done.stderr
    assert (tmp_path / "out.md").read_text() == "x" * 1000
    assert done.stderr.count("lakeproof: out.md: ") == 1


def test_jobs_print_and_write_the_same_as_one_process(call, tmp_path):
    """In the order of the scenarios; only folders and times differ."""
    said = []
    for jobs in (1, 3):
        result = call("run", "pyiceberg/append-re*", *PAIR, "--jobs", jobs, "--summary", f"{jobs}.md")
        assert result.exit_code == 0
        text = result.stdout + (tmp_path / f"{jobs}.md").read_text()
        assert ("simulating" in result.stderr) == (jobs == 1)  # it would be told when it is done
        assert "[4/4]" in result.stderr
        said.append(re.sub(r"\d{8}T\d{6}Z-\d+|\d+\.\d\d \|", "", text))
    assert said[0] == said[1]


def test_a_process_that_dies_loses_its_own_scenario_only(call, tmp_path):
    """Out of memory, say."""
    path = counter_file(tmp_path)
    kill = "__import__('os').kill(__import__('os').getpid(), 9)"
    path.write_text(path.read_text().replace("def start(simulation):\n", f"def start(simulation):\n    {kill}\n"))
    result = call("run", path, SERIALIZABLE, "--jobs", "2", "--junit", "out.xml")
    assert result.exit_code == 70
    assert f"{SERIALIZABLE}: HOLDS, as expected" in result.stdout
    assert cases() == {"test/counter": "error", SERIALIZABLE: ""}
    assert "its process died" in (tmp_path / "out.xml").read_text()
