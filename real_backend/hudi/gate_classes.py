"""The Java half of the gate: compiled once with the machine's `javac`, cached under a name that is its content.

Choices: the sources are package data and no jar is shipped, so that what runs is what can be read. The name of the
folder is a hash of the sources and of the versions that they were compiled against; it is moved into place whole.
"""

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pyspark

from real_backend.errors import BackendUnavailable
from real_backend.jvm.jars import JARS, cache_folder, jar_path
from real_backend.jvm.preflight import JAVA_VERSION

COMPILE_S = 180
SOURCES = Path(__file__).parent / "java"


def javac_command() -> str:
    """The `javac` of JAVA_HOME if set, else of the PATH. Raises: `BackendUnavailable` if there is none."""
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("javac", path=str(Path(home) / "bin") if home else None)
    if found is None:
        where = f"JAVA_HOME/bin (JAVA_HOME={home})" if home else "the PATH"
        raise BackendUnavailable(
            f"JDK: expected javac on {where} to compile Hudi's storage gate, found none; install a JDK {JAVA_VERSION} "
            "(simulation, and live Iceberg by itself, need none)"
        )
    return found


def classes_folder() -> Path:
    """The folder of compiled classes, compiled now if it is not in the cache yet.

    Raises: `BackendUnavailable` (no JDK, no jar, or what javac said first).
    """
    folder = cache_folder().parent / "classes" / f"hudi-gate-{_fingerprint()}"
    if not folder.is_dir():
        _compile(javac_command(), folder)
    return folder


def _fingerprint() -> str:
    hashed = hashlib.sha256(f"{JARS['hudi'].sha256} {pyspark.__version__} {JAVA_VERSION}".encode())
    for source in _sources():
        hashed.update(source.name.encode() + b"\0" + source.read_bytes())
    return hashed.hexdigest()[:16]


def _sources() -> list[Path]:
    return sorted(SOURCES.glob("*.java"))


def _compile(javac: str, folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    class_path = os.pathsep.join([f"{Path(pyspark.__file__).parent}/jars/*", str(jar_path("hudi"))])
    with tempfile.TemporaryDirectory(dir=folder.parent) as work:
        made = Path(work) / "classes"
        command = [javac, "-nowarn", "--release", str(JAVA_VERSION), "-cp", class_path, "-d", str(made)]
        try:
            done = subprocess.run(
                [*command, *map(str, _sources())], capture_output=True, text=True, timeout=COMPILE_S, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise BackendUnavailable(f"JDK: expected {javac} to compile Hudi's storage gate, got {error}") from None
        if done.returncode:
            said = next((line for line in done.stderr.splitlines() if "error" in line), f"exit code {done.returncode}")
            raise BackendUnavailable(f"JDK: expected {javac} to compile Hudi's storage gate, got: {said.strip()[:200]}")
        try:
            made.rename(folder)
        except OSError:
            if not folder.is_dir():  # else another process was faster with the same content
                raise
