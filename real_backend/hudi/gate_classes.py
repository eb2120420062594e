"""The Java half of the gate, compiled against Hudi and Spark."""

from pathlib import Path

from real_backend.jvm.java_classes import compiled_beside

SOURCES = Path(__file__).parent / "java"


def classes_folder() -> Path:
    """The folder of compiled classes. Raises: as `compiled_beside`."""
    return compiled_beside("hudi", SOURCES, "Hudi's storage gate")
