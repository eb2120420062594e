"""No two files know each other, protocols keep to their folders, and every rule can fail."""

import pytest

from tests.unit.house import rules, structure

OURS = {path: (rules.ROOT / path).read_text(encoding="utf-8") for path in rules.python_files(*rules.MAY_IMPORT)}


def test_no_two_files_know_each_other():
    """Neither directly nor through others; imports inside functions and for types alone are imports."""
    assert len(OURS) > 100
    assert structure.import_graph(OURS).number_of_edges() > 500
    assert structure.circle_findings(OURS) == []


def test_protocols_keep_to_their_folders():
    """The core of a layer knows none, and none knows another, but for the exceptions in the table."""
    assert [found for path, source in OURS.items() for found in structure.protocol_findings(source, path)] == []


def test_what_is_called_after_a_protocol_lies_in_its_folder():
    """Whoever opens a protocol's folders has seen all of it."""
    assert [found for path in OURS for found in structure.name_findings(path)] == []


@pytest.mark.parametrize(("path", "protocol"), structure.EXCEPTIONS)
def test_every_exception_is_still_needed_and_has_a_reason(path, protocol):
    """A row for an import that is gone must go too."""
    without = {row: reason for row, reason in structure.EXCEPTIONS.items() if row != (path, protocol)}
    assert structure.protocol_findings(OURS.get(path, ""), path, without), f"{path} needs no row for {protocol}"
    assert len(structure.EXCEPTIONS[path, protocol]) > 20


A, B, C = "sim/search/a.py", "sim/search/b.py", "sim/world/c.py"


@pytest.mark.parametrize(
    ("sources", "circle"),
    [
        ({A: "from sim.search.b import x", B: "import sim.search.a"}, f"{A}:1 -> {B}:1 -> {A}"),
        ({A: "from sim.search import b", B: "def f():\n    from sim.search.a import x"}, f"{A}:1 -> {B}:2 -> {A}"),
        ({A: "from . import b", B: "import typing\nif typing.TYPE_CHECKING:\n    from .a import X"},
         f"{A}:1 -> {B}:3 -> {A}"),
        ({A: "import sim.search.b", B: "from sim.world import c", C: "import sim.search.a as a"},
         f"{A}:1 -> {B}:1 -> {C}:1 -> {A}"),
    ],
    ids=["at the top", "inside a function", "for types alone", "of three"],
)  # fmt: skip
def test_planted_circle_is_found_with_its_lines(sources, circle):
    """However the import is written."""
    assert structure.circle_findings(sources | {"sim/search/other.py": "import sim.search.a"}) == [circle]


def test_each_tangle_is_told_once_by_its_shortest_circle():
    """Two files that know each other, within a larger tangle."""
    sources = {A: "import sim.search.b", B: "import sim.search.a, sim.world.c", C: "import sim.search.a"}
    assert structure.circle_findings(sources) == [f"{A}:1 -> {B}:1 -> {A}"]


def test_files_that_only_share_others_are_no_circle():
    """A diamond, and a file that names a module of its own package."""
    sources = {A: "from sim.world import c", B: "import sim.world.c\nimport sim.search.a", C: "import json"}
    assert structure.circle_findings(sources) == []


@pytest.mark.parametrize(
    ("path", "source", "found"),
    [
        ("model/iceberg/table.py", "from model.hive import locks", "protocol iceberg may not import protocol hive"),
        ("model/iceberg/table.py", "from ..hudi import timeline", "protocol iceberg may not import protocol hudi"),
        ("checkers/hive/facts.py", "import checkers.hudi.early", "protocol hive may not import protocol hudi"),
        ("real_backend/hudi/race.py", "def f():\n    from real_backend.iceberg import sql", "may not import protocol"),
        ("sim/search/explore.py", "from sim.hive.race import Race", "the core of sim may not import protocol hive"),
        ("sim/world/scenario.py", "import model.iceberg", "the core of sim may not import protocol iceberg"),
        ("lakeproof/cli.py", "from reports.hudi import renderer", "the core of lakeproof may not import protocol hudi"),
    ],
)
def test_planted_import_of_a_protocol_is_found(path, source, found):
    """From the core of any layer, or from another protocol."""
    assert len(structure.protocol_findings(source, path)) == 1
    assert found in structure.protocol_findings(source, path)[0]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("sim/hive/race.py", "from model.hive import locks\nfrom checkers.hive.facts import x\nimport sim.world.live"),
        ("lakeproof/protocols.py", 'ROW = "sim.hive.scenarios:SCENARIOS"'),
        ("sim/iceberg/over_metastores.py", "from model.hive.replica import Replica"),
    ],
)
def test_own_protocol_names_in_strings_and_exceptions_pass(path, source):
    """A protocol in other layers is the same protocol."""
    assert structure.protocol_findings(source, path) == []


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("sim/world/hudi_table.py", True),
        ("real_backend/iceberg/hive_client.py", True),
        ("reports/iceberg.py", True),
        ("reports/iceberg/iceberg_state.py", False),
        ("sim/iceberg/over_metastores.py", False),
    ],
)
def test_planted_file_that_is_called_after_a_protocol_elsewhere_is_found(path, found):
    """In the core, or in another protocol's folder."""
    assert bool(structure.name_findings(path)) is found
