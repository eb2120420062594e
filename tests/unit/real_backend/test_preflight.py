"""What is missing on a machine becomes one clear line; what is there passes. Java and Maven are stood in for here."""

import hashlib
import os
import subprocess
import sys

import pytest

from real_backend.errors import BackendUnavailable
from real_backend.jvm import jars, preflight
from real_backend.jvm.jars import Jar

CONTENT = b"not really a jar"
JAR = Jar("demo", "org.example:demo_2.12:1.0", hashlib.sha256(CONTENT).hexdigest())
OLD_JAVA = "echo 'openjdk version \"1.8.0_392\"' >&2"
GOOD_JAVA = "echo 'openjdk version \"17.0.1\" 2024' >&2"
# Maven as far as we use it: `get` does nothing, `copy` puts a file into the folder that it is told.
MAVEN = """
for word in "$@"; do
    case "$word" in -DoutputDirectory=*) printf '%s' "$CONTENT" > "${word#*=}/demo_2.12-1.0.jar";; esac
done
"""


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """A machine without Java, Maven or jars; `machine(name, script)` installs a program."""
    programs = tmp_path / "bin"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setenv("LAKEPROOF_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CONTENT", CONTENT.decode())
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(jars, "JARS", {"demo": JAR})
    monkeypatch.setattr(preflight, "JARS", {"demo": JAR})

    def install(name, script):
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)

    return install


def only_line(call, *arguments):
    with pytest.raises(BackendUnavailable) as raised:
        call(*arguments)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_no_java_is_one_line(machine):
    """Neither JAVA_HOME nor the PATH has one."""
    assert only_line(preflight.check_java) == (
        "Java: expected java on the PATH or JAVA_HOME, found neither; install Java 17"
    )


def test_wrong_java_is_one_line_with_both_versions(machine):
    """Java 8 calls itself 1.8."""
    machine("java", OLD_JAVA)
    assert 'expected version 17, got version "1.8.0_392"' in only_line(preflight.check_java)


def test_java_home_wins_over_the_path(machine, monkeypatch, tmp_path):
    """As in Spark's own scripts; and a JAVA_HOME without Java is named."""
    machine("java", GOOD_JAVA)
    preflight.check_java()
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "none"))
    assert f"got JAVA_HOME={tmp_path / 'none'} without one" in only_line(preflight.check_java)


def test_java_that_does_not_answer_is_one_line(machine):
    """A broken installation says something, but no version."""
    machine("java", "echo 'cannot load libjvm' >&2; exit 1")
    assert "got cannot load libjvm" in only_line(preflight.check_java)


def test_no_maven_matters_only_while_a_jar_is_missing(machine, tmp_path):
    """A jar that was put into the cache by hand is as good."""
    assert "expected mvn on the PATH to fetch demo_2.12-1.0.jar" in only_line(preflight.check_jars)
    JAR.cached_path.parent.mkdir(parents=True)
    JAR.cached_path.write_bytes(CONTENT)
    preflight.check_jars()


def test_everything_missing_is_said_at_once(machine):
    """One line for Java, one for Maven; `require` joins them."""
    assert [line.split(":")[0] for line in preflight.problems()] == ["Java", "Maven"]
    assert only_line(preflight.require).count(";") >= 2


def test_everything_there_is_no_problem(machine):
    """Java 17 and Maven."""
    machine("java", GOOD_JAVA)
    machine("mvn", MAVEN)
    assert preflight.problems() == ()
    preflight.require()


def test_jar_is_fetched_once_and_kept(machine):
    """The second time Maven is not asked, and may be gone."""
    machine("mvn", MAVEN)
    said: list[str] = []
    path = jars.jar_path("demo", said.append)
    assert path.read_bytes() == CONTENT
    assert said[0].startswith("fetching org.example:demo_2.12:1.0 with Maven")
    machine("mvn", "exit 1")
    assert jars.jar_path("demo", said.append) == path
    assert len(said) == 2


def test_fetched_jar_with_a_wrong_hash_is_refused_and_not_kept(machine, monkeypatch):
    """What was expected, what came, and what to do."""
    machine("mvn", MAVEN)
    monkeypatch.setenv("CONTENT", "something else")
    line = only_line(jars.jar_path, "demo", lambda line: None)
    assert f"expected sha256 {JAR.sha256}, got {hashlib.sha256(b'something else').hexdigest()}" in line
    assert not JAR.cached_path.exists()


def test_cached_jar_with_a_wrong_hash_is_refused_and_left_alone(machine):
    """Its owner decides."""
    JAR.cached_path.parent.mkdir(parents=True)
    JAR.cached_path.write_bytes(b"tampered")
    assert "delete the file and run `make jars`" in only_line(jars.jar_path, "demo")
    assert JAR.cached_path.read_bytes() == b"tampered"


@pytest.mark.parametrize(
    ("output", "start"),
    [
        ("[ERROR] Could not transfer artifact: Unknown host repo.example", "network: expected Maven to reach"),
        (
            "[ERROR] Could not find artifact org.example:demo",
            "Maven: expected to fetch org.example:demo_2.12:1.0, got: ",
        ),
        ("", "Maven: expected to fetch org.example:demo_2.12:1.0, got: exit code 1"),
    ],
)
def test_failing_maven_is_one_line_with_its_first_error(machine, output, start):
    """No network is told from no such artifact."""
    machine("mvn", f"echo '{output}'; exit 1")
    assert only_line(jars.jar_path, "demo", lambda line: None).startswith(start)


def test_maven_that_hangs_is_one_line(machine, monkeypatch):
    """The wait has an end."""
    monkeypatch.setattr(jars, "FETCH_TIMEOUT_S", 0.2)
    machine("mvn", "exec /bin/sleep 600")
    assert "expected org.example:demo_2.12:1.0 within 0.2 s" in only_line(jars.jar_path, "demo", lambda line: None)


def test_every_jar_of_the_list_has_full_coordinates_and_a_hash():
    """The list is the one place that names a version."""
    for jar in jars.JARS.values():
        assert jar.coordinates.count(":") == 2
        assert len(jar.sha256) == 64


def test_command_line_reports_one_line_and_exit_1(tmp_path):
    """`make jars` on a machine without Maven."""
    environment = {**os.environ, "PATH": str(tmp_path), "LAKEPROOF_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-m", "lakeproof.fetch"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("Maven: expected mvn on the PATH")
