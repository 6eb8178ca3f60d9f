"""What went wrong with a request for embeddings, in one line, and the line that mends it."""

from __future__ import annotations

import re
from typing import NamedTuple

from memoro.backends.discovery import is_loopback
from memoro.backends.reasons import in_one_line, root_of, told_in
from memoro.errors import (
    ModelBrokenError,
    ModelBusyError,
    ModelError,
    ModelRefusedError,
    ModelUnreachableError,
)

REST_SECONDS = 30.0
"""How long a provider that can't be reached, or is busy, is left alone."""

LONGEST_REST = 600.0
"""The longest pause that a provider may ask for, in seconds."""

_KEY = re.compile(r"\bapi[ _-]?key\b", re.IGNORECASE)
_SPENT = re.compile(r"insufficient_quota|exceeded your current quota|billing", re.IGNORECASE)


class Endpoint(NamedTuple):
    """Whom texts are sent to, as messages name it: `name` is `provider:model`, `host` without a
    user's name or password. `api_key` is kept out of messages; `key_fix` is the line for a refused
    one."""

    name: str
    provider: str
    model: str
    url: str
    host: str
    api_key: str | None
    key_fix: str


class Failure(NamedTuple):
    """A request that brought no vectors; `rest` is for how many seconds not to ask again."""

    error: ModelError
    rest: float = 0.0


def by_status(endpoint: Endpoint, status: int, body: object, retry_after: str = "") -> Failure:
    """The failure that an HTTP status means; `body` is what came with it, parsed where it was
    JSON."""
    reason = in_one_line(told_in(body) or f"status {status}", endpoint.api_key)
    who = _who(endpoint)
    if status == 429 or status in (503, 529):
        return _busy(endpoint, reason, retry_after, spent=bool(_SPENT.search(f"{reason} {body}")))
    if status in (408, 502, 504):
        what = f"{who} did not answer in time: {reason}"
        return Failure(ModelUnreachableError(what, "try again later"), REST_SECONDS)
    if status >= 500:
        return Failure(ModelBrokenError(f"{who} failed: {reason}", "try again later"))
    if status in (401, 403) or (status == 400 and _KEY.search(reason)):
        return Failure(ModelRefusedError(f"{who} refused the key: {reason}", endpoint.key_fix))
    fix = "memoro config set embed_model MODEL  or check the setting embed_base_url"
    if status == 404:
        return Failure(ModelRefusedError(f"{who} was not found: {reason}", fix))
    if 300 <= status < 400:
        what = f"{who} has its embeddings at another address (status {status})"
        return Failure(ModelRefusedError(what, "memoro config set embed_base_url https://HOST/v1"))
    return Failure(ModelRefusedError(f"{who} refused the texts: {reason}", fix))


def late(endpoint: Endpoint, seconds: float) -> Failure:
    """No whole answer came within this time."""
    what = f"{_who(endpoint)} can't be reached: no answer within {seconds:g} s"
    return Failure(ModelUnreachableError(what, _address_fix(endpoint)), REST_SECONDS)


def unreachable(endpoint: Endpoint, error: BaseException) -> Failure:
    """The connection failed."""
    what = f"{_who(endpoint)} can't be reached: {in_one_line(root_of(error), endpoint.api_key)}"
    return Failure(ModelUnreachableError(what, _address_fix(endpoint)), REST_SECONDS)


def broken(endpoint: Endpoint, reason: str) -> Failure:
    """What came is not an answer, or not a whole one."""
    what = f"{_who(endpoint)} gave no usable vectors: {in_one_line(reason, endpoint.api_key)}"
    return Failure(ModelBrokenError(what, "try again later"))


def _who(endpoint: Endpoint) -> str:
    return f"{endpoint.name} at {endpoint.host}"


def _busy(endpoint: Endpoint, reason: str, retry_after: str, *, spent: bool) -> Failure:
    what = f"{_who(endpoint)} is busy: {reason}"
    if spent:
        fix = f"check the plan and the credit at {endpoint.host}"
        return Failure(ModelBusyError(what, fix), LONGEST_REST)
    # A date instead of seconds is rare, and not worth reading.
    asked = int(retry_after[:9]) if retry_after.isascii() and retry_after.isdigit() else None
    rest = REST_SECONDS if asked is None else min(float(asked), LONGEST_REST)
    return Failure(ModelBusyError(what, f"try again in {rest:g} s"), rest)


def _address_fix(endpoint: Endpoint) -> str:
    if is_loopback(endpoint.url):
        return f"start the server at {endpoint.host}, or check the setting embed_base_url"
    return "check the network and the setting embed_base_url"
