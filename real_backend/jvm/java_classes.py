"""Java sources of ours: compiled once with the machine's `javac`, kept in the cache under a name that is their content.

Choices: the sources are package data and no jar is shipped, so that what runs is what can be read. The name of the
folder is a hash of the sources and of what they were compiled against; it is moved into place whole.
"""

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pyspark

from real_backend.errors import BackendUnavailable
from real_backend.jvm.jars import JARS, cache_folder, jar_path, made
from real_backend.jvm.preflight import JAVA_VERSION

COMPILE_S = 180


def javac_command(purpose: str) -> str:
    """The `javac` of JAVA_HOME if set, else of the PATH. Raises: `BackendUnavailable` naming the purpose."""
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("javac", path=str(Path(home) / "bin") if home else None)
    if found is None:
        where = f"JAVA_HOME/bin (JAVA_HOME={home})" if home else "the PATH"
        raise BackendUnavailable(
            f"JDK: expected javac on {where} to compile {purpose}, found none; install a JDK {JAVA_VERSION} "
            "(simulation, and live Spark SQL on Iceberg, need none)"
        )
    return found


def compiled(
    name: str, sources: Sequence[Path], class_path: Callable[[], Sequence[str]], against: str, purpose: str
) -> Path:
    """The folder of the compiled sources, compiled now if it is not in the cache yet.

    Args: `class_path` is asked for only then; `against` names its versions; `purpose` is for messages.
    Raises: `BackendUnavailable` (no JDK, or what javac said first).
    """
    hashed = hashlib.sha256(f"{against} {JAVA_VERSION}".encode())
    for source in sources:
        hashed.update(source.name.encode() + b"\0" + source.read_bytes())
    folder = cache_folder().parent / "classes" / f"{name}-{hashed.hexdigest()[:16]}"
    if not folder.is_dir():
        _compile(sources, class_path, folder, purpose)
    return folder


def compiled_beside(jar: str, sources: Path, purpose: str) -> Path:
    """The folder of the compiled sources of a folder, which know Spark and one of the `JARS`.

    Raises: `BackendUnavailable` (no JDK, no jar, or what javac said first).
    """
    return compiled(
        f"{jar}-gate", sorted(sources.glob("*.java")),
        lambda: (f"{Path(pyspark.__file__).parent}/jars/*", str(jar_path(jar))),
        f"{JARS[jar].sha256} {pyspark.__version__}", purpose,
    )  # fmt: skip


def _compile(sources: Sequence[Path], class_path: Callable[[], Sequence[str]], folder: Path, purpose: str) -> None:
    javac, libraries = javac_command(purpose), os.pathsep.join(class_path())
    with tempfile.TemporaryDirectory(dir=made(folder.parent)) as work:
        classes = Path(work) / "classes"
        command = [javac, "-nowarn", "--release", str(JAVA_VERSION), "-cp", libraries, "-d", str(classes)]
        try:
            done = subprocess.run(
                [*command, *map(str, sources)], capture_output=True, text=True, timeout=COMPILE_S, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise BackendUnavailable(f"JDK: expected {javac} to compile {purpose}, got {error}") from None
        if done.returncode:
            said = next((line for line in done.stderr.splitlines() if "error" in line), f"exit code {done.returncode}")
            raise BackendUnavailable(f"JDK: expected {javac} to compile {purpose}, got: {said.strip()[:200]}")
        try:
            classes.rename(folder)
        except OSError:
            if not folder.is_dir():  # else another process was faster with the same content
                raise
