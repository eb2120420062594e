"""The Java half of the gates of Iceberg's Java API, compiled against Iceberg and Spark's Hadoop."""

from pathlib import Path

from real_backend.jvm.java_classes import compiled_beside

SOURCES = Path(__file__).parent / "java"


def classes_folder() -> Path:
    """The folder of compiled classes. Raises: as `compiled_beside`."""
    return compiled_beside("iceberg", SOURCES, "the gates of Iceberg's Java API")
