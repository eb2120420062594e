"""What a command imports before it does something: who asks for the version waits for nothing that is not needed."""

import subprocess
import sys

import pytest

HEAVY = {"numpy", "pyarrow", "pandas", "pyiceberg", "pyspark", "py4j", "networkx", "matplotlib", "pydantic", "jinja2"}
CALL = """
import sys
sys.argv = ["lakeproof", *{arguments!r}]
from lakeproof.cli import main
try:
    main()
except SystemExit as ended:
    print("code", ended.code, *sorted({{name.partition(".")[0] for name in sys.modules}}), file=sys.stderr)
"""


def imported(folder, *arguments):
    """The exit code of a command in a process of its own, and the libraries that it imported."""
    call = CALL.format(arguments=arguments)
    done = subprocess.run([sys.executable, "-c", call], cwd=folder, capture_output=True, text=True, check=True)
    _, code, *modules = done.stderr.splitlines()[-1].split()
    return int(code), set(modules)


@pytest.mark.parametrize("arguments", [("--version",), ("--help",), ("list",), ("list", "--json")])
def test_a_command_that_searches_nothing_imports_no_large_library(tmp_path, arguments):
    """PyIceberg among them: its scenarios are listed without it."""
    code, modules = imported(tmp_path, *arguments)
    assert code == 0
    assert "click" in modules
    assert not modules & HEAVY


def test_a_run_imports_what_its_own_scenario_needs(tmp_path):
    """No other protocol's library, nothing of a live system, nothing that draws charts."""
    code, modules = imported(tmp_path, "run", "iceberg/append-append")
    assert code == 0
    assert modules & HEAVY == {"numpy", "pyarrow", "jinja2"}


def test_help_names_every_verb_as_its_own_help_does(call):
    """The first page is written without importing the verbs."""
    from lakeproof.cli import COMMANDS

    for verb in COMMANDS:
        assert verb in call("--help").stdout
        assert call(verb, "--help").exit_code == 0
