"""Loopback ports for servers that want to be told one.

Choices: a port that was free a moment ago may be taken before its server has bound it; then the server does not start
and says so in its log. The system hands ports out in an order that makes this rare; a metastore is given another one.
"""

import socket

LOOPBACK = "127.0.0.1"


def free_port() -> int:
    """A port on which nobody listens now."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port
