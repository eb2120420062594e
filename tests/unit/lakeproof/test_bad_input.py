"""What cannot be read gets one clear line and 64 or 65; nothing is overwritten, nothing is executed, no traceback."""

import json
import pickle
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.lakeproof.scenario_files import SNAPSHOT, counter_file

HEADER = "# lakeproof schedule 1\n"
NAMED = f"{HEADER}# scenario: {SNAPSHOT}\n"


class Bomb:
    """Leaves a mark when it is unpickled."""

    def __reduce__(self) -> tuple[object, ...]:
        return (Path.touch, (Path("exploded"),))


FILES = {
    "garbage": random.Random(1).randbytes(400),
    "empty": b"",
    "hello": b"hello\n",
    "pickle": pickle.dumps([Bomb()]),
    "yaml": b"!!python/object/apply:os.system ['touch exploded']\n",
    "nameless": HEADER.encode() + b"w1:end\n",
    "unknown-scenario": HEADER.encode() + b"# scenario: nope\nw1:end\n",
    "code-scenario": HEADER.encode() + b"# scenario: evil.py\nw1:end\n",
    "bad-step": NAMED.encode() + b"w1 commit\n",
    "bad-fault": NAMED.encode() + b"w1.commit!meteor\n",
    "no-actor": NAMED.encode() + b"w9.load\n",
    "no-step": NAMED.encode() + b"w1.commit\n",
    "no-yield-points": NAMED.replace("\n", "\n# yield-points: fly\n", 1).encode() + b"w1.fly\n",
    "raises.py": b"x = 1\ny = 1 / 0\n",
    "syntax.py": b"def (:\n",
    "exits.py": b"import sys\nsys.exit(0)\n",
    "nothing.py": b"x = 1\n",
    "wrong-type.py": b"scenario = 3\n",
    "evil.py": b"with open('exploded', 'w'):\n    pass\n",
}


@pytest.fixture
def files(tmp_path):
    """Every bad file, and a directory."""
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder").mkdir()
    return tmp_path


def state(folder):
    """Every file below a folder, with its content."""
    return {
        str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ("frobnicate", 64, "No such command"),
        ("run", 64, "expected scenarios, --protocol, or --all"),
        (f"run --all {SNAPSHOT}", 64, "got both"),
        ("run --budget 0 x", 64, "--budget"),
        ("run --budget 2s x", 64, "expected a number of runs from 1, as in 20000 (no time), got '2s'"),
        ("run --mode random --seeds 9..3 x", 64, "expected A..B with A <= B"),
        (f"run {SNAPSHOT} --seeds 0..5", 64, "--seeds 0..5: expected --mode random beside it, got --mode plan"),
        ("run --protocol delta", 64, "'delta' is not one of 'iceberg', 'hudi', 'hive'"),
        ("run --protocol hudi evil.py", 64, "expected built-in scenarios beside it, got the file evil.py"),
        (f"run {SNAPSHOT} --protocol hudi", 64, "expected a pattern that fits a built-in name of protocol hudi"),
        ("run hudy/*", 64, "scenario 'hudy/*': expected a pattern that fits a built-in name"),
        ("run hudi", 64, "for all that begin so: 'hudi/*'"),
        ("list hudi", 64, "for all that begin so: 'hudi/*'"),
        (f"run {SNAPSHOT} --jobs 0", 64, "--jobs"),
        (f"run {SNAPSHOT} --live --jobs 2", 64, "--jobs 2: expected 1 beside --live"),
        ("run --yield-points 1! x", 64, "expected names of operations"),
        ("run --yield-points load,load x", 64, "expected names of operations, each once"),
        ("run --yield-points load,,commit x", 64, "expected names of operations"),
        ("run --yield-points load, x", 64, "expected names of operations"),
        (
            f"run {SNAPSHOT} --yield-points foo,bar",
            64,
            "--yield-points foo,bar: expected operations of iceberg/delete-update-snapshot (",
        ),
        (f"run {SNAPSHOT} --yield-points load,comit", 64, "got 'comit'; did you mean commit?"),
        (f"run {SNAPSHOT} --yield-points try_lock", 64, "makes (commit, get, load, put), got only try_lock"),
        (f"run {SNAPSHOT} --yield-points *,load", 64, "got '*'"),
        ("run nope", 64, "expected a built-in name or a path that ends in .py"),
        (f"run {SNAPSHOT}s", 64, f"did you mean {SNAPSHOT}?"),
        ("run garbage", 64, "must be named with a path that ends in .py"),
        ("run evil", 64, "expected a built-in name"),
        ("run missing.py", 64, "got no such file"),
        ("run raises.py", 65, "raises.py: line 2: ZeroDivisionError: division by zero"),
        ("run syntax.py", 65, "syntax.py: line 1: SyntaxError: invalid syntax"),
        ("run exits.py", 65, "exits.py: line 2: SystemExit: 0"),
        ("run nothing.py", 65, "expected a module-level `scenario`"),
        ("run wrong-type.py", 65, "expected a lakeproof.Scenario, got int"),
        (f"run {SNAPSHOT} --out hello", 64, "expected a place that can be written"),
        (f"run {SNAPSHOT} --junit hello", 64, "nothing is overwritten"),
        (f"run {SNAPSHOT} --junit nowhere/x.xml", 64, "--junit nowhere/x.xml: expected a place for a file, got none"),
        (f"run {SNAPSHOT} --summary folder", 64, "--summary folder: expected a place for a file, got a folder"),
        ("claims hudi --out hello", 64, "expected a place that can be written"),
        ("study hudi-early-detection --out hello", 64, "expected a place that can be written"),
        ("replay missing", 64, "got no such file"),
        ("replay folder", 64, "got a directory"),
        ("replay garbage", 65, "expected text in UTF-8"),
        ("replay empty", 65, "got an empty file"),
        ("replay hello", 65, "line 1: expected '# lakeproof schedule 1', got 'hello'"),
        ("replay pickle", 65, "expected text in UTF-8"),
        ("replay yaml", 65, "line 1: expected"),
        ("replay nameless", 65, "expected a line '# scenario: NAME'"),
        ("replay unknown-scenario", 65, "expected a built-in scenario, got 'nope'"),
        ("replay code-scenario", 65, "expected a built-in scenario, got 'evil.py'"),
        ("replay bad-step", 65, "line 3: expected a step like w1.commit"),
        ("replay bad-fault", 65, "expected a fault like 503-after-retry"),
        ("replay no-actor", 65, "schedule no-actor: step 1 of 1: wanted w9.load"),
        ("replay no-step", 65, "schedule no-step: step 1 of 1: wanted w1.commit, "),
        (
            "replay no-yield-points",
            65,
            "schedule no-yield-points: # yield-points: expected operations of iceberg/delete-update-snapshot (",
        ),
        ("check missing", 64, "got no such file"),
        ("check folder", 64, "expected a folder with histories"),
        ("check garbage", 65, "expected a Parquet file (or Arrow, JSON lines, EDN), got unreadable content"),
        ("check empty", 65, "expected a Parquet file"),
        ("check pickle", 65, "expected a Parquet file"),
        ("check hello --property fast", 64, "'fast' is not one of"),
        ("explain missing", 64, "got no such file"),
        ("explain folder", 64, "expected a run folder (with run.json)"),
        ("explain garbage", 65, "expected a Parquet file"),
        ("report missing", 64, "got no such folder"),
        ("report hello", 64, "expected a run folder, got a file"),
    ],
)
def test_bad_input_gets_one_line_and_changes_nothing(call, files, arguments, code, said):
    """What, where, expected, got; and every file is as it was."""
    before = state(files)
    result = call(*arguments.split())
    lines = [line for line in result.stderr.splitlines() if not line.startswith(("running the code in", "simulating"))]
    assert result.exit_code == code, result.stderr
    assert len(lines) == 1
    assert lines[0].startswith("lakeproof: ")
    assert said in lines[0]
    assert "Traceback" not in result.stderr
    assert state(files) == before


def test_code_that_raises_in_a_run_is_blamed_on_its_file_and_line(call, tmp_path):
    """Not only at import."""
    path = counter_file(tmp_path)
    path.write_text(path.read_text().replace('seen = register.load("n")', 'seen = register.load("n"); seen.colour'))
    line = path.read_text().splitlines().index('            seen = register.load("n"); seen.colour') + 1
    result = call("run", path)
    assert result.exit_code == 65
    assert f"counter.py: line {line}: AttributeError: 'Versioned' object has no attribute 'colour'" in result.stderr


def test_an_escape_to_the_real_world_is_one_line_with_its_place(call, tmp_path):
    """A scenario that looks at the wall clock could not be repeated."""
    path = counter_file(tmp_path, head="import time\n")
    path.write_text(path.read_text().replace("        while True:\n", "        time.time()\n        while True:\n"))
    result = call("run", path)
    assert result.exit_code == 65
    assert "EscapeError: time.time: expected simulated code to use its ports" in result.stderr
    assert "counter.py:" in result.stderr


@pytest.mark.parametrize("name", ["..", "a/../b", "/etc/passwd", "a//b", "a/.b", "", "a b"])
def test_a_name_that_leaves_the_folder_of_runs_is_refused(call, tmp_path, name):
    """A scenario's name is a path below `runs`."""
    result = call("run", counter_file(tmp_path, name=name))
    assert result.exit_code == 65
    assert "line 30: ValueError: scenario: name: expected a name like bank/transfer" in result.stderr
    assert f"got {name!r}" in result.stderr


def test_a_scenario_file_is_said_to_be_code_before_it_runs(call, tmp_path):
    """So that nobody runs one unknowingly."""
    path = counter_file(tmp_path, head="print('side effect')\n")
    result = call("run", path)
    assert result.stderr.startswith(f"running the code in {path}\n")


def test_a_schedule_cannot_make_its_scenario_file_run(call, tmp_path):
    """The file must be named on the command line, also where the schedule has the very name of the scenario in it."""
    path = counter_file(tmp_path, checked=False, head="with open('ran', 'a') as f:\n    f.write('x')\n")
    assert call("run", path).exit_code == 1
    schedule = next((tmp_path / "runs/test/counter").glob("2*/schedule.txt"))
    ran = (tmp_path / "ran").read_text()
    result = call("replay", schedule)
    assert result.exit_code == 65
    assert "name its file: --scenario FILE.py" in result.stderr
    assert (tmp_path / "ran").read_text() == ran
    assert call("replay", schedule, "--scenario", path).exit_code == 1


@pytest.fixture
def stored(call, tmp_path):
    """A run folder."""
    call("run", SNAPSHOT)
    return next((tmp_path / "runs" / SNAPSHOT).glob("2*"))


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda record: [], "expected an object"),
        (lambda record: {**record, "verdict": 7}, "verdict"),
        (lambda record: {**record, "surprise": 1}, "surprise"),
        (lambda record: {key: value for key, value in record.items() if key != "explanation"}, "explanation"),
        (lambda record: {**record, "format": 99}, "format: expected 1, got 99"),
    ],
)
@pytest.mark.parametrize("verb", ["explain", "report", "check"])
def test_a_damaged_record_is_one_line(call, stored, verb, damage, said):
    """Whatever the field, it is named."""
    path = stored / "run.json"
    path.write_text(json.dumps(damage(json.loads(path.read_text()))))
    result = call(verb, stored)
    assert result.exit_code == 65
    (line,) = result.stderr.splitlines()
    assert "run.json" in line
    assert said in line


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe\x00", b"[" * 100_000])
def test_a_record_that_is_no_json_is_one_line(call, stored, content):
    """Also one that is nested beyond reason."""
    (stored / "run.json").write_bytes(content)
    result = call("report", stored)
    assert result.exit_code == 65
    assert len(result.stderr.splitlines()) == 1


def test_no_command_leaves_a_traceback_on_a_real_terminal_line(tmp_path):
    """The same through a process of its own."""
    (tmp_path / "raises.py").write_text("raise ValueError('no\\nway')\n")
    done = subprocess.run(
        [sys.executable, "-m", "lakeproof", "run", "raises.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 65
    assert done.stderr.splitlines() == [
        "running the code in raises.py",
        "lakeproof: scenario file raises.py: line 1: ValueError: no way",
    ]
    assert done.stdout == ""


def test_a_name_that_is_far_from_all_others_gets_no_hint(call):
    """Names share prefixes, and a hint that is wrong is worse than none."""
    said = call("run", "iceberg/nope").stderr
    assert "did you mean" not in said
    assert "`lakeproof list` names them all" in said
