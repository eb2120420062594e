"""Fetches everything that live runs need, once: `python -m lakeproof.fetch`, which `make jars` calls."""

import sys

from lakeproof import protocols
from real_backend.errors import BackendUnavailable
from real_backend.jvm.jars import jar_path


def main() -> int:
    """Fetch what each protocol needs; print one line for each; 0, or 1 with one line that says what went wrong."""
    try:
        for protocol in protocols.PROTOCOLS:
            for name in protocol.jars:
                sys.stderr.write(f"jar {name}: {jar_path(name)}\n")
            if protocol.fetch:
                sys.stderr.write(f"{protocols.part(protocol.fetch)()}\n")
    except BackendUnavailable as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
