"""Which answers Iceberg's own HTTP client sends a request again after: its strategy is asked, in the JVM.

A fault of the schedule language is an answer: `503-after-retry` is 503 with a time to wait, `drop-before` a connection
that is closed without an answer (`NoHttpResponseException`). Nobody waits.

Source: org.apache.iceberg.rest.ExponentialHttpRequestRetryStrategy, 1.11.0.
"""

from typing import Any

from real_backend.jvm.jvm import Jvm

MAX_RETRIES = 5  # rest.client.max-retries
_STRATEGY = "org.apache.iceberg.rest.ExponentialHttpRequestRetryStrategy"
_HTTP = "org.apache.iceberg.shaded.org.apache.hc.core5.http"


def status_of(fault: str) -> int | None:
    """The status that a fault answers with; None if the connection is closed."""
    return None if fault.startswith("drop") else int(fault[:3])


class HttpRetries:
    """The real strategy, which is private to its package."""

    def __init__(self, jvm: Jvm) -> None:
        self._jvm = jvm
        self._http = jvm.iceberg.shaded.org.apache.hc.core5.http
        strategy = jvm.java_class(_STRATEGY)
        self._integer = jvm.java_class("java.lang.Integer").getField("TYPE").get(None)
        made = strategy.getDeclaredConstructor(self._array("Class", self._integer))
        made.setAccessible(True)
        self._strategy = made.newInstance(self._array("Object", MAX_RETRIES))
        context = jvm.java_class(f"{_HTTP}.protocol.HttpContext")
        response, request = (jvm.java_class(f"{_HTTP}.{name}") for name in ("HttpResponse", "HttpRequest"))
        failure = jvm.java_class("java.io.IOException")
        self._after_answer = strategy.getMethod("retryRequest", self._array("Class", response, self._integer, context))
        self._after_failure = strategy.getMethod(
            "retryRequest", self._array("Class", request, failure, self._integer, context)
        )

    def sends_again(self, method: str, fault: str, sent: int) -> bool:
        """Whether a request is sent again. Args: `method`: of HTTP; `sent`: how often it has been sent."""
        request = self._http.message.BasicHttpRequest(method, "/")
        context = self._http.protocol.HttpCoreContext()
        context.setRequest(request)
        status = status_of(fault)
        if status is None:
            lost = self._http.NoHttpResponseException(fault)
            return self._asked(self._after_failure, request, lost, sent, context)
        answer = self._http.message.BasicHttpResponse(status)
        if fault.endswith("-retry") or status == 429:
            answer.setHeader("Retry-After", "1")
        return self._asked(self._after_answer, answer, sent, context)

    def _asked(self, method: Any, *given: Any) -> bool:
        method.setAccessible(True)
        return bool(method.invoke(self._strategy, self._array("Object", *given)))

    def _array(self, kind: str, *given: Any) -> Any:
        found = self._jvm.gateway.new_array(getattr(self._jvm.java.java.lang, kind), len(given))
        for place, one in enumerate(given):
            found[place] = one
        return found
