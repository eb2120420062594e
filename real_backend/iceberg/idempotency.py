"""Idempotency keys, as Iceberg's own server handlers honour them: the first answer to a key is repeated.

The client draws one key a request, whatever is sent again of it. The server keeps what a key was answered, errors too,
for a time (half an hour by default) from when it was first seen; neither body nor table is compared.

Source: org.apache.iceberg.rest.CatalogHandlers (`withIdempotency`), RESTUtil (`idempotencyHeaders`), 1.11.0.
"""

from collections.abc import Callable
from typing import Any

from py4j.protocol import Py4JJavaError

from real_backend.jvm.jvm import Jvm

KEY = "Idempotency-Key"


class _Action:
    """A Java supplier of what is done once."""

    class Java:
        """Read by py4j."""

        implements = ("java.util.function.Supplier",)

    def __init__(self, act: Callable[[], Any]) -> None:
        self._act = act

    def get(self) -> Any:
        """Do it."""
        return self._act()


def drawn_key(jvm: Jvm) -> str:
    """The key of a new request, as the client draws it."""
    return str(jvm.iceberg.rest.RESTUtil.idempotencyHeaders()[KEY])


def keep_for(jvm: Jvm, duration: str) -> None:
    """Let the server keep keys for so long from now on, in ISO 8601: PT30M."""
    setter = _handler(jvm, "setIdempotencyLifetimeFromIso", "java.lang.String")
    given = jvm.gateway.new_array(jvm.java.java.lang.Object, 1)
    given[0] = duration
    setter.invoke(None, given)


def _handler(jvm: Jvm, name: str, *types: str) -> Any:
    """A method of the server's that is not public, by the types of its arguments."""
    kinds = jvm.gateway.new_array(jvm.java.java.lang.Class, len(types))
    for number, each in enumerate(types):
        kinds[number] = jvm.java_class(each)
    found = jvm.java_class("org.apache.iceberg.rest.CatalogHandlers").getDeclaredMethod(name, kinds)
    found.setAccessible(True)
    return found


def once(jvm: Jvm, key: str, act: Callable[[], Any]) -> Any:
    """What the server answers to a request with this key. Raises: `Py4JJavaError`, the stored one too."""
    rest, java = jvm.iceberg.rest, jvm.java.java
    header = rest.HTTPHeaders.HTTPHeader.of(KEY, key)
    headers = jvm.gateway.new_array(rest.HTTPHeaders.HTTPHeader, 1)
    headers[0] = header
    method = jvm.java_class("org.apache.iceberg.rest.HTTPRequest$HTTPMethod").getEnumConstants()[0]
    request = rest.ImmutableHTTPRequest.builder().baseUri(java.net.URI("http://localhost")).path("table")
    request = request.method(method).headers(rest.HTTPHeaders.of(headers)).build()
    keyed = _handler(
        jvm, "withIdempotencyInternal", "org.apache.iceberg.rest.HTTPRequest", "java.util.function.Supplier"
    )
    given = java.util.ArrayList()  # py4j cannot put a proxy into an array itself
    given.add(request)
    given.add(_Action(act))
    try:
        return keyed.invoke(None, given.toArray())
    except Py4JJavaError as error:
        raise Py4JJavaError("refused", error.java_exception.getCause()) from None
