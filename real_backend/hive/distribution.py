"""The Java part of a Hive Metastore 4.0.1: fetched once by Maven into the cache, checked, unpacked; our classes for it.

`java/pom.xml` says what it consists of, `java/jars.sha256` what each file must be. `make jars` fetches it ahead.

Choices: the folder in the cache has the pom's hash in its name and is moved into place whole, so what is there has been
checked. Of the schema scripts only PostgreSQL's is kept. Hive's `DbNotificationListener` is in no artefact that fits
4.0.1, so the notification log is written by a listener of ours.
"""

import hashlib
import os
import shutil
import tarfile
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from real_backend.errors import BackendUnavailable
from real_backend.jvm.jars import cache_folder, made, run_maven, to_stderr
from real_backend.jvm.java_classes import compiled

VERSION = "4.0.1"
JAVA = Path(__file__).parent / "java"
WHAT = f"Hive Metastore {VERSION}"
_ARCHIVE = f"hive-standalone-metastore-server-{VERSION}-bin.tar.gz"
_SCRIPT = "hive-schema-4.0.0.postgres.sql"  # 4.0.1 has the schema of 4.0.0


class Distribution:
    """A folder with everything: `lib` holds the jars, `schema` makes the metastore's tables."""

    def __init__(self, folder: Path) -> None:
        self.lib = folder / "lib"
        self.schema = folder / _SCRIPT

    def jar(self, stem: str) -> Path:
        """The jar whose name begins like this."""
        return next(path for path in sorted(self.lib.iterdir()) if path.name.startswith(stem))


def distribution(say: Callable[[str], None] | None = None) -> Distribution:
    """The metastore's jars, fetched now if they are not in the cache yet (about 140 MB).

    Args: `say` receives progress lines; by default they go to standard error.
    Raises: `BackendUnavailable` (no Maven, no network, wrong hash), with what was expected, got and can be done.
    """
    folder = cache_folder().parent / "hive" / f"{VERSION}-{_fingerprint()}"
    if not folder.is_dir():
        _fetch(folder, say or to_stderr)
    return Distribution(folder)


def fetch() -> str:
    """Fetch the metastore's jars; a line that says where they are. Raises: `BackendUnavailable`."""
    return f"metastore: {distribution().lib}"


@cache
def classes() -> Path:
    """The folder of our own compiled classes. Raises: `BackendUnavailable`."""
    sources = sorted(JAVA.glob("*.java"))
    return compiled(
        "metastore", sources, lambda: [f"{distribution().lib}/*"], f"{VERSION} {_fingerprint()}", "the metastore's gate"
    )


def _fingerprint() -> str:
    hashed = hashlib.sha256((JAVA / "pom.xml").read_bytes() + (JAVA / "jars.sha256").read_bytes())
    return hashed.hexdigest()[:12]


def _fetch(folder: Path, say: Callable[[str], None]) -> None:
    maven = shutil.which("mvn")
    if maven is None:
        raise BackendUnavailable(f"Maven: expected mvn on the PATH to fetch {WHAT}, found none; install Maven 3")
    say(f"fetching {WHAT} with Maven (once, into {folder.parent}) ...")
    with tempfile.TemporaryDirectory(dir=made(folder.parent)) as work:
        pom = Path(work) / "pom.xml"
        shutil.copy(JAVA / "pom.xml", pom)
        fetched = Path(work) / "fetched"
        run_maven(maven, WHAT, "-f", str(pom), "dependency:copy-dependencies", f"-DoutputDirectory={fetched}")
        _check(fetched)
        unpacked = Path(work) / "made"
        _unpack(fetched, unpacked)
        try:
            unpacked.rename(folder)
        except OSError:
            if not folder.is_dir():  # else another process was faster with the same content
                raise
    size = sum(path.stat().st_size for path in (folder / "lib").iterdir())
    say(f"{WHAT}: {size / 1e6:.0f} MB of jars, every sha256 as expected")


def expected_hashes() -> dict[str, str]:
    """File name to SHA-256, of everything that Maven is to bring."""
    lines = (JAVA / "jars.sha256").read_text().splitlines()
    return {name: digest for digest, name in (line.split() for line in lines)}


def _check(fetched: Path) -> None:
    expected = expected_hashes()
    found = sorted(path.name for path in fetched.iterdir()) if fetched.is_dir() else []
    if found != sorted(expected):
        odd = ", ".join(sorted(set(found) ^ set(expected)))
        raise BackendUnavailable(f"Maven: expected {len(expected)} files of {WHAT}, got others: {odd}; run with mvn -X")
    for name, digest in expected.items():
        with (fetched / name).open("rb") as file:
            got = hashlib.file_digest(file, "sha256").hexdigest()
        if got != digest:
            raise BackendUnavailable(
                f"jar {name}: expected sha256 {digest}, got {got}; the repository served another file"
            )


def _unpack(fetched: Path, made: Path) -> None:
    lib = made / "lib"
    lib.mkdir(parents=True)
    for path in fetched.iterdir():
        if path.name != _ARCHIVE:
            os.replace(path, lib / path.name)
    with tarfile.open(fetched / _ARCHIVE) as archive:
        for member in archive:
            name = member.name.rsplit("/", 1)[-1]
            to = made if name == _SCRIPT else lib if name.endswith(".jar") else None
            content = archive.extractfile(member)
            if to is not None and content is not None and not (to / name).exists():
                with (to / name).open("wb") as file:
                    shutil.copyfileobj(content, file)
    if not (made / _SCRIPT).is_file():
        raise BackendUnavailable(f"{_ARCHIVE}: expected {_SCRIPT} in it, found none")
