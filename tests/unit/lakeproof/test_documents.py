"""What the documents say is what the code does: names, codes, files, verbs, commands."""

import re
import shlex
import tomllib
from typing import Any

import click
import pytest

from checkers.properties import PROPERTIES, STRONGER
from lakeproof import errors, folder
from lakeproof.cli import COMMANDS, cli
from lakeproof.scenarios import built_in
from real_backend.jvm.jars import JARS
from sim.kernel.fault_kinds import KINDS, OTHERS
from tests.unit.lakeproof.scenario_files import BANK, ROOT

README, RESULTS, SCENARIOS, VERDICTS = (
    (ROOT / name).read_text() for name in ("README.md", "docs/results.md", "docs/scenarios.md", "docs/verdicts.md")
)
PROTOCOLS = {name: (ROOT / name).read_text() for name in ("docs/iceberg.md", "docs/hudi.md", "docs/hive.md")}
GUIDES = "".join((SCENARIOS, *PROTOCOLS.values()))


def command_of(verb):
    """What a verb is for click."""
    command = cli.get_command(click.Context(cli), verb)
    assert command is not None
    return command


def table_after(text, title):
    """The first cells and the second cells of the first table after a title."""
    rows = re.findall(
        r"^\| (.*) \|$", text.split(title, 1)[1].split("\n## ", 1)[0].split("\nThe other", 1)[0], re.MULTILINE
    )[2:]
    return [[cell.strip(" `") for cell in row.split(" | ")] for row in rows]


def test_the_page_of_verdicts_lists_every_built_in_scenario():
    """With the verdict that the scenario expects, and the property that breaks."""
    listed = dict(re.findall(r"^\| `([^`]+)` \|.*\| (holds|unknown|violated: [\w-]+) \|", VERDICTS, re.MULTILINE))
    expected = {name: scenario.expectation for name, scenario in built_in().items()}
    assert listed == expected


@pytest.mark.parametrize(
    ("row", "prefix", "without"),
    [
        ("Iceberg 1", "iceberg/", "-"),
        ("PyIceberg", "pyiceberg/", "-"),
        ("Hudi", "hudi/", "-"),
        ("Hive's", "hive/", "hive/iceberg"),
        ("Iceberg on", "hive/iceberg", "-"),
    ],
)
def test_the_readme_counts_the_scenarios_of_each_protocol(row, prefix, without):
    """How many there are, hold, and are violated; and how many can only be unknown, if there are any."""
    mine = [s for name, s in built_in().items() if name.startswith(prefix) and not name.startswith(without)]
    holds = sum(scenario.expect == "holds" for scenario in mine)
    line = next(line for line in README.splitlines() if line.startswith(f"| {row}"))
    broken = sum(scenario.expect == "violated" for scenario in mine)
    unknown = f", {len(mine) - holds - broken} unknown" if holds + broken < len(mine) else ""
    assert f"{len(mine)} scenarios, {holds} hold, {broken} {'is' if broken == 1 else 'are'} violated{unknown}" in line


def test_every_exit_code_is_explained():
    """By number."""
    codes = {int(row[0]) for row in table_after(RESULTS, "## Exit codes")}
    named = {value for name, value in vars(errors).items() if name.isupper() and isinstance(value, int)}
    assert codes == named


def test_every_file_of_a_run_folder_is_explained():
    """And no other."""
    names = {
        value for name, value in vars(folder).items() if name.isupper() and isinstance(value, str) and "." in value
    }
    explained = {row[0] for row in table_after(RESULTS, "## The run folder")}
    assert names | {"cycle-N.svg"} == explained


def test_every_verb_and_option_of_run_is_in_the_readme():
    """What the table of verbs says exists, and the verbs of a run's life are all there."""
    rows = {row[0].split()[0]: row[1] for row in table_after(README, "## The command line")}
    assert {"run", "replay", "check", "explain", "report", "list", "demo"} <= set(rows) <= set(COMMANDS)
    options = {option for parameter in command_of("run").params for option in parameter.opts if option.startswith("--")}
    assert set(re.findall(r"--[a-z-]+", rows["run"])) <= options


def commands():
    """Every `lakeproof ...` line of the documents whose inputs exist."""
    lines = re.findall(r"^ {4}\$? ?(lakeproof (?:run|list)[^#\n]*)", README + GUIDES, re.MULTILINE)
    return [line.strip() for line in lines if "my_scenario" not in line and "--live" not in line]


@pytest.mark.parametrize("line", sorted(set(commands())))
def test_commands_in_the_documents_work_as_they_stand(call, line):
    """From the checkout, except that runs go elsewhere."""
    words = [str(ROOT / word) if word.startswith("examples/") else word for word in shlex.split(line)[1:]]
    assert call(*words).exit_code == 0


def blocks():
    """The blocks of Python in the documents that are scenario files of their own."""
    found = re.findall(r"^```python\n(.*?)^```", GUIDES, re.MULTILINE | re.DOTALL)
    return [block for block in found if "import" in block and "scenario = " in block]


def test_there_are_scenarios_in_the_documents():
    """One for each protocol that has no example in words alone."""
    assert len(blocks()) == 2


@pytest.mark.parametrize("block", blocks())
def test_scenarios_in_the_documents_hold_as_they_stand(call, tmp_path, block):
    """As a file of their own."""
    (tmp_path / "own.py").write_text(block)
    result = call("run", "own.py")
    assert result.exit_code == 0, result.output
    assert "HOLDS, as expected" in result.stdout


def test_every_kind_of_fault_is_in_the_table_of_faults():
    """And no other; statuses by their pattern."""
    cells = [word for row in table_after(SCENARIOS, "## 4. Faults") for word in re.findall(r"[\w-]+-?\w*", row[0])]
    assert set(cells) >= set(OTHERS)
    assert [cell for cell in cells if cell not in KINDS] == []


def test_the_wide_space_of_the_documents_is_one():
    """The snippet has all kinds of a register."""
    names: dict[str, Any] = {}
    snippet = re.search(r"```python\n(from sim.world.fault_spaces.*?)```", SCENARIOS, re.DOTALL)
    assert snippet is not None
    exec(snippet[1], names)
    assert "crash-after" in names["faults"].names


def test_the_workflow_calls_what_there_is():
    """Verbs and options of the example for CI."""
    text = (ROOT / "examples" / "github-actions.yml").read_text()
    lines = re.findall(r"run: lakeproof (.*)", text)
    assert len(lines) == 2
    for line in lines:
        verb, *words = shlex.split(line)
        known = {option for parameter in command_of(verb).params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= known


def test_the_readme_names_every_jar_with_its_version():
    """As they are pinned."""
    jars = README.split("\nJars: ", 1)[1]
    for jar in JARS.values():
        _, artefact, version = jar.coordinates.split(":")
        assert f"`{artefact}` {version}" in jars


def test_properties_named_in_the_documents_exist():
    """In scenarios as in examples."""
    named = re.findall(r'properties=\(([^)]*)\)|broken="([^"]*)"', README + GUIDES)
    words = [word for pair in named for part in pair for word in re.findall(r"[a-z-]{5,}", part)]
    assert words
    assert set(words) <= set(PROPERTIES)


def test_the_output_shown_in_the_readme_is_what_is_printed():
    """The same lines as in the example's expected output."""
    shown = re.findall(r"^ {4}(bank/transfer: .*|  holds \(2 clients.*)$", README, re.MULTILINE)
    assert len(shown) == 2
    for line in shown:
        assert line in BANK.with_suffix(".expected.txt").read_text().splitlines()


def test_every_dependency_has_a_row_in_the_readme_and_none_has_one_that_is_gone():
    """Need, alternative weighed, licence."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = {re.split(r"[<>=\[]", one)[0] for one in project["dependencies"]}
    table = README.split("## Dependencies", 1)[1]
    missing = {name for name in declared if not re.search(rf"\b{name}\b", table)}
    assert missing == set()
    for gone in ("syrupy", "attrs, cattrs |"):
        assert gone not in table


def test_the_page_of_properties_has_every_one_with_what_is_stronger():
    """As the checkers have them; levels with sessions and in real time share a row each."""
    page = (ROOT / "docs" / "properties.md").read_text(encoding="utf-8")
    rows = {row[0]: row[4] for row in table_after(page, "# Properties of any history")}
    plain = [name for name in PROPERTIES if not name.startswith("strong-")]
    assert list(rows) == [*plain[: plain.index("serializable") + 1], "strong-session-", "strong-", *plain[-3:]]
    for name in plain:
        told = set(re.findall(r"[a-z][a-z-]+", rows[name]))
        assert told == {one for one in STRONGER.get(name, ()) if not one.startswith("strong-")}, name


def test_links_of_the_documents_lead_somewhere():
    """Relative ones, from where they stand."""
    texts = {"README.md": README, "docs/results.md": RESULTS, "docs/scenarios.md": SCENARIOS, **PROTOCOLS}
    for name, text in texts.items():
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert ((ROOT / name).parent / target).exists(), f"{name}: {target}"
