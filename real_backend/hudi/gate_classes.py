"""The Java half of the gate, compiled against Hudi and Spark."""

from pathlib import Path

import pyspark

from real_backend.jvm.jars import JARS, jar_path
from real_backend.jvm.java_classes import compiled

SOURCES = Path(__file__).parent / "java"


def classes_folder() -> Path:
    """The folder of compiled classes, compiled now if it is not in the cache yet.

    Raises: `BackendUnavailable` (no JDK, no jar, or what javac said first).
    """
    return compiled(
        "hudi-gate", sorted(SOURCES.glob("*.java")), _class_path, f"{JARS['hudi'].sha256} {pyspark.__version__}",
        "Hudi's storage gate",
    )  # fmt: skip


def _class_path() -> tuple[str, ...]:
    return f"{Path(pyspark.__file__).parent}/jars/*", str(jar_path("hudi"))
