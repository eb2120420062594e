"""Is everything there that live runs need? Each thing that is missing becomes one line.

Spark 3.5 runs on Java 8, 11 and 17; Iceberg 1.11's jar is compiled for 17. So it is 17 and nothing else. Maven is
needed only until the jars stand in the cache.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from real_backend.errors import BackendUnavailable
from real_backend.jvm.jars import JARS, Jar, is_cached

JAVA_VERSION = 17
PROBE_TIMEOUT_S = 30


def java_command() -> str:
    """The `java` that Spark's own scripts would start: from JAVA_HOME if set, else from the PATH.

    Raises: `BackendUnavailable` if there is none.
    """
    home = os.environ.get("JAVA_HOME")
    if home:
        candidate = Path(home) / "bin" / "java"
        if not os.access(candidate, os.X_OK):
            raise BackendUnavailable(
                f"Java: expected a program at JAVA_HOME/bin/java, got JAVA_HOME={home} without one; "
                f"set JAVA_HOME to a Java {JAVA_VERSION}, or unset it"
            )
        return str(candidate)
    found = shutil.which("java")
    if found is None:
        raise BackendUnavailable(
            f"Java: expected java on the PATH or JAVA_HOME, found neither; install Java {JAVA_VERSION}"
        )
    return found


def check_java() -> None:
    """Raise `BackendUnavailable` unless the Java that Spark would start has the right version."""
    command = java_command()
    try:
        probe = subprocess.run([command, "-version"], capture_output=True, text=True, timeout=PROBE_TIMEOUT_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BackendUnavailable(
            f"Java: {command} -version did not run ({error}); install Java {JAVA_VERSION}"
        ) from None
    found = re.search(r'version "(?:1\.)?(\d+)[^"]*"', probe.stderr + probe.stdout)
    if found is None or int(found[1]) != JAVA_VERSION:
        got = found[0] if found else (probe.stderr or probe.stdout).strip()[:80] or "no version at all"
        raise BackendUnavailable(
            f"Java: expected version {JAVA_VERSION}, got {got} from {command}; set JAVA_HOME to a Java {JAVA_VERSION}"
        )


def check_jars(jars: Iterable[Jar] | None = None) -> None:
    """Raise `BackendUnavailable` if a jar is neither cached nor obtainable because there is no Maven."""
    missing = [jar for jar in (JARS.values() if jars is None else jars) if not is_cached(jar)]
    if missing and shutil.which("mvn") is None:
        names = ", ".join(jar.file_name for jar in missing)
        raise BackendUnavailable(
            f"Maven: expected mvn on the PATH to fetch {names}, found none; install Maven 3, "
            f"or put the jars into {missing[0].cached_path.parent}"
        )


def problems() -> tuple[str, ...]:
    """One line for each thing that is missing; empty if live runs can start."""
    lines = []
    for check in (check_java, check_jars):
        try:
            check()
        except BackendUnavailable as error:
            lines.append(str(error))
    return tuple(lines)


def require() -> None:
    """Raise `BackendUnavailable` naming everything that is missing, if anything is."""
    if found := problems():
        raise BackendUnavailable("; ".join(found))
