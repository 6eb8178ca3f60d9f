"""Why a request to a provider failed, in the words of the provider or of the system."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, cast

_LONGEST = 300
_MOST_LEVELS = 4
_SHORTEST_KEY = 8
"""What servers of one's own are given for a key ("x", "none") is no secret, and stands in any
text."""


def in_one_line(text: str, api_key: str | None) -> str:
    """A reason as it can stand in a message: without the key, and not too long."""
    if api_key and len(api_key) >= _SHORTEST_KEY:
        text = text.replace(api_key, "[key]")
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def told_in(body: object, levels: int = _MOST_LEVELS) -> str:
    """What the provider itself says, from the many shapes of error bodies; "" where nothing."""
    if not levels:
        return ""
    if isinstance(body, str):
        return "an HTML page" if body.lstrip().startswith("<") else body
    if isinstance(body, list):
        first: list[object] = cast("list[object]", body)[:1]
        return told_in(first[0], levels - 1) if first else ""
    if not isinstance(body, dict):
        return ""
    fields = {str(name).lower(): value for name, value in cast("dict[str, Any]", body).items()}
    for name in ("message", "error", "detail"):
        if told := told_in(fields.get(name), levels - 1):
            return told
    return ""


def root_of(error: BaseException) -> str:
    """The system's own words for a failed connection, found under the layers around it."""
    import ssl

    best = ""
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLError):
            # Its numbers are not the system's.
            return f"no secure connection ({getattr(cause, 'verify_message', '') or cause.reason})"
        if isinstance(cause, OSError) and cause.strerror:
            # asyncio puts its own words over the system's; resolver errors have negative numbers.
            number = cause.errno or 0
            return os.strerror(number) if number > 0 else cause.strerror
        best = str(cause) or best
    return best or type(error).__name__


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        cause = waiting.pop()
        if cause is None or id(cause) in seen:
            continue
        seen.add(id(cause))
        yield cause
        waiting.append(cause.__cause__ or cause.__context__)
        if isinstance(cause, BaseExceptionGroup):
            waiting.extend(cast("BaseExceptionGroup[BaseException]", cause).exceptions)
