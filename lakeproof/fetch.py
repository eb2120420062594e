"""Fetches everything that live runs need, once: `python -m lakeproof.fetch`, which `make jars` calls."""

import sys

from real_backend.errors import BackendUnavailable
from real_backend.hive.distribution import distribution
from real_backend.jvm.jars import JARS, jar_path


def main() -> int:
    """Fetch every jar and the metastore; print one line for each; 0, or 1 with one line that says what went wrong."""
    try:
        for name in JARS:
            sys.stderr.write(f"jar {name}: {jar_path(name)}\n")
        sys.stderr.write(f"metastore: {distribution().lib}\n")
    except BackendUnavailable as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
