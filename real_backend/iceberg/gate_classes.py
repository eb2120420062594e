"""The Java half of the gates of Iceberg's Java API, compiled against Iceberg and Spark's Hadoop."""

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
        "iceberg-gate", sorted(SOURCES.glob("*.java")), _class_path, f"{JARS['iceberg'].sha256} {pyspark.__version__}",
        "the gates of Iceberg's Java API",
    )  # fmt: skip


def _class_path() -> tuple[str, ...]:
    return f"{Path(pyspark.__file__).parent}/jars/*", str(jar_path("iceberg"))
