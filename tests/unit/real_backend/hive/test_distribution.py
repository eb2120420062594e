"""Fetching the metastore's jars: whole, checked, once; what goes wrong is one line. Maven is stood in for here."""

import hashlib
import io
import tarfile
import xml.etree.ElementTree as tree

import pytest

from real_backend.errors import BackendUnavailable
from real_backend.hive import distribution as module
from real_backend.hive.distribution import distribution, expected_hashes

SCHEMA = 'create table "T" ();'
ARCHIVE = f"hive-standalone-metastore-server-{module.VERSION}-bin.tar.gz"
# copies what the test has prepared to where it is told
MAVEN = """
for word in "$@"; do
    case "$word" in -DoutputDirectory=*) mkdir -p "${word#*=}"; cp "$SERVED"/* "${word#*=}";; esac
done
"""


def archive(*names):
    """A release with these files."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name in names:
            content = SCHEMA.encode()
            member = tarfile.TarInfo(f"apache-hive-metastore/{name}")
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return packed.getvalue()


@pytest.fixture
def served(monkeypatch, tmp_path):
    """A repository with one jar and the release, and a Maven that copies from it."""
    folder, programs, java = tmp_path / "served", tmp_path / "bin", tmp_path / "java"
    for made in (folder, programs, java):
        made.mkdir()
    (folder / "gson-1.jar").write_bytes(b"gson")
    (folder / ARCHIVE).write_bytes(archive("lib/server.jar", "lib/gson-1.jar", f"scripts/{module._SCRIPT}", "bin/x.sh"))
    (programs / "mvn").write_text(f"#!/bin/sh\n{MAVEN}")
    (programs / "mvn").chmod(0o755)
    (java / "pom.xml").write_text("<project/>")
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(folder.iterdir())]
    (java / "jars.sha256").write_text("".join(sums))
    monkeypatch.setattr(module, "JAVA", java)
    monkeypatch.setenv("PATH", f"{programs}:/bin:/usr/bin")
    monkeypatch.setenv("SERVED", str(folder))
    monkeypatch.setenv("LAKEPROOF_CACHE", str(tmp_path / "cache"))
    return folder


def only_line(call):
    with pytest.raises(BackendUnavailable) as raised:
        call()
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_jars_and_the_schema_are_kept_and_nothing_else(served, tmp_path):
    """A jar that is there already is not taken from the release; the second time nothing is fetched."""
    said: list[str] = []
    found = distribution(said.append)
    assert sorted(path.name for path in found.lib.iterdir()) == ["gson-1.jar", "server.jar"]
    assert (found.lib / "gson-1.jar").read_bytes() == b"gson"
    assert found.schema.read_text() == SCHEMA
    assert found.jar("server") == found.lib / "server.jar"
    assert [path.name for path in (tmp_path / "cache" / "hive").iterdir()] == [found.lib.parent.name]
    assert "fetching" in said[0]
    assert "every sha256 as expected" in said[1]
    distribution(said.append)
    assert len(said) == 2


def test_changed_pom_is_another_folder(served):
    """What was checked against other hashes is not taken for it."""
    first = distribution(lambda line: None).lib
    (module.JAVA / "pom.xml").write_text("<project><x/></project>")
    assert distribution(lambda line: None).lib != first


def test_jar_with_another_content_is_one_line_and_nothing_is_kept(served, tmp_path):
    """Expected and got, both hashes."""
    (served / "gson-1.jar").write_bytes(b"not gson")
    line = only_line(lambda: distribution(lambda line: None))
    assert line.startswith("jar gson-1.jar: expected sha256 ")
    assert hashlib.sha256(b"not gson").hexdigest() in line
    assert list((tmp_path / "cache" / "hive").iterdir()) == []


def test_jar_too_many_or_too_few_is_named(served):
    """Maven resolved something else than was checked."""
    (served / "surprise-1.jar").write_bytes(b"")
    assert "expected 2 files of Hive Metastore 4.0.1, got others: surprise-1.jar" in only_line(
        lambda: distribution(lambda line: None)
    )


def test_no_maven_is_one_line(served, monkeypatch, tmp_path):
    """With what it was wanted for."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert only_line(distribution) == (
        "Maven: expected mvn on the PATH to fetch Hive Metastore 4.0.1, found none; install Maven 3"
    )


def test_every_artefact_of_the_pom_has_a_hash():
    """The product's own files: what the pom names is in the list, version and all."""
    space = {"m": "http://maven.apache.org/POM/4.0.0"}
    wanted = []
    for dependency in tree.parse(module.JAVA / "pom.xml").getroot().iterfind("m:dependencies/m:dependency", space):
        artifact, version = (dependency.findtext(f"m:{tag}", "", space) for tag in ("artifactId", "version"))
        wanted.append(f"{artifact}-{version}")
    known = list(expected_hashes())
    assert len(wanted) > 5
    assert [name for name in wanted if not any(file.startswith(name) for file in known)] == []
    assert all(len(digest) == 64 for digest in expected_hashes().values())
