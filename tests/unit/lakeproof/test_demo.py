"""The demo without a live system: the simulation runs all the same, and one line says what is missing."""

from lakeproof.commands import demo
from real_backend.errors import BackendUnavailable
from real_backend.jvm import preflight
from tests.unit.lakeproof.scenario_files import SERIALIZABLE, SNAPSHOT


def test_the_demo_without_java_simulates_explains_and_exits_2(call, monkeypatch, tmp_path, last):
    """Steps 1, 3 and 4 are complete; nothing pretends to have been live."""
    line = "Java: expected java on the PATH or JAVA_HOME, found neither; install Java 17"

    def missing():
        raise BackendUnavailable(line)

    monkeypatch.setattr(preflight, "require", missing)
    result = call("demo")
    assert result.exit_code == 2
    assert "Therefore row 1 is alive although the last commit that touched it deleted it." in result.stdout
    assert "holds (2 writers, 1 statement each; " in result.stdout
    assert "; complete)" in result.stdout
    assert result.stdout.count(line) == 3
    assert "In the real table" not in result.stdout
    assert "same  " not in result.stdout
    assert last(result).startswith(f"lakeproof replay runs/{SNAPSHOT}/")
    for name in (SNAPSHOT, SERIALIZABLE):
        assert (tmp_path / "runs" / name / "latest" / "report.html").is_file()
        assert not (tmp_path / "runs" / name / "latest" / "live.json").exists()


def test_the_demo_uses_built_in_scenarios():
    """Its two scenarios are in the catalog, one broken and one not."""
    from lakeproof.scenarios import built_in

    known = built_in()
    assert known[demo.BROKEN].expect == "violated"
    assert known[demo.HOLDS].expect == "holds"
