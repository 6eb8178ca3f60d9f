"""One HTTP request that takes no longer than it may."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from memoro.backends.discovery import is_loopback
from memoro.backends.embedding.failures import (
    Endpoint,
    Failure,
    broken,
    by_status,
    late,
    unreachable,
)

if TYPE_CHECKING:
    import ssl

    import httpx2

_LARGEST_ANSWER = 64_000_000
_T = TypeVar("_T")


class _Received(NamedTuple):
    status: int
    retry_after: str
    body: bytes


class Sender:
    """Posts JSON to one endpoint. Certificates are loaded once, with the first request."""

    def __init__(self, endpoint: Endpoint, headers: Mapping[str, str]) -> None:
        self._endpoint = endpoint
        self._headers = dict(headers)
        self._certificates: ssl.SSLContext | None = None

    def post(self, url: str, body: Mapping[str, Any], seconds: float) -> Any | Failure:
        """The parsed answer, or why there is none."""
        import httpx2

        endpoint = self._endpoint
        content = json.dumps(body).encode()
        client = self._client(seconds)
        try:
            received = within(seconds, lambda: _exchange(client, url, content, seconds))
        except (TimeoutError, httpx2.TimeoutException):
            return late(endpoint, seconds)
        except _TooLargeError:
            return broken(endpoint, f"the answer is larger than {_LARGEST_ANSWER} bytes")
        except (httpx2.RemoteProtocolError, httpx2.DecodingError) as error:
            return broken(endpoint, f"the answer was cut off ({error})")
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            return unreachable(endpoint, error)
        parsed = _parsed(received.body)
        if received.status != 200:
            return by_status(endpoint, received.status, parsed, received.retry_after)
        if isinstance(parsed, str):
            return broken(endpoint, "it did not answer with JSON")
        return parsed

    def _client(self, seconds: float) -> httpx2.Client:
        import httpx2

        if self._certificates is None and self._endpoint.url.startswith("https:"):
            self._certificates = httpx2.create_ssl_context()
        return httpx2.Client(
            timeout=seconds,
            headers=self._headers,
            # A proxy from the environment must not see, or break, what stays on this machine.
            trust_env=not is_loopback(self._endpoint.url),
            verify=self._certificates or False,
        )


def within(seconds: float, work: Callable[[], _T]) -> _T:
    """What `work` returns, or raises.

    A client's own timeouts count anew for each byte, and looking up a name has none; this counts
    once. What is late goes on in a thread that holds up nothing.

    Raises:
        TimeoutError: it took longer.
    """
    future: Future[_T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except Exception as error:  # noqa: BLE001  raised again where it is waited for
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future.result(seconds)


class _TooLargeError(Exception):
    pass


def _exchange(client: httpx2.Client, url: str, content: bytes, seconds: float) -> _Received:
    ends = time.monotonic() + seconds
    headers = {"Content-Type": "application/json"}
    with client, client.stream("POST", url, content=content, headers=headers) as response:
        pieces: list[bytes] = []
        size = 0
        for piece in response.iter_bytes():
            pieces.append(piece)
            size += len(piece)
            if size > _LARGEST_ANSWER:
                raise _TooLargeError
            if time.monotonic() > ends:
                raise TimeoutError
        retry_after = response.headers.get("Retry-After", "")
        return _Received(response.status_code, retry_after, b"".join(pieces))


def _parsed(body: bytes) -> Any:
    """The body's JSON; its text where it is none."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return body[:2000].decode("utf-8", "replace")
