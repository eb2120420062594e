"""A mistake in a user's own file is 64 or 65 with the file and the line, never our internal error, and it ends."""

import signal
import subprocess
import sys

import pytest

from lakeproof import watchdog
from lakeproof.protocols import PROTOCOLS
from lakeproof.scenarios import built_in
from tests.unit.lakeproof.scenario_files import SNAPSHOT, counter_file

START = "def start(simulation):\n"
BODY = "        while True:\n"


def refused(call, path):
    """The code, and the one line that says what is wrong with the file."""
    result = call("run", path)
    (line,) = [one for one in result.stderr.splitlines() if one.startswith("lakeproof: ")]
    assert result.stdout == ""
    assert len(line) <= 500
    return result.exit_code, line.removeprefix(f"lakeproof: scenario file {path}: ")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("program=program(start,", "program=program(None,", "line 31: ValueError: program: start: expected a function"),
        ("program(start,", "program(lambda: None,", "line 31: ValueError: program: start: expected a function of one"),
        ("bounds='2 clients'", "bounds=7", "line 30: ValueError: scenario: bounds: expected a text, got 7"),
        ('actor("a", add', 'actor("<b>", add', "line 26: ValueError: actor: expected a name that a schedule can spell"),
        ('add(simulation, "a"))', "None)", "line 26: ValueError: actor a: expected a function without arguments"),
        (BODY, f"        simulation.world(name).clock.sleep_ms(-5)\n{BODY}", "line 10: ValueError: sleep_ms: expected"),
        ('commit("n", 0, 0)', 'commit("n", 0, [0])', "line 31: ValueError: n: expected a value that cannot change"),
        ("seen.value + 1", "(seen.value, [])", "SimulationError: state: expected values that cannot change"),
        (START, f"{START}    raise KeyboardInterrupt\n", "line 25: KeyboardInterrupt:"),
        ("\nfrom lake", "raise KeyboardInterrupt\nfrom lake", "line 1: KeyboardInterrupt:"),
        (START, f"{START}    raise GeneratorExit(3)\n", "line 25: GeneratorExit: 3"),
        (BODY, f"        raise SystemExit(0)\n{BODY}", "line 10: SystemExit: 0"),
        ("properties=", "protocol='delta', properties=", "line 30: test/counter: protocol: expected one of iceberg, "),
        ("('no-lost-update',)", "('no-such',)", "line 30: test/counter: property: expected one of"),
    ],
)  # fmt: skip
def test_mistake_is_told_with_its_line(call, tmp_path, old, new, said):
    """Also one that comes to light far from the file."""
    path = counter_file(tmp_path)
    text = path.read_text().replace('("no-lost-update",)', "('no-lost-update',)").replace('"2 clients"', "'2 clients'")
    assert old in text
    path.write_text(text.replace(old, new))
    code, line = refused(call, path)
    assert code == 65
    assert line.startswith(said)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"x = 1\nscenario = '\0'\n", "SyntaxError: source code string cannot contain null bytes"),
        ("scenario = 1\n".encode("utf-16"), "line 1: SyntaxError: "),
        (b"scenario = '\xff'\n", "line 1: SyntaxError: (unicode error)"),
        (b"# coding: nonsense\n", "line 1: SyntaxError: unknown encoding"),
        (b"x = " + b"(" * 1_000, "line 1: SyntaxError: too many nested parentheses"),
        (b"x = " + b"-" * 200_000 + b"1\n", "line 1: "),
    ],
)
def test_what_is_no_source_is_told_with_its_line(call, tmp_path, content, said):
    """A file that an editor saved in another encoding, or that is none at all."""
    path = tmp_path / "own.py"
    path.write_bytes(content)
    code, line = refused(call, path)
    assert code == 65
    assert said in line


@pytest.mark.parametrize("name", [SNAPSHOT, "pyiceberg/append-append", "hudi/crash"])
def test_name_that_is_built_in_is_taken(call, tmp_path, name):
    """Its schedule, replayed without the file, would be played on the built-in one."""
    taken = name if name in built_in() else next(one for one in built_in() if one.startswith(name.split("/")[0]))
    code, line = refused(call, counter_file(tmp_path, name=taken))
    assert code == 64
    assert line == f"line 30: expected a name of its own, got {taken!r}, which is built in"


def test_every_built_in_name_says_its_protocol():
    """A name without one is free, and costs no look at all of them."""
    protocols = [protocol.name for protocol in PROTOCOLS]
    assert [name for name in built_in() if not any(one in name.split("/")[0] for one in protocols)] == []


@pytest.mark.parametrize("arguments", [("run", "x" * 100_000), ("run", "x" * 100_000 + ".py"), ("check", "x" * 5_000)])
def test_name_of_any_length_is_refused_in_one_short_line(call, arguments):
    """The system's own error for it is no fault of ours."""
    result = call(*arguments)
    assert result.exit_code == 64
    (line,) = result.stderr.splitlines()
    assert len(line) <= 500


def test_no_control_character_of_a_name_reaches_the_terminal(call):
    """An ESC in it could clear the screen, and a colon is no emoji."""
    result = call("run", "\x1b[2J:bomb:\u202e.py")
    assert result.exit_code == 64
    assert r"\x1b[2J:bomb:\u202e.py" in result.stderr


@pytest.fixture
def impatient(monkeypatch):
    """A watchdog that waits for a moment only."""
    monkeypatch.setattr(watchdog, "PATIENCE_S", 0.2)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("\nfrom lake", "while True: pass\nfrom lake", "line 1: "),
        (BODY, f"        while True: pass\n{BODY}", "line 10: "),
        (START, f"{START}    while True: pass\n", "line 25: "),
        (BODY, f"        while True:\n          try: [].pop()\n          except Exception: continue\n{BODY}", "line 1"),
    ],
)  # fmt: skip
def test_code_that_does_not_come_back_is_stopped(call, tmp_path, impatient, old, new, line):
    """At import, in a body, in `start`; `except Exception` does not hold what stops it, and no signal stays behind."""
    path = counter_file(tmp_path)
    path.write_text(path.read_text().replace(old, new, 1))
    code, said = refused(call, path)
    assert code == 65
    assert "expected to come back, at its ports or for good, within 0.2 s, got no end" in said
    assert said.startswith(line)
    assert signal.getsignal(signal.SIGVTALRM) is signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


def test_file_is_known_by_a_relative_path_too(call, tmp_path, impatient):
    """Which is how it is named on a command line; the interpreter knows it by the absolute one."""
    (tmp_path / "own.py").write_text("x = 1\nwhile True: pass\n")
    assert refused(call, "own.py")[1].startswith("line 2: expected to come back")


def test_code_that_catches_everything_is_ended_with_the_process(tmp_path):
    """There is no other way; the line is said, and the code is that of bad input."""
    path = counter_file(tmp_path)
    loop = """        while True:
            try:
                while True: pass
            except BaseException: pass
"""
    path.write_text(path.read_text().replace(BODY, loop + BODY, 1))
    main = "from lakeproof import cli, watchdog; watchdog.PATIENCE_S = 0.1; cli.main()"
    done = subprocess.run(
        [sys.executable, "-c", main, "run", path], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 65
    assert f"lakeproof: scenario file {path}: line 1" in done.stderr.splitlines()[-1]


def test_long_search_is_not_taken_for_a_loop(call, tmp_path, monkeypatch):
    """Its code comes back to the ports all the time."""
    monkeypatch.setattr(watchdog, "PATIENCE_S", 0.02)
    assert call("run", counter_file(tmp_path)).exit_code == 0


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("mode='copy-on-read'", "workload: mode: expected merge-on-read or copy-on-write, got 'copy-on-read'"),
        ("catalog='hadoop'", "workload: catalog: expected another one than hadoop for Spark SQL, got 'hadoop'"),
        ("retries=-1", "workload: retries: expected a number from 0, got -1"),
        ("table_properties=(('commit.x', '3'),)", "workload: table_properties: expected those that are simulated"),
        ("table_properties=(('format-version', '9'),)", "workload: table_properties: format-version: expected 1 or 2"),
    ],
)
def test_a_setting_of_iceberg_that_cannot_be_is_as_wrong_as_an_option(call, tmp_path, setting, said):
    """As one of Hudi is; a statement that cannot be is bad input."""
    path = tmp_path / "own.py"
    head = "from sim.iceberg.scenarios import race\nfrom sim.iceberg.workload import Delete\n"
    path.write_text(f"{head}scenario = race('own', '', {{'w1': [Delete(1)]}}, {setting})\n")
    code, line = refused(call, path)
    assert (code, line.startswith(f"line 3: {said}")) == (64, True), line
    path.write_text(f"{head}scenario = race('own', '', {{'w1': [Delete('x')]}})\n")
    assert refused(call, path)[0] == 65
