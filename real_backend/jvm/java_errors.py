"""From what py4j or pyspark raised to "ExceptionName: message", the name being the one that Iceberg threw."""

import re
from collections.abc import Iterator
from typing import Any

_ICEBERG = "org.apache.iceberg"
_LONGEST = 300
_FOLDER = re.compile(r"\b(?:file|memory):/\S*/")  # a warehouse of this run only: no reader can follow it


def causes(error: BaseException) -> Iterator[Any]:
    """The Java exceptions behind a Python one, outermost first."""
    java = getattr(error, "java_exception", None) or getattr(error, "_origin", None)
    seen = 0
    while java is not None and seen < 20:
        yield java
        java, seen = java.getCause(), seen + 1


def describe(error: BaseException) -> str:
    """The name and the message's first line: of Iceberg's own exception if there is one in the chain, else the last."""
    chosen = None
    for java in causes(error):
        chosen = java
        if str(java.getClass().getName()).startswith(_ICEBERG):
            break
    if chosen is None:
        return f"{type(error).__name__}: {_first_line(str(error))}"
    return in_words(chosen)


def in_words(java: Any) -> str:
    """A Java exception's name and its message's first line, without folders of this run."""
    return f"{java.getClass().getSimpleName()}: {_first_line(str(java.getMessage()))}"


def _first_line(text: str) -> str:
    lines = text.strip().splitlines()
    return _FOLDER.sub("", lines[0])[:_LONGEST] if lines else "no message"
