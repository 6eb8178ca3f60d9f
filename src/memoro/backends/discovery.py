"""Model servers that already run on this machine: Ollama, LM Studio, llama.cpp."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from memoro.errors import UsageError

DEFAULT_ADDRESSES = (
    ("ollama", "http://127.0.0.1:11434/v1"),
    ("lmstudio", "http://127.0.0.1:1234/v1"),
    ("llamacpp", "http://127.0.0.1:8080/v1"),
)
_LONGEST_ANSWER = 1_000_000


class LocalServer(NamedTuple):
    """A server that answered: the provider prefix to use, its address, and what it serves."""

    provider: str
    base_url: str
    models: tuple[str, ...]


def is_loopback(url: str) -> bool:
    """Whether a URL stays on this machine; only literal addresses and `localhost` are believed."""
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    from ipaddress import ip_address

    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def find_local_servers(
    addresses: Sequence[tuple[str, str]] = DEFAULT_ADDRESSES, timeout: float = 0.3
) -> list[LocalServer]:
    """Ask each (provider prefix, base URL) for its models, all at once, and return who answered.

    Takes little more than `timeout` seconds. Whatever is not a list of models counts as not found.

    Raises:
        UsageError: an address is not on this machine; nothing was asked.
    """
    for _, url in addresses:
        if not is_loopback(url):
            raise UsageError(f"{url} is not a loopback address")
    found: dict[int, LocalServer] = {}

    def ask(place: int, provider: str, url: str) -> None:
        models = _models(url, timeout)
        if models is not None:
            found[place] = LocalServer(provider, url, models)

    threads = [
        threading.Thread(target=ask, args=(place, provider, url), daemon=True)
        for place, (provider, url) in enumerate(addresses)
    ]
    for thread in threads:
        thread.start()
    # The timeout of a socket counts anew for each byte; this one does not.
    deadline = time.monotonic() + 2 * timeout
    for thread in threads:
        thread.join(max(0.0, deadline - time.monotonic()))
    return [server for _, server in sorted(found.copy().items())]


def _models(base_url: str, timeout: float) -> tuple[str, ...] | None:
    # Imported late: a third of this module's start-up time, and `is_loopback` has no use for it.
    from http.client import HTTPConnection, HTTPException

    parts = urlsplit(base_url)
    connection = HTTPConnection(parts.hostname or "", parts.port or 80, timeout=timeout)
    try:
        connection.request("GET", parts.path.rstrip("/") + "/models")
        response = connection.getresponse()
        body = response.read(_LONGEST_ANSWER)
        if response.status != 200:
            return None
        return tuple(str(entry["id"]) for entry in json.loads(body)["data"])
    except (OSError, HTTPException, ValueError, TypeError, LookupError):
        return None
    finally:
        connection.close()
