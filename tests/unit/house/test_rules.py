"""The house keeps its rules, and every rule can fail."""

import pytest

from tests.unit.house import rules

OURS = rules.python_files(*rules.MAY_IMPORT)
TESTS = rules.python_files("tests")


def read(path):
    return (rules.ROOT / path).read_text(encoding="utf-8")


def all_findings(rule, paths):
    return [finding for path in paths for finding in rule(read(path), path)]


def test_rooms_import_downwards_only():
    """No room imports one above it."""
    assert len(OURS) > 10
    assert all_findings(rules.import_findings, OURS) == []


def test_rooms_that_must_repeat_use_no_clock_no_chance_and_no_threads():
    """model, sim and checkers get time, draws and tasks from ports only."""
    assert all_findings(rules.repeatability_findings, OURS) == []


def test_files_and_functions_stay_short():
    """60 lines a function, 300 lines a file, tests included."""
    assert all_findings(rules.length_findings, OURS + TESTS) == []


def test_nothing_names_a_path_of_one_machine():
    """Code, configuration and prose work on any machine."""
    assert all_findings(rules.machine_path_findings, rules.text_files()) == []


def test_nothing_is_put_into_a_folder_that_everybody_writes_to():
    """A file that somebody has there by the same name broke a run."""
    assert all_findings(rules.shared_path_findings, OURS + TESTS) == []


def test_live_tests_have_a_folder_of_their_own():
    """`make test` looks for them nowhere else."""
    marked = "pytest.mark." + "live"
    assert [path for path in TESTS if not path.startswith("tests/live/") and marked in read(path)] == []


def test_every_exception_to_a_rule_is_still_needed():
    """An allowance for a file that is gone or has become clean must go too."""
    for path, name in rules.ALLOWED:
        assert rules.repeatability_findings(read(path), path, allowed={}), f"{path} needs no allowance for {name}"


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("model/iceberg/table.py", "from sim import kernel"),
        ("model/iceberg/table.py", "import checkers.histories.history"),
        ("model/iceberg/table.py", "def f():\n    import sim.kernel.kernel"),
        ("sim/kernel/kernel.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from reports import record"),
        ("checkers/isolation/graph.py", "from model import ports"),
        ("sim/kernel/kernel.py", "import real_backend.gating.gate"),
        ("real_backend/gating/gate.py", "from reports.pages.html import page"),
        ("reports/pages/html.py", "import lakeproof"),
    ],
)
def test_import_rule_finds_upward_imports(path, source):
    """Also ones inside a function, and ones for a type checker alone."""
    assert len(rules.import_findings(source, path)) == 1


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("model/iceberg/table.py", "from model.ports import World\nfrom .metadata import Snapshot\nimport json"),
        ("lakeproof/cli.py", "import reports, real_backend, sim, checkers, model"),
    ],
)
def test_import_rule_lets_downward_imports_pass(path, source):
    """From a higher room to a lower one, within a room, and to libraries."""
    assert rules.import_findings(source, path) == []


@pytest.mark.parametrize(
    "source",
    [
        "import time",
        "from time import monotonic",
        "import uuid",
        "import threading",
        "from concurrent.futures import ThreadPoolExecutor",
        "import os\nos.urandom(8)",
        "import random\nrandom.random()",
        "import random\nrandom.Random()",
        "import random as chance\nchance.random()",
        "from os import urandom as noise\nnoise(8)",
        "import datetime as dt\ndt.datetime.now()",
        "from random import choice",
        "from datetime import datetime\ndatetime.now()",
        "for x in {1, 2}:\n    pass",
        "[x for x in set(y)]",
        "key = hash(('a', 1))",
        "key = id(object)",
    ],
)
@pytest.mark.parametrize("room", sorted(rules.REPEATABLE))
def test_repeatability_rule_finds_each_source_of_difference(room, source):
    """One finding or more for each, in each of the three rooms; none in a room that may."""
    assert rules.repeatability_findings(source, f"{room}/x.py")
    assert rules.repeatability_findings(source, "real_backend/x.py") == []


def test_repeatability_rule_lets_seeded_and_sorted_pass():
    """A generator with a seed and a sorted set repeat."""
    source = "import random\nrng = random.Random(7)\nrng.random()\nfor x in sorted({1, 2}):\n    pass\n"
    assert rules.repeatability_findings(source, "sim/x.py") == []


def test_length_rule_finds_long_functions_and_files():
    """Just inside the limit passes, one line more does not."""
    body = "def f():\n" + "    x = 1\n" * (rules.MAX_FUNCTION_LINES - 1)
    assert rules.length_findings(body, "sim/x.py") == []
    assert rules.length_findings(body + "    x = 1\n", "sim/x.py") != []
    assert rules.length_findings("x = 1\n" * rules.MAX_FILE_LINES, "sim/x.py") == []
    assert rules.length_findings("x = 1\n" * (rules.MAX_FILE_LINES + 1), "sim/x.py") != []


def test_shared_path_rule_finds_the_temporary_folder_and_no_other():
    """A folder of a run's own is made below it by name; a folder that is called alike is none."""
    assert rules.shared_path_findings('x = "file:/' + 'tmp/t"', "sim/x.py") != []
    assert rules.shared_path_findings('x = f"{folder}/' + 'tmp/t"', "sim/x.py") == []


@pytest.mark.parametrize("folder", ["home/ann", "root/x", "Users/ann", "work/x", "mnt/d", "opt/tool"])
def test_machine_path_rule_finds_a_path_in_a_string_or_a_comment(folder):
    """A path below a folder that only some machine has; URLs and relative paths pass."""
    assert rules.machine_path_findings(f'x = "/{folder}"  # see /{folder}', "sim/x.py") != []
    assert rules.machine_path_findings(f"see https://example.org/{folder} and ./{folder}", "README.md") == []
