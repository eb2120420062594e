"""The Java artefacts of live runs: fetched once by Maven, checked against their SHA-256, kept in a cache.

The cache is the folder LAKEPROOF_CACHE, if that is set; `.cache` of the checkout, if this is one; else `lakeproof` in
the user's cache folder (XDG_CACHE_HOME or ~/.cache; what macOS and Windows have in its place).

Maven and not Spark's own `spark.jars.packages`: it honours the user's Maven settings (mirrors, proxies), and what it
brought can be checked before a JVM loads it. `python -m lakeproof.fetch` fetches everything.

Choices: a jar in the cache is trusted by hash, once per process, not by name; a file with the wrong hash is reported
and left alone, since only its owner knows where it came from.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from platformdirs import user_cache_path

from real_backend.errors import BackendUnavailable

FETCH_TIMEOUT_S = 600
_UNREACHABLE = (
    "unknown host",
    "could not transfer",
    "connection refused",
    "timed out",
    "network is unreachable",
)


@dataclass(frozen=True, slots=True)
class Jar:
    """One artefact: Maven coordinates "group:artifact:version" and the SHA-256 of its file."""

    name: str
    coordinates: str
    sha256: str

    @property
    def file_name(self) -> str:
        """The name Maven gives the file."""
        _, artifact, version = self.coordinates.split(":")
        return f"{artifact}-{version}.jar"

    @property
    def cached_path(self) -> Path:
        """Where the file stands, or would stand, in the cache."""
        return cache_folder() / self.file_name


def _read_jars() -> dict[str, Jar]:
    with (Path(__file__).parent / "jars.toml").open("rb") as file:
        return {name: Jar(name, entry["coordinates"], entry["sha256"]) for name, entry in tomllib.load(file).items()}


JARS = _read_jars()


def version_of(name: str) -> str:
    """The version of a jar by its name in `jars.toml`."""
    return JARS[name].coordinates.rpartition(":")[2]


def cache_folder() -> Path:
    """The folder of fetched jars: `jars` in the cache."""
    configured = os.environ.get("LAKEPROOF_CACHE")
    if configured:
        return Path(configured) / "jars"
    root = Path(__file__).resolve().parents[2]
    in_checkout = (root / "pyproject.toml").is_file()
    return (root / ".cache" if in_checkout else user_cache_path("lakeproof", appauthor=False)) / "jars"


def made(folder: Path) -> Path:
    """The folder of the cache, made if it is not there. Raises: `BackendUnavailable` if it cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BackendUnavailable(
            f"cache {folder}: expected a folder that can be written, got {error.strerror}; set LAKEPROOF_CACHE to one"
        ) from None
    return folder


@cache
def _sha256(path: Path, _changed_ns: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def is_cached(jar: Jar) -> bool:
    """Whether the cache holds this jar, with the right content.

    Raises: `BackendUnavailable` if a file of that name has another content.
    """
    path = jar.cached_path
    if not path.is_file():
        return False
    _check(path, jar, "delete the file and run `make jars`")
    return True


def _check(path: Path, jar: Jar, remedy: str) -> None:
    got = _sha256(path, path.stat().st_mtime_ns)
    if got != jar.sha256:
        raise BackendUnavailable(f"jar {path}: expected sha256 {jar.sha256}, got {got}; {remedy}")


def jar_path(name: str, say: Callable[[str], None] | None = None) -> Path:
    """The path of a jar by its name in `jars.toml`, fetched now if it is not in the cache yet.

    Args: `say` receives progress lines; by default they go to standard error.
    Raises: `BackendUnavailable` (no Maven, no network, wrong hash), with what was expected, got and can be done.
    """
    jar = JARS[name]
    return jar.cached_path if is_cached(jar) else _fetch(jar, say or to_stderr)


def to_stderr(line: str) -> None:
    """Say a `line` of progress on standard error."""
    sys.stderr.write(line + "\n")


def _fetch(jar: Jar, say: Callable[[str], None]) -> Path:
    maven = shutil.which("mvn")
    if maven is None:
        raise BackendUnavailable(
            f"Maven: expected mvn on the PATH to fetch {jar.coordinates}, found none; install Maven 3, "
            f"or put {jar.file_name} into {cache_folder()}"
        )
    say(f"fetching {jar.coordinates} with Maven (once, into {cache_folder()}) ...")
    # In a folder of its own first: two processes may fetch at once, and an interrupted copy must not look complete.
    with tempfile.TemporaryDirectory(dir=made(cache_folder())) as work:
        run_maven(maven, jar.coordinates, "dependency:get", f"-Dartifact={jar.coordinates}", "-Dtransitive=false")
        run_maven(
            maven, jar.coordinates, "dependency:copy", f"-Dartifact={jar.coordinates}", f"-DoutputDirectory={work}"
        )
        arrived = Path(work) / jar.file_name
        if not arrived.is_file():
            raise BackendUnavailable(f"Maven: expected it to copy {jar.file_name}, got no such file; run with mvn -X")
        _check(arrived, jar, "the repository served another file; compare with the project's release page")
        arrived.replace(jar.cached_path)
    say(f"{jar.file_name}: {jar.cached_path.stat().st_size / 1e6:.0f} MB, sha256 as expected")
    return jar.cached_path


def run_maven(maven: str, what: str, *arguments: str) -> None:
    """Run Maven with these arguments to fetch `what`. Raises: `BackendUnavailable` with its first error."""
    command = [maven, "--batch-mode", "--no-transfer-progress", *arguments]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=FETCH_TIMEOUT_S, cwd=tempfile.gettempdir(), check=False
        )
    except subprocess.TimeoutExpired:
        raise BackendUnavailable(
            f"Maven: expected {what} within {FETCH_TIMEOUT_S} s, got no end; check the network and try again"
        ) from None
    if done.returncode == 0:
        return
    output = done.stdout + done.stderr
    errors = [line.removeprefix("[ERROR]").strip() for line in output.splitlines() if line.startswith("[ERROR]")]
    reason = (errors[0] if errors else output.strip()[-200:] or f"exit code {done.returncode}")[:300]
    if any(sign in output.lower() for sign in _UNREACHABLE):
        raise BackendUnavailable(
            f"network: expected Maven to reach a repository that has {what}, got: {reason}; "
            "check the network or the mirror in Maven's settings"
        )
    raise BackendUnavailable(f"Maven: expected to fetch {what}, got: {reason}; run `make jars` again")
